/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where arguments and outputs come from.  Within what is written, at any
 * depth, an object
 *	{from: POINTER}  stands for a value that is elsewhere,
 *	{value: X}       stands for X, whatever X looks like,
 * and everything else for itself.
 */
#ifndef WV_JSON_MAPPING_H
#define WV_JSON_MAPPING_H

#include "json/json.h"

/* The member of that name, if the object has no other; else NULL. */
const cJSON *wv_mapping_sole(const cJSON *node, const char *name);
/* Text that may be a JSON pointer, to less than everything. */
bool wv_mapping_is_pointer(const char *s);

/* What a pointer leads to; NULL: nothing. */
typedef const cJSON *wv_mapping_find(const void *scope, const char *pointer);

/*
 * A copy of what is written with the references resolved, an object; each
 * `from` is text.  NULL and an error that names a reference that leads
 * nowhere, or to no object where all of it comes from there.
 */
cJSON *wv_mapping_resolve(struct wv_arena *arena, const cJSON *written,
	wv_mapping_find *find, const void *scope, struct wv_err *err);

/* What an object stands for: 1 and *made; 0: for itself; -1 and an error. */
typedef int wv_mapping_read(const void *scope, struct wv_arena *arena,
	const cJSON *object, cJSON **made, struct wv_err *err);
/* The same, where `read` says what is a reference; of any type. */
cJSON *wv_mapping_make(struct wv_arena *arena, const cJSON *written,
	wv_mapping_read *read, const void *scope, struct wv_err *err);

#endif
