/* SPDX-License-Identifier: Apache-2.0 */
/* Globs: examples, all short ones against a plain definition, hostile ones. */
#include "tap.h"

#include "base/clock.h"
#include "base/glob.h"

#include <stdlib.h>

static void
matches(const char *pattern, const char *text, char separator, bool want)
{
	ok(wv_glob_match(pattern, text, separator) == want, "'%s' %s '%s'",
		pattern, want ? "matches" : "does not match", text);
}

static void
test_examples(void)
{
	matches("", "", '.', true);
	matches("", "a", '.', false);
	matches("a", "", '.', false);
	matches("a.b", "a.b", '.', true);
	matches("a.b", "a.bc", '.', false);
	matches("a.b", "A.b", '.', false);
	matches("*", "", '.', true);
	matches("*", "abc", '.', true);
	matches("*", "a.b", '.', false);
	matches("**", "a.b.c", '.', true);
	matches("a.*", "a.b", '.', true);
	matches("a.*", "a.", '.', true);
	matches("a.*", "a", '.', false);
	matches("a.*", "a.b.c", '.', false);
	matches("a.*.c", "a.b.c", '.', true);
	matches("a.**", "a.b.c", '.', true);
	matches("**.c", "a.b.c", '.', true);
	matches("a**c", "abbc", '.', true);
	matches("*b*", "abc", '.', true);
	matches("***", "a.b", '.', true);
	matches("[a]?\\", "[a]?\\", '.', true);
	matches("?", "a", '.', false);
	matches("/srv/docs/**", "/srv/docs/a/b.txt", '/', true);
	matches("/srv/docs/**", "/srv/docs", '/', false);
	matches("/srv/*/b", "/srv/a/b", '/', true);
	matches("/srv/*/b", "/srv/a/c/b", '/', false);
	matches("**/b", "/srv/a/b", '/', true);
	matches("a*", "a.b", '/', true);
	matches("ä*", "äöü", '.', true);
}

/* The definition, in as many steps as it takes. */
static bool
plain(const char *p, const char *t)
{
	if (p[0] == '*' && p[1] == '*')
		return plain(p + 2, t) || (*t && plain(p, t + 1));
	if (*p == '*')
		return plain(p + 1, t) || (*t && *t != '.' && plain(p, t + 1));
	return *p ? *p == *t && plain(p + 1, t + 1) : !*t;
}

static void
spell(char *out, int number, const char *letters, int base, int length)
{
	for (int i = 0; i < length; i++, number /= base)
		out[i] = letters[number % base];
	out[length] = '\0';
}

static void
test_all_short(void)
{
	char pattern[6], text[7];
	int wrong = 0;

	for (int p = 0; p < 4 * 4 * 4 * 4 * 4; p++) {
		for (int t = 0; t < 3 * 3 * 3 * 3 * 3 * 3; t++) {
			spell(pattern, p, "a.*b", 4, 5);
			spell(text, t, "a.b", 3, 6);
			for (int n = 6; n >= 0; n--) {
				text[n] = '\0';
				wrong += wv_glob_match(pattern, text, '.') !=
					plain(pattern, text);
			}
		}
	}
	ok(wrong == 0, "all short patterns and texts");
}

static void
test_hostile(void)
{
	enum { TEXT = 20000, STARS = 500 };
	char *text = malloc(TEXT + 1), pattern[4 * STARS + 2];
	int64_t start = wv_ticks();

	memset(text, 'a', TEXT);
	text[TEXT] = '\0';
	for (int i = 0; i < STARS; i++)
		memcpy(pattern + 3 * i, i % 2 ? "**a" : "a*a", 3);
	strcpy(pattern + 3 * STARS, "b");
	ok(!wv_glob_match(pattern, text, '.'), "many stars, no match");
	pattern[3 * STARS] = '\0';
	ok(wv_glob_match(pattern, text, '.'), "many stars, a match");
	ok(wv_ticks() - start < 5000, "in time");
	free(text);
}

int
main(void)
{
	test_examples();
	test_all_short();
	test_hostile();
	return done();
}
