/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 1: every record that can be read is an item. */
#include "build.h"

#include "base/msg.h"
#include "contract/contract.h"

#include <string.h>

static bool
is_error(const cJSON *frame)
{
	const cJSON *data = wv_get(frame, "structured_data");
	const char *status = wv_get_string(data, "status");

	return status != NULL && strcmp(status, "error") == 0 &&
		wv_get_string(data, "error_class") != NULL;
}

/* What kind of item a record is; -1 and an error if it is none. */
static int
kind_of(const cJSON *record, struct wv_err *err)
{
	int type = wv_contract_guess(record);

	if (type == WV_FRAME) {
		if (wv_contract_require(WV_FRAME, record, err) < 0)
			return -1;
		return is_error(record) ? ITEM_ERROR : ITEM_RESULT;
	}
	if (type != WV_POLICY_DECISION)
		return wv_err_set(err, "not a Frame");
	if (wv_contract_require(WV_POLICY_DECISION, record, err) < 0)
		return -1;
	if (strcmp(wv_get_string(record, "decision"), "allow") == 0)
		return wv_err_set(err,
			"not a Frame: an allow, which wv-call has to execute");
	return ITEM_DENIED;
}

static void
add_item(struct build *b, const cJSON *record, enum item_kind kind)
{
	const char *time = wv_get_string(
		record, kind == ITEM_DENIED ? "timestamp" : "created_at");

	if (b->item_count == b->item_cap) {
		b->item_cap = b->item_cap ? 2 * b->item_cap : 16;
		b->items =
			wv_xrealloc(b->items, b->item_cap * sizeof(*b->items));
	}
	struct item *item = &b->items[b->item_count];
	*item = (struct item){ .kind = kind,
		.record = record,
		.capability_id = wv_get_string(record, "capability_id"),
		.order = b->item_count++ };
	wv_time_parse(&item->time, time, strlen(time), NULL);
	if (kind != ITEM_RESULT)
		b->status = wv_worse(b->status, WV_NO);
}

void
candidates(struct build *b)
{
	struct wv_lines in;
	struct wv_record rec;

	wv_lines_open(&in, b->files, &b->lines, NULL);
	while (wv_lines_next(&in, &b->arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		int kind = kind_of(rec.tree, &err);
		if (kind < 0)
			wv_lines_bad(&in, &rec, &err);
		else
			add_item(b, rec.tree, (enum item_kind)kind);
	}
	b->status = wv_worse(b->status, wv_lines_close(&in));
}
