/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "json/block.h"
#include "json/utf8.h"

#include <string.h>

/* wv_str_room() and wv_str_chr() for the many small pieces; the NUL is left
 * to the end. */
static inline char *
room(struct wv_str *out, size_t n)
{
	return out->cap - out->n > n ? out->s + out->n : wv_str_room(out, n);
}

static inline void
put(struct wv_str *out, char c)
{
	*room(out, 1) = c;
	out->n++;
}

static void
write_control(struct wv_str *out, unsigned char c)
{
	static const char letters[] = "btn?fr"; /* from \b = 8 on */
	static const char hex[] = "0123456789abcdef";
	char *to = room(out, 6);

	*to++ = '\\';
	if (c >= '\b' && c <= '\r' && c != '\v') {
		*to++ = letters[c - '\b'];
	} else {
		memcpy(to, "u00", 3);
		to[3] = hex[c >> 4];
		to[4] = hex[c & 15];
		to += 5;
	}
	out->n = (size_t)(to - out->s);
}

/* c is not plain: a control character, a quote or a backslash. */
static void
write_escape(struct wv_str *out, unsigned char c)
{
	if (c < ' ') {
		write_control(out, c);
	} else {
		put(out, '\\');
		put(out, (char)c);
	}
}

/* A NUL-terminated string of a tree; the arena's slack is behind it. */
static void
write_text(struct wv_str *out, const char *s)
{
	put(out, '"');
	for (;;) {
		unsigned n = wv_block_copy_tree(room(out, WV_BLOCK), s);
		out->n += n;
		s += n;
		if (n == WV_BLOCK)
			continue;
		if (*s == '\0')
			break;
		if ((unsigned char)*s == 0xc0) {
			write_control(out, '\0');
			s += 2;
		} else {
			write_escape(out, (unsigned char)*s++);
		}
	}
	put(out, '"');
}

void
wv_json_write_string(struct wv_str *out, const char *s, size_t n)
{
	const char *end = s + n, *plain = s;

	put(out, '"');
	while (s < end) {
		unsigned char c = (unsigned char)*s;
		int len = wv_utf8_len(
			(const unsigned char *)s, (size_t)(end - s));
		if (len > 0 && c >= ' ' && c != '"' && c != '\\') {
			s += len;
			continue;
		}
		wv_str_add(out, plain, (size_t)(s - plain));
		if (len == 0)
			wv_str_cat(out, "\xef\xbf\xbd");
		else
			write_escape(out, c);
		plain = ++s;
	}
	wv_str_add(out, plain, (size_t)(s - plain));
	wv_str_chr(out, '"');
}

static void
write_int(struct wv_str *out, double value)
{
	char text[WV_JSON_INT_DIGITS], *p = text + sizeof(text);
	int64_t n = (int64_t)value;

	if (n < 0) {
		put(out, '-');
		n = -n;
	}
	do
		*--p = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	wv_str_add(out, p, (size_t)(text + sizeof(text) - p));
}

static void
write_leaf(struct wv_str *out, const cJSON *node)
{
	switch (node->type & 0xff) {
	case cJSON_String:
		write_text(out, node->valuestring);
		break;
	case cJSON_Number:
		if (node->valuestring == NULL)
			write_int(out, node->valuedouble);
		else
			wv_str_add(
				out, node->valuestring, (size_t)node->valueint);
		break;
	case cJSON_True:
		wv_str_add(out, "true", 4);
		break;
	case cJSON_False:
		wv_str_add(out, "false", 5);
		break;
	default:
		wv_str_add(out, "null", 4);
		break;
	}
}

static char
closer(const cJSON *container)
{
	return wv_is_object(container) ? '}' : ']';
}

void
wv_json_write(struct wv_str *out, const cJSON *node)
{
	struct wv_pairs open;

	wv_pairs_init(&open);
	for (;;) {
		if (open.n > 0 && wv_is_object(open.at[open.n - 1].from)) {
			write_text(out, node->string);
			put(out, ':');
		}
		if (!wv_json_is_container(node)) {
			write_leaf(out, node);
		} else {
			put(out, wv_is_object(node) ? '{' : '[');
			if (node->child != NULL) {
				wv_pairs_push(&open, node, NULL);
				node = node->child;
				continue;
			}
			put(out, closer(node));
		}
		while (open.n > 0 && node->next == NULL) {
			node = open.at[--open.n].from;
			put(out, closer(node));
		}
		if (open.n == 0)
			break;
		put(out, ',');
		node = node->next;
	}
	wv_pairs_free(&open);
	*room(out, 0) = '\0';
}
