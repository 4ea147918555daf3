/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that look at a value alone. */
#include "schema/program.h"

#include "json/jcs.h"
#include "json/num.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Longer arrays are sorted to find equal items. */
enum { FEW_ITEMS = 32 };

static bool
in_texts(const struct names *texts, const cJSON *v)
{
	struct wv_str text = { 0 };
	bool found;

	wv_json_canonical(&text, v);
	memset(wv_str_room(&text, WV_ARENA_SLACK), 0, WV_ARENA_SLACK);
	found = wv_names_find(texts, text.s) >= 0;
	wv_str_free(&text);
	return found;
}

static bool
in_values(const struct values *values, const cJSON *v)
{
	if (wv_is_string(v))
		return wv_names_find(&values->strings, v->valuestring) >= 0;
	if (values->other_count > FEW_VALUES)
		return in_texts(&values->texts, v);
	for (uint32_t i = 0; i < values->other_count; i++) {
		if (wv_json_equal(values->others[i], v))
			return true;
	}
	return false;
}

/* A character takes one to four bytes, so most lengths need no counting. */
static bool
has_characters(const cJSON *v, uint64_t min)
{
	uint64_t bytes = (uint64_t)v->valueint;

	if (bytes < min)
		return false;
	return bytes / 4 >= min || (min == 1 && bytes > 0) ||
		wv_utf8_count(v->valuestring) >= min;
}

static bool
has_children(const cJSON *v, uint64_t min)
{
	const cJSON *one = v->child;

	for (; min > 0 && one != NULL; one = one->next)
		min--;
	return min == 0;
}

/* A string whose bytes hold a NUL (C0 80 in a tree) has to be unpacked. */
static bool
holds_nul(const cJSON *v)
{
	return memchr(v->valuestring, 0xc0, (size_t)v->valueint) != NULL;
}

static bool
has_format(wv_format_check *check, const cJSON *v)
{
	struct wv_str bytes = { 0 };
	bool good;

	if (!holds_nul(v))
		return check(v->valuestring, (size_t)v->valueint);
	wv_json_bytes(v, &bytes);
	good = check(bytes.s, bytes.n);
	wv_str_free(&bytes);
	return good;
}

int
wv_check_pattern(const struct wv_regex *regex, const cJSON *v)
{
	struct wv_str bytes = { 0 };
	int found;

	if (!holds_nul(v))
		return wv_regex_find(
			regex, v->valuestring, (size_t)v->valueint);
	wv_json_bytes(v, &bytes);
	found = wv_regex_find(regex, bytes.s, bytes.n);
	wv_str_free(&bytes);
	return found;
}

struct text {
	const char *s;
	uint32_t n, index;
};

static int
by_text(const void *a, const void *b)
{
	const struct text *x = a, *y = b;
	int order = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);

	return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Equal values have equal canonical texts, and those can be sorted. */
static bool
find_equal_of_many(const cJSON *v, size_t count, size_t equal[2])
{
	struct text *texts = wv_xmalloc(count * sizeof *texts);
	struct wv_str all = { 0 };
	const char *s;
	uint32_t index = 0;
	bool found = false;

	wv_json_each(item, v) {
		size_t before = all.n;
		wv_json_canonical(&all, item);
		texts[index].n = (uint32_t)(all.n - before);
		texts[index].index = index;
		index++;
	}
	s = all.s;
	for (size_t i = 0; i < count; s += texts[i++].n)
		texts[i].s = s;
	qsort(texts, count, sizeof *texts, by_text);
	for (size_t i = 1; !found && i < count; i++) {
		found = by_text(&texts[i - 1], &texts[i]) == 0;
		equal[0] = texts[i - 1].index;
		equal[1] = texts[i].index;
	}
	free(texts);
	wv_str_free(&all);
	return found;
}

bool
wv_check_find_equal(const cJSON *v, size_t equal[2])
{
	size_t count = wv_count(v);

	if (count > FEW_ITEMS)
		return find_equal_of_many(v, count, equal);
	equal[0] = 0;
	wv_json_each(a, v) {
		equal[1] = equal[0] + 1;
		for (const cJSON *b = a->next; b != NULL; b = b->next) {
			if (wv_json_equal(a, b))
				return true;
			equal[1]++;
		}
		equal[0]++;
	}
	return false;
}

int
wv_check(const struct op *op, const cJSON *v)
{
	switch ((enum op_code)op->code) {
	case OP_CONST:
		return wv_json_equal(op->value, v);
	case OP_ENUM:
		return in_values(op->values, v);
	case OP_MIN_LENGTH:
		return has_characters(v, op->limit);
	case OP_MAX_LENGTH:
		return (uint64_t)v->valueint <= op->limit ||
			wv_utf8_count(v->valuestring) <= op->limit;
	case OP_FORMAT:
		return has_format(op->format, v);
	case OP_PATTERN:
		return wv_check_pattern(op->regex, v);
	case OP_MINIMUM:
		return wv_num_cmp(v, op->value) >= 0;
	case OP_EXCLUSIVE_MINIMUM:
		return wv_num_cmp(v, op->value) > 0;
	case OP_MAXIMUM:
		return wv_num_cmp(v, op->value) <= 0;
	case OP_EXCLUSIVE_MAXIMUM:
		return wv_num_cmp(v, op->value) < 0;
	case OP_MULTIPLE_OF:
		return wv_num_multiple_of(v, op->value);
	case OP_MIN_ITEMS:
	case OP_MIN_PROPERTIES:
		return has_children(v, op->limit);
	case OP_MAX_ITEMS:
	case OP_MAX_PROPERTIES:
		return !has_children(v, op->limit + 1);
	default: /* OP_UNIQUE_ITEMS */
		return !wv_check_find_equal(v, (size_t[2]){ 0 });
	}
}
