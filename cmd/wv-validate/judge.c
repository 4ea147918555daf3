/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include "finding.h"
#include "signed.h"

#include <string.h>

/* Whether a signature is looked at: that takes a tree. */
static bool
is_signed_type(const struct judge *judge, int type)
{
	return judge->keyring != NULL &&
		(type == WV_CAPABILITY_TOKEN || type == WV_TRACE_BUNDLE);
}

/* Valid, with nothing to tell, as far as the text says. */
static bool
scan(struct judge *judge, const struct target *target,
	const struct wv_record *rec)
{
	int type = target->type;

	if (judge->fingerprints)
		return false;
	if (type == TARGET_SCHEMA)
		return wv_schema_scan(
			target->schema, rec->text, rec->len, &judge->limits);
	if (type == TARGET_AUTO)
		type = guess_type(&judge->guess, rec->text, rec->len);
	return type >= 0 && !is_signed_type(judge, type) &&
		wv_contract_scan((enum wv_contract)type, &judge->rules,
			rec->text, rec->len, &judge->limits);
}

static int
judge_schema(const struct judge *judge, const struct wv_schema *schema,
	const cJSON *tree, struct wv_arena *arena,
	struct wv_schema_error **errors)
{
	if (wv_schema_valid(schema, tree) == 1)
		return 1;
	return wv_schema_errors(schema, tree, arena, judge->max_errors, errors);
}

static int
judge_contract(const struct judge *judge, int type, const cJSON *tree,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	int verdict = wv_contract_judge(
		(enum wv_contract)type, tree, &judge->rules, arena, errors);

	if (verdict == 1 && judge->keyring != NULL)
		verdict = signed_check(type, tree, judge->keyring,
			judge->require_signed, arena, errors);
	return verdict;
}

static const char *
fingerprint(const struct target *target, int type, const cJSON *tree,
	struct wv_arena *arena)
{
	struct fingerprint_schema schema = target->fingerprint;
	struct wv_str text = { 0 };
	char *line;

	if (type >= 0)
		schema = (struct fingerprint_schema){
			.id = wv_contract_id((enum wv_contract)type),
			.version = WV_CONTRACT_VERSION,
		};
	wv_json_write(&text, fingerprint_make(arena, &schema, tree));
	line = wv_dupn(arena, text.s, text.n);
	wv_str_free(&text);
	return line;
}

static void
judge_tree(const struct judge *judge, const struct target *target,
	struct wv_arena *arena, const struct wv_record *rec,
	struct outcome *outcome)
{
	struct wv_judged *judged = &outcome->judged;
	struct wv_schema_error *errors = NULL;
	int type = target->type, verdict;

	if (type == TARGET_AUTO)
		type = wv_contract_guess(rec->tree);
	if (type == TARGET_SCHEMA) {
		verdict = judge_schema(
			judge, target->schema, rec->tree, arena, &errors);
	} else if (type >= 0) {
		verdict =
			judge_contract(judge, type, rec->tree, arena, &errors);
	} else {
		judged->verdict = WV_UNDECIDED;
		judged->findings = finding_undecided(arena, rec,
			"cannot tell which contract this is: say it with -t");
		return;
	}
	judged->verdict = verdict == 1 ? WV_VALID
		: verdict == 0         ? WV_INVALID
				       : WV_UNDECIDED;
	judged->findings =
		findings_of(arena, rec, verdict, errors, judge->max_errors);
	if (verdict == 1 && judge->fingerprints)
		outcome->fingerprint =
			fingerprint(target, type, rec->tree, arena);
}

bool
judge_record(struct judge *judge, const struct target *target,
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec,
	struct outcome *outcome)
{
	*outcome = (struct outcome){
		.kind = OUTCOME_JUDGED,
		.judged = { .source = rec->source, .line = rec->line },
		.record = rec,
	};
	if (rec->tree == NULL) {
		if (scan(judge, target, rec))
			return true;
		if (!wv_lines_tree(in, arena, rec))
			return false;
	}
	judge_tree(judge, target, arena, rec, outcome);
	return true;
}
