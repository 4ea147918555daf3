/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "contract/record.h"
#include "firewall/firewall.h"
#include "kernel/audit.h"

#include <inttypes.h>
#include <unistd.h>

enum { OPT_FOREIGN = 256, GROUP_MAX = 1024 };

static const char *const synopsis[] = {
	"append --foreign NAME [option...] [FILE...]", NULL
};

static const struct wv_opt table[] = {
	{ OPT_FOREIGN, "foreign", "NAME", "whose events they are" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	WV_LINES_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Appends TraceEvents of another system to the audit log, "
		 "marked as such: every type of event is the kernel's or a "
		 "flow's to write.",
	.opts = table,
};

/* As it is written, in the group's arena. */
struct text {
	const char *s;
	size_t n;
};

struct append {
	const char *foreign, *state_path;
	struct wv_lines_options options;
	struct wv_state *state;
	struct wv_arena arena; /* of a group */
	struct text events[GROUP_MAX];
	size_t count;
	uint64_t appended;
};

/* Another log's chain means nothing in ours; nothing stays that could pass
 * for an event of the kernel. */
static void
mark(struct append *a, cJSON *event)
{
	struct wv_findings findings = { 0 };

	wv_take(event, "x_wv_chain");
	wv_redact_tree(&a->arena, event, &findings);
	cJSON *metadata = wv_put_object(&a->arena, event, "metadata");
	wv_put_string(&a->arena, metadata, "x_wv_source", a->foreign);
}

/* Into the group, as it is to be written. */
static int
take(struct append *a, cJSON *event, struct wv_err *err)
{
	struct wv_str text = { 0 };

	if (wv_contract_require(WV_TRACE_EVENT, event, err) < 0)
		return -1;
	mark(a, event);
	wv_json_write(&text, event);
	bool fits = text.n <= WV_EVENT_MAX - WV_CHAIN_MAX;
	if (fits)
		a->events[a->count++] =
			(struct text){ wv_dupn(&a->arena, text.s, text.n),
				text.n };
	wv_str_free(&text);
	return fits ? 0
		    : wv_err_set(err, "an event of more than %d bytes",
			      WV_EVENT_MAX - WV_CHAIN_MAX);
}

static void
write_group(struct append *a)
{
	struct wv_err err = WV_ERR_INIT;

	if (a->count > 0) {
		if (wv_state_begin(a->state, &err) < 0)
			wv_die_err(&err);
		for (size_t i = 0; i < a->count; i++)
			wv_audit_add(a->state->audit, a->events[i].s,
				a->events[i].n);
		if (wv_state_commit(a->state, &err) < 0)
			wv_die_err(&err);
	}
	a->appended += a->count;
	a->count = 0;
	wv_arena_reset(&a->arena);
}

static void
read_events(struct append *a, struct wv_lines *in)
{
	struct wv_record rec;

	while (wv_lines_next(in, &a->arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		if (take(a, rec.tree, &err) < 0) {
			wv_lines_bad(in, &rec, &err);
			if (a->options.fail_fast)
				break;
		}
		if (a->count == GROUP_MAX || !wv_lines_ready(in))
			write_group(a);
	}
	write_group(a);
}

static void
read_options(struct append *a, struct wv_opts *opts)
{
	const struct wv_lines_options usual = WV_LINES_OPTIONS_INIT;
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == OPT_FOREIGN)
			a->foreign = opts->value;
		else if (!wv_state_option(&a->state_path, id, opts))
			wv_lines_option(&a->options, id, opts);
	}
	if (a->foreign == NULL)
		wv_usage(opts,
			"every event type is the kernel's or a flow's: say "
			"whose these are, --foreign NAME");
	if (!wv_id_is_kernel(a->foreign))
		wv_usage(opts, "--foreign: not a name");
	/* What is written must be readable under the limits of everybody. */
	if (a->options.max_line > usual.max_line ||
		a->options.json.max_depth > usual.json.max_depth ||
		a->options.json.max_values > usual.json.max_values ||
		a->options.json.max_digits > usual.json.max_digits)
		wv_usage(opts, "append: limits can only be lowered");
	if (opts->operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

int
append_main(int argc, char **argv)
{
	static struct append a = { .options = WV_LINES_OPTIONS_INIT };
	struct wv_opts opts;
	struct wv_lines in;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&a, &opts);
	a.state = wv_state_need(a.state_path, WV_STATE_WRITE, false);
	wv_lines_open(&in, opts.operands, &a.options, NULL);
	read_events(&a, &in);
	int status = wv_lines_close(&in);
	wv_note("%" PRIu64 " events appended", a.appended);
	wv_state_close(a.state);
	wv_arena_free(&a.arena);
	wv_opt_end(&opts);
	return status;
}
