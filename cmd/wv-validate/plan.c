/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include "json/doc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Some milliseconds' work. */
enum { PIECE = 4 << 20 };

/* A file of lines that can be read from anywhere, and its size; else -1. */
static int
open_divisible(const char *file, off_t *size)
{
	size_t n = strlen(file);
	struct stat st;
	int fd;

	if (!wv_ends_with(file, n, ".jsonl") &&
		!wv_ends_with(file, n, ".ndjson"))
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
	plan->pieces =
		wv_list_room(plan->pieces, plan->count, sizeof *plan->pieces);
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

struct reading {
	struct wv_arena arena; /* of a record */
	outcome_take *take;
	void *arg;
	bool enough;
	struct wv_lines in;
};

/* Of a record that is too long only what was read is there; an empty one has
 * no text. */
static bool
is_whole(const struct reading *r, const struct wv_record *rec)
{
	size_t max = rec->yaml ? wv_doc_yaml_limits()->max_bytes
			       : r->in.options.max_line;

	return rec->len > 0 && rec->len <= max;
}

/* What wv_lines_next() could not hand out. */
static void
hear(void *arg, const struct wv_record *rec, const struct wv_err *err)
{
	struct reading *r = arg;
	struct outcome outcome = {
		.kind = rec != NULL ? OUTCOME_MALFORMED : OUTCOME_SOURCE,
		.record = rec != NULL && is_whole(r, rec) ? rec : NULL,
		.judged = {
			.source = err->source,
			.line = rec != NULL ? rec->line : 1,
			.verdict = WV_UNDECIDED,
			.findings = finding_unread(&r->arena, rec, err),
		},
	};

	if (!r->enough)
		r->enough = !r->take(r->arg, &outcome);
	/* Without another read, which may wait. */
	r->in.options.fail_fast = r->enough;
}

size_t
piece_judge(const struct piece *piece, struct judge *judge,
	const struct wv_lines_options *options, struct wv_out *out,
	outcome_take *take, void *arg)
{
	char *files[] = { (char *)piece->file, NULL };
	struct reading r = { .take = take, .arg = arg };
	struct wv_lines_options how = *options;
	struct wv_record rec;
	struct outcome outcome;
	size_t lines;

	how.no_trees = true;
	how.fail_fast = false;
	how.first = piece->first;
	how.last = piece->last;
	how.bad = hear;
	how.bad_arg = &r;
	wv_lines_open(&r.in, files, &how, out);
	while (!r.enough && wv_lines_next(&r.in, &r.arena, &rec) == 1) {
		if (judge_record(judge, piece->target, &r.in, &r.arena, &rec,
			    &outcome))
			r.enough = !take(arg, &outcome);
		wv_arena_reset(&r.arena);
	}
	lines = r.in.counts.lines;
	wv_lines_close(&r.in);
	wv_arena_free(&r.arena);
	return lines;
}
