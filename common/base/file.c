/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 64 << 10, WRITE_SIZE = 64 << 10 };

/* A descriptor that others made non-blocking is waited for. */
static bool
again(int fd, short events)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	struct pollfd pfd = { .fd = fd, .events = events };
	return poll(&pfd, 1, -1) >= 0 || errno == EINTR;
}

int
wv_write_all(int fd, const void *buf, size_t n)
{
	const char *p = buf;

	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0) {
			if (again(fd, POLLOUT))
				continue;
			return -1;
		}
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int
fail(struct wv_err *err, const char *source, const char *what)
{
	int cause = errno;

	if (err && !wv_err_is_set(err))
		err->source = source;
	errno = cause;
	return wv_err_sys(err, "%s", what);
}

/* Sockets are what some shells and runtimes use for pipes. */
static int
check_kind(
	const struct stat *st, const char *path, size_t max, struct wv_err *err)
{
	if (S_ISDIR(st->st_mode))
		return wv_err_at(err, path, 0, 0, "is a directory");
	if (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode) &&
		!S_ISSOCK(st->st_mode))
		return wv_err_at(
			err, path, 0, 0, "not a regular file or a pipe");
	if (S_ISREG(st->st_mode) && (uintmax_t)st->st_size > max)
		return wv_err_at(err, path, 0, 0, "longer than %zu bytes", max);
	return 0;
}

static int
read_all(int fd, const char *path, size_t max, struct wv_str *buf,
	struct wv_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail(err, path, "cannot look at it");
	if (check_kind(&st, path, max, err) < 0)
		return -1;
	/* Room for one byte more, so that the end is seen without growing. */
	size_t room = S_ISREG(st.st_mode) ? (size_t)st.st_size + 1 : READ_SIZE;
	for (;;) {
		char *to = wv_str_room(buf, room);
		ssize_t n = read(fd, to, room);
		if (n < 0) {
			if (again(fd, POLLIN))
				continue;
			return fail(err, path, "read error");
		}
		if (n == 0)
			return 0;
		buf->n += (size_t)n;
		if (buf->n > max)
			return wv_err_at(
				err, path, 0, 0, "longer than %zu bytes", max);
		room = READ_SIZE;
	}
}

char *
wv_file_read(struct wv_arena *arena, const char *path, size_t max, size_t *len,
	struct wv_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct wv_str buf = { 0 };
	char *text = NULL;
	int fd = STDIN_FILENO;

	if (!is_stdin)
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		fail(err, path, "cannot open");
		return NULL;
	}
	if (read_all(fd, path, max, &buf, err) == 0) {
		text = wv_dupn(arena, buf.s, buf.n);
		*len = buf.n;
	}
	wv_str_free(&buf);
	if (!is_stdin)
		close(fd);
	return text;
}

static int
make_folders(const char *path, struct wv_err *err)
{
	struct wv_str folder = { 0 };
	int failed = 0;

	wv_str_cat(&folder, path);
	for (char *p = folder.s + 1; *path != '\0' && *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		failed = mkdir(folder.s, 0777) != 0 && errno != EEXIST;
		*p = '/';
		if (failed)
			break;
	}
	if (failed)
		fail(err, path, "cannot write");
	wv_str_free(&folder);
	return failed ? -1 : 0;
}

/* A device, a pipe, what a link leads to. */
static int
write_to(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_CREAT | O_TRUNC,
		0666);
	int result;

	if (fd < 0)
		return -1;
	result = wv_write_all(fd, p, n);
	if (close(fd) != 0)
		result = -1;
	return result;
}

/* On disk before it has the name: otherwise a name without content is what a
 * power failure could leave. */
static int
write_new(const char *path, mode_t mode, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
	int result = 0;

	if (fd < 0)
		return -1;
	if ((mode != 0 && fchmod(fd, mode) < 0) || wv_write_all(fd, p, n) < 0 ||
		fsync(fd) < 0)
		result = -1;
	if (close(fd) != 0)
		result = -1;
	return result;
}

/* mode: of the file that is there; 0: there is none. */
static int
replace(const char *path, mode_t mode, const void *p, size_t n,
	struct wv_err *err)
{
	struct wv_str beside = { 0 };
	int result;

