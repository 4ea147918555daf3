/* SPDX-License-Identifier: Apache-2.0 */
#include "card/shown-internal.h"

#include "json/utf8.h"

#include <string.h>
#include <strings.h>

struct named {
	const char *name, *means;
};

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The ASCII character of two hex digits at s, or 0. */
static char
hex_pair(const char *s)
{
	int high = hex_digit(s[0]);
	int low = high < 0 ? -1 : hex_digit(s[1]);

	return low < 0 || high > 7 ? '\0' : (char)(high << 4 | low);
}

/* The length of an entity at s for an ASCII character, or 0. */
static size_t
entity(const char *s, char *c)
{
	static const struct named names[] = { { "&colon;", ":" },
		{ "&sol;", "/" }, { "&bsol;", "/" }, { "&period;", "." },
		{ "&quot;", "\"" }, { "&apos;", "'" }, { "&lbrace;", "{" },
		{ "&lcub;", "{" }, { "&rbrace;", "}" }, { "&rcub;", "}" },
		{ "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" } };
	unsigned value = 0;
	size_t n = 2;
	bool hex;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t len = strlen(names[i].name);
		*c = names[i].means[0];
		if (strncasecmp(s, names[i].name, len) == 0)
			return len;
	}
	if (s[1] != '#')
		return 0;
	hex = (s[n] | 0x20) == 'x';
	for (n += hex; n < 12; n++) {
		int digit = hex_digit(s[n]);
		if (digit < 0 || (digit > 9 && !hex))
			break;
		value = value * (hex ? 16 : 10) + (unsigned)digit;
	}
	*c = (char)value;
	return value >= 0x20 && value < 0x7f ? n + (s[n] == ';') : 0;
}

/* The length of a percent escape at s, escaped again or not, or 0. */
static size_t
percent(const char *s, char *c)
{
	size_t n = 1;

	while (s[n] == '2' && s[n + 1] == '5')
		n += 2;
	*c = hex_pair(s + n);
	return *c >= 0x20 ? n + 2 : 0;
}

/* The length of what begins with a backslash at s. */
static size_t
backslash(const char *s, char *c)
{
	*c = '/';
	if (s[1] == '/' || s[1] == '"' || s[1] == '\'') {
		*c = s[1];
		return 2;
	}
	if (s[1] == 'u' && s[2] == '0' && s[3] == '0' &&
		hex_pair(s + 4) >= 0x20) {
		*c = hex_pair(s + 4);
		return 6;
	}
	if (s[1] == 'x' && hex_pair(s + 2) >= 0x20) {
		*c = hex_pair(s + 2);
		return 4;
	}
	return 1;
}

/* The length of [.], (dot), [://] and so on at s, or 0. */
static size_t
bracketed(const char *s, const char **means)
{
	static const struct named inner[] = { { "://", "://" }, { "//", "//" },
		{ ":", ":" }, { "/", "/" }, { ".", "\x01" }, { "dot", "\x01" },
		{ "colon", ":" }, { "slash", "/" } };
	static const char open[] = "[({<", close[] = "])}>";
	const char *bracket = strchr(open, s[0]);
	size_t at = 1 + (s[1] == ' ');

	*means = "";
	if (bracket == NULL)
		return 0;
	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++) {
		size_t n = strlen(inner[i].name);
		if (strncasecmp(s + at, inner[i].name, n) != 0)
			continue;
		n += at + (s[at + n] == ' ');
		*means = inner[i].means;
		return s[n] == close[bracket - open] ? n + 1 : 0;
	}
	return 0;
}

/* What a character that is not ASCII is taken for. */
static char
look(uint32_t cp, char before)
{
	static const struct {
		uint32_t cp;
		char c;
	} alike[] = { { 0xA0, ' ' }, { 0x3000, ' ' }, { 0x02D0, ':' },
		{ 0x05C3, ':' }, { 0x2236, ':' }, { 0xA789, ':' },
		{ 0xFE55, ':' }, { 0x2044, '/' }, { 0x2215, '/' },
		{ 0x29F8, '/' }, { 0x2571, '/' }, { 0x2216, '/' },
		{ 0x29F5, '/' }, { 0x2024, '.' }, { 0x2018, '\'' },
		{ 0x2019, '\'' }, { 0x201C, '"' }, { 0x201D, '"' },
		{ 0x201E, '"' }, { 0xAB, '"' }, { 0xBB, '"' } };

	if (cp >= 0xFF01 && cp <= 0xFF5E)
		return (char)(cp - 0xFF01 + '!');
	if (cp >= 0x2000 && cp <= 0x200A)
		return ' ';
	if ((cp == 0x3002 || cp == 0xFF61) && wv_view_is_name(before))
		return '.';
	for (size_t i = 0; i < sizeof(alike) / sizeof(*alike); i++)
		if (alike[i].cp == cp)
			return alike[i].c;
	return WV_VIEW_OTHER;
}

static void
add(struct wv_view *view, char c, size_t at)
{
	if (c >= 'A' && c <= 'Z')
		c |= 0x20;
	view->s[view->n] = c;
	view->at[view->n++] = (uint32_t)at;
}

/* Adds the character that stands at text + at; its length. */
static size_t
add_character(struct wv_view *view, const char *text, size_t n, size_t at)
{
	const char *s = text + at;
	size_t len = 0;
	uint32_t cp;
	char c = s[0];

	if (c == '&')
		len = entity(s, &c);
	else if (c == '%')
		len = percent(s, &c);
	else if (c == '\\')
		len = backslash(s, &c);
	else if ((unsigned char)c >= 0x80) {
		len = (size_t)wv_utf8_get(
			(const unsigned char *)s, n - at, &cp);
		c = look(cp, view->n > 0 ? view->s[view->n - 1] : ' ');
	}
	add(view, len > 0 ? c : s[0], at);
	return len > 0 ? len : 1;
}

void
wv_view_fill(struct wv_view *view, const char *text, size_t n)
{
	view->text = text;
	view->n = 0;
	for (size_t at = 0; at < n;) {
		const char *means;
		size_t len = bracketed(text + at, &means);
		for (; len > 0 && *means != '\0'; means++)
			add(view, *means, at);
		at += len > 0 ? len : add_character(view, text, n, at);
	}
	view->s[view->n] = '\0';
	view->at[view->n] = (uint32_t)n;
	memset(view->hidden, false, n + 1);
}

void
wv_view_hide(struct wv_view *view, size_t from, size_t to)
{
	memset(view->hidden + view->at[from], true,
		view->at[to] - view->at[from]);
}
