/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <string.h>

enum { MAX_MESSAGE = 400 };

/* The member that holds the signature of a type; NULL: it is not signed. */
static const char *
signature_of(int type)
{
	switch (type) {
	case WV_CAPABILITY_TOKEN:
		return "x_weaver_signature";
	case WV_TRACE_BUNDLE:
		return "signature";
	default:
		return NULL;
	}
}

/* Whether a signature is looked at: that takes a tree. */
static bool
is_signed_type(const struct judge *judge, int type)
{
	return judge->keyring != NULL && signature_of(type) != NULL;
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
	return wv_schema_errors(schema, tree, judge->rules.branches, arena,
		judge->rules.max, errors);
}

static void
add_error(struct wv_schema_error **errors, struct wv_arena *arena,
	const char *instance, const struct wv_err *why)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);
	struct wv_str clean = { 0 };

	wv_str_foreign(&clean, why->text, strlen(why->text), MAX_MESSAGE);
	error->instance = instance;
	error->keyword = "signature";
	error->message = wv_dup(arena, clean.s);
	wv_str_free(&clean);
	while (*errors != NULL)
		errors = &(*errors)->next;
	*errors = error;
}

/* Of a signature that is right. */
static bool
may_sign(const struct judge *judge, int type, const cJSON *value,
	const char *member, struct wv_err *why)
{
	struct wv_key_claim claim = {
		.use = type == WV_CAPABILITY_TOKEN ? WV_KEY_TOKEN
						   : WV_KEY_BUNDLE,
		.principal = wv_get_string(value, "principal"),
		.scope = wv_get(value, "scope"),
		.now = wv_now(),
	};

	return wv_keyring_permits(judge->keyring,
		       wv_get_string(wv_get(value, member), "kid"), &claim,
		       why) == 0;
}

/*
 * One more rule of a record that is valid by its schema: 1 if its type is none
 * that is signed, the signature is by a key of the keyring that may, or there
 * is none and none is required.
 */
static int
judge_signature(const struct judge *judge, int type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	const char *member = signature_of(type);
	struct wv_err why = WV_ERR_INIT;
	enum wv_signature found;

	if (member == NULL)
		return 1;
	found = wv_signature_check(value, member, judge->keyring, &why);
	if (found == WV_NOT_SIGNED && !judge->require_signed)
		return 1;
	if (found == WV_SIGNED && may_sign(judge, type, value, member, &why))
		return 1;
	add_error(errors, arena,
		found == WV_NOT_SIGNED ? "" : wv_printf(arena, "/%s", member),
		&why);
	return 0;
}

static int
judge_contract(const struct judge *judge, int type, const cJSON *tree,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	int verdict = wv_contract_judge(
		(enum wv_contract)type, tree, &judge->rules, arena, errors);

	if (verdict == 1 && judge->keyring != NULL)
		verdict = judge_signature(judge, type, tree, arena, errors);
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
		findings_of(arena, rec, verdict, errors, judge->rules.max);
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
