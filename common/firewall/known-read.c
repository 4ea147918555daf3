/* SPDX-License-Identifier: Apache-2.0 */
/* Where known values come from. */
#include "firewall/known-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILE = 1 << 20 };

/* A file of values. */
struct reading {
	struct wv_known *known;
	void (*tell)(const struct wv_err *fault);
	const char *path;
	size_t line;
	int count;
};

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

static void
doubt(const struct reading *r, const char *fault)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, r->path, r->line, 0, "%s", fault);
	r->tell(&err);
}

/* What looks like a name may be the beginning of a value; where the rest is
 * the padding of base64, it is. */
static void
add_short(struct reading *r, const char *s, size_t n, const char *value,
	const char *end)
{
	bool is_whole = n >= WV_KNOWN_SHORTEST;
	bool is_empty = value > s &&
		(value == end || (end - value == 1 && *value == '='));

	if (!is_empty && is_whole)
		doubt(r,
			"the value behind the name is shorter than 8 bytes: "
			"only the whole line is looked for");
	else if (!is_empty)
		doubt(r, "shorter than 8 bytes: it is not looked for");
	wv_known_add(r->known, s, n);
	r->count += is_whole;
}

static void
add_line(struct reading *r, const char *s, size_t n)
{
	trim(&s, &n);
	if (n == 0 || *s == '#' || (n > 5 && memcmp(s, "-----", 5) == 0))
		return;
	const char *value = behind_name(s, s + n), *end = s + n;
	bool is_quoted = value < end && (*value == '"' || *value == '\'');
	if (is_quoted && end - value >= 2 && end[-1] == *value) {
		value++;
		end--;
	} else if (is_quoted) {
		doubt(r,
			"a quote does not end in its line: it counts as part "
			"of the value");
	}
	if (end - value < WV_KNOWN_SHORTEST) {
		add_short(r, s, n, value, end);
		return;
	}
	wv_known_add(r->known, value, (size_t)(end - value));
	r->count++;
}

/* Behind a byte order mark. */
static int
add_lines(struct reading *r, const char *s, size_t n, struct wv_err *err)
{
	static const char mark[] = "\xEF\xBB\xBF";
	const char *end = s + n;

	if (n > MAX_FILE)
		return wv_err_set(err, "longer than %d bytes", MAX_FILE);
	if (memchr(s, '\0', n) != NULL)
		return wv_err_set(err, "has a NUL: it is no text of values");
	if (n >= 3 && memcmp(s, mark, 3) == 0)
		s += 3;
	while (s < end) {
		const char *stop = end_of_line(s, end);
		r->line++;
		add_line(r, s, (size_t)(stop - s));
		s = stop < end ? stop + 1 : end;
	}
	return r->count;
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
wv_known_add_file(struct wv_known *known, const char *path,
	void (*tell)(const struct wv_err *fault), struct wv_err *err)
{
	struct reading r = { .known = known, .tell = tell, .path = path };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	err->source = path;
	if (fd < 0)
		return wv_err_sys(err, "cannot be opened");
	char *text = wv_xmalloc(MAX_FILE + 1);
	ssize_t n = read_all(fd, text, MAX_FILE + 1);
	int count = n < 0 ? wv_err_sys(err, "cannot be read")
			  : add_lines(&r, text, (size_t)n, err);
	close(fd);
	explicit_bzero(text, MAX_FILE + 1);
	free(text);
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
		if (length < WV_KNOWN_SHORTEST)
			return wv_err_set(err,
				"%.*s is shorter than %d bytes: it cannot be "
				"looked for",
				(int)n, s, WV_KNOWN_SHORTEST);
		wv_known_add(known, value, length);
		count++;
		s += n;
	}
	return count;
}
