/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of the sources of a record loop, behind lines.h: FILE operands in
 * order ("-" is standard input, which is also what none means), through one
 * buffer that is reused.  Of a file named .gz the uncompressed bytes.
 */
#ifndef WV_JSON_SOURCE_H
#define WV_JSON_SOURCE_H

#include "base/file.h"
#include "base/gz.h"

struct wv_source {
	const char *name; /* of the open source, for messages */
	int fd;           /* -1: none is open */
	bool is_stdin;
	struct wv_gz *gz;  /* what is read is uncompressed; NULL: it is not */
	bool eof;          /* nothing comes after end */
	off_t first, last; /* bytes of a regular file that are read; last 0:
			      all from first on */
	off_t at;          /* of them, where the next read begins */

	/* buf[start, end) has been read; the caller moves start on.  Behind
	 * end there are always WV_JSON_SLACK bytes that can be read. */
	char *buf;
	size_t start, end, size;

	char *const *files; /* the next operand; NULL: only standard input */
	bool begun;         /* one has been opened, or tried */
	bool regular;       /* reading never blocks */
	bool folder;        /* reading is an error */
	bool no_wait;       /* descriptors are made non-blocking */
	int flags;          /* of fd, to be put back; -1: not changed */
	struct wv_out *out;
};

/* files is kept, out too; it may be NULL. */
void wv_source_init(
	struct wv_source *source, char *const *files, struct wv_out *out);

/* Closes the open source and opens the next; the buffer is then empty.
 * 1; 0 if there is no further one; -1 if it cannot be opened. */
int wv_source_next(struct wv_source *source, struct wv_err *err);

/*
 * Reads on, once, at most until [start, end) is a byte longer than max; it
 * must not be so already.  start may change.  Flushes out if that may block;
 * output that cannot be written ends the process.  1; 0 if that would block
 * (after wv_source_no_wait()); -1 on a read error, which ends the source and
 * drops what was left of it.
 */
int wv_source_read(struct wv_source *source, size_t max, struct wv_err *err);

/* Reading on may have to wait for whoever writes. */
bool wv_source_waits(const struct wv_source *source);

/* From now on nothing waits; but for what is uncompressed from a pipe. */
void wv_source_no_wait(struct wv_source *source);
void wv_source_free(struct wv_source *source);

#endif
