/* SPDX-License-Identifier: Apache-2.0 */
#include "artifacts.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a build that died has left of a file; the next one removes it. */
#define UNDONE "unfinished"

struct artifacts {
	const char *dir;
	int fd, lock;
};

static _Noreturn void
fail(const struct artifacts *artifacts, const char *what)
{
	wv_die("%s: %s: %s", artifacts->dir, what, strerror(errno));
}

/* Others must not be able to read what the firewall hides. */
static void
check_folder(const struct artifacts *artifacts)
{
	struct stat st;

	if (fstat(artifacts->fd, &st) < 0)
		fail(artifacts, "cannot be looked at");
	if (st.st_uid != geteuid() || (st.st_mode & 077) != 0)
		wv_die("%s: other users can reach it", artifacts->dir);
}

struct artifacts *
artifacts_open(const char *dir)
{
	struct artifacts *artifacts;

	if (dir == NULL)
		return NULL;
	artifacts = wv_xmalloc(sizeof(*artifacts));
	artifacts->dir = dir;
	if (mkdir(dir, 0700) < 0 && errno != EEXIST)
		fail(artifacts, "cannot be made");
	artifacts->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (artifacts->fd < 0)
		fail(artifacts, "cannot be opened");
	check_folder(artifacts);
	artifacts->lock = openat(artifacts->fd, "lock",
		O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (artifacts->lock < 0)
		fail(artifacts, "lock");
	while (flock(artifacts->lock, LOCK_EX) < 0)
		if (errno != EINTR)
			fail(artifacts, "lock");
	return artifacts;
}

static bool
holds(int fd, const char *raw, size_t n)
{
	struct stat st;
	void *p;
	bool same;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
		(size_t)st.st_size != n)
		return false;
	if (n == 0)
		return true;
	p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	same = memcmp(p, raw, n) == 0;
	munmap(p, n);
	return same;
}

static void
write_file(const struct artifacts *artifacts, const char *name, const char *raw,
	size_t n)
{
	int fd;

	unlinkat(artifacts->fd, UNDONE, 0);
	fd = openat(artifacts->fd, UNDONE,
		O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || wv_write_all(fd, raw, n) < 0 || fdatasync(fd) < 0 ||
		close(fd) < 0)
		fail(artifacts, "cannot keep an artifact");
	if (renameat(artifacts->fd, UNDONE, artifacts->fd, name) < 0)
		fail(artifacts, "cannot keep an artifact");
}

void
artifacts_put(
	struct artifacts *artifacts, const char *id, const char *raw, size_t n)
{
	char name[WV_SHA256_HEX];
	int fd;

	if (artifacts == NULL)
		return;
	wv_sha256_hex(name, id, strlen(id));
	/* nor wait for what is no file */
	fd = openat(artifacts->fd, name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		fail(artifacts, name);
	if (fd < 0) {
		write_file(artifacts, name, raw, n);
		return;
	}
	if (!holds(fd, raw, n))
		wv_die("%s: artifact:%s is something else already",
			artifacts->dir, id);
	close(fd);
}

void
artifacts_close(struct artifacts *artifacts)
{
	if (artifacts == NULL)
		return;
	close(artifacts->lock);
	close(artifacts->fd);
	free(artifacts);
}
