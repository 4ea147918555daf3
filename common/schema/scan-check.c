/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars: on the bytes of the text where they are what a tree would hold,
 * else by check.c on a node made for the purpose. */
#include "schema/names.h"
#include "schema/scan.h"

#include "json/num.h"

#include <stdlib.h>

enum {
	FEW_BYTES = 256, /* of a scalar that needs no allocation */
	CHARACTER = 12,  /* the most bytes of one: two surrogates */
};

static bool
is_same(const cJSON *string, const struct wv_skim_string *s)
{
	return wv_is_string(string) && (size_t)string->valueint == s->n &&
		memcmp(string->valuestring, s->s, s->n) == 0;
}

static size_t
count_characters(const struct wv_skim_string *string)
{
	size_t count = 0;

	for (size_t i = 0; i < string->n; i++)
		count += (string->s[i] & 0xc0) != 0x80;
	return count;
}

static bool
has_characters(const struct wv_skim_string *string, uint64_t min)
{
	return string->n >= min &&
		(string->n / 4 >= min || count_characters(string) >= min);
}

bool
wv_scan_matches(struct scan *scan, const struct wv_regex *regex,
	const struct wv_skim_string *string)
{
	int found = -1;

	/* A NUL, as trees hold it, is not what a pattern may see. */
	if (!string->escaped || memchr(string->s, 0xc0, string->n) == NULL)
		found = wv_regex_find(regex, string->s, string->n);
	if (found < 0)
		wv_skim_give_up(&scan->skim);
	return found == 1;
}

/* A string without escapes. */
static bool
check_plain(struct scan *scan, const struct op *op,
	const struct wv_skim_string *string)
{
	switch ((enum op_code)op->code) {
	case OP_CONST:
		return is_same(op->value, string);
	case OP_ENUM:
		return wv_names_lookup(
			       &op->values->strings, string->s, string->n) >= 0;
	case OP_MIN_LENGTH:
		return has_characters(string, op->limit);
	case OP_MAX_LENGTH:
		return string->n <= op->limit ||
			count_characters(string) <= op->limit;
	case OP_FORMAT:
		return op->format(string->s, string->n);
	default: /* OP_PATTERN */
		return wv_scan_matches(scan, op->regex, string);
	}
}

static bool
check_decoded(struct scan *scan, const struct op *op,
	const struct wv_skim_string *string)
{
	char few[FEW_BYTES], *text = few;
	cJSON node = { .type = cJSON_String };
	int verdict;

	if (string->n + 1 + WV_ARENA_SLACK > sizeof few)
		text = wv_xmalloc(string->n + 1 + WV_ARENA_SLACK);
	node.valueint = (int)wv_skim_decode(string, text);
	node.valuestring = text;
	verdict = wv_check(op, &node);
	if (text != few)
		free(text);
	if (verdict < 0)
		wv_skim_give_up(&scan->skim);
	return verdict == 1;
}

/* Lengths seldom need a string to be decoded. */
static bool
check_escaped(struct scan *scan, const struct op *op,
	const struct wv_skim_string *string)
{
	if (op->code == OP_MIN_LENGTH && string->n / CHARACTER >= op->limit)
		return true;
	if (op->code == OP_MAX_LENGTH && string->n <= op->limit)
		return true;
	return check_decoded(scan, op, string);
}

bool
wv_scan_check_string(struct scan *scan, const struct wv_schema *node,
	struct wv_skim_string *string)
{
	const struct op *end = wv_scan_places(node);

	wv_skim_look(&scan->skim, string);
	for (const struct op *op = node->ops; op < end; op++) {
		if (!(op->types & cJSON_String))
			continue;
		if (string->escaped ? !check_escaped(scan, op, string)
				    : !check_plain(scan, op, string))
			return false;
	}
	return true;
}

static bool
check_node(const struct wv_schema *node, const cJSON *value)
{
	const struct op *end = wv_scan_places(node);

	for (const struct op *op = node->ops; op < end; op++) {
		if ((op->types & value->type) && wv_check(op, value) != 1)
			return false;
	}
	return true;
}

bool
wv_scan_check_word(const struct wv_schema *node, int type)
{
	return check_node(node, &(cJSON){ .type = type });
}

/* A number as a tree would hold it is whole, or else right for the schema. */
static bool
check_number(const struct wv_schema *node, const char *p, const char *end)
{
	char few[FEW_BYTES], *text = few;
	size_t n = (size_t)(end - p);
	cJSON number;
	bool good;

	if (n >= sizeof few)
		text = wv_xmalloc(n + 1);
	wv_skim_number_node(&number, p, n, text);
	good = (node->types & cJSON_Number) || wv_num_is_integer(&number);
	good = good && check_node(node, &number);
	if (text != few)
		free(text);
	return good;
}

bool
wv_scan_check_number(const struct wv_schema *node, const char *p,
	const char *end, bool plain)
{
	if (node->op_count == 0 && (plain || (node->types & cJSON_Number)))
		return true;
	return check_number(node, p, end);
}
