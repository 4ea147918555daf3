/* SPDX-License-Identifier: Apache-2.0 */
/* Reading files whole, and output by records. */
#include "tap.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/base-file.XXXXXX";
static struct wv_arena arena = WV_ARENA_INIT;
static struct wv_err err;

static const char *
path(const char *name)
{
	return wv_printf(&arena, "%s/%s", dir, name);
}

static const char *
make_file(const char *name, const char *text, size_t n)
{
	const char *p = path(name);
	FILE *f = fopen(p, "w");

	if (f) {
		fwrite(text, 1, n, f);
		fclose(f);
	}
	return p;
}

static void
refuses(const char *p, size_t max, const char *why)
{
	size_t n;

	wv_err_clear(&err);
	ok(wv_file_read(&arena, p, max, &n, &err) == NULL, "no %s", p);
	is(err.text, why, "says why");
	is(err.source, p, "says where");
}

static void
test_read(void)
{
	const char *p = make_file("a", "ab\0cd\n", 6);
	size_t n = 0;
	char *text = wv_file_read(&arena, p, 6, &n, &err);

	ok(text && n == 6 && memcmp(text, "ab\0cd\n", 7) == 0, "a file");
	refuses(p, 5, "longer than 5 bytes");
	text = wv_file_read(&arena, make_file("empty", "", 0), 5, &n, &err);
	ok(text && n == 0 && *text == '\0', "an empty file");
	refuses(dir, 100, "is a directory");
	refuses("/dev/null", 100, "not a regular file or a pipe");
	refuses(path("none"), 100, "cannot open: No such file or directory");
	wv_err_clear(&err);
	text = wv_file_read(&arena, "/proc/self/stat", 10000, &n, &err);
	ok(text && n > 10, "a file that tells no size");

	char *big = malloc(300000);
	memset(big, 'x', 300000);
	p = make_file("big", big, 300000);
	text = wv_file_read(&arena, p, 300000, &n, &err);
	ok(text && n == 300000 && memcmp(text, big, n) == 0, "a big file");
	free(big);
}

/* n bytes through a pipe of which our end does not block. */
static void
test_read_stdin(const char *name, size_t bytes, size_t max)
{
	int fds[2], saved = dup(STDIN_FILENO);

	if (pipe(fds) < 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		usleep(10000);
		for (size_t i = 0; i < bytes; i++) {
			if (write(fds[1], "x", 1) < 0)
				_exit(1);
		}
		_exit(0);
	}
	close(fds[1]);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	dup2(fds[0], STDIN_FILENO);
	size_t n = 0;
	wv_err_clear(&err);
	char *text = wv_file_read(&arena, name, max, &n, &err);
	if (bytes <= max)
		ok(text && n == bytes, "%zu bytes from %s", bytes, name);
	else
		is(err.text, "longer than 100 bytes", "too long a pipe");
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(fds[0]);
	waitpid(pid, NULL, 0);
}

static char *
slurp(const char *p, size_t *n)
{
	return wv_file_read(&arena, p, SIZE_MAX, n, NULL);
}

static void
test_out_file(void)
{
	const char *p = path("out");
	struct wv_out out;
	size_t n = 0;

	wv_err_clear(&err);
	wv_out_init(&out, open(p, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), p);
	wv_out_line(&out, "a", 1);
	wv_out_add(&out, "b", 1);
	wv_out_add(&out, "c\n", 2);
	wv_out_mark(&out);
	is(slurp(p, &n), "", "nothing leaves early");
	ok(wv_out_flush(&out, &err) == 0, "flushed");
	is(slurp(p, &n), "a\nbc\n", "all of it");

	char line[999];
	memset(line, 'y', sizeof line);
	for (int i = 0; i < 200; i++)
		wv_out_line(&out, line, sizeof line);
	slurp(p, &n);
	ok(n > 5 && n < 200005 && (n - 5) % 1000 == 0,
		"what leaves by itself ends at a record");
	ok(wv_out_close(&out, &err) == 0, "closed");
	slurp(p, &n);
	ok(n == 200005, "nothing is lost");
	close(out.fd);
}

