/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of our own in what others wrote. */
#include "firewall/internal.h"

#include <string.h>

static const char *const marks[] = { "[REDACTED:", "[WITHHELD:" };
enum { LENGTH = 10, COUNT = 2 };

const char *
wv_next_mark(const char *s, size_t n)
{
	const char *end = s + n;

	while ((size_t)(end - s) >= LENGTH &&
		(s = memchr(s, '[', (size_t)(end - s) - LENGTH + 1)) != NULL) {
		for (int i = 0; i < COUNT; i++)
			if (memcmp(s, marks[i], LENGTH) == 0)
				return s;
		s++;
	}
	return NULL;
}

bool
wv_has_mark(const char *s, size_t n)
{
	return wv_next_mark(s, n) != NULL;
}

size_t
wv_disown_marks(char *s, size_t n)
{
	char *end = s + n;
	const char *mark;
	size_t count = 0;

	for (; (mark = wv_next_mark(s, (size_t)(end - s))) != NULL; count++) {
		for (s += mark + 1 - s; *s != ':'; s++)
			*s |= 0x20;
	}
	return count;
}
