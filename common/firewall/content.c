/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "firewall/scan.h"
#include "json/utf8.h"

#include <string.h>

enum {
	SAMPLE = 64 << 10,        /* bytes that tell text from binary */
	MAX_JSON_LINES = 8 << 20, /* bytes kept as trees */
	CSV_LINES = 10,           /* that have to agree */
	FEW = 8,                  /* bad bytes that prove nothing */
};

/* Not one of the controls that text and terminals use. */
static bool
is_odd_control(unsigned char c)
{
	return c < ' ' && memchr("\a\b\t\n\f\r\x1B", c, 7) == NULL;
}

/* More than a tenth, and a few, is neither UTF-8 nor a control that text has. */
static bool
is_binary(const char *raw, size_t len)
{
	const unsigned char *s = (const unsigned char *)raw;
	size_t n = len < SAMPLE ? len : SAMPLE, bad = 0;

	for (size_t i = 0; i < n;) {
		size_t plain = wv_plain_length(raw + i, n - i);
		if ((i += plain) == n)
			break;
		int width = wv_utf8_len(s + i, len - i);
		bad += width == 0 || is_odd_control(s[i]);
		i += width > 0 ? (size_t)width : 1;
	}
	return bad > n / 10 + FEW;
}

static const char *
binary_type(const char *raw, size_t len)
{
	static const struct {
		const char *magic;
		size_t n;
		const char *type;
	} types[] = {
		{ "\x89PNG\r\n\x1A\n", 8, "image/png" },
		{ "\xFF\xD8\xFF", 3, "image/jpeg" },
		{ "GIF8", 4, "image/gif" },
		{ "%PDF-", 5, "application/pdf" },
		{ "PK\x03\x04", 4, "application/zip" },
		{ "\x1F\x8B", 2, "application/gzip" },
		{ "\x7F"
		  "ELF",
			4, "application/x-elf" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (len >= types[i].n &&
			memcmp(raw, types[i].magic, types[i].n) == 0)
			return types[i].type;
	return NULL;
}

/* Counts the commas of a line, outside quotes; -1 if it is no row of a table
 * (a cell that begins with a space is prose). */
static int
csv_commas(const char *line, size_t n)
{
	int commas = 0;
	bool quoted = false, cell_start = true;

	for (size_t i = 0; i < n; i++) {
		if (cell_start && line[i] == ' ')
			return -1;
		cell_start = false;
		if (line[i] == '"')
			quoted = !quoted;
		if (line[i] == ',' && !quoted) {
			commas++;
			cell_start = true;
		}
	}
	return quoted ? -1 : commas;
}

static bool
is_csv(const char *s, size_t n)
{
	int first = 0, lines = 0;
	const char *end = s + n;

	while (s < end && lines < CSV_LINES) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf ? lf : end;
		int commas = csv_commas(s, (size_t)(stop - s));
		if (commas < 1 || (lines > 0 && commas != first))
			return false;
		first = commas;
		lines++;
		s = lf ? lf + 1 : end;
	}
	return lines >= 2;
}

/* Two lines or more, each an object or an array: an array of them. */
static cJSON *
read_json_lines(struct wv_arena *arena, const char *s, size_t n)
{
	cJSON *all = wv_json_array(arena);
	const char *end = s + n;
	size_t lines = 0;

	if (n > MAX_JSON_LINES)
		return NULL;
	for (const char *next; s < end; s = next) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf ? lf : end;
		next = lf ? lf + 1 : end;
		if (stop == s)
			continue;
		if (*s != '{' && *s != '[')
			return NULL;
		cJSON *tree = wv_json_read(
			arena, s, (size_t)(stop - s), &wv_json_defaults, NULL);
		if (tree == NULL)
			return NULL;
		wv_push(all, tree);
		lines++;
	}
	return lines >= 2 ? all : NULL;
}

static void
read_text(struct wv_content *c, struct wv_arena *arena, const char *raw,
	struct wv_findings *findings)
{
	struct wv_str *text = &c->text;

