/* SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
cannot(const char *path, struct wv_err *err)
{
	wv_err_sys(err, "cannot write");
	err->source = path;
	return -1;
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
		cannot(path, err);
	wv_str_free(&folder);
	return failed ? -1 : 0;
}

static int
write_to(const char *path, int flags, const struct wv_str *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0666);
	int result;

	if (fd < 0)
		return -1;
	result = wv_write_all(fd, text->s, text->n);
	if (close(fd) != 0)
		result = -1;
	return result;
}

static int
replace(const char *path, const struct wv_str *text, struct wv_err *err)
{
	struct wv_str beside = { 0 };
	int result;

	wv_str_fmt(&beside, "%s.%ld.new", path, (long)getpid());
	result = write_to(beside.s, O_CREAT | O_EXCL, text);
	if (result == 0)
		result = rename(beside.s, path);
	if (result != 0) {
		cannot(path, err);
		unlink(beside.s);
	}
	wv_str_free(&beside);
	return result;
}

int
save_file(const char *path, const struct wv_str *text, struct wv_err *err)
{
	struct stat st;

	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_to(path, O_CREAT | O_TRUNC, text) == 0
			? 0
			: cannot(path, err);
	if (make_folders(path, err) != 0)
		return -1;
	return replace(path, text, err);
}
