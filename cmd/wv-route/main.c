/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-route: phase 1.  A request, or a RoutingDecision whose selection is to
 * be set, in; a RoutingDecision out.
 */
#include "card.h"
#include "lint.h"
#include "select.h"

#include "base/clock.h"
#include "base/id.h"
#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"
#include "json/given.h"
#include "json/lines.h"
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
	OPT_LINT,
	OPT_NOW
};

static const char *const synopsis[] = {
	"[-c CATALOG]... (-e TEXT | [FILE...]) [-n N] [--choose top|ITEM] "
	"[--arguments JSON|@FILE] [--justification TEXT] [--menu]",
	"[-c CATALOG]... --pin CAPABILITY [-e TEXT | FILE...] "
	"[--arguments JSON|@FILE] [--justification TEXT]",
	"--lint CATALOG [--lint CATALOG]...",
	NULL,
};

/* clang-format off */
static const struct wv_opt options[] = {
	{ 'c', "catalog", "FILE", "capabilities: tools.yaml or Capability records" },
	{ 'e', "query", "TEXT", "the query, instead of records" },
	{ 'n', "limit", "N", "at most N choices, up to 20 (7)" },
	{ OPT_CHOOSE, "choose", "top|ITEM", "select the first choice, or this one" },
	{ OPT_PIN, "pin", "CAPABILITY", "no choice: select this capability" },
	{ OPT_ARGUMENTS, "arguments", "JSON", "arguments of the call (@FILE: from a file)" },
	{ OPT_JUSTIFICATION, "justification", "TEXT", "why the call is wanted" },
	{ OPT_MENU, "menu", NULL, "print the choices as text for a prompt" },
	{ OPT_LINT, "lint", "CATALOG", "judge a catalogue, route nothing" },
	{ OPT_NOW, "now", "TIME", "the time of the records, for tests" },
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};
/* clang-format on */

static const struct wv_cmd cmd = {
	.tool = "wv-route",
	.synopsis = synopsis,
	.about = "Offers the capabilities that fit a query, as "
		 "RoutingDecisions.",
	.opts = options,
	.examples = "  wv-route -c tools.yaml -e 'find the retry docs' --menu\n"
		    "  wv-route -c tools.yaml -e 'find the retry docs' "
		    "--choose top --arguments '{\"pattern\":\"retry\"}'\n",
};

struct route {
	char **catalogs, **lints; /* NULL-terminated */
	size_t catalog_count, lint_count;
	const char *query, *choose, *pin, *arguments;
	size_t limit;
	bool menu;
	struct origin extras; /* arguments and justification */
	struct wv_lines_options lines;

