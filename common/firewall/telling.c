/* SPDX-License-Identifier: Apache-2.0 */
/* Values that a name gives away which stands elsewhere: before them, in a
 * member beside them, above them. */
#include "firewall/internal.h"
#include "firewall/scan-internal.h"

#include <string.h>

static const struct wv_word pair_names[] = { WV_W("name"), WV_W("key"),
	WV_W("variable"), WV_NO_WORD };
static const struct wv_word pair_values[] = { WV_W("value"), WV_W("val"),
	WV_NO_WORD };

static const struct wv_word columns[] = { WV_W("columns"), WV_W("fields"),
	WV_W("header"), WV_W("headers"), WV_W("meta"), WV_NO_WORD };

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
		/* [name, value] pairs look the same. */
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
				strlen(member->string), columns))
			continue;
		wv_json_each(column, member)
			if (wv_column_kind(rules, column) != NULL)
				return member;
	}
	return NULL;
}
