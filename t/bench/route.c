/* SPDX-License-Identifier: Apache-2.0 */
/*
 * route CATALOG QUERIES [EXAMPLES]: how often a right tool is first and among
 * the first five ({"query", "expect": [ids]} lines, both halves apart), and
 * what building the index and a query take, in CPU time.
 */
#include "../../cmd/wv-route/rank.h"

#include "base/file.h"

#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wv_arena arena = WV_ARENA_INIT;
static struct wv_catalog catalog;

struct half {
	size_t first, five, count;
};

static void
die(const struct wv_err *err)
{
	fprintf(stderr, "route: %s\n", err->text);
	exit(2);
}

static const cJSON **
read_lines(const char *path, size_t *count)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON **lines = NULL;
	size_t n;
	char *text = wv_file_read(&arena, path, (size_t)1 << 28, &n, &err);

	if (text == NULL)
		die(&err);
	*count = 0;
	for (char *line; (line = strsep(&text, "\n")) != NULL;) {
		if (*line == '\0')
			continue;
		lines = wv_list_room(lines, *count, sizeof(*lines));
		lines[*count] = wv_json_read(
			&arena, line, strlen(line), &wv_json_defaults, &err);
		if (lines[(*count)++] == NULL)
			die(&err);
	}
	return lines;
}

static void
add_examples(const char *path)
{
	size_t count;
	const cJSON **lines = read_lines(path, &count);

	for (size_t i = 0; i < count; i++) {
		const size_t *place = wv_map_find(
			&catalog.index, wv_get_string(lines[i], "id"));
		if (place != NULL)
			catalog.items[*place].examples =
				wv_get(lines[i], "examples");
	}
	free(lines);
}

static void
judge(struct half *half, const cJSON *expect, const struct rank_result *result)
{
	size_t place = result->count;

	for (size_t i = result->count; i-- > 0;)
		wv_json_each(id, expect)
			if (strcmp(id->valuestring, result->hits[i].tool->id) ==
				0)
				place = i;
	half->count++;
	half->first += place == 0 && result->count > 0;
	half->five += place < 5 && place < result->count;
}

int
main(int argc, char **argv)
{
	static const struct filter everything;
	struct wv_arena scratch = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct index index;
	struct rank rank;
	struct half halves[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
	double start, built, end;
	const cJSON **queries;
	size_t count;

	if (argc < 3 || wv_catalog_load(&catalog, &arena, argv[1], &err) != 0)
		die(&err);
	if (argc > 3)
		add_examples(argv[3]);
	queries = read_lines(argv[2], &count);
	start = cpu_time();
	index_build(&index, &catalog);
	rank_init(&rank, &index);
	built = cpu_time();
	for (size_t i = 0; i < count; i++) {
		struct rank_result result;
		const struct rank_ask ask = {
			.query = wv_get_string(queries[i], "query"),
			.filter = &everything,
			.limit = 5,
		};
		rank_find(&rank, &scratch, &ask, &result);
		judge(&halves[i >= count / 2], wv_get(queries[i], "expect"),
			&result);
		wv_arena_reset(&scratch);
	}
	end = cpu_time();
	for (int i = 0; i < 2; i++)
		printf("R@1 %.4f R@5 %.4f  ",
			(double)halves[i].first / (double)halves[i].count,
			(double)halves[i].five / (double)halves[i].count);
	printf("build %.1f ms, query %.4f ms\n", (built - start) * 1e3,
		(end - built) * 1e3 / (double)count);
	return 0;
}
