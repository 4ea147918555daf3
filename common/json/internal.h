/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of json/ share among themselves and with nobody else. */
#ifndef WV_JSON_INTERNAL_H
#define WV_JSON_INTERNAL_H

#define WV_JSON_INTERNAL
#include "json/json.h"

/*
 * Integers of up to this many digits, but for -0, are kept as valuedouble,
 * which holds them exactly; valuestring is then NULL.  Every other number is
 * its text.
 */
enum { WV_JSON_INT_DIGITS = 15 };
#define WV_JSON_INT_END 1000000000000000 /* the first that is too long */

/* Exponents of more digits than this, leading zeros aside, are refused, so
 * that sums of exponents and lengths cannot overflow. */
enum { WV_JSON_EXPONENT_DIGITS = 18 };

static inline bool
wv_json_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline bool
wv_json_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/*
 * Decodes the escape whose backslash is at p into *n bytes of UTF-8 (U+0000
 * as C0 80).  Returns how many bytes it takes up in the text, 0 if it is not
 * whole or not valid.
 */
size_t wv_json_unescape(const char *p, const char *end, char out[4], size_t *n);

/*
 * The rest of a string literal, from p < end to behind its closing quote, is
 * decoded to *copy and NUL-terminated; *copy is moved behind it.  NULL and an
 * error if the string is not valid.  The copy needs as much room as there is
 * text, and the slack.
 */
const char *wv_json_string_rest(const char *text, const char *p,
	const char *end, char **copy, struct wv_err *err);

/* For the many small pieces that are written: out is not NUL-terminated by
 * them. */
static inline char *
wv_json_room(struct wv_str *out, size_t n)
{
	return out->cap - out->n > n ? out->s + out->n : wv_str_room(out, n);
}

static inline void
wv_json_put(struct wv_str *out, char c)
{
	*wv_json_room(out, 1) = c;
	out->n++;
}

/* A NUL-terminated string of a tree, in quotes; the arena's slack is behind
 * it. */
void wv_json_write_text(struct wv_str *out, const char *s);
/* A value that is no container. */
void wv_json_write_leaf(struct wv_str *out, const cJSON *node);

/* Where the number that begins at p ends, or NULL and an error. */
const char *wv_json_number_end(const char *text, const char *p, const char *end,
	size_t max_digits, struct wv_err *err);

/* fault.c: errors at a byte of a text, in plain words. */
void wv_json_fault(struct wv_err *err, const char *text, const char *at,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The text ends within what. */
void wv_json_ends(struct wv_err *err, const char *text, const char *end,
	const char *what);
/* The byte at `at` (maybe the end) is not the beginning of what. */
void wv_json_unexpected(struct wv_err *err, const char *text, const char *at,
	const char *end, const char *what);

/*
 * pointer.c: one reference token of an RFC 6901 pointer, still escaped, in
 * front of the next "/" or the end.
 */
struct wv_step {
	const char *s;
	size_t n;
};
/* Takes the first token off; false if *pointer does not begin with "/". */
bool wv_step_next(struct wv_step *step, const char **pointer);
bool wv_step_is(const struct wv_step *step, const char *name);
/* A token that names no element is an index past all of them. */
size_t wv_step_index(const struct wv_step *step);

static inline bool
wv_json_is_container(const cJSON *node)
{
	return wv_is_object(node) || wv_is_array(node);
}

/*
 * names.c: a set of strings under a hash that input cannot foresee.  All
 * zeros is an empty one; the memory is the arena's, the strings are kept.
 */
struct wv_names {
	struct wv_name {
		const char *s;
		uint64_t hash;
	} * slot;
	size_t n, room;
};
/* False if it is there already. */
bool wv_names_add(struct wv_names *names, struct wv_arena *arena, const char *s,
	size_t n);

/*
 * pairs.c: a list of pairs of nodes.  Trees may be deeper than the C stack,
 * so walks keep their own.
 */
struct wv_pairs {
	struct wv_pair {
		const cJSON *from;
		cJSON *to;
	} * at;
	size_t n, room;
	struct wv_pair few[32];
};
void wv_pairs_init(struct wv_pairs *pairs);
void wv_pairs_grow(struct wv_pairs *pairs);
void wv_pairs_free(struct wv_pairs *pairs);

static inline void
wv_pairs_push(struct wv_pairs *pairs, const cJSON *from, cJSON *to)
{
	if (pairs->n == pairs->room)
		wv_pairs_grow(pairs);
	pairs->at[pairs->n++] = (struct wv_pair){ from, to };
}

#endif
