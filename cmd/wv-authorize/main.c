/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "base/id.h"
#include "base/msg.h"
#include "base/opt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_PRINCIPAL = 256,
	OPT_TRUST_UNSIGNED,
	OPT_TTL,
	OPT_LEEWAY,
	OPT_EXPLAIN,
	OPT_DRY_RUN,
	OPT_LINT,
	TTL_MS = 15 * 60 * 1000,
	LEEWAY_MAX_MS = 10 * 60 * 1000,
};

static const struct wv_opt opts_table[] = {
	{ 'p', "policy", "FILE", "the policy (WV_POLICY)" },
	{ 'k', "token", "FILE", "CapabilityTokens (WV_TOKEN)" },
	{ 'c', "catalog", "FILE",
		"refuse what is not in it; may be repeated (WV_CATALOG)" },
	{ OPT_PRINCIPAL, "principal", "P",
		"who asks; default: whom the token names (WV_PRINCIPAL)" },
	{ OPT_TRUST_UNSIGNED, "trust-unsigned", NULL,
		"accept tokens that were not issued here" },
	{ OPT_TTL, "decision-ttl", "D", "how long an allow is good (15m)" },
	{ OPT_LEEWAY, "leeway", "D",
		"allow for clocks that differ by so much (0s, at most 10m)" },
	{ OPT_EXPLAIN, "explain", NULL, "tell every check, on stderr" },
	{ OPT_DRY_RUN, "dry-run", NULL,
		"decide, but use up and record nothing" },
	{ OPT_LINT, "lint", "POLICY", "judge a policy file, decide nothing" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"-p POLICY -k TOKENS [option...] [FILE...]",
	"--lint POLICY",
	NULL,
};

static const struct wv_cmd cmd = {
	.tool = "wv-authorize",
	.synopsis = synopsis,
	.about = "Reads RoutingDecisions that select something, checks token "
		 "and policy, and writes a PolicyDecision for each.",
	.opts = opts_table,
	.examples =
		"  wv-authorize -p policy.yaml -k token.json routed.jsonl |\n"
		"    wv-call -T tools.yaml\n",
};

struct settings {
	struct authorizer a;
	struct wv_lines_options lines;
	const char *policy, *tokens, *state, *lint;
	int64_t leeway_ms;
};

static void
add_catalog(struct authorizer *a, const char *path)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_catalog_load(&a->catalog, &a->arena, path, &err) < 0)
		wv_die_err(&err);
	a->has_catalog = true;
}

static int64_t
leeway(const struct wv_opts *opts)
{
	int64_t ms = wv_opt_duration(opts, "--leeway", opts->value);

	if (ms > LEEWAY_MAX_MS)
		wv_usage(opts, "--leeway: at most 10m");
	return ms;
}

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	struct authorizer *a = &s->a;

	switch (id) {
	case 'p':
		s->policy = opts->value;
		break;
	case 'k':
		s->tokens = opts->value;
		break;
	case 'c':
		add_catalog(a, opts->value);
		break;
	case OPT_PRINCIPAL:
		a->principal = opts->value;
		break;
	case OPT_TRUST_UNSIGNED:
		a->trust_unsigned = true;
		break;
	case OPT_TTL:
		a->ttl_ms =
			wv_opt_duration(opts, "--decision-ttl", opts->value);
		break;
	case OPT_LEEWAY:
		s->leeway_ms = leeway(opts);
		break;
	case OPT_EXPLAIN:
		a->explain = true;
		break;
	case OPT_DRY_RUN:
		a->dry_run = true;
		break;
	case OPT_LINT:
		s->lint = opts->value;
		break;
	default:
		if (!wv_doc_option(id, opts) &&
			!wv_state_option(&s->state, id, opts))
			wv_lines_option(&s->lines, id, opts);
	}
}

static const char *
or_env(const char *value, const char *name)
{
	const char *env = getenv(name);

	if (value == NULL && env != NULL && *env != '\0')
		return env;
	return value;
}

