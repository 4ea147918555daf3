/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of known values. */
#include "firewall/firewall.h"
#include "firewall/known-internal.h"

#include <stdlib.h>
#include <string.h>

/* Appends a form of n bytes; what it writes is at most LONGEST times as long,
 * so that none is copied while it grows. */
typedef void form(struct wv_str *out, const char *s, size_t n);

enum {
	LONGEST = 8,
	TWICE = 512, /* bytes of a value that is looked for in two codes */
	LEFT = 6,    /* bytes of one that lost its beginning */
};

static const char digits[] = "0123456789abcdef";
static const char capitals[] = "0123456789ABCDEF";

static void
put_hex(struct wv_str *out, const char *s, size_t n, const char *set,
	const char *before)
{
	for (size_t i = 0; i < n; i++) {
		wv_str_cat(out, before);
		wv_str_chr(out, set[(unsigned char)s[i] >> 4]);
		wv_str_chr(out, set[(unsigned char)s[i] & 15]);
	}
}

static void
lower_hex(struct wv_str *out, const char *s, size_t n)
{
	put_hex(out, s, n, digits, "");
}

static void
upper_hex(struct wv_str *out, const char *s, size_t n)
{
	put_hex(out, s, n, capitals, "");
}

/* But for what may stand in a URL. */
static void
put_percent(struct wv_str *out, const char *s, size_t n, const char *set,
	const char *stay)
{
	for (size_t i = 0; i < n; i++) {
		bool stays = (s[i] >= '0' && s[i] <= '9') ||
			((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z') ||
			(s[i] != '\0' && strchr(stay, s[i]) != NULL);
		if (stays)
			wv_str_chr(out, s[i]);
		else
			put_hex(out, s + i, 1, set, "%");
	}
}

static const char rfc3986[] = "-_.~", of_browsers[] = "-_.~!*'()";

static void
upper_percent(struct wv_str *out, const char *s, size_t n)
{
	put_percent(out, s, n, capitals, rfc3986);
}

static void
lower_percent(struct wv_str *out, const char *s, size_t n)
{
	put_percent(out, s, n, digits, rfc3986);
}

static void
browser_percent(struct wv_str *out, const char *s, size_t n)
{
	put_percent(out, s, n, capitals, of_browsers);
}

static void
path_percent(struct wv_str *out, const char *s, size_t n)
{
	put_percent(out, s, n, capitals, "-_.~!*'()/:@+,;=$&");
}

static void
form_percent(struct wv_str *out, const char *s, size_t n)
{
	size_t from = out->n;

	put_percent(out, s, n, capitals, "-_.* ");
	for (size_t i = from; i < out->n; i++)
		if (out->s[i] == ' ')
			out->s[i] = '+';
}

static void
put_escaped(struct wv_str *out, const char *s, size_t n, bool slash)
{
	static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";

	for (size_t i = 0; i < n; i++) {
		const char *known = s[i] != '\0' ? strchr(from, s[i]) : NULL;
		if (known != NULL || (slash && s[i] == '/')) {
			wv_str_chr(out, '\\');
			wv_str_chr(out, known ? to[known - from] : '/');
		} else if ((unsigned char)s[i] < ' ') {
			wv_str_cat(out, "\\u00");
			put_hex(out, s + i, 1, digits, "");
		} else {
			wv_str_chr(out, s[i]);
		}
	}
}

static void
escaped(struct wv_str *out, const char *s, size_t n)
{
	put_escaped(out, s, n, false);
}

static void
escaped_slash(struct wv_str *out, const char *s, size_t n)
{
	put_escaped(out, s, n, true);
}

/* The characters of base64 that are all of s, when `before` bytes stand before
 * it. */
static void
put_base64(struct wv_str *out, const char *s, size_t n, size_t before,
	const char *last)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t skip = (before * 8 + 5) / 6 * 6 - before * 8;
	size_t bits = n * 8;

	for (size_t bit = skip; bit + 6 <= bits; bit += 6) {
		unsigned at = (unsigned char)s[bit / 8];
		unsigned next =
			bit / 8 + 1 < n ? (unsigned char)s[bit / 8 + 1] : 0;
		unsigned value = (at << 8 | next) >> (10 - bit % 8) & 63;
		wv_str_chr(out, value < 62 ? letters[value] : last[value - 62]);
	}
}

static void
base64_0(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 0, "+/");
}

static void
base64_1(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 1, "+/");
}

static void
base64_2(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 2, "+/");
}

static void
base64url_0(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 0, "-_");
}

static void
base64url_1(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 1, "-_");
}

static void
base64url_2(struct wv_str *out, const char *s, size_t n)
{
	put_base64(out, s, n, 2, "-_");
}

static const struct {
	form *make;
	bool is_cut;
	bool first, second; /* of two codes */
} forms[] = {
	{ base64_0, true, true, true },
	{ base64_1, true, true, true },
	{ base64_2, true, true, true },
	{ base64url_0, true, true, false },
	{ base64url_1, true, true, false },
	{ base64url_2, true, true, false },
	{ lower_hex, false, true, true },
	{ upper_hex, false, false, false },
	{ upper_percent, false, true, true },
	{ lower_percent, false, false, true },
	{ browser_percent, false, false, false },
	{ path_percent, false, false, false },
	{ form_percent, false, false, false },
	{ escaped, false, true, true },
	{ escaped_slash, false, false, false },
};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

static void
wipe(struct wv_str *str)
{
	if (str->s != NULL)
		explicit_bzero(str->s, str->cap);
	wv_str_free(str);
}

static void
put_twice(struct wv_known *known, const struct wv_str *once, bool is_cut)
{
	struct wv_str twice = { 0 };

	wv_str_room(&twice, LONGEST * once->n + 1);
	for (int i = 0; i < FORMS; i++) {
		if (!forms[i].second)
			continue;
		twice.n = 0;
		forms[i].make(&twice, once->s, once->n);
		wv_known_put(
			known, twice.s, twice.n, is_cut || forms[i].is_cut);
	}
	wipe(&twice);
}

/* As cleaning leaves it, and what it leaves behind an escape sequence that has
 * no end of its own. */
static void
put_cleaned(struct wv_known *known, const char *s, size_t n)
{
	static const char *const before[] = { "", "\x1b", "\x1b[" };
	struct wv_findings ignored = { 0 };
	struct wv_str raw = { 0 }, left = { 0 };

	wv_str_room(&raw, n + 2);
	wv_str_room(&left, LONGEST * n);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		raw.n = left.n = 0;
		wv_str_cat(&raw, before[i]);
		wv_str_add(&raw, s, n);
		wv_clean(&left, raw.s, raw.n, &ignored);
		if (left.n >= LEFT)
			wv_known_put(known, left.s, left.n, false);
	}
	wipe(&raw);
	wipe(&left);
}

void
wv_known_put_forms(struct wv_known *known, const char *s, size_t n)
{
	struct wv_str once = { 0 };

	wv_known_put(known, s, n, false);
	put_cleaned(known, s, n);
	wv_str_room(&once, LONGEST * n + 1);
	for (int i = 0; i < FORMS; i++) {
		once.n = 0;
		forms[i].make(&once, s, n);
		wv_known_put(known, once.s, once.n, forms[i].is_cut);
		if (forms[i].first && once.n > 0 && n <= TWICE)
			put_twice(known, &once, forms[i].is_cut);
	}
	wipe(&once);
}
