/* SPDX-License-Identifier: Apache-2.0 */
/* What assign.c finds and assign-plain.c judges. */
#ifndef WV_FIREWALL_ASSIGN_INTERNAL_H
#define WV_FIREWALL_ASSIGN_INTERNAL_H

#include "firewall/scan-internal.h"

/* A name, and what it is given. */
struct wv_assigned {
	size_t name, name_end;
	const char *kind;
	char sign; /* : or =; > of an element; or , or a space */
	enum {
		WV_QUOTED,
		WV_BARE,
		WV_ELEMENT, /* <name>value</name> */
		WV_LINE,    /* of a header */
		WV_FIRST,   /* of its parts */
		WV_PARAMETERS,
	} extent;
	size_t start, end;
	char quote;
	size_t level; /* of backslashes before the quote */
	bool is_sent; /* behind a scheme of HTTP */
};

enum { WV_PROBE = 256 }; /* what is no secret is no longer */

/* Where the value of the name begins, and how it is bounded. */
bool wv_find_value(struct wv_text *t, struct wv_assigned *a);
/* The end of the value, at most WV_PROBE bytes on if it is only to be
 * judged. */
void wv_find_end(struct wv_text *t, struct wv_assigned *a, bool probe);
/* Of "password: |", the lines that are indented below it. */
bool wv_find_block(struct wv_text *t, struct wv_assigned *a);
/* Behind the blanks at i. */
size_t wv_skip_blanks(struct wv_text *t, size_t i);

/* Whether the value is none that has to be hidden: a placeholder, a word of
 * prose, code. */
bool wv_is_harmless(struct wv_text *t, const struct wv_assigned *a);
/* Code, of a value without quotes. */
bool wv_is_code(struct wv_text *t, const struct wv_assigned *a);
/* A name of a variable or type that has the same use: new_token, Token$1,
 * V2.Core.AccountToken */
bool wv_is_own_name(const char *s, size_t n, const char *kind);
/* Words without digits, joined by what is in joints; there are joints. */
bool wv_is_joined(const char *s, size_t n, const char *joints, bool capitals);
/* Of kinds whose values are random letters and digits, no words. */
bool wv_is_random_kind(const char *kind);

#endif
