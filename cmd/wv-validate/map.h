/* SPDX-License-Identifier: Apache-2.0 */
/* By what the records of a file are judged. */
#ifndef WV_VALIDATE_MAP_H
#define WV_VALIDATE_MAP_H

#include "judge.h"
#include "schemas.h"

#include "base/opt.h"

struct map_rule {
	const char *pattern; /* see wv_walk_matches(); NULL: of every file */
	struct target *target;
};

struct map {
	struct map_rule *rules; /* the first that matches counts */
	size_t count;
	struct wv_arena arena;
};

/* "GLOB=TYPE", where TYPE is a contract, auto, or the path of a schema: it
 * holds a slash or a dot.  What is wrong with the option is misuse, what is
 * wrong with a schema ends the process with 2. */
void map_add(struct map *map, const struct wv_opts *opts,
	struct schemas *schemas, const char *spec);
/* The last rule: every other file. */
void map_add_type(struct map *map, int type);
void map_add_schema(struct map *map, struct schemas *schemas, const char *path);

const struct target *map_find(const struct map *map, const char *path);
void map_free(struct map *map);

#endif
