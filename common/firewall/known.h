/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets that are known by their value.  Each is looked for as it is and in
 * the forms that programs give it: base64 and base64url at any of its three
 * alignments, hexadecimal and percent escapes in either case, escaped as in
 * JSON, and, of a value of at most 512 bytes, two of these, one after the
 * other; and what is left of it when an escape sequence that is cut short has
 * eaten its beginning.  What was decoded (firewall/find.h) is looked through as
 * well.
 *
 * A value is at least WV_KNOWN_SHORTEST bytes long; one of several lines is
 * each of its lines that are, and all of them.  Values are wiped when they
 * are freed and stand in no message.
 */
#ifndef WV_FIREWALL_KNOWN_H
#define WV_FIREWALL_KNOWN_H

#include "base/err.h"
#include "firewall/find.h"

enum { WV_KNOWN_SHORTEST = 8 };
extern const char wv_known_kind[]; /* known-secret */

struct wv_known;
struct wv_known *wv_known_new(void);
/* NULL: nothing. */
void wv_known_free(struct wv_known *known);

/* A value; what of it is too short is left. */
void wv_known_add(struct wv_known *known, const char *value, size_t n);
/* Those of a file: a line is a value, or NAME=VALUE, quoted or not, with or
 * without export; empty lines and those that begin with # or, as those of a
 * key in PEM, with ----- are none.  Tells of lines whose value is too short,
 * or not what it may seem.  Returns how many there are, or -1. */
int wv_known_add_file(struct wv_known *known, const char *path,
	void (*tell)(const struct wv_err *fault), struct wv_err *err);
/* Those of the variables of the environment that are named, between commas or
 * spaces; one that is not set or too short is an error.  Returns how many
 * there are, or -1. */
int wv_known_add_env(
	struct wv_known *known, const char *names, struct wv_err *err);
/* Before the first look; nothing can be added then. */
void wv_known_ready(struct wv_known *known);

/* Adds hits of known values that begin at or after from, in no order; they may
 * overlap.  known may be NULL; live as for wv_decode_find(). */
void wv_known_find(const struct wv_known *known, const char *s, size_t n,
	size_t from, struct wv_hits *hits, size_t *live);

/* Those of a set of rules, which stay the caller's; NULL: it has none. */
void wv_rules_set_known(struct wv_rules *rules, const struct wv_known *known);
const struct wv_known *wv_rules_known(const struct wv_rules *rules);

#endif
