/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ecma-internal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 250 }; /* of PCRE2 */

static bool
is_name_byte(int c, bool first)
{
	return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' || c == '_'
				 : c == '$' || (!first && c >= '0' && c <= '9');
}

/* Reads "name>", or says what is wrong. */
static int
group_name(struct ecma *r, const char **name, size_t *n)
{
	*name = r->s;
	while (is_name_byte(wv_ecma_peek(r, 0), r->s == *name))
		r->s++;
	*n = (size_t)(r->s - *name);
	if (*n == 0 || wv_ecma_peek(r, 0) != '>')
		return wv_ecma_bad(r, "bad group name");
	r->s++;
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	const struct ecma_capture *x = a, *y = b;

	if (x->name_len != y->name_len)
		return x->name_len < y->name_len ? -1 : 1;
	return memcmp(x->name, y->name, x->name_len);
}

static int
sort_names(struct ecma *r)
{
	for (size_t i = 0; i < r->capture_count; i++) {
		if (r->captures[i].name == NULL)
			continue;
		r->by_name = wv_list_room(
			r->by_name, r->name_count, sizeof *r->by_name);
		r->by_name[r->name_count++] = r->captures[i];
	}
	if (r->name_count > 1)
		qsort(r->by_name, r->name_count, sizeof *r->by_name, by_name);
	for (size_t i = 1; i < r->name_count; i++) {
		if (by_name(&r->by_name[i - 1], &r->by_name[i]) == 0) {
			r->s = r->by_name[i].name;
			return wv_ecma_bad(r, "two groups of one name");
		}
	}
	return 0;
}

/* After "(". */
static int
note_capture(struct ecma *r)
{
	struct ecma_capture capture = { 0 };

	if (wv_ecma_peek(r, 0) == '?') {
		if (wv_ecma_peek(r, 1) != '<' || wv_ecma_peek(r, 2) == '=' ||
			wv_ecma_peek(r, 2) == '!')
			return 0;
		r->s += 2;
		if (group_name(r, &capture.name, &capture.name_len) != 0)
			return -1;
	}
	r->captures = wv_list_room(
		r->captures, r->capture_count, sizeof *r->captures);
	r->captures[r->capture_count++] = capture;
	r->captures[r->capture_count - 1].number = (uint32_t)r->capture_count;
	return 0;
}

int
wv_ecma_find_captures(struct ecma *r)
{
	bool in_class = false;

	while (r->s < r->end) {
		char c = *r->s++;
		if (c == '\\' && r->s < r->end)
			r->s++;
		else if (in_class)
			in_class = c != ']';
		else if (c == '[')
			in_class = true;
		else if (c == '(' && note_capture(r) != 0)
			return -1;
	}
	if (sort_names(r) != 0)
		return -1;
	r->s = r->start;
	return 0;
}

void
wv_ecma_enter(struct ecma *r)
{
	struct ecma_group group = { .parent = r->open, .consumes = true };

	r->groups = wv_list_room(r->groups, r->group_count, sizeof *r->groups);
	r->groups[r->group_count] = group;
	r->open = (uint32_t)r->group_count++;
	if (r->depth++ > DEPTH_MAX)
		wv_ecma_beyond(r, "more than 250 groups in each other");
}

static void
enter_capture(struct ecma *r)
{
	struct ecma_capture *capture = &r->captures[r->captures_open++];

	capture->group = r->open;
	if (capture->name != NULL)
		r->s = capture->name + capture->name_len + 1;
	wv_ecma_emit_text(r, "(");
}

int
wv_ecma_open(struct ecma *r)
{
	static const char *const openings[] = { "?:", "?=", "?!",
		"?<=", "?<!" };
	size_t left = (size_t)(r->end - r->s);

	wv_ecma_enter(r);
	for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
		size_t n = strlen(openings[i]);
		if (left < n || memcmp(r->s, openings[i], n) != 0)
			continue;
		r->groups[r->open].is_assertion = i > 0;
		r->groups[r->open].is_lookbehind = i > 2;
		wv_ecma_emit_text(r, "(");
		wv_ecma_emit_text(r, openings[i]);
		r->s += n;
		return 0;
	}
	if (wv_ecma_peek(r, 0) == '?' && wv_ecma_peek(r, 1) != '<')
		return wv_ecma_bad(r, "unknown kind of group");
	enter_capture(r);
	return 0;
}

