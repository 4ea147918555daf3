/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold because a member is there.  However many members there are
 * and ask for something, each is looked up once. */
#include "schema/run.h"

static int
required_by(struct run *run, const struct wv_schema *schema,
	const struct op *op, const cJSON *member, size_t found)
{
	const struct dependents *d = op->dependents;
	int64_t i = wv_names_find(&d->names, member->string);
	int verdict = 1;

	for (; i >= 0 && i < op->count; i += d->names.count) {
		const struct names *required = &d->required[i];
		/* Of two keywords the second can only be this one. */
		const char *keyword =
			i < d->names.count ? op->keyword : "dependencies";
		for (uint32_t n = 0; n < required->count; n++) {
			const char *name = required->strings[n];
			int64_t at = wv_names_find(&d->names, name);
			if (wv_bits_have(run, found, (size_t)at))
				continue;
			if (run->report == NULL)
				return 0;
			wv_explain_dependency(run->report, schema, keyword,
				member->string, name);
			verdict = 0;
		}
	}
	return verdict;
}

int
wv_schema_run_dependent_required(struct run *run,
	const struct wv_schema *schema, const struct op *op, const cJSON *v)
{
	const struct dependents *d = op->dependents;
	size_t found = wv_schema_run_bits(run, d->names.count);
	int verdict = 1;

	wv_json_each(member, v) {
		int64_t i = wv_names_find(&d->names, member->string);
		if (i >= 0)
			wv_bits_set(run, found, (size_t)i);
	}
	wv_json_each(member, v) {
		verdict = both(
			verdict, required_by(run, schema, op, member, found));
		if (!goes_on(run, verdict))
			break;
	}
	run->bits_used = found;
	return verdict;
}

int
wv_schema_run_dependent_schemas(
	struct run *run, const struct op *op, const cJSON *v)
{
	const struct names *names = &op->dependents->names;
	int verdict = 1;

	wv_json_each(member, v) {
		int64_t i = wv_names_find(names, member->string);
		for (; i >= 0 && i < op->count; i += names->count) {
			if (op->subs[i] == NULL)
				continue;
			verdict = both(
				verdict, wv_schema_run(run, op->subs[i], v));
			if (!goes_on(run, verdict))
				return verdict;
		}
	}
	return verdict;
}
