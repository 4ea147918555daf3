/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/skill.h"

#include "json/form.h"
#include "json/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
wv_skill_folder(const char *folder, struct wv_err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		wv_err_sys(err, "%s", folder);
	return fd;
}

static int
open_segment(int up, const char *name, int flags, struct wv_err *err)
{
	int fd;

	if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return wv_err_set(err, "it is no path within the folder");
	fd = openat(up, name,
		O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd < 0 && errno == ELOOP)
		return wv_err_set(err, "it is a link");
	if (fd < 0)
		return wv_err_sys(err, "cannot be opened");
	return fd;
}

/* Cuts the path up. */
static int
open_beneath(int folder, char *path, struct wv_err *err)
{
	int fd = folder;

	while (path != NULL) {
		const char *name = strsep(&path, "/");
		int next = open_segment(
			fd, name, path != NULL ? O_DIRECTORY : 0, err);
		if (fd != folder)
			close(fd);
		if (next < 0)
			return -1;
		fd = next;
	}
	return fd;
}

/* At most max bytes of what must not have more. */
static char *
read_whole(int fd, size_t max, struct wv_arena *arena, size_t *len,
	struct wv_err *err)
{
	struct stat st;
	size_t size;
	char *text;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		wv_err_set(err, "it is no regular file");
		return NULL;
	}
	if ((uintmax_t)st.st_size > max) {
		wv_err_set(err, "it is longer than %zu bytes", max);
		return NULL;
	}
	size = (size_t)st.st_size;
	text = wv_alloc(arena, size + 1);
	for (*len = 0; *len < size;) {
		ssize_t n = read(fd, text + *len, size - *len);
		if (n == 0)
			break;
		if (n > 0) {
			*len += (size_t)n;
		} else if (errno != EINTR) {
			wv_err_sys(err, "cannot be read");
			return NULL;
		}
	}
	text[*len] = '\0';
	return text;
}

char *
wv_skill_read(int folder, const char *path, size_t max, struct wv_arena *arena,
	size_t *len, struct wv_err *err)
{
	int fd = open_beneath(folder, wv_dup(arena, path), err);
	char *text;

	if (fd < 0)
		return NULL;
	text = read_whole(fd, max, arena, len, err);
	close(fd);
	return text;
}

/* The end of the line that begins at p, behind its LF. */
static const char *
next_line(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));

	return lf != NULL ? lf + 1 : end;
}

static bool
is_fence(const char *p, const char *end)
{
	size_t n = (size_t)(next_line(p, end) - p);

	while (n > 0 && strchr(" \t\r\n", p[n - 1]) != NULL)
		n--;
	return n == 3 && memcmp(p, "---", 3) == 0;
}

/* A text of the front matter, cut at a character. */
static const char *
front_text(struct wv_arena *arena, const cJSON *front, const char *name,
	size_t max, struct wv_err *err)
{
	const char *text = wv_get_string(front, name);
	size_t n;

	if (text == NULL || *text == '\0') {
		wv_err_set(err, "its front matter has no %s", name);
		return NULL;
	}
	n = strlen(text);
	if (n > max)
		for (n = max; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
			n--;
	return wv_dupn(arena, text, n);
}

static int
read_front(struct wv_skill *skill, struct wv_arena *arena, struct wv_err *err)
{
	size_t bom = wv_bom_len(skill->text, skill->len);
	const char *end = skill->text + skill->len;
	const char *from = skill->text + bom, *to;
	struct wv_err inner = WV_ERR_INIT;
	const cJSON *front;

	if (!is_fence(from, end))
		return wv_err_set(err, "it does not begin with a line of ---");
	from = next_line(from, end);
	for (to = from; to < end && !is_fence(to, end);)
		to = next_line(to, end);
	if (to == end)
		return wv_err_set(err, "its front matter has no end");
	skill->body = (size_t)(next_line(to, end) - skill->text);
	front = wv_yaml_read(arena, wv_dupn(arena, from, (size_t)(to - from)),
		(size_t)(to - from), &wv_yaml_defaults, &inner);
	if (front == NULL)
		return wv_err_set(
			err, "line %zu: %s", inner.line + 1, inner.text);
	skill->name = front_text(arena, front, "name", WV_SKILL_NAME_MAX, err);
	skill->description = front_text(
		arena, front, "description", WV_SKILL_ABOUT_MAX, err);
	return skill->name && skill->description ? 0 : -1;
}

int
wv_skill_load(struct wv_skill *skill, struct wv_arena *arena,
	const char *folder, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int fd = wv_skill_folder(folder, err);

	if (fd < 0)
		return -1;
	*skill = (struct wv_skill){ 0 };
	skill->text = wv_skill_read(
		fd, WV_SKILL_FILE, WV_SKILL_MAX, arena, &skill->len, &inner);
	close(fd);
	if (skill->text == NULL || read_front(skill, arena, &inner) != 0)
		return wv_err_set(
			err, "%s/%s: %s", folder, WV_SKILL_FILE, inner.text);
	return 0;
}
