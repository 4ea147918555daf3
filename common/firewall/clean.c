/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "json/utf8.h"

#include <string.h>

/* What happens to a character that is not shown as it is. */
enum action {
	KEEP,
	DROP,
	BREAK,    /* another kind of line end: becomes \n */
	JOINER,   /* kept where a script or an emoji needs it */
	SELECTOR, /* kept after an emoji */
};

struct range {
	uint32_t first, last;
	enum action action;
};

/* Sorted.  Format controls, fillers and other characters without a glyph
 * (Unicode's Default_Ignorable_Code_Point), and the line ends beyond ASCII. */
static const struct range hidden[] = {
	{ 0x85, 0x85, BREAK },
	{ 0xAD, 0xAD, DROP },
	{ 0x34F, 0x34F, DROP },
	{ 0x61C, 0x61C, DROP },
	{ 0x115F, 0x1160, DROP },
	{ 0x17B4, 0x17B5, DROP },
	{ 0x180B, 0x180F, DROP },
	{ 0x200B, 0x200B, DROP },
	{ 0x200C, 0x200D, JOINER },
	{ 0x200E, 0x200F, DROP },
	{ 0x2028, 0x2029, BREAK },
	{ 0x202A, 0x202E, DROP },
	{ 0x2060, 0x206F, DROP },
	{ 0x3164, 0x3164, DROP },
	{ 0xFE00, 0xFE0D, DROP },
	{ 0xFE0E, 0xFE0F, SELECTOR },
	{ 0xFEFF, 0xFEFF, DROP },
	{ 0xFFA0, 0xFFA0, DROP },
	{ 0xFFF0, 0xFFFB, DROP },
	{ 0x1BCA0, 0x1BCA3, DROP },
	{ 0x1D173, 0x1D17A, DROP },
	{ 0xE0000, 0xE0FFF, DROP },
};

/* Sorted.  Blocks of scripts in which ZWJ and ZWNJ change letters. */
static const struct range joining[] = {
	{ 0x600, 0x7FF, KEEP },   /* Arabic, Syriac, Thaana, N'Ko */
	{ 0x840, 0xFFF, KEEP },   /* Mandaic, Arabic, Indic, Thai, Tibetan */
	{ 0x1000, 0x109F, KEEP }, /* Myanmar */
	{ 0x1780, 0x18AF, KEEP }, /* Khmer, Mongolian */
	{ 0xA840, 0xA8FF, KEEP }, /* Phags-pa, Saurashtra, Devanagari */
	{ 0xFB50, 0xFDFF, KEEP }, /* Arabic forms */
	{ 0xFE70, 0xFEFC, KEEP },
	{ 0x11000, 0x11FFF, KEEP }, /* Brahmi and its family */
};

static const struct range emoji[] = {
	{ 0xA9, 0xA9, KEEP },
	{ 0xAE, 0xAE, KEEP },
	{ 0x203C, 0x203C, KEEP },
	{ 0x2049, 0x2049, KEEP },
	{ 0x2122, 0x2122, KEEP },
	{ 0x2139, 0x2139, KEEP },
	{ 0x2190, 0x2BFF, KEEP },
	{ 0x3030, 0x3030, KEEP },
	{ 0x303D, 0x303D, KEEP },
	{ 0x3297, 0x3299, KEEP },
	{ 0x1F000, 0x1FAFF, KEEP },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct range *
range_of(const struct range *ranges, size_t count, uint32_t cp)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (cp > ranges[mid].last)
			low = mid + 1;
		else if (cp < ranges[mid].first)
			high = mid;
		else
			return &ranges[mid];
	}
	return NULL;
}

struct cleaner {
	struct wv_str *out;
	size_t base; /* of what this call appended */
	const unsigned char *s;
	size_t n, at;
	size_t kept; /* bytes before this one are in out, or dropped */
	struct wv_findings *findings;
};

static void
flush(struct cleaner *c)
{
	wv_str_add(c->out, c->s + c->kept, c->at - c->kept);
	c->kept = c->at;
}

/* Puts what stands for len bytes in their place. */
static void
replace(struct cleaner *c, size_t len, const char *with)
{
	flush(c);
	wv_str_cat(c->out, with);
	c->at += len;
	c->kept = c->at;
}

static void
drop(struct cleaner *c, size_t len, const char *with)
{
	replace(c, len, with);
	c->findings->cleaned++;
}

/* The last character that was kept, 0 at the start. */
static uint32_t
previous(struct cleaner *c)
{
	uint32_t cp = 0;

	flush(c);
	size_t at = c->out->n;
	while (at > c->base &&
		((unsigned char)c->out->s[at - 1] & 0xC0) == 0x80)
		at--;
	if (at > c->base) {
		at--;
		wv_utf8_get((const unsigned char *)c->out->s + at,
			c->out->n - at, &cp);
	}
	return cp;
}

static bool
joiner_needed(struct cleaner *c, size_t len)
{
	uint32_t before = previous(c), after = 0;

	wv_utf8_get(c->s + c->at + len, c->n - c->at - len, &after);
	if (range_of(joining, COUNT(joining), before) != NULL)
		return range_of(joining, COUNT(joining), after) != NULL;
	return (before == 0xFE0F ||
		       range_of(emoji, COUNT(emoji), before) != NULL) &&
		range_of(emoji, COUNT(emoji), after) != NULL;
}

