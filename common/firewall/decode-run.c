/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 and hexadecimal. */
#include "firewall/decode.h"

#include <string.h>

enum {
	BASE64_LOOK = 16, /* characters that have to be text */
	HEX_LOOK = 16,
	LONG_LINE = 32, /* of a run that goes on in the next one */
};

/* clang-format off */
#define NONE4 -1, -1, -1, -1
#define NONE16 NONE4, NONE4, NONE4, NONE4
const signed char wv_hex_values[256] = {
	NONE16, NONE16, NONE16,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, NONE4,
	-1, 10, 11, 12, 13, 14, 15, -1, NONE4, NONE4,
	NONE16,
	-1, 10, 11, 12, 13, 14, 15, -1, NONE4, NONE4,
	NONE16,
	NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16,
};
/* Both alphabets. */
static const signed char base64_values[256] = {
	NONE16, NONE16,
	NONE4, NONE4, -1, -1, -1, 62, -1, 62, -1, 63,
	52, 53, 54, 55, 56, 57, 58, 59, 60, 61, -1, -1, NONE4,
	-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, -1, -1, -1, -1, 63,
	-1, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
	41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, -1, NONE4,
	NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16,
};
/* clang-format on */

static int
value_of(const signed char *values, char c)
{
	return values[(unsigned char)c];
}

static bool
is_text(unsigned char c)
{
	return (c >= ' ' && c < 0x7F) || c == '\n' || c == '\t' || c == '\r';
}

/* Bytes of text, or those of UTF-16: every other one is 0. */
static bool
are_text(const unsigned char *s, size_t n)
{
	size_t text = 0, zero[2] = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		text += is_text(s[i]);
		zero[i % 2] += s[i] == 0;
	}
	return text == n ||
		(text == n / 2 && (zero[0] == n / 2 || zero[1] == n / 2));
}

/* Of three bytes: each is text or 0, and one of the first two text. */
static bool
may_be_text(const unsigned char *s)
{
	for (int i = 0; i < 3; i++)
		if (s[i] != 0 && !is_text(s[i]))
			return false;
	return s[0] != 0 || s[1] != 0;
}

bool
wv_base64_is_text(const char *s)
{
	unsigned char bytes[BASE64_LOOK / 4 * 3];
	size_t n = 0;

	for (int i = 0; i < BASE64_LOOK; i += 4) {
		uint32_t group = 0;
		for (int k = 0; k < 4; k++) {
			int value = value_of(base64_values, s[i + k]);
			if (value < 0)
				return false;
			group = group << 6 | (uint32_t)value;
		}
		bytes[n++] = (unsigned char)(group >> 16);
		bytes[n++] = (unsigned char)(group >> 8);
		bytes[n++] = (unsigned char)group;
		/* Hardly any other text gets further. */
		if (!may_be_text(bytes + n - 3))
			return false;
	}
	return are_text(bytes, n);
}

bool
wv_hex_is_text(const char *s)
{
	unsigned char bytes[HEX_LOOK / 2];

	for (int i = 0; i < HEX_LOOK; i += 2) {
		int high = value_of(wv_hex_values, s[i]);
		int low = value_of(wv_hex_values, s[i + 1]);
		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = (unsigned char)(high << 4 | low);
	}
	return are_text(bytes, sizeof(bytes));
}

static size_t
line_end(const struct wv_decoder *d, const signed char *values, size_t at)
{
	while (at < d->n && value_of(values, d->s[at]) >= 0)
		at++;
	return at;
}

/* Where the next line of a run begins, behind what all its lines begin with
 * (blanks, "> "); 0: it has none.  n: that is not there yet. */
static size_t
next_line(const struct wv_decoder *d, size_t at)
{
	if (at == d->n)
		return d->n;
	if (d->s[at] == '\n')
		at++;
	else if (d->s[at] == '\\' && d->n - at >= 2 && d->s[at + 1] == 'n')
		at += 2;
	else
		return 0;
	while (at < d->n && (d->s[at] == ' ' || d->s[at] == '>'))
		at++;
	return at;
}

/* A word at the beginning of a line is none of a run. */
static bool
ends_line(const struct wv_decoder *d, size_t at)
{
	return at == d->n || strchr("\n\\=\"'`<", d->s[at]) != NULL;
}

/* Lines of a run are equally long but for the last one. */
static size_t
run_end(const struct wv_decoder *d, const signed char *values, size_t start)
{
	size_t end = line_end(d, values, start), length = end - start;

	while (length >= LONG_LINE) {
		size_t line = next_line(d, end);
		if (line == 0)
			break;
		size_t stop = line_end(d, values, line);
		if (stop == d->n && d->live != NULL)
			return d->n;
		if (stop == line || stop - line > length || !ends_line(d, stop))
			break;
		end = stop;
		if (stop - line < length)
			break;
	}
	return end;
}

static bool
is_line_end(const struct wv_decoder *d, size_t at)
{
	return d->s[at] == '\n' || d->s[at] == '\\';
}

