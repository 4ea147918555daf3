/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a name gives away which stands elsewhere: before them, in a
 * member beside them, above them. */
#include "firewall/internal.h"
#include "firewall/names.h"

#include <string.h>

static const struct wv_word pair_names[] = { WV_W("name"), WV_W("key"),
	WV_W("variable"), WV_NO_WORD };
static const struct wv_word pair_values[] = { WV_W("value"), WV_W("val"),
	WV_NO_WORD };

enum { LONGEST_NAME = 100 };

const char *
wv_told_kind(const struct wv_rules *rules, const char *kind, const char *s,
	size_t n, bool is_marked)
{
	struct wv_hit hit;

	if (n == 0 || wv_is_public(s, n) ||
		(is_marked && wv_mark_length(s, n) == n) ||
		wv_rules_allows(wv_rules_or_built_in(rules), kind, s, n))
		return NULL;
	if (wv_scan(rules, s, n, 0, &hit) && hit.start == 0 && hit.end == n)
		return hit.kind;
	return kind;
}

/* What stands in place of a redacted name is no name of a secret. */
const char *
wv_telling_kind(const struct wv_rules *rules, const char *name, size_t n)
{
	const char *end = name, *stop = name + n;

	for (const char *p = name;
		(p = memchr(p, '[', (size_t)(stop - p))) != NULL;) {
		size_t mark = wv_mark_length(p, (size_t)(stop - p));
		p += mark != 0 ? mark : 1;
		if (mark != 0)
			end = p;
	}
	return wv_name_kind(rules, end, (size_t)(stop - end));
}

/* Whether a word goes on behind a letter, with a number at its end or without
 * one. */
static bool
goes_on(const char *s, size_t n)
{
	while (n > 0 && wv_is_digit(*s)) {
		s++;
		n--;
	}
	return n > 0 && wv_is_letter(*s);
}

/* Of the eight bytes at s, or of n, the bits of letters that no letter follows;
 * seven of a byte are 0. */
static uint64_t
word_ends(const char *s, size_t n)
{
	char last[8] = { 0 };
	uint64_t letters;

	if (n < sizeof(last)) {
		memcpy(last, s, n);
		s = last;
	}
	letters = wv_letters_of(s);
	uint64_t followed = letters >> 8;
	if (n > sizeof(last) && wv_is_letter(s[sizeof(last)]))
		followed |= UINT64_C(0x80) << 56;
	return letters & ~followed;
}

bool
wv_has_telling(const struct wv_rules *rules, const char *s, size_t n)
{
	const struct wv_name_ends *ends = wv_name_ends();
	bool has_own = wv_rules_or_built_in(rules)->names > 0;

	for (size_t i = 0; i < n; i += 8)
		for (uint64_t bits = word_ends(s + i, n - i); bits != 0;
			bits &= bits - 1) {
			size_t end = i + (size_t)__builtin_ctzll(bits) / 8 + 1;
			if ((has_own || wv_ends_as_name(ends, s, end)) &&
				!goes_on(s + end, n - end) &&
				wv_name_kind(rules, s, end) != NULL)
				return true;
		}
	return false;
}

bool
wv_is_telling(const struct wv_rules *rules, const char *name, size_t n)
{
	return wv_telling_kind(rules, name, n) != NULL ||
		wv_is_member_name(name, n) ||
		wv_is_like_one_of(name, n, wv_column_names);
}

bool
wv_is_pair_value(const char *name)
{
	return wv_is_like_one_of(name, strlen(name), pair_values);
}

const char *
wv_pair_kind(const struct wv_rules *rules, const cJSON *object)
{
	const char *kind = NULL;
	bool has_value = false;

	wv_json_each(member, object) {
		const char *name = member->string;
		if (wv_is_pair_value(name))
			has_value = true;
		else if (kind == NULL && wv_is_string(member) &&
			member->valueint <= LONGEST_NAME &&
			wv_is_like_one_of(name, strlen(name), pair_names))
			kind = wv_telling_kind(rules, member->valuestring,
				(size_t)member->valueint);
	}
	return has_value ? kind : NULL;
}

static bool
is_letters(const cJSON *string)
{
	const char *s = string->valuestring;

	while (wv_is_letter(*s))
		s++;
	return *s == '\0';
}

/* Two words alone may be anything. */
const char *
wv_pair_row_kind(const struct wv_rules *rules, const cJSON *row)
{
	const cJSON *name = row->child, *value = name->next;

	return is_letters(name) && is_letters(value)
		? NULL
		: wv_column_kind(rules, name);
}

static bool
is_pair_row(const cJSON *row)
{
	const cJSON *name = row->child;

	return wv_is_array(row) && wv_is_string(name) &&
		wv_is_string(name->next) && name->next->next == NULL;
}

bool
wv_are_pairs(const struct wv_rules *rules, const cJSON *rows)
{
	bool any = false;

	if (!wv_is_array(rows) || rows->child == NULL ||
		rows->child->next == NULL)
		return false;
	wv_json_each(row, rows) {
		if (!is_pair_row(row))
			return false;
		any = any || wv_pair_row_kind(rules, row) != NULL;
	}
	return any;
}

/* A name, or an object that has one and its type. */
const char *
wv_column_kind(const struct wv_rules *rules, const cJSON *column)
{
	const cJSON *name =
		wv_is_object(column) ? wv_get(column, "name") : column;

	if (!wv_is_string(name) || name->valueint > LONGEST_NAME)
		return NULL;
	return wv_telling_kind(
		rules, name->valuestring, (size_t)name->valueint);
}

const cJSON *
wv_header_row(const struct wv_rules *rules, const cJSON *rows)
{
	const cJSON *header = rows->child;
	bool any = false;

	if (!wv_is_array(rows) || header == NULL || !wv_is_array(header) ||
		header->next == NULL)
		return NULL;
	wv_json_each(name, header) {
		if (!wv_is_string(name) || name->valueint > LONGEST_NAME)
			return NULL;
		if (wv_column_kind(rules, name) == NULL)
			continue;
		/* Pairs look the same. */
		if (name == header->child && wv_count(header) == 2)
			return NULL;
		any = true;
	}
	return any ? header : NULL;
}

const cJSON *
wv_columns_beside(const struct wv_rules *rules, const cJSON *object)
{
	wv_json_each(member, object) {
		if (!wv_is_array(member) ||
			!wv_is_like_one_of(member->string,
				strlen(member->string), wv_column_names))
			continue;
		wv_json_each(column, member)
			if (wv_column_kind(rules, column) != NULL)
				return member;
	}
	return NULL;
}
