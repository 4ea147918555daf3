/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a tool, this lets it die or fail at any step.  Steps are the
 * calls that change what is beneath $WV_FAULT_DIR: writes, truncations,
 * syncs, renames, removals and makings of files and folders; and the tool's
 * exit, when its output is out.
 *
 *	WV_FAULT_KILL=K    SIGKILL before step K (from 1)
 *	WV_FAULT_UNDO=1    and what was not synced by then is lost: bytes
 *	                   written since their file's last sync, and names made
 *	                   or given since their folder's
 *	WV_FAULT_FAIL=K    step K fails, and all after it of that kind
 *	WV_FAULT_HOW=WORD  with ENOSPC (default), EIO; or short: a write does
 *	                   half of it first
 *	WV_FAULT_ONCE=1    only step K fails
 *	WV_FAULT_COUNT=F   appends "steps syncs" to F when the tool exits
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE, SYNC, NAME };

/* One change that is not synced yet; the newest is undone first. */
struct change {
	struct change *older;
	dev_t dev;
	ino_t ino;  /* of the file; of the folder if a name was made */
	int fd;     /* of our own, to undo it with */
	char *name; /* made in the folder; NULL: bytes were written */
	char *from; /* it had this name before; NULL: it was not there */
	off_t size; /* of the file before */
	off_t offset;
	char *bytes; /* that stood there before */
	size_t n;
};

static struct change *changes;
static unsigned long steps, syncs, kill_at, fail_at;
static const char *dir, *how, *count_file;
static size_t dir_len;
static bool undo, once, inside;

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
	real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static unsigned long
number(const char *name)
{
	const char *s = getenv(name);

	return s != NULL ? strtoul(s, NULL, 10) : 0;
}

__attribute__((constructor)) static void
start(void)
{
	dir = getenv("WV_FAULT_DIR");
	dir_len = dir != NULL ? strlen(dir) : 0;
	how = getenv("WV_FAULT_HOW");
	count_file = getenv("WV_FAULT_COUNT");
	kill_at = number("WV_FAULT_KILL");
	fail_at = number("WV_FAULT_FAIL");
	undo = number("WV_FAULT_UNDO") != 0;
	once = number("WV_FAULT_ONCE") != 0;
}

/* Whether a descriptor, or a name beneath one, is within the folder. */
static bool
is_ours(int fd, const char *name)
{
	char link[64], path[PATH_MAX];
	ssize_t n = 0;

	if (dir == NULL || inside)
		return false;
	if (name == NULL || *name != '/') {
		if (fd == AT_FDCWD)
			snprintf(link, sizeof(link), "/proc/self/cwd");
		else
			snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, path, sizeof(path) - 1);
		if (n < 0)
			return false;
	}
	path[n] = '\0';
	if (name != NULL)
		snprintf(path + n, sizeof(path) - (size_t)n, "/%s", name);
	const char *p = path + (path[0] == '/' && path[1] == '/');
	return strncmp(p, dir, dir_len) == 0 &&
		(p[dir_len] == '/' || p[dir_len] == '\0');
}

static void
take_back(struct change *c)
{
	if (c->from != NULL) {
		if (renameat(c->fd, c->name, c->fd, c->from) < 0)
			abort();
		return;
	}
	if (c->name != NULL) {
		if (unlinkat(c->fd, c->name, 0) < 0)
			unlinkat(c->fd, c->name, AT_REMOVEDIR);
		return;
	}
	if (c->n > 0 && pwrite(c->fd, c->bytes, c->n, c->offset) < 0)
		abort();
	if (ftruncate(c->fd, c->size) < 0)
		abort();
}

