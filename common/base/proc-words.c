/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc.h"

#include <string.h>

/* One word from s on, unquoted, to *to; returns what follows, or NULL. */
static const char *
unquote(const char *s, char **to, struct wv_err *err)
{
	char quote = '\0', *out = *to;

	for (; *s && (quote || !strchr(" \t\n\r\v\f", *s)); s++) {
		if (*s == quote) {
			quote = '\0';
		} else if (!quote && (*s == '\'' || *s == '"')) {
			quote = *s;
		} else {
			if (*s == '\\' && quote != '\'' && *++s == '\0') {
				wv_err_set(err, "nothing follows a backslash");
				return NULL;
			}
			*out++ = *s;
		}
	}
	if (quote) {
		wv_err_set(err, "a %s quote is not closed",
			quote == '"' ? "double" : "single");
		return NULL;
	}
	*out++ = '\0';
	*to = out;
	return s;
}

char **
wv_words(struct wv_arena *arena, const char *command, struct wv_err *err)
{
	size_t n = strlen(command), count = 0;
	char *text = wv_alloc(arena, n + 1);
	char **words = wv_alloc(arena, (n / 2 + 2) * sizeof *words);

	for (;;) {
		command += strspn(command, " \t\n\r\v\f");
		if (!*command)
			break;
		words[count++] = text;
		command = unquote(command, &text, err);
		if (!command)
			return NULL;
	}
	if (count == 0) {
		wv_err_set(err, "no command");
		return NULL;
	}
	words[count] = NULL;
	return words;
}
