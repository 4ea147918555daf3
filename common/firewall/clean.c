/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/clean.h"
#include "firewall/internal.h"
#include "firewall/scan-internal.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What happens to a character that is not shown as it is. */
enum action {
	KEEP,
	DROP,
	BREAK,    /* another kind of line end: becomes \n */
	JOINER,   /* kept where a script or an emoji needs it */
	SELECTOR, /* kept after an emoji */
	VARIANT,  /* kept after a letter of Mongolian */
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
	{ 0x180B, 0x180D, VARIANT },
	{ 0x180E, 0x180E, DROP },
	{ 0x180F, 0x180F, VARIANT },
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

static const struct range mongolian[] = {
	{ 0x1820, 0x1878, KEEP },
	{ 0x1880, 0x18AA, KEEP },
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
	size_t kept;     /* bytes before this one are in out, or dropped */
	uint32_t before; /* the character before them; 0: none */
	bool more;       /* follows: what reaches the end is undecided */
	bool undecided;  /* what is at `at` */
	bool show;       /* what else would be dropped */
	struct wv_clean_map *map; /* NULL: nobody asks */
	struct wv_findings *findings;
};

static void
flush(struct cleaner *c)
{
	wv_str_add(c->out, c->s + c->kept, c->at - c->kept);
	c->kept = c->at;
}

static void
note_place(struct cleaner *c)
{
	struct wv_clean_map *map = c->map;

	if (map == NULL)
		return;
	map->places =
		wv_list_room(map->places, map->count, sizeof(*map->places));
	map->places[map->count].clean = c->out->n - c->base;
	map->places[map->count++].raw = c->at;
}

/* Puts what stands for len bytes in their place; false: there may be more of
 * them. */
static bool
replace(struct cleaner *c, size_t len, const char *with)
{
	if (c->more && c->at + len >= c->n) {
		c->undecided = true;
		return false;
	}
	flush(c);
	wv_str_cat(c->out, with);
	c->at += len;
	c->kept = c->at;
	note_place(c);
	return true;
}

/* <U+202E>, <ESC[2J>; what is no character, as <0xFF>. */
static void
show(struct wv_str *out, const unsigned char *s, size_t n)
{
	size_t i = 0;

	wv_str_chr(out, '<');
	while (i < n) {
		uint32_t cp;
		int len = wv_utf8_get(s + i, n - i, &cp);
		if (len == 0)
			wv_str_fmt(out, "0x%02X", s[i]);
		else if (s[i] == 0x1B)
			wv_str_cat(out, "ESC");
		else if (cp == 0x9B)
			wv_str_cat(out, "CSI");
		else if (cp > ' ' && cp < 0x7F)
			wv_str_chr(out, (char)cp);
		else
			wv_str_fmt(out, "%sU+%04X", i > 0 ? " " : "", cp);
		i += len > 0 ? (size_t)len : 1;
	}
	wv_str_chr(out, '>');
}

static void
drop(struct cleaner *c, size_t len, const char *with)
{
	const unsigned char *s = c->s + c->at;

	if (c->show) {
		flush(c);
		show(c->out, s, len);
	}
	if (replace(c, len, with))
		c->findings->cleaned++;
}

/* The last character that was kept, 0 at the start. */
static uint32_t
previous(struct cleaner *c)
{
	uint32_t cp = c->before;

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
	enum { LONGEST = 4 };
	uint32_t before = previous(c), after = 0;

	if (c->more && c->n - c->at - len < LONGEST) {
		c->undecided = true;
		return true;
	}
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
/* Two dashes are the beginning of something else. */
static size_t
intermediate_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x20 && s[i] <= 0x2F &&
		!(s[i] == '-' && i + 1 < n && s[i + 1] == '-'))
		i++;
	return i;
}

static size_t
csi_length(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x30 && s[i] <= 0x3F)
		i++;
	i += intermediate_length(s + i, n - i);
	return i < n && s[i] >= 0x40 && s[i] <= 0x7E ? i + 1 : i;
}

