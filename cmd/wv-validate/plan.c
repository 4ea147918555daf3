/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Some milliseconds' work. */
enum { PIECE = 4 << 20 };

static bool
ends_with(const char *name, const char *ending)
{
	size_t n = strlen(name), len = strlen(ending);

	return n >= len && strcmp(name + n - len, ending) == 0;
}

/* A file of lines that can be read from anywhere, and its size; else -1. */
static int
open_divisible(const char *file, off_t *size)
{
	struct stat st;
	int fd;

	if (!ends_with(file, ".jsonl") && !ends_with(file, ".ndjson"))
		return -1;
	if (stat(file, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= PIECE)
		return -1;
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	*size = st.st_size;
	return fd;
}

/* Where the first line begins that does so at a place or behind it; 0 if
 * there is none such. */
static off_t
line_after(int fd, off_t at)
{
	char block[4096];
	const char *lf;
	ssize_t n;

	for (at--;; at += n) {
		n = pread(fd, block, sizeof block, at);
		if (n < 0 && errno == EINTR) {
			n = 0;
			continue;
		}
		if (n <= 0)
			return 0;
		lf = memchr(block, '\n', (size_t)n);
		if (lf != NULL)
			return at + (lf - block) + 1;
	}
}

static void
add(struct plan *plan, const struct piece *piece)
{
	if (plan->count == plan->cap) {
		plan->cap = plan->cap ? plan->cap * 2 : 64;
		plan->pieces = wv_xrealloc(
			plan->pieces, plan->cap * sizeof *plan->pieces);
	}
	plan->pieces[plan->count++] = *piece;
}

void
plan_add(struct plan *plan, const char *file, const struct target *target,
	bool split)
{
	struct piece piece = { .file = file, .target = target };
	off_t size = 0;
	int fd = split ? open_divisible(file, &size) : -1;

	while (fd >= 0 && size - piece.first > PIECE) {
		piece.last = line_after(fd, piece.first + PIECE);
		if (piece.last == 0)
			break;
		add(plan, &piece);
		piece.first = piece.last;
	}
	piece.last = 0;
	add(plan, &piece);
	if (fd >= 0)
		close(fd);
}

void
plan_free(struct plan *plan)
{
	free(plan->pieces);
}
