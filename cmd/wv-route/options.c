/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "json/doc.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_LIMIT = 7 };
enum {
	OPT_CHOOSE = 256,
	OPT_PIN,
	OPT_ARGUMENTS,
	OPT_JUSTIFICATION,
	OPT_MENU,
	OPT_CARDS,
	OPT_EXPLAIN,
	OPT_SYNONYMS,
	OPT_PREFIX,
	OPT_CATALOG_OUT,
	OPT_LINT,
	OPT_EVAL,
	OPT_FLOOR,
	OPT_NOW
};

static const char *const synopsis[] = {
	"[--prefix PREFIX] [-c CATALOG]... (-e TEXT | [FILE...]) [-n N] "
	"[--cards one|namespace] [--choose top|ITEM] [--arguments JSON|@FILE] "
	"[--justification TEXT] "
	"[--menu] [--explain] [--synonyms FILE]",
	"[-c CATALOG]... --pin CAPABILITY [-e TEXT | FILE...] "
	"[--arguments JSON|@FILE] [--justification TEXT]",
	"-c CATALOG... --eval FILE [--floor METRIC=VALUE]... "
	"[--synonyms FILE] [-f text|json]",
	"[--prefix PREFIX] -c CATALOG... --catalog-out",
	"[--prefix PREFIX] --lint CATALOG [CATALOG...]",
	NULL,
};

/* clang-format off */
static const struct wv_opt options[] = {
	{ 'c', "catalog", "FILE", "capabilities, in any of the forms of the page" },
	{ OPT_PREFIX, "prefix", "PREFIX", "of ids made from names in the files that follow" },
	{ 'e', "query", "TEXT", "the query, instead of records" },
	{ 'n', "limit", "N", "at most N choices, up to 20 (7)" },
	{ OPT_CARDS, "cards", "HOW", "one card (one) or one a namespace (namespace)" },
	{ OPT_SYNONYMS, "synonyms", "FILE", "words that stand for one another" },
	{ OPT_CHOOSE, "choose", "top|ITEM", "select the first choice, or this one" },
	{ OPT_PIN, "pin", "CAPABILITY", "no choice: select this capability" },
	{ OPT_ARGUMENTS, "arguments", "JSON", "arguments of the call (@FILE: from a file)" },
	{ OPT_JUSTIFICATION, "justification", "TEXT", "why the call is wanted" },
	{ OPT_MENU, "menu", NULL, "print the choices as text for a prompt" },
	{ OPT_EXPLAIN, "explain", NULL, "tell what each score is made of, on stderr" },
	{ OPT_EVAL, "eval", "FILE", "measure how well queries find what they expect" },
	{ OPT_FLOOR, "floor", "METRIC=VALUE", "with --eval: status 1 below it" },
	{ 'f', "format", "FORMAT", "of --eval: text or json (text)" },
	{ OPT_CATALOG_OUT, "catalog-out", NULL, "print the catalogue as Capabilities" },
	{ OPT_LINT, "lint", "CATALOG", "judge a catalogue, route nothing" },
	{ OPT_NOW, "now", "TIME", "the time of the records, for tests" },
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};
/* clang-format on */

const struct wv_cmd options_cmd = {
	.tool = "wv-route",
	.synopsis = synopsis,
	.about = "Offers the capabilities that fit a query, as "
		 "RoutingDecisions.",
	.opts = options,
	.examples = "  wv-route -c tools.yaml -e 'find the retry docs' --menu\n"
		    "  wv-route -c tools.yaml -e 'find the retry docs' "
		    "--choose top --arguments '{\"pattern\":\"retry\"}'\n",
};

/* Text of the command line that goes into records. */
static const char *
text_value(const struct wv_opts *opts, const char *name)
{
	size_t n = strlen(opts->value);

	if (wv_utf8_check(opts->value, n) != n)
		wv_usage(opts, "--%s is not UTF-8", name);
	if (opts->value[strspn(opts->value, " \t\r\n")] == '\0')
		wv_usage(opts, "--%s is empty", name);
	return opts->value;
}

static const char *
prefix_value(const struct wv_opts *opts)
{
	return opts->value[0] != '\0' ? text_value(opts, "prefix") : NULL;
}

static void
set_mode(struct settings *s, const struct wv_opts *opts, enum mode mode)
{
	wv_opt_mode(opts, &s->mode_option, s->mode != mode);
	s->mode = mode;
}

static void
add_file(struct settings *s, struct catalog_file **files, size_t *count,
	const char *path)
{
	*files = wv_list_room(*files, *count, sizeof(**files));
	(*files)[(*count)++] = (struct catalog_file){ path, s->prefix };
	s->prefix_is_used = true;
}

