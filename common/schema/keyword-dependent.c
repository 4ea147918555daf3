/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dependentRequired, dependentSchemas, and dependencies, which is both: what
 * must hold if a member is there.
 */
#include "schema/keyword.h"

#include <stdlib.h>
#include <string.h>

/* The keywords that make one op together: one of the new ones, and
 * dependencies where what it has for a member is of this kind. */
struct sources {
	bool lists; /* of names; else schemas */
	const char *keywords[2];
	const cJSON *values[2];
	uint32_t count;
};

static bool
is_wanted(const struct sources *sources, uint32_t i, const cJSON *one)
{
	return strcmp(sources->keywords[i], "dependencies") != 0 ||
		wv_is_array(one) == sources->lists;
}

static bool
has_wanted(const struct sources *sources, uint32_t i)
{
	wv_json_each(one, sources->values[i]) {
		if (is_wanted(sources, i, one))
			return true;
	}
	return false;
}

static int
find_sources(struct compiler *c, struct sources *sources, bool lists)
{
	const char *const keywords[] = {
		lists ? "dependentRequired" : "dependentSchemas", "dependencies"
	};

	*sources = (struct sources){ .lists = lists };
	for (int i = 0; i < 2; i++) {
		const cJSON *value = wv_keyword_value(c, keywords[i]);
		if (value == NULL)
			continue;
		if (!wv_is_object(value))
			return wv_schema_bad(c->set, c->err, c->node,
				keywords[i], "must be an object");
		sources->keywords[sources->count] = keywords[i];
		sources->values[sources->count] = value;
		sources->count += has_wanted(sources, sources->count);
	}
	return 0;
}

static int
check_lists(struct compiler *c, const struct sources *sources, uint32_t i)
{
	wv_json_each(one, sources->values[i]) {
		bool good = wv_is_array(one);
		if (!is_wanted(sources, i, one))
			continue;
		wv_json_each(name, one)
			good = good && wv_is_string(name);
		if (!good)
			return wv_schema_bad(c->set, c->err, c->node,
				sources->keywords[i],
				"must have a list of names for \"%s\"",
				one->string);
	}
	return 0;
}

/* The members that ask for something, and of lists what they ask for. */
static uint32_t
all_names(const struct sources *sources, const char **strings)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < sources->count; i++) {
		wv_json_each(one, sources->values[i]) {
			if (!is_wanted(sources, i, one))
				continue;
			strings[count++] = one->string;
			if (!sources->lists)
				continue;
			wv_json_each(name, one)
				strings[count++] = name->valuestring;
		}
	}
	return count;
}

static size_t
room_of(const struct sources *sources)
{
	size_t room = 0;

	for (uint32_t i = 0; i < sources->count; i++) {
		wv_json_each(one, sources->values[i])
			room += 1 + (sources->lists ? wv_count(one) : 0);
	}
	return room;
}

static int
by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each once. */
static void
make_names(struct compiler *c, struct names *names, const char **strings,
	uint32_t count)
{
	uint32_t n = 0;

	if (count > 0)
		qsort(strings, count, sizeof *strings, by_string);
	for (uint32_t i = 0; i < count; i++) {
		if (n == 0 || strcmp(strings[i], strings[n - 1]) != 0)
			strings[n++] = strings[i];
	}
	wv_names_make(names, &c->set->arena, strings, n, c->set->key);
}

static void
require(struct compiler *c, struct names *required, const cJSON *list)
{
	const char **strings =
		wv_alloc(&c->set->arena, wv_count(list) * sizeof *strings);
	uint32_t count = 0;

	wv_json_each(name, list)
		strings[count++] = name->valuestring;
	make_names(c, required, strings, count);
}

/* A round of the names for each keyword. */
static int
fill(struct compiler *c, const struct sources *sources, struct op *op)
{
	struct dependents *d = op->dependents;

	for (uint32_t i = 0; i < sources->count; i++) {
		wv_json_each(one, sources->values[i]) {
			uint32_t at = i * d->names.count;
			if (!is_wanted(sources, i, one))
				continue;
			at += (uint32_t)wv_names_find(&d->names, one->string);
			if (sources->lists) {
				require(c, &d->required[at], one);
				continue;
			}
			op->subs[at] = wv_schema_sub(c->set, c->node, one,
				sources->keywords[i], one->string, c->err);
			if (op->subs[at] == NULL)
				return -1;
		}
	}
	return 0;
}

static int
compile(struct compiler *c, enum op_code code)
{
	struct wv_arena *arena = &c->set->arena;
	struct sources sources;
	struct dependents *d;
	const char **strings;
	struct op *op;

	if (find_sources(c, &sources, code == OP_DEPENDENT_REQUIRED) != 0)
		return -1;
	for (uint32_t i = 0; sources.lists && i < sources.count; i++) {
		if (check_lists(c, &sources, i) != 0)
			return -1;
	}
	if (sources.count == 0)
		return 0;
	d = wv_alloc_zero(arena, sizeof *d);
	strings = wv_alloc(arena, room_of(&sources) * sizeof *strings);
	make_names(c, &d->names, strings, all_names(&sources, strings));
	op = wv_keyword_other_op(c, code, cJSON_Object);
	op->keyword = sources.keywords[0];
	op->count = sources.count * d->names.count;
	op->dependents = d;
	if (sources.lists)
		d->required =
			wv_alloc_zero(arena, op->count * sizeof *d->required);
	else
		op->subs = wv_alloc_zero(arena, op->count * sizeof *op->subs);
	return fill(c, &sources, op);
}

int
wv_compile_dependents(struct compiler *c)
{
	if (wv_keyword_has_op(c, OP_DEPENDENT_REQUIRED) ||
		wv_keyword_has_op(c, OP_DEPENDENT_SCHEMAS))
		return 0;
	return compile(c, OP_DEPENDENT_REQUIRED) != 0
		? -1
		: compile(c, OP_DEPENDENT_SCHEMAS);
}
