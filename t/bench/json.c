/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json-bench FILE: reads JSON lines and prints what each reader makes a
 * second of CPU time, best of five passes, reading of the file not counted,
 * and the peak memory of a process that does nothing else.  The file is
 * streamed, so that this does not depend on its size.
 *
 * "with the same checks": cJSON_Parse takes what is not JSON, so a strict
 * reader has to pass each record first; here that is ours.  For the portable
 * reader, build everything with -DWV_NO_SIMD.
 */
#include "json/json.h"

#include "cjson-peer.h"
#include "cpu.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SSE2__) && !defined(WV_NO_SIMD)
#define BUILD "SSE2"
#else
#define BUILD "portable"
#endif

enum { PASSES = 5, BLOCK = 1 << 20 };

static struct wv_arena arena;
static struct wv_str written;

static cJSON *
must_read(const char *text, size_t len)
{
	struct wv_err err = WV_ERR_INIT;
	cJSON *tree;

	wv_arena_reset(&arena);
	tree = wv_json_read(&arena, text, len, &wv_json_defaults, &err);
	if (tree == NULL)
		errx(2, "column %zu of %.60s: %s", err.column, text, err.text);
	return tree;
}

static void
ours(const char *text, size_t len)
{
	must_read(text, len);
}

static void
ours_written(const char *text, size_t len)
{
	written.n = 0;
	wv_json_write(&written, must_read(text, len));
}

static void
theirs(const char *text, size_t len)
{
	if (!cjson_peer(text, len))
		errx(2, "cJSON refuses %.60s", text);
}

static void
theirs_checked(const char *text, size_t len)
{
	must_read(text, len);
	theirs(text, len);
}

static const struct reader {
	const char *name;
	void (*read)(const char *text, size_t len);
} readers[] = {
	{ "wv_json_read, " BUILD, ours },
	{ "wv_json_read and wv_json_write", ours_written },
	{ "cJSON_Parse", theirs },
	{ "cJSON_Parse with the same checks", theirs_checked },
};

/* Reads the whole lines in buf; returns how many bytes are left over. */
static size_t
read_lines(const struct reader *reader, char *buf, size_t n, double *seconds)
{
	char *line = buf, *lf;
	double start = cpu_time();

	while ((lf = memchr(line, '\n', n - (size_t)(line - buf))) != NULL) {
		reader->read(line, (size_t)(lf - line));
		line = lf + 1;
	}
	*seconds += cpu_time() - start;
	n -= (size_t)(line - buf);
	memmove(buf, line, n);
	return n;
}

/* MB/s of one pass. */
static double
pass(const struct reader *reader, const char *file)
{
	static char buf[2 * BLOCK + WV_JSON_SLACK];
	double seconds = 0, bytes = 0;
	size_t left = 0;
	ssize_t got;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, "%s", file);
	while ((got = read(fd, buf + left, BLOCK)) > 0) {
		bytes += (double)got;
		left = read_lines(reader, buf, left + (size_t)got, &seconds);
		if (left > BLOCK)
			errx(2, "%s: a line is too long", file);
	}
	if (got < 0)
		err(2, "%s", file);
	close(fd);
	return bytes / seconds / 1e6;
}

/* In a process of its own, whose peak memory is the reader's. */
static void
measure(const struct reader *reader, const char *file)
{
	struct rusage usage;
	double best = 0;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (child == 0) {
		for (int i = 0; i < PASSES; i++) {
			double mbps = pass(reader, file);
			best = mbps > best ? mbps : best;
		}
		printf("%-34s %8.0f MB/s", reader->name, best);
		exit(0);
	}
	if (wait4(child, &status, 0, &usage) < 0 || status != 0)
		errx(2, "%s failed", reader->name);
	printf(" %8.1f MB\n", (double)usage.ru_maxrss / 1024);
}

int
main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: json-bench FILE");
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		measure(&readers[i], argv[1]);
	return 0;
}
