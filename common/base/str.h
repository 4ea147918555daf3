/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counted, growing byte strings.  s is always NUL-terminated once anything
 * was added, but may hold NUL bytes: n is the length.  {0} is an empty one.
 */
#ifndef WV_BASE_STR_H
#define WV_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wv_str {
	char *s;
	size_t n, cap;
};

/* Room for n more bytes and the NUL; returns where they go. */
char *wv_str_room(struct wv_str *str, size_t n);
void wv_str_add(struct wv_str *str, const void *p, size_t n);
void wv_str_cat(struct wv_str *str, const char *s);
void wv_str_chr(struct wv_str *str, char c);
void wv_str_num(struct wv_str *str, size_t number);
void wv_str_fmt(struct wv_str *str, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wv_str_vfmt(struct wv_str *str, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));
void wv_str_free(struct wv_str *str);

/* The n bytes at s end with these, or are them. */
bool wv_ends_with(const char *s, size_t n, const char *end);

/*
 * Foreign text (names, payload excerpts, tool descriptions, file names) on
 * its way to a terminal or a report: the only way it gets there.  C0, DEL,
 * C1, line and paragraph separators, bidi and other invisible format
 * controls, tag characters and invalid UTF-8 are written as \n, \t, \r, \xHH
 * or \u{HEX} (lower-case digits).  Everything else is untouched.  Appends at
 * most max bytes: what is longer is cut at a character and ends with "…",
 * which is counted.  So clean text stays as it is and cleaning twice changes
 * nothing.
 */
void wv_str_foreign(struct wv_str *str, const char *s, size_t n, size_t max);
/* Of a character that is not C0: whether it is one of those. */
bool wv_is_unseen(uint32_t cp);

/*
 * The word of a NULL-terminated list that the user probably meant (optimal
 * string alignment distance of at most a third of its length, case aside, or
 * a unique prefix of 3 or more letters, which comes first), or NULL.  Ties go
 * to the earlier word.  Words of more than 256 bytes are not looked at.
 */
const char *wv_nearest(const char *word, const char *const *list);

#endif