/* by_line: each line by itself, if it is whole bytes. */
static void
decode_base64(struct wv_decoder *d, size_t at, size_t end, bool by_line)
{
	char *to = (d->bytes.n = 0, wv_str_room(&d->bytes, end - at));
	uint32_t group = 0;
	unsigned have = 0;

	for (; at < end; at++) {
		int value = value_of(base64_values, d->s[at]);
		if (by_line && have == 0 && is_line_end(d, at))
			*to++ = '\n';
		/* The n of an escaped line end is none either. */
		if (d->s[at] == '\\')
			at++;
		if (value < 0)
			continue;
		group = group << 6 | (uint32_t)value;
		if ((have += 6) >= 8)
			*to++ = (char)(group >> (have -= 8));
	}
	d->bytes.n = (size_t)(to - d->bytes.s);
}

static void
decode_hex(struct wv_decoder *d, size_t at, size_t end, bool by_line)
{
	char *to = (d->bytes.n = 0, wv_str_room(&d->bytes, end - at));
	int high = -1;

	for (; at < end; at++) {
		int value = value_of(wv_hex_values, d->s[at]);
		if (by_line && high < 0 && is_line_end(d, at))
			*to++ = '\n';
		if (value < 0)
			continue;
		if (high >= 0)
			*to++ = (char)(high << 4 | value);
		high = high < 0 ? value : -1;
	}
	d->bytes.n = (size_t)(to - d->bytes.s);
}

struct code {
	const signed char *values;
	unsigned group; /* characters that are whole bytes */
	void (*decode)(
		struct wv_decoder *d, size_t at, size_t end, bool by_line);
};
static const struct code base64 = { base64_values, 4, decode_base64 };
static const struct code hex = { wv_hex_values, 2, decode_hex };

static void
find_run(struct wv_decoder *d, const struct code *code, struct wv_run *run,
	size_t at)
{
	size_t start = at;

	while (start > run->end && value_of(code->values, d->s[start - 1]) >= 0)
		start--;
	*run = (struct wv_run){
		.start = start,
		.end = run_end(d, code->values, start),
		.counted = start,
	};
}

/* The first character of a run from which whole groups lead to `at`; line ends
 * and what follows them do not count. */
static unsigned
first_of(const struct wv_decoder *d, const struct code *code,
	struct wv_run *run, size_t at)
{
	for (; run->counted < at; run->counted++) {
		if (d->s[run->counted] == '\\')
			run->counted++;
		else if (value_of(code->values, d->s[run->counted]) >= 0)
			run->count++;
	}
	return (unsigned)(run->count % code->group);
}

static bool
is_mark(const struct wv_decoder *d, size_t start)
{
	static const char mark[] = "[REDACTED:";
	size_t n = sizeof(mark) - 1;

	return start >= n && memcmp(d->s + start - n, mark, n) == 0;
}

/* It, and its padding. */
static void
add_run(struct wv_decoder *d, const struct wv_run *run, const char *kind)
{
	size_t end = run->end;

	for (int i = 0; i < 2 && end < d->n && d->s[end] == '='; i++)
		end++;
	wv_hits_add(d->hits, run->start, end, kind);
	if (d->spans != NULL)
		wv_hits_add(d->spans, run->start, end, NULL);
}

static const char *
kind_of(struct wv_decoder *d, const struct code *code, size_t at, size_t end,
	bool by_line)
{
	code->decode(d, at, end, by_line);
	wv_decode_steps += end - at;
	return wv_decoded_kind(d);
}

/* A run is decoded once for each of its characters that text was seen to
 * begin at, but not again when one such was all text. */
static void
examine(struct wv_decoder *d, const struct code *code, struct wv_run *run,
	size_t at)
{
	d->has_run = true;
	if (at >= run->end)
		find_run(d, code, run, at);
	unsigned first = first_of(d, code, run, at);
	if (run->tried >> first & 1)
		return;
	/* One that began before was looked at before. */
	bool is_old = run->start < d->begin;
	bool is_open = d->live != NULL && run->end == d->n;
	if (is_open && !is_old)
		wv_decode_hold(d, run->start);
	if (is_old || is_open) {
		run->tried = ~0u;
		return;
	}
	run->tried |= 1u << first;
	if (is_mark(d, run->start))
		return;
	size_t start = run->start + first;
	const char *kind = kind_of(d, code, start, run->end, false);
	/* A list of values looks like one that was broken into lines. */
	if (kind == NULL && line_end(d, code->values, start) < run->end)
		kind = kind_of(d, code, start, run->end, true);
	if (kind != NULL)
		add_run(d, run, kind);
	if (kind != NULL || d->is_text)
		run->tried = ~0u;
}

void
wv_examine_base64(struct wv_decoder *d, size_t at)
{
	if (d->n - at >= BASE64_LOOK && wv_base64_is_text(d->s + at))
		examine(d, &base64, &d->base64, at);
}

void
wv_examine_hex(struct wv_decoder *d, size_t at)
{
	if (d->n - at >= HEX_LOOK && wv_hex_is_text(d->s + at))
		examine(d, &hex, &d->hex, at);
}
