/* SPDX-License-Identifier: Apache-2.0 */
#include "base/gz.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 64 << 10, GZIP_ONLY = 16 + MAX_WBITS };

struct wv_gz {
	int fd;
	bool eof;   /* of fd */
	bool begun; /* within a member */
	bool ended; /* a member at least */
	z_stream stream;
	unsigned char block[BLOCK];
};

static void *
allocate(void *opaque, unsigned count, unsigned size)
{
	return wv_xcalloc(count, size);
}

static void
release(void *opaque, void *block)
{
	free(block);
}

struct wv_gz *
wv_gz_new(int fd, struct wv_err *err)
{
	struct wv_gz *gz = wv_xcalloc(1, sizeof *gz);

	gz->fd = fd;
	gz->stream.zalloc = allocate;
	gz->stream.zfree = release;
	if (inflateInit2(&gz->stream, GZIP_ONLY) == Z_OK)
		return gz;
	wv_err_set(err, "zlib is not the version this was built with");
	free(gz);
	return NULL;
}

static int
fill(struct wv_gz *gz, struct wv_err *err)
{
	struct pollfd pfd = { .fd = gz->fd, .events = POLLIN };
	ssize_t n;

	while ((n = read(gz->fd, gz->block, sizeof gz->block)) < 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			poll(&pfd, 1, -1);
		else if (errno != EINTR)
			return wv_err_sys(err, "cannot read");
	}
	gz->stream.next_in = gz->block;
	gz->stream.avail_in = (unsigned)n;
	gz->eof = n == 0;
	return 0;
}

static int
bad_data(const struct wv_gz *gz, struct wv_err *err)
{
	if (gz->stream.total_out > 0)
		return wv_err_set(err, "damaged gzip data");
	return wv_err_set(err, "%s",
		gz->ended ? "something else follows the gzip data"
			  : "not a gzip file");
}

/* Tapes are padded. */
static void
skip_zeros(z_stream *stream)
{
	while (stream->avail_in > 0 && *stream->next_in == 0) {
		stream->next_in++;
		stream->avail_in--;
	}
}

/* Uncompresses what is there, at most to the end of a member. */
static int
step(struct wv_gz *gz, struct wv_err *err)
{
	int result;

	if (gz->ended && !gz->begun)
		skip_zeros(&gz->stream);
	if (gz->stream.avail_in == 0)
		return 0;
	gz->begun = true;
	result = inflate(&gz->stream, Z_NO_FLUSH);
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		return bad_data(gz, err);
	if (result == Z_STREAM_END) {
		inflateReset(&gz->stream);
		gz->begun = false;
		gz->ended = true;
	}
	return 0;
}

ssize_t
wv_gz_read(struct wv_gz *gz, char *to, size_t n, struct wv_err *err)
{
	unsigned room = n < INT_MAX ? (unsigned)n : INT_MAX;

	gz->stream.next_out = (unsigned char *)to;
	gz->stream.avail_out = room;
	while (gz->stream.avail_out == room) {
		if (gz->stream.avail_in == 0 && !gz->eof && fill(gz, err) < 0)
			return -1;
		if (gz->eof && !gz->begun && gz->ended)
			return 0;
		if (gz->eof)
			return wv_err_set(err, "the gzip data end too soon");
		if (step(gz, err) < 0)
			return -1;
	}
	return (ssize_t)(room - gz->stream.avail_out);
}

void
wv_gz_free(struct wv_gz *gz)
{
	if (gz == NULL)
		return;
	inflateEnd(&gz->stream);
	free(gz);
}
