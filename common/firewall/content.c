/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/clean.h"
#include "firewall/internal.h"
#include "firewall/scan.h"
#include "firewall/summarize.h"
#include "json/utf8.h"

#include <string.h>

enum {
	SAMPLE = 64 << 10,        /* bytes that tell text from binary */
	MAX_JSON_LINES = 8 << 20, /* bytes kept as trees */
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

/* Two lines or more, each an object or an array: an array of them. */
static cJSON *
read_json_lines(struct wv_arena *arena, const char *s, size_t n,
	struct wv_json_strings *strings)
{
	cJSON *all = wv_json_array(arena);
	const char *end = s + n;
	size_t lines = 0;

	if (n > MAX_JSON_LINES)
		return NULL;
	*strings = (struct wv_json_strings){
		wv_alloc(arena, n + 2 + WV_ARENA_SLACK), 0
	};
	for (const char *next; s < end; s = next) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf ? lf : end;
		next = lf ? lf + 1 : end;
		if (stop == s)
			continue;
		if (*s != '{' && *s != '[')
			return NULL;
		cJSON *tree = wv_json_read_strings(arena, s, (size_t)(stop - s),
			&wv_json_defaults, strings, NULL);
		if (tree == NULL)
			return NULL;
		wv_push(all, tree);
		lines++;
	}
	return lines >= 2 ? all : NULL;
}

static void
read_text(struct wv_content *c, struct wv_arena *arena, const char *raw,
	size_t len, struct wv_findings *findings)
{
	struct wv_str *text = &c->text, narrow = { 0 };
	struct wv_wide wide;

	if (wv_wide_read(&wide, raw, len)) {
		wv_wide_decode(&narrow, &wide, raw + wide.mark, len - wide.mark,
			true, findings);
		wv_clean(text, narrow.s, narrow.n, findings);
		wv_str_free(&narrow);
		findings->cleaned++;
	} else {
		wv_clean(text, raw, len, findings);
	}
	memset(wv_str_room(text, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	/* Colours or a byte order mark may have been all that was wrong. */
	bool changed = text->n != len || memcmp(text->s, raw, len) != 0;
	if (changed)
		c->tree = wv_json_read_strings(arena, text->s, text->n,
			&wv_json_defaults, &c->strings, NULL);
	c->kind = WV_CONTENT_JSON;
	c->media_type = "application/json";
	if (c->tree != NULL)
		return;
	c->tree = read_json_lines(arena, text->s, text->n, &c->strings);
	c->kind = c->tree ? WV_CONTENT_JSON_LINES : WV_CONTENT_TEXT;
	c->media_type = c->tree ? "application/x-ndjson" : NULL;
}

static void
tell_type(struct wv_content *c)
{
	c->text_kind = wv_text_kind(c->text.s, c->text.n);
	c->media_type = c->text_kind->media_type;
	if (c->media_type == NULL)
		c->media_type = wv_table_type(c->text.s, c->text.n);
}

void
wv_content_parse(struct wv_content *c, struct wv_arena *arena, const char *raw,
	size_t len, struct wv_findings *findings)
{
	*c = (struct wv_content){ .size = len };
	if (len == 0) {
		c->kind = WV_CONTENT_EMPTY;
		c->media_type = "text/plain";
	} else if ((c->tree = wv_json_read_strings(arena, raw, len,
			    &wv_json_defaults, &c->strings, NULL)) != NULL) {
		c->kind = WV_CONTENT_JSON;
		c->media_type = "application/json";
	} else if ((c->media_type = wv_content_binary_type(raw, len)) != NULL) {
		c->kind = WV_CONTENT_BINARY;
		wv_image_size(c->media_type, raw, len, c->pixels);
	} else {
		read_text(c, arena, raw, len, findings);
	}
}

void
wv_content_read(struct wv_content *c, struct wv_arena *arena, const char *raw,
	size_t len, struct wv_findings *findings)
{
	wv_content_parse(c, arena, raw, len, findings);
	if (c->kind == WV_CONTENT_TEXT)
		tell_type(c);
}

const char *
wv_content_binary_type(const char *raw, size_t len)
{
	struct wv_wide wide;
	bool binary = is_binary(raw, len) && !wv_wide_read(&wide, raw, len);
	const char *type = wv_magic_type(raw, len, binary);

	return type == NULL && binary ? "application/octet-stream" : type;
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
		strchr("; \t", given[n]) == NULL ||
		wv_scan(NULL, given, n, 0, &hit))
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