static void
test_out_create(void)
{
	const char *p = make_file("out", "something longer", 16);
	struct wv_out out;
	size_t n = 0;

	wv_err_clear(&err);
	ok(wv_out_create(&out, p, &err) == 0, "created");
	ok((fcntl(out.fd, F_GETFD) & FD_CLOEXEC) != 0, "close-on-exec");
	wv_out_line(&out, "a", 1);
	ok(wv_out_close(&out, &err) == 0, "closed");
	ok(fcntl(out.fd, F_GETFD) < 0 && errno == EBADF, "its descriptor too");
	is(slurp(p, &n), "a\n", "nothing of what was there");

	p = path("none/out");
	ok(wv_out_create(&out, p, &err) == -1 && errno == ENOENT, "no folder");
	is(err.text, "cannot open: No such file or directory", "says so");
	is(err.source, p, "says where");
	wv_err_clear(&err);
	wv_out_create(&out, "/dev/full", &err);
	wv_out_line(&out, "a", 1);
	ok(wv_out_close(&out, &err) == -1, "full");
	is(err.text, "write error: No space left on device", "says so");
}

static void
test_replace(void)
{
	const char *old = make_file("a", "old", 3), *link = path("link");
	int fd = open(old, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char text[4];
	size_t n = 0;

	wv_err_clear(&err);
	ok(chmod(old, 0640) == 0 && wv_file_replace(old, "new", 3, &err) == 0,
		"replaced");
	ok(stat(old, &st) == 0 && (st.st_mode & 07777) == 0640,
		"with the mode of the old one");
	is(slurp(old, &n), "new", "by the new text");
	ok(read(fd, text, sizeof text) == 3 && memcmp(text, "old", 3) == 0,
		"who has it open sees the old one");
	close(fd);

	ok(wv_file_replace(path("f/g/new"), "x", 1, &err) == 0, "folders");
	is(slurp(path("f/g/new"), &n), "x", "are made");
	ok(symlink(old, link) == 0 &&
			wv_file_replace(link, "via", 3, &err) == 0 &&
			lstat(link, &st) == 0 && S_ISLNK(st.st_mode),
		"a symbolic link stays");
	is(slurp(old, &n), "via", "and is written through");

	ok(wv_file_replace(path("a/b"), "x", 1, &err) == -1, "not in a file");
	is(err.text, "cannot write: Not a directory", "says so");
	is(err.source, path("a/b"), "says where");
	wv_err_clear(&err);
	ok(wv_file_replace("/dev/full", "x", 1, &err) == -1, "full");
	unlink(path("f/g/new"));
	rmdir(path("f/g"));
	rmdir(path("f"));
}

/* A read of a packet pipe is one write, or PIPE_BUF bytes of a longer one. */
static void
test_out_pipe(void)
{
#if defined(__linux__) && defined(O_DIRECT)
	enum { LONG = 3 * PIPE_BUF };
	static char packet[PIPE_BUF], line[LONG];
	struct wv_out out;
	size_t total = 0;
	int fds[2], torn = 0;

	if (pipe2(fds, O_DIRECT | O_CLOEXEC) < 0)
		return;
	wv_out_init(&out, fds[1], "pipe");
	memset(line, 'z', sizeof line);
	for (size_t i = 0; i < 20; i++)
		wv_out_line(&out, line, i == 10 ? LONG : 100 * i);
	wv_out_close(&out, &err);
	close(fds[1]);
	for (ssize_t n; (n = read(fds[0], packet, sizeof packet)) > 0;) {
		total += (size_t)n;
		torn += packet[n - 1] != '\n';
	}
	ok(torn == LONG / PIPE_BUF,
		"a write to a pipe holds whole records, or one that is longer");
	ok(total == 19000 - 1000 + LONG + 20, "nothing is lost");
	close(fds[0]);
#endif
}

static void
test_out_errors(void)
{
	struct wv_out out;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	wv_err_clear(&err);
	wv_out_init(&out, fd, "full");
	wv_out_line(&out, "a", 1);
	ok(wv_out_flush(&out, &err) == -1 && out.error == ENOSPC, "full");
	is(err.text, "write error: No space left on device", "says so");
	is(err.source, "full", "says where");
	wv_out_line(&out, "a", 1);
	ok(out.buf.n == 0, "what comes later is dropped");
	wv_err_clear(&err);
	ok(wv_out_close(&out, &err) == -1 && wv_err_is_set(&err),
		"an error stays");
	close(fd);

	int fds[2];
	if (pipe(fds) < 0)
		return;
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	wv_err_clear(&err);
	wv_out_init(&out, fds[1], "pipe");
	wv_out_line(&out, "a", 1);
	ok(wv_out_close(&out, &err) == -1 && out.error == EPIPE,
		"a reader that has gone is an error");
	signal(SIGPIPE, SIG_DFL);
	close(fds[1]);
}

/* A pipe that nobody reads, then somebody does. */
static void
test_out_step(void)
{
	enum { LINE = 1000, LINES = 200 };
	static char line[LINE + 1], buf[LINE * LINES];
	struct wv_out out;
	size_t left, got = 0;
	int fds[2];

	if (pipe(fds) < 0)
		return;
	wv_out_init(&out, fds[1], "pipe");
	memset(line, 'w', LINE);
	line[LINE] = '\n';
	for (int i = 0; i < LINES; i++)
		wv_out_add(&out, line, sizeof line);
	left = wv_out_step(&out);
	ok(left > 0 && left < out.buf.cap && wv_out_step(&out) == left,
		"a full pipe is not waited for");
	ok(left % sizeof line == 0, "what was written are whole lines");
	do {
		ssize_t n = read(fds[0], buf, sizeof buf);
		got += n > 0 ? (size_t)n : 0;
		left = wv_out_step(&out);
	} while (left > 0);
	close(fds[1]);
	for (ssize_t n; (n = read(fds[0], buf, sizeof buf)) > 0;)
		got += (size_t)n;
	ok(got == LINES * sizeof line, "and all of it comes");
	close(fds[0]);

	out.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	wv_out_add(&out, line, sizeof line);
	ok(wv_out_step(&out) == 0 && out.error == ENOSPC,
		"what cannot be written is dropped");
	close(out.fd);
	wv_out_close(&out, NULL);
}

/* A pipe that does not block, read by someone slow. */
static void
test_out_nonblocking(void)
{
	int fds[2];
	struct wv_out out;

	if (pipe(fds) < 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		static char buf[10000];
		size_t total = 0;
		ssize_t n;
		close(fds[1]);
		usleep(20000);
		while ((n = read(fds[0], buf, sizeof buf)) > 0)
			total += (size_t)n;
		_exit(total == 1001000 ? 0 : 1);
	}
	close(fds[0]);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	wv_out_init(&out, fds[1], "pipe");
	char line[1000];
	memset(line, 'w', sizeof line);
	for (int i = 0; i < 1000; i++)
		wv_out_line(&out, line, sizeof line);
	wv_err_clear(&err);
	int closed = wv_out_close(&out, &err), status = 1;
	close(fds[1]);
	waitpid(pid, &status, 0);
	ok(closed == 0 && status == 0, "a pipe that does not block");
}

static void
test_guard(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		close(0);
		close(1);
		close(2);
		wv_file_guard_std();
		int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
		bool fails = write(1, "x", 1) < 0 && errno == EBADF;
		_exit(next > 2 && fails ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	ok(status == 0, "closed standard descriptors are not reused");
}

int
main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_read();
	test_read_stdin("-", 100, 100);
	test_read_stdin("/dev/stdin", 100, 100);
	test_read_stdin("-", 101, 100);
	test_out_file();
	test_out_create();
	test_replace();
	test_out_pipe();
	test_out_errors();
	test_out_step();
	test_out_nonblocking();
	test_guard();
	static const char *const made[] = { "a", "empty", "big", "out",
		"link" };
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		unlink(path(made[i]));
	rmdir(dir);
	wv_arena_free(&arena);
	return done();
}
