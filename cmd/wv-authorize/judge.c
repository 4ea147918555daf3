/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"

#include "firewall/firewall.h"
#include "json/num.h"
#include "json/utf8.h"

#include <string.h>

/* What the rules said; they are sorted by name, so that the first of a kind
 * does not depend on the file's order. */
struct tally {
	const struct policy_rule *deny, *protects, *deny_unknown, *allow,
		*allow_unknown, *arguments;
	/* The allows that match, and those that may: such a one gives nothing,
	 * but what it asks for and obliges to holds. */
	const struct policy_rule **applied;
	size_t applied_count;
};

static void
first(const struct policy_rule **slot, const struct policy_rule *rule)
{
	if (*slot == NULL)
		*slot = rule;
}

static void
count_deny(struct tally *tally, const struct policy_rule *rule,
	enum policy_match match)
{
	if (match == POLICY_YES)
		first(&tally->deny, rule);
	else if (match == POLICY_UNKNOWN)
		first(&tally->deny_unknown, rule);
}

static void
count_allow(struct tally *tally, const struct policy_rule *rule,
	enum policy_match match, bool only_arguments)
{
	if (match != POLICY_NO)
		tally->applied[tally->applied_count++] = rule;
	if (match == POLICY_YES)
		first(&tally->allow, rule);
	else if (match == POLICY_UNKNOWN)
		first(&tally->allow_unknown, rule);
	else if (only_arguments)
		first(&tally->arguments, rule);
}

/* Asks every rule. */
static void
count_rules(struct tally *tally, struct policy_subject *subject,
	struct policy_outcome *outcomes)
{
	for (size_t i = 0; i < subject->policy->count; i++) {
		const struct policy_rule *rule = &subject->policy->rules[i];
		bool only_arguments;

		outcomes[i] = policy_rule_match(subject, rule, &only_arguments);
		if (rule->is_deny)
			count_deny(tally, rule, outcomes[i].match);
		else
			count_allow(
				tally, rule, outcomes[i].match, only_arguments);
		if (policy_rule_meets_protected(subject, rule))
			first(&tally->protects, rule);
	}
}

static void
refuse(struct policy_answer *answer, struct wv_arena *arena, const char *code,
	const struct policy_rule *rule, const char *what)
{
	answer->code = code;
	answer->rule = rule->name;
	answer->reason = wv_printf(arena, "rule \"%s\" %s", rule->name, what);
}

/* Whether no deny stands in the way and some allow applies. */
static bool
rules_allow(const struct tally *tally, struct wv_arena *arena,
	struct policy_answer *answer)
{
	if (tally->deny != NULL) {
		refuse(answer, arena, "policy_deny", tally->deny, "denies it");
	} else if (tally->protects != NULL) {
		refuse(answer, arena, "policy_deny", tally->protects,
			"allows no path to the kernel's own files");
	} else if (tally->deny_unknown != NULL) {
		refuse(answer, arena, "indeterminate", tally->deny_unknown,
			"may deny it: that cannot be told");
	} else if (tally->allow != NULL) {
		return true;
	} else if (tally->allow_unknown != NULL) {
		refuse(answer, arena, "indeterminate", tally->allow_unknown,
			"would have to allow it: that cannot be told");
	} else if (tally->arguments != NULL) {
		refuse(answer, arena, "arguments_invalid", tally->arguments,
			"does not allow these arguments");
	} else {
		answer->code = "no_matching_rule";
		answer->reason = "no rule of the policy allows it";
	}
	return false;
}

