/* SPDX-License-Identifier: Apache-2.0 */
#include "base/opt.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/msg.h"
#include "base/str.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LETTERS = 256, /* ids below are letters */
	OPERAND = 1,   /* what getopt calls one under "-" */
	WIDTH = 79,    /* of the help */
	LEFT_MAX = 30, /* of its left column */
};

static const struct wv_opt common_opts[] = {
	{ 'h', "help", NULL, "show this help" },
	{ 'V', "version", NULL, "show the version" },
	{ 'q', "quiet", NULL, "no messages; the exit status still tells" },
	{ 'v', "verbose", NULL, "say more" },
	{ 0 },
};

/* What getopt_long wants, made from the table. */
struct tables {
	struct option *longs;
	const char **names; /* of all long options, for the nearest */
	struct wv_str shorts;
};

/* help */

/* Words of text up to the width, further lines indented; n is where the
 * first line already is. */
static void
add_wrapped(struct wv_str *out, const char *text, size_t n, size_t indent)
{
	bool first = true;

	while (*(text += strspn(text, " "))) {
		size_t len = strcspn(text, " ");
		if (!first && n + 1 + len > WIDTH) {
			wv_str_fmt(out, "\n%*s", (int)indent, "");
			n = indent;
		} else if (!first) {
			wv_str_chr(out, ' ');
			n++;
		}
		wv_str_add(out, text, len);
		n += len;
		text += len;
		first = false;
	}
	wv_str_chr(out, '\n');
}

/* "  -c, --catalog=FILE" */
static void
add_left(struct wv_str *out, const struct wv_opt *opt)
{
	if (opt->id < LETTERS)
		wv_str_fmt(out, "  -%c", opt->id);
	else
		wv_str_cat(out, "    ");
	if (opt->name)
		wv_str_fmt(out, "%s --%s", opt->id < LETTERS ? "," : " ",
			opt->name);
	if (opt->arg)
		wv_str_fmt(out, "%s%s", opt->name ? "=" : " ", opt->arg);
}

static size_t
left_width(const struct wv_opt *opts)
{
	size_t width = 0;

	for (; opts->id; opts++) {
		struct wv_str left = { 0 };
		add_left(&left, opts);
		if (left.n > width && left.n <= LEFT_MAX)
			width = left.n;
		wv_str_free(&left);
	}
	return width;
}

static void
add_opts(struct wv_str *out, const struct wv_opt *opts, size_t width)
{
	for (; opts->id; opts++) {
		size_t start = out->n;
		add_left(out, opts);
		if (out->n - start > width) {
			wv_str_chr(out, '\n');
			start = out->n;
		}
		wv_str_fmt(out, "%*s", (int)(start + width + 2 - out->n), "");
		add_wrapped(out, opts->help, width + 2, width + 2);
	}
}

static void
add_synopsis(struct wv_str *out, const struct wv_cmd *cmd)
{
	const char *lead = "Usage:";

	for (const char *const *form = cmd->synopsis; *form; form++) {
		wv_str_fmt(out, "%s %s %s\n", lead, cmd->tool, *form);
		lead = "      ";
	}
}

_Noreturn static void
print(struct wv_str *text)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_out out;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_add(&out, text->s, text->n);
	wv_str_free(text);
	if (wv_out_close(&out, &err) < 0)
		wv_die_err(&err);
	exit(WV_YES);
}

_Noreturn static void
help(const struct wv_cmd *cmd)
{
	struct wv_str text = { 0 };
	size_t width = left_width(cmd->opts), common = left_width(common_opts);

	if (common > width)
		width = common;
	add_synopsis(&text, cmd);
	wv_str_chr(&text, '\n');
	add_wrapped(&text, cmd->about, 0, 0);
	if (cmd->opts->id) {
		wv_str_cat(&text, "\nOptions:\n");
		add_opts(&text, cmd->opts, width);
	}
	wv_str_cat(&text, "\nCommon options:\n");
	add_opts(&text, common_opts, width);
	if (cmd->examples) {
		wv_str_fmt(&text, "\nExamples:\n%s", cmd->examples);
		if (text.s[text.n - 1] != '\n')
			wv_str_chr(&text, '\n');
	}
	print(&text);
}

_Noreturn static void
version(const struct wv_cmd *cmd)
{
	struct wv_str text = { 0 };

	/* A subcommand's tool is "wv-token issue". */
	wv_str_fmt(&text, "%.*s %s", (int)strcspn(cmd->tool, " "), cmd->tool,
		WV_VERSION);
	if (cmd->carries)
		wv_str_fmt(&text, " (%s)", cmd->carries);
	wv_str_chr(&text, '\n');
	print(&text);
}

/* misuse */

_Noreturn static void
give_up(const struct wv_opts *opts)
{
	wv_warn("try '%s --help'", opts->cmd->tool);
	exit(WV_TROUBLE);
}

void
wv_usage(const struct wv_opts *opts, const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_warn("%s", text.s);
	wv_str_free(&text);
	give_up(opts);
}

void
wv_usage_terminal(const struct wv_opts *opts)
{
	struct wv_str text = { 0 };

	wv_warn("records are read from standard input, which is a terminal");
	add_synopsis(&text, opts->cmd);
	if (!wv_quiet)
		(void)wv_write_all(STDERR_FILENO, text.s, text.n);
	wv_str_free(&text);
	give_up(opts);
}

