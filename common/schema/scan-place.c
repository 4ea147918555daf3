/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that apply other schemas to the value: its text is read again
 * for each, within a budget, since one within another multiplies.
 */
#include "schema/scan.h"

bool
wv_scan_holds(struct scan *scan, const struct wv_schema *node,
	const struct wv_quotes_place *place, const char *end)
{
	struct wv_skim *skim = &scan->skim;
	struct wv_quotes_place behind = wv_quotes_place(&skim->quotes, end);
	size_t levels = skim->levels_left, bytes = (size_t)(end - place->p);
	uint32_t names = skim->name_count;
	char *text = skim->text;
	bool holds;

	if (skim->gave_up || bytes > scan->budget || levels == 0) {
		skim->gave_up = true;
		return false;
	}
	scan->budget -= bytes;
	skim->levels_left--;
	wv_quotes_go(&skim->quotes, *place);
	holds = wv_scan_value(scan, node, place->p) != NULL;
	wv_quotes_go(&skim->quotes, behind);
	/* What does not hold is left in the middle. */
	skim->levels_left = levels;
	skim->name_count = names;
	skim->text = text;
	return holds;
}

static bool
all_hold(struct scan *scan, const struct op *op,
	const struct wv_quotes_place *place, const char *end)
{
	for (uint32_t i = 0; i < op->count; i++) {
		if (!wv_scan_holds(scan, op->subs[i], place, end))
			return false;
	}
	return true;
}

/* How many hold, as far as it matters. */
static uint32_t
count_holding(struct scan *scan, const struct op *op, uint32_t enough,
	const struct wv_quotes_place *place, const char *end)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < op->count && count < enough; i++)
		count += wv_scan_holds(scan, op->subs[i], place, end);
	return count;
}

static bool
if_then_else(struct scan *scan, const struct op *op,
	const struct wv_quotes_place *place, const char *end)
{
	const struct wv_schema *next =
		op->subs[wv_scan_holds(scan, op->subs[0], place, end) ? 1 : 2];

	return next == NULL || wv_scan_holds(scan, next, place, end);
}

static bool
place_holds(struct scan *scan, const struct op *op,
	const struct wv_quotes_place *place, const char *end)
{
	switch ((enum op_code)op->code) {
	case OP_ANY_OF:
		return count_holding(scan, op, 1, place, end) == 1;
	case OP_ONE_OF:
		return count_holding(scan, op, 2, place, end) == 1;
	case OP_NOT:
		return !wv_scan_holds(scan, op->subs[0], place, end);
	case OP_IF:
		return if_then_else(scan, op, place, end);
	default: /* OP_REF, OP_ALL_OF */
		return all_hold(scan, op, place, end);
	}
}

bool
wv_scan_places_hold(struct scan *scan, const struct wv_schema *node, int type,
	const struct wv_quotes_place *place, const char *end)
{
	const struct op *op = wv_scan_places(node);

	for (; op < node->ops + node->op_count; op++) {
		if (!(op->types & type))
			continue;
		if (!place_holds(scan, op, place, end) || scan->skim.gave_up)
			return false;
	}
	return true;
}
