/* SPDX-License-Identifier: Apache-2.0 */
#include "json/yamltext.h"

#include "json/internal.h"
#include "json/utf8.h"

#include <string.h>
#include <strings.h>

int
wv_yaml_check(const char *text, size_t len, struct wv_err *err)
{
	/* Line breaks to YAML 1.1, and so to libyaml, which would fold them
	 * into spaces; characters like others to YAML 1.2 and JSON. */
	static const struct {
		const char *bytes, *escape;
	} breaks[] = {
		{ "\xc2\x85", "\\u0085" },
		{ "\xe2\x80\xa8", "\\u2028" },
		{ "\xe2\x80\xa9", "\\u2029" },
	};
	size_t bad = wv_utf8_check(text, len);

	if (bad < len) {
		wv_json_fault(err, text, text + bad,
			"invalid UTF-8: byte 0x%02x", (unsigned char)text[bad]);
		return -1;
	}
	for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
		const char *bytes = breaks[i].bytes;
		const char *at = memmem(text, len, bytes, strlen(bytes));
		if (at == NULL)
			continue;
		wv_json_fault(err, text, at,
			"line separator; write it as %s in double quotes",
			breaks[i].escape);
		return -1;
	}
	return 0;
}

/* Digits, and the underscores that YAML 1.1 allows among them. */
static const char *
skip_digits(const char *p)
{
	return p + strspn(p, "0123456789_");
}

/* 0x1F, 0o17, 0b11 */
static bool
is_based(const char *s)
{
	const char *digits = "0123456789abcdefABCDEF_";

	return s[0] == '0' && s[1] != '\0' && strchr("xXoObB", s[1]) != NULL &&
		s[2] != '\0' && s[2 + strspn(s + 2, digits)] == '\0';
}

/* A number by any reader of YAML begins with whole, its sign taken off;
 * *json is whether it follows JSON's grammar too. */
static bool
is_number(const char *whole, bool *json)
{
	const char *point = skip_digits(whole);
	const char *p = *point == '.' ? skip_digits(point + 1) : point;

	if (is_based(whole)) {
		*json = false;
		return true;
	}
	*json = point > whole && p != point + 1 &&
		(*whole != '0' || point == whole + 1);
	if (!wv_json_is_digit(whole[*whole == '.']))
		return false;
	if (*p == 'e' || *p == 'E') {
		p += p[1] == '+' || p[1] == '-' ? 2 : 1;
		if (!wv_json_is_digit(*p))
			return false;
		p += strspn(p, "0123456789");
	}
	return *p == '\0';
}

static enum wv_plain
look_of_number(const char *s, const char **advice)
{
	const char *whole = s + (*s == '+' || *s == '-');
	bool json;

	if (!is_number(whole, &json))
		return WV_PLAIN_TEXT;
	if (*s == '+')
		*advice = "quote it, or leave out the plus sign";
	else if (strchr(s, '_') != NULL)
		*advice = "quote it, or leave out the underscores";
	else if (*whole == '0' && !json && whole[1] != '.')
		*advice = "quote it, or write it in decimal, without leading "
			  "zero";
	else
		return json ? WV_PLAIN_NUMBER : WV_PLAIN_TEXT;
	return WV_PLAIN_AMBIGUOUS;
}

enum wv_plain
wv_yaml_plain(const char *s, const char **advice)
{
	static const char *const truths[] = { "yes", "no", "on", "off", "y",
		"n" };

	if (*s == '\0' || strcmp(s, "null") == 0)
		return WV_PLAIN_NULL;
	if (strcmp(s, "true") == 0)
		return WV_PLAIN_TRUE;
	if (strcmp(s, "false") == 0)
		return WV_PLAIN_FALSE;
	if (strcmp(s, "~") == 0) {
		*advice = "quote it, or write null";
		return WV_PLAIN_AMBIGUOUS;
	}
	for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
		if (strcasecmp(s, truths[i]) == 0) {
			*advice = "quote it, or write true or false";
			return WV_PLAIN_AMBIGUOUS;
		}
	}
	return look_of_number(s, advice);
}

const char *
wv_yaml_advice(const char *problem, char at)
{
	static const char *const advice[][2] = {
		{ "found character that cannot start any token",
			"text that begins with this character must be quoted" },
		{ "mapping values are not allowed in this context",
			"a colon and a space cannot stand here; quote the text "
			"if they belong to it, or check the indentation" },
		{ "did not find expected <document start>",
			"the document has ended before this; one file holds "
			"one document" },
		{ "found invalid Unicode character escape code",
			"no such character; one past U+FFFF is written as \\U "
			"and eight digits" },
	};

	for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++) {
		if (strcmp(problem, advice[i][0]) != 0)
			continue;
		if (i == 0 && at == '\t')
			return "a tab cannot stand here; use spaces";
		return advice[i][1];
	}
	return NULL;
}