/* word is what was typed, n bytes up to any '='. */
_Noreturn static void
unknown_long(const struct wv_opts *opts, const char *word, size_t n)
{
	const struct tables *tables = opts->private;
	char name[64]; /* longer than any of ours */

	snprintf(name, sizeof name, "%.*s", (int)n, word);
	const char *near = wv_nearest(name, tables->names);
	if (near)
		wv_usage(opts, "unknown option '--%.*s'; did you mean '--%s'?",
			(int)n, word, near);
	wv_usage(opts, "unknown option '--%.*s'", (int)n, word);
}

/* scanning */

static const struct wv_opt *
find(const struct wv_opt *opts, int id)
{
	for (; opts->id; opts++) {
		if (opts->id == id)
			return opts;
	}
	return NULL;
}

static size_t
count(const struct wv_opt *opts)
{
	size_t n = 0;

	while (opts[n].id)
		n++;
	return n;
}

/* Returns how many long options there are by now. */
static size_t
add_table(struct tables *tables, size_t n, const struct wv_opt *opts)
{
	for (; opts->id; opts++) {
		if (opts->id < LETTERS)
			wv_str_fmt(&tables->shorts, "%c%s", opts->id,
				opts->arg ? ":" : "");
		if (!opts->name)
			continue;
		tables->longs[n].name = opts->name;
		tables->longs[n].has_arg =
			opts->arg ? required_argument : no_argument;
		tables->longs[n].val = opts->id;
		tables->names[n++] = opts->name;
	}
	return n;
}

void
wv_opt_start(
	struct wv_opts *opts, const struct wv_cmd *cmd, int argc, char **argv)
{
	size_t n = count(cmd->opts) + count(common_opts);
	struct tables *tables = wv_xcalloc(1, sizeof *tables);

	wv_msg_tool(cmd->tool);
	wv_file_guard_std();
	tables->longs = wv_xcalloc(n + 1, sizeof *tables->longs);
	tables->names = wv_xcalloc(n + 1, sizeof *tables->names);
	/* "-": operands come in their place, whatever POSIXLY_CORRECT says;
	 * ":": a missing value is told from an unknown option. */
	wv_str_cat(&tables->shorts, "-:");
	add_table(tables, add_table(tables, 0, cmd->opts), common_opts);
	*opts = (struct wv_opts){
		.cmd = cmd,
		.argc = argc,
		.argv = argv,
		.operands = wv_xcalloc((size_t)argc + 1, sizeof(char *)),
		.private = tables,
	};
	opterr = 0;
#ifdef __GLIBC__
	optind = 0; /* begins anew, for a subcommand's own options */
#else
	optind = 1;
#endif
}

/* getopt said '?' or ':' about the word. */
_Noreturn static void
misuse(const struct wv_opts *opts, int said, const char *word)
{
	const struct wv_opt *opt = find(opts->cmd->opts, optopt);
	bool is_long = strncmp(word, "--", 2) == 0;
	size_t n = strcspn(word, "=");

	if (!opt)
		opt = find(common_opts, optopt);
	if (is_long &&
		(!opt || strlen(opt->name) != n - 2 ||
			strncmp(opt->name, word + 2, n - 2) != 0))
		unknown_long(opts, word + 2, n - 2);
	if (said == ':' && is_long)
		wv_usage(opts, "option '--%s' needs a value, --%s=%s",
			opt->name, opt->name, opt->arg);
	if (said == ':')
		wv_usage(opts, "option '-%c' needs a value, -%c %s", optopt,
			optopt, opt->arg);
	if (is_long)
		wv_usage(opts, "option '--%s' takes no value", opt->name);
	wv_usage(opts, "unknown option '-%c'", optopt);
}

/* The name in full, not a beginning of it that getopt takes for it. */
static void
refuse_abbreviation(
	const struct wv_opts *opts, const char *name, const char *word)
{
	size_t n = strcspn(word, "=");

	if (n - 2 != strlen(name))
		unknown_long(opts, word + 2, n - 2);
}

static void
end_of_options(struct wv_opts *opts, int at)
{
	bool dashes = optind > at; /* getopt took a "--" */

	opts->before_dashes = opts->operand_count;
	while (optind < opts->argc)
		opts->operands[opts->operand_count++] = opts->argv[optind++];
	if (!dashes)
		opts->before_dashes = opts->operand_count;
}

static bool
is_common(const struct wv_opts *opts, int id)
{
	switch (id) {
	case 'h':
		help(opts->cmd);
	case 'V':
		version(opts->cmd);
	case 'q':
		wv_quiet = true;
		return true;
	case 'v':
		wv_verbose++;
		return true;
	default:
		return false;
	}
}

int
wv_opt_next(struct wv_opts *opts)
{
	const struct tables *tables = opts->private;

	for (;;) {
		int at = optind ? optind : 1, index = -1;
		int id = getopt_long(opts->argc, opts->argv, tables->shorts.s,
			tables->longs, &index);
		if (id == -1) {
			end_of_options(opts, at);
			return 0;
		}
		if (id == '?' || id == ':')
			misuse(opts, id, opts->argv[at]);
		if (index >= 0)
			refuse_abbreviation(opts, tables->longs[index].name,
				opts->argv[at]);
		if (id == OPERAND) {
			opts->operands[opts->operand_count++] = optarg;
			continue;
		}
		if (is_common(opts, id))
			continue;
		opts->name = find(opts->cmd->opts, id)->name;
		opts->value = optarg;
		return id;
	}
}

void
wv_opt_end(struct wv_opts *opts)
{
	struct tables *tables = opts->private;

	free(tables->longs);
	free(tables->names);
	wv_str_free(&tables->shorts);
	free(tables);
	free(opts->operands);
	opts->private = NULL;
	opts->operands = NULL;
}
