/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/clean.h"
#include "firewall/clean-internal.h"
#include "firewall/internal.h"
#include "firewall/scan-internal.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

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
	if (wv_is_joining(before))
		return wv_is_joining(after);
	return (before == 0xFE0F || wv_is_emoji(before)) && wv_is_emoji(after);
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
	size_t len = wv_escape_length(s, c->n - c->at);

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

static void
invalid(struct cleaner *c)
{
	const unsigned char *s = c->s + c->at;
	size_t left = c->n - c->at, len = 1, most = s[0] >= 0xE0 ? 3 : 2;
	size_t sequence = s[0] >= 0x80 && s[0] <= 0x9F
		? wv_byte_sequence_length(s, left)
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
	enum wv_action action = wv_action_of(cp);
	if ((action == WV_JOINER && joiner_needed(c, (size_t)len)) ||
		(action == WV_SELECTOR && wv_is_emoji(previous(c))) ||
		(action == WV_VARIANT && wv_is_mongolian(previous(c))))
		action = WV_KEEP;
	if (c->undecided)
		return;
	if (action == WV_BREAK)
		drop(c, (size_t)len, "\n");
	else if (cp == 0x9B)
		drop_sequence(c, (size_t)len,
			(size_t)len +
				wv_csi_length(
					s + len, c->n - c->at - (size_t)len));
	else if (cp < 0xA0)
		drop(c,
			(size_t)len +
				wv_sequence_length(cp, s + len,
					c->n - c->at - (size_t)len),
			"");
	else if (action != WV_KEEP)
		drop(c, (size_t)len, "");
	else
		c->at += (size_t)len;
}

/* Where letters end that are kept whatever is around them, told by the lead
 * byte: of Europe and the Near East, Chinese, Japanese. */
static size_t
skip_letters(const unsigned char *s, size_t n, size_t at)
{
	while (n - at >= 3) {
		unsigned char lead = s[at];
		if (lead >= 0xC3 && lead <= 0xDF && lead != 0xCD &&
			lead != 0xD8 && (s[at + 1] & 0xC0) == 0x80)
			at += 2;
		else if (lead >= 0xE3 && lead <= 0xEC &&
			(s[at + 1] & 0xC0) == 0x80 &&
			(s[at + 2] & 0xC0) == 0x80 &&
			(lead != 0xE3 || s[at + 1] != 0x85))
			at += 3;
		else
			break;
	}
	return at;
}

static void
clean(struct cleaner *c)
{
	const char *s = (const char *)c->s;

	while (!c->undecided &&
		(c->at += wv_plain_length(s + c->at, c->n - c->at)) < c->n) {
		size_t letters = skip_letters(c->s, c->n, c->at);
		if (letters > c->at)
			c->at = letters;
		else if (c->s[c->at] < 0x80)
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
	size_t raw = clean_at;
	if (low > 0)
		raw += map->places[low - 1].raw - map->places[low - 1].clean;
	/* U+FFFD has three bytes, and may stand for one. */
	bool is_behind = low < map->count && raw >= map->places[low].raw;
	return is_behind ? map->places[low].raw - 1 : raw;
}

void
wv_clean_map_free(struct wv_clean_map *map)
{
	free(map->places);
	*map = (struct wv_clean_map){ 0 };
}
