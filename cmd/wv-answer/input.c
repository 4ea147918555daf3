/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input and FILEs: Frames, and denials. */
#include "raw.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "contract/record.h"

#include <string.h>

static bool
is_error(const cJSON *frame)
{
	const cJSON *data = wv_get(frame, "structured_data");
	const char *status = wv_get_string(data, "status");

	return status != NULL && strcmp(status, "error") == 0 &&
		wv_get_string(data, "error_class") != NULL;
}

/* -1 and an error if a record is neither. */
static int
outcome_of(const cJSON *record, struct wv_err *err)
{
	int type = wv_contract_guess(record);

	if (type == WV_FRAME) {
		if (wv_contract_require(WV_FRAME, record, err) < 0)
			return -1;
		return is_error(record) ? OUTCOME_ERROR : OUTCOME_FINE;
	}
	if (type != WV_POLICY_DECISION)
		return wv_err_set(err, "not a Frame");
	if (wv_contract_require(WV_POLICY_DECISION, record, err) < 0)
		return -1;
	if (strcmp(wv_get_string(record, "decision"), "allow") == 0)
		return wv_err_set(err,
			"not a Frame: an allow, which wv-call has to execute");
	return OUTCOME_DENIED;
}

/* Of the decision that led to a record: what its call may be named by. */
static const char *
call_of(const cJSON *record, enum outcome outcome)
{
	const cJSON *metadata = wv_get(record, "metadata");

	return wv_get_string(
		wv_get(metadata,
			outcome == OUTCOME_DENIED ? "x_wv_invocation"
						  : "x_wv_call"),
		"routing_decision_id");
}

static void
add_record(struct intake *intake, const cJSON *record, enum outcome outcome)
{
	bool is_denial = outcome == OUTCOME_DENIED;
	const char *time =
		wv_get_string(record, is_denial ? "timestamp" : "created_at");
	const char *capability = wv_get_string(record, "capability_id");
	struct raw_item item = { .record = record,
		.call_id = call_of(record, outcome),
		.label = { .kind = KIND_TOOL_RESULT,
			.outcome = outcome,
			.is_now = true,
			.has_time = true,
			.id = wv_get_string(
				record, is_denial ? "decision_id" : "frame_id"),
			.capability_id = capability } };

	if (strcmp(capability, WV_NO_CAPABILITY) == 0)
		item.label.capability_id = NULL;
	wv_time_parse(&item.label.time, time, strlen(time), NULL);
	intake_add(intake, &item, NULL);
	if (outcome != OUTCOME_FINE)
		intake->status = wv_worse(intake->status, WV_NO);
}

void
read_records(struct intake *intake, char *const *files,
	const struct wv_lines_options *lines)
{
	struct wv_lines in;
	struct wv_record rec;

	wv_lines_open(&in, files, lines, NULL);
	while (wv_lines_next(&in, &intake->arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		int outcome = outcome_of(rec.tree, &err);
		if (outcome < 0)
			wv_lines_bad(&in, &rec, &err);
		else
			add_record(intake, rec.tree, (enum outcome)outcome);
	}
	intake->status = wv_worse(intake->status, wv_lines_close(&in));
}
