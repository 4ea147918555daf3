/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What has been looked at.  Bits are kept for the value at hand while a
 * schema that asks for unevaluated members or items is evaluated, and what
 * it applies in place; a branch that may fail gets bits of its own.
 */
#include "schema/run.h"

#include <stdlib.h>
#include <string.h>

COLD static void
more_bits(struct run *run, size_t words)
{
	size_t size = (run->bits_used + words) * 2;

	if (run->bits_size > FEW_WORDS) {
		run->bits = wv_xrealloc(run->bits, size * sizeof *run->bits);
	} else {
		run->bits = wv_xmalloc(size * sizeof *run->bits);
		memcpy(run->bits, run->few, sizeof run->few);
	}
	run->bits_size = size;
}

size_t
wv_schema_run_bits(struct run *run, size_t count)
{
	size_t at = run->bits_used, words = (count + 63) / 64;

	if (run->bits == NULL) {
		run->bits = run->few;
		run->bits_size = FEW_WORDS;
	}
	if (words > run->bits_size - at)
		more_bits(run, words);
	memset(run->bits + at, 0, words * sizeof *run->bits);
	run->bits_used = at + words;
	run->steps += count / CHILDREN_A_STEP;
	return at;
}

void
wv_seen_open(struct run *run, struct seen *seen, const cJSON *v)
{
	seen->at = wv_schema_run_bits(run, wv_count(v));
	seen->words = run->bits_used - seen->at;
	run->seen = seen;
}

void
wv_seen_close(struct run *run, const struct seen *outer, bool keep)
{
	const struct seen *seen = run->seen;

	for (size_t i = 0; keep && outer != NULL && i < seen->words; i++)
		run->bits[outer->at + i] |= run->bits[seen->at + i];
	run->bits_used = seen->at;
	run->seen = outer;
}

void
wv_seen_all(struct run *run)
{
	if (run->seen != NULL)
		memset(run->bits + run->seen->at, 0xff,
			run->seen->words * sizeof *run->bits);
}

COLD static void
explain(struct run *run, const struct wv_schema *schema, const struct op *op,
	const cJSON *v, const cJSON *one, uint32_t index)
{
	if (op->code == OP_UNEVALUATED_ITEMS)
		wv_explain_surplus_item(run->report, schema, op, index);
	else
		wv_explain_unknown_member(
			run->report, schema, op->keyword, v, one, index);
}

int
wv_schema_run_unevaluated(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *v)
{
	uint32_t index = 0;
	int verdict = 1;

	for (const cJSON *one = v->child; one && goes_on(run, verdict);
		one = one->next, index++) {
		if (wv_bits_have(run, run->seen->at, index))
			continue;
		if (run->report != NULL && op->sub->types == 0) {
			explain(run, schema, op, v, one, index);
			verdict = both(verdict, 0);
		} else {
			verdict = both(verdict,
				wv_schema_run_child(run, op->sub, one, index));
		}
	}
	wv_seen_all(run);
	return verdict;
}
