/* SPDX-License-Identifier: Apache-2.0 */
#include "resolve.h"

#include "base/clock.h"
#include "json/num.h"

#include <string.h>

/* What the obligations of a Handle allow of it in all. */
struct allowance {
	bool is_counted;
	uint64_t rows, bytes;
};

struct resolve {
	struct wv_artifact artifact;
	const cJSON *obligations; /* of the Handle; may be NULL */
	struct allowance allowed;
	struct selector selector;
	struct reading *reading;
	int64_t deadline; /* ticks */
};

/* A number of an obligation, if it states one. */
static bool
stated(const cJSON *obligations, const char *name, uint64_t *limit)
{
	const cJSON *number = wv_get(obligations, name);
	int64_t n;

	if (!wv_is_number(number) || !wv_num_int64(number, &n) || n < 0)
		return false;
	*limit = (uint64_t)n;
	return true;
}

static const cJSON *
read_obligations(struct call *call, const struct wv_artifact *artifact)
{
	const char *text = artifact->obligations;
	size_t n = text != NULL ? strlen(text) : 0;

	/* What is in an arena has the slack that the reader needs. */
	return text != NULL
		? wv_json_read(&call->arena, text, n, &wv_json_defaults, NULL)
		: NULL;
}

static struct allowance
allowance_of(const cJSON *obligations)
{
	struct allowance a = { false, UINT64_MAX, UINT64_MAX };

	a.is_counted = stated(obligations, "max_rows", &a.rows);
	a.is_counted |= stated(obligations, "max_bytes", &a.bytes);
	return a;
}

/* Those of the decision, and of the Handle all but how it is shown: who reads
 * has asked for that by itself. */
static cJSON *
meet(struct call *call, const cJSON *handle)
{
	static const char *const names[] = { "max_rows", "max_fields",
		"max_depth", "max_bytes" };
	struct wv_arena *arena = &call->arena;
	cJSON *met = call->obligations != NULL
		? wv_json_copy(arena, call->obligations)
		: wv_json_object(arena);
	uint64_t ours, theirs;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (stated(handle, names[i], &theirs) &&
			(!stated(met, names[i], &ours) || theirs < ours))
			wv_put(arena, met, names[i],
				wv_json_int(arena, (int64_t)theirs));
	return met;
}

static size_t
bound(const cJSON *obligations, const char *name, size_t most)
{
	uint64_t limit;

	return stated(obligations, name, &limit) && limit < most ? (size_t)limit
								 : most;
}

static void
tighten(struct call *call, cJSON *obligations, const char *name, uint64_t most)
{
	if (most <= INT64_MAX)
		wv_put(&call->arena, obligations, name,
			wv_json_int(&call->arena, (int64_t)most));
}

/* One answer for what there is not, what has expired and what is another's:
 * who asks learns nothing of the Handles of others. */
static enum step
refuse(struct call *call)
{
	return call_fail(call, "access_denied", false,
		"there is no such Handle to read");
}

static enum step
exhausted(struct call *call)
{
	return call_fail(call, "access_denied", false,
		"all has been shown of this Handle that its obligations "
		"allow");
}

/* 1: it is there, and theirs who asks; 0: it was refused. */
static int
find(struct call *call, struct wv_artifact *artifact)
{
	struct wv_state *state = call->plan->state;
	struct wv_time now = wv_now();
	struct wv_err err = WV_ERR_INIT;

	if (wv_time_cmp(state->now, now) > 0)
		now = state->now;
	int found = wv_artifact_find(state, &call->arena,
		wv_get_string(call->target_arguments, "handle_id"), now,
		artifact, &err);
	if (found < 0)
		call_fail(call, "execution", true, "%s", err.text);
	else if (found == 0 || artifact->principal == NULL ||
		strcmp(artifact->principal, call->principal) != 0)
		refuse(call);
	return call->error_class == NULL;
}

/* What is left of what may be shown; false: nothing, or that cannot be told. */
static bool
ask_left(struct call *call, const struct resolve *r, struct allowance *left)
{
	struct wv_artifact_use used;
	struct wv_err err = WV_ERR_INIT;

	*left = r->allowed;
	if (!left->is_counted)
		return true;
	if (wv_artifact_used(call->plan->state, r->artifact.handle_id,
		    call->principal, &used, &err) < 0) {
		call_fail(call, "execution", true, "%s", err.text);
		return false;
	}
	if (used.rows >= left->rows || used.bytes >= left->bytes) {
		exhausted(call);
		return false;
	}
	if (left->rows != UINT64_MAX)
		left->rows -= used.rows;
	if (left->bytes != UINT64_MAX)
		left->bytes -= used.bytes;
	return true;
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
	if (!find(call, &r->artifact))
		return STEP_FAILED;
	r->obligations = read_obligations(call, &r->artifact);
	if (r->artifact.obligations != NULL && r->obligations == NULL)
		return refuse(call);
	r->allowed = allowance_of(r->obligations);
	if (!ask_left(call, r, &left))
		return STEP_FAILED;
	const cJSON *met = meet(call, r->obligations);
	r->selector.most = bound(met, "max_rows", standard.max_rows);
	r->selector.most_bytes = bound(met, "max_bytes", standard.max_bytes);
	r->selector.is_limited = wv_get(met, "max_rows") != NULL ||
		wv_get(met, "max_fields") != NULL ||
		wv_get(met, "max_depth") != NULL;
	selector_read(&r->selector, call->target_arguments);
	r->deadline = wv_ticks() + call_timeout_ms(call);
	r->reading = reading_begin(call->plan->state, &r->artifact,
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

	if (!ask_left(call, r, left))
		return -1;
	if (!fit(r, s, left, &use)) {
		call_fail(call, "access_denied", false,
			"that holds %ju rows, and its obligations allow %ju "
			"more of this Handle",
			(uintmax_t)use.rows, (uintmax_t)left->rows);
		return -1;
	}
	return wv_artifact_add_use(call->plan->state, r->artifact.handle_id,
		call->principal, &use, err);
}

/* What will be shown is written down before it is. */
static enum step
record(struct call *call, struct resolve *r, struct allowance *left)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;
	struct wv_artifact_use use;

	*left = r->allowed;
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
	cJSON *met = meet(call, r->obligations);
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
	call->handle_id = r->artifact.handle_id;
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
