/* SPDX-License-Identifier: Apache-2.0 */
#include "base/glob.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { ON_STACK = 512 };

/*
 * reach[i] says that the pattern so far matches the first i characters.  A
 * character of the pattern moves the marks on; a star spreads them to the
 * right, a single one not past a separator.
 */
static bool
spread(bool *reach, const char *pattern, const char *text, size_t n,
	char separator)
{
	for (; *pattern; pattern++) {
		if (*pattern != '*') {
			for (size_t i = n; i > 0; i--)
				reach[i] =
					reach[i - 1] && text[i - 1] == *pattern;
			reach[0] = false;
			continue;
		}
		bool across = pattern[1] == '*';
		for (size_t i = 1; i <= n; i++)
			reach[i] = reach[i] ||
				(reach[i - 1] &&
					(across || text[i - 1] != separator));
		pattern += across;
	}
	return reach[n];
}

bool
wv_glob_match(const char *pattern, const char *text, char separator)
{
	/* Most patterns that do not match differ before the first star. */
	for (; *pattern && *pattern != '*'; pattern++, text++) {
		if (*pattern != *text)
			return false;
	}
	if (!*pattern)
		return !*text;

	size_t n = strlen(text);
	bool stack[ON_STACK + 1] = { true };
	bool *reach = stack;
	if (n > ON_STACK) {
		reach = wv_xcalloc(n + 1, sizeof *reach);
		reach[0] = true;
	}
	bool matched = spread(reach, pattern, text, n, separator);
	if (reach != stack)
		free(reach);
	return matched;
}
