/* SPDX-License-Identifier: Apache-2.0 */
/* Where known values come from. */
#include "firewall/known-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 20 };

static const char *
end_of_line(const char *s, const char *end)
{
	const char *lf = memchr(s, '\n', (size_t)(end - s));

	return lf != NULL ? lf : end;
}

static void
trim(const char **s, size_t *n)
{
	while (*n > 0 && strchr(" \t\r\n", (*s)[*n - 1]) != NULL)
		--*n;
	while (*n > 0 && (**s == ' ' || **s == '\t')) {
		++*s;
		--*n;
	}
}

void
wv_known_add(struct wv_known *known, const char *value, size_t n)
{
	const char *end = value + n;

	if (n < WV_KNOWN_SHORTEST)
		return;
	wv_known_put_forms(known, value, n);
	if (memchr(value, '\n', n) == NULL)
		return;
	for (const char *s = value; s < end;) {
		const char *stop = end_of_line(s, end), *line = s;
		size_t length = (size_t)(stop - s);
		trim(&line, &length);
		/* -----BEGIN …, which is no secret */
		if (length >= WV_KNOWN_SHORTEST &&
			memcmp(line, "-----", 5) != 0)
			wv_known_put_forms(known, line, length);
		s = stop < end ? stop + 1 : end;
	}
}

/* Where the value of NAME=VALUE begins, or s. */
static const char *
behind_name(const char *s, const char *end)
{
	static const char export[] = "export ";
	const char *p = s;

	if (end - p > 7 && memcmp(p, export, 7) == 0)
		p += 7;
	while (p < end &&
		(*p == '_' || ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') ||
			(p > s && *p >= '0' && *p <= '9')))
		p++;
	return p > s && p < end && *p == '=' ? p + 1 : s;
}

static bool
add_line(struct wv_known *known, const char *s, size_t n)
{
	trim(&s, &n);
	if (n == 0 || *s == '#' || (n > 5 && memcmp(s, "-----", 5) == 0))
		return false;
	const char *value = behind_name(s, s + n), *end = s + n;
	if (end - value >= 2 && (*value == '"' || *value == '\'') &&
		end[-1] == *value) {
		value++;
		end--;
	}
	/* What looks like a name may be the beginning of a value. */
	if (end - value < WV_KNOWN_SHORTEST) {
		value = s;
		end = s + n;
	}
	wv_known_add(known, value, (size_t)(end - value));
	return end - value >= WV_KNOWN_SHORTEST;
}

static ssize_t
read_all(int fd, char *to, size_t room)
{
	size_t n = 0;
	ssize_t got;

	while (n < room) {
		got = read(fd, to + n, room - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

int
wv_known_add_file(struct wv_known *known, const char *path, struct wv_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), count = 0;

	err->source = path;
	if (fd < 0)
		return wv_err_sys(err, "cannot be opened");
	char *text = wv_xmalloc(MAX_FILE + 1), *end;
	ssize_t n = read_all(fd, text, MAX_FILE + 1);
	close(fd);
	end = text + (n > 0 ? n : 0);
	for (const char *s = text; s < end && n <= MAX_FILE;) {
		const char *stop = end_of_line(s, end);
		count += add_line(known, s, (size_t)(stop - s));
		s = stop < end ? stop + 1 : end;
	}
	int error = errno;
	explicit_bzero(text, MAX_FILE + 1);
	free(text);
	errno = error;
	if (n < 0)
		return wv_err_sys(err, "cannot be read");
	if (n > MAX_FILE)
		return wv_err_set(err, "longer than %d bytes", MAX_FILE);
	return count;
}

int
wv_known_add_env(struct wv_known *known, const char *names, struct wv_err *err)
{
	static const char between[] = ", \t\n";
	int count = 0;

	for (const char *s = names; *(s += strspn(s, between)) != '\0';) {
		size_t n = strcspn(s, between);
		char *name = strndup(s, n);
		const char *value = name != NULL ? getenv(name) : NULL;
		free(name);
		if (value == NULL)
			return wv_err_set(err, "%.*s is not in the environment",
				(int)n, s);
		size_t length = strlen(value);
		wv_known_add(known, value, length);
		count += length >= WV_KNOWN_SHORTEST;
		s += n;
	}
	return count;
}
