/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "base/clock.h"
#include "contract/contract.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>

/* Where a member of a rule stands, for messages. */
static int
fault(const struct policy *policy, struct wv_err *err, const char *at,
	const char *member, const char *what)
{
	struct wv_str pointer = { 0 };

	wv_str_fmt(&pointer, "%s%s", at, member);
	int result = wv_doc_err(
		&policy->doc, err, pointer.s, "%s: %s", pointer.s, what);
	wv_str_free(&pointer);
	return result;
}

static int
read_schema(struct policy *policy, const cJSON *node, const char *at,
	const struct wv_schema **schema, struct wv_err *err)
{
	/* What is not checked widens: a format, a mistyped keyword. */
	static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;
	struct wv_err inner = WV_ERR_INIT;

	if (node == NULL)
		return 0;
	if (policy->schemas == NULL)
		policy->schemas = wv_schema_set_new(&strict);
	*schema = wv_schema_compile(policy->schemas, node, &inner);
	if (*schema == NULL)
		return fault(policy, err, at, "/arguments", inner.text);
	return 0;
}

/* Remarks ask for nothing. */
static bool
asks(const cJSON *node)
{
	wv_json_each(member, node) {
		if (strncmp(member->string, "x_", 2) != 0)
			return true;
	}
	return false;
}

static int
read_condition(struct policy *policy, const cJSON *node, const char *at,
	struct policy_condition *condition, struct wv_err *err)
{
	if (node == NULL)
		return 0;
	if (!asks(node))
		return fault(policy, err, at, "", "asks for nothing");
	*condition = (struct policy_condition){
		.node = node,
		.capability = wv_get(node, "capability"),
		.principal = wv_get(node, "principal"),
		.safety = wv_get(node, "safety"),
		.tags = wv_get(node, "tags"),
		.risk = wv_get(node, "risk"),
		.roles = wv_get(node, "roles"),
		.attributes = wv_get(node, "attributes"),
		.paths = wv_get(node, "paths"),
	};
	return read_schema(policy, wv_get(node, "arguments"), at,
		&condition->arguments, err);
}

static int
read_limit(struct policy *policy, const cJSON *node, const char *at,
	struct policy_limit *limit, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;

	if (node == NULL)
		return 0;
	wv_num_int64(wv_get(node, "count"), &limit->count);
	if (wv_duration_parse(
		    &limit->per_ms, wv_get_string(node, "per"), &inner) < 0)
		return fault(policy, err, at, "/limit/per", inner.text);
	if (limit->per_ms == 0)
		return fault(policy, err, at, "/limit/per", "no time at all");
	wv_json_each(by, wv_get(node, "by")) {
		if (strcmp(by->valuestring, "principal") == 0)
			limit->by_principal = true;
		else
			limit->by_capability = true;
	}
	return 0;
}

static int
read_rule(struct policy *policy, const cJSON *node, size_t index,
	struct policy_rule *rule, struct wv_err *err)
{
	const char *at = wv_printf(&policy->arena, "/rules/%zu", index);
	const char *in_match = wv_printf(&policy->arena, "%s/match", at);
	const char *in_unless = wv_printf(&policy->arena, "%s/unless", at);
	const cJSON *require = wv_get(node, "require");
	const cJSON *justification = wv_get(require, "justification");

	rule->node = node;
	rule->index = index;
	rule->name = wv_get_string(node, "name");
	if (rule->name == NULL)
		rule->name = wv_printf(&policy->arena, "rule-%zu", index + 1);
	rule->is_deny = strcmp(wv_get_string(node, "effect"), "deny") == 0;
	rule->bound = wv_is_true(wv_get(require, "bound"));
	rule->signed_only = wv_is_true(wv_get(require, "signed"));
	rule->obligations = wv_get(node, "obligations");
	if (justification != NULL &&
		!wv_num_int64(justification, &rule->justification))
		return fault(
			policy, err, at, "/require/justification", "too large");
	if (read_condition(policy, wv_get(node, "match"), in_match,
		    &rule->match, err) < 0 ||
		read_condition(policy, wv_get(node, "unless"), in_unless,
			&rule->unless, err) < 0 ||
		read_limit(policy, wv_get(node, "limit"), at, &rule->limit,
			err) < 0)
		return -1;
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	const struct policy_rule *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Windows and decisions name rules: one name, one rule. */
static int
check_names(const struct policy *policy, struct wv_err *err)
{
	for (size_t i = 1; i < policy->count; i++) {
		const char *name = policy->rules[i].name;
		if (strcmp(policy->rules[i - 1].name, name) == 0)
			return wv_doc_err(&policy->doc, err, "/rules",
				"two rules are named \"%s\"", name);
	}
	return 0;
}

int
policy_load(struct policy *policy, const char *path, struct wv_err *err)
{
	size_t index = 0;

	*policy = (struct policy){ .arena = WV_ARENA_INIT };
	if (wv_doc_load(&policy->doc, &policy->arena, path, err) < 0 ||
		wv_config_check(&policy->doc, "policy", err) < 0)
		return -1;
	wv_sha256_hex(policy->sha256, policy->doc.text, policy->doc.len);

	const cJSON *rules = wv_get(policy->doc.root, "rules");
	policy->count = wv_count(rules);
	policy->rules = wv_alloc_zero(
		&policy->arena, policy->count * sizeof *policy->rules);
	wv_json_each(node, rules) {
		if (read_rule(policy, node, index, &policy->rules[index], err) <
			0)
			return -1;
		index++;
	}
	if (policy->count > 0)
		qsort(policy->rules, policy->count, sizeof *policy->rules,
			by_name);
	return check_names(policy, err);
}

void
policy_free(struct policy *policy)
{
	if (policy->schemas != NULL)
		wv_schema_set_free(policy->schemas);
	wv_arena_free(&policy->arena);
}
