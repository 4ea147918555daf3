/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ecma-internal.h"

#include <string.h>

/* White space and line ends of ECMA-262, and all the rest, as class items. */
#define SPACE \
	"\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}" \
	"\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
#define NO_SPACE \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}" \
	"\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" \
	"\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}" \
	"\\x{ff00}-\\x{10ffff}"

/* Exactly n hex digits at p, or -1. */
static int32_t
hex_at(const struct ecma *r, const char *p, int n)
{
	int32_t value = 0;

	if (r->end - p < n)
		return -1;
	for (int i = 0; i < n; i++) {
		int c = (unsigned char)p[i], d;
		if (c >= '0' && c <= '9')
			d = c - '0';
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			d = (c | 0x20) - 'a' + 10;
		else
			return -1;
		value = value * 16 + d;
	}
	return value;
}

/* After "\u": four digits, a pair of surrogates, or {…}. */
static int
unicode_escape(struct ecma *r)
{
	int32_t cp = hex_at(r, r->s, 4), low;

	if (wv_ecma_peek(r, 0) == '{') {
		const char *close = memchr(r->s, '}', (size_t)(r->end - r->s));
		long n = close ? close - r->s - 1 : 0;
		while (n > 6 && r->s[1] == '0') {
			r->s++;
			n--;
		}
		cp = n > 0 && n <= 6 ? hex_at(r, r->s + 1, (int)n) : -1;
		if (cp < 0 || cp > 0x10ffff || (cp >> 11) == 0x1b)
			return wv_ecma_bad(r, "bad \\u escape");
		r->s = close + 1;
	} else if (cp < 0) {
		return wv_ecma_bad(r, "bad \\u escape");
	} else if ((cp >> 10) == 0x36 && wv_ecma_peek(r, 4) == '\\' &&
		wv_ecma_peek(r, 5) == 'u' &&
		(low = hex_at(r, r->s + 6, 4)) >= 0 && (low >> 10) == 0x37) {
		cp = 0x10000 + ((cp & 0x3ff) << 10) + (low & 0x3ff);
		r->s += 10;
	} else if ((cp >> 11) == 0x1b) {
		return wv_ecma_bad(r, "half of a surrogate pair");
	} else {
		r->s += 4;
	}
	wv_ecma_put(r, (uint32_t)cp);
	return 0;
}

/*
 * Long names of general categories for the short ones that PCRE2 knows;
 * scripts have the same names in both.
 */
static const char *const categories[][2] = {
	{ "Letter", "L" },
	{ "Uppercase_Letter", "Lu" },
	{ "Lowercase_Letter", "Ll" },
	{ "Titlecase_Letter", "Lt" },
	{ "Modifier_Letter", "Lm" },
	{ "Other_Letter", "Lo" },
	{ "Cased_Letter", "L&" },
	{ "LC", "L&" },
	{ "Mark", "M" },
	{ "Combining_Mark", "M" },
	{ "Nonspacing_Mark", "Mn" },
	{ "Spacing_Mark", "Mc" },
	{ "Enclosing_Mark", "Me" },
	{ "Number", "N" },
	{ "Decimal_Number", "Nd" },
	{ "digit", "Nd" },
	{ "Letter_Number", "Nl" },
	{ "Other_Number", "No" },
	{ "Punctuation", "P" },
	{ "punct", "P" },
	{ "Connector_Punctuation", "Pc" },
	{ "Dash_Punctuation", "Pd" },
	{ "Open_Punctuation", "Ps" },
	{ "Close_Punctuation", "Pe" },
	{ "Initial_Punctuation", "Pi" },
	{ "Final_Punctuation", "Pf" },
	{ "Other_Punctuation", "Po" },
	{ "Symbol", "S" },
	{ "Math_Symbol", "Sm" },
	{ "Currency_Symbol", "Sc" },
	{ "Modifier_Symbol", "Sk" },
	{ "Other_Symbol", "So" },
	{ "Separator", "Z" },
	{ "Space_Separator", "Zs" },
	{ "Line_Separator", "Zl" },
	{ "Paragraph_Separator", "Zp" },
	{ "Other", "C" },
	{ "Control", "Cc" },
	{ "cntrl", "Cc" },
	{ "Format", "Cf" },
	{ "Surrogate", "Cs" },
	{ "Private_Use", "Co" },
	{ "Unassigned", "Cn" },
};

