/* SPDX-License-Identifier: Apache-2.0 */
#include "json/source.h"

#include "base/msg.h"
#include "json/json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for less than LEAST is not worth a system call. */
enum { BLOCK = 128 << 10, LEAST = 32 << 10 };

void
wv_source_init(struct wv_source *source, char *const *files, struct wv_out *out)
{
	*source = (struct wv_source){
		.fd = -1,
		.flags = -1,
		.files = files != NULL && files[0] != NULL ? files : NULL,
		.out = out,
		.size = BLOCK,
		.buf = wv_xmalloc(BLOCK + WV_JSON_SLACK),
	};
}

static void
close_source(struct wv_source *source)
{
	/* Standard input is shared with others: it is left as it was. */
	if (source->flags >= 0)
		fcntl(source->fd, F_SETFL, source->flags);
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	source->fd = source->flags = -1;
	wv_gz_free(source->gz);
	source->gz = NULL;
}

static void
make_nonblocking(struct wv_source *source)
{
	int flags = fcntl(source->fd, F_GETFL);

	if (flags < 0 || (flags & O_NONBLOCK) != 0)
		return;
	if (fcntl(source->fd, F_SETFL, flags | O_NONBLOCK) == 0)
		source->flags = flags;
}

static bool
is_compressed(const struct wv_source *source)
{
	const char *name = source->name;

	return !source->is_stdin && wv_ends_with(name, strlen(name), ".gz");
}

static int
fail_open(struct wv_source *source, int status)
{
	close_source(source);
	return status;
}

static int
open_source(struct wv_source *source, const char *name, struct wv_err *err)
{
	struct stat st;

	source->is_stdin = strcmp(name, "-") == 0;
	source->name = source->is_stdin ? "stdin" : name;
	source->fd = STDIN_FILENO;
	if (!source->is_stdin)
		source->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (source->fd < 0)
		return wv_err_sys(err, "cannot open");
	if (fstat(source->fd, &st) < 0)
		st.st_mode = 0;
	source->regular = S_ISREG(st.st_mode);
	source->folder = S_ISDIR(st.st_mode);
	if (source->first > 0 && lseek(source->fd, source->first, SEEK_SET) < 0)
		return fail_open(source, wv_err_sys(err, "cannot seek"));
	source->at = source->first;
	source->eof = false;
	source->start = source->end = 0;
	if (source->no_wait)
		make_nonblocking(source);
	if (!is_compressed(source))
		return 1;
	source->gz = wv_gz_new(source->fd, err);
	return source->gz != NULL ? 1 : fail_open(source, -1);
}

int
wv_source_next(struct wv_source *source, struct wv_err *err)
{
	bool begun = source->begun;

	if (source->fd >= 0)
		close_source(source);
	source->begun = true;
	if (source->files == NULL)
		return begun ? 0 : open_source(source, "-", err);
	if (*source->files == NULL)
		return 0;
	return open_source(source, *source->files++, err);
}

static void
make_room(struct wv_source *source, size_t max)
{
	size_t most = max < SIZE_MAX / 2 ? max + 1 : SIZE_MAX / 2;
	size_t left = source->end - source->start;

	if (source->size - source->end >= LEAST)
		return;
	if (source->start > 0)
		memmove(source->buf, source->buf + source->start, left);
	source->start = 0;
	source->end = left;
	if (source->size - left >= LEAST || source->size >= most)
		return;
	source->size = source->size < most / 2 ? source->size * 2 : most;
	source->buf = wv_xrealloc(source->buf, source->size + WV_JSON_SLACK);
}

bool
wv_source_waits(const struct wv_source *source)
{
	struct pollfd pfd = { .fd = source->fd, .events = POLLIN };

	return !source->regular && poll(&pfd, 1, 0) <= 0;
}

/* Output does not wait for input, and input is not read when output has
 * failed. */
static void
flush_before_read(struct wv_source *source)
{
	struct wv_out *out = source->out;
	struct wv_err err = WV_ERR_INIT;

	if (out == NULL || (out->buf.n == 0 && out->error == 0))
		return;
	if (out->error == 0 && !wv_source_waits(source))
		return;
	if (wv_out_flush(out, &err) < 0)
		wv_die_err(&err);
}

/* -1 and an error; WOULD_BLOCK under no_wait. */
enum { WOULD_BLOCK = -2 };

static ssize_t
read_some(struct wv_source *source, char *to, size_t n, struct wv_err *err)
{
	struct pollfd pfd = { .fd = source->fd, .events = POLLIN };
	ssize_t got;

	if (source->gz != NULL)
		return wv_gz_read(source->gz, to, n, err);
	if (source->last > 0 && (off_t)n > source->last - source->at)
		n = (size_t)(source->last - source->at);
	while ((got = read(source->fd, to, n)) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			return wv_err_sys(err, "cannot read");
		if (source->no_wait)
			return WOULD_BLOCK;
		/* Others made it non-blocking. */
		poll(&pfd, 1, -1);
	}
	source->at += got;
	return got;
}

int
wv_source_read(struct wv_source *source, size_t max, struct wv_err *err)
{
	ssize_t n;

	make_room(source, max);
	flush_before_read(source);
	n = read_some(source, source->buf + source->end,
		source->size - source->end, err);
	if (n == WOULD_BLOCK)
		return 0;
	if (n < 0) {
		source->eof = true;
		source->start = source->end;
		return -1;
	}
	source->end += (size_t)n;
	source->eof = n == 0;
	return 1;
}

void
wv_source_no_wait(struct wv_source *source)
{
	if (!source->no_wait && source->fd >= 0)
		make_nonblocking(source);
	source->no_wait = true;
}

void
wv_source_free(struct wv_source *source)
{
	if (source->fd >= 0)
		close_source(source);
	free(source->buf);
}
