/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A safe subset of YAML, read by libyaml's event interface into the same
 * tree.  No anchors, aliases, tags, merge keys, duplicate keys, directives,
 * second document, non-scalar keys, NUL.  Plain scalars are null, true,
 * false and numbers in JSON's grammar, else strings; a plain yes, no, on,
 * off, y, n (any case), ~, a number with leading zero, plus sign or
 * underscore is refused with the advice to quote it; an empty value is null.
 * UTF-8 only.
 */
#ifndef WV_JSON_YAML_H
#define WV_JSON_YAML_H

#include "json/json.h"

struct wv_yaml_limits {
	size_t max_bytes; /* 1 MiB */
	size_t max_depth; /* 64 */
};
extern const struct wv_yaml_limits wv_yaml_defaults;

cJSON *wv_yaml_read(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_yaml_limits *limits, struct wv_err *err);
/* Line and column (from 1) of a node that wv_yaml_read() made. */
void wv_yaml_position(const cJSON *node, size_t *line, size_t *column);

#endif
