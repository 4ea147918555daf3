/* SPDX-License-Identifier: Apache-2.0 */
/*
 * links: cmd/wv-route/index.c
 * links: cmd/wv-route/index-find.c
 * links: cmd/wv-route/names.c
 * links: cmd/wv-route/texts.c
 * links: cmd/wv-route/nearest.c
 * links: cmd/wv-route/similar.c
 * links: cmd/wv-route/plan.c
 * links: cmd/wv-route/grams.c
 * links: cmd/wv-route/synonyms.c
 * links: cmd/wv-route/hints.c
 * links: cmd/wv-route/parts.c
 * links: cmd/wv-route/rank.c
 * links: cmd/wv-route/request.c
 */
#include "tap.h"

#include "../../cmd/wv-route/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct wv_arena arena = WV_ARENA_INIT;
static const struct filter everything;

struct world {
	struct wv_catalog catalog;
	struct index index;
	struct rank rank;
};

static void
add(struct world *w, const char *id, const char *name, const char *description)
{
	struct wv_catalog *c = &w->catalog;

	c->items = wv_list_room(c->items, c->count, sizeof(*c->items));
	c->items[c->count++] = (struct wv_capability){
		.id = id, .name = name, .description = description
	};
}

static void
begin(struct world *w)
{
	index_build(&w->index, &w->catalog);
	rank_init(&w->rank, &w->index);
}

static void
end(struct world *w)
{
	rank_free(&w->rank);
	index_free(&w->index);
	free(w->catalog.items);
	*w = (struct world){ 0 };
}

static struct rank_result
ask(struct world *w, const char *query, const struct signals *signals)
{
	struct rank_result result;
	const struct rank_ask question = { .query = query,
		.filter = &everything,
		.signals = signals,
		.limit = RANK_MAX,
		.explain = true };

	rank_find(&w->rank, &arena, &question, &result);
	return result;
}

static bool
adds_up(const struct rank_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		const struct rank_hit *hit = &result->hits[i];
		double sum = 0;
		for (size_t j = 0; j < hit->part_count; j++)
			sum += hit->parts[j].points;
		if (fabs(sum - hit->score) > 1e-9)
			return false;
	}
	return true;
}

static const struct rank_part *
part(const struct rank_hit *hit, const char *kind)
{
	for (size_t i = 0; i < hit->part_count; i++)
		if (strcmp(hit->parts[i].kind, kind) == 0)
			return &hit->parts[i];
	return NULL;
}

static void
test_parts(void)
{
	struct world w = { 0 };
	struct rank_result r;
	const char *called[] = { "mail.send" };
	struct signals signals = { called, 1, "a hotel in Lisbon" };

	add(&w, "mail.send", "Send mail", "Send an e-mail to somebody.");
	add(&w, "trip.book", "Book hotel", "Books a room.");
	w.catalog.items[1].safety = "read";
	begin(&w);
	r = ask(&w, "book a hotl", NULL);
	ok(adds_up(&r), "parts add up to the score");
	is(r.hits[0].tool->id, "trip.book", "a typing error");
	is(part(&r.hits[0], "part")->what, "hotl", "is a part");
	is(part(&r.hits[0], "word")->field, "name, id, description",
		"fields are named");
	r = ask(&w, "mail.send", NULL);
	ok(r.hits[0].exact && r.hits[0].score == 1 && adds_up(&r),
		"an exact name has all the points");
	r = ask(&w, "somebody", &signals);
	is(part(&r.hits[0], "signal")->what, "called", "called before");
	ok(part(&r.hits[0], "signal")->points < 0 && adds_up(&r),
		"which takes some");
	r = ask(&w, "send somebody", &signals);
	ok(part(&r.hits[0], "signal") == NULL, "unless it is named again");
	r = ask(&w, "hotel", &signals);
	is(part(&r.hits[0], "signal")->what, "last_summary",
		"the summary, for what only reads");
	w.catalog.items[1].safety = "write";
	r = ask(&w, "hotel", &signals);
	ok(part(&r.hits[0], "signal") == NULL, "and for nothing else");
	end(&w);
}

/* The longer the text, the less a word of it. */
static void
test_comparable(void)
{
	struct world w = { 0 };
	struct rank_result few, many;

	add(&w, "a.x", "platypus", "Counts animals in a river.");
	add(&w, "a.y", "wombat", "Counts others.");
	begin(&w);
	few = ask(&w, "platypus", NULL);
	many = ask(&w, "platypus kangaroo koala emu", NULL);
	ok(many.hits[0].score < few.hits[0].score,
		"words that nothing has lower a score");
	ok(few.hits[0].score <= 1, "it is at most 1");
	ok(few.margin == 1, "no second: the margin is 1");
	end(&w);
}

static void
test_groups(void)
{
	struct world w = { 0 };
	struct rank_result r;
	static const char text[] = "Looks a customer of the shop up by name.";

	for (int i = 0; i < 30; i++)
		add(&w, wv_printf(&arena, "crm.find.v%d", i),
			wv_printf(&arena, "find_%d", i), text);
	add(&w, "crm.drop", "find", text);
	w.catalog.items[30].safety = "destructive";
	add(&w, "erp.find", "find", text);
	begin(&w);
	r = ask(&w, "customer by name", NULL);
	ok(r.count == 3 && r.found == 32,
		"clones are offered once, apart by safety and namespace");
	for (size_t i = 0; i < r.count; i++)
		if (r.hits[i].similar_count > 0)
			ok(r.hits[i].similar_count == 29 &&
					strcmp(r.hits[i].similar[1]->id,
						"crm.find.v10") == 0,
				"the others are listed by id");
	r = ask(&w, "crm.find.v7", NULL);
	is(r.hits[0].tool->id, "crm.find.v7", "one by its id");
	end(&w);
}

