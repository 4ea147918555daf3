/* SPDX-License-Identifier: Apache-2.0 */
/*
 * However a text arrives, its records are the same: whole from a file, in
 * pieces from a pipe, and behind so much white space that it lies across the
 * end of a block.  The first byte of the input chooses mode and limits, the
 * second the pieces.
 */
#include "base/msg.h"
#include "json/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { BLOCK = 128 << 10, MAX_SIZE = 32 << 10 };

struct result {
	struct wv_str records;
	size_t malformed;
	int status;
};

static struct wv_arena arena = WV_ARENA_INIT;
static struct wv_lines_options options = WV_LINES_OPTIONS_INIT;

static void
collect(struct result *result, const struct wv_record *rec, size_t less)
{
	wv_str_fmt(&result->records, "%zu:%zu:%d:", rec->line - less,
		rec->column, rec->one_line);
	wv_str_add(&result->records, rec->text, rec->len);
	wv_str_chr(&result->records, '\n');
	wv_json_write(&result->records, rec->tree);
	wv_arena_reset(&arena);
}

static void
check_same(struct result *a, struct result *b)
{
	if (a->records.n != b->records.n || a->malformed != b->malformed ||
		a->status != b->status ||
		(a->records.n > 0 &&
			memcmp(a->records.s, b->records.s, a->records.n) != 0))
		abort();
	wv_str_free(&b->records);
}

static struct result
finish(struct result result, struct wv_lines *in)
{
	result.malformed = in->counts.malformed;
	result.status = wv_lines_close(in);
	return result;
}

/* The text behind a blank line of skip bytes. */
static struct result
from_file(const unsigned char *data, size_t size, size_t skip)
{
	static int fd = -1;
	static char path[32], blank[BLOCK];
	char *files[] = { path, NULL };
	struct result result = { 0 };
	struct wv_record rec;
	struct wv_lines in;

	if (fd < 0) {
		memset(blank, ' ', BLOCK);
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0 ||
		(skip > 0 &&
			(wv_write_all(fd, blank, skip - 1) < 0 ||
				wv_write_all(fd, "\n", 1) < 0)) ||
		wv_write_all(fd, data, size) < 0)
		abort();
	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1)
		collect(&result, &rec, skip > 0);
	return finish(result, &in);
}

/* As the kernel's groups do: what is ready is taken without reading, and the
 * text of the record before it stands. */
static int
next(struct wv_lines *in, struct wv_record *rec)
{
	struct wv_record before = *rec;
	struct wv_str copy = { 0 };
	int got = WV_LINES_WAIT;

	wv_str_add(&copy, before.text, before.len);
	if (wv_lines_ready(in)) {
		got = wv_lines_next(in, &arena, rec);
		if (copy.n > 0 && memcmp(before.text, copy.s, copy.n) != 0)
			abort();
	}
	wv_str_free(&copy);
	return got == WV_LINES_WAIT ? wv_lines_next(in, &arena, rec) : got;
}

static struct result
from_pipe(const unsigned char *data, size_t size, size_t piece)
{
	struct result result = { 0 };
	char path[32], *files[] = { path, NULL };
	struct wv_record rec = { .text = "" };
	struct wv_lines in;
	int fds[2], got = WV_LINES_WAIT;

	if (pipe2(fds, O_CLOEXEC) < 0)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
	wv_lines_open(&in, files, &options, NULL);
	if (wv_lines_nonblocking(&in) < 0)
		abort();
	while (got != 0) {
		size_t n = size < piece ? size : piece;
		if (n > 0 && wv_write_all(fds[1], data, n) < 0)
			abort();
		data += n;
		size -= n;
		if (n == 0) {
			close(fds[1]);
			fds[1] = -1;
		}
		while ((got = next(&in, &rec)) == 1)
			collect(&result, &rec, 0);
	}
	if (fds[1] >= 0)
		close(fds[1]);
	close(fds[0]);
	return finish(result, &in);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const size_t limits[] = { 64 << 20, 1, 7, 64 };
	struct result whole, other;
	size_t piece;
	bool across;

	if (size < 2 || size > MAX_SIZE)
		return 0;
	wv_quiet = true;
	options.all_lines = data[0] & 1;
	options.fail_fast = data[0] & 2;
	options.max_line = limits[data[0] >> 2 & 3];
	piece = size / 16 + data[1] % 16 + 1;
	across = data[1] >= 0xf0;
	data += 2;
	size -= 2;
	whole = from_file(data, size, 0);
	other = from_pipe(data, size, piece);
	check_same(&whole, &other);
	/* A byte order mark can stand at the start of a source only. */
	if (across && size > 0 && data[0] != 0xef &&
		(!options.all_lines || options.max_line > BLOCK)) {
		other = from_file(data, size, BLOCK - size / 2);
		check_same(&whole, &other);
	}
	wv_str_free(&whole.records);
	return 0;
}
