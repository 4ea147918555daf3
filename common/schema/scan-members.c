/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects.  Members mostly come in the order of the schema, so the name after
 * the last one is compared first.
 */
#include "schema/names.h"
#include "schema/scan.h"

struct object {
	const struct members *members;
	uint64_t count, min, max;
	uint32_t found; /* of those that are required */
	uint32_t next;  /* the name that may come now */
	uint64_t seen[SCAN_NAMES / 64];
	struct wv_skim_object others; /* names that the schema has not */
};

/* What the node says of objects.  Constants are scalars here.  Members are
 * set one by one: the processor takes its time to clear so much at once. */
static inline bool
know_object(struct object *object, const struct wv_schema *node)
{
	static const struct members none;
	const struct op *end = wv_scan_places(node);

	object->members = &none;
	object->count = object->min = 0;
	object->max = UINT64_MAX;
	object->found = object->next = 0;
	memset(object->seen, 0, sizeof object->seen);
	for (const struct op *op = node->ops; op < end; op++) {
		if (op->code == OP_MEMBERS)
			object->members = op->members;
		else if (op->code == OP_MIN_PROPERTIES)
			object->min = op->limit;
		else if (op->code == OP_MAX_PROPERTIES)
			object->max = op->limit;
		else if (op->types & cJSON_Object)
			return false;
	}
	return true;
}

/* "additionalProperties": true, and the like. */
static inline bool
allows_all(const struct object *object)
{
	return object->members->names.count == 0 && !object->members->others &&
		object->min == 0 && object->max == UINT64_MAX;
}

/* Not inline: the guess below is right as a rule. */
static __attribute__((noinline)) bool
look_up_name(struct wv_skim *skim, const struct names *names,
	struct wv_skim_string *name, int64_t *index)
{
	if (!wv_skim_plain_name(skim, name))
		return false;
	*index = wv_names_lookup(names, name->s, name->n);
	return true;
}

/* Whether the n bytes at s are this string. */
static inline bool
is_name(const char *string, const char *s, size_t n)
{
#ifdef WV_JSON_SSE2
	if (n < WV_BLOCK) {
		__m128i same =
			_mm_cmpeq_epi8(wv_mask_load(string), wv_mask_load(s));
		return (~wv_mask_bits(same) & ((1u << n) - 1)) == 0 &&
			string[n] == '\0';
	}
#endif
	return strncmp(string, s, n) == 0 && string[n] == '\0';
}

/* *index is -1 if the schema has no such name.  In its names is nothing that
 * needs an escape, so one that is the same has none. */
static inline bool
find_name(struct wv_skim *skim, const struct object *object,
	struct wv_skim_string *name, int64_t *index)
{
	const struct names *names = &object->members->names;

	*index = object->next;
	return (object->next < names->count &&
		       is_name(names->strings[object->next], name->s,
			       name->n)) ||
		look_up_name(skim, names, name, index);
}

/* A second member of a name is refused. */
static inline bool
note_name(struct wv_skim *skim, struct object *object,
	const struct wv_skim_string *name, int64_t index)
{
	uint64_t *word, bit;

	object->count++;
	if (index < 0)
		return wv_skim_add_name(skim, &object->others, name);
	word = &object->seen[index / 64];
	bit = (uint64_t)1 << index % 64;
	if (*word & bit)
		return wv_skim_give_up(skim);
	*word |= bit;
	object->next = (uint32_t)index + 1;
	object->found += object->members->properties[index].required;
	return true;
}

/* The first schema reads the value, the others read it again. */
static bool
add_reading(struct scan *scan, const struct wv_schema *node,
	const struct wv_quotes_place *place, const char **end)
{
	if (*end != NULL)
		return wv_scan_holds(scan, node, place, *end);
	*end = wv_scan_value(scan, node, place->p);
	return *end != NULL;
}

/* A name that must be new; *known is what the schema has for its value. */
static inline const char *
scan_name(struct wv_skim *skim, struct object *object, const char *p,
	struct wv_skim_string *name, const struct wv_schema **known)
{
	int64_t index;

	if (*p != '"')
		return wv_skim_give_up(skim);
	p = wv_skim_string(skim, p + 1, name);
	if (p == NULL || !find_name(skim, object, name, &index) ||
		!note_name(skim, object, name, index))
		return NULL;
	*known = index < 0 ? NULL : object->members->properties[index].schema;
	return p;
}

/* Of a value at p: what the schema of its name and patternProperties say, or
 * else additionalProperties. */
static const char *
scan_other_value(struct scan *scan, const struct members *m,
	const struct wv_schema *known, const struct wv_skim_string *name,
	const char *p)
{
	struct wv_quotes_place place = wv_quotes_place(&scan->skim.quotes, p);
	const char *end = NULL;
	bool matched = known != NULL;

	if (known != NULL && !add_reading(scan, known, &place, &end))
		return NULL;
	for (uint32_t i = 0; i < m->pattern_count; i++) {
		if (!wv_scan_matches(scan, m->patterns[i].regex, name)) {
			if (scan->skim.gave_up)
				return NULL;
			continue;
		}
		matched = true;
		if (!add_reading(scan, m->patterns[i].schema, &place, &end))
			return NULL;
	}
	return matched ? end : wv_scan_value(scan, m->additional, p);
}

/* Where patternProperties, additionalProperties or propertyNames matter. */
static const char *
scan_other_member(struct scan *scan, struct object *object, const char *p)
{
	struct wv_skim *skim = &scan->skim;
	const struct members *m = object->members;
	struct wv_quotes_place literal = wv_quotes_place(&skim->quotes, p);
	const struct wv_schema *known;
	struct wv_skim_string name;

	p = scan_name(skim, object, p, &name, &known);
	if (p == NULL ||
		(m->member_name != NULL &&
			!wv_scan_holds(scan, m->member_name, &literal, p)))
		return NULL;
	p = wv_skim_colon(skim, p);
	return p != NULL ? scan_other_value(scan, m, known, &name, p) : NULL;
}

static inline const char *
scan_member(struct scan *scan, struct object *object, const char *p)
{
	const struct wv_schema *known;
	struct wv_skim_string name;

	if (object->members->others)
		return scan_other_member(scan, object, p);
	p = scan_name(&scan->skim, object, p, &name, &known);
	if (p != NULL)
		p = wv_skim_colon(&scan->skim, p);
	return p != NULL ? wv_scan_value(scan, known, p) : NULL;
}

const char *
wv_scan_object(struct scan *scan, const struct wv_schema *node, const char *p)
{
	struct wv_skim *skim = &scan->skim;
	struct object object;

	if (!know_object(&object, node))
		return NULL;
	if (allows_all(&object))
		return wv_skim_other_value(skim, p);
	wv_skim_open_names(skim, &object.others);
	p = wv_skim_enter(skim, p);
	while (p != NULL && *p != '}') {
		p = scan_member(scan, &object, p);
		if (p != NULL)
			p = wv_skim_next(skim, p, '}');
	}
	wv_skim_close_names(skim, &object.others);
	if (p == NULL || object.found != object.members->required ||
		object.count < object.min || object.count > object.max)
		return NULL;
	return wv_skim_leave(skim, p);
}