/* After "\p" or "\P". */
static int
property_escape(struct ecma *r, char letter)
{
	static const char *const prefixes[] = { "General_Category=", "gc=",
		"Script_Extensions=", "scx=", "Script=", "sc=" };
	const char *close, *name;
	size_t n;

	close = memchr(r->s, '}', (size_t)(r->end - r->s));
	if (wv_ecma_peek(r, 0) != '{' || close == NULL)
		return wv_ecma_bad(r, "bad property escape");
	name = r->s + 1;
	n = (size_t)(close - name);
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t len = strlen(prefixes[i]);
		if (n > len && memcmp(name, prefixes[i], len) == 0) {
			name += len;
			n -= len;
			break;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (strchr("^{\\", name[i]) != NULL)
			return wv_ecma_bad(r, "bad property escape");
	}
	wv_str_fmt(r->out, "\\%c{", letter);
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (strlen(categories[i][0]) == n &&
			memcmp(name, categories[i][0], n) == 0) {
			name = categories[i][1];
			n = strlen(name);
			break;
		}
	}
	wv_str_add(r->out, name, n);
	wv_str_chr(r->out, '}');
	r->s = close + 1;
	return 0;
}

/* Escapes that mean one character, the same within and outside a class. */
static int
character_escape(struct ecma *r, int c)
{
	static const char controls[] = "t\tn\nv\vf\fr\r";
	const char *control = c ? strchr(controls, c) : NULL;
	int32_t cp;

	if (control != NULL && (control - controls) % 2 == 0) {
		wv_ecma_put(r, (unsigned char)control[1]);
		return 0;
	}
	switch (c) {
	case 'u':
		return unicode_escape(r);
	case 'x':
		cp = hex_at(r, r->s, 2);
		if (cp < 0)
			return wv_ecma_bad(r, "bad \\x escape");
		r->s += 2;
		wv_ecma_put(r, (uint32_t)cp);
		return 0;
	case 'c':
		c = wv_ecma_peek(r, 0);
		if ((c | 0x20) < 'a' || (c | 0x20) > 'z')
			return wv_ecma_bad(r, "bad \\c escape");
		r->s++;
		wv_ecma_put(r, (uint32_t)c & 0x1f);
		return 0;
	case '0':
		if (wv_ecma_peek(r, 0) >= '0' && wv_ecma_peek(r, 0) <= '9')
			return wv_ecma_bad(r, "octal escape");
		wv_ecma_put(r, 0);
		return 0;
	default:
		if (c <= 0 || strchr("^$\\.*+?()[]{}|/", c) == NULL)
			return wv_ecma_bad(r, "unknown escape");
		wv_str_fmt(r->out, "\\%c", c);
		return 0;
	}
}

/* \s and \S: items of a class, in brackets of their own unless in one. */
static int
space_escape(struct ecma *r, int c, bool in_class)
{
	wv_str_fmt(
		r->out, in_class ? "%s" : "[%s]", c == 's' ? SPACE : NO_SPACE);
	return 0;
}

/* \k<name>, which must be a name. */
static int
named_reference(struct ecma *r)
{
	const char *close = memchr(r->s, '>', (size_t)(r->end - r->s));

	if (wv_ecma_peek(r, 0) != '<' || close == NULL)
		return wv_ecma_bad(r, "bad reference");
	wv_str_cat(r->out, "\\k");
	wv_str_add(r->out, r->s, (size_t)(close + 1 - r->s));
	r->s = close + 1;
	return 0;
}

static int
number_reference(struct ecma *r)
{
	wv_str_cat(r->out, "\\g{");
	r->s--;
	while (wv_ecma_peek(r, 0) >= '0' && wv_ecma_peek(r, 0) <= '9')
		wv_str_chr(r->out, *r->s++);
	wv_str_chr(r->out, '}');
	return 0;
}

int
wv_ecma_escape(struct ecma *r)
{
	int c = wv_ecma_peek(r, 0);

	if (c < 0)
		return wv_ecma_bad(r, "nothing after the backslash");
	r->s++;
	r->quantifiable = true;
	switch (c) {
	case 'b':
	case 'B':
		r->quantifiable = false;
		/* fall through */
	case 'd':
	case 'D':
	case 'w':
	case 'W':
		wv_str_fmt(r->out, "\\%c", c);
		return 0;
	case 's':
	case 'S':
		return space_escape(r, c, false);
	case 'p':
	case 'P':
		return property_escape(r, (char)c);
	case 'k':
		return named_reference(r);
	default:
		if (c >= '1' && c <= '9')
			return number_reference(r);
		return character_escape(r, c);
	}
}

int
wv_ecma_class_escape(struct ecma *r)
{
	int c = wv_ecma_peek(r, 0);

	if (c < 0)
		return wv_ecma_bad(r, "nothing after the backslash");
	r->s++;
	switch (c) {
	case 'b':
		wv_ecma_put(r, 8);
		return 0;
	case '-':
		wv_str_cat(r->out, "\\-");
		return 0;
	case 'd':
	case 'D':
	case 'w':
	case 'W':
		wv_str_fmt(r->out, "\\%c", c);
		return 0;
	case 's':
	case 'S':
		return space_escape(r, c, true);
	case 'p':
	case 'P':
		return property_escape(r, (char)c);
	default:
		return character_escape(r, c);
	}
}
