/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include "output.h"

#include "base/msg.h"

#include <string.h>

struct tally {
	size_t forms[FORM_FULL + 1];
	size_t reasons[REASON_COUNT];
	size_t costs[KIND_COUNT], items;
};

static struct tally
count(const struct build *b)
{
	struct tally t = { 0 };

	for (size_t i = 0; i < b->item_count; i++) {
		const struct item *item = &b->items[i];
		t.forms[item->form]++;
		t.costs[item->label.kind] += is_shown(item) ? item->cost : 0;
		t.items += is_shown(item) ? item->cost : 0;
	}
	for (size_t i = 0; i < b->drop_count; i++)
		t.reasons[b->drops[i].reason]++;
	return t;
}

void
stats_tell(const struct build *b)
{
	struct tally t = count(b);
	struct wv_str why = { 0 };

	wv_str_cat(&why, "");
	for (int i = REASON_NONE + 1; i < REASON_COUNT; i++)
		if (t.reasons[i] > 0)
			wv_str_fmt(&why, "%s%zu %s", why.n > 0 ? ", " : " (",
				t.reasons[i], reason_names[i]);
	if (why.n > 0)
		wv_str_chr(&why, ')');
	wv_warn("%zu records: %zu whole, %zu cut, %zu without data, %zu left "
		"out%s; %zu no candidates, %zu by closure; %zu of %zu by %s",
		b->candidates, t.forms[FORM_FULL],
		t.forms[FORM_CUT] + t.forms[FORM_FOCUS], t.forms[FORM_BRIEF],
		b->drop_count, why.s, b->by_phase + b->by_selection,
		b->closures, b->used, b->settings->budget,
		b->settings->counter);
	wv_str_free(&why);
}

static void
add_drops(struct wv_str *out, const struct build *b)
{
	wv_str_cat(out, "\"dropped_items\":[");
	for (size_t i = 0; i < b->drop_count; i++) {
		const struct drop *drop = &b->drops[i];
		wv_str_cat(out, i > 0 ? ",{\"id\":" : "{\"id\":");
		wv_json_write_string(out, drop->id, strlen(drop->id));
		wv_str_fmt(out, ",\"kind\":\"%s\",\"reason\":\"%s\"}",
			kind_names[drop->kind], reason_names[drop->reason]);
	}
	wv_str_cat(out, "],");
}

/* Items may share what surrounds them: what is left is the frame's. */
static void
add_costs(struct wv_str *out, const struct build *b, const struct tally *t)
{
	wv_str_cat(out, "\"tokens\":{");
	for (int i = 0; i < KIND_COUNT; i++)
		wv_str_fmt(out, "\"%s\":%zu,", kind_names[i], t->costs[i]);
	wv_str_fmt(out, "\"frame\":%zu},",
		b->used > t->items ? b->used - t->items : 0);
}

void
stats_write(struct wv_str *out, const struct build *b)
{
	struct tally t = count(b);

	wv_str_fmt(out,
		"\"counter\":\"%s\",\"budget\":%zu,\"used\":%zu,"
		"\"candidates\":%zu,\"included\":%zu,\"dropped\":%zu,"
		"\"dropped_by\":{",
		b->settings->counter, b->settings->budget, b->used,
		b->candidates, b->item_count - t.forms[FORM_LEFT_OUT],
		b->drop_count);
	for (int i = REASON_NONE + 1; i < REASON_COUNT; i++)
		wv_str_fmt(out, "%s\"%s\":%zu", i > 1 ? "," : "",
			reason_names[i], t.reasons[i]);
	wv_str_cat(out, "},");
	add_drops(out, b);
	wv_str_fmt(out,
		"\"not_candidates\":{\"phase\":%zu,\"selection\":%zu},"
		"\"closures\":%zu,",
		b->by_phase, b->by_selection, b->closures);
	add_costs(out, b, &t);
	out->n--;
}
