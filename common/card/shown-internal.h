/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of shown.h share: a text seen through its disguises, and
 * what of it is not to be shown. */
#ifndef WV_CARD_SHOWN_INTERNAL_H
#define WV_CARD_SHOWN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters of a view that stand for more than themselves. */
enum {
	WV_VIEW_DOT = 1,      /* a dot in brackets, which only hosts have */
	WV_VIEW_OTHER = 0x7f, /* any character that is not ASCII */
};

/*
 * Clean text in small ASCII letters: what entities, percent and backslash
 * escapes, full-width and look-alike forms and brackets around dots, colons
 * and slashes stand for.  Character i is that of the text's bytes from at[i]
 * up to at[i + 1]; s[n] is NUL.
 */
struct wv_view {
	const char *text;
	char *s;
	uint32_t *at; /* n + 1 */
	size_t n;
	bool *hidden; /* by byte of the text: it is not to be shown */
};

/* Buffers must have room for the n bytes and one more. */
void wv_view_fill(struct wv_view *view, const char *text, size_t n);
void wv_view_hide(struct wv_view *view, size_t from, size_t to);
static inline bool
wv_view_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
static inline bool
wv_view_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Addresses: what a reader, or a program that shows the text, could open. */
void wv_view_hide_links(struct wv_view *view);
/* JSON, and schemas in YAML. */
void wv_view_hide_schemas(struct wv_view *view);

#endif
