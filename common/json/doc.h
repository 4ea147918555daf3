/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration file (policy, tools, flow, rules, catalogue, schema): one
 * document, JSON or YAML, read whole: which one, wv_form_is_yaml() says.
 */
#ifndef WV_JSON_DOC_H
#define WV_JSON_DOC_H

#include "json/json.h"
#include "json/yaml.h"

struct wv_doc {
	const char *source;
	const char *text;
	size_t len;
	bool yaml;
	cJSON *root;
};

/* Everything in the arena.  err->source is path. */
int wv_doc_load(struct wv_doc *doc, struct wv_arena *arena, const char *path,
	struct wv_err *err);
/* The same of text that is already there (built in, or inside a message). */
int wv_doc_parse(struct wv_doc *doc, struct wv_arena *arena, const char *source,
	const char *text, size_t len, struct wv_err *err);
/* Where the value at an RFC 6901 pointer stands; the nearest parent that
 * exists if there is none. */
void wv_doc_position(const struct wv_doc *doc, const char *pointer,
	size_t *line, size_t *column);
/* Fills err with source, line and column of a pointer; returns -1. */
int wv_doc_err(const struct wv_doc *doc, struct wv_err *err,
	const char *pointer, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The option of every tool that reads YAML: its row, and the switch arm that
 * takes it. */
/* clang-format off */
#define WV_DOC_OPTS \
	{ WV_OPT_MAX_YAML, "max-yaml", "BYTES", "largest YAML file (1M)" }
/* clang-format on */
enum { WV_OPT_MAX_YAML = 1100 };
struct wv_opts;
bool wv_doc_option(int id, const struct wv_opts *opts);
/* What it has set, or the defaults. */
const struct wv_yaml_limits *wv_doc_yaml_limits(void);

#endif
