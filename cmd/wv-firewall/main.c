/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "firewall.h"
#include "options.h"

#include "base/id.h"
#include "base/msg.h"

#include <string.h>
#include <unistd.h>

static int
filter(const struct settings *settings, char *const *files, struct sinks *sinks,
	struct tell *tell)
{
	struct batch batch;

	batch_open(&batch, settings, sinks, tell_is_wanted(tell) ? tell : NULL);
	int status = read_files(
		files, settings, &batch, NULL, outputs_stdout(sinks, tell));
	wv_note("outputs %zu, redacted %zu, with injections %zu, kept %zu",
		batch.pieces, batch.redacted, batch.flagged, batch.kept);
	batch_close(&batch);
	return status;
}

static int
judge(const struct settings *settings, char *const *files, struct sinks *sinks,
	struct tell *tell)
{
	struct check check;

	int status = WV_YES;

	check_open(&check, settings, tell);
	if (files[0] != NULL)
		status = read_files(files, settings, NULL, &check,
			outputs_stdout(sinks, tell));
	return wv_worse(status, check_close(&check));
}

static bool
is_wanted(const char *name)
{
	return strcmp(name, ".git") != 0;
}

/* Folders become the files beneath them. */
static void
find_files(struct wv_walk *walk, const struct settings *settings,
	const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	*walk = (struct wv_walk){ .wants_file = is_wanted,
		.wants_folder = is_wanted,
		.no_links = true,
		.tell = wv_warn_err };
	for (size_t i = 0; i < settings->exclude.count; i++)
		wv_walk_exclude(walk, settings->exclude.list[i]);
	for (int i = 0; i < opts->operand_count; i++)
		wv_walk_add(walk, opts->operands[i]);
	if (settings->files0 != NULL &&
		wv_walk_add_list(walk, settings->files0, &err) < 0)
		wv_die_err(&err);
	if (opts->operand_count == 0 && settings->files0 == NULL)
		wv_walk_add(walk, "-");
	if (walk->has_stdin && settings->files0 != NULL &&
		strcmp(settings->files0, "-") == 0)
		wv_usage(opts,
			"standard input is the list of files, it cannot be "
			"one of them");
	walk->files =
		wv_list_room(walk->files, walk->count, sizeof *walk->files);
	walk->files[walk->count] = NULL;
}

/* The status. */
static int
run(struct settings *settings, const struct wv_opts *opts)
{
	struct wv_walk walk = { 0 };
	struct rules *rules = rules_open(settings);
	struct sinks sinks;
	struct tell tell;
	int status;

	settings->options.rules = rules_of(rules);
	if (settings->check)
		find_files(&walk, settings, opts);
	char *const *files = settings->check ? walk.files : opts->operands;
	outputs_check(settings, opts, files);
	outputs_open(&sinks, &tell, settings, opts);
	status = settings->check ? judge(settings, files, &sinks, &tell)
				 : filter(settings, files, &sinks, &tell);
	if (walk.trouble)
		status = WV_TROUBLE;
	outputs_close(&sinks, &tell);
	wv_walk_free(&walk);
	rules_close(rules);
	return status;
}

int
main(int argc, char **argv)
{
	struct settings settings;
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;

	wv_opt_start(&opts, &firewall_cmd, argc, argv);
	options_read(&settings, &opts);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	if (settings.lint == NULL && opts.operand_count == 0 &&
		settings.files0 == NULL && isatty(STDIN_FILENO))
		wv_usage_terminal(&opts);
	int status = settings.lint != NULL ? rules_lint(settings.lint)
					   : run(&settings, &opts);
	wv_opt_end(&opts);
	options_free(&settings);
	return status;
}
