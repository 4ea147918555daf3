/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/folder.h"

#include "base/mem.h"
#include "kernel/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };

static const char *
env(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

char *
wv_folder_name(const char *given, struct wv_err *err)
{
	struct wv_str s = { 0 };
	const char *base;

	if (given != NULL && *given == '\0') {
		wv_err_set(err, "the name of the state folder is empty");
		return NULL;
	}
	given = wv_system_choose(
		wv_system()->state, "--state", given, "WV_STATE");
	if (given != NULL)
		return wv_xstrdup(given);
	/* XDG's rule: a relative one counts as unset. */
	if ((base = env("XDG_STATE_HOME")) != NULL && *base == '/') {
		wv_str_cat(&s, base);
		wv_str_cat(&s, "/wv");
		return s.s;
	}
	if ((base = env("HOME")) != NULL) {
		wv_str_cat(&s, base);
		wv_str_cat(&s, "/.local/state/wv");
		return s.s;
	}
	wv_err_set(err,
		"no state folder: give --state DIR, or set WV_STATE or HOME");
	return NULL;
}

/* What stands in the state folder is ours alone. */
static int
check_ours(const struct stat *st, const char *name, mode_t type,
	struct wv_err *err)
{
	if (S_ISLNK(st->st_mode))
		return wv_err_set(err, "%s is a symbolic link", name);
	if ((st->st_mode & S_IFMT) != type)
		return wv_err_set(err, "%s is not a %s", name,
			type == S_IFDIR ? "folder" : "regular file");
	if (st->st_uid != geteuid())
		return wv_err_set(err, "%s belongs to user %ju, not to %ju",
			name, (uintmax_t)st->st_uid, (uintmax_t)geteuid());
	if (st->st_mode & 077)
		return wv_err_set(err,
			"%s has mode %04o: only its owner may have access "
			"(chmod go= it)",
			name, (unsigned)st->st_mode & 07777);
	if (type == S_IFREG && st->st_nlink > 1)
		return wv_err_set(
			err, "%s has a second name (a hard link)", name);
	return 0;
}

/* Whoever may write to an ancestor can put another state in place. */
static int
check_ancestor(int dir, const char *path, struct wv_err *err)
{
	struct stat st;

	if (fstat(dir, &st) < 0)
		return wv_err_sys(err, "%s", path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return wv_err_set(err,
			"user %ju owns %s and could replace the state folder",
			(uintmax_t)st.st_uid, path);
	bool sticky = st.st_uid == 0 && (st.st_mode & S_ISVTX);
	if ((st.st_mode & 022) && !sticky)
		return wv_err_set(err,
			"others can write to %s (mode %04o) and replace the "
			"state folder",
			path, (unsigned)st.st_mode & 07777);
	return 0;
}

static int
sync_folder(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	int status = fsync(fd);
	close(fd);
	return status;
}

/* 0 also if somebody else made it meanwhile: it is judged when opened. */
static int
make_folder(int dir, const char *name)
{
	if (mkdirat(dir, name, 0700) < 0)
		return errno == EEXIST ? 0 : -1;
	if (fchmodat(dir, name, 0700, 0) < 0)
		return -1;
	return sync_folder(dir);
}

/* The walk from the root: where it stands, and the names still to come. */
struct walk {
	int dir;
	struct wv_str real; /* without links; "" is the root */
	char *names, *rest; /* rest points into names */
	int links;
	bool make;
};

static int
restart(struct walk *walk, struct wv_err *err)
{
	if (walk->dir >= 0)
		close(walk->dir);
	walk->real.n = 0;
	wv_str_cat(&walk->real, "");
	walk->dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return walk->dir < 0 ? wv_err_sys(err, "/") : 0;
}

/* The next name, or NULL at the end. */
static char *
next_name(struct walk *walk)
{
	walk->rest += strspn(walk->rest, "/");
	if (*walk->rest == '\0')
		return NULL;
	char *name = walk->rest;
	size_t n = strcspn(name, "/");
	walk->rest += n;
	if (*walk->rest == '/')
		*walk->rest++ = '\0';
	walk->rest += strspn(walk->rest, "/");
	return name;
}

static int
follow_link(struct walk *walk, const char *name, const struct stat *st,
	struct wv_err *err)
{
	char target[4096];
	struct wv_str names = { 0 };

	if (*walk->rest == '\0')
		return wv_err_set(
			err, "%s/%s is a symbolic link", walk->real.s, name);
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return wv_err_set(err, "user %ju made the symbolic link %s/%s",
			(uintmax_t)st->st_uid, walk->real.s, name);
	if (++walk->links > MAX_LINKS) {
		errno = ELOOP;
		return wv_err_sys(err, "%s/%s", walk->real.s, name);
	}
	ssize_t n = readlinkat(walk->dir, name, target, sizeof(target));
	if (n < 0 || n == sizeof(target))
		return wv_err_sys(err, "%s/%s", walk->real.s, name);
	wv_str_add(&names, target, n);
	wv_str_chr(&names, '/');
	wv_str_cat(&names, walk->rest);
	free(walk->names);
	walk->names = walk->rest = names.s;
	return *names.s == '/' ? restart(walk, err) : 0;
}

static int
enter(struct walk *walk, const char *name, struct wv_err *err)
{
	int fd = openat(
		walk->dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return wv_err_sys(err, "%s/%s", walk->real.s, name);
	close(walk->dir);
	walk->dir = fd;
	if (strcmp(name, "..") != 0) {
		wv_str_chr(&walk->real, '/');
		wv_str_cat(&walk->real, name);
		return 0;
	}
	char *slash = strrchr(walk->real.s, '/');
	if (slash != NULL) {
		*slash = '\0';
		walk->real.n = slash - walk->real.s;
	}
	return 0;
}

static int
step(struct walk *walk, const char *name, struct wv_err *err)
{
	struct stat st;

	if (strcmp(name, ".") == 0)
		return 0;
	if (check_ancestor(walk->dir, walk->real.n ? walk->real.s : "/", err) <
		0)
		return -1;
	if (fstatat(walk->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISLNK(st.st_mode) ? follow_link(walk, name, &st, err)
					   : enter(walk, name, err);
	if (errno == ENOENT && !walk->make)
		return wv_err_set(err,
			"there is no state: %s/%s does not exist", walk->real.s,
			name);
	if (errno != ENOENT || make_folder(walk->dir, name) < 0)
		return wv_err_sys(err, "%s/%s", walk->real.s, name);
	return enter(walk, name, err);
}

static int
walk_to(struct walk *walk, const char *path, struct wv_err *err)
{
	char cwd[4096];
	struct wv_str names = { 0 };
	char *name;

	if (*path != '/') {
		if (getcwd(cwd, sizeof(cwd)) == NULL)
			return wv_err_sys(err, "the current folder");
		wv_str_cat(&names, cwd);
		wv_str_chr(&names, '/');
	}
	wv_str_cat(&names, path);
	walk->names = walk->rest = names.s;
	if (restart(walk, err) < 0)
		return -1;
	while ((name = next_name(walk)) != NULL)
		if (step(walk, name, err) < 0)
			return -1;
	return 0;
}

int
wv_folder_open(
	const char *path, bool make, struct wv_str *real, struct wv_err *err)
{
	struct walk walk = { .dir = -1, .make = make };
	struct stat st;
	int dir = -1;

	if (walk_to(&walk, path, err) == 0) {
		dir = openat(walk.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0 || fstat(dir, &st) < 0)
			wv_err_sys(err, "%s", walk.real.s);
		else if (check_ours(&st, walk.real.s, S_IFDIR, err) == 0)
			wv_str_add(real, walk.real.s, walk.real.n);
	}
	if (walk.dir >= 0)
		close(walk.dir);
	free(walk.names);
	wv_str_free(&walk.real);
	if (real->n == 0 && dir >= 0) {
		close(dir);
		dir = -1;
	}
	return dir;
}

/* A new file, 0600 whatever the umask; -1 and EEXIST if there is one. */
static int
make_file(int dir, const char *name, int flags)
{
	int fd = openat(
		dir, name, flags | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, 0600) == 0)
		return fd;
	close(fd);
	return -1;
}

/* With O_CREAT what is there is opened, unless O_EXCL says otherwise. */
static int
open_at(int dir, const char *name, int flags)
{
	int fd;

	if ((flags & O_CREAT) && (flags & O_DIRECTORY)) {
		if (make_folder(dir, name) < 0)
			return -1;
	} else if (flags & O_CREAT) {
		fd = make_file(dir, name, flags);
		if (fd >= 0 || errno != EEXIST || (flags & O_EXCL))
			return fd;
	}
	/* A fifo in the place of a file must not make us wait. */
	return openat(dir, name,
		(flags & ~O_CREAT) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int
wv_folder_at(int dir, const char *name, int flags, struct wv_err *err)
{
	mode_t type = flags & O_DIRECTORY ? S_IFDIR : S_IFREG;
	struct stat st;
	int fd = open_at(dir, name, flags);
	int cause = errno;

	if (fd < 0) {
		/* A link, for one, is told as such. */
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			check_ours(&st, name, type, err);
		errno = cause;
		wv_err_sys(err, "%s", name);
	} else if (fstat(fd, &st) < 0) {
		wv_err_sys(err, "%s", name);
	} else if (check_ours(&st, name, type, err) == 0) {
		return fd;
	}
	if (fd >= 0) {
		close(fd);
		cause = EPERM;
	}
	errno = cause;
	return -1;
}

int
wv_folder_check(int dir, const char *name, struct wv_err *err)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : wv_err_sys(err, "%s", name);
	return check_ours(&st, name, S_IFREG, err) < 0 ? -1 : 1;
}
