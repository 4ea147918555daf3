/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One loop: take decisions while there is room, go on with every call that is
 * under way, say what is answered, wait.  A call that is answered out of its
 * turn waits for those before it; how many may wait is bounded, so that one
 * that is slow does not fill the memory with answers.  Nor does a reader that
 * is slow: we take no more then, but never wait for it alone, as time-outs,
 * signals and the stop file hold all the same.
 */
#include "plan.h"

#include "base/clock.h"
#include "base/msg.h"
#include "base/run.h"
#include "call.h"
#include "contract/contract.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	LOOK_MS = 100,      /* at stop and cancel file */
	CALLS_PER_JOB = 16, /* taken and not said yet */
	UNREAD = 64 << 10,  /* bytes of answers */
};

static struct plan *live;
static bool waits;

/* At the end a reader has this long. */
static void
say_rest(struct wv_out *out)
{
	struct pollfd pfd = { .fd = out->fd, .events = POLLOUT };
	int64_t end = wv_ticks() + GRACE_MS, left = GRACE_MS;

	while (wv_out_step(out) > 0 && left > 0) {
		poll(&pfd, 1, (int)left);
		left = end - wv_ticks();
	}
	if (out->buf.n > 0)
		wv_warn("nobody reads the answers: %zu bytes are not said",
			out->buf.n);
	out->buf.n = 0;
}

/* Whatever ends us, nothing of it is left behind.  (Memory may give out while
 * we wait: that cannot be gone into again, and who is our child dies.) */
static void
take_down(void)
{
	struct plan *plan = live;

	if (plan == NULL || waits)
		return;
	live = NULL;
	for (size_t i = 0; i < plan->call_count; i++) {
		if (!plan->calls[i]->is_over) {
			call_abandon(plan->calls[i]);
			output_drop(&plan->calls[i]->output);
		}
	}
	say_rest(&plan->out);
	plan_deactivate(plan);
}

static void
cancel_calls(struct plan *plan, const char *why)
{
	if (plan->under_way == 0)
		return;
	if (!plan->is_marked)
		wv_plan_mark(plan->state, plan->id);
	plan->is_marked = true;
	for (size_t i = 0; i < plan->call_count; i++)
		call_cancel(plan->calls[i], why);
}

/* A kernel that is stopped refuses what comes; it may be let go again. */
static void
look_around(struct plan *plan)
{
	bool stopped = wv_state_stopped(plan->state);

	if (plan->cancelled == NULL) {
		plan->cancelled = cancel_reason(plan);
		/* Of a signal our end tells. */
		if (plan->cancelled != NULL && cancel_signal() == 0)
			wv_warn("%s", plan->cancelled);
	}
	if (plan->cancelled != NULL) {
		cancel_calls(plan, plan->cancelled);
	} else if (stopped) {
		cancel_calls(plan, "the kernel was stopped");
	} else if (plan->is_marked) {
		wv_plan_unmark(plan->state, plan->id);
		plan->is_marked = false;
	}
}

static void
count(struct plan *plan, const struct call *call)
{
	if (call->drifted != NULL)
		plan->counts.denied++;
	else if (call->error_class != NULL ||
		(call->is_validation && !call->passed))
		plan->counts.failed++;
	else
		plan->counts.succeeded++;
}

static void
advance(struct plan *plan, struct call *call)
{
	if (call->is_over || !call_advance(call))
		return;
	plan->under_way--;
	plan->stirred = true;
	count(plan, call);
	call_release(call);
}

static void
advance_all(struct plan *plan)
{
	do {
		plan->stirred = false;
		for (size_t i = 0; i < plan->call_count; i++)
			advance(plan, plan->calls[i]);
	} while (plan->stirred);
}

static void
begin(struct plan *plan, struct call *call, const struct wv_record *rec)
{
	plan->calls[plan->call_count++] = call;
	call->is_over = true;
	if (strcmp(wv_get_string(rec->tree, "decision"), "deny") == 0) {
		if (rec->one_line)
			wv_str_add(&call->answer, rec->text, rec->len);
		else
			call_answer(call, rec->tree);
	} else if (call_take(call, plan, rec->tree)) {
		call->is_over = false;
		plan->under_way++;
		advance(plan, call);
		return;
	}
	plan->counts.denied++;
	call_release(call);
}

/* A decision that fits its contract, or the reading's end or wait. */
static int
next_decision(struct plan *plan, struct wv_lines *in, struct wv_arena *arena,
	struct wv_record *rec)
{
	struct wv_err err = WV_ERR_INIT;
	int got;

