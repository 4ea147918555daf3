/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts, and when they are bad the reasons. */
#include "schema/run.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { MOST_STACK = 8 << 20 };

/* Three quarters of the stack that there is: the rest is for others. */
static uintptr_t
stack_floor(void)
{
	static uintptr_t room;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct rlimit limit = { .rlim_cur = MOST_STACK };

	if (room == 0) {
		getrlimit(RLIMIT_STACK, &limit);
		if (limit.rlim_cur > MOST_STACK)
			limit.rlim_cur = MOST_STACK;
		room = limit.rlim_cur / 4 * 3;
	}
	return here > room ? here - room : 0;
}

static int
run_whole(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	int verdict;

	wv_regex_refill();
	run->floor = stack_floor();
	verdict = wv_schema_run(run, schema, v);

	if (run->bits != run->few)
		free(run->bits);
	return verdict;
}

int
wv_schema_valid(const struct wv_schema *schema, const cJSON *instance)
{
	struct run run = { 0 };

	return run_whole(&run, schema, instance);
}

static struct wv_schema_error *
explain_doubt(const struct run *run, struct wv_arena *arena)
{
	static const char *const messages[] = {
		[DOUBT_DEPTH] = "is nested too deeply for this schema",
		[DOUBT_STEPS] = "gave up: too many alternatives to try",
		[DOUBT_PATTERN] = "gave up: the pattern is too hard to match",
	};

	return wv_fault_whole(
		arena, run->doubtful, run->keyword, messages[run->doubt]);
}

static struct wv_schema_error *
collect(const struct wv_schema *schema, const cJSON *instance,
	enum wv_schema_branches branches, struct wv_arena *arena, size_t max)
{
	struct faults faults = { 0 };
	struct report report = {
		.arena = arena,
		.max = max,
		.branches = branches,
		.faults = &faults,
	};
	struct run run = { .report = &report };
	struct wv_schema_error *errors;

	wv_str_cat(&report.pointer, "");
	wv_str_cat(&report.order, "");
	run_whole(&run, schema, instance);
	errors = wv_fault_errors(&report);
	wv_str_free(&report.pointer);
	wv_str_free(&report.order);
	return errors;
}

int
wv_schema_errors(const struct wv_schema *schema, const cJSON *instance,
	enum wv_schema_branches branches, struct wv_arena *arena, size_t max,
	struct wv_schema_error **errors)
{
	struct run run = { 0 };
	int verdict = run_whole(&run, schema, instance);

	*errors = NULL;
	if (verdict < 0)
		*errors = explain_doubt(&run, arena);
	else if (verdict == 0)
		*errors = collect(schema, instance, branches, arena, max);
	/* The search for reasons gave up where the verdict did not. */
	if (verdict == 0 && *errors == NULL)
		*errors = wv_fault_whole(arena, schema, NULL, "is not valid");
	return verdict;
}
