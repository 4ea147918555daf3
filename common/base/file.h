/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files and output.  Descriptors are always O_CLOEXEC.
 */
#ifndef WV_BASE_FILE_H
#define WV_BASE_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The whole of a file ("-" is stdin), NUL-terminated, in the arena; its
 * length in *len.  Refuses what is longer than max bytes, saying so, and
 * what is not a regular file or a pipe (or a socket, which some callers use
 * for one).  err->source is path.
 */
char *wv_file_read(struct wv_arena *arena, const char *path, size_t max,
	size_t *len, struct wv_err *err);

/* Opens what is closed of 0, 1 and 2 so that it fails when used: a file opened
 * later must not become standard output or receive messages. */
void wv_file_guard_std(void);

/* The file now holds this, for others and after a power failure the old or the
 * new as a whole, by rename; its mode stays, and the folders it stands in are
 * made.  A symbolic link (/dev/stdout is one) stays, and so does what is no
 * regular file: they are written to.  err->source is path. */
int wv_file_replace(
	const char *path, const void *p, size_t n, struct wv_err *err);

/* All of it, through EINTR and short writes; -1 with errno. */
int wv_write_all(int fd, const void *buf, size_t n);

/*
 * Checked, buffered output.  Every write(2) ends at the end of a record, so
 * two processes that write to one pipe never mix within a record (up to the
 * pipe's own atomic size, which is why a pipe gets small writes).  An error is
 * remembered and reported by flush; records after it are dropped.
 */
struct wv_out {
	int fd;
	const char *name; /* for messages: "standard output", a file's name */
	struct wv_str buf;
	size_t mark;  /* bytes of buf that are whole records */
	size_t block; /* most of one write, a longer record apart */
	int error;    /* errno of the first failed write */
	bool closes;  /* fd, at the end */
};

/* fd stays the caller's, but for standard output. */
void wv_out_init(struct wv_out *out, int fd, const char *name);
/* To a file that is made, or made empty.  path is kept; -1 with errno and an
 * error whose source it is. */
int wv_out_create(struct wv_out *out, const char *path, struct wv_err *err);
/* A whole record, without its LF; the LF is added. */
void wv_out_line(struct wv_out *out, const void *p, size_t n);
/* Bytes as they are; the caller says where a record ends by wv_out_mark(). */
void wv_out_add(struct wv_out *out, const void *p, size_t n);
void wv_out_mark(struct wv_out *out);
/* Between records only.  "NAME: write error: No space left on device"; EPIPE
 * is an error too. */
int wv_out_flush(struct wv_out *out, struct wv_err *err);
/* For who must not wait for a reader, and adds lines by wv_out_add(): writes
 * what can be written now.  The bytes that are left. */
size_t wv_out_step(struct wv_out *out);
/* Flushes and frees the buffer; fsync is the caller's.  What was created is
 * closed, standard output too, since a full NFS disk speaks only then. */
int wv_out_close(struct wv_out *out, struct wv_err *err);
/* The same for the output of a tool: what cannot be written ends it with
 * status 2. */
void wv_out_end(struct wv_out *out);

#endif