	while ((got = wv_lines_next(in, arena, rec)) == 1 &&
		wv_contract_require(WV_POLICY_DECISION, rec->tree, &err) < 0) {
		wv_lines_bad(in, rec, &err);
		wv_err_clear(&err);
		plan->counts.malformed++;
		wv_arena_reset(arena);
	}
	return got;
}

static size_t
room(const struct plan *plan)
{
	if (plan->cancelled != NULL || plan->under_way >= plan->jobs ||
		plan->out.buf.n > UNREAD)
		return 0;
	return plan->jobs * CALLS_PER_JOB - plan->call_count;
}

/* 1: there may be more, but no room; 0: no more; or it has to be waited for. */
static int
take_decisions(struct plan *plan, struct wv_lines *in)
{
	while (room(plan) > 0) {
		struct call *call = wv_xcalloc(1, sizeof *call);
		struct wv_record rec;
		int got = next_decision(plan, in, &call->arena, &rec);
		if (got != 1) {
			call_free(call);
			return got;
		}
		begin(plan, call, &rec);
		look_around(plan);
	}
	return 1;
}

static void
say(struct plan *plan)
{
	size_t kept = 0;
	bool in_turn = true;

	for (size_t i = 0; i < plan->call_count; i++) {
		struct call *call = plan->calls[i];
		if (call->is_over && (in_turn || plan->unordered)) {
			wv_out_add(&plan->out, call->answer.s, call->answer.n);
			wv_out_add(&plan->out, "\n", 1);
			call_free(call);
		} else {
			plan->calls[kept++] = call;
			in_turn = false;
		}
	}
	plan->call_count = kept;
}

/* As far as somebody reads it. */
static void
flush(struct plan *plan)
{
	struct wv_err err = WV_ERR_INIT;

	wv_out_step(&plan->out);
	if (plan->out.error == EPIPE)
		plan->cancelled = "nobody reads the answers";
	else if (plan->out.error != 0 && wv_out_flush(&plan->out, &err) < 0)
		wv_die_err(&err);
}

/* What has been answered is said before. */
static void
wait_for(struct plan *plan, int input)
{
	struct pollfd fds[3];
	size_t n = 0;

	flush(plan);
	if (plan->out.buf.n > 0)
		fds[n++] = (struct pollfd){ .fd = plan->out.fd,
			.events = POLLOUT };
	if (plan->cancelled == NULL)
		fds[n++] =
			(struct pollfd){ .fd = cancel_fd(), .events = POLLIN };
	if (input >= 0)
		fds[n++] = (struct pollfd){ .fd = input, .events = POLLIN };
	waits = true;
	int waited = wv_run_wait(fds, n, plan->is_busy ? 0 : LOOK_MS);
	waits = plan->is_busy = false;
	if (waited < 0)
		wv_die("cannot wait: %s", strerror(errno));
}

static void
answer_all(struct plan *plan, struct wv_lines *in)
{
	int more = 1;

	for (;;) {
		look_around(plan);
		if (more != 0)
			more = take_decisions(plan, in);
		advance_all(plan);
		say(plan);
		bool is_done = plan->call_count == 0 &&
			(more == 0 || plan->cancelled != NULL);
		if (is_done) /* what can be said now needs no wait */
			flush(plan);
		if (is_done &&
			(plan->cancelled != NULL || plan->out.buf.n == 0))
			break;
		bool wants = room(plan) > 0 && more != 0;
		int input = wants && more == WV_LINES_WAIT
			? wv_lines_nonblocking(in)
			: -1;
		if (!wants || input >= 0)
			wait_for(plan, input);
	}
}

int
plan_run(struct plan *plan, char *const *files,
	const struct wv_lines_options *options)
{
	struct wv_lines in;
	int status = WV_YES;

	plan->calls =
		wv_xcalloc(plan->jobs * CALLS_PER_JOB, sizeof(struct call *));
	live = plan;
	atexit(take_down);
	wv_lines_open(&in, files, options, NULL);
	wv_lines_nonblocking(&in);
	answer_all(plan, &in);
	take_down();
	if (plan->counts.denied > 0 || plan->counts.failed > 0 ||
		plan->cancelled != NULL)
		status = WV_NO;
	plan->counts.malformed += in.counts.malformed;
	if (plan->cancelled != NULL) /* it is not the input's fault */
		in.options.allow_empty = true;
	free(plan->calls);
	free(plan->active);
	return wv_worse(status, wv_lines_close(&in));
}