static const cJSON *
examples(const char *json)
{
	struct wv_err err = WV_ERR_INIT;

	return wv_json_read(&arena, wv_dup(&arena, json), strlen(json),
		&wv_json_defaults, &err);
}

/* All words are in the examples of both, but one has them together. */
static void
test_nearest(void)
{
	struct world w = { 0 };
	struct rank_result r;

	add(&w, "a.x", "Alpha", "First.");
	add(&w, "a.y", "Beta", "Other.");
	add(&w, "a.z", "Gamma", "A platypus walks.");
	w.catalog.items[0].examples = examples(
		"[\"dry soup\", \"an emu eats\", \"\", \"cold wombat\"]");
	w.catalog.items[1].examples = examples(
		"[\"dry wombat\", \"an emu soup\", \"\", \"cold eats\"]");
	begin(&w);
	r = ask(&w, "wombat cold", NULL);
	is(r.hits[0].tool->id, "a.x", "the one with the likest example");
	is(part(&r.hits[0], "nearest")->what, "example 4", "which is named");
	ok(adds_up(&r), "it is part of the score");
	r = ask(&w, "platypus", NULL);
	is(part(&r.hits[0], "nearest")->what, "description",
		"without examples it is the description");
	r = ask(&w, "gamma platypus walks", NULL);
	ok(r.hits[0].score <= 1 && adds_up(&r), "the score is at most 1");
	end(&w);
}

static bool
matches(struct world *w, const char *query)
{
	return ask(w, query, NULL).count > 0;
}

static void
test_proof(void)
{
	struct world w = { 0 };

	add(&w, "fs.list", "List files", "Read what a folder has.");
	add(&w, "fs.wipe", "Delete file", "Removes what is paid for.");
	add(&w, "met.weather", "Weather", "Tells the degrees of a city.");
	add(&w, "go.trip", "Plan", "Makes an itinerary.");
	add(&w, "go.tables", "List tables", "Shows tables for four.");
	w.catalog.items[3].tags = examples("[\"trip\"]");
	begin(&w);
	ok(!matches(&w, "book a novel in Lisbon"),
		"a subject alone proves nothing, nor a word like another");
	ok(matches(&w, "will there be snow"),
		"a word of the subject that a tool is called by proves");
	ok(matches(&w, "a flight and a hotel"),
		"two words of one subject that a tool is clearly about prove");
	ok(!matches(&w, "a hotel"), "one does not");
	ok(!matches(&w, "reserve a restaurant"),
		"nor for a tool whose word has several subjects");
	ok(!matches(&w, "erase the blackboard"), "an action does not");
	ok(!matches(&w, "my pain"), "nor one letter of four");
	ok(matches(&w, "fodler"), "a typing error does");
	ok(!matches(&w, "get 4 apples"), "nor do numbers");
	is(ask(&w, "erase the file", NULL).hits[0].tool->id, "fs.wipe",
		"but an action orders");
	end(&w);
}

static void
test_names(void)
{
	struct world w = { 0 };
	struct rank_result r;

	add(&w, "git.repo.open_pr", "Open a pull request", "First.");
	add(&w, "git.repo.close", "Close one", "Second.");
	add(&w, "hub.repo.close", "Close another", "Third.");
	add(&w, "hub.other", "open_pr.", "Fourth.");
	begin(&w);
	r = ask(&w, " Open_PR ", NULL);
	ok(r.hits[0].exact && r.hits[0].tool == &w.catalog.items[0],
		"what is behind a dot of an id is exact");
	ok(!r.hits[1].exact, "and nothing else");
	r = ask(&w, "repo.open_pr", NULL);
	ok(r.hits[0].exact, "behind any dot");
	r = ask(&w, "repo.close", NULL);
	ok(!r.hits[0].exact, "unless several have it");
	r = ask(&w, "open_pr.", NULL);
	is(r.hits[0].tool->id, "hub.other", "a name comes first");
	ok(r.hits[0].exact && !r.hits[1].exact, "and alone");
	end(&w);
}

/* Words that are in all of many tools, each with one of its own: grouping
 * them must not compare each with each. */
static void
test_scale(void)
{
	struct world w = { 0 };
	struct rank_result r;

	for (int i = 0; i < 20000; i++) {
		char own[16];
		for (int j = 0, x = i; j < 15; j++, x /= 3)
			own[j] = (char)('a' + x % 3 + j);
		own[15] = '\0';
		add(&w, wv_printf(&arena, "t.%d", i), wv_dup(&arena, own),
			"alpha beta gamma delta");
	}
	begin(&w);
	r = ask(&w, "alpha", NULL);
	ok(r.count == RANK_MAX, "twenty thousand in no time");
	end(&w);
}

int
main(void)
{
	test_parts();
	test_comparable();
	test_groups();
	test_nearest();
	test_proof();
	test_names();
	test_scale();
	wv_arena_free(&arena);
	return done();
}
