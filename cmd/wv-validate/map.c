/* SPDX-License-Identifier: Apache-2.0 */
#include "map.h"

#include "show.h"

#include "base/msg.h"
#include "base/walk.h"

#include <stdlib.h>
#include <string.h>

static struct target *
add(struct map *map, const char *pattern, int type)
{
	struct target *target = wv_alloc_zero(&map->arena, sizeof *target);

	target->type = type;
	map->rules = wv_list_room(map->rules, map->count, sizeof *map->rules);
	map->rules[map->count++] = (struct map_rule){ pattern, target };
	return target;
}

static void
add_schema(struct map *map, const char *pattern, struct schemas *schemas,
	const char *path)
{
	struct target *target = add(map, pattern, TARGET_SCHEMA);
	const cJSON *root;

	target->schema = schemas_load(schemas, path, &root);
	if (target->schema == NULL)
		exit(WV_TROUBLE);
	target->fingerprint = fingerprint_schema(&map->arena, root, path);
}

void
map_add(struct map *map, const struct wv_opts *opts, struct schemas *schemas,
	const char *spec)
{
	const char *equals = strrchr(spec, '='), *pattern;

	if (equals == NULL || equals == spec || equals[1] == '\0')
		wv_usage(opts, "--map: '%s' is not GLOB=TYPE", spec);
	pattern = wv_dupn(&map->arena, spec, (size_t)(equals - spec));
	if (strpbrk(equals + 1, "./") != NULL)
		add_schema(map, pattern, schemas, equals + 1);
	else
		add(map, pattern,
			type_of_name(opts, "--map", equals + 1, true));
}

void
map_add_type(struct map *map, int type)
{
	add(map, NULL, type);
}

void
map_add_schema(struct map *map, struct schemas *schemas, const char *path)
{
	add_schema(map, NULL, schemas, path);
}

const struct target *
map_find(const struct map *map, const char *path)
{
	const struct map_rule *rule = map->rules;

	while (rule->pattern != NULL && !wv_walk_matches(rule->pattern, path))
		rule++;
	return rule->target;
}

void
map_free(struct map *map)
{
	free(map->rules);
	wv_arena_free(&map->arena);
}
