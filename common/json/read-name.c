/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of members, none of which may come twice in an object.  Objects beside
 * one another mostly have the same names in the same order: then a name is
 * that of the object before, which was new there, and so it is here.
 */
#include "json/read-internal.h"

#include <string.h>

enum {
	FEW_NAMES = 24, /* members that are compared one by one */
	LEFT_OUT = 4,   /* members in a row that another object may lack */
};

/* A cheap guess at whether a name was there before: equal names have equal
 * hints, different ones mostly not.  What stands before s is the NUL of the
 * string before. */
static inline unsigned
name_hint(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t h = u[0] + (uint32_t)u[n / 2] * 0x101 + n * 0x10001;

	return (h ^ (uint32_t)(u + n)[-1] << 24) * 0x9e3779b1u >>
		(32 - WV_READ_HINT_BITS);
}

/* The members of an object read so far are put in its set of names. */
static void
gather_names(struct wv_read *r, struct wv_read_level *level)
{
	wv_json_each(member, level->node)
		wv_names_add(&level->names, r->arena, member->string,
			strlen(member->string));
}

static bool
has_member(const struct wv_read_level *level, const char *name)
{
	wv_json_each(member, level->node)
		if (strcmp(member->string, name) == 0)
			return true;
	return false;
}

static bool
name_is_new(struct wv_read *r, const char *name, size_t n)
{
	struct wv_read_level *level = r->level;
	unsigned hint = name_hint(name, n);
	uint64_t *word = &level->filter[hint / 64];
	uint64_t bit = (uint64_t)1 << hint % 64;
	bool maybe = (*word & bit) != 0;

	*word |= bit;
	if (level->children < FEW_NAMES)
		return !maybe || !has_member(level, name);
	if (level->children == FEW_NAMES)
		gather_names(r, level);
	return wv_names_add(&level->names, r->arena, name, n);
}

static inline bool
is_same(const char *a, const char *b, size_t n)
{
	return n <= WV_BLOCK ? wv_block_same(a, b, (unsigned)n)
			     : memcmp(a, b, n) == 0;
}

/* The names so far are no longer known to be new by being like others. */
static void
end_likeness(struct wv_read *r)
{
	struct wv_read_level *level = r->level;

	level->is_like = false;
	wv_json_each(member, level->node) {
		unsigned hint =
			name_hint(member->string, strlen(member->string));
		level->filter[hint / 64] |= (uint64_t)1 << hint % 64;
	}
	if (level->children > FEW_NAMES)
		gather_names(r, level);
}

/* The name is that of the next member of the object before, or one behind. */
static bool
is_like_before(struct wv_read *r, const char *name, size_t n)
{
	const cJSON *twin = r->level->twin;

	r->like = NULL;
	if (!r->level->is_like)
		return false;
	for (int i = 0; i < LEFT_OUT && twin != NULL; i++, twin = twin->next) {
		if (!is_same(twin->string, name, n + 1))
			continue;
		r->level->twin = twin->next;
		r->like = twin;
		return true;
	}
	end_likeness(r);
	return false;
}

static const char *
duplicate(const struct wv_read *r, const char *at, char *name, size_t n)
{
	enum { SHOWN = 64 };
	struct wv_str raw = { 0 }, quoted = { 0 };

	wv_json_bytes(
		&(cJSON){ .valuestring = name, .valueint = (int)n }, &raw);
	wv_str_foreign(&quoted, raw.s, raw.n, SHOWN);
	wv_json_fault(
		r->err, r->start, at, "duplicate member name \"%s\"", quoted.s);
	wv_str_free(&raw);
	wv_str_free(&quoted);
	return NULL;
}

const char *
wv_read_new_name(struct wv_read *r, const char *p)
{
	const char *at = p;
	char *name = r->text;
	size_t n;

	p = wv_read_string(r, p);
	if (p == NULL)
		return NULL;
	n = (size_t)(r->text - name) - 1;
	r->name = name;
	if (is_like_before(r, name, n)) {
		r->name = r->like->string;
		r->text = name;
	} else if (!name_is_new(r, name, n)) {
		return duplicate(r, at, name, n);
	}
	return p;
}
