/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan-bench SCHEMA FILE: judges JSON lines by a schema, `format` asserted,
 * and prints what each way of doing it makes a second of CPU time, best of
 * five passes over a file that is in memory already; and how many lines it
 * says yes to.  For the portable scan, build everything with -DWV_NO_SIMD.
 */
#include "schema/schema.h"

#include "base/file.h"
#include "json/skim.h"

#include "cpu.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#ifdef WV_JSON_SSE2
#define BUILD "SSE2"
#else
#define BUILD "portable"
#endif

enum { PASSES = 5 };

static const struct wv_schema *schema;
static struct wv_arena arena;

static bool
skim(const char *text, size_t len)
{
	struct wv_skim s;
	const char *p = wv_skim_begin(&s, text, len, &wv_json_defaults);

	if (p != NULL)
		p = wv_skim_value(&s, p);
	return p != NULL && wv_skim_is_end(&s, p);
}

static bool
scan(const char *text, size_t len)
{
	return wv_schema_scan(schema, text, len, &wv_json_defaults);
}

static bool
judge_tree(const char *text, size_t len)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *tree;

	wv_arena_reset(&arena);
	tree = wv_json_read(&arena, text, len, &wv_json_defaults, &err);
	return tree != NULL && wv_schema_valid(schema, tree) == 1;
}

static const struct way {
	const char *name;
	bool (*judge)(const char *text, size_t len);
} ways[] = {
	{ "wv_schema_scan, " BUILD, scan },
	{ "wv_skim_value, " BUILD, skim },
	{ "wv_json_read and wv_schema_valid", judge_tree },
};

struct text {
	const char *s;
	size_t n;
};

/* Seconds of one pass over whole lines. */
static double
pass(const struct way *way, const struct text *text, size_t *good)
{
	const char *line = text->s, *end = text->s + text->n, *lf;
	double start = cpu_time();

	*good = 0;
	while ((lf = memchr(line, '\n', (size_t)(end - line))) != NULL) {
		*good += way->judge(line, (size_t)(lf - line));
		line = lf + 1;
	}
	return cpu_time() - start;
}

static void
measure(const struct way *way, const struct text *text)
{
	double best = 0;
	size_t good = 0;

	for (int i = 0; i < PASSES; i++) {
		double rate = (double)text->n / pass(way, text, &good) / 1e6;
		best = rate > best ? rate : best;
	}
	printf("%-34s %8.0f MB/s  %zu lines good\n", way->name, best, good);
}

static void
must(bool holds, const struct wv_err *error, const char *path)
{
	if (!holds)
		errx(2, "%s: %s", path, error->text);
}

int
main(int argc, char **argv)
{
	struct wv_schema_options options = WV_SCHEMA_OPTIONS_STRICT;
	struct wv_schema_set *set = wv_schema_set_new(&options);
	struct wv_arena kept = WV_ARENA_INIT;
	struct wv_err error = WV_ERR_INIT;
	struct text text;
	struct wv_doc doc;

	if (argc != 3)
		errx(2, "usage: scan-bench SCHEMA FILE");
	must(wv_doc_load(&doc, &kept, argv[1], &error) == 0, &error, argv[1]);
	schema = wv_schema_compile(set, doc.root, &error);
	must(schema != NULL, &error, argv[1]);
	text.s = wv_file_read(&kept, argv[2], SIZE_MAX / 2, &text.n, &error);
	must(text.s != NULL, &error, argv[2]);
	if (!wv_schema_can_scan(schema))
		errx(2, "%s: cannot be scanned", argv[1]);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		measure(&ways[i], &text);
	wv_schema_set_free(set);
	wv_arena_free(&kept);
	wv_arena_free(&arena);
	return 0;
}
