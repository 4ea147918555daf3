/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "show.h"

#include "base/msg.h"
#include "json/doc.h"
#include "schema/format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_DRAFT = 256,
	OPT_RESOLVE,
	OPT_ASSERT_FORMAT,
	OPT_DISABLE_FORMAT,
	OPT_MAP,
	OPT_CHECK,
	OPT_STRICT,
	OPT_SCHEMA_ONLY,
	OPT_WARN_UNKNOWN,
	OPT_KEYRING,
	OPT_REQUIRE_SIGNED,
	OPT_FINGERPRINT,
	OPT_EXPECT_FINGERPRINT,
	OPT_EXPECT_INVALID,
	OPT_EXPECT,
	OPT_REJECTS,
	OPT_MAX_ERRORS,
	OPT_LINT,
	OPT_LIST_TYPES,
	OPT_PRINT_SCHEMA,
	OPT_PRINT_EXAMPLE,
	OPT_CORPUS,
	OPT_BUNDLE,
	OPT_EMIT_RESULT,
	OPT_EMIT_BADGE,
	OPT_NOW,
	MAX_ERRORS = 100,
	MAX_JOBS = 256,
};

static const struct wv_opt opts_table[] = {
	{ 't', "type", "TYPE", "the contract of the records (auto)" },
	{ 's', "schema", "FILE", "a JSON Schema to judge them by instead" },
	{ OPT_MAP, "map", "GLOB=TYPE",
		"of files with such a name the contract, or the path of a "
		"schema; may be repeated, the first that fits counts" },
	{ OPT_DRAFT, "draft", "NAME",
		"of a schema that does not say (draft2020-12)" },
	{ OPT_RESOLVE, "resolve", "PREFIX=DIR",
		"schemas with such URIs are files beneath DIR; may be "
		"repeated" },
	{ OPT_ASSERT_FORMAT, "assert-format", NULL,
		"format in a schema is no mere annotation" },
	{ OPT_DISABLE_FORMAT, "disable-format", "NAME",
		"but this one is; may be repeated" },
	{ OPT_CHECK, "check", NULL, "judge only: write no records" },
	{ 'f', "format", "FORMAT[=FILE]",
		"report as text, verdicts, json, junit, tap, sarif or "
		"github, and write no records; may be repeated" },
	{ OPT_STRICT, "strict", NULL,
		"what is wrong with attached Extended objects is an error" },
	{ OPT_SCHEMA_ONLY, "schema-only", NULL,
		"neither invariants nor attached objects" },
	{ OPT_WARN_UNKNOWN, "warn-unknown", NULL,
		"warn of members that look like mistyped ones" },
	{ OPT_KEYRING, "keyring", "FILE", "check signatures (WV_KEYRING)" },
	{ OPT_REQUIRE_SIGNED, "require-signed", NULL,
		"tokens and bundles without a signature are invalid" },
	{ OPT_FINGERPRINT, "fingerprint", NULL,
		"write the SchemaFingerprint of each valid record instead" },
	{ OPT_EXPECT_FINGERPRINT, "expect-fingerprint", "FILE",
		"refuse what differs from the fingerprints in FILE" },
	{ OPT_EXPECT_INVALID, "expect-invalid", NULL,
		"every record must be invalid" },
	{ OPT_EXPECT, "expect", "FILE",
		"which files must be invalid, and by what" },
	WV_WALK_OPTS,
	{ OPT_REJECTS, "rejects", "FILE",
		"write records that are not valid there, as they came" },
	{ OPT_MAX_ERRORS, "max-errors", "N",
		"most faults told of a record (100)" },
	{ 'j', "jobs", "N", "judge with N processes (1)" },
	{ OPT_LINT, "lint", "SCHEMA", "judge schemas, read no records" },
	{ OPT_LIST_TYPES, "list-types", NULL, "print the names of all types" },
	{ OPT_PRINT_SCHEMA, "print-schema", "TYPE",
		"print the schema of a type" },
	{ OPT_PRINT_EXAMPLE, "print-example", "TYPE",
		"print an example of a type" },
	{ OPT_CORPUS, "corpus", "FILE", "run a conformance corpus" },
	{ OPT_BUNDLE, "bundle", "FILE", "judge the conformance of a bundle" },
	{ OPT_EMIT_RESULT, "emit-result", "FILE",
		"write a ConformanceResult there" },
	{ OPT_EMIT_BADGE, "emit-badge", "FILE", "write a badge there" },
	{ OPT_NOW, "now", "TIME", "what time it is, for tests" },
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"[-t TYPE | -s SCHEMA] [option...] [FILE|DIR...]",
	"--lint SCHEMA [SCHEMA...]",
	"--corpus FILE | --bundle FILE [option...]",
	"--list-types | --print-schema TYPE | --print-example TYPE",
	NULL,
};

