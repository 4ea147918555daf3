/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall.h"

#include "base/id.h"
#include "base/msg.h"
#include "base/opt.h"
#include "contract/record.h"

#include <string.h>
#include <unistd.h>

enum {
	OPT_CAPABILITY = 256,
	OPT_MODE,
	OPT_LINES,
	OPT_KEEP,
	OPT_MAX_INPUT,
	MAX_INPUT = 64 << 20,
	MOST_INPUT = 1 << 30,
};

static const struct wv_opt opts_table[] = {
	{ OPT_CAPABILITY, "capability", "ID",
		"whose output it is (" WV_NO_CAPABILITY ")" },
	{ OPT_MODE, "mode", "MODE", "summary, table or handle_only (summary)" },
	{ OPT_LINES, "lines", NULL, "every line is an output of its own" },
	{ OPT_KEEP, "keep", NULL, "store the output behind a Handle" },
	{ 'f', "format", "FORMAT", "frame or text (frame)" },
	{ OPT_MAX_INPUT, "max-input", "BYTES", "longest output (64M)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const char *const synopsis[] = { "[option...] [FILE...]", NULL };

static const struct wv_cmd cmd = {
	.tool = "wv-firewall",
	.synopsis = synopsis,
	.about = "Reads raw tool output and writes a Frame: controls cleaned "
		 "away, secrets and e-mail addresses redacted, summarized "
		 "and bounded.",
	.opts = opts_table,
	.examples = "  df -h | wv-firewall --capability org.demo.disk\n"
		    "  printenv | wv-firewall -f text\n",
};

static const char *const formats[] = { "frame", "text", NULL };

static size_t
max_input(const struct wv_opts *opts)
{
	int64_t bytes = wv_opt_size(opts, "--max-input", opts->value);

	if (bytes > MOST_INPUT)
		wv_usage(opts, "--max-input: at most 1G");
	return (size_t)bytes;
}

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_CAPABILITY:
		if (!wv_id_is_kernel(opts->value))
			wv_usage(opts, "--capability: '%s' is no capability id",
				opts->value);
		s->capability_id = opts->value;
		break;
	case OPT_MODE:
		s->options.mode = (enum wv_firewall_mode)wv_opt_choice(
			opts, "--mode", opts->value, wv_firewall_modes);
		break;
	case OPT_LINES:
		s->lines = true;
		break;
	case OPT_KEEP:
		s->keep = true;
		break;
	case 'f':
		s->format = (enum format)wv_opt_choice(
			opts, "--format", opts->value, formats);
		break;
	case OPT_MAX_INPUT:
		s->max_input = max_input(opts);
		break;
	default:
		wv_state_option(&s->state, id, opts);
	}
}

int
main(int argc, char **argv)
{
	struct settings settings = { .options = WV_FIREWALL_OPTIONS_INIT,
		.capability_id = WV_NO_CAPABILITY,
		.max_input = MAX_INPUT };
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	struct batch batch;
	struct wv_out out;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&settings, &opts, id);
	if (wv_id_init(&err) < 0)
		wv_die_err(&err);
	if (opts.operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(&opts);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	batch_open(&batch, &settings, &out);
	int status = read_files(opts.operands, &batch);
	wv_note("outputs %zu, redacted %zu, kept %zu", batch.pieces,
		batch.redacted, batch.kept);
	batch_close(&batch);
	wv_opt_end(&opts);
	wv_out_end(&out);
	return status;
}