static bool
is_space(uint32_t c)
{
	return c <= 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
		(c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 ||
		c == 0x202f || c == 0x205f || c == 0x2800 || c == 0x3000;
}

/* Characters that a reader would see: white space and the invisible ones are
 * no justification. */
static int64_t
visible_characters(const cJSON *text)
{
	struct wv_findings findings = { 0 };
	struct wv_str raw = { 0 }, clean = { 0 };
	int64_t count = 0;

	if (!wv_is_string(text))
		return 0;
	wv_json_bytes(text, &raw);
	wv_clean(&clean, raw.s, raw.n, &findings);
	for (size_t i = 0; i < clean.n;) {
		uint32_t c = 0;
		int n = wv_utf8_get(
			(const unsigned char *)clean.s + i, clean.n - i, &c);
		i += n > 0 ? (size_t)n : 1;
		count += n > 0 && !is_space(c);
	}
	wv_str_free(&raw);
	wv_str_free(&clean);
	return count;
}

static bool
is_justified(const struct tally *tally, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer)
{
	int64_t visible = -1;

	for (size_t i = 0; i < tally->applied_count; i++) {
		const struct policy_rule *rule = tally->applied[i];
		if (rule->justification == 0)
			continue;
		if (visible < 0)
			visible = visible_characters(query->justification);
		if (visible < rule->justification) {
			refuse(answer, arena, "justification_required", rule,
				wv_printf(arena,
					"asks for a justification of %lld "
					"visible characters",
					(long long)rule->justification));
			return false;
		}
	}
	return true;
}

static bool
is_signed(const struct tally *tally, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer)
{
	for (size_t i = 0; i < tally->applied_count && !query->is_signed; i++) {
		const struct policy_rule *rule = tally->applied[i];
		if (rule->signed_only) {
			refuse(answer, arena, "signature_required", rule,
				"asks for a token that is signed by a key of "
				"the keyring");
			return false;
		}
	}
	return true;
}

static bool
is_approved(const struct tally *tally, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer)
{
	bool approved = query->token->single_use &&
		query->token->arguments_sha256 != NULL;

	for (size_t i = 0; i < tally->applied_count && !approved; i++) {
		const struct policy_rule *rule = tally->applied[i];
		if (rule->bound) {
			refuse(answer, arena, "approval_required", rule,
				"asks for an approval: a single-use token "
				"bound to these arguments");
			return false;
		}
	}
	return true;
}

/* The strictest mode first. */
static const char *const modes[] = { "handle_only", "summary", "table" };

static size_t
mode_rank(const cJSON *mode)
{
	size_t rank = 0;

	while (strcmp(mode->valuestring, modes[rank]) != 0)
		rank++;
	return rank;
}

static bool
is_stricter(const cJSON *a, const cJSON *b)
{
	if (wv_is_number(a))
		return wv_num_cmp(a, b) < 0;
	return mode_rank(a) < mode_rank(b);
}

/* Under all of them: the least number, the strictest mode. */
static cJSON *
meet(const struct tally *tally, struct wv_arena *arena)
{
	cJSON *met = NULL;

	for (size_t i = 0; i < tally->applied_count; i++) {
		wv_json_each(item, tally->applied[i]->obligations) {
			const cJSON *had = wv_get(met, item->string);
			if (strncmp(item->string, "x_", 2) == 0 ||
				(had != NULL && !is_stricter(item, had)))
				continue;
			if (met == NULL)
				met = wv_json_object(arena);
			wv_put(arena, met, item->string,
				wv_json_copy(arena, item));
		}
	}
	return met;
}

/* Of those that allow. */
static void
name_rules(const struct policy *policy, const struct tally *tally,
	struct wv_arena *arena, struct policy_answer *answer)
{
	struct wv_str names = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < tally->applied_count; i++) {
		const struct policy_rule *rule = tally->applied[i];
		if (answer->outcomes[rule - policy->rules].match != POLICY_YES)
			continue;
		if (count++ > 0)
			wv_str_cat(&names, ", ");
		wv_str_cat(&names, rule->name);
	}
	answer->rule = wv_dupn(arena, names.s, names.n);
	wv_str_free(&names);
	answer->reason = count == 1
		? wv_printf(arena, "rule \"%s\" allows it", answer->rule)
		: wv_printf(arena, "rules %s allow it", answer->rule);
}

/* Where the tool works, if the catalogue says so and no matter from where it
 * is called. */
static const char *
working_folder(const struct wv_capability *capability)
{
	const char *folder = NULL;

	if (capability != NULL && capability->is_tool) {
		const cJSON *server = wv_get(capability->node, "server");
		folder = wv_get_string(
			server != NULL ? server : capability->node, "dir");
	}
	return folder != NULL && *folder == '/' ? folder : NULL;
}

void
policy_judge(const struct policy *policy, const struct policy_query *query,
	struct wv_arena *arena, struct policy_answer *answer)
{
	struct policy_subject subject = {
		.policy = policy,
		.query = query,
		.paths = { .arena = arena,
			.folder = working_folder(query->capability),
			.places = policy->places },
	};
	struct tally tally = { 0 };

	*answer = (struct policy_answer){ 0 };
	answer->outcomes =
		wv_alloc(arena, policy->count * sizeof *answer->outcomes);
	tally.applied = wv_alloc(arena, policy->count * sizeof *tally.applied);
	count_rules(&tally, &subject, answer->outcomes);
	if (!rules_allow(&tally, arena, answer))
		return;
	if (!query->is_again &&
		(!is_justified(&tally, query, arena, answer) ||
			!is_signed(&tally, query, arena, answer) ||
			!is_approved(&tally, query, arena, answer)))
		return;
	answer->code = "allowed";
	name_rules(policy, &tally, arena, answer);
	answer->obligations = meet(&tally, arena);
	answer->applied = tally.applied;
	answer->applied_count = tally.applied_count;
}
