/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a log as they stand, from a file or a pipe, with number and
 * offset.  A line ends at LF and at nothing else.  Memory is that of the
 * longest line.
 */
#ifndef WV_KERNEL_READER_H
#define WV_KERNEL_READER_H

#include "base/gz.h"
#include "json/json.h"

struct wv_reader {
	/* The caller's: set before the first line. */
	int fd;           /* read from where it stands; not closed */
	struct wv_gz *gz; /* what it reads instead; not freed; or NULL */
	bool has_place;   /* reads from place on, of a file that others may be
			    reading by the same descriptor */
	uint64_t place;
	uint64_t left;   /* bytes to read; UINT64_MAX: to the end */
	uint64_t next;   /* offset of the next line */
	size_t max_line; /* a longer line is handed out empty, too_long */
	bool grows;      /* a line without LF at the end is none yet: 0 */

	/* The line, as long as there is no next. */
	const char *line; /* WV_JSON_SLACK readable bytes follow it */
	size_t len;       /* without its LF */
	uint64_t number;  /* from 1 */
	uint64_t offset;  /* of its first byte */
	bool ended;       /* by LF; false only at the end of the input */
	bool too_long;

	struct wv_str buf;
	size_t start, seen; /* of the rest of buf; how far it has no LF */
	uint64_t dropped;   /* bytes of a line that is too long */
};

/* 1 and a line; 0: end; -1: it cannot be read. */
int wv_reader_next(struct wv_reader *reader, struct wv_err *err);
/* A whole line is in memory: the next call will not wait. */
bool wv_reader_ready(const struct wv_reader *reader);

/*
 * For who finds out by himself where a line ends: what is in memory from the
 * next line on, maybe to within a line; and taking n bytes of that as a line,
 * which an LF follows.
 */
static inline const char *
wv_reader_rest(const struct wv_reader *reader, size_t *n)
{
	*n = reader->dropped == 0 ? reader->buf.n - reader->start : 0;
	return reader->buf.s + reader->start;
}
static inline void
wv_reader_take(struct wv_reader *reader, size_t n)
{
	reader->line = reader->buf.s + reader->start;
	reader->len = n;
	reader->ended = true;
	reader->too_long = false;
	reader->number++;
	reader->offset = reader->next;
	reader->next += n + 1;
	reader->start += n + 1;
	reader->seen = reader->start;
}
void wv_reader_free(struct wv_reader *reader);

#endif
