/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of a compiled schema over a value.  One evaluator for both runs:
 * without a report it stops at the first fault and allocates nothing; with
 * one it goes on and collects.  A verdict is 1, 0, or -1 where it could not
 * be found.  Private to this folder.
 */
#ifndef WV_SCHEMA_RUN_H
#define WV_SCHEMA_RUN_H

#include "schema/explain.h"

/* Why there was no verdict. */
enum doubt { DOUBT_NONE, DOUBT_DEPTH, DOUBT_STEPS, DOUBT_PATTERN };

/* A resource that evaluation has come through and that a $dynamicRef may
 * lead back to; each is there once, where it is outermost. */
struct scope {
	const struct resource *resource;
	const struct scope *up;
};

/* Members or items of the value at hand that something has looked at: bits
 * in run.bits.  Kept for schemas that ask for unevaluated ones only. */
struct seen {
	size_t at, words;
};

/* As many children as are looked at in the time of an evaluation. */
enum { CHILDREN_A_STEP = 4 };

/* Bits for values of ordinary size are on the stack. */
enum { FEW_WORDS = 16 };

struct run {
	struct report *report; /* NULL: verdict only */
	const struct scope *scope;
	const struct seen *seen; /* NULL: no one asks */
	uint64_t *bits;
	size_t bits_used, bits_size;
	unsigned depth;
	uintptr_t floor; /* of the stack: no evaluation begins below */
	size_t steps;
	enum doubt doubt; /* the first */
	const struct wv_schema *doubtful;
	const char *keyword;
	uint64_t few[FEW_WORDS];
};

/* Kept out of wv_schema_run(), whose frame is what depth costs. */
#define COLD __attribute__((noinline))

/* The first verdict that is not "valid" is that of all. */
static inline int
both(int verdict, int next)
{
	return verdict == 1 ? next : verdict;
}

/* After a fault only a report goes on, until it is full. */
static inline bool
goes_on(const struct run *run, int verdict)
{
	return verdict == 1 ||
		(run->report != NULL &&
			run->report->faults->count < run->report->max);
}

/* run.c */
int wv_schema_run(
	struct run *run, const struct wv_schema *schema, const cJSON *v);
/* Of a child: what was looked at says nothing of what is in it, and a report
 * has to know where it is. */
int wv_schema_run_child_apart(struct run *run, const struct wv_schema *schema,
	const cJSON *v, uint32_t index);
int wv_schema_run_doubt(struct run *run, enum doubt why,
	const struct wv_schema *schema, const char *keyword);

/* run-in-place.c */
int wv_schema_run_all_of(struct run *run, const struct op *op, const cJSON *v);
int wv_schema_run_branches(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);
int wv_schema_run_not(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);
int wv_schema_run_if(struct run *run, const struct op *op, const cJSON *v);
int wv_schema_run_dynamic_ref(
	struct run *run, const struct op *op, const cJSON *v);

/* run-dependent.c */
int wv_schema_run_dependent_required(struct run *run,
	const struct wv_schema *schema, const struct op *op, const cJSON *v);
int wv_schema_run_dependent_schemas(
	struct run *run, const struct op *op, const cJSON *v);

/* explain-branch.c: no branch of an anyOf or oneOf holds. */
void wv_explain_branches(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);

/* run-seen.c: count bits, all 0: where they begin in run.bits, in words.  They
 * are given back by setting bits_used to that. */
size_t wv_schema_run_bits(struct run *run, size_t count);
/* Nothing of v has been looked at yet.  Closed in reverse order; keep: what
 * was looked at counts for outer, too. */
void wv_seen_open(struct run *run, struct seen *seen, const cJSON *v);
void wv_seen_close(struct run *run, const struct seen *outer, bool keep);
void wv_seen_all(struct run *run);
int wv_schema_run_unevaluated(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v);

/* Of a member (by its name) or an item of the value at hand. */
static inline int
wv_schema_run_child(struct run *run, const struct wv_schema *schema,
	const cJSON *v, uint32_t index)
{
	/* Most schemas of members are but a type. */
	if (schema->op_count == 0 && (schema->types & v->type))
		return 1;
	if (run->report == NULL && run->seen == NULL)
		return wv_schema_run(run, schema, v);
	return wv_schema_run_child_apart(run, schema, v, index);
}

static inline void
wv_bits_set(struct run *run, size_t at, size_t i)
{
	run->bits[at + i / 64] |= UINT64_C(1) << i % 64;
}

static inline bool
wv_bits_have(const struct run *run, size_t at, size_t i)
{
	return run->bits[at + i / 64] >> i % 64 & 1;
}

static inline void
wv_seen_add(struct run *run, uint32_t index)
{
	if (run->seen != NULL)
		wv_bits_set(run, run->seen->at, index);
}

#endif
