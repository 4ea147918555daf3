/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's own files, by whatever name: by path, which covers what is not
 * there yet or was replaced, and by device and inode, which covers hard links
 * and folders that are mounted twice.
 */
#include "paths.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH = 8 }; /* of a state folder, and more */

struct policy_place {
	const struct policy_place *next;
	const char *path; /* without links */
	struct stat st;
};

int
policy_protect(struct policy *policy, const char *path, struct wv_err *err)
{
	struct policy_place *place =
		wv_alloc_zero(&policy->arena, sizeof *place);
	char *real = realpath(path, NULL);

	if (real == NULL || stat(real, &place->st) != 0) {
		free(real);
		return wv_err_sys(err, "%s", path);
	}
	place->path = wv_dup(&policy->arena, real);
	place->next = policy->places;
	policy->places = place;
	free(real);
	return 0;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
lies_within(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 &&
		(path[n] == '\0' || path[n] == '/');
}

/* Whether a file has a name in this folder too; what cannot be read might
 * hold it. */
static bool
holds(int at, const char *name, const struct stat *file, int depth)
{
	int fd = openat(
		at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	bool found = folder == NULL;
	const struct dirent *entry;
	struct stat st;

	while (!found && (entry = readdir(folder)) != NULL) {
		const char *in = entry->d_name;
		if (strcmp(in, ".") == 0 || strcmp(in, "..") == 0 ||
			fstatat(fd, in, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		found = is_same(&st, file) ||
			(S_ISDIR(st.st_mode) &&
				(depth == 0 || holds(fd, in, file, depth - 1)));
	}
	if (folder != NULL)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* Whether a file may have another name in a state folder, which takes none
 * that is not the kernel's own or that others may open. */
static bool
may_be_linked(const struct policy_place *place, const struct stat *file)
{
	return S_ISREG(file->st_mode) && S_ISDIR(place->st.st_mode) &&
		file->st_nlink > 1 && (file->st_mode & 077) == 0 &&
		file->st_dev == place->st.st_dev &&
		file->st_uid == place->st.st_uid;
}

static bool
is_place(const struct policy_place *place, const struct stat *st)
{
	return is_same(&place->st, st) ||
		(may_be_linked(place, st) &&
			holds(AT_FDCWD, place->path, st, DEPTH));
}

/* Whether the path or a folder on the way to it is protected. */
static bool
passes_place(const struct policy_place *places, const char *path)
{
	char *copy = wv_xstrdup(path), *end = copy;
	bool found = false, more = true;
	struct stat st;

	while (!found && more) {
		end += strspn(end, "/");
		end += strcspn(end, "/");
		more = *end != '\0';
		*end = '\0';
		if (stat(copy, &st) != 0)
			break;
		for (const struct policy_place *p = places; p && !found;
			p = p->next)
			found = is_place(p, &st);
		if (more)
			*end = '/';
	}
	free(copy);
	return found;
}

bool
policy_is_protected(const struct policy_place *places, const char *path)
{
	for (const struct policy_place *p = places; p != NULL; p = p->next) {
		if (lies_within(path, p->path))
			return true;
	}
	return places != NULL && passes_place(places, path);
}
