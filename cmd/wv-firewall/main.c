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
	if (batch.pieces > 0)
		options_tell_fields(settings, batch.met);
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
static char *const *
find_files(struct wv_walk *walk, const struct wv_opts *opts)
{
	walk->wants_file = walk->wants_folder = is_wanted;
	walk->no_links = true;
	walk->tell = wv_warn_err;
	wv_walk_operands(walk, opts);
	return walk->files;
}

/* The status. */
static int
run(struct settings *settings, const struct wv_opts *opts)
{
	struct rules *rules = rules_open(settings);
	struct sinks sinks;
	struct tell tell;
	int status;

	settings->options.rules = rules_of(rules);
	char *const *files = settings->check ? find_files(&settings->walk, opts)
					     : opts->operands;
	outputs_check(settings, opts, files);
	outputs_open(&sinks, &tell, settings, opts);
	status = settings->check ? judge(settings, files, &sinks, &tell)
				 : filter(settings, files, &sinks, &tell);
	if (settings->walk.trouble)
		status = WV_TROUBLE;
	outputs_close(&sinks, &tell);
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
		settings.walk.list == NULL && isatty(STDIN_FILENO))
		wv_usage_terminal(&opts);
	int status = settings.lint != NULL ? rules_lint(settings.lint)
					   : run(&settings, &opts);
	wv_opt_end(&opts);
	options_free(&settings);
	return status;
}
