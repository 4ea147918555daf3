/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 4: raw items become items that can be shown, in the order of time.
 * Nothing is trusted because of what it says it is: a raw result becomes a
 * Frame here and now; what a Frame says is cleaned and redacted again, which
 * changes nothing of one that went through the firewall.
 */
#include "artifacts.h"
#include "purify.h"
#include "raw.h"
#include "stages.h"

#include "contract/record.h"
#include "firewall/firewall.h"

#include <stdlib.h>
#include <string.h>

/* What is longer may be cut, or shown by its beginning. */
enum { WHOLE_TEXT = 600, MAX_ID = 256 };

static void
take_frame(struct build *b, struct item *item, cJSON *frame, bool is_ours)
{
	const cJSON *handles = wv_get(frame, "handle_refs");

	purify_frame(&b->arena, item, frame, is_ours);
	if (wv_count(handles) > 0) {
		item->handles = handles;
		item->artifact_ref = handles->child->valuestring;
	}
}

/* A short text stands in its summary already. */
static void
say_once(struct item *item)
{
	size_t n = item->data.n;

	n -= n > 0 && item->data.s[n - 1] == '\n';
	if (n > 0 && memmem(item->summary.s, item->summary.n, item->data.s, n))
		item->data.n = 0;
}

static void
take_result(struct build *b, struct item *item, const struct raw_item *raw)
{
	static const struct wv_firewall_options options =
		WV_FIREWALL_OPTIONS_INIT;
	struct wv_firewall_input input = { .raw = raw->text, .len = raw->len };
	struct wv_findings findings = { 0 };
	struct wv_str public = { 0 };

	artifacts_put(b->artifacts, raw->label.id, raw->text, raw->len);
	if (purify_private(&public, raw->text, raw->len)) {
		input.raw = wv_dupn(&b->scratch, public.s, public.n);
		input.len = public.n;
	}
	wv_str_free(&public);
	purify_frame(&b->scratch, item,
		wv_firewall_frame(&b->scratch, &input, &options, &findings),
		true);
	wv_arena_reset(&b->scratch);
	say_once(item);
	item->artifact_ref = wv_printf(&b->arena, "artifact:%s", raw->label.id);
}

static void
take_denial(struct build *b, struct item *item, const cJSON *denial)
{
	const char *reason = wv_get_string(denial, "reason");

	wv_str_cat(&item->summary, "denied: ");
	if (reason == NULL || *reason == '\0')
		wv_str_cat(&item->summary, "no reason was given");
	else
		purify_text(&b->arena, &item->summary, reason, strlen(reason),
			PURIFY_ALL);
}

/* What tools and documents gave loses all that the firewall knows; what was
 * said, asked or laid down loses secrets: an address may be its point. */
static void
take_text(struct build *b, struct item *item, const struct raw_item *raw)
{
	enum item_kind kind = raw->label.kind;
	bool is_given = kind == KIND_DOC_SNIPPET || kind == KIND_RETRIEVED_DOC;
	struct wv_str *to = &item->summary, public = { 0 };
	const char *s = raw->text;
	size_t n = raw->len;

	if (is_given ||
		(raw->len > WHOLE_TEXT &&
			(kind == KIND_AGENT_MSG || kind == KIND_TOOL_CALL)))
		to = &item->data;
	if (kind == KIND_TOOL_CALL && purify_private(&public, s, n)) {
		s = public.s;
		n = public.n;
	}
	purify_text(
		&b->arena, to, s, n, is_given ? PURIFY_ALL : PURIFY_SECRETS);
	wv_str_free(&public);
}

static void
take_redacted(struct item *item)
{
	wv_str_fmt(&item->summary, "[REDACTED:%s]",
		level_names[item->label.level]);
	item->label.capability_id = NULL;
}

/* An id from outside may hold anything, and is told in every form. */
static const char *
clean_id(struct build *b, const char *id)
{
	struct wv_str clean = { 0 };

	if (id == NULL || wv_id_is_kernel(id))
		return id;
	wv_str_foreign(&clean, id, strlen(id), MAX_ID);
	id = wv_dupn(&b->arena, clean.s, clean.n);
	wv_str_free(&clean);
	return id;
}

static void
take(struct build *b, struct item *item, const struct raw_item *raw)
{
	*item = (struct item){ .label = raw->label };
	item->label.capability_id = clean_id(b, raw->label.capability_id);
	item->label.up = item->label.result = NOWHERE;
	if (raw->label.is_redacted)
		take_redacted(item);
	else if (raw->record == NULL && raw->label.kind == KIND_TOOL_RESULT)
		take_result(b, item, raw);
	else if (raw->record == NULL)
		take_text(b, item, raw);
	else if (raw->label.outcome == OUTCOME_DENIED)
		take_denial(b, item, raw->record);
	else
		take_frame(
			b, item, wv_json_copy(&b->arena, raw->record), false);
}

static int
by_time(const void *a, const void *b)
{
	const struct label *x = &(*(struct raw_item *const *)a)->label;
	const struct label *y = &(*(struct raw_item *const *)b)->label;
	int time = wv_time_cmp(x->time, y->time);

	return time != 0 ? time : (x->order > y->order) - (x->order < y->order);
}

/* Who belongs to whom, by the places they have now. */
static void
hang(struct build *b, struct raw_item *const *raw, const ptrdiff_t *places)
{
	for (size_t i = b->item_count; i-- > 0;) {
		struct label *label = &b->items[i].label, *call;
		if (raw[i]->label.up == NOWHERE)
			continue;
		label->up = places[raw[i]->label.up];
		if (label->up == NOWHERE)
			continue;
		call = &b->items[label->up].label;
		if (label->kind != KIND_TOOL_RESULT ||
			call->kind != KIND_TOOL_CALL)
			continue;
		label->result = call->result;
		call->result = (ptrdiff_t)i;
	}
}

void
stage_firewall(struct build *b)
{
	size_t all = b->intake->count, n = 0;
	struct raw_item **raw = wv_alloc(&b->arena, all * sizeof(*raw));
	ptrdiff_t *places = wv_alloc(&b->arena, all * sizeof(*places));

	for (size_t i = 0; i < all; i++) {
		places[i] = NOWHERE;
		raw[n] = &b->intake->items[i];
		n += raw[n]->is_candidate && !raw[n]->is_dropped;
	}
	if (n == 0)
		return;
	qsort(raw, n, sizeof(*raw), by_time);
	b->items = wv_xcalloc(n, sizeof(*b->items));
	b->item_count = n;
	for (size_t i = 0; i < n; i++) {
		places[raw[i] - b->intake->items] = (ptrdiff_t)i;
		take(b, &b->items[i], raw[i]);
	}
	hang(b, raw, places);
}