void
wv_ecma_settle(struct ecma *r)
{
	struct ecma_group *group = &r->groups[r->open];

	group->branch_consumes = group->branch_consumes || r->consumes;
	r->consumes = r->quantifiable = false;
	r->last = 0;
}

void
wv_ecma_choice(struct ecma *r)
{
	struct ecma_group *group = &r->groups[r->open];

	group->has_choice = true;
	group->consumes = group->consumes && group->branch_consumes;
	group->branch_consumes = false;
}

int
wv_ecma_close(struct ecma *r)
{
	struct ecma_group *group = &r->groups[r->open];

	if (r->open == 0) {
		r->s--;
		return wv_ecma_bad(r, "unmatched bracket");
	}
	group->consumes = group->consumes && group->branch_consumes;
	group->close_at = (size_t)(r->s - r->start);
	r->last = r->open;
	r->open = group->parent;
	r->depth--;
	r->consumes = group->consumes && !group->is_assertion;
	r->quantifiable = !group->is_assertion;
	wv_ecma_emit_text(r, ")");
	return 0;
}

/* After "\k". */
static int
named(struct ecma *r, uint32_t *number)
{
	struct ecma_capture key = { 0 }, *found = NULL;
	const char *at = r->s;

	if (wv_ecma_peek(r, 0) != '<')
		return wv_ecma_bad(r, "bad reference");
	r->s++;
	if (group_name(r, &key.name, &key.name_len) != 0)
		return -1;
	if (r->name_count > 0)
		found = bsearch(&key, r->by_name, r->name_count,
			sizeof *r->by_name, by_name);
	if (found == NULL) {
		r->s = at;
		return wv_ecma_bad(r, "reference to no group");
	}
	*number = found->number;
	return 0;
}

static int
numbered(struct ecma *r, uint32_t *number)
{
	const char *at = r->s;
	size_t value = 0;

	for (; wv_ecma_peek(r, 0) >= '0' && wv_ecma_peek(r, 0) <= '9'; r->s++) {
		if (value <= r->capture_count)
			value = value * 10 + (size_t)(*r->s - '0');
	}
	if (value > r->capture_count) {
		r->s = at;
		return wv_ecma_bad(r, "reference to no group");
	}
	*number = (uint32_t)value;
	return 0;
}

int
wv_ecma_reference(struct ecma *r, bool by_its_name)
{
	struct ecma_reference reference = { .group = r->open,
		.at = (size_t)(r->s - r->start) };

	if (by_its_name ? named(r, &reference.number)
			: numbered(r, &reference.number))
		return -1;
	if (r->out == NULL)
		return 0;
	/* Machine code fails where a reference itself is repeated and unset. */
	wv_str_fmt(r->out, "(?:\\g{%u})", (unsigned)reference.number);
	r->references = wv_list_room(
		r->references, r->reference_count, sizeof *r->references);
	r->references[r->reference_count++] = reference;
	return 0;
}

/*
 * Every round of a loop forgets what its groups held, which PCRE2 does not;
 * and a round that matches nothing is none, but is one there.  It makes no
 * difference if every round sets the group anew, before the reference if that
 * stands in the loop too, and is not empty.
 */
static bool
is_same_in_loops(const struct ecma *r, const struct ecma_reference *ref)
{
	uint32_t target = r->captures[ref->number - 1].group,
		 outer = ref->group;
	bool is_before = ref->at < r->groups[target].close_at;
	bool always_set = true;

	for (uint32_t at = target; at != 0; at = r->groups[at].parent) {
		const struct ecma_group *group = &r->groups[at];
		/* A group comes after those that it is in. */
		while (outer > at)
			outer = r->groups[outer].parent;
		if (group->is_lookbehind)
			return false;
		if (at != target && group->has_choice)
			always_set = false;
		if (group->repeated &&
			(!always_set || !group->consumes ||
				(outer == at && is_before)))
			return false;
		if (group->optional)
			always_set = false;
	}
	return true;
}

void
wv_ecma_check_references(struct ecma *r)
{
	for (size_t i = 0; i < r->reference_count && !r->beyond; i++) {
		const struct ecma_reference *ref = &r->references[i];
		if (is_same_in_loops(r, ref))
			continue;
		r->s = r->start + ref->at;
		wv_ecma_beyond(r, "a reference into a loop or lookbehind");
	}
}
