/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops the beginning of a character whose rest did not fit. */
static void
cut_at_character(char *text)
{
	size_t n = strlen(text), start = n;

	while (start > 0 && n - start < 4 &&
		((unsigned char)text[start - 1] & 0xc0) == 0x80)
		start--;
	if (start == 0)
		return;
	unsigned char lead = (unsigned char)text[start - 1];
	size_t want = lead >= 0xf0 ? 4
		: lead >= 0xe0     ? 3
		: lead >= 0xc0     ? 2
				   : 1;
	if (n - start + 1 < want)
		text[start - 1] = '\0';
}

__attribute__((format(printf, 3, 0))) static void
fill(struct wv_err *err, size_t room, const char *fmt, va_list ap)
{
	int n = vsnprintf(err->text, room, fmt, ap);

	if (n >= 0 && (size_t)n >= room)
		cut_at_character(err->text);
	/* An error must not look like none, whatever was formatted. */
	if (n < 0 || err->text[0] == '\0')
		snprintf(err->text, sizeof err->text, "unknown error");
}

int
wv_err_set(struct wv_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err || wv_err_is_set(err))
		return -1;
	va_start(ap, fmt);
	fill(err, sizeof err->text, fmt, ap);
	va_end(ap);
	return -1;
}

int
wv_err_at(struct wv_err *err, const char *source, size_t line, size_t column,
	const char *fmt, ...)
{
	va_list ap;

	if (!err || wv_err_is_set(err))
		return -1;
	err->source = source;
	err->line = line;
	err->column = column;
	va_start(ap, fmt);
	fill(err, sizeof err->text, fmt, ap);
	va_end(ap);
	return -1;
}

int
wv_err_sys(struct wv_err *err, const char *fmt, ...)
{
	const char *reason = strerror(errno);
	va_list ap;

	if (!err || wv_err_is_set(err))
		return -1;
	/* The reason is what helps: a long text is cut to leave it room. */
	size_t room = sizeof err->text - strlen(reason) - strlen(": ");
	va_start(ap, fmt);
	fill(err, room, fmt, ap);
	va_end(ap);
	size_t n = strlen(err->text);
	snprintf(err->text + n, sizeof err->text - n, ": %s", reason);
	return -1;
}

bool
wv_err_is_set(const struct wv_err *err)
{
	return err && err->text[0] != '\0';
}

void
wv_err_clear(struct wv_err *err)
{
	if (!err)
		return;
	err->source = NULL;
	err->line = err->column = 0;
	err->text[0] = '\0';
}
