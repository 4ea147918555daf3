/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deactivation: reverse order, once, and on with the others whatever fails.
 */
#include "tap.h"

#include "base/msg.h"

#include "../../cmd/wv-call/deactivate.c"

static const char *said[16];
static size_t said_count;
static int waits;

static enum step
good(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	(void)plan, (void)err;
	said[said_count++] = tool->capability;
	return STEP_DONE;
}

static enum step
slow(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	return waits++ < 3 ? STEP_WAIT : good(plan, tool, err);
}

static enum step
bad(struct plan *plan, struct tool *tool, struct wv_err *err)
{
	wv_err_set(err, "no luck");
	return good(plan, tool, err);
}

int
main(void)
{
	static const struct source quick = { .deactivate = good },
				   waiting = { .deactivate = slow },
				   failing = { .deactivate = bad },
				   none = { 0 };
	struct tool tools[] = {
		{ .capability = "a", .source = &quick, .is_active = true },
		{ .capability = "b", .source = &failing, .is_active = true },
		{ .capability = "c", .source = &none, .is_active = true },
		{ .capability = "d", .source = &waiting, .is_active = true },
		{ .capability = "e", .source = &quick },
	};
	struct tool *active[] = { &tools[0], &tools[1], &tools[2], &tools[3] };
	struct plan plan = { .active = active, .active_count = 4 };

	wv_quiet = true;
	plan_deactivate(&plan);
	ok(said_count == 3, "each that has something to do, once");
	is(said[0], "d", "the last one first, asked until it is done");
	is(said[1], "b", "one that fails");
	is(said[2], "a", "and the others all the same");
	ok(!tools[0].is_active && !tools[2].is_active, "none is active");
	plan_deactivate(&plan);
	ok(said_count == 3, "a second time does nothing");
	return done();
}