static void
read_options(struct settings *s, struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;
	int id;

	while ((id = wv_opt_next(opts)) != 0)
		take_option(s, opts, id);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	if (s->lint != NULL)
		return;
	s->policy = or_env(s->policy, "WV_POLICY");
	s->tokens = or_env(s->tokens, "WV_TOKEN");
	s->a.principal = or_env(s->a.principal, "WV_PRINCIPAL");
	const char *catalog = or_env(NULL, "WV_CATALOG");
	if (!s->a.has_catalog && catalog != NULL)
		add_catalog(&s->a, catalog);
	if (s->policy == NULL)
		wv_usage(opts, "no policy: -p FILE");
	if (s->tokens == NULL)
		wv_usage(opts, "no token: -k FILE");
	if (strcmp(s->policy, "-") == 0 || strcmp(s->tokens, "-") == 0)
		wv_usage(opts, "standard input is for the records");
	if (s->a.principal != NULL && !is_principal(s->a.principal))
		wv_usage(opts, "--principal: not a principal's id");
	if (opts->operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

/* Everything is read whole before the first record: nothing is decided by
 * half a policy. */
static void
load(struct settings *s)
{
	struct authorizer *a = &s->a;
	struct wv_err err = WV_ERR_INIT;

	if (policy_load(&a->policy, s->policy, &err) < 0)
		wv_die_err(&err);
	tokens_load(a, s->tokens, s->leeway_ms);
	a->state = wv_state_need(
		s->state, a->dry_run ? WV_STATE_READ : WV_STATE_WRITE, false);
}

static int
lint(const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	struct policy policy;
	int status = WV_TROUBLE;

	if (policy_load(&policy, path, &err) < 0)
		wv_warn_err(&err);
	else
		status = policy_lint(&policy) > 0 ? WV_NO : WV_YES;
	policy_free(&policy);
	return status;
}

/*
 * The whole records that are in the buffer, at least one if there is any;
 * *count is how many there is something to decide for.  False at the end of
 * the input.
 */
static bool
read_group(struct settings *s, struct wv_lines *in, struct wv_arena *arena,
	struct request *requests, size_t *count)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_record rec;
	int got;

	*count = 0;
	do {
		got = wv_lines_next(in, arena, &rec);
		if (got != 1) /* the end, or all that was ready is bad */
			return got == WV_LINES_WAIT;
		if (request_check(&rec, arena, &err) < 0) {
			wv_lines_bad(in, &rec, &err);
			wv_err_clear(&err);
			s->a.counts.malformed++;
			continue;
		}
		struct request *request = &requests[*count];
		request_read(&s->a, request, &rec, arena);
		if (request->selection.end == WV_SELECTED_NO_MATCH) {
			wv_warn("%s:%zu: nothing matched, nothing to decide",
				rec.source, rec.line);
			s->a.counts.unmatched++;
			continue;
		}
		++*count;
	} while (*count < GROUP_MAX && wv_lines_ready(in));
	return true;
}

static void
decide_all(struct settings *s, struct wv_lines *in, struct wv_out *out)
{
	struct request *requests = wv_xcalloc(GROUP_MAX, sizeof *requests);
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	size_t count;
	bool more;

	do {
		more = read_group(s, in, &arena, requests, &count);
		if (count > 0 &&
			decide_group(
				&s->a, requests, count, &arena, out, &err) < 0)
			wv_die_err(&err);
		if (wv_out_flush(out, &err) < 0)
			wv_die_err(&err);
		wv_arena_reset(&arena);
	} while (more);
	wv_arena_free(&arena);
	free(requests);
}

static int
authorize(struct settings *s, char *const *files)
{
	struct authorizer *a = &s->a;
	int status = WV_YES;
	struct wv_lines in;
	struct wv_out out;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_lines_open(&in, files, &s->lines, &out);
	decide_all(s, &in, &out);
	if (a->counts.denied > 0 || a->counts.unmatched > 0)
		status = WV_NO;
	status = wv_worse(status, wv_lines_close(&in));
	wv_out_end(&out);
	wv_note("%zu allowed, %zu denied, %zu without a match, %zu malformed",
		a->counts.allowed, a->counts.denied, a->counts.unmatched,
		a->counts.malformed + in.counts.malformed);
	return status;
}

int
main(int argc, char **argv)
{
	struct settings s = {
		.a = { .arena = WV_ARENA_INIT, .ttl_ms = TTL_MS },
		.lines = WV_LINES_OPTIONS_INIT,
	};
	struct wv_opts opts;
	int status;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&s, &opts);
	if (s.lint != NULL) {
		status = lint(s.lint);
	} else {
		load(&s);
		status = authorize(&s, opts.operands);
		wv_state_close(s.a.state);
		policy_free(&s.a.policy);
	}
	wv_catalog_free(&s.a.catalog);
	free(s.a.tokens);
	wv_arena_free(&s.a.arena);
	wv_opt_end(&opts);
	return status;
}
