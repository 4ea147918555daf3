/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "base/msg.h"

#include <inttypes.h>
#include <string.h>

static void
say(const struct verify *v, const char *text)
{
	wv_warn("%s: %s", v->name, text);
}

/* -1: it has none. */
static int
time_of(const struct wv_str *line, struct wv_time *time)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str copy = { 0 };
	const char *text;

	wv_str_add(&copy, line->s, line->n);
	memset(wv_str_room(&copy, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	text = wv_get_string(
		wv_json_read(&arena, copy.s, line->n, &wv_json_defaults, NULL),
		"timestamp");
	int status = text != NULL
		? wv_time_parse(time, text, strlen(text), NULL)
		: -1;
	wv_arena_free(&arena);
	wv_str_free(&copy);
	return status;
}

static bool
is_too_old(struct verify *v)
{
	bool by_checkpoint = v->checkpoint != NULL;
	struct wv_time time = v->checkpoints.time;
	char text[WV_TIME_TEXT];

	if (v->max_age_ms < 0)
		return false;
	if (!by_checkpoint &&
		(v->last.line.n == 0 || time_of(&v->last.line, &time) < 0)) {
		say(v, "its last event has no time");
		return true;
	}
	if (wv_time_cmp(wv_time_add_ms(time, v->max_age_ms), wv_now()) >= 0)
		return false;
	wv_time_print(text, time);
	wv_warn("%s: its last %s is of %s, which is too old", v->name,
		by_checkpoint ? "checkpoint" : "event", text);
	return true;
}

static bool
has_anchor(const struct verify *v)
{
	return v->head != NULL || v->count >= 0 || v->checkpoint != NULL;
}

static void
check_anchors(struct verify *v, struct verdict *verdict)
{
	if (v->count >= 0 && (uint64_t)v->count != verdict->lines) {
		wv_warn("%s: %" PRIu64 " lines, %" PRId64 " were expected",
			v->name, verdict->lines, v->count);
		verdict->faults++;
	}
	if (v->count >= 0 && v->head == NULL && verdict->losses > 0) {
		say(v,
			"lines of it were lost, so that a count alone cannot "
			"tell: give the head too");
		verdict->faults++;
	}
	if (v->head != NULL && strcmp(v->head, verdict->last) != 0) {
		say(v, "its last line is not the one that was expected");
		verdict->faults++;
	}
	verdict->faults += is_too_old(v);
	if (!verdict->is_own && !has_anchor(v))
		say(v,
			"no anchor: lines that were cut off at the end, or a "
			"change of the last one, cannot be seen");
}

static void
report(struct verify *v, const struct verdict *verdict)
{
	struct wv_str line = { 0 };

	wv_str_cat(&line, "{\"source\":");
	wv_json_write_string(&line, v->name, strlen(v->name));
	if (verdict->files > 1)
		wv_str_fmt(&line, ",\"files\":%" PRIu64, verdict->files);
	if (verdict->log[0] != '\0') {
		wv_str_cat(&line, ",\"log\":");
		wv_json_write_string(&line, verdict->log, strlen(verdict->log));
	}
	if (verdict->first > 1)
		wv_str_fmt(&line, ",\"first\":%" PRIu64, verdict->first);
	wv_str_fmt(&line, ",\"lines\":%" PRIu64, verdict->lines);
	if (verdict->last[0] != '\0')
		wv_str_fmt(&line, ",\"head\":\"%s\"", verdict->last);
	if (verdict->losses > 0)
		wv_str_fmt(&line, ",\"losses\":%" PRIu64, verdict->losses);
	if (v->checkpoint != NULL)
		wv_str_fmt(&line, ",\"checkpoints\":%" PRIu64,
			v->checkpoints.count);
	wv_str_fmt(&line, ",\"faults\":%" PRIu64 ",\"notes\":%" PRIu64 "}",
		verdict->faults, verdict->notes);
	wv_out_line(&v->out, line.s, line.n);
	wv_str_free(&line);
}

int
verify_judge(struct verify *v, struct verdict *verdict)
{
	bool is_more = verdict->is_own
		? verdict->summit.head.seq + verdict->summit.lost.seq > 0
		: v->head != NULL || v->count > 0 || v->checkpoint != NULL;

	if (verdict->lines == 0 && !is_more) {
		say(v, "empty: there is nothing to verify");
		return WV_TROUBLE;
	}
	check_anchors(v, verdict);
	int status = wv_worse(v->status, verdict->faults > 0 ? WV_NO : WV_YES);
	report(v, verdict);
	wv_warn("%s: %s: %" PRIu64 " lines, %" PRIu64 " faults, %" PRIu64
		" notes",
		v->name,
		status == WV_NO               ? "tampered with"
			: status != WV_YES    ? "cannot be judged"
			: verdict->losses > 0 ? "whole but for what was lost"
					      : "whole",
		verdict->lines, verdict->faults, verdict->notes);
	return status;
}
