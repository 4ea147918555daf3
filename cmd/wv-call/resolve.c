/* SPDX-License-Identifier: Apache-2.0 */
#include "resolve.h"

#include "base/clock.h"
#include "handle.h"

#include <string.h>

struct resolve {
	struct handle handle;
	struct selector selector;
	struct reading *reading;
	int64_t deadline; /* ticks */
};

static size_t
bound(const cJSON *obligations, const char *name, size_t most)
{
	uint64_t limit;

	return obligation_stated(obligations, name, &limit) && limit < most
		? (size_t)limit
		: most;
}

static void
tighten(struct call *call, cJSON *obligations, const char *name, uint64_t most)
{
	if (most <= INT64_MAX)
		wv_put(&call->arena, obligations, name,
			wv_json_int(&call->arena, (int64_t)most));
}

static enum step
begin(struct call *call)
{
	const struct wv_firewall_options standard = WV_FIREWALL_OPTIONS_INIT;
	struct resolve *r = wv_alloc_zero(&call->arena, sizeof *r);
	struct allowance left;
	struct wv_err err = WV_ERR_INIT;

	/* What may be read was judged by this name alone. */
	if (call->tool != call->target)
		return call_fail(call, "access_denied", false,
			"a Handle is not read on behalf of another tool");
	if (handle_find(call,
		    wv_get_string(call->target_arguments, "handle_id"),
		    &r->handle) == STEP_FAILED ||
		handle_left(call, &r->handle, &left) == STEP_FAILED)
		return STEP_FAILED;
	const cJSON *met = handle_meet(call, &r->handle);
	r->selector.most = bound(met, "max_rows", standard.max_rows);
	r->selector.most_bytes = bound(met, "max_bytes", standard.max_bytes);
	r->selector.is_limited = obligations_limit(met);
	selector_read(&r->selector, call->target_arguments);
	r->deadline = wv_ticks() + call_timeout_ms(call);
	r->reading = reading_begin(call->plan->state, &r->handle.artifact,
		&r->selector, &call->arena, &err);
	if (r->reading == NULL)
		return call_fail(call, "execution", false, "%s", err.text);
	call->source_data = r;
	return STEP_DONE;
}

/* Leaves out what is more than what is left; one item may be longer: the Frame
 * will cut it.  False: even one is of more rows. */
static bool
fit(struct resolve *r, struct selection *s, const struct allowance *left,
	struct wv_artifact_use *use)
{
	const struct selector *selector = &r->selector;
	uint64_t most = left->bytes < selector->most_bytes
		? left->bytes
		: selector->most_bytes;

	for (;;) {
		use->rows = selection_rows(s, selector->most);
		use->bytes = selection_bytes(s, selector);
		if (s->count <= 1 ||
			(use->rows <= left->rows && use->bytes <= most))
			break;
		selection_cut(s, s->count - 1);
	}
	if (use->bytes > most)
		use->bytes = most;
	return use->rows <= left->rows;
}

/* (group) */
static int
take(struct call *call, struct resolve *r, struct allowance *left,
	struct wv_err *err)
{
	struct selection *s = reading_selection(r->reading);
	struct wv_artifact_use use;

	if (handle_left(call, &r->handle, left) == STEP_FAILED)
		return -1;
	if (!fit(r, s, left, &use)) {
		handle_exceeded(call, "rows", use.rows, left->rows);
		return -1;
	}
	return handle_use(call, &r->handle, &use, err);
}

/* What will be shown is written down before it is. */
static enum step
record(struct call *call, struct resolve *r, struct allowance *left)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;
	struct wv_artifact_use use;

	*left = r->handle.allowed;
	if (!left->is_counted) {
		fit(r, reading_selection(r->reading), left, &use);
		return STEP_DONE;
	}
	if (wv_state_begin(state, &err) == 0) {
		if (take(call, r, left, &err) < 0)
			wv_state_rollback(state);
		else if (wv_state_commit(state, &err) == 0)
			return STEP_DONE;
	}
	return call_fail(call, "execution", true, "%s", err.text);
}

static enum step
show(struct call *call, struct resolve *r)
{
	struct allowance left;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	if (record(call, r, &left) == STEP_FAILED)
		return STEP_FAILED;
	cJSON *met = handle_meet(call, &r->handle);
	tighten(call, met, "max_rows",
		left.rows < r->selector.most
			? left.rows
			: bound(met, "max_rows", SIZE_MAX));
	tighten(call, met, "max_bytes",
		left.bytes < r->selector.most_bytes
			? left.bytes
			: bound(met, "max_bytes", SIZE_MAX));
	call->obligations = met;
	wv_json_write(&text,
		selection_object(reading_selection(r->reading), &r->selector));
	call->output.media_type = "application/json";
	call->handle_id = r->handle.artifact.handle_id;
	int added = output_add(&call->output, text.s, text.n, &err);
	wv_str_free(&text);
	return added == 0 ? STEP_DONE
			  : call_fail(call, "execution", false, "%s", err.text);
}

static enum step
go_on(struct call *call, struct resolve *r)
{
	struct wv_err err = WV_ERR_INIT;

	if (call->stopped)
		return call_fail(call, "cancelled", false, "%s",
			"reading was cut short");
	int got = reading_go_on(r->reading, &err);
	if (got < 0)
		return call_fail(call, "execution", false, "%s", err.text);
	if (got == 1)
		return show(call, r);
	if (wv_ticks() < r->deadline)
		return STEP_WAIT;
	return call_fail(call, "timeout", true,
		"reading took longer than %jd ms",
		(intmax_t)call_timeout_ms(call));
}

enum step
resolve_run(struct call *call)
{
	if (call->source_data == NULL && begin(call) == STEP_FAILED)
		return STEP_FAILED;
	struct resolve *r = call->source_data;
	enum step step = go_on(call, r);
	if (step != STEP_WAIT) {
		reading_end(r->reading);
		call->source_data = NULL;
	}
	return step;
}