	struct wv_arena arena; /* of the run */
	struct wv_catalog catalog;
	struct index index;
	struct rank rank;
	struct wv_out out;
	int status;
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

static void
take_option(struct route *route, const struct wv_opts *opts, int id)
{
	switch (id) {
	case 'c':
		route->catalogs[route->catalog_count++] = (char *)opts->value;
		break;
	case 'e':
		route->query = text_value(opts, "query");
		break;
	case 'n':
		route->limit = (size_t)wv_opt_int(
			opts, "limit", opts->value, 1, RANK_MAX);
		break;
	case OPT_CHOOSE:
		route->choose = text_value(opts, "choose");
		break;
	case OPT_PIN:
		route->pin = text_value(opts, "pin");
		break;
	case OPT_ARGUMENTS:
		route->arguments = opts->value;
		break;
	case OPT_JUSTIFICATION:
		route->extras.justification = text_value(opts, "justification");
		break;
	case OPT_MENU:
		route->menu = true;
		break;
	case OPT_LINT:
		route->lints[route->lint_count++] = (char *)opts->value;
		break;
	case OPT_NOW:
		wv_opt_now(opts);
		break;
	default:
		if (!wv_doc_option(id, opts))
			wv_lines_option(&route->lines, id, opts);
	}
}

/* It is read once, and holds one thing. */
static void
check_stdin(const struct route *route, const struct wv_opts *opts)
{
	size_t count = 0;

	for (size_t i = 0; i < route->catalog_count; i++)
		count += strcmp(route->catalogs[i], "-") == 0;
	if (count > 1)
		wv_usage(opts, "standard input is the catalogue only once");
	if (count > 0 && route->query == NULL &&
		(route->pin == NULL || opts->operand_count > 0))
		wv_usage(opts,
			"standard input is the catalogue: the request is "
			"given by -e");
}

static void
check_options(const struct route *route, const struct wv_opts *opts)
{
	check_stdin(route, opts);
	bool files = opts->operand_count > 0;

	if (route->lint_count > 0) {
		if (route->query || route->pin || route->choose || files)
			wv_usage(opts, "--lint routes nothing");
		return;
	}
	if (route->choose != NULL && route->pin != NULL)
		wv_usage(opts, "--choose and --pin exclude each other");
	if (route->query != NULL && files)
		wv_usage(opts, "-e and FILE exclude each other");
	if (route->query == NULL && route->pin == NULL && !files &&
		isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

/* The catalogue and its index, made when the first request needs them. */
static void
need_catalog(struct route *route)
{
	struct wv_err err = WV_ERR_INIT;

	if (route->rank.index != NULL)
		return;
	if (route->catalog_count == 0)
		wv_die("a request needs a catalogue: -c FILE");
	for (size_t i = 0; i < route->catalog_count; i++)
		if (wv_catalog_load(&route->catalog, &route->arena,
			    route->catalogs[i], &err) != 0)
			wv_die_err(&err);
	if (route->catalog.count == 0)
		wv_die("%s: no capabilities", route->catalogs[0]);
	index_build(&route->index, &route->catalog);
	rank_init(&route->rank, &route->index);
}

/* The capability that --pin names, if there is a catalogue. */
static const struct wv_capability *
find_pinned(struct route *route)
{
	const struct wv_capability *tool;
	const char **ids, *near;

	if (route->catalog_count == 0)
		return NULL;
	need_catalog(route);
	tool = wv_catalog_find(&route->catalog, route->pin);
	if (tool != NULL)
		return tool;
	ids = wv_alloc(
		&route->arena, (route->catalog.count + 1) * sizeof(*ids));
	for (size_t i = 0; i < route->catalog.count; i++)
		ids[i] = route->catalog.items[i].id;
	ids[route->catalog.count] = NULL;
	near = wv_nearest(route->pin, ids);
	wv_die("no capability \"%s\" in the catalogue%s%s%s", route->pin,
		near ? ", did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
}

static void
emit(struct route *route, const cJSON *decision)
{
	struct wv_str text = { 0 };

	if (route->menu) {
		decision_menu(&text, decision);
		wv_out_add(&route->out, text.s, text.n);
		wv_out_mark(&route->out);
	} else {
		wv_json_write(&text, decision);
		wv_out_line(&route->out, text.s, text.n);
	}
	wv_str_free(&text);
	if (select_is_no_match(decision))
		route->status = wv_worse(route->status, WV_NO);
}

static int
answer(struct route *route, struct wv_arena *arena,
	const struct request *request, const cJSON *cause, struct wv_err *err)
{
	struct origin origin = route->extras;
	struct rank_result result;
	cJSON *decision;

	origin.id = request->id;
	origin.cause = cause;
	if (route->pin != NULL) {
		decision = decision_pinned(
			arena, &origin, route->pin, find_pinned(route));
	} else {
		need_catalog(route);
		rank_query(&route->rank, arena, request->query,
			&request->filter, route->limit, &result);
		decision = decision_ranked(
			arena, &origin, request->query, &result);
		if (result.count > 0 && route->choose != NULL &&
			select_choose(arena, decision, route->choose, err) != 0)
			return -1;
	}
	emit(route, decision);
	return 0;
}

/* Sets what the command line says in a RoutingDecision that came in. */
static int
revise(struct route *route, struct wv_arena *arena, const struct wv_record *rec,
	struct wv_err *err)
{
	const struct origin *extras = &route->extras;
	bool adds = extras->arguments != NULL || extras->justification != NULL;

	if (wv_contract_require(WV_ROUTING_DECISION, rec->tree, err) != 0)
		return -1;
	if (route->choose != NULL &&
		select_choose(arena, rec->tree, route->choose, err) != 0)
		return -1;
	if (route->pin != NULL &&
		select_pin(arena, rec->tree, route->pin, err) != 0)
		return -1;
	if (route->choose == NULL && route->pin == NULL && !adds &&
		!route->menu) {
		wv_lines_pass(rec, &route->out);
		return 0;
	}
	decision_add(arena, rec->tree, extras);
	emit(route, rec->tree);
	return 0;
}

static int
handle(struct route *route, struct wv_arena *arena, const struct wv_record *rec,
	struct wv_err *err)
{
	struct request request;
	int result;

	if (wv_get(rec->tree, "choice_cards") != NULL)
		return revise(route, arena, rec, err);
	result = request_read(&request, rec, err);
	if (result == 0)
		result = answer(route, arena, &request, rec->tree, err);
	request_free(&request);
	return result;
}

static void
run_records(struct route *route, char *const *files)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;

	wv_lines_open(&in, files, &route->lines, &route->out);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		if (handle(route, &arena, &rec, &err) != 0)
			wv_lines_bad(&in, &rec, &err);
		wv_arena_reset(&arena);
	}
	route->status = wv_worse(route->status, wv_lines_close(&in));
	wv_arena_free(&arena);
}

/* -e, or --pin alone. */
static void
run_once(struct route *route)
{
	struct request request = { .query = route->query };
	struct wv_err err = WV_ERR_INIT;

	if (answer(route, &route->arena, &request, NULL, &err) == 0)
		return;
	wv_warn_err(&err);
	route->status = WV_TROUBLE;
}

static void
setup(struct route *route, struct wv_opts *opts, int argc)
{
	struct wv_err err = WV_ERR_INIT;
	char *env = getenv("WV_CATALOG");
	int id;

	/* no option can stand more often than there are words */
	route->catalogs = wv_xcalloc((size_t)argc + 1, sizeof(char *));
	route->lints = wv_xcalloc((size_t)argc + 1, sizeof(char *));
	while ((id = wv_opt_next(opts)) != 0)
		take_option(route, opts, id);
	if (wv_id_init(&err) != 0)
		wv_die_err(&err);
	check_options(route, opts);
	if (route->arguments != NULL)
		route->extras.arguments =
			wv_json_given(&route->arena, "--arguments",
				route->arguments, &route->lines.json, &err);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
	if (route->catalog_count == 0 && env != NULL && *env != '\0')
		route->catalogs[route->catalog_count++] = env;
}

static void
cleanup(struct route *route)
{
	if (route->rank.index != NULL) {
		rank_free(&route->rank);
		index_free(&route->index);
	}
	wv_catalog_free(&route->catalog);
	wv_arena_free(&route->arena);
	free(route->catalogs);
	free(route->lints);
}

int
main(int argc, char **argv)
{
	struct route route = { .limit = DEFAULT_LIMIT,
		.lines = WV_LINES_OPTIONS_INIT };
	struct wv_opts opts;

	wv_opt_start(&opts, &cmd, argc, argv);
	setup(&route, &opts, argc);
	wv_out_init(&route.out, STDOUT_FILENO, "standard output");
	if (route.lint_count > 0)
		route.status = lint_catalog(route.lints);
	else if (opts.operand_count > 0 ||
		(route.query == NULL && route.pin == NULL))
		run_records(&route, opts.operands);
	else
		run_once(&route);
	wv_out_end(&route.out);
	wv_opt_end(&opts);
	cleanup(&route);
	return route.status;
}
