/* SPDX-License-Identifier: Apache-2.0 */
/* Every code point, and every way to be ill-formed.  Cases A5. */
#include "base/str.h"
#include "json/utf8.h"
#include "tap.h"

#include <stdlib.h>

static void
test_all_code_points(void)
{
	bool good = true, none = true;

	for (uint32_t cp = 0; cp < 0x110000; cp++) {
		char s[4];
		uint32_t back = 0;
		int n = wv_utf8_put(s, cp);
		const unsigned char *u = (const unsigned char *)s;

		if (cp >= 0xd800 && cp < 0xe000) {
			none = none && wv_utf8_len(u, (size_t)n) == 0;
			continue;
		}
		good = good && wv_utf8_len(u, (size_t)n) == n &&
			wv_utf8_get(u, (size_t)n, &back) == n && back == cp &&
			wv_utf8_len(u, (size_t)n - 1) == 0;
	}
	ok(good, "every code point goes and comes back");
	ok(none, "no surrogate");
}

/* By the numbers of RFC 3629, another way round. */
static bool
is_well_formed(const unsigned char *s)
{
	uint32_t cp =
		(s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);

	return (s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 &&
		(s[2] & 0xc0) == 0x80 && cp >= 0x800 &&
		(cp < 0xd800 || cp > 0xdfff);
}

static void
test_all_of_three(void)
{
	bool right = true;

	for (unsigned i = 0; i < 1u << 20; i++) {
		unsigned char s[3] = { (unsigned char)(0xe0 | i >> 16),
			(unsigned char)(i >> 8), (unsigned char)i };
		right = right && (wv_utf8_len(s, 3) == 3) == is_well_formed(s);
	}
	ok(right, "all of three bytes");
}

/* Four bytes are looked at in one, fewer byte by byte. */
static void
test_all_beginnings(void)
{
	static const unsigned char ends[] = { 0, 0x7f, 0x80, 0x9f, 0xbf, 0xc0,
		0xff };
	bool right = true;

	for (unsigned i = 0; i < 0x10000 * sizeof(ends); i++) {
		unsigned char end = ends[i >> 16];
		unsigned char s[4] = { (unsigned char)(i >> 8),
			(unsigned char)i, end, (unsigned char)(end ^ 1) };
		int n = wv_utf8_len(s, 3);
		right = right &&
			(n > 0 ? wv_utf8_len(s, 4) == n
			       : wv_utf8_len(s, 4) % 4 == 0);
	}
	ok(right, "with a byte more, the same or one of four bytes");
}

static void
check(const char *s, size_t want)
{
	size_t n = strlen(s);
	char *copy = malloc(n + 1);

	memcpy(copy, s, n);
	ok(wv_utf8_check(copy, n) == want, "fault at %zu of %zu", want, n);
	free(copy);
}

static void
test_check(void)
{
	check("", 0);
	check("plain ASCII, longer than one block of it", 40);
	check("caf\xc3\xa9 d\xc3\xa9j\xc3\xa0 vu, \xe6\x9d\xb1\xe4\xba\xac "
	      "\xf0\x9f\x9a\x80",
		28);
	check("0123456789abcdef\xff", 16);
	check("0123456789abcde\xc3", 15);
	check("0123456789abcdef0123456789abcde\xc3\xa9", 33);
	check("0123456789abcdef0123456789abcde\xc3", 31);
	check("ab\xc0\xaf", 2);
	check("\xed\xa0\x80", 0);
	check("x\xf5\x80\x80\x80", 1);
	check("\xf4\x90\x80\x80", 0);
	check("\xe2\x82", 0);
}

/* At all places of blocks, among all that may be before. */
static void
test_check_everywhere(void)
{
	static const char *const before[] = { "x", "\xc3\xa9", "\xe6\x9d\xb1",
		"\xf0\x9f\x9a\x80" };
	bool right = true;

	for (size_t k = 0; k < 4 * 60; k++) {
		struct wv_str s = { 0 };
		for (size_t i = 0; i < k / 4; i++)
			wv_str_cat(&s, before[(i * i + k) % 4]);
		size_t bad = s.n;
		wv_str_cat(&s, "\xc3");
		right = right && wv_utf8_check(s.s, bad) == bad &&
			wv_utf8_check(s.s, s.n) == bad;
		wv_str_cat(&s, "plain text behind it");
		right = right && wv_utf8_check(s.s, s.n) == bad;
		wv_str_free(&s);
	}
	ok(right, "faults at all places");
}

static void
test_count(void)
{
	ok(wv_utf8_count("") == 0, "none");
	ok(wv_utf8_count("abc") == 3, "three");
	ok(wv_utf8_count("a\xc0\x80z") == 3, "NUL counts once");
	ok(wv_utf8_count("\xe6\x9d\xb1\xe4\xba\xac\xf0\x9f\x9a\x80\xc3\xa9") ==
			4,
		"of all lengths");
	ok(wv_utf8_count("0123456789abcdef0123456789\xc3\xa9\xc3\xa9") == 28,
		"across words");
}

int
main(void)
{
	test_all_code_points();
	test_all_of_three();
	test_all_beginnings();
	test_check();
	test_check_everywhere();
	test_count();
	return done();
}
