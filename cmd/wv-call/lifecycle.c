/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of things in a call.  A decision is consumed before it is here;
 * what a stage needs of others (an activation, a resource) it waits for.
 */
#include "call.h"

#include "base/clock.h"
#include "base/msg.h"
#include "base/run.h"
#include "json/num.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	MAX_WARNINGS = 16,
	MAX_WARNING = 512, /* bytes */
};

static enum step
begin_changes(struct call *call)
{
	const cJSON *resources = wv_get(call->target->entry, "resources");
	struct plan *plan = call->plan;
	struct wv_err err = WV_ERR_INIT;

	if (resources == NULL)
		return STEP_DONE;
	if (plan->bound != NULL)
		return call_wait(call);
	call->bound = changes_begin(resources, &err);
	if (call->bound == NULL)
		return call_fail(call, "execution", false, "%s", err.text);
	plan->bound = call;
	return STEP_DONE;
}

static enum step
run(struct call *call)
{
	const struct source *source = call->target->source;
	enum step step = source->run(call);

	call->in_source = step == STEP_WAIT;
	/* What is built in waits for nobody: it lets the others go on. */
	if (call->in_source && source == &source_builtin)
		call->plan->is_busy = true;
	return step;
}

static enum step
end_changes(struct call *call)
{
	const char *violated = NULL;
	struct wv_err err = WV_ERR_INIT;

	if (call->bound == NULL)
		return STEP_DONE;
	int told = changes_end(
		call->bound, &call->arena, &call->changes, &violated, &err);
	call->bound = NULL;
	call->plan->bound = NULL;
	call->plan->stirred = true;
	if (told < 0)
		return call_fail(call, "execution", false,
			"what it changed cannot be told: %s", err.text);
	if (violated != NULL)
		return call_fail(call, "execution", false,
			"it wrote to the resource \"%s\", which is read_only",
			violated);
	return STEP_DONE;
}

static const struct stage {
	enum step (*go)(struct call *call);
	enum {
		BEFORE, /* a call that shall end comes no further */
		AFTER,  /* of a call that went well */
		ALWAYS,
	} when;
} stages[] = {
	{ call_activate, BEFORE },
	{ call_check_flags, BEFORE },
	{ call_fill_references, BEFORE },
	{ call_check_input, BEFORE },
	{ call_checkpoint, BEFORE },
	{ begin_changes, BEFORE },
	{ run, BEFORE },
	{ call_check_output, AFTER },
	{ end_changes, ALWAYS },
};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

static enum step
go(struct call *call)
{
	const struct stage *stage = &stages[call->stage];

	if (stage->when == BEFORE && call->cancelled != NULL &&
		!call->in_source)
		call_fail(call, "cancelled", false, "%s", call->cancelled);
	if (stage->when != ALWAYS && call->error_class != NULL)
		return STEP_FAILED;
	call->waits = false;
	enum step step = stage->go(call);
	if (!call->waits && call->waits_since != 0) {
		call->queued_ms += wv_ticks() - call->waits_since;
		call->waits_since = 0;
	}
	return step;
}

bool
call_advance(struct call *call)
{
	for (; call->stage < STAGE_COUNT; call->stage++) {
		if (go(call) == STEP_WAIT)
			return false;
	}
	call->ended_at = wv_now();
	call->duration_ms = wv_ticks() - call->taken_at;
	call_frame(call);
	call_record(call);
	call->is_over = true;
	return true;
}

enum step
call_wait(struct call *call)
{
	call->waits = true;
	if (call->waits_since == 0)
		call->waits_since = wv_ticks();
	return STEP_WAIT;
}

void
call_cancel(struct call *call, const char *why)
{
	if (call->is_over || call->cancelled != NULL)
		return;
	call->cancelled = why;
	if (call->in_source) {
		call->stopped = true;
		call->target->source->stop(call);
	}
}

void
call_abandon(struct call *call)
{
	int64_t end = wv_ticks() + 2 * GRACE_MS;

	call_cancel(call, "the plan has failed");
	while (call->in_source && wv_ticks() < end) {
		wv_run_wait(NULL, 0, 100);
		stages[call->stage].go(call);
	}
}

enum step
call_fail(struct call *call, const char *error_class, bool retriable,
	const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	if (call->error_class != NULL)
		return STEP_FAILED;
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	call->error_class = error_class;
	call->error_message = wv_dupn(&call->arena, text.s, text.n);
	call->retriable = retriable;
	wv_str_free(&text);
	if (call->stopped && call->drifted == NULL) {
		call->error_class = "cancelled";
		call->error_message = call->cancelled;
		call->retriable = false;
	}
	return STEP_FAILED;
}

enum step
call_drifted(struct call *call, const struct tool *tool)
{
	call->drifted =
		wv_printf(&call->arena, "%s " LOCK_CHANGED, tool->capability);
	return call_fail(call, "tool_drifted", false, "%s", call->drifted);
}

/* It may quote what the tool said. */
void
call_warn(struct call *call, const char *fmt, ...)
{
	struct wv_str text = { 0 }, clean = { 0 }, shown = { 0 };
	struct wv_arena *arena = &call->arena;
	va_list ap;

	if (call->warnings == NULL)
		call->warnings = wv_json_array(arena);
	if (wv_count(call->warnings) >= MAX_WARNINGS)
		return;
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_clean(&clean, text.s, text.n, &(struct wv_findings){ 0 });
	wv_redact(&shown, clean.s, clean.n, arena, NULL);
	wv_str_free(&text);
	wv_str_free(&clean);
	wv_str_foreign(&text, shown.s, shown.n, MAX_WARNING);
	wv_push(call->warnings, wv_json_stringn(arena, text.s, text.n));
	wv_note("%s: warning: %s", call->capability_id, text.s);
	wv_str_free(&text);
	wv_str_free(&shown);
}

int64_t
call_timeout_ms(const struct call *call)
{
	const cJSON *asked = wv_get(call->invocation, "timeout_ms");
	int64_t least = call->target->timeout_ms, ms;

	for (const struct tool *tool = call->tool; tool->wrapped != NULL;
		tool = tool->wrapped) {
		if (tool->timeout_ms < least)
			least = tool->timeout_ms;
	}
	if (wv_is_number(asked) && wv_num_int64(asked, &ms) && ms > 0 &&
		ms < least)
		least = ms;
	return least;
}

void
call_answer(struct call *call, const cJSON *record)
{
	wv_json_write(&call->answer, record);
}

void
call_release(struct call *call)
{
	output_free(&call->output);
	wv_arena_free(&call->arena);
}

void
call_free(struct call *call)
{
	call_release(call);
	wv_str_free(&call->answer);
	free(call);
}
