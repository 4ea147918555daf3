/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy that is read judges every request, and whatever it holds: what is
 * allowed has an allow that matches and no deny that does or might; one that
 * is not read is refused for a reason.
 *
 * links: cmd/wv-authorize/judge.c
 * links: cmd/wv-authorize/lint-catalog.c
 * links: cmd/wv-authorize/lint-cover.c
 * links: cmd/wv-authorize/lint-glob.c
 * links: cmd/wv-authorize/lint-schema.c
 * links: cmd/wv-authorize/lint.c
 * links: cmd/wv-authorize/match.c
 * links: cmd/wv-authorize/paths.c
 * links: cmd/wv-authorize/policy.c
 * links: cmd/wv-authorize/protect.c
 */
#include "cmd/wv-authorize/policy.h"

#include "base/msg.h"
#include "file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char *const arguments[] = {
	"{}",
	"{\"pattern\":\"x\",\"n\":7,\"file\":\"/no-srv/a\",\"list\":[1,2]}",
	"{\"file\":\"/no-srv/../no-etc/x\",\"pattern\":null,\"n\":1e400}",
};

static cJSON *
read_arguments(struct wv_arena *arena, size_t i)
{
	size_t n = strlen(arguments[i]);

	return wv_json_read(arena, wv_dupn(arena, arguments[i], n), n,
		&wv_json_defaults, NULL);
}

static void
check(const struct policy *policy, const struct policy_answer *answer)
{
	bool allows = false, denies = false;

	must(answer->code != NULL && answer->reason != NULL);
	for (size_t i = 0; i < policy->count; i++) {
		enum policy_match match = answer->outcomes[i].match;
		if (policy->rules[i].is_deny)
			denies = denies || match != POLICY_NO;
		else
			allows = allows || match == POLICY_YES;
	}
	if (strcmp(answer->code, "allowed") == 0) {
		must(allows && !denies && answer->applied_count > 0);
		must(answer->rule != NULL);
	}
}

static void
ask(const struct policy *policy, struct wv_arena *arena, size_t i)
{
	static const struct wv_token token = { .id = "t" };
	struct wv_capability capability = { .id = "org.demo.search_text",
		.safety = "read" };
	struct policy_answer answer;
	struct policy_query query = {
		.capability_id = "org.demo.search_text",
		.principal = "agent-1",
		.arguments = read_arguments(arena, i),
		.token = &token,
	};

	policy_judge(policy, &query, arena, &answer);
	check(policy, &answer);
	capability.node = wv_json_object(arena);
	query.capability = &capability;
	query.is_signed = true;
	query.has_roles = true;
	policy_judge(policy, &query, arena, &answer);
	check(policy, &answer);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct wv_arena arena;
	struct wv_err err = WV_ERR_INIT;
	struct policy policy;
	int status = policy_load(&policy, file_of(data, size), &err);

	wv_quiet = true;
	must((status < 0) == wv_err_is_set(&err));
	if (status == 0) {
		for (size_t i = 0; i < sizeof arguments / sizeof *arguments;
			i++)
			ask(&policy, &arena, i);
		policy_lint(&policy, NULL);
	}
	policy_free(&policy);
	wv_arena_reset(&arena);
	return 0;
}
