/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a tool, this puts a folder of a test in the place of
 * SYSCONFDIR, for wv.yaml(5), and pretends that what the test has made in it
 * is root's.
 *
 *	WV_SYSCONF_OF=DIR     the SYSCONFDIR that the tool was built with
 *	WV_SYSCONF_TO=DIR     what it finds there
 *	WV_SYSCONF_UID=N      whose that is (0)
 *	WV_SYSCONF_NOT=NAME   "wv", "wv.yaml": this cannot be opened (EACCES)
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
	real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* The path to use, in out if it is another one. */
static const char *
replaced(const char *path, char out[PATH_MAX])
{
	const char *of = getenv("WV_SYSCONF_OF");
	const char *to = getenv("WV_SYSCONF_TO");
	size_t n = of != NULL ? strlen(of) : 0;

	if (n == 0 || to == NULL || strncmp(path, of, n) != 0 ||
		(path[n] != '\0' && path[n] != '/'))
		return path;
	snprintf(out, PATH_MAX, "%s%s", to, path + n);
	return out;
}

static bool
is_ours(int fd)
{
	const char *to = getenv("WV_SYSCONF_TO");
	char link[64], path[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	if (to == NULL || n < 0)
		return false;
	path[n] = '\0';
	size_t len = strlen(to);
	return strncmp(path, to, len) == 0 &&
		(path[len] == '/' || path[len] == '\0');
}

/* fd is the folder that name is opened in. */
static bool
is_closed(int fd, const char *name)
{
	const char *closed = getenv("WV_SYSCONF_NOT");

	return closed != NULL && strcmp(name, closed) == 0 && is_ours(fd);
}

static mode_t
mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		REAL(name); \
		char other[PATH_MAX]; \
		va_list ap; \
		va_start(ap, flags); \
		mode_t mode = mode_of(flags, ap); \
		va_end(ap); \
		return real(replaced(path, other), flags, mode); \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
	int name(int fd, const char *path, int flags, ...) \
	{ \
		REAL(name); \
		va_list ap; \
		va_start(ap, flags); \
		mode_t mode = mode_of(flags, ap); \
		va_end(ap); \
		if (is_closed(fd, path)) { \
			errno = EACCES; \
			return -1; \
		} \
		return real(fd, path, flags, mode); \
	}
OPENAT(openat)
OPENAT(openat64)

char *
realpath(const char *path, char *resolved)
{
	char other[PATH_MAX];

	REAL(realpath);
	return real(replaced(path, other), resolved);
}

static uid_t
owner(void)
{
	const char *uid = getenv("WV_SYSCONF_UID");

	return uid != NULL ? (uid_t)strtoul(uid, NULL, 10) : 0;
}

#define FSTAT(name, type) \
	int name(int fd, struct type *st) \
	{ \
		REAL(name); \
		int result = real(fd, st); \
		if (result == 0 && is_ours(fd)) \
			st->st_uid = owner(); \
		return result; \
	}
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
