/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include "base/id.h"
#include "base/msg.h"
#include "kernel/harden.h"
#include "report/report.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	OPT_PRINCIPAL = 256,
	OPT_KEYRING,
	OPT_REQUIRE_SIGNED,
	OPT_TRUST_UNSIGNED,
	OPT_TTL,
	OPT_LEEWAY,
	OPT_EXPLAIN,
	OPT_DRY_RUN,
	OPT_LINT,
	OPT_TEST,
	OPT_STRICT,
	TTL_MS = 15 * 60 * 1000,
};

static const struct wv_opt opts_table[] = {
	{ 'p', "policy", "FILE", "the policy (WV_POLICY)" },
	{ 'k', "token", "FILE", "CapabilityTokens (WV_TOKEN)" },
	{ 'c', "catalog", "FILE",
		"refuse what is not in it; may be repeated (WV_CATALOG)" },
	{ OPT_PRINCIPAL, "principal", "P",
		"who asks; default: whom the token names (WV_PRINCIPAL)" },
	{ OPT_KEYRING, "keyring", "FILE",
		"accept tokens signed by its keys (WV_KEYRING)" },
	{ OPT_REQUIRE_SIGNED, "require-signed", NULL,
		"accept no other tokens than those" },
	{ OPT_TRUST_UNSIGNED, "trust-unsigned", NULL,
		"accept tokens that nobody vouches for" },
	{ OPT_TTL, "decision-ttl", "D", "how long an allow is good (15m)" },
	{ OPT_LEEWAY, "leeway", "D",
		"allow for clocks that differ by so much (0s, at most 10m)" },
	{ OPT_EXPLAIN, "explain", NULL, "tell every check, on stderr" },
	{ OPT_DRY_RUN, "dry-run", NULL,
		"decide, but use up and record nothing" },
	{ OPT_LINT, "lint", "POLICY", "judge a policy file, decide nothing" },
	{ OPT_TEST, "test", "CASES",
		"judge the policy by a table of cases, decide nothing" },
	{ OPT_STRICT, "strict", NULL,
		"--test: every case says a code, and every rule has a case" },
	{ 'f', "format", "FORMAT[=FILE]",
		"--test: report as text, verdicts, json, junit, tap, sarif or "
		"github; may be repeated" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"-p POLICY -k TOKENS [option...] [FILE...]",
	"--lint POLICY [-c CATALOG...]",
	"--test CASES -p POLICY [-c CATALOG...] [--strict] "
	"[-f FORMAT[=FILE]...]",
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

static int64_t
decision_ttl(const struct wv_opts *opts)
{
	int64_t ms = wv_opt_duration(opts, "--decision-ttl", opts->value);

	if (ms == 0)
		wv_usage(opts, "--decision-ttl: no time at all");
	return ms;
}

/* What goes with --test, and what is about how to read. */
static void
take_mode_option(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_LINT:
		s->lint = opts->value;
		break;
	case OPT_TEST:
		s->test = opts->value;
		break;
	case OPT_STRICT:
		s->strict = true;
		break;
	case 'f':
		s->formats =
			settings_add(s->formats, &s->format_count, opts->value);
		break;
	default:
		if (!wv_doc_option(id, opts) &&
			!wv_state_option(&s->from.state, id, opts))
			wv_lines_option(&s->lines, id, opts);
	}
}

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	struct sources *from = &s->from;
	struct authorizer *a = &s->a;

	switch (id) {
	case 'p':
		from->policy = opts->value;
		break;
	case 'k':
		from->tokens = opts->value;
		break;
	case 'c':
		from->catalogs = settings_add(
			from->catalogs, &from->catalog_count, opts->value);
		break;
	case OPT_PRINCIPAL:
		a->principal = opts->value;
		break;
	case OPT_KEYRING:
		from->keyring = opts->value;
		break;
	case OPT_REQUIRE_SIGNED:
		a->trust.signed_only = true;
		break;
	case OPT_TRUST_UNSIGNED:
		a->trust.unsigned_too = true;
		break;
	case OPT_TTL:
		a->ttl_ms = decision_ttl(opts);
		break;
	case OPT_LEEWAY:
		a->leeway_ms = wv_leeway_option(opts);
		break;
	case OPT_EXPLAIN:
		a->explain = true;
		break;
	case OPT_DRY_RUN:
		a->dry_run = true;
		break;
	default:
		take_mode_option(s, opts, id);
	}
}

static int
lint(struct settings *s, const struct wv_opts *opts)
{
	struct authorizer *a = &s->a;

	if (s->test != NULL || opts->operand_count > 0)
		wv_usage(opts, "--lint judges one policy and nothing else");
	s->from.policy = s->lint;
	load_policy(a, &s->from);
	return policy_lint(&a->policy, a->has_catalog ? &a->catalog : NULL) > 0
		? WV_NO
		: WV_YES;
}

static struct wv_reports *
open_reports(const struct settings *s, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reports *reports;

	if (s->format_count == 0)
		return NULL;
	reports = wv_reports_new("wv-authorize", WV_VERSION);
	for (size_t i = 0; i < s->format_count; i++) {
		if (wv_reports_add(reports, s->formats[i], &err) < 0)
			wv_usage(opts, "--format: %s", err.text);
	}
	return reports;
}

static int
test(struct settings *s, const struct wv_opts *opts)
{
	load_policy(&s->a, &s->from);
	return table_run(
		&s->a, s->test, &s->lines, open_reports(s, opts), s->strict);
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
		if (request_check(rec.tree, arena, &err) < 0) {
			wv_lines_bad(in, &rec, &err);
			wv_err_clear(&err);
			s->a.counts.malformed++;
			continue;
		}
		struct request *request = &requests[*count];
		request_read(&s->a, request, rec.tree, arena);
		request->source = rec.source;
		request->line = rec.line;
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

static int
run(struct settings *s, const struct wv_opts *opts)
{
	if (s->lint != NULL)
		return lint(s, opts);
	settings_check(s, opts);
	if (s->test != NULL)
		return test(s, opts);
	load_world(&s->a, &s->from);
	return authorize(s, opts->operands);
}

int
main(int argc, char **argv)
{
	struct settings s = {
		.a = { .arena = WV_ARENA_INIT, .ttl_ms = TTL_MS },
		.lines = WV_LINES_OPTIONS_INIT,
	};
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	wv_process_harden();
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&s, &opts, id);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	status = run(&s, &opts);
	unload(&s.a);
	free(s.from.catalogs);
	free(s.formats);
	wv_opt_end(&opts);
	return status;
}
