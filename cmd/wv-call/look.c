/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

#include "changes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

enum {
	TRIES = 3,
	BLOCK = 64 << 10,
	SHOWN = 512, /* bytes of a path in a message */
	/*
	 * A file whose last change was less than this before a look could
	 * change again without another time: clocks of file systems are
	 * coarse, those of servers wrong, and a page that is mapped and dirty
	 * is written to unseen until the kernel has stored it (half a minute).
	 */
	FRESH_S = 60,
};

struct walk {
	struct look *look;
	const struct look *before;
	const char *name; /* of the resource, which is the one at `resource` */
	size_t resource;
	struct wv_str path; /* within it */
	size_t names;
	uint64_t bytes;
	time_t now;
	struct level {
		DIR *dir;
		size_t path;
	} levels[CHANGES_DEPTH];
	size_t depth;
};

enum sight { SEEN, GONE, CHANGED, FAILED };

static int
fault(const struct walk *walk, struct wv_err *err, const char *what)
{
	struct wv_str path = { 0 };

	wv_str_foreign(&path, walk->path.n > 0 ? walk->path.s : ".",
		walk->path.n > 0 ? walk->path.n : 1, SHOWN);
	wv_err_set(err, "resource \"%s\": %s: %s", walk->name, path.s, what);
	wv_str_free(&path);
	return -1;
}

/* What cannot be read may have changed. */
static enum sight
failed(const struct walk *walk, struct wv_err *err)
{
	fault(walk, err, strerror(errno));
	return FAILED;
}

/* It is not what it was a moment ago. */
static bool
was_replaced(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
}

static bool
is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool
is_untouched(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
		a->st_mode == b->st_mode && a->st_size == b->st_size &&
		is_same_time(a->st_mtim, b->st_mtim) &&
		is_same_time(a->st_ctim, b->st_ctim);
}

/* In memory file systems what is written through a mapping sets no time. */
static bool
keeps_times(int fd)
{
#ifdef __linux__
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type != TMPFS_MAGIC &&
		fs.f_type != RAMFS_MAGIC;
#else
	return fd < 0;
#endif
}

/* False, and errno is 0: it is not as long as it was. */
static bool
add_up(int fd, off_t size, unsigned char sum[WV_SHA256])
{
	static char block[BLOCK];
	struct wv_sha256 sha256;
	off_t total = 0;
	ssize_t n;

	wv_sha256_start(&sha256);
	do {
		n = read(fd, block, sizeof block);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		wv_sha256_add(&sha256, block, (size_t)n);
		total += n;
	} while (n != 0 && total <= size);
	wv_sha256_end(&sha256, sum);
	errno = 0;
	return total == size;
}

static enum sight
read_file(struct walk *walk, int fd, struct seen *seen, struct wv_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return failed(walk, err);
	if (!is_untouched(&st, &seen->st))
		return CHANGED;
	if ((uint64_t)st.st_size > CHANGES_BYTES - walk->bytes) {
		wv_err_set(err, "resources hold more than %" PRIu64 " bytes",
			CHANGES_BYTES);
		return FAILED;
	}
	walk->bytes += (uint64_t)st.st_size;
	seen->may_hide =
		st.st_ctim.tv_sec >= walk->now - FRESH_S || !keeps_times(fd);
	if (!add_up(fd, st.st_size, seen->sum))
		return errno == 0 ? CHANGED : failed(walk, err);
	if (fstat(fd, &st) < 0)
		return failed(walk, err);
	return is_untouched(&st, &seen->st) ? SEEN : CHANGED;
}

