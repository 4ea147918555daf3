/* SPDX-License-Identifier: Apache-2.0 */
#include "eval.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = { "R@1", "R@3", "R@5", "R@10", "MRR",
	"no-match", "no-match-right" };

/* Sums over queries, and over how many. */
struct tally {
	double sums[EVAL_METRICS];
	size_t counts[EVAL_METRICS];
	size_t queries;
};

void
eval_floor(struct eval *eval, const struct wv_opts *opts)
{
	const char *equals = strchr(opts->value, '=');
	size_t n = equals != NULL ? (size_t)(equals - opts->value) : 0;
	size_t metric = 0;
	double value;
	char *end;

	while (metric < EVAL_METRICS &&
		(strlen(names[metric]) != n ||
			strncasecmp(names[metric], opts->value, n) != 0))
		metric++;
	if (metric == EVAL_METRICS)
		wv_usage(opts,
			"--floor takes R@1, R@3, R@5, R@10, MRR, no-match or "
			"no-match-right, and =VALUE");
	value = strtod(equals + 1, &end);
	if (equals[1 + strspn(equals + 1, "0123456789.")] != '\0' ||
		end == equals + 1 || *end != '\0' || value > 1)
		wv_usage(opts, "--floor %s: a value is from 0 to 1",
			names[metric]);
	eval->floors[metric] = value;
}

static bool
expects(const cJSON *expect, const char *id)
{
	wv_json_each(item, expect)
		if (strcmp(item->valuestring, id) == 0)
			return true;
	return false;
}

/* The place of the first hit that is expected, from 1; 0: none is. */
static size_t
place_of(const struct rank_result *result, const cJSON *expect)
{
	for (size_t i = 0; i < result->count; i++)
		if (expects(expect, result->hits[i].tool->id))
			return i + 1;
	return 0;
}

static void
count(struct tally *tally, enum eval_metric metric, double value)
{
	tally->sums[metric] += value;
	tally->counts[metric]++;
}

static void
judge(struct tally *tally, const struct rank_result *result,
	const cJSON *expect, size_t place)
{
	static const size_t firsts[] = { 1, 3, 5, 10 };

	tally->queries++;
	count(tally, EVAL_NO_MATCH, result->count == 0);
	if (expect->child == NULL) {
		count(tally, EVAL_NO_MATCH_RIGHT, result->count == 0);
		return;
	}
	for (size_t i = 0; i < 4; i++)
		count(tally, EVAL_R1 + i, place > 0 && place <= firsts[i]);
	count(tally, EVAL_MRR, place > 0 ? 1.0 / (double)place : 0);
}

/* Under -v: what went wrong with a query. */
static void
note(const struct wv_record *rec, const struct rank_result *result,
	const char *query, const cJSON *expect, size_t place)
{
	struct wv_str text = { 0 };

	if (wv_verbose == 0 || place == 1 ||
		(expect->child == NULL && result->count == 0))
		return;
	wv_str_fmt(&text, "%s:%zu: \"%s\" expects ", rec->source, rec->line,
		query);
	wv_json_each(id, expect)
		wv_str_fmt(&text, "%s%s", id->valuestring,
			id->next != NULL ? ", " : "");
	if (expect->child == NULL)
		wv_str_cat(&text, "no match");
	if (place > 0)
		wv_str_fmt(&text, ", which is number %zu", place);
	wv_str_cat(&text, "; offered: ");
	if (result->count == 0)
		wv_str_cat(&text, "nothing");
	for (size_t i = 0; i < result->count && i < 5; i++)
		wv_str_fmt(&text, "%s%s", i > 0 ? ", " : "",
			result->hits[i].tool->id);
	wv_note("%s", text.s);
	wv_str_free(&text);
}

static int
ask(const struct eval *eval, struct tally *tally, struct wv_arena *arena,
	const struct wv_record *rec, struct wv_err *err)
{
	static const struct filter everything;
	struct wv_doc doc = {
		.text = rec->text, .len = rec->len, .root = rec->tree
	};
	const cJSON *expect = wv_get(rec->tree, "expect");
	struct rank_ask question = { .filter = &everything,
		.synonyms = eval->synonyms,
		.limit = RANK_MAX };
	struct rank_result result;
	size_t place;

	if (wv_config_check(&doc, "route-eval", err) != 0 ||
		request_query(&doc, &question.query, err) != 0)
		return -1;
	wv_json_each(id, expect)
		if (wv_catalog_find(eval->catalog, id->valuestring) == NULL)
			return wv_doc_err(&doc, err, "/expect",
				"no capability \"%s\" in the catalogue",
				id->valuestring);
	rank_find(eval->rank, arena, &question, &result);
	place = place_of(&result, expect);
	judge(tally, &result, expect, place);
	note(rec, &result, question.query, expect, place);
	return 0;
}

/* A metric to four digits, as it is written and compared. */
static double
figure(const struct tally *tally, size_t metric)
{
	return round(tally->sums[metric] / (double)tally->counts[metric] *
		       1e4) /
		1e4;
}

/* What no query has asked for is left out. */
static void
write_figures(
	const struct eval *eval, const struct tally *tally, struct wv_out *out)
{
	struct wv_str text = { 0 };

	if (eval->json)
		wv_str_fmt(&text, "{\"queries\":%zu", tally->queries);
	for (size_t i = 0; i < EVAL_METRICS; i++) {
		if (tally->counts[i] == 0)
			continue;
		if (eval->json)
			wv_str_fmt(&text, ",\"%s\":%.4f", names[i],
				figure(tally, i));
		else
			wv_str_fmt(&text, "%s%s %.4f", text.n > 0 ? " " : "",
				names[i], figure(tally, i));
	}
	if (eval->json)
		wv_str_chr(&text, '}');
	wv_out_line(out, text.s, text.n);
	wv_str_free(&text);
}

static int
check_floors(const struct eval *eval, const struct tally *tally)
{
	int status = WV_YES;

	for (size_t i = 0; i < EVAL_METRICS; i++) {
		if (eval->floors[i] == 0)
			continue;
		if (tally->counts[i] == 0) {
			wv_warn("--floor %s: no query of %s tells it", names[i],
				eval->path);
			status = wv_worse(status, WV_TROUBLE);
		} else if (figure(tally, i) < eval->floors[i]) {
			wv_warn("%s is %.4f, its floor %g", names[i],
				figure(tally, i), eval->floors[i]);
			status = wv_worse(status, WV_NO);
		}
	}
	return status;
}

int
eval_run(struct eval *eval, const struct wv_lines_options *options,
	struct wv_out *out)
{
	char *files[] = { (char *)eval->path, NULL };
	struct wv_arena arena = WV_ARENA_INIT;
	struct tally tally = { 0 };
	struct wv_lines in;
	struct wv_record rec;
	int status;

	wv_lines_open(&in, files, options, out);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		struct wv_err err = WV_ERR_INIT;
		if (ask(eval, &tally, &arena, &rec, &err) != 0)
			wv_lines_bad(&in, &rec, &err);
		wv_arena_reset(&arena);
	}
	status = wv_lines_close(&in);
	wv_arena_free(&arena);
	if (tally.queries == 0)
		return wv_worse(status, WV_TROUBLE);
	write_figures(eval, &tally, out);
	return wv_worse(status, check_floors(eval, &tally));
}
