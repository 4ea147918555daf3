/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where secrets stand in clean text: the part of the firewall that grows.  A
 * kind is a row of scan.c (an anchor and what confirms it) or of names.c.
 * Every recognizer looks at each byte a bounded number of times, so scanning
 * is linear whatever the text: one that fails must fail before it has read
 * past the next place where it could start again.
 */
#ifndef WV_FIREWALL_SCAN_H
#define WV_FIREWALL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wv_hit {
	size_t start, end;
	const char *kind; /* static */
};

/* The first secret that begins at or after from, where the last one ended;
 * nothing before from is looked at. */
bool wv_scan(const char *s, size_t n, size_t from, struct wv_hit *hit);

/* Where the first end of a private key at or after from ends, or 0. */
size_t wv_key_end(const char *s, size_t n, size_t from);

/* Kinds that are about people, for pii_detected. */
bool wv_kind_is_pii(const char *kind);

/* A [REDACTED:kind] mark at s: its length, or 0.  A recognizer may report one
 * that stands where a secret would: the scan then goes on behind it, so that
 * redacting twice is redacting once. */
size_t wv_mark_length(const char *s, size_t n);

/*
 * The kind of what a name stands for (password, token, api-key, …), or NULL
 * if it is no name of a secret.  Word-exact: `registry_password`,
 * `dbPassword` and `X-Api-Key` are; `keyboard`, `max_tokens` and
 * `next_token` are not.
 */
const char *wv_secret_name(const char *name, size_t n);

/* What recognizers see. */
struct wv_text {
	const char *s;
	size_t n, from;
};

struct wv_rule;
typedef bool wv_recognizer(const struct wv_text *text, size_t at,
	const struct wv_rule *rule, struct wv_hit *hit);

enum wv_chars {
	WV_ALNUM = 1,       /* A-Z a-z 0-9 */
	WV_WORD = 2,        /* and _ */
	WV_BASE64URL = 4,   /* and _ - */
	WV_UPPER_DIGIT = 8, /* A-Z 0-9 */
	WV_ALNUM_DASH = 16, /* A-Z a-z 0-9 - */
	WV_TOKEN68 = 32,    /* RFC 7235, without its = */
	WV_NAME = 64,       /* of an assignment: alphanumeric _ - . and space */
	WV_SPECIAL = 128,   /* ends a value that is not quoted */
	WV_LOCAL = 256,     /* of the part of an address before its @ */
	WV_AUTHORITY = 512, /* of user, password and host of a URL */
};
extern const uint16_t wv_char_classes[256];

static inline bool
wv_is_class(char c, enum wv_chars chars)
{
	return (wv_char_classes[(unsigned char)c] & chars) != 0;
}

/* Lists of words, which end with WV_NO_WORD. */
struct wv_word {
	const char *s;
	size_t n;
};
/* clang-format off */
#define WV_W(text) { text, sizeof(text) - 1 }
#define WV_NO_WORD { NULL, 0 }
/* clang-format on */
bool wv_is_one_of(const char *s, size_t n, const struct wv_word *list);
/* The same whatever the case of ASCII letters. */
bool wv_is_like_one_of(const char *s, size_t n, const struct wv_word *list);

struct wv_rule {
	const char *anchor; /* where it starts: 1 or more bytes */
	size_t length;      /* of it */
	bool any_case;      /* the anchor is lower case, the text need not */
	wv_recognizer *recognize;
	const char *kind;
	/* for wv_prefixed: what follows the anchor, and how much of it */
	enum wv_chars chars;
	size_t min, max; /* max 0: no end */
	bool mixed;      /* a letter and a digit at least */
};

/* The recognizers, each from its anchor. */
wv_recognizer wv_prefixed;    /* an anchor and a run of characters */
wv_recognizer wv_private_key; /* -----BEGIN … PRIVATE KEY----- */
wv_recognizer wv_jwt;
wv_recognizer wv_bearer;
wv_recognizer wv_url_password; /* :// */
wv_recognizer wv_assignment;   /* : and = */
wv_recognizer wv_email;        /* @ */

/* A secret that is known by its shape and starts at `at`; no assignment. */
bool wv_scan_shape(const struct wv_text *text, size_t at, struct wv_hit *hit);

/* Nothing before `at` belongs to the same word; the letter of \n or \t in
 * escaped text does not either. */
bool wv_word_starts(const struct wv_text *text, size_t at, enum wv_chars chars);
size_t wv_run(const struct wv_text *text, size_t at, enum wv_chars chars);
bool wv_is_example(const char *s, size_t n);

#endif
