/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of base64 or hexadecimal turned out to be. */
#include "firewall/clean.h"
#include "firewall/decode.h"
#include "firewall/internal.h"
#include "firewall/scan-internal.h"
#include "json/utf8.h"

#include <string.h>

enum {
	SHORTEST = 8, /* bytes of text between others */
	GLUED = 2,    /* letters or digits before a token, within a run */
	TOKEN = 512,  /* bytes of one that are looked at */
};

/* The word that a run was cut from may have ended anywhere: a token with a
 * prefix that no word has counts when a letter or two stand before it. */
static const char *
glued_kind(const struct wv_decoder *d, const char *s, size_t n)
{
	struct wv_text text = { .s = s,
		.rules = wv_rules_or_built_in(d->rules) };
	size_t word = 0;
	struct wv_hit hit;

	for (size_t at = 0; at < n; at++) {
		if (!wv_is_class(s[at], WV_ALNUM)) {
			word = at + 1;
			continue;
		}
		if (at == word || at - word > GLUED)
			continue;
		text.from = text.low = at;
		text.n = n - at > TOKEN ? at + TOKEN : n;
		/* "disk-" and "task-" are words */
		if (n - at > 2 && memcmp(s + at, "sk-", 3) != 0 &&
			wv_scan_shape(&text, at, &hit) &&
			!wv_rules_allows(text.rules, hit.kind, s + hit.start,
				hit.end - hit.start))
			return hit.kind;
	}
	return NULL;
}

/* By the names in it. */
static const char *
tree_kind(const struct wv_decoder *d, const char *s, size_t n)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_str copy = { 0 };
	const char *kind = NULL;

	while (n > 0 && (*s == ' ' || *s == '\n' || *s == '\t')) {
		s++;
		n--;
	}
	if (n == 0 || (*s != '{' && *s != '['))
		return NULL;
	wv_str_add(&copy, s, n);
	memset(wv_str_room(&copy, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	cJSON *tree = wv_json_read(&arena, copy.s, n, &wv_json_defaults, NULL);
	if (tree != NULL)
		kind = wv_tree_kind(&arena, tree, d->rules, d->depth + 1);
	wv_str_free(&copy);
	wv_arena_free(&arena);
	return kind;
}

static const char *
text_kind(const struct wv_decoder *d, const char *s, size_t n)
{
	struct wv_hits hits = { 0 };

	if (d->judge != NULL)
		return d->judge(s, n, d->depth + 1);
	wv_find_decoded(d->rules, s, n, d->depth + 1, &hits);
	const char *kind = hits.count > 0 ? hits.at[0].kind : NULL;
	wv_hits_free(&hits);
	if (kind == NULL)
		kind = glued_kind(d, s, n);
	return kind != NULL ? kind : tree_kind(d, s, n);
}

/* Between bytes that are none. */
static const char *
text_in_binary(const struct wv_decoder *d, const char *s, size_t n)
{
	const char *kind = NULL;

	for (size_t i = 0, plain; i < n && kind == NULL; i += plain + 1) {
		plain = wv_plain_length(s + i, n - i);
		if (plain >= SHORTEST)
			kind = text_kind(d, s + i, plain);
	}
	return kind;
}

/* At most one byte in sixteen, and one, is no text. */
static bool
is_text(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t bad = 0, most = n / 16 + 1;

	for (size_t i = 0; i < n && bad <= most;) {
		i += wv_plain_length(text + i, n - i);
		if (i == n)
			break;
		int len = wv_utf8_len(s + i, n - i);
		bool control = s[i] < ' ' && s[i] != '\r' && s[i] != 0x1B;
		bad += len == 0 || control;
		i += len > 0 ? (size_t)len : 1;
	}
	return bad <= most;
}

const char *
wv_decoded_kind(struct wv_decoder *d)
{
	struct wv_findings cleaned = { 0 };
	struct wv_wide wide;
	const char *s = d->bytes.s;
	size_t n = d->bytes.n;

	d->is_text = false;
	if (n < SHORTEST)
		return NULL;
	d->text.n = 0;
	if (wv_wide_read(&wide, s, n)) {
		struct wv_str narrow = { 0 };
		wv_wide_decode(&narrow, &wide, s + wide.mark, n - wide.mark,
			true, &cleaned);
		wv_clean(&d->text, narrow.s, narrow.n, &cleaned);
		wv_str_free(&narrow);
	} else if (!is_text(s, n)) {
		return text_in_binary(d, s, n);
	} else if (wv_plain_length(s, n) < n) {
		wv_clean(&d->text, s, n, &cleaned);
	} else {
		d->is_text = true;
		return text_kind(d, s, n);
	}
	d->is_text = true;
	return d->text.n > 0 ? text_kind(d, d->text.s, d->text.n) : NULL;
}