/*
 * Lengths of control sequences (ECMA-48), from after their introducer.  A
 * control string that is not terminated ends with its line, so that no
 * sequence can hide the lines after it.
 */
static size_t
csi_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x30 && s[i] <= 0x3F)
		i++;
	while (i < n && s[i] >= 0x20 && s[i] <= 0x2F)
		i++;
	return i < n && s[i] >= 0x40 && s[i] <= 0x7E ? i + 1 : i;
}

static size_t
control_string_length(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool more = i + 1 < n;
		switch (s[i]) {
		case '\a':
		case 0x18: /* CAN */
		case 0x1A: /* SUB */
			return i + 1;
		case '\n':
			return i;
		case 0x1B:
			return more && s[i + 1] == '\\' ? i + 2 : i;
		case 0xC2:
			if (more && s[i + 1] == 0x9C) /* ST */
				return i + 2;
			if (more && s[i + 1] >= 0x80 && s[i + 1] <= 0x9F)
				return i;
		}
	}
	return n;
}

/* c1 is the C1 control that an introducer is, in either form. */
static size_t
sequence_length(uint32_t c1, const unsigned char *s, size_t n)
{
	switch (c1) {
	case 0x9B: /* CSI */
		return csi_length(s, n);
	case 0x90: /* DCS */
	case 0x98: /* SOS */
	case 0x9D: /* OSC */
	case 0x9E: /* PM */
	case 0x9F: /* APC */
		return control_string_length(s, n);
	}
	return 0;
}

static size_t
escape_length(const unsigned char *s, size_t n)
{
	size_t i = 1;

	if (n > 1 && s[1] >= 0x40 && s[1] <= 0x5F)
		return 2 + sequence_length(s[1] + 0x40, s + 2, n - 2);
	while (i < n && s[i] >= 0x20 && s[i] <= 0x2F)
		i++;
	return i < n && s[i] >= 0x30 && s[i] <= 0x7E ? i + 1 : i;
}

static void
carriage_return(struct cleaner *c)
{
	size_t len = 1;

	while (c->at + len < c->n && c->s[c->at + len] == '\r')
		len++;
	if (c->at + len == c->n || c->s[c->at + len] == '\n')
		replace(c, len, "");
	else
		drop(c, len, "\n");
}

static void
control(struct cleaner *c)
{
	const unsigned char *s = c->s + c->at;

	if (*s == '\r')
		carriage_return(c);
	else if (*s == '\0') /* between names, as of find -print0 */
		drop(c, 1, "\n");
	else if (*s == 0x1B)
		drop(c, escape_length(s, c->n - c->at), "");
	else
		drop(c, 1, "");
}

static void
invalid(struct cleaner *c)
{
	size_t len = 1, most = c->s[c->at] >= 0xE0 ? 3 : 2;

	while (len < most && c->at + len < c->n &&
		(c->s[c->at + len] & 0xC0) == 0x80)
		len++;
	replace(c, len, "\xEF\xBF\xBD");
	c->findings->invalid++;
}

static void
character(struct cleaner *c)
{
	const unsigned char *s = c->s + c->at;
	uint32_t cp;
	int len = wv_utf8_get(s, c->n - c->at, &cp);

	if (len == 0) {
		invalid(c);
		return;
	}
	const struct range *range = range_of(hidden, COUNT(hidden), cp);
	enum action action = range ? range->action : KEEP;
	if (action == JOINER && joiner_needed(c, (size_t)len))
		action = KEEP;
	if (action == SELECTOR &&
		range_of(emoji, COUNT(emoji), previous(c)) != NULL)
		action = KEEP;
	if (action == BREAK)
		drop(c, (size_t)len, "\n");
	else if (cp < 0xA0)
		drop(c,
			(size_t)len +
				sequence_length(cp, s + len,
					c->n - c->at - (size_t)len),
			"");
	else if (action != KEEP)
		drop(c, (size_t)len, "");
	else
		c->at += (size_t)len;
}

static bool
is_plain(unsigned char c)
{
	return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

/* All eight bytes are printable ASCII. */
static bool
is_plain_word(const unsigned char *s)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t w;

	memcpy(&w, s, 8);
	uint64_t del = w ^ (ones * 0x7F);
	uint64_t bad = w | ((w - ones * 0x20) & ~w) | ((del - ones) & ~del);
	return (bad & (ones * 0x80)) == 0;
}

size_t
wv_plain_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t i = 0;

	while (i < n) {
		while (n - i >= 8 && is_plain_word(s + i))
			i += 8;
		if (n >= 8 && n - i < 8 && is_plain_word(s + n - 8))
			return n;
		size_t end = n - i < 8 ? n : i + 8;
		while (i < end && is_plain(s[i]))
			i++;
		if (i < end)
			break;
	}
	return i;
}

void
wv_clean(struct wv_str *out, const char *s, size_t n,
	struct wv_findings *findings)
{
	struct cleaner c = { .out = out,
		.base = out->n,
		.s = (const unsigned char *)s,
		.n = n,
		.findings = findings };

	wv_str_room(out, n);
	while ((c.at += wv_plain_length(s + c.at, n - c.at)) < n) {
		if (c.s[c.at] < 0x80)
			control(&c);
		else
			character(&c);
	}
	flush(&c);
}
