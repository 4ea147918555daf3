/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a log as they stand, from a file or a pipe, with number and
 * offset.  A line ends at LF and at nothing else.  Memory is that of the
 * longest line.
 */
#ifndef WV_KERNEL_READER_H
#define WV_KERNEL_READER_H

#include "json/json.h"

struct wv_reader {
	/* The caller's: set before the first line. */
	int fd;          /* read from where it stands; not closed */
	uint64_t left;   /* bytes to read; UINT64_MAX: to the end */
	uint64_t next;   /* offset of the next line */
	size_t max_line; /* a longer line is handed out empty, too_long */

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
void wv_reader_free(struct wv_reader *reader);

#endif