	wv_clean(text, raw, c->size, findings);
	memset(wv_str_room(text, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	/* Colours or a byte order mark may have been all that was wrong. */
	bool changed = text->n != c->size || memcmp(text->s, raw, c->size) != 0;
	if (changed)
		c->tree = wv_json_read(
			arena, text->s, text->n, &wv_json_defaults, NULL);
	c->kind = WV_CONTENT_JSON;
	c->media_type = "application/json";
	if (c->tree != NULL)
		return;
	c->tree = read_json_lines(arena, text->s, text->n);
	c->kind = c->tree ? WV_CONTENT_JSON_LINES : WV_CONTENT_TEXT;
	c->media_type = c->tree            ? "application/x-ndjson"
		: is_csv(text->s, text->n) ? "text/csv"
					   : "text/plain";
}

void
wv_content_read(struct wv_content *c, struct wv_arena *arena, const char *raw,
	size_t len, struct wv_findings *findings)
{
	*c = (struct wv_content){ .size = len };
	if (len == 0) {
		c->kind = WV_CONTENT_EMPTY;
		c->media_type = "text/plain";
	} else if ((c->tree = wv_json_read(arena, raw, len, &wv_json_defaults,
			    NULL)) != NULL) {
		c->kind = WV_CONTENT_JSON;
		c->media_type = "application/json";
	} else if ((c->media_type = wv_content_binary_type(raw, len)) != NULL) {
		c->kind = WV_CONTENT_BINARY;
	} else {
		read_text(c, arena, raw, findings);
	}
}

const char *
wv_content_binary_type(const char *raw, size_t len)
{
	const char *type = binary_type(raw, len);

	return type == NULL && is_binary(raw, len) ? "application/octet-stream"
						   : type;
}

/* Where the last line ends: the one after it may be cut. */
static size_t
whole_lines(const char *raw, size_t len)
{
	const char *lf = len > 0 ? memrchr(raw, '\n', len) : NULL;

	if (lf == NULL && len > 0)
		lf = memrchr(raw, '\0', len);
	return lf != NULL ? (size_t)(lf + 1 - raw) : 0;
}

void
wv_content_begin(struct wv_content *c, struct wv_arena *arena, const char *raw,
	size_t len, struct wv_findings *findings)
{
	struct wv_redactor redactor = { .findings = findings,
		.told_arena = arena };

	*c = (struct wv_content){ .kind = WV_CONTENT_BINARY,
		.size = len,
		.seen = len,
		.media_type = wv_content_binary_type(raw, len) };
	if (c->media_type != NULL)
		return;
	if (wv_firewall_readable(raw, len) == WV_READ_WHOLE) {
		c->media_type = "application/json";
		return;
	}
	c->kind = WV_CONTENT_TEXT;
	c->media_type = "text/plain";
	wv_redactor_add(&redactor, &c->text, raw, whole_lines(raw, len), true);
	wv_redactor_free(&redactor);
}

/* RFC 6838, 4.2 */
const char *
wv_content_type(struct wv_arena *arena, const char *given)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$&-^_.+";
	enum { LONGEST = 127 };
	struct wv_hit hit;
	size_t type = strspn(given, chars);
	size_t n = type;

	if (given[type] == '/')
		n += 1 + strspn(given + type + 1, chars);
	if (type == 0 || n < type + 2 || n > LONGEST ||
		strchr("; \t", given[n]) == NULL || wv_scan(given, n, 0, &hit))
		return NULL;
	char *copy = wv_dupn(arena, given, n);
	for (size_t i = 0; i < n; i++)
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] |= 0x20;
	return copy;
}

bool
wv_is_text_type(const char *type)
{
	static const char *const exact[] = { "application/json",
		"application/x-ndjson", "application/jsonl", "application/xml",
		"application/yaml", "application/x-yaml", "application/toml",
		"application/javascript", "application/sql", "application/x-sh",
		NULL };
	size_t n = strlen(type);

	for (size_t i = 0; exact[i] != NULL; i++)
		if (strcmp(type, exact[i]) == 0)
			return true;
	return strncmp(type, "text/", 5) == 0 ||
		wv_ends_with(type, n, "+json") ||
		wv_ends_with(type, n, "+xml") || wv_ends_with(type, n, "+yaml");
}

const char *
wv_media_type(const char *raw, size_t len)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_findings findings = { 0 };
	struct wv_content content;

	wv_content_read(&content, &arena, raw, len, &findings);
	wv_str_free(&content.text);
	wv_arena_free(&arena);
	return content.media_type;
}
