/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"

#include "base/file.h"
#include "base/msg.h"

#include <unistd.h>

static const char *const synopsis[] = { "verify [option...] [FILE...]", NULL };

static const struct wv_opt table[] = {
	GATE_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Lets through the CapabilityTokens that would be accepted "
		 "now, and names the others with the code of what they lack. "
		 "Nothing is used up.",
	.opts = table,
	.examples = "  wv-token verify --capability org.demo.search_text "
		    "token.json\n",
};

struct filter {
	struct gate gate;
	struct wv_lines_options lines;
	struct wv_out out;
	size_t good, bad;
};

static void
tell(const struct wv_record *rec, const struct judgment *j)
{
	const char *id = j->count > 1 ? j->token.id : NULL;
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, rec->source, rec->line, rec->column, "%s%s%s: %s",
		id != NULL ? id : "", id != NULL ? ": " : "", j->failed->code,
		j->failed->value);
	wv_warn_err(&err);
}

static void
hear(void *arg, const struct wv_record *rec, const cJSON *node,
	const struct judgment *j)
{
	struct filter *f = arg;
	struct wv_str line = { 0 };

	if (j->failed != NULL) {
		f->bad++;
		tell(rec, j);
		return;
	}
	f->good++;
	if (node == rec->tree) {
		wv_lines_pass(rec, &f->out);
		return;
	}
	wv_json_write(&line, node);
	wv_out_line(&f->out, line.s, line.n);
	wv_str_free(&line);
}

int
verify_main(int argc, char **argv)
{
	struct filter f = { .lines = WV_LINES_OPTIONS_INIT };
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		if (!gate_option(&f.gate, &opts, id))
			wv_lines_option(&f.lines, id, &opts);
	if (opts.operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(&opts);
	gate_open(&f.gate);
	f.gate.state = open_state(f.gate.state_path, WV_STATE_READ, false);
	wv_out_init(&f.out, STDOUT_FILENO, "standard output");
	status = gate_read(&f.gate, opts.operands, &f.lines, &f.out, hear, &f);
	wv_out_end(&f.out);
	wv_note("%zu good, %zu not", f.good, f.bad);
	gate_close(&f.gate);
	wv_state_close(f.gate.state);
	wv_opt_end(&opts);
	return status;
}
