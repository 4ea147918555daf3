/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where secrets stand in clean text.  What is looked for is a set of rules;
 * scanning is linear in the text whatever text and rules are.
 */
#ifndef WV_FIREWALL_SCAN_H
#define WV_FIREWALL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct wv_hit {
	size_t start, end;
	const char *kind; /* of the rules */
};

/* What is looked for; NULL wherever it is asked for: the built-in rules, every
 * kind but those that are off by default. */
struct wv_rules;

/* The first secret that begins at or after from, where the last one ended;
 * nothing before from is looked at. */
bool wv_scan(const struct wv_rules *rules, const char *s, size_t n, size_t from,
	struct wv_hit *hit);

/*
 * The same of text that goes on: only what no further text can change.
 * Without a hit, what begins at or after *live is still open, and nothing
 * before it is (*live is n if nothing is).  Keep from *live on, and the
 * WV_SCAN_CONTEXT bytes before it, unless the last hit ended there; then ask
 * again, *live saying where it stands now: nothing is looked for before it.
 * It is 0 at first.  Who holds back much asks again when it has doubled, so
 * that a stream in small blocks stays linear; at the end, wv_scan_last().
 */
enum { WV_SCAN_CONTEXT = 256 };
bool wv_scan_more(const struct wv_rules *rules, const char *s, size_t n,
	size_t from, struct wv_hit *hit, size_t *live);
/* The same when no more text comes: nothing is open. */
bool wv_scan_last(const struct wv_rules *rules, const char *s, size_t n,
	size_t from, struct wv_hit *hit, size_t live);

/* Of strings that are ended by a NUL each, one; {0} is before the first. */
struct wv_piece {
	size_t start, end;
};
/* Tells of each of those from `from` on in which wv_scan() finds something, and
 * of the first hit where it stands in s.  NULL: there may be none after all.
 * What is looked for in strings one by one is found sooner in all of them. */
typedef void wv_scan_told(
	void *arg, const struct wv_piece *piece, const struct wv_hit *hit);
void wv_scan_pieces(const struct wv_rules *rules, const char *s, size_t from,
	size_t n, wv_scan_told *told, void *arg);

/* Goes on to the string that s[at] is in, if it is in another one. */
static inline bool
wv_piece_at(struct wv_piece *piece, const char *s, size_t n, size_t at)
{
	if (at < piece->end)
		return false;
	const char *before = memrchr(s + piece->end, '\0', at - piece->end);
	const char *end = memchr(s + at, '\0', n - at);
	piece->start = before != NULL ? (size_t)(before + 1 - s) : piece->end;
	piece->end = end != NULL ? (size_t)(end - s) : n;
	return true;
}

/* Where the first end of a private key at or after from ends, or 0. */
size_t wv_key_end(const char *s, size_t n, size_t from);

/* Kinds that are about people, for pii_detected. */
bool wv_kind_is_pii(const char *kind);

/* A [REDACTED:kind] mark at s: its length, or 0.  A recognizer may report one
 * that stands where a secret would: the scan then goes on behind it, so that
 * what is redacted stays as it is.  (What stands beside a mark may still look
 * more like a secret than it did beside the secret.) */
size_t wv_mark_length(const char *s, size_t n);

/*
 * The kind of what a name stands for (password, token, api-key, …), or NULL
 * if it is no name of a secret.  Word-exact: `registry_password`,
 * `dbPassword` and `X-Api-Key` are; `keyboard`, `max_tokens` and
 * `next_token` are not.
 */
const char *wv_secret_name(const char *name, size_t n);
/* The same by the rules: their own names, without the kinds they have off. */
const char *wv_name_kind(
	const struct wv_rules *rules, const char *name, size_t n);

/* The kind of a value that its name and itself together give away, where
 * neither does alone: digits alone that are a phone, an SSN or a card (as a
 * string or a number of JSON), the auth of docker login; or NULL. */
const char *wv_member_kind(const struct wv_rules *rules, const char *name,
	size_t n, const char *value, size_t len);

/* A key that documentation uses. */
bool wv_is_example(const char *s, size_t n);

/* 1.2.3, ^0.7.1: what a package of such a name has */
bool wv_is_version(const char *s, size_t n);

/* What opens nothing: a key of documentation, a version, the name of a
 * resource, what sops and SealedSecrets have made of a value. */
bool wv_is_public(const char *s, size_t n);

/* ${NAME}, <name>, ********, YOUR_KEY: what stands for a secret. */
bool wv_is_placeholder(const char *s, size_t n);

#endif