static const struct wv_cmd cmd = {
	.tool = "wv-validate",
	.synopsis = synopsis,
	.about = "Reads records, judges each by its contract or a JSON Schema, "
		 "and writes those that are valid.",
	.opts = opts_table,
	.examples = "  wv-validate --check payloads/\n"
		    "  wv-validate -t trace_event audit.jsonl >good.jsonl\n"
		    "  wv-validate -s schema.json -f junit=report.xml data/\n",
	.carries = "contracts " WV_CONTRACT_VERSION,
};

static void
add_value(struct values *values, const char *value)
{
	values->list = wv_xrealloc(
		values->list, (values->count + 2) * sizeof *values->list);
	values->list[values->count++] = value;
	values->list[values->count] = NULL;
}

/* What the records are judged by. */
static bool
take_judgement(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 't':
		s->type = opts->value;
		return true;
	case 's':
		s->schema = opts->value;
		return true;
	case OPT_MAP:
		add_value(&s->map, opts->value);
		return true;
	case OPT_DRAFT:
		s->schemas.draft = (enum wv_draft)wv_opt_choice(
			opts, "--draft", opts->value, wv_draft_names());
		return true;
	case OPT_RESOLVE:
		add_value(&s->resolve, opts->value);
		return true;
	case OPT_ASSERT_FORMAT:
		s->schemas.assert_format = true;
		return true;
	case OPT_DISABLE_FORMAT:
		wv_opt_choice(opts, "--disable-format", opts->value,
			wv_format_names());
		add_value(&s->no_formats, opts->value);
		return true;
	case OPT_STRICT:
		s->rules.strict = true;
		return true;
	case OPT_SCHEMA_ONLY:
		s->rules.schema_only = true;
		return true;
	case OPT_WARN_UNKNOWN:
		s->rules.near_misses = true;
		return true;
	case OPT_KEYRING:
		s->keyring = opts->value;
		return true;
	case OPT_REQUIRE_SIGNED:
		s->require_signed = true;
		return true;
	default:
		return false;
	}
}

/* Which records there are, and what becomes of them. */
static bool
take_stream(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_CHECK:
		s->check = true;
		return true;
	case 'f':
		add_value(&s->formats, opts->value);
		return true;
	case OPT_FINGERPRINT:
		s->fingerprint = true;
		return true;
	case OPT_EXPECT_FINGERPRINT:
		s->expect_fingerprint = opts->value;
		return true;
	case OPT_EXPECT_INVALID:
		s->expect_invalid = true;
		return true;
	case OPT_EXPECT:
		s->expect = opts->value;
		return true;
	case OPT_REJECTS:
		s->rejects = opts->value;
		return true;
	case OPT_MAX_ERRORS:
		s->rules.max = (size_t)wv_opt_int(
			opts, "--max-errors", opts->value, 1, INT32_MAX);
		return true;
	case 'j':
		s->jobs = (size_t)wv_opt_int(
			opts, "--jobs", opts->value, 1, MAX_JOBS);
		return true;
	default:
		return wv_walk_option(&s->walk, id, opts) ||
			wv_lines_option(&s->lines, id, opts) ||
			wv_doc_option(id, opts);
	}
}

/* What else there is to do. */
static void
take_other(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_LINT:
		s->lint = opts->value;
		break;
	case OPT_LIST_TYPES:
		s->list_types = true;
		break;
	case OPT_PRINT_SCHEMA:
		s->print_schema = opts->value;
		break;
	case OPT_PRINT_EXAMPLE:
		s->print_example = opts->value;
		break;
	case OPT_CORPUS:
		s->corpus.corpus = opts->value;
		break;
	case OPT_BUNDLE:
		s->corpus.bundle = opts->value;
		break;
	case OPT_EMIT_RESULT:
		s->corpus.emit_result = opts->value;
		break;
	case OPT_EMIT_BADGE:
		s->corpus.emit_badge = opts->value;
		break;
	case OPT_NOW:
		wv_opt_now(opts);
		break;
	}
}

