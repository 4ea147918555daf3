/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-idna.h"
#include "schema/format-internal.h"

#include "json/utf8.h"

#include <string.h>

enum { NAME_MAX_OCTETS = 253, PREFIX = 4 /* "xn--" */ };

enum {
	UNICODE = 1, /* U-labels too */
	DOTS = 2,    /* ideographic full stops end a label */
	NFC = 4,
};

/* A name so far. */
struct name {
	int options;
	size_t octets; /* of labels in ASCII, and the dots between them */
	struct wv_bidi bidi;
};

static bool
is_ascii(const uint32_t *cp, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (cp[i] >= 0x80)
			return false;
	}
	return true;
}

static bool
is_letter_digit_hyphen(const uint32_t *cp, size_t n)
{
	if (n == 0 || cp[0] == '-' || cp[n - 1] == '-')
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = (char)cp[i];
		if (!wv_format_is_alpha(c) && !wv_format_is_digit(c) &&
			c != '-')
			return false;
	}
	return true;
}

static bool
is_prefixed(const uint32_t *cp, size_t n)
{
	return n >= PREFIX && (cp[0] | 0x20) == 'x' && (cp[1] | 0x20) == 'n' &&
		cp[2] == '-' && cp[3] == '-';
}

/* One that is made of a U-label, in the one way there is to do so. */
static bool
a_label(struct name *name, const uint32_t *cp, size_t n)
{
	uint32_t code[WV_LABEL_MAX], again[WV_LABEL_MAX], label[WV_LABEL_MAX];
	int length;

	n -= PREFIX;
	for (size_t i = 0; i < n; i++) {
		uint32_t c = cp[PREFIX + i];
		code[i] = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
	}
	length = wv_punycode_decode(label, code, n);
	if (length <= 0 || is_ascii(label, (size_t)length) ||
		wv_punycode_encode(again, label, (size_t)length) != (int)n ||
		memcmp(again, code, n * sizeof *code) != 0)
		return false;
	wv_idna_note_bidi(&name->bidi, label, (size_t)length);
	return wv_idna_is_label(label, (size_t)length, true);
}

static bool
ascii_label(struct name *name, const uint32_t *cp, size_t n)
{
	name->octets += n;
	if (!is_letter_digit_hyphen(cp, n))
		return false;
	if (is_prefixed(cp, n))
		return a_label(name, cp, n);
	/* Letters are L, digits EN and no first character. */
	if (wv_format_is_digit((char)cp[0]))
		name->bidi.has_breaker = true;
	return true;
}

static bool
u_label(struct name *name, const uint32_t *cp, size_t n)
{
	uint32_t code[WV_LABEL_MAX];
	int length;

	if (!(name->options & UNICODE) ||
		!wv_idna_is_label(cp, n, name->options & NFC))
		return false;
	length = wv_punycode_encode(code, cp, n);
	if (length < 0 || length + PREFIX > WV_LABEL_MAX)
		return false;
	name->octets += (size_t)length + PREFIX;
	wv_idna_note_bidi(&name->bidi, cp, n);
	return true;
}

static bool
is_dot(const struct name *name, uint32_t cp)
{
	return cp == '.' ||
		((name->options & DOTS) &&
			(cp == 0x3002 || cp == 0xff0e || cp == 0xff61));
}

/* Reads a label and the dot after it; last is set if there is none. */
static bool
next_label(struct name *name, const unsigned char **s, const unsigned char *end,
	bool *last)
{
	uint32_t label[WV_LABEL_MAX], cp;
	size_t n = 0;
	bool dot = false;

	while (*s < end && !dot) {
		int length = wv_utf8_get(*s, (size_t)(end - *s), &cp);
		if (length == 0)
			return false;
		*s += length;
		dot = is_dot(name, cp);
		if (!dot && n == WV_LABEL_MAX)
			return false;
		if (!dot)
			label[n++] = cp;
	}
	*last = !dot;
	name->octets += dot;
	return is_ascii(label, n) ? ascii_label(name, label, n)
				  : u_label(name, label, n);
}

static bool
is_name(const char *text, size_t n, int options)
{
	const unsigned char *s = (const unsigned char *)text, *end = s + n;
	struct name name = { .options = options };
	bool last;

	do {
		if (!next_label(&name, &s, end, &last) ||
			name.octets > NAME_MAX_OCTETS)
			return false;
	} while (!last);
	return !name.bidi.has_rtl || !name.bidi.has_breaker;
}

bool
wv_format_hostname(const char *s, size_t n)
{
	return is_name(s, n, 0);
}

bool
wv_format_idn_hostname(const char *s, size_t n)
{
	return is_name(s, n, UNICODE | DOTS | NFC);
}

bool
wv_format_mail_domain(const char *s, size_t n)
{
	return is_name(s, n, UNICODE);
}