static size_t
control_string_length(const unsigned char *s, size_t n)
{
	for (size_t i = 0, len; i<n; i += len> 0 ? len : 1) {
		bool more = i + 1 < n;
		len = (size_t)wv_utf8_len(s + i, n - i);
		switch (s[i]) {
		case '\a':
		case 0x18: /* CAN */
		case 0x1A: /* SUB */
		case 0x9C: /* ST as one byte: no character begins with it */
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
	i += intermediate_length(s + i, n - i);
	return i < n && s[i] >= 0x30 && s[i] <= 0x7E ? i + 1 : i;
}

/*
 * Drops a sequence, but only its introducer if that ends what would else be a
 * secret: what eats the g of ESC[ghp_… leaves all of it that counts.
 */
static void
drop_sequence(struct cleaner *c, size_t introducer, size_t len)
{
	enum { FAR = 256 };
	const char *s = (const char *)c->s + c->at + introducer;
	size_t left = c->n - c->at - introducer, eaten = len - introducer;
	size_t n = eaten, most = left - eaten < FAR ? left : eaten + FAR;
	struct wv_hit whole, rest;

	while (n < most && (unsigned char)s[n] >= ' ' && s[n] != 0x7F)
		n++;
	c->undecided = c->more && n == left;
	if (c->undecided)
		return;
	if (eaten > 0 && n > eaten && wv_scan(NULL, s, n, 0, &whole) &&
		(!wv_scan(NULL, s + eaten, n - eaten, 0, &rest) ||
			rest.end + eaten < whole.end))
		len = introducer;
	drop(c, len, "");
}

static void
escape(struct cleaner *c)
{
	const unsigned char *s = c->s + c->at;
	size_t len = escape_length(s, c->n - c->at);

	if (len < 2 || strchr("PX]^_", s[1]) != NULL)
		drop(c, len, "");
	else
		drop_sequence(c, s[1] == '[' ? 2 : 1, len);
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
		escape(c);
	else
		drop(c, 1, "");
}

/* An introducer as one byte of the 8-bit form.  It may as well be a letter of
 * another character set: then no terminator follows on its line. */
static size_t
byte_sequence_length(const unsigned char *s, size_t n)
{
	size_t len = sequence_length(s[0], s + 1, n - 1);

	if (len == 0 || s[0] == 0x9B)
		return len;
	unsigned char last = s[len];
	return last == '\a' || last == 0x9C || last == '\\' ? len : 0;
}

static void
invalid(struct cleaner *c)
{
	const unsigned char *s = c->s + c->at;
	size_t left = c->n - c->at, len = 1, most = s[0] >= 0xE0 ? 3 : 2;
	size_t sequence = s[0] >= 0x80 && s[0] <= 0x9F
		? byte_sequence_length(s, left)
		: 0;

	if (sequence > 0) {
		if (s[0] == 0x9B)
			drop_sequence(c, 1, 1 + sequence);
		else
			drop(c, 1 + sequence, "");
		return;
	}
	while (len < most && len < left && (s[len] & 0xC0) == 0x80)
		len++;
	if (c->show)
		drop(c, len, "");
	else if (replace(c, len, "\xEF\xBF\xBD"))
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
	if (action == VARIANT &&
		range_of(mongolian, COUNT(mongolian), previous(c)) != NULL)
		action = KEEP;
	if (c->undecided)
		return;
	if (action == BREAK)
		drop(c, (size_t)len, "\n");
	else if (cp == 0x9B)
		drop_sequence(c, (size_t)len,
			(size_t)len +
				csi_length(
					s + len, c->n - c->at - (size_t)len));
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

static void
clean(struct cleaner *c)
{
	const char *s = (const char *)c->s;

	while (!c->undecided &&
		(c->at += wv_plain_length(s + c->at, c->n - c->at)) < c->n) {
		if (c->s[c->at] < 0x80)
			control(c);
		else
			character(c);
	}
	flush(c);
}

void
wv_clean_mapped(struct wv_str *out, const char *s, size_t n,
	struct wv_findings *findings, struct wv_clean_map *map)
{
	struct cleaner c = { .out = out,
		.base = out->n,
		.s = (const unsigned char *)s,
		.n = n,
		.map = map,
		.findings = findings };

	wv_str_room(out, n);
	clean(&c);
}

void
wv_clean(struct wv_str *out, const char *s, size_t n,
	struct wv_findings *findings)
{
	wv_clean_mapped(out, s, n, findings, NULL);
}

size_t
wv_clean_part(struct wv_str *out, const char *s, size_t n, uint32_t *before,
	struct wv_findings *findings)
{
	struct cleaner c = { .out = out,
		.base = out->n,
		.s = (const unsigned char *)s,
		.n = n,
		.before = *before,
		.more = true,
		.findings = findings };

	wv_str_room(out, n);
	clean(&c);
	*before = previous(&c);
	return c.at;
}

void
wv_show(struct wv_str *out, const char *s, size_t n)
{
	struct wv_findings findings = { 0 };
	struct cleaner c = { .out = out,
		.base = out->n,
		.s = (const unsigned char *)s,
		.n = n,
		.show = true,
		.findings = &findings };

	clean(&c);
}

size_t
wv_clean_raw(const struct wv_clean_map *map, size_t clean_at)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (map->places[mid].clean <= clean_at)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return clean_at;
	return map->places[low - 1].raw + clean_at - map->places[low - 1].clean;
}

void
wv_clean_map_free(struct wv_clean_map *map)
{
	free(map->places);
	*map = (struct wv_clean_map){ 0 };
}
