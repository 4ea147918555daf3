/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include "base/msg.h"

static const int stage_of[] = {
	[REASON_SENSITIVITY] = 3,
	[REASON_PAIR] = 3,
	[REASON_DUPLICATE] = 6,
	[REASON_LIMIT] = 7,
	[REASON_BUDGET] = 7,
};

/* "whole", "left out in stage 7: budget" */
static void
add_fate(struct wv_str *out, const struct item *item)
{
	static const char *const forms[] = { "left out", "without data",
		"in part", "cut", "whole" };

	wv_str_cat(out, forms[item->form]);
	if (item->reason != REASON_NONE)
		wv_str_fmt(out, " in stage %d: %s", stage_of[item->reason],
			reason_names[item->reason]);
}

static void
explain_item(const struct build *b, const struct item *item)
{
	const struct label *label = &item->label;
	struct wv_str fate = { 0 };

	add_fate(&fate, item);
	wv_warn("%s %s%s%s: score %.4f = recency %.4f, match %.4f, kind %.2f, "
		"cost %.4f; %s, %zu by %s",
		kind_names[label->kind], label->id,
		label->is_closure ? ", by closure" : "",
		label->is_redacted ? ", redacted" : "", item->score,
		item->recency, item->match, item->priority, item->thrift,
		fate.s, item->cost, b->settings->counter);
	wv_str_free(&fate);
}

void
explain(const struct build *b)
{
	for (size_t i = 0; i < b->drop_count; i++)
		if (stage_of[b->drops[i].reason] == 3)
			wv_warn("%s %s: left out in stage %d: %s",
				kind_names[b->drops[i].kind], b->drops[i].id,
				stage_of[b->drops[i].reason],
				reason_names[b->drops[i].reason]);
	for (size_t i = 0; i < b->item_count; i++)
		explain_item(b, &b->items[i]);
}