static bool
is_conformance(const struct settings *s)
{
	return s->corpus.corpus != NULL || s->corpus.bundle != NULL;
}

/* An option that would do nothing is one that was misunderstood. */
static void
check_judgement(const struct settings *s, const struct wv_opts *opts)
{
	const struct wv_contract_rules *rules = &s->rules;
	bool has_schema =
		s->schema != NULL || s->lint != NULL || s->map.count > 0;

	if (s->type != NULL && s->schema != NULL)
		wv_usage(opts, "-t and -s: records are judged by one of them");
	if (!has_schema &&
		(s->schemas.assert_format || s->no_formats.count > 0 ||
			s->resolve.count > 0))
		wv_usage(opts,
			"--assert-format, --disable-format and --resolve are "
			"about a schema: -s, --map or --lint");
	if (s->schema != NULL && s->map.count == 0 &&
		(rules->strict || rules->schema_only || rules->near_misses))
		wv_usage(opts,
			"--strict, --schema-only and --warn-unknown are about "
			"contracts, -s is none");
	if (s->lint != NULL && s->formats.count > 0)
		wv_usage(opts,
			"--lint tells on standard error; -f is about "
			"records");
	if (rules->strict && rules->schema_only)
		wv_usage(opts,
			"--schema-only leaves out what --strict is "
			"about");
}

static void
take_keyring(struct settings *s, const struct wv_opts *opts)
{
	if (s->schema != NULL && s->map.count == 0 &&
		(s->keyring != NULL || s->require_signed))
		wv_usage(opts,
			"--keyring and --require-signed are about contracts, "
			"-s is none");
	if (s->keyring == NULL)
		s->keyring = getenv("WV_KEYRING");
	if (s->require_signed && s->keyring == NULL)
		wv_usage(opts, "--require-signed needs --keyring");
}

static void
check_stream(const struct settings *s, const struct wv_opts *opts)
{
	if (s->expect != NULL && s->expect_invalid)
		wv_usage(opts,
			"--expect says it file by file, "
			"--expect-invalid of all");
	if (s->corpus.corpus != NULL && s->corpus.bundle != NULL)
		wv_usage(opts, "--corpus and --bundle are two runs");
	if (is_conformance(s) && opts->operand_count > 0)
		wv_usage(opts, "--corpus and --bundle take no further FILE");
	if (!is_conformance(s) &&
		(s->corpus.emit_result != NULL || s->corpus.emit_badge != NULL))
		wv_usage(opts,
			"--emit-result and --emit-badge are about "
			"--corpus or --bundle");
}

static void
show(const struct settings *s, const struct wv_opts *opts)
{
	struct wv_out out;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	if (s->list_types)
		show_types(&out);
	else if (s->print_schema != NULL)
		show_schema(&out,
			type_of_name(opts, "--print-schema", s->print_schema,
				false));
	else
		show_example(&out,
			type_of_name(opts, "--print-example", s->print_example,
				false));
	wv_out_end(&out);
}

static int
do_it(struct settings *s, const struct wv_opts *opts)
{
	check_judgement(s, opts);
	take_keyring(s, opts);
	check_stream(s, opts);
	if (s->list_types || s->print_schema != NULL ||
		s->print_example != NULL) {
		show(s, opts);
		return WV_YES;
	}
	if (is_conformance(s))
		return run_conformance(s);
	if (s->lint != NULL)
		return run_lint(s, opts);
	if (opts->operand_count == 0 && s->walk.list == NULL &&
		isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
	return run(s, opts);
}

int
main(int argc, char **argv)
{
	struct settings settings = {
		.schemas = WV_SCHEMA_OPTIONS_INIT,
		.rules = { .max = MAX_ERRORS },
		.jobs = 1,
		.lines = WV_LINES_OPTIONS_INIT,
	};
	struct values *repeated[] = { &settings.no_formats, &settings.resolve,
		&settings.map, &settings.formats };
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0) {
		if (!take_judgement(&settings, &opts, id) &&
			!take_stream(&settings, &opts, id))
			take_other(&settings, &opts, id);
	}
	if (wv_verbose > 0)
		settings.rules.branches = WV_BRANCH_EACH;
	status = do_it(&settings, &opts);
	wv_opt_end(&opts);
	for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++)
		free(repeated[i]->list);
	wv_walk_free(&settings.walk);
	return status;
}