/* True if it was one of those that only routing has. */
static bool
take_route_option(struct settings *s, const struct wv_opts *opts, int id)
{
	static const char *const cards[] = { "one", "namespace", NULL };

	switch (id) {
	case 'e':
		s->query = text_value(opts, "query");
		return true;
	case 'n':
		s->limit = (size_t)wv_opt_int(
			opts, "limit", opts->value, 1, RANK_MAX);
		return true;
	case OPT_CARDS:
		s->origin.by_namespace =
			wv_opt_choice(opts, "cards", opts->value, cards) == 1;
		return true;
	case OPT_CHOOSE:
		s->choose = text_value(opts, "choose");
		return true;
	case OPT_PIN:
		s->pin = text_value(opts, "pin");
		return true;
	case OPT_ARGUMENTS:
		s->arguments = opts->value;
		return true;
	case OPT_JUSTIFICATION:
		s->origin.justification = text_value(opts, "justification");
		return true;
	case OPT_MENU:
		s->menu = true;
		return true;
	case OPT_EXPLAIN:
		s->explain = true;
		return true;
	default:
		return false;
	}
}

static void
take_option(struct settings *s, const struct wv_opts *opts, int id)
{
	static const char *const formats[] = { "text", "json", NULL };

	switch (id) {
	case 'c':
		add_file(s, &s->catalogs, &s->catalog_count, opts->value);
		break;
	case OPT_PREFIX:
		s->prefix = prefix_value(opts);
		s->prefix_is_used = s->prefix == NULL;
		break;
	case OPT_SYNONYMS:
		s->synonyms = opts->value;
		break;
	case OPT_EVAL:
		set_mode(s, opts, EVAL);
		s->eval.path = opts->value;
		break;
	case OPT_FLOOR:
		eval_floor(&s->eval, opts);
		s->eval.has_floor = true;
		break;
	case 'f':
		s->eval.json = wv_opt_choice(opts, "format", opts->value,
				       formats) == 1;
		break;
	case OPT_CATALOG_OUT:
		set_mode(s, opts, CATALOG_OUT);
		break;
	case OPT_LINT:
		set_mode(s, opts, LINT);
		add_file(s, &s->lints, &s->lint_count, opts->value);
		break;
	case OPT_NOW:
		wv_opt_now(opts);
		break;
	default:
		if (take_route_option(s, opts, id))
			s->routes = true;
		else if (!wv_doc_option(id, opts))
			wv_lines_option(&s->lines, id, opts);
	}
}

static size_t
count_stdin(const struct catalog_file *files, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += strcmp(files[i].path, "-") == 0;
	return count;
}

/* It is read once, and holds one thing. */
static void
check_stdin(const struct settings *s, const struct wv_opts *opts)
{
	size_t catalogs = count_stdin(s->catalogs, s->catalog_count) +
		count_stdin(s->lints, s->lint_count);
	const char *what = catalogs > 0 ? "catalogue" : "synonyms";
	size_t count = catalogs +
		(s->synonyms != NULL && strcmp(s->synonyms, "-") == 0) +
		(s->mode == EVAL && strcmp(s->eval.path, "-") == 0);

	if (count > 1)
		wv_usage(opts, "standard input is the %s: it is read once",
			what);
	if (count == 1 && s->mode == ROUTE && s->query == NULL &&
		(s->pin == NULL || opts->operand_count > 0))
		wv_usage(opts,
			"standard input is the %s: the request is given by -e",
			what);
}

static void
check_route(const struct settings *s, const struct wv_opts *opts)
{
	bool files = opts->operand_count > 0;

	if (s->choose != NULL && s->pin != NULL)
		wv_usage(opts, "--choose and --pin exclude each other");
	if (s->query != NULL && files)
		wv_usage(opts, "-e and FILE exclude each other");
	if (s->query == NULL && s->pin == NULL && !files &&
		isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

static void
check_options(const struct settings *s, const struct wv_opts *opts)
{
	if (s->prefix != NULL && !s->prefix_is_used)
		wv_usage(opts, "--prefix %s: no catalogue follows", s->prefix);
	check_stdin(s, opts);
	if (s->mode != EVAL && (s->eval.has_floor || s->eval.json))
		wv_usage(opts, "--floor and -f belong to --eval");
	if (s->mode == ROUTE)
		check_route(s, opts);
	else if (s->mode == LINT && s->catalog_count > 0)
		wv_usage(opts, "--lint says which catalogue: -c says nothing");
	else if (s->routes)
		wv_usage(opts, "--%s routes nothing", s->mode_option);
	else if (opts->operand_count > 0 && s->mode != LINT)
		wv_usage(opts, "--%s takes no FILE", s->mode_option);
}

void
options_read(struct settings *s, struct wv_opts *opts)
{
	char *env = getenv("WV_CATALOG");
	int id;

	s->limit = DEFAULT_LIMIT;
	s->lines = (struct wv_lines_options)WV_LINES_OPTIONS_INIT;
	while ((id = wv_opt_next(opts)) != 0)
		take_option(s, opts, id);
	for (int i = 0; s->mode == LINT && i < opts->operand_count; i++)
		add_file(s, &s->lints, &s->lint_count, opts->operands[i]);
	check_options(s, opts);
	if (s->catalog_count == 0 && env != NULL && *env != '\0') {
		s->prefix = NULL;
		add_file(s, &s->catalogs, &s->catalog_count, env);
	}
}