	wv_str_fmt(&beside, "%s.%ld.new", path, (long)getpid());
	result = write_new(beside.s, mode, p, n);
	if (result == 0)
		result = rename(beside.s, path);
	if (result != 0) {
		fail(err, path, "cannot write");
		unlink(beside.s);
	}
	wv_str_free(&beside);
	return result;
}

int
wv_file_replace(const char *path, const void *p, size_t n, struct wv_err *err)
{
	struct stat st;
	bool is_there = lstat(path, &st) == 0;

	if (is_there && !S_ISREG(st.st_mode))
		return write_to(path, p, n) == 0
			? 0
			: fail(err, path, "cannot write");
	if (make_folders(path, err) != 0)
		return -1;
	return replace(path, is_there ? st.st_mode & 07777 : 0, p, n, err);
}

void
wv_file_guard_std(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The wrong way round: using it fails as it would have.  Not
		 * O_CLOEXEC, as no standard descriptor is. */
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
		if (open("/dev/null", mode) < 0)
			return;
	}
}

void
wv_out_init(struct wv_out *out, int fd, const char *name)
{
	struct stat st;
	bool is_pipe = fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);

	*out = (struct wv_out){
		.fd = fd,
		.name = name,
		.block = is_pipe ? PIPE_BUF : WRITE_SIZE,
		.closes = fd == STDOUT_FILENO,
	};
}

int
wv_out_create(struct wv_out *out, const char *path, struct wv_err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
		0666);

	if (fd < 0)
		return fail(err, path, "cannot open");
	wv_out_init(out, fd, path);
	out->closes = true;
	return 0;
}

static void
drop(struct wv_out *out, size_t n)
{
	out->buf.n -= n;
	out->mark = 0;
	if (out->buf.n > 0)
		memmove(out->buf.s, out->buf.s + n, out->buf.n);
}

/* The first n bytes leave. */
static void
push(struct wv_out *out, size_t n)
{
	if (!out->error && n > 0 && wv_write_all(out->fd, out->buf.s, n) < 0)
		out->error = errno;
	drop(out, n);
}

void
wv_out_add(struct wv_out *out, const void *p, size_t n)
{
	if (!out->error)
		wv_str_add(&out->buf, p, n);
}

void
wv_out_mark(struct wv_out *out)
{
	/* Whole records up to a block; a longer one alone. */
	if (out->buf.n > out->block)
		push(out, out->mark);
	if (out->buf.n >= out->block)
		push(out, out->buf.n);
	out->mark = out->buf.n;
}

void
wv_out_line(struct wv_out *out, const void *p, size_t n)
{
	wv_out_add(out, p, n);
	wv_out_add(out, "\n", 1);
	wv_out_mark(out);
}

int
wv_out_flush(struct wv_out *out, struct wv_err *err)
{
	push(out, out->buf.n);
	if (!out->error)
		return 0;
	errno = out->error;
	return fail(err, out->name, "write error");
}

/* What a pipe that is ready takes at once: whole lines, or a part of a longer
 * one. */
static size_t
piece(const char *s, size_t n)
{
	if (n <= PIPE_BUF)
		return n;
	const char *end = memrchr(s, '\n', PIPE_BUF);
	return end != NULL ? (size_t)(end + 1 - s) : PIPE_BUF;
}

size_t
wv_out_step(struct wv_out *out)
{
	struct pollfd pfd = { .fd = out->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < out->buf.n && poll(&pfd, 1, 0) > 0) {
		const char *s = out->buf.s + done;
		size_t n = piece(s, out->buf.n - done);
		if (wv_write_all(out->fd, s, n) < 0) {
			out->error = errno;
			n = out->buf.n - done;
		}
		done += n;
	}
	drop(out, done);
	return out->buf.n;
}

int
wv_out_close(struct wv_out *out, struct wv_err *err)
{
	push(out, out->buf.n);
	wv_str_free(&out->buf);
	/* One that was never open is no fault if nothing was written. */
	if (out->closes && close(out->fd) < 0 && !out->error && errno != EBADF)
		out->error = errno;
	return wv_out_flush(out, err);
}

void
wv_out_end(struct wv_out *out)
{
	struct wv_err err = WV_ERR_INIT;

	if (wv_out_close(out, &err) < 0)
		wv_die_err(&err);
}
