/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "emit.h"
#include "jobs.h"
#include "map.h"
#include "outputs.h"
#include "plan.h"
#include "schemas.h"
#include "show.h"
#include "walk.h"

#include "base/msg.h"

#include <string.h>
#include <unistd.h>

static void
open_schemas(struct schemas *schemas, const struct settings *settings,
	const struct wv_opts *opts)
{
	struct wv_schema_options options = settings->schemas;
	struct wv_err err = WV_ERR_INIT;

	options.no_formats = settings->no_formats.list;
	schemas_init(schemas, &options);
	for (size_t i = 0; i < settings->resolve.count; i++) {
		if (schemas_map(schemas, settings->resolve.list[i], &err) < 0)
			wv_usage(opts, "--resolve: %s", err.text);
	}
}

static void
fill_map(struct map *map, struct schemas *schemas,
	const struct settings *settings, const struct wv_opts *opts)
{
	for (size_t i = 0; i < settings->map.count; i++)
		map_add(map, opts, schemas, settings->map.list[i]);
	if (settings->schema != NULL)
		map_add_schema(map, schemas, settings->schema);
	else
		map_add_type(map,
			settings->type != NULL ? type_of_name(opts, "--type",
							 settings->type, true)
					       : TARGET_AUTO);
}

static struct wv_reports *
open_reports(const struct settings *settings, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reports *reports;

	if (settings->formats.count == 0)
		return NULL;
	reports = wv_reports_new("wv-validate", WV_VERSION);
	for (size_t i = 0; i < settings->formats.count; i++) {
		if (wv_reports_add(reports, settings->formats.list[i], &err) <
			0)
			wv_usage(opts, "--format: %s", err.text);
	}
	if (settings->fingerprint && wv_reports_stdout(reports) != NULL)
		wv_usage(opts,
			"standard output takes the fingerprints: say where "
			"the report goes, -f FORMAT=FILE");
	return reports;
}

static struct wv_out *
open_rejects(struct wv_out *out, const char *path)
{
	struct wv_err err = WV_ERR_INIT;

	if (path == NULL)
		return NULL;
	if (wv_out_create(out, path, &err) < 0)
		wv_die_err(&err);
	return out;
}

static struct expect *
open_expect(const struct settings *settings)
{
	struct wv_err err = WV_ERR_INIT;
	struct expect *expect = NULL;

	if (settings->expect_invalid)
		expect = expect_any_invalid();
	else if (settings->expect != NULL) {
		expect = expect_load(settings->expect, &err);
		if (expect == NULL)
			wv_die_err(&err);
	}
	return expect;
}

static bool
writes_records(const struct settings *settings)
{
	return !settings->check && !settings->fingerprint &&
		settings->formats.count == 0 && settings->expect == NULL &&
		!settings->expect_invalid;
}

static void
open_emit(struct emit *emit, struct wv_out *rejects,
	const struct settings *settings, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	*emit = (struct emit){
		.records = writes_records(settings),
		.fingerprints = settings->fingerprint,
		.fail_fast = settings->lines.fail_fast,
		.expect = open_expect(settings),
	};
	if (settings->expect_fingerprint != NULL) {
		emit->fingerprint_of =
			fingerprints_load(settings->expect_fingerprint, &err);
		if (emit->fingerprint_of == NULL)
			wv_die_err(&err);
	}
	wv_out_init(&emit->out, STDOUT_FILENO, "standard output");
	emit->rejects = open_rejects(rejects, settings->rejects);
	/* Two names of a file that was not there are known as one by now. */
	outputs_check_twice(
		settings, opts, emit->records || emit->fingerprints);
	emit->reports = open_reports(settings, opts);
	emit->progress = (!emit->records && !emit->fingerprints) ||
		!isatty(STDOUT_FILENO);
}

static struct wv_keyring *
open_keyring(const struct settings *settings)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_keyring *keyring;

	if (settings->keyring == NULL)
		return NULL;
	keyring = wv_keyring_load(settings->keyring, &err);
	if (keyring == NULL)
		wv_die_err(&err);
	return keyring;
}

static void
judge_files(const struct settings *settings, const struct map *map,
	struct emit *emit)
{
	const struct wv_walk *walk = &settings->walk;
	struct wv_keyring *keyring = open_keyring(settings);
	struct plan plan = { 0 };
	struct judge judge = {
		.rules = settings->rules,
		.keyring = keyring,
		.require_signed = settings->require_signed,
		.fingerprints = settings->fingerprint ||
			settings->expect_fingerprint != NULL,
		.limits = settings->lines.json,
	};

	for (size_t i = 0; i < walk->count; i++)
		plan_add(&plan, walk->files[i], map_find(map, walk->files[i]),
			settings->jobs > 1);
	jobs_run(&plan, settings->jobs, &judge, &settings->lines, emit);
	plan_free(&plan);
	guess_free(&judge.guess);
	wv_keyring_free(keyring);
}

int
run(struct settings *settings, const struct wv_opts *opts)
{
	struct schemas schemas;
	struct wv_out rejects;
	struct map map = { 0 };
	struct emit emit;
	int status;

	open_schemas(&schemas, settings, opts);
	fill_map(&map, &schemas, settings, opts);
	walk_payloads(&settings->walk, settings->lines.allow_empty);
	wv_walk_operands(&settings->walk, opts);
	outputs_check_read(settings, opts, &schemas,
		writes_records(settings) || settings->fingerprint);
	open_emit(&emit, &rejects, settings, opts);
	if (settings->walk.trouble)
		emit.status = WV_TROUBLE;
	judge_files(settings, &map, &emit);
	status = emit_end(&emit, settings->lines.allow_empty);
	expect_free(emit.expect);
	fingerprints_free(emit.fingerprint_of);
	map_free(&map);
	schemas_free(&schemas);
	return status;
}

/* A set of its own for each: two versions of one schema may have one $id. */
static int
lint(const struct settings *settings, const struct wv_opts *opts,
	const char *path)
{
	struct schemas schemas;
	int status;

	open_schemas(&schemas, settings, opts);
	status = schemas_lint(&schemas, path);
	schemas_free(&schemas);
	return status;
}

int
run_lint(const struct settings *settings, const struct wv_opts *opts)
{
	int status = lint(settings, opts, settings->lint);

	for (int i = 0; i < opts->operand_count; i++)
		status = wv_worse(
			status, lint(settings, opts, opts->operands[i]));
	return status;
}

int
run_conformance(const struct settings *settings)
{
	struct wv_keyring *keyring = open_keyring(settings);
	struct wv_out out;
	int status;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	status = corpus_run(&settings->corpus, keyring, &out);
	wv_out_end(&out);
	wv_keyring_free(keyring);
	return status;
}
