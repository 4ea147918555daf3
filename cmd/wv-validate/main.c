/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"
#include "json/lines.h"

#include <string.h>
#include <unistd.h>

enum {
	OPT_CHECK = 256,
	OPT_LIST_TYPES,
	OPT_PRINT_SCHEMA,
};

enum { AUTO = -1, MAX_POINTER = 200 };

static const struct wv_opt opts_table[] = {
	{ 't', "type", "TYPE", "the contract of the records (auto)" },
	{ OPT_CHECK, "check", NULL, "judge only: write no records" },
	{ OPT_LIST_TYPES, "list-types", NULL, "print the names of all types" },
	{ OPT_PRINT_SCHEMA, "print-schema", "TYPE",
		"print the schema of a type" },
	WV_LINES_OPTS,
	{ 0 },
};

static const char *const synopsis[] = {
	"[-t TYPE] [--check] [option...] [FILE|DIR...]",
	"--list-types",
	"--print-schema TYPE",
	NULL,
};

static const struct wv_cmd cmd = {
	.tool = "wv-validate",
	.synopsis = synopsis,
	.about = "Reads records, judges each by its contract, and writes those "
		 "that are valid.",
	.opts = opts_table,
	.examples = "  wv-validate --check payloads/\n"
		    "  wv-validate -t trace_event audit.jsonl >good.jsonl\n",
};

struct validate {
	int type; /* enum wv_contract, or AUTO */
	bool check, print;
	struct wv_lines_options lines;
	struct wv_out out;
	size_t valid, invalid, undecided;
	int status;
};

/* By `frame` or `Frame`; misuse names the nearest. */
static int
type_of(const struct wv_opts *opts, const char *option, bool with_auto)
{
	const char *names[WV_CONTRACT_COUNT + 2] = { NULL };
	int type = wv_contract_find(opts->value);

	if (type >= 0)
		return type;
	memcpy(names, wv_contract_names(), WV_CONTRACT_COUNT * sizeof names[0]);
	if (with_auto)
		names[WV_CONTRACT_COUNT] = "auto";
	wv_opt_choice(opts, option, opts->value, names);
	return AUTO;
}

static void
print_types(struct validate *v)
{
	for (const char *const *name = wv_contract_names(); *name; name++)
		wv_out_line(&v->out, *name, strlen(*name));
	v->print = true;
}

static void
print_schema(struct validate *v, int type)
{
	const char *text = wv_contract_schema((enum wv_contract)type);

	wv_out_add(&v->out, text, strlen(text));
	wv_out_mark(&v->out);
	v->print = true;
}

static void
take_option(struct validate *v, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 't':
		v->type = type_of(opts, "type", true);
		break;
	case OPT_CHECK:
		v->check = true;
		break;
	case OPT_LIST_TYPES:
		print_types(v);
		break;
	case OPT_PRINT_SCHEMA:
		print_schema(v, type_of(opts, "print-schema", false));
		break;
	default:
		wv_lines_option(&v->lines, id, opts);
		break;
	}
}

/* Where the value at a pointer stands in its source. */
static void
locate(const struct wv_record *rec, const char *pointer, struct wv_err *err)
{
	size_t at = wv_json_locate(rec->text, rec->len, pointer);

	wv_json_position(rec->text, at, &err->line, &err->column);
	if (err->line == 1)
		err->column += rec->column - 1;
	err->line += rec->line - 1;
	err->source = rec->source;
}

static void
report(const struct wv_record *rec, const struct wv_schema_error *error)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str where = { 0 };

	if (error->instance[0] != '\0') {
		wv_str_foreign(&where, error->instance, strlen(error->instance),
			MAX_POINTER);
		wv_str_cat(&where, ": ");
	}
	wv_err_set(&err, "%s%s (%s%.*s)", where.s ? where.s : "",
		error->message, error->keyword[0] == '/' ? "schema " : "",
		MAX_POINTER, error->keyword);
	locate(rec, error->instance, &err);
	wv_warn_err(&err);
	wv_str_free(&where);
}

static void
undecided(struct validate *v, struct wv_lines *in, const struct wv_record *rec,
	const char *why)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_set(&err, "%s", why);
	wv_lines_bad(in, rec, &err);
	v->undecided++;
}

static void
judge(struct validate *v, struct wv_lines *in, struct wv_arena *arena,
	const struct wv_record *rec)
{
	struct wv_schema_error *errors = NULL;
	int type = v->type;

	if (type == AUTO)
		type = wv_contract_guess(rec->tree);
	if (type < 0) {
		undecided(v, in, rec,
			"cannot tell which contract this is: say it with -t");
		return;
	}
	switch (wv_contract_check(
		(enum wv_contract)type, rec->tree, arena, &errors)) {
	case 1:
		v->valid++;
		if (!v->check)
			wv_lines_pass(rec, &v->out);
		return;
	case 0:
		v->invalid++;
		v->status = wv_worse(v->status, WV_NO);
		for (; errors != NULL; errors = errors->next)
			report(rec, errors);
		return;
	default:
		undecided(v, in, rec, errors->message);
	}
}

/* Returns how many records were malformed. */
static size_t
judge_all(struct validate *v, char *const *files)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;
	size_t malformed;

	wv_lines_open(&in, files, &v->lines, &v->out);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		judge(v, &in, &arena, &rec);
		wv_arena_reset(&arena);
		if (v->lines.fail_fast && v->invalid + v->undecided > 0)
			break;
	}
	malformed = in.counts.malformed;
	v->status = wv_worse(v->status, wv_lines_close(&in));
	wv_arena_free(&arena);
	return malformed;
}

static void
summarize(const struct validate *v, size_t malformed)
{
	size_t all = v->valid + v->invalid + v->undecided + malformed;

	wv_warn("%zu record%s: %zu valid, %zu invalid, %zu malformed, "
		"%zu undecided",
		all, all == 1 ? "" : "s", v->valid, v->invalid, malformed,
		v->undecided);
}

/* Folders that hold nothing are no pass, whatever else there is. */
static void
add_operand(struct validate *v, struct walk *walk, const char *operand)
{
	if (walk_add(walk, operand) > 0 || v->lines.allow_empty ||
		walk->trouble)
		return;
	wv_warn("%s: no .json, .jsonl or .ndjson file", operand);
	v->status = WV_TROUBLE;
}

static void
run(struct validate *v, const struct wv_opts *opts)
{
	struct walk walk = { 0 };
	size_t malformed = 0;

	if (opts->operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
	for (int i = 0; i < opts->operand_count; i++)
		add_operand(v, &walk, opts->operands[i]);
	if (walk.trouble)
		v->status = WV_TROUBLE;
	if (opts->operand_count == 0)
		malformed = judge_all(v, opts->operands);
	else if (walk.count > 0)
		malformed = judge_all(v, walk.files);
	summarize(v, malformed);
	walk_free(&walk);
}

int
main(int argc, char **argv)
{
	struct validate v = { .type = AUTO, .lines = WV_LINES_OPTIONS_INIT };
	struct wv_err err = WV_ERR_INIT;
	struct wv_opts opts;
	int id;

	wv_out_init(&v.out, STDOUT_FILENO, "standard output");
	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&v, &opts, id);
	if (!v.print)
		run(&v, &opts);
	if (wv_out_close(&v.out, &err) != 0)
		wv_die_err(&err);
	wv_opt_end(&opts);
	return v.status;
}
