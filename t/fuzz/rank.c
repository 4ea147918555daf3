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
 *
 * Lines are capabilities (name, description, examples), the last one a query.
 * Scores are between 0 and 1 and fall, parts add up to them, nobody is listed
 * twice, and every capability is first, or equal to the first, for its own
 * name.
 */
#include "../../cmd/wv-route/rank.h"

#include "must.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { TOOLS_MAX = 40 };

static void
check_hit(const struct rank_hit *hit)
{
	double sum = 0;

	must(hit->score >= 0 && hit->score <= 1);
	for (size_t i = 0; i < hit->part_count; i++)
		sum += hit->parts[i].points;
	must(fabs(sum - hit->score) < 1e-6);
}

static void
ask(struct rank *rank, struct wv_arena *arena, const char *query,
	struct rank_result *result)
{
	static const struct filter everything;
	const struct rank_ask question = { .query = query,
		.filter = &everything,
		.limit = RANK_MAX,
		.explain = true };

	rank_find(rank, arena, &question, result);
	must(result->count <= RANK_MAX && result->count <= result->found);
	for (size_t i = 0; i < result->count; i++) {
		const struct rank_hit *hit = &result->hits[i];
		check_hit(hit);
		must(i == 0 || hit[-1].exact > hit->exact ||
			hit[-1].score >= hit->score);
		for (size_t j = 0; j < i; j++)
			must(result->hits[j].tool != hit->tool);
	}
}

static void
check_names(struct rank *rank, struct wv_arena *arena)
{
	const struct wv_catalog *catalog = rank->index->catalog;
	struct rank_result result;

	for (size_t i = 0; i < catalog->count; i++) {
		ask(rank, arena, catalog->items[i].id, &result);
		must(result.count > 0 && result.hits[0].exact);
	}
}

static cJSON *
examples(struct wv_arena *arena, char *line)
{
	cJSON *list = wv_json_array(arena);
	char *text;

	while ((text = strsep(&line, "\t")) != NULL)
		wv_push(list, wv_json_string(arena, text));
	return list;
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_capability items[TOOLS_MAX];
	struct wv_catalog catalog = { .items = items, .arena = &arena };
	struct index index;
	struct rank rank;
	struct rank_result result;
	char *text = wv_dupn(&arena, (const char *)data, size), *line;

	while ((line = strsep(&text, "\n")) != NULL && text != NULL &&
		catalog.count < TOOLS_MAX) {
		char *name = strsep(&line, "\t");
		char *description = strsep(&line, "\t");
		items[catalog.count] = (struct wv_capability){
			.id = wv_printf(&arena, "t.%zu", catalog.count),
			.name = name,
			.description = description ? description : name,
			.examples = examples(&arena, line),
			.safety = size % 2 ? "read" : NULL,
		};
		catalog.count++;
	}
	index_build(&index, &catalog);
	rank_init(&rank, &index);
	ask(&rank, &arena, line != NULL ? line : "", &result);
	check_names(&rank, &arena);
	rank_free(&rank);
	index_free(&index);
	wv_arena_free(&arena);
	return 0;
}
