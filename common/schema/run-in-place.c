/* SPDX-License-Identifier: Apache-2.0 */
/* What applies other schemas to the same value. */
#include "schema/run.h"

/* Under bits of its own: what a schema that does not hold has looked at is
 * forgotten. */
COLD static int
run_apart(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	const struct seen *outer = run->seen;
	struct seen seen = { 0 };
	int verdict;

	wv_seen_open(run, &seen, v);
	verdict = wv_schema_run(run, schema, v);
	wv_seen_close(run, outer, verdict == 1);
	return verdict;
}

/* Whatever is wrong is not to be told. */
static int
run_quietly(struct run *run, const struct wv_schema *schema, const cJSON *v)
{
	struct report *report = run->report;
	int verdict;

	run->report = NULL;
	verdict = run->seen == NULL ? wv_schema_run(run, schema, v)
				    : run_apart(run, schema, v);
	run->report = report;
	return verdict;
}

int
wv_schema_run_all_of(struct run *run, const struct op *op, const cJSON *v)
{
	int verdict = 1;

	for (uint32_t i = 0; i < op->count && goes_on(run, verdict); i++)
		verdict = both(verdict, wv_schema_run(run, op->subs[i], v));
	return verdict;
}

/* How many branches hold, as far as it matters; -1: it cannot be known.
 * held: the first two. */
static int
count_branches(
	struct run *run, const struct op *op, const cJSON *v, uint32_t held[2])
{
	uint32_t enough = op->code == OP_ONE_OF ? 2 : 1, count = 0;
	bool unknown = false;

	/* Those that ask what was looked at want it of all that hold. */
	if (op->code == OP_ANY_OF && run->seen != NULL)
		enough = UINT32_MAX;
	for (uint32_t i = 0; i < op->count && count < enough; i++) {
		int verdict = run_quietly(run, op->subs[i], v);
		if (verdict == 1 && count++ < 2)
			held[count - 1] = i;
		unknown |= verdict < 0;
	}
	if (count < enough && unknown)
		return -1;
	return count > 2 ? 2 : (int)count;
}

int
wv_schema_run_branches(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	uint32_t held[2];
	int count = count_branches(run, op, v, held);

	if (count < 0)
		return -1;
	if (count == 1 || (count > 1 && op->code == OP_ANY_OF))
		return 1;
	if (run->report != NULL && count == 0)
		wv_explain_branches(run, schema, op, v);
	else if (run->report != NULL)
		wv_explain_overlap(run->report, schema, op, held);
	return 0;
}

int
wv_schema_run_not(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	int verdict = run_quietly(run, op->subs[0], v);

	if (verdict == 1 && run->report != NULL)
		wv_explain_op(run->report, schema, op, v);
	return verdict < 0 ? -1 : !verdict;
}

int
wv_schema_run_if(struct run *run, const struct op *op, const cJSON *v)
{
	const struct wv_schema *next;
	int holds;

	if (op->subs[1] == NULL && op->subs[2] == NULL && run->seen == NULL)
		return 1;
	holds = run_quietly(run, op->subs[0], v);
	if (holds < 0)
		return -1;
	next = op->subs[holds ? 1 : 2];
	return next ? wv_schema_run(run, next, v) : 1;
}

static const struct wv_schema *
find_dynamic(const struct resource *resource, const char *anchor)
{
	for (uint32_t i = 0; i < resource->dynamic_count; i++) {
		if (resource->dynamic[i].name == anchor)
			return resource->dynamic[i].schema;
	}
	return NULL;
}

/* The outermost wins. */
int
wv_schema_run_dynamic_ref(struct run *run, const struct op *op, const cJSON *v)
{
	const struct wv_schema *target = op->subs[0];
	const struct scope *scope = op->anchor != NULL ? run->scope : NULL;

	for (; scope != NULL; scope = scope->up) {
		const struct wv_schema *found =
			find_dynamic(scope->resource, op->anchor);
		if (found != NULL)
			target = found;
		run->steps += scope->resource->dynamic_count / CHILDREN_A_STEP;
	}
	return wv_schema_run(run, target, v);
}
