/* SPDX-License-Identifier: Apache-2.0 */
/* Validity from the text of a record: the grammar and the schema in one pass,
 * without a tree. */
#include "schema/scan.h"

enum {
	/* Far below what the run over a tree allows. */
	MAX_VALUES = 1 << 22,
	/* Times that a record may be read again. */
	READINGS = 64,
};

const uint16_t wv_scan_types[256] = {
	['"'] = cJSON_String,
	['{'] = cJSON_Object,
	['['] = cJSON_Array,
	['t'] = cJSON_True,
	['f'] = cJSON_False,
	['n'] = cJSON_NULL,
	['-'] = cJSON_Number,
	['0' ... '9'] = cJSON_Number,
};

static inline const char *
scan_string(struct scan *scan, const struct wv_schema *node, const char *p)
{
	struct wv_skim_string string;

	p = wv_skim_string(&scan->skim, p + 1, &string);
	if (p == NULL || !wv_scan_check_string(scan, node, &string))
		return NULL;
	return p;
}

static const char *
scan_number(struct scan *scan, const struct wv_schema *node, const char *p)
{
	bool plain;
	const char *end = wv_skim_number(&scan->skim, p, &plain);

	if (end == NULL || !wv_scan_check_number(node, p, end, plain))
		return NULL;
	return end;
}

static const char *
scan_word(struct scan *scan, const struct wv_schema *node, const char *p,
	int type)
{
	const char *word = type == cJSON_True ? "true"
		: type == cJSON_False         ? "false"
					      : "null";

	p = wv_skim_word(&scan->skim, p, word, strlen(word));
	return p != NULL && wv_scan_check_word(node, type) ? p : NULL;
}

struct array {
	const struct items *items;
	uint64_t count, min, max;
};

/* What the node says of arrays.  Constants are scalars here. */
static bool
know_array(struct array *array, const struct wv_schema *node)
{
	const struct op *end = wv_scan_places(node);

	*array = (struct array){ .max = UINT64_MAX };
	for (const struct op *op = node->ops; op < end; op++) {
		if (op->code == OP_ITEMS)
			array->items = op->items;
		else if (op->code == OP_MIN_ITEMS)
			array->min = op->limit;
		else if (op->code == OP_MAX_ITEMS)
			array->max = op->limit;
		else if (op->types & cJSON_Array)
			return false;
	}
	return true;
}

static const struct wv_schema *
item_schema(const struct array *array)
{
	const struct items *items = array->items;

	if (items == NULL)
		return NULL;
	return array->count < items->prefix_count ? items->prefix[array->count]
						  : items->rest;
}

static const char *
scan_array(struct scan *scan, const struct wv_schema *node, const char *p)
{
	struct wv_skim *skim = &scan->skim;
	struct array array;

	if (!know_array(&array, node))
		return NULL;
	p = wv_skim_enter(skim, p);
	while (p != NULL && *p != ']') {
		p = wv_scan_value(scan, item_schema(&array), p);
		if (p != NULL)
			p = wv_skim_next(skim, p, ']');
		array.count++;
	}
	if (p == NULL || array.count < array.min || array.count > array.max)
		return NULL;
	return wv_skim_leave(skim, p);
}

/* The operations that are not applied in place. */
static inline const char *
scan_by_type(struct scan *scan, const struct wv_schema *node, unsigned type,
	const char *p)
{
	switch (type) {
	case cJSON_String:
		return scan_string(scan, node, p);
	case cJSON_Object:
		return wv_scan_object(scan, node, p);
	case cJSON_Array:
		return scan_array(scan, node, p);
	case cJSON_Number:
		return scan_number(scan, node, p);
	default:
		return scan_word(scan, node, p, (int)type);
	}
}

static const char *
scan_with_places(struct scan *scan, const struct wv_schema *node, unsigned type,
	const char *p)
{
	struct wv_quotes_place place = wv_quotes_place(&scan->skim.quotes, p);
	const char *end = scan_by_type(scan, node, type, p);

	if (end == NULL ||
		!wv_scan_places_hold(scan, node, (int)type, &place, end))
		return NULL;
	return end;
}

const char *
wv_scan_ops(struct scan *scan, const struct wv_schema *node, unsigned type,
	const char *p)
{
	if (!wv_skim_count(&scan->skim))
		return NULL;
	if (node->op_count > 0 &&
		wv_op_in_place(node->ops[node->op_count - 1].code))
		return scan_with_places(scan, node, type, p);
	return scan_by_type(scan, node, type, p);
}

bool
wv_schema_scan(const struct wv_schema *schema, const char *text, size_t len,
	const struct wv_json_limits *limits)
{
	struct scan scan;
	const char *p;

	if (!wv_schema_can_scan(schema))
		return false;
	p = wv_skim_begin(&scan.skim, text, len, limits);
	if (p == NULL)
		return false;
	if (scan.skim.values_left > MAX_VALUES)
		scan.skim.values_left = MAX_VALUES;
	scan.budget = len * READINGS;
	wv_regex_refill();
	p = wv_scan_value(&scan, schema, p);
	return p != NULL && wv_skim_is_end(&scan.skim, p);
}
