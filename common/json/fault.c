/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "json/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char incomplete[] = "incomplete: the text ends";

void
wv_json_position(const char *text, size_t offset, size_t *line, size_t *column)
{
	const char *begin = text, *end = text + offset, *lf;

	*line = 1;
	while ((lf = memchr(begin, '\n', (size_t)(end - begin))) != NULL) {
		begin = lf + 1;
		++*line;
	}
	*column = (size_t)(end - begin) + 1;
}

void
wv_json_fault(struct wv_err *err, const char *text, const char *at,
	const char *fmt, ...)
{
	char message[WV_ERR_TEXT];
	size_t line, column;
	va_list ap;

	if (err == NULL)
		return;
	wv_json_position(text, (size_t)(at - text), &line, &column);
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	wv_err_at(err, NULL, line, column, "%s", message);
}

void
wv_json_ends(
	struct wv_err *err, const char *text, const char *end, const char *what)
{
	wv_json_fault(err, text, end, "%s within %s", incomplete, what);
}

bool
wv_json_incomplete(const struct wv_err *err)
{
	return strncmp(err->text, incomplete, sizeof(incomplete) - 1) == 0;
}

/* Things that other notations have and JSON has not, by how they begin. */
static const struct {
	const char *begin, *message;
} foreign[] = {
	{ "\xef\xbb\xbf", "byte order mark within the text" },
	{ "\x1b", "terminal escape sequence; turn colour off in the producer" },
	{ "'", "single quotes are not JSON" },
	{ "`", "back quotes are not JSON" },
	{ "\xe2\x80\x98", "typographic quotes are not JSON" },
	{ "\xe2\x80\x99", "typographic quotes are not JSON" },
	{ "\xe2\x80\x9c", "typographic quotes are not JSON" },
	{ "\xe2\x80\x9d", "typographic quotes are not JSON" },
	{ "//", "comments are not JSON" },
	{ "/*", "comments are not JSON" },
	{ "#", "comments are not JSON" },
	{ "NaN", "NaN is not JSON" },
	{ "nan", "NaN is not JSON" },
	{ "Infinity", "Infinity is not JSON" },
	{ "inf", "Infinity is not JSON" },
	{ "undefined", "undefined is not JSON" },
	{ "True", "True is not JSON; write true" },
	{ "False", "False is not JSON; write false" },
	{ "None", "None is not JSON; write null" },
};

static const char *
foreign_message(const char *at, const char *end)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		size_t n = strlen(foreign[i].begin);
		if (n <= (size_t)(end - at) &&
			memcmp(at, foreign[i].begin, n) == 0)
			return foreign[i].message;
	}
	return NULL;
}

static bool
follows_comma(const char *text, const char *at)
{
	while (at > text && wv_json_is_space(at[-1]))
		at--;
	return at > text && at[-1] == ',';
}

/* How many bytes at `at` to show: a word of ordinary length, or one. */
static int
shown(const char *at, const char *end)
{
	enum { LONGEST = 24 };
	int n = 0;

	while (at + n < end && n < LONGEST && isalnum((unsigned char)at[n]))
		n++;
	return n > 0 ? n : 1;
}

static void
unexpected_wide(struct wv_err *err, const char *text, const char *at,
	const char *end, const char *what)
{
	const unsigned char *s = (const unsigned char *)at;
	uint32_t cp;

	if (wv_utf8_get(s, (size_t)(end - at), &cp) == 0)
		wv_json_fault(err, text, at, "invalid UTF-8: byte 0x%02x", *s);
	else
		wv_json_fault(err, text, at, "U+%04X where %s should be",
			(unsigned)cp, what);
}

void
wv_json_unexpected(struct wv_err *err, const char *text, const char *at,
	const char *end, const char *what)
{
	const char *message;
	unsigned char c = at < end ? (unsigned char)*at : '\0';

	if (err == NULL)
		return;
	message = foreign_message(at, end);
	if (at == end)
		wv_json_fault(err, text, at, "%s where %s should be",
			incomplete, what);
	else if (message != NULL)
		wv_json_fault(err, text, at, "%s", message);
	else if ((c == ']' || c == '}') && follows_comma(text, at))
		wv_json_fault(err, text, at, "a trailing comma is not JSON");
	else if (c == '\0')
		wv_json_fault(err, text, at, "NUL byte outside a string");
	else if (c < ' ' || c == 0x7f)
		wv_json_fault(err, text, at,
			"control character U+%04X outside a string", c);
	else if (c < 0x80)
		wv_json_fault(err, text, at, "%.*s where %s should be",
			shown(at, end), at, what);
	else
		unexpected_wide(err, text, at, end, what);
}
