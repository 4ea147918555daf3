/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 256 << 10 };

static ssize_t
read_some(struct wv_reader *reader, char *to, size_t want, struct wv_err *err)
{
	ssize_t got;

	if (want == 0)
		return 0;
	if (reader->gz != NULL)
		return wv_gz_read(reader->gz, to, want, err);
	do
		got = reader->has_place
			? pread(reader->fd, to, want, (off_t)reader->place)
			: read(reader->fd, to, want);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return wv_err_sys(err, "cannot read it");
	reader->place += (uint64_t)got;
	return got;
}

/* Appends a block; 1, 0 at the end, -1. */
static int
fill(struct wv_reader *reader, struct wv_err *err)
{
	struct wv_str *buf = &reader->buf;
	size_t want = reader->left < BLOCK ? (size_t)reader->left : BLOCK;
	ssize_t got;

	if (reader->start > 0) {
		buf->n -= reader->start;
		memmove(buf->s, buf->s + reader->start, buf->n);
		reader->seen -= reader->start;
		reader->start = 0;
	}
	char *to = wv_str_room(buf, want + WV_JSON_SLACK);
	got = read_some(reader, to, want, err);
	if (got > 0)
		buf->n += (size_t)got;
	if (got > 0 && reader->left != UINT64_MAX)
		reader->left -= (uint64_t)got;
	/* Also if there is no more: what was moved left its old end behind. */
	memset(buf->s + buf->n, 0, WV_JSON_SLACK);
	return got < 0 ? -1 : got > 0;
}

/* Forgets what has been seen of a line that is too long. */
static void
drop_long(struct wv_reader *reader)
{
	size_t seen = reader->buf.n - reader->start;

	if (seen + reader->dropped <= reader->max_line)
		return;
	reader->dropped += seen;
	reader->start = reader->seen = reader->buf.n;
}

static void
hand_out(struct wv_reader *reader, size_t len, bool ended)
{
	uint64_t whole = reader->dropped + len;

	reader->too_long = whole > reader->max_line;
	reader->line = reader->buf.s + reader->start;
	reader->len = reader->too_long ? 0 : len;
	reader->ended = ended;
	reader->number++;
	reader->offset = reader->next;
	reader->next += whole + ended;
	reader->start += len + ended;
	reader->seen = reader->start;
	reader->dropped = 0;
}

int
wv_reader_next(struct wv_reader *reader, struct wv_err *err)
{
	struct wv_str *buf = &reader->buf;
	int more;

	for (;;) {
		char *lf = buf->n > reader->seen
			? memchr(buf->s + reader->seen, '\n',
				  buf->n - reader->seen)
			: NULL;
		if (lf != NULL) {
			hand_out(reader, lf - buf->s - reader->start, true);
			return 1;
		}
		reader->seen = buf->n;
		drop_long(reader);
		more = fill(reader, err);
		if (more < 0)
			return -1;
		if (more > 0)
			continue;
		if (reader->grows ||
			(buf->n == reader->start && reader->dropped == 0))
			return 0;
		hand_out(reader, buf->n - reader->start, false);
		return 1;
	}
}

bool
wv_reader_ready(const struct wv_reader *reader)
{
	const struct wv_str *buf = &reader->buf;

	return buf->n > reader->start &&
		memchr(buf->s + reader->start, '\n', buf->n - reader->start) !=
		NULL;
}

void
wv_reader_free(struct wv_reader *reader)
{
	wv_str_free(&reader->buf);
}
