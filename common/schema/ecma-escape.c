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
unicode_escape(struct ecma *r, uint32_t *cp)
{
	int32_t high = hex_at(r, r->s, 4), low;

	if (wv_ecma_peek(r, 0) == '{') {
		const char *p = r->s + 1;
		while (r->end - p > 1 && *p == '0' && p[1] != '}')
			p++;
		size_t n = 0;
		while (n < 6 && hex_at(r, p + n, 1) >= 0)
			n++;
		high = hex_at(r, p, (int)n);
		if (n == 0 || p + n == r->end || p[n] != '}' || high > 0x10ffff)
			return wv_ecma_bad(r, "bad \\u escape");
		r->s = p + n + 1;
	} else if (high < 0) {
		return wv_ecma_bad(r, "bad \\u escape");
	} else if (high >> 10 == 0xd800 >> 10 && wv_ecma_peek(r, 4) == '\\' &&
		wv_ecma_peek(r, 5) == 'u' &&
		(low = hex_at(r, r->s + 6, 4)) >> 10 == 0xdc00 >> 10) {
		high = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
		r->s += 10;
	} else {
		r->s += 4;
	}
	*cp = (uint32_t)high;
	return 0;
}

static int
hex_escape(struct ecma *r, uint32_t *cp)
{
	int32_t value = hex_at(r, r->s, 2);

	if (value < 0)
		return wv_ecma_bad(r, "bad \\x escape");
	r->s += 2;
	*cp = (uint32_t)value;
	return 0;
}

static int
control_escape(struct ecma *r, uint32_t *cp)
{
	int c = wv_ecma_peek(r, 0);

	if ((c | 0x20) < 'a' || (c | 0x20) > 'z')
		return wv_ecma_bad(r, "bad \\c escape");
	r->s++;
	*cp = (uint32_t)c & 0x1f;
	return 0;
}

/* One that names its character: a control, NUL, or punctuation. */
static int
identity_escape(struct ecma *r, int c, uint32_t *cp)
{
	static const char controls[] = "t\tn\nv\vf\fr\r";
	const char *control = strchr(controls, c);

	if (c > ' ' && control != NULL) {
		*cp = (unsigned char)control[1];
		return 0;
	}
	if (c == '0' &&
		!(wv_ecma_peek(r, 0) >= '0' && wv_ecma_peek(r, 0) <= '9')) {
		*cp = 0;
		return 0;
	}
	if (c <= ' ' || c > '~' || (c >= '0' && c <= '9') ||
		((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) {
		r->s--;
		return wv_ecma_bad(r, "unknown escape");
	}
	*cp = (uint32_t)c;
	return 0;
}

/* \s and \S: items of a class, in brackets of their own unless in one. */
static void
emit_space(struct ecma *r, bool negated, bool in_class)
{
	wv_ecma_emit_text(r, in_class ? "" : "[");
	wv_ecma_emit_text(r, negated ? NO_SPACE : SPACE);
	wv_ecma_emit_text(r, in_class ? "" : "]");
}

int
wv_ecma_character(struct ecma *r, bool in_class, uint32_t *cp)
{
	int c = wv_ecma_peek(r, 0);

	if (c < 0)
		return wv_ecma_bad(r, "nothing after the backslash");
	r->s++;
	switch (c) {
	case 'd':
	case 'D':
	case 'w':
	case 'W':
		wv_ecma_emit(r, r->s - 2, 2);
		return 1;
	case 's':
	case 'S':
		emit_space(r, c == 'S', in_class);
		return 1;
	case 'p':
	case 'P':
		return wv_ecma_property(r, c == 'P') == 0 ? 1 : -1;
	case 'u':
		return unicode_escape(r, cp);
	case 'x':
		return hex_escape(r, cp);
	case 'c':
		return control_escape(r, cp);
	default:
		return identity_escape(r, c, cp);
	}
}
