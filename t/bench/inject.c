/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject-bench FILE…: of each file, megabytes a second of CPU time, best of
 * passes that take a second in all, for the filter, for wv_inject_scan() and
 * for the scan that looks everywhere; what was found, and how much of the text
 * the filter's places cover.  The first line is what making the filter's
 * anchors, its keys and the rules took.
 */
#include "firewall/inject-filter.h"

#include "cpu.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX = 64, MAX_FILE = 1 << 26 };

static struct wv_injection found[MAX];
static size_t count, steps, covered;

static void
filtered(const char *s, size_t n)
{
	count = wv_inject_scan(s, n, found, MAX);
}

static void
filter(const char *s, size_t n)
{
	struct wv_filter places;
	size_t from, to;

	covered = 0;
	wv_filter_start(&places, s, n, 0);
	while (wv_filter_next(&places, &from, &to))
		covered += (to < n ? to : n) - from;
}

static void
all(const char *s, size_t n)
{
	count = wv_inject_scan_all(s, n, found, MAX, &steps);
}

/* Megabytes a second. */
static double
speed(void (*scan)(const char *, size_t), const char *s, size_t n)
{
	double best = 1e9, begin = cpu_time();

	do {
		double from = cpu_time();
		scan(s, n);
		double took = cpu_time() - from;
		if (took < best)
			best = took;
	} while (cpu_time() - begin < 1);
	return (double)n / best / 1e6;
}

static char *
read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *s = malloc(MAX_FILE);

	if (f == NULL || s == NULL)
		err(2, "%s", path);
	*n = fread(s, 1, MAX_FILE, f);
	fclose(f);
	return s;
}

int
main(int argc, char **argv)
{
	double begin = cpu_time();
	wv_inject_anchors();
	double anchors = cpu_time();
	wv_inject_keys();
	double keys = cpu_time();
	wv_inject_table();
	double rules = cpu_time();

	printf("anchors %.0f us, keys %.0f us, rules %.0f us\n",
		(anchors - begin) * 1e6, (keys - anchors) * 1e6,
		(rules - keys) * 1e6);
	for (int i = 1; i < argc; i++) {
		size_t n;
		char *s = read_file(argv[i], &n);
		double places = speed(filter, s, n);
		double fast = speed(filtered, s, n), slow = speed(all, s, n);
		printf("%s: %zu bytes, filter %.0f MB/s, %.0f MB/s, everywhere "
		       "%.0f MB/s; found %zu%s, places cover %.1f%%\n",
			argv[i], n, places, fast, slow, count,
			count == MAX ? " or more" : "",
			100.0 * (double)covered / (double)(n ? n : 1));
		free(s);
	}
	return 0;
}
