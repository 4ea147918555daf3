/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "json/block.h"
#include "json/utf8.h"

#include <string.h>

enum { ESCAPE = 6 }; /* bytes of the longest */

static char *
escape_control(char *to, unsigned char c)
{
	static const char letters[] = "btn?fr"; /* from \b = 8 on */
	static const char hex[] = "0123456789abcdef";

	*to++ = '\\';
	if (c >= '\b' && c <= '\r' && c != '\v') {
		*to++ = letters[c - '\b'];
		return to;
	}
	memcpy(to, "u00", 3);
	to[3] = hex[c >> 4];
	to[4] = hex[c & 15];
	return to + 5;
}

/* c is not plain: a control character, a quote or a backslash. */
static char *
escape(char *to, unsigned char c)
{
	if (c < ' ')
		return escape_control(to, c);
	*to++ = '\\';
	*to++ = (char)c;
	return to;
}

/*
 * A tree is written through a place behind what out holds, which is said to
 * out at the end.  Functions take the place and return that behind what they
 * wrote; none has the NUL written.
 */
static char *
grow(struct wv_str *out, char *to, size_t n)
{
	out->n = (size_t)(to - out->s);
	return wv_str_room(out, n);
}

static inline char *
room(struct wv_str *out, char *to, size_t n)
{
	return (size_t)(out->s + out->cap - to) > n ? to : grow(out, to, n);
}

static inline char *
put(struct wv_str *out, char *to, char c)
{
	to = room(out, to, 1);
	*to = c;
	return to + 1;
}

/* What does not end within a block; behind its opening quote. */
static char *
put_long_text(struct wv_str *out, char *to, const char *s)
{
	for (;;) {
		to = room(out, to, WV_BLOCK + ESCAPE);
		unsigned n = wv_block_copy_tree(to, s);
		to += n;
		s += n;
		if (n == WV_BLOCK)
			continue;
		if (*s == '\0')
			break;
		if ((unsigned char)*s == 0xc0) {
			to = escape_control(to, '\0');
			s += 2;
		} else {
			to = escape(to, (unsigned char)*s++);
		}
	}
	*to = '"';
	return to + 1;
}

/* A NUL-terminated string of a tree, in quotes; the arena's slack is behind
 * it. */
static inline char *
put_text(struct wv_str *out, char *to, const char *s)
{
	to = room(out, to, WV_BLOCK + 2);
	*to++ = '"';
	unsigned n = wv_block_copy_tree(to, s);
	if (n == WV_BLOCK || s[n] != '\0')
		return put_long_text(out, to, s);
	to[n] = '"';
	return to + n + 1;
}

/* A byte that ends a run of plain ASCII, or a character. */
static size_t
write_other(struct wv_str *out, const char *s, size_t n)
{
	int len = wv_utf8_len((const unsigned char *)s, n);

	if (len == 0)
		wv_str_cat(out, "\xef\xbf\xbd");
	else if (len == 1)
		out->n = (size_t)(escape(wv_json_room(out, ESCAPE),
					  (unsigned char)*s) -
			out->s);
	else
		wv_str_add(out, s, (size_t)len);
	return len > 0 ? (size_t)len : 1;
}

void
wv_json_write_string(struct wv_str *out, const char *s, size_t n)
{
	char last[WV_BLOCK];

	wv_json_put(out, '"');
	while (n > 0) {
		const char *from = s;
		if (n < WV_BLOCK) {
			memset(last, '"', sizeof(last));
			from = memcpy(last, s, n);
		}
		size_t plain =
			wv_block_copy_text(wv_json_room(out, WV_BLOCK), from);
		plain = plain < n ? plain : n;
		out->n += plain;
		s += plain;
		n -= plain;
		if (plain == WV_BLOCK || n == 0)
			continue;
		size_t other = write_other(out, s, n);
		s += other;
		n -= other;
	}
	wv_json_put(out, '"');
	*wv_json_room(out, 0) = '\0';
}

static char *
put_int(struct wv_str *out, char *to, double value)
{
	char text[WV_JSON_INT_DIGITS + 1], *end = text + sizeof(text), *p = end;
	int64_t n = (int64_t)value;
	uint64_t left = (uint64_t)(n < 0 ? -n : n);

	do
		*--p = (char)('0' + left % 10);
	while ((left /= 10) != 0);
	if (n < 0)
		*--p = '-';
	to = room(out, to, sizeof(text));
	memcpy(to, p, (size_t)(end - p));
	return to + (end - p);
}

static inline char *
put_word(struct wv_str *out, char *to, const char *word, size_t n)
{
	to = room(out, to, n);
	memcpy(to, word, n);
	return to + n;
}

static inline char *
put_leaf(struct wv_str *out, char *to, const cJSON *node)
{
	switch (node->type & 0xff) {
	case cJSON_String:
		return put_text(out, to, node->valuestring);
	case cJSON_Number:
		if (node->valuestring == NULL)
			return put_int(out, to, node->valuedouble);
		return put_word(
			out, to, node->valuestring, (size_t)node->valueint);
	case cJSON_True:
		return put_word(out, to, "true", 4);
	case cJSON_False:
		return put_word(out, to, "false", 5);
	default:
		return put_word(out, to, "null", 4);
	}
}

void
wv_json_write_text(struct wv_str *out, const char *s)
{
	char *to = put_text(out, wv_json_room(out, WV_BLOCK), s);

	out->n = (size_t)(to - out->s);
}

void
wv_json_write_leaf(struct wv_str *out, const cJSON *node)
{
	char *to = put_leaf(out, wv_json_room(out, WV_BLOCK), node);

	out->n = (size_t)(to - out->s);
}

static char
closer(const cJSON *container)
{
	return wv_is_object(container) ? '}' : ']';
}

static char *
put_tree(struct wv_str *out, char *to, const cJSON *node)
{
	struct wv_pairs open;
	bool in_object = false;

	wv_pairs_init(&open);
	for (;;) {
		if (in_object) {
			to = put_text(out, to, node->string);
			to = put(out, to, ':');
		}
		if (!wv_json_is_container(node)) {
			to = put_leaf(out, to, node);
		} else {
			to = put(out, to, wv_is_object(node) ? '{' : '[');
			if (node->child != NULL) {
				wv_pairs_push(&open, node, NULL);
				in_object = wv_is_object(node);
				node = node->child;
				continue;
			}
			to = put(out, to, closer(node));
		}
		while (open.n > 0 && node->next == NULL) {
			node = open.at[--open.n].from;
			to = put(out, to, closer(node));
			in_object = open.n > 0 &&
				wv_is_object(open.at[open.n - 1].from);
		}
		if (open.n == 0)
			break;
		to = put(out, to, ',');
		node = node->next;
	}
	wv_pairs_free(&open);
	return to;
}

void
wv_json_write(struct wv_str *out, const cJSON *node)
{
	char *to = wv_json_room(out, WV_BLOCK);

	to = wv_json_is_container(node) ? put_tree(out, to, node)
					: put_leaf(out, to, node);
	out->n = (size_t)(to - out->s);
	*wv_json_room(out, 0) = '\0';
}