static const struct seen *
find(const struct look *look, const struct seen *seen)
{
	size_t low = 0, high = look->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = look_order(&look->items[middle], seen);
		if (order == 0)
			return &look->items[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static enum sight
see_file(struct walk *walk, int dir, const char *name, struct seen *seen,
	struct wv_err *err)
{
	const struct seen *old = walk->before ? find(walk->before, seen) : NULL;

	if (old != NULL && !old->may_hide &&
		is_untouched(&old->st, &seen->st)) {
		memcpy(seen->sum, old->sum, sizeof seen->sum);
		return SEEN;
	}
	/* It may have become a FIFO since. */
	int fd = openat(dir, name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return was_replaced() ? CHANGED : failed(walk, err);
	enum sight sight = read_file(walk, fd, seen, err);
	close(fd);
	return sight;
}

static enum sight
see_link(struct walk *walk, int dir, const char *name, struct seen *seen,
	struct wv_err *err)
{
	char target[PATH_MAX];
	struct wv_sha256 sha256;
	ssize_t n = readlinkat(dir, name, target, sizeof target);

	if (n < 0)
		return was_replaced() || errno == EINVAL ? CHANGED
							 : failed(walk, err);
	wv_sha256_start(&sha256);
	wv_sha256_add(&sha256, target, (size_t)n);
	wv_sha256_end(&sha256, seen->sum);
	return SEEN;
}

static enum sight
see_folder(struct walk *walk, int dir, const char *name, struct seen *seen,
	int *folder, struct wv_err *err)
{
	*folder = openat(dir, name,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*folder < 0)
		return was_replaced() ? CHANGED : failed(walk, err);
	return fstat(*folder, &seen->st) < 0 ? failed(walk, err) : SEEN;
}

static enum sight
see(struct walk *walk, int dir, const char *name, struct seen *seen,
	int *folder, struct wv_err *err)
{
	if (fstatat(dir, name, &seen->st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT || errno == ENOTDIR ? GONE
							   : failed(walk, err);
	switch (seen->st.st_mode & S_IFMT) {
	case S_IFREG:
		return see_file(walk, dir, name, seen, err);
	case S_IFLNK:
		return see_link(walk, dir, name, seen, err);
	case S_IFDIR:
		return see_folder(walk, dir, name, seen, folder, err);
	default:
		return SEEN;
	}
}

/* What has this name, if it is still there: 1; a folder is left open.  The
 * names that are gone count as well: nobody shall keep us busy with them. */
static int
note(struct walk *walk, int dir, const char *name, int *folder,
	struct wv_err *err)
{
	struct look *look = walk->look;
	struct seen seen = { .resource = walk->resource,
		.path = walk->path.n > 0 ? walk->path.s : "" };
	enum sight sight = CHANGED;

	*folder = -1;
	if (++walk->names > CHANGES_FILES)
		return wv_err_set(err, "resources hold more than %d files",
			CHANGES_FILES);
	for (int i = 0; i < TRIES && sight == CHANGED; i++)
		sight = see(walk, dir, name, &seen, folder, err);
	if (sight == CHANGED)
		return fault(walk, err, "changes while it is looked at");
	if (sight != SEEN)
		return sight == GONE ? 0 : -1;
	seen.path = wv_dup(&look->arena, seen.path);
	look->items = wv_list_room(look->items, look->count, sizeof seen);
	look->items[look->count++] = seen;
	return 1;
}

/* Takes the descriptor. */
static int
enter(struct walk *walk, int folder, struct wv_err *err)
{
	struct level *level = &walk->levels[walk->depth];

	if (walk->depth == CHANGES_DEPTH) {
		wv_err_set(err,
			"resource \"%s\" has more than %d folders within "
			"folders",
			walk->name, CHANGES_DEPTH);
	} else {
		*level = (struct level){ fdopendir(folder), walk->path.n };
		if (level->dir != NULL) {
			walk->depth++;
			return 0;
		}
		failed(walk, err);
	}
	close(folder);
	return -1;
}

/* The next name of the innermost folder. */
static int
step(struct walk *walk, struct wv_err *err)
{
	struct level *level = &walk->levels[walk->depth - 1];
	int folder = -1;

	errno = 0;
	const struct dirent *entry = readdir(level->dir);
	walk->path.n = level->path;
	if (entry == NULL && errno != 0)
		return fault(walk, err, strerror(errno));
	if (entry == NULL) {
		closedir(level->dir);
		walk->depth--;
		return 0;
	}
	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return 0;
	wv_str_fmt(
		&walk->path, "%s%s", level->path > 0 ? "/" : "", entry->d_name);
	int found = note(walk, dirfd(level->dir), entry->d_name, &folder, err);
	return found == 1 && folder >= 0 ? enter(walk, folder, err)
		: found < 0              ? -1
					 : 0;
}

static int
check_kind(const struct walk *walk, bool is_dir, struct wv_err *err)
{
	mode_t mode = walk->look->items[walk->look->count - 1].st.st_mode;

	if (S_ISLNK(mode))
		return wv_err_set(err,
			"resource \"%s\" is a symbolic link: name what it "
			"leads to",
			walk->name);
	if (is_dir ? !S_ISDIR(mode) : !S_ISREG(mode))
		return wv_err_set(err, "resource \"%s\" is not a %s",
			walk->name, is_dir ? "folder" : "regular file");
	return 0;
}

static int
walk_resource(struct walk *walk, const cJSON *resource, struct wv_err *err)
{
	const char *dir = wv_get_string(resource, "dir");
	const char *top = dir ? dir : wv_get_string(resource, "file");
	int folder, found;

	walk->name = wv_get_string(resource, "name");
	walk->path.n = 0;
	found = note(walk, AT_FDCWD, top, &folder, err);
	if (found == 1 && walk->before == NULL &&
		check_kind(walk, dir != NULL, err) < 0)
		found = -1;
	if (folder >= 0 && (found < 0 || dir == NULL))
		close(folder);
	else if (folder >= 0 && enter(walk, folder, err) < 0)
		return -1;
	while (found >= 0 && walk->depth > 0) {
		if (step(walk, err) < 0)
			found = -1;
	}
	while (walk->depth > 0)
		closedir(walk->levels[--walk->depth].dir);
	return found < 0 ? -1 : 0;
}

int
look_order(const struct seen *a, const struct seen *b)
{
	if (a->resource != b->resource)
		return a->resource < b->resource ? -1 : 1;
	return strcmp(a->path, b->path);
}

static int
by_order(const void *a, const void *b)
{
	return look_order(a, b);
}

int
look_at(struct look *look, const cJSON *resources, const struct look *before,
	struct wv_err *err)
{
	struct walk walk = {
		.look = look, .before = before, .now = time(NULL)
	};
	int status = 0;

	wv_json_each(resource, resources) {
		if (status == 0)
			status = walk_resource(&walk, resource, err);
		walk.resource++;
	}
	wv_str_free(&walk.path);
	if (look->count > 0)
		qsort(look->items, look->count, sizeof *look->items, by_order);
	return status;
}

void
look_free(struct look *look)
{
	free(look->items);
	wv_arena_free(&look->arena);
}
