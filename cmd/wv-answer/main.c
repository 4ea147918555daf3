/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"
#include "raw.h"
#include "requests.h"

#include "base/id.h"
#include "base/msg.h"
#include "base/opt.h"

#include <unistd.h>

static void
read_all(struct intake *intake, const struct options *options)
{
	if (options->facts != NULL)
		read_facts(intake, options->facts, &options->lines);
	if (options->episodes != NULL)
		read_episodes(intake, options->episodes, &options->lines);
	if (options->history != NULL)
		read_history(intake, options->history, options->history_format,
			&options->lines);
	if (options->reads_records)
		read_records(intake, options->files, &options->lines);
	intake_link(intake);
}

static void
open_outputs(struct outputs *to, const struct options *options)
{
	struct wv_err err = WV_ERR_INIT;

	wv_out_init(&to->contexts, STDOUT_FILENO, "standard output");
	if (options->stats_file != NULL &&
		wv_out_create(&to->stats, options->stats_file, &err) < 0)
		wv_die_err(&err);
}

int
main(int argc, char **argv)
{
	struct intake intake = { 0 };
	struct options options;
	struct wv_opts opts;
	struct outputs to;
	struct wv_err err = WV_ERR_INIT;
	int status;

	options_read(&options, &opts, argc, argv);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	read_all(&intake, &options);
	open_outputs(&to, &options);
	status = options.requests != NULL
		? answer_requests(&options, &intake, &to)
		: answer_once(&options, &intake, &to);
	status = wv_worse(status, intake.status);
	if (options.stats_file != NULL)
		wv_out_end(&to.stats);
	intake_free(&intake);
	options_free(&options);
	wv_opt_end(&opts);
	wv_out_end(&to.contexts);
	return status;
}
