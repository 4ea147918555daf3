/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments that are paths.  How the tool will understand one is not known,
 * so it is judged in every form that it may have: as it is written, with `.`
 * and `..` worked out, and as the file system resolves it now; and the same
 * with its percent-encoding decoded once.
 */
#ifndef WV_PATHS_H
#define WV_PATHS_H

#include "policy.h"

enum {
	POLICY_FORMS = 6,
	POLICY_PATHS_MAX = 1000, /* in a list; of more nothing is known */
};

struct policy_path {
	const char *forms[POLICY_FORMS]; /* absolute, without `.` and `..` */
	size_t count;
	bool is_unknown; /* it has a form that cannot be told */
};

/* The value of an argument: a path or a list of paths. */
struct policy_value {
	struct policy_value *next;
	const cJSON *node;
	struct policy_path *paths;
	size_t count;
	bool is_unknown; /* something else is in it */
	bool is_protected;
};

/* What was looked at for a request: once, so that every rule sees the same. */
struct policy_paths {
	struct wv_arena *arena;
	const char *folder; /* the tool's, absolute; NULL: not known */
	const struct policy_place *places;
	struct policy_value *values;
};

const struct policy_value *policy_value_read(
	struct policy_paths *paths, const cJSON *node);
/* Whether the globs match: any form of any path (what is refused), or every
 * form of all of them (what is allowed). */
enum policy_match policy_value_match(
	const struct policy_value *value, const cJSON *globs, bool any);

/* protect.c: the path, which is one of those forms, leads there */
bool policy_is_protected(const struct policy_place *places, const char *path);

#endif