static void
die(void)
{
	inside = true;
	for (; undo && changes != NULL; changes = changes->older)
		take_back(changes);
	kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

/* Counts a step; true if it has to fail, with errno. */
static bool
step(enum kind kind)
{
	static enum kind failing;

	steps++;
	syncs += kind == SYNC;
	if (steps == kill_at)
		die();
	if (fail_at == 0 || steps < fail_at)
		return false;
	if (steps == fail_at)
		failing = kind;
	else if (once || kind != failing)
		return false;
	errno = how != NULL && strcmp(how, "EIO") == 0 ? EIO : ENOSPC;
	return true;
}

__attribute__((destructor)) static void
finish(void)
{
	char text[64];

	if (dir != NULL)
		step(NAME);
	if (count_file == NULL)
		return;
	inside = true;
	int fd = open(count_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
	int n = snprintf(text, sizeof(text), "%lu %lu\n", steps, syncs);
	if (fd < 0 || write(fd, text, (size_t)n) != n)
		abort();
	close(fd);
}

static bool
is_short(void)
{
	return how != NULL && strcmp(how, "short") == 0;
}

static void
remember(struct change *c, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		abort();
	c->dev = st.st_dev;
	c->ino = st.st_ino;
	c->older = changes;
	changes = c;
}

/* What a write of n bytes at offset (-1: where fd stands) will replace. */
static void
before_write(int fd, size_t n, off_t offset)
{
	struct change *c;
	struct stat st;
	char path[64];

	if (!undo)
		return;
	inside = true;
	c = calloc(1, sizeof(*c));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	c->fd = open(path, O_RDWR | O_CLOEXEC);
	if (c->fd < 0 || fstat(fd, &st) < 0)
		abort();
	c->size = st.st_size;
	if (offset < 0)
		offset = fcntl(fd, F_GETFL) & O_APPEND ? st.st_size
						       : lseek(fd, 0, SEEK_CUR);
	c->offset = offset;
	c->bytes = malloc(n + 1);
	ssize_t got = pread(c->fd, c->bytes, n, offset);
	c->n = got > 0 ? (size_t)got : 0;
	remember(c, fd);
	inside = false;
}

static void
before_truncate(int fd, off_t size)
{
	struct stat st;

	if (undo && fstat(fd, &st) == 0)
		before_write(fd,
			st.st_size > size ? (size_t)(st.st_size - size) : 0,
			size);
}

/* A name in the folder of path, or in the folder fd. */
static void
after_make(int fd, const char *name)
{
	char folder[PATH_MAX];
	struct change *c;

	if (!undo)
		return;
	inside = true;
	c = calloc(1, sizeof(*c));
	snprintf(folder, sizeof(folder), "%s", name);
	char *slash = strrchr(folder, '/');
	c->name = strdup(slash != NULL ? slash + 1 : name);
	if (slash != NULL)
		*slash = '\0';
	c->fd = openat(fd, slash != NULL ? folder : ".",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->fd < 0)
		abort();
	remember(c, c->fd);
	inside = false;
}

static void
after_sync(int fd)
{
	struct change **at = &changes;
	struct stat st;

	if (!undo || fstat(fd, &st) < 0)
		return;
	inside = true;
	while (*at != NULL) {
		struct change *c = *at;
		if (c->dev != st.st_dev || c->ino != st.st_ino) {
			at = &c->older;
			continue;
		}
		*at = c->older;
		close(c->fd);
		free(c->name);
		free(c->from);
		free(c->bytes);
		free(c);
	}
	inside = false;
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	REAL(write);
	if (is_ours(fd, NULL)) {
		if (step(WRITE)) {
			if (!is_short() || n < 2)
				return -1;
			n /= 2;
		}
		before_write(fd, n, -1);
	}
	return real(fd, buf, n);
}

ssize_t
writev(int fd, const struct iovec *iov, int count)
{
	REAL(writev);
	if (is_ours(fd, NULL)) {
		size_t n = 0;
		for (int i = 0; i < count; i++)
			n += iov[i].iov_len;
		if (step(WRITE))
			return -1;
		before_write(fd, n, -1);
	}
	return real(fd, iov, count);
}

#define PWRITE(name) \
	ssize_t name(int fd, const void *buf, size_t n, off_t offset) \
	{ \
		REAL(name); \
		if (is_ours(fd, NULL)) { \
			if (step(WRITE)) { \
				if (!is_short() || n < 2) \
					return -1; \
				n /= 2; \
			} \
			before_write(fd, n, offset); \
		} \
		return real(fd, buf, n, offset); \
	}
PWRITE(pwrite)
PWRITE(pwrite64)

#define TRUNCATE(name) \
	int name(int fd, off_t size) \
	{ \
		REAL(name); \
		if (is_ours(fd, NULL)) { \
			if (step(NAME)) \
				return -1; \
			before_truncate(fd, size); \
		} \
		return real(fd, size); \
	}
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC_CALL(name) \
	int name(int fd) \
	{ \
		REAL(name); \
		bool ours = is_ours(fd, NULL); \
		if (ours && step(SYNC)) \
			return -1; \
		int result = real(fd); \
		if (ours && result == 0) \
			after_sync(fd); \
		return result; \
	}
SYNC_CALL(fsync)
SYNC_CALL(fdatasync)

int
rename(const char *from, const char *to)
{
	REAL(rename);
	return is_ours(AT_FDCWD, to) && step(NAME) ? -1 : real(from, to);
}

/* Within a folder, to a name that was free. */
int
renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	REAL(renameat);
	struct stat st;
	bool ours = is_ours(to_fd, to);
	bool is_new = ours && from_fd == to_fd && strchr(to, '/') == NULL &&
		fstatat(to_fd, to, &st, AT_SYMLINK_NOFOLLOW) < 0;
	if (ours && step(NAME))
		return -1;
	int result = real(from_fd, from, to_fd, to);
	if (is_new && result == 0) {
		after_make(to_fd, to);
		if (undo)
			changes->from = strdup(from);
	}
	return result;
}

int
unlink(const char *path)
{
	REAL(unlink);
	return is_ours(AT_FDCWD, path) && step(NAME) ? -1 : real(path);
}

int
unlinkat(int fd, const char *path, int flags)
{
	REAL(unlinkat);
	return is_ours(fd, path) && step(NAME) ? -1 : real(fd, path, flags);
}

int
mkdirat(int fd, const char *path, mode_t mode)
{
	REAL(mkdirat);
	bool ours = is_ours(fd, path);
	if (ours && step(NAME))
		return -1;
	int result = real(fd, path, mode);
	if (ours && result == 0)
		after_make(fd, path);
	return result;
}

/* A making is a step only where there was nothing. */
static bool
will_make(int fd, const char *path, int flags)
{
	struct stat st;

	return (flags & O_CREAT) && is_ours(fd, path) &&
		fstatat(fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0;
}

#define OPEN(name, parameters, at, ...) \
	int name parameters \
	{ \
		REAL(name); \
		mode_t mode = 0; \
		if (flags & O_CREAT) { \
			va_list ap; \
			va_start(ap, flags); \
			mode = (mode_t)va_arg(ap, int); \
			va_end(ap); \
		} \
		bool make = will_make(at, path, flags); \
		if (make && step(NAME)) \
			return -1; \
		int result = real(__VA_ARGS__, flags, mode); \
		if (make && result >= 0) \
			after_make(at, path); \
		return result; \
	}
OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int fd, const char *path, int flags, ...), fd, fd, path)
OPEN(openat64, (int fd, const char *path, int flags, ...), fd, fd, path)
