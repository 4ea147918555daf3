/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv-route: phase 1.  A request, or a RoutingDecision whose selection is to
 * be set, in; a RoutingDecision out.
 */
#include "catalog-out.h"
#include "explain.h"
#include "options.h"
#include "select.h"

#include "base/id.h"
#include "base/msg.h"
#include "card/menu.h"
#include "contract/contract.h"
#include "json/given.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct route {
	struct settings set;
	struct wv_arena arena; /* of the run */
	struct wv_catalog catalog;
	struct index index;
	struct rank rank;
	struct synonyms synonyms;
	struct wv_out out;
	int status;
};

static void
load_catalog(struct route *route)
{
	const struct settings *set = &route->set;
	struct wv_err err = WV_ERR_INIT;

	if (set->catalog_count == 0)
		wv_die("there is no catalogue: -c FILE");
	for (size_t i = 0; i < set->catalog_count; i++) {
		route->catalog.prefix = set->catalogs[i].prefix;
		if (wv_catalog_load(&route->catalog, &route->arena,
			    set->catalogs[i].path, &err) != 0)
			wv_die_err(&err);
	}
	if (route->catalog.count == 0)
		wv_die("%s: no capabilities", set->catalogs[0].path);
}

/* The catalogue and its index, made when the first request needs them. */
static void
need_index(struct route *route)
{
	struct wv_err err = WV_ERR_INIT;

	if (route->rank.index != NULL)
		return;
	load_catalog(route);
	index_build(&route->index, &route->catalog);
	rank_init(&route->rank, &route->index);
	if (route->set.synonyms != NULL &&
		synonyms_load(&route->synonyms, &route->arena,
			route->set.synonyms, &err) != 0)
		wv_die_err(&err);
}

/* The capability that --pin names, if there is a catalogue. */
static const struct wv_capability *
find_pinned(struct route *route)
{
	const char *pin = route->set.pin;
	const struct wv_capability *tool;
	const char **ids, *near;

	if (route->set.catalog_count == 0)
		return NULL;
	if (route->catalog.count == 0)
		load_catalog(route);
	tool = wv_catalog_find(&route->catalog, pin);
	if (tool != NULL)
		return tool;
	ids = wv_alloc(
		&route->arena, (route->catalog.count + 1) * sizeof(*ids));
	for (size_t i = 0; i < route->catalog.count; i++)
		ids[i] = route->catalog.items[i].id;
	ids[route->catalog.count] = NULL;
	near = wv_nearest(pin, ids);
	wv_die("no capability \"%s\" in the catalogue%s%s%s", pin,
		near ? ", did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
}

static void
emit(struct route *route, const cJSON *decision)
{
	struct wv_str text = { 0 };

	if (route->set.menu) {
		wv_menu_add(&text, &(struct wv_menu){ 0 }, decision);
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

static void
find(struct route *route, struct wv_arena *arena, const struct request *request,
	const struct wv_record *rec, struct rank_result *result)
{
	const struct settings *set = &route->set;
	struct rank_ask ask = { .query = request->query,
		.filter = &request->filter,
		.signals = &request->signals,
		.synonyms = set->synonyms != NULL ? &route->synonyms : NULL,
		.limit = set->limit,
		.explain = set->explain };

	need_index(route);
	rank_find(&route->rank, arena, &ask, result);
	if (set->explain)
		explain(rec, result);
}

/* rec is where the request stands; NULL: on the command line. */
static int
answer(struct route *route, struct wv_arena *arena,
	const struct request *request, const struct wv_record *rec,
	struct wv_err *err)
{
	const struct settings *set = &route->set;
	struct origin origin = set->origin;
	struct rank_result result;
	cJSON *decision;

	origin.id = request->id;
	origin.cause = rec != NULL ? rec->tree : NULL;
	if (set->pin != NULL) {
		decision = decision_pinned(
			arena, &origin, set->pin, find_pinned(route));
	} else {
		find(route, arena, request, rec, &result);
		decision = decision_ranked(
			arena, &origin, request->query, &result);
		if (result.count > 0 && set->choose != NULL &&
			select_choose(arena, decision, set->choose, err) != 0)
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
	const struct settings *set = &route->set;
	const struct origin *extras = &set->origin;
	bool adds = extras->arguments != NULL || extras->justification != NULL;

	if (wv_contract_require(WV_ROUTING_DECISION, rec->tree, err) != 0)
		return -1;
	if (set->choose != NULL &&
		select_choose(arena, rec->tree, set->choose, err) != 0)
		return -1;
	if (set->pin != NULL &&
		select_pin(arena, rec->tree, set->pin, err) != 0)
		return -1;
	if (set->choose == NULL && set->pin == NULL && !adds && !set->menu) {
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
	result = request_read(&request, arena, rec, err);
	if (result == 0)
		result = answer(route, arena, &request, rec, err);
	request_free(&request);
	return result;
}

static void
run_records(struct route *route, char *const *files)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;

	wv_lines_open(&in, files, &route->set.lines, &route->out);
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
	struct request request = { .query = route->set.query };
	struct wv_err err = WV_ERR_INIT;

	if (answer(route, &route->arena, &request, NULL, &err) == 0)
		return;
	wv_warn_err(&err);
	route->status = WV_TROUBLE;
}

static void
run_eval(struct route *route)
{
	struct eval *eval = &route->set.eval;

	need_index(route);
	eval->rank = &route->rank;
	eval->catalog = &route->catalog;
	eval->synonyms = route->set.synonyms ? &route->synonyms : NULL;
	route->status = eval_run(eval, &route->set.lines, &route->out);
}

static void
run(struct route *route, const struct wv_opts *opts)
{
	const struct settings *set = &route->set;

	switch (set->mode) {
	case LINT:
		route->status = lint_catalog(set->lints, set->lint_count);
		break;
	case CATALOG_OUT:
		load_catalog(route);
		catalog_out(&route->catalog, &route->out);
		break;
	case EVAL:
		run_eval(route);
		break;
	case ROUTE:
		if (opts->operand_count > 0 ||
			(set->query == NULL && set->pin == NULL))
			run_records(route, opts->operands);
		else
			run_once(route);
	}
}

static void
setup(struct route *route, struct wv_opts *opts)
{
	struct settings *set = &route->set;
	struct wv_err err = WV_ERR_INIT;

	options_read(set, opts);
	if (wv_id_init(&err) != 0)
		wv_die_err(&err);
	if (set->arguments != NULL)
		set->origin.arguments = wv_json_given(&route->arena,
			"--arguments", set->arguments, &set->lines.json, &err);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
}

static void
cleanup(struct route *route)
{
	if (route->rank.index != NULL) {
		rank_free(&route->rank);
		index_free(&route->index);
	}
	synonyms_free(&route->synonyms);
	wv_catalog_free(&route->catalog);
	wv_arena_free(&route->arena);
	free(route->set.catalogs);
	free(route->set.lints);
}

int
main(int argc, char **argv)
{
	struct route route = { 0 };
	struct wv_opts opts;

	wv_opt_start(&opts, &options_cmd, argc, argv);
	setup(&route, &opts);
	wv_out_init(&route.out, STDOUT_FILENO, "standard output");
	run(&route, &opts);
	wv_out_end(&route.out);
	wv_opt_end(&opts);
	cleanup(&route);
	return route.status;
}
