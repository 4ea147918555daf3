/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scanner, its rules and its recognizers share.  A kind is a row of
 * shapes-table.c (an anchor and what confirms it) or of names.c.
 *
 * Every recognizer looks at each byte a bounded number of times: one that
 * fails must fail before it has read past the next place where it could start
 * again, or within a fixed number of bytes.  It looks at most WV_REACH bytes
 * back, and says by `open` that it would have looked behind the end.
 */
#ifndef WV_FIREWALL_SCAN_INTERNAL_H
#define WV_FIREWALL_SCAN_INTERNAL_H

#include "base/mem.h"
#include "firewall/rules.h"

#include <stdint.h>

/* Counts the bytes that are looked at, in tests. */
#ifdef WV_SCAN_STEPS
extern size_t wv_scan_steps;
#define WV_STEPS(n) (wv_scan_steps += (n))
#else
#define WV_STEPS(n) ((void)(n))
#endif

enum {
	WV_REACH = 128, /* bytes before an anchor where its hit may begin */
};

struct wv_rule;

/* What recognizers see. */
struct wv_text {
	const char *s;
	size_t n, from;
	const struct wv_rules *rules;
	bool open;  /* more text could change what was found */
	size_t low; /* where a hit of the anchor at hand may begin */
};

typedef bool wv_recognizer(struct wv_text *text, size_t at,
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
	WV_HEX = 1024,      /* 0-9 a-f */
	WV_BASE64 = 2048,   /* A-Z a-z 0-9 + / */
	WV_DOTTED = 4096,   /* A-Z a-z 0-9 _ - . */
	WV_DIGIT = 8192,
	WV_ENCODED = 16384, /* TOKEN68, its =, and % */
};
extern const uint16_t wv_char_classes[256];

static inline bool
wv_is_class(int c, enum wv_chars chars)
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

/* A row: an anchor of 2 bytes or more, and what confirms it. */
struct wv_rule {
	const char *anchor;
	size_t length; /* of it */
	bool any_case; /* the anchor is lower case, the text need not */
	wv_recognizer *recognize;
	const char *kind; /* NULL: the recognizer knows */
	/* for wv_prefixed: what follows the anchor, and how much of it */
	enum wv_chars chars;
	size_t min, max;  /* max 0: no end */
	bool mixed;       /* a letter and a digit at least */
	const void *data; /* of recognizers of rules from files */
	/* which wv_rules_add() knows: the first 8 bytes of the anchor, and how
	 * many of them if there is a space within */
	uint64_t first, mask, fold;
	bool is_head; /* it is found by wv_prefilter.heads, or by a bucket: */
	unsigned char bucket; /* + 1; 0: not known yet */
	size_t spaced;
};

/* Of shapes-table.c. */
extern const struct wv_rule wv_built_in[];
extern const size_t wv_built_in_count;

/*
 * Sets of rules: wv_rules_new().  What is given to one stays the caller's and
 * has to last as long.
 */
void wv_rules_add(struct wv_rules *rules, const struct wv_rule *row);
/* What is given to this name, which is in lower case, is of this kind. */
void wv_rules_name(struct wv_rules *rules, const char *name, const char *kind);
/* Looks for a kind of kinds.c, or does not. */
void wv_rules_switch(struct wv_rules *rules, const char *kind, bool on);
/* Values that are let through: those for which allows says so. */
typedef bool wv_allows(
	const void *data, const char *kind, const char *s, size_t n);
void wv_rules_allow(
	struct wv_rules *rules, wv_allows *allows, const void *data);
/* Those given, or the built-in ones. */
const struct wv_rules *wv_rules_or_built_in(const struct wv_rules *rules);
bool wv_rules_has(const struct wv_rules *rules, const char *kind);
bool wv_rules_allows(const struct wv_rules *rules, const char *kind,
	const char *s, size_t n);

/* The kinds there are; one that is not in the list is never off. */
struct wv_kind {
	const char *name;
	bool is_pii, is_off;
};
extern const struct wv_kind wv_kinds[]; /* to the one without a name */
const struct wv_kind *wv_kind(const char *name);

enum { WV_WINDOW = 4, WV_SLOTS = 1024 };

/*
 * Which bytes may begin an anchor: bit b of set k at offset i is set if an
 * anchor of bucket 8k+b may have a byte of this low and of this high half
 * there.
 */
struct wv_prefilter {
	uint8_t low[2][WV_WINDOW][16], high[2][WV_WINDOW][16];
	uint16_t passes[WV_WINDOW][256]; /* the buckets, by whole bytes */
	unsigned char single[2]; /* bytes that are anchors by themselves */
	/* Of many rows of files: a bit for what the first bytes of an anchor
	 * may be, by their hash; NULL: none. */
	const uint64_t *heads;
	uint32_t head_mask;
	unsigned head_shift;
};

struct wv_rules {
	struct wv_arena *arena;
	struct wv_rule *rows; /* sorted by slot */
	size_t count;
	size_t names;                 /* of them: of wv_rules_name() */
	uint16_t slots[WV_SLOTS + 1]; /* where its rows begin */
	struct wv_prefilter filter;
	bool ready;
	/* kinds without anchors */
	bool card, phone, ssn, iban, email, addresses;
	const struct wv_kind **switched; /* kinds in another state … */
	size_t switched_count;           /* … than by default */
	struct {
		wv_allows *allows;
		const void *data;
	} * allowed;
	size_t allowed_count;
	const struct wv_known *known; /* firewall/known.h; NULL: none */
};

/* Finds the buckets of rows that have none, and fills the filter. */
void wv_filter_rows(
	struct wv_prefilter *filter, struct wv_rule *rows, size_t n);
/* What it finds for a row of wv_built_in; 0: it has to look. */
unsigned char wv_filter_bucket(size_t row);
/* Before that: takes rows of files out of the filter if there are many. */
void wv_filter_heads(struct wv_prefilter *filter, struct wv_rule *rows,
	size_t n, struct wv_arena *arena);

static inline uint32_t
wv_head_hash(const struct wv_prefilter *filter, const unsigned char *s)
{
	uint32_t four = (uint32_t)s[0] | (uint32_t)s[1] << 8 |
		(uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;

	return (four & filter->head_mask) * UINT32_C(0x9E3779B1) >>
		filter->head_shift;
}

/* The slot of an anchor, by its first two bytes in any case. */
static inline size_t
wv_rule_slot(const char *s)
{
	return (((size_t)(unsigned char)(s[0] | 0x20) << 5) ^
		       (unsigned char)(s[1] | 0x20)) %
		WV_SLOTS;
}

/* One bit a byte, of 64 bytes. */
struct wv_masks {
	uint64_t anchors, digits, letters, capitals;
	uint64_t between; /* digits of a number: space ( ) - . / */
};
/* s has 64 bytes and WV_WINDOW - 1 behind them. */
void wv_masks_of(const struct wv_prefilter *filter, const unsigned char *s,
	struct wv_masks *masks);

/* Text that is scanned, block by block. */
struct wv_walk {
	struct wv_text text;
	struct wv_masks now, next;
	uint64_t letter, digit; /* bit 0: the byte before the block is one */
	bool more;              /* text follows */
	bool apart;             /* of strings, each ended by a NUL */
};
/* Of the digits of the block at base that begin a number those that a
 * recognizer may confirm. */
uint64_t wv_scan_numbers(const struct wv_walk *w, size_t base, uint64_t starts);
/* From where on an anchor that is still to come may have its hit. */
size_t wv_scan_tail(const struct wv_text *t);

/* The recognizers, each from its anchor. */
wv_recognizer wv_prefixed;      /* an anchor and a run of characters */
wv_recognizer wv_private_key;   /* -----BEGIN … PRIVATE KEY----- */
wv_recognizer wv_private_tail;  /* -----END, where its beginning is not */
wv_recognizer wv_jwt;           /* eyJ */
wv_recognizer wv_github_app;    /* ghs_APPID_JWT */
wv_recognizer wv_openai;        /* sk- */
wv_recognizer wv_two_parts;     /* SG.x.y, PMAK-x-y, glsa_x_y */
wv_recognizer wv_azure_secret;  /* 8Q~ */
wv_recognizer wv_azure_key;     /* JQQJ99 */
wv_recognizer wv_telegram;      /* :AA */
wv_recognizer wv_mailchimp;     /* -us */
wv_recognizer wv_terraform;     /* .atlasv1. */
wv_recognizer wv_webhook;       /* the path after the anchor */
wv_recognizer wv_url_signature; /* sig= */
wv_recognizer wv_bearer;
wv_recognizer wv_basic;
wv_recognizer wv_url_password; /* :// */
wv_recognizer wv_command_user; /* -u and --user, of curl */
wv_recognizer wv_assignment;   /* the end of a telling name */
wv_recognizer wv_email;        /* @ */
wv_recognizer wv_number;       /* a digit: phone, card, ssn */
wv_recognizer wv_iban;         /* a country, and two digits */
wv_recognizer wv_address;      /* IP: the first digit or colon */

/* Where the lines of base64 begin that end at `at`, as those of a key; `at`
 * if there are none. */
size_t wv_key_lines(const struct wv_text *text, size_t at);

/* Nothing of the same word of a name stands before `at`. */
bool wv_name_begins(const char *s, size_t from, size_t at);

/* A secret that is known by its shape and starts at `at`; no assignment. */
bool wv_scan_shape(struct wv_text *text, size_t at, struct wv_hit *hit);

/* A byte, or -1 behind the end. */
static inline int
wv_byte(struct wv_text *t, size_t at)
{
	WV_STEPS(1);
	if (at < t->n)
		return (unsigned char)t->s[at];
	t->open = true;
	return -1;
}

static inline bool
wv_is_at(struct wv_text *t, size_t at, enum wv_chars chars)
{
	int c = wv_byte(t, at);

	return c >= 0 && wv_is_class(c, chars);
}

/* Where the run of chars that begins at `at` ends; of max bytes at most. */
size_t wv_run(struct wv_text *t, size_t at, enum wv_chars chars, size_t max);
/* Where the run before `at` begins; of max bytes at most. */
size_t wv_run_before(
	struct wv_text *t, size_t at, enum wv_chars chars, size_t max);
/* Whether this text stands there. */
bool wv_stands(struct wv_text *t, size_t at, const char *text, size_t n);

/* Nothing before `at` belongs to the same word; the letter of \n or \t in
 * escaped text does not either. */
bool wv_word_starts(struct wv_text *t, size_t at, enum wv_chars chars);
/* Nothing that random text would be: one byte over and over, or a few. */
bool wv_is_dull(const char *s, size_t n);
/* Words and random text differ: the latter has letters and digits. */
bool wv_is_mixed(const char *s, size_t n);
/* Whether a value is the digits of a kind: card, cvv, ssn, phone. */
bool wv_is_number_of(const char *kind, const char *s, size_t n);
/* base64 of user:password */
bool wv_is_user_password(const char *s, size_t n);
/* Whether one of the words stands within max bytes before `at`, on its line,
 * whatever its case. */
bool wv_word_before(
	struct wv_text *t, size_t at, size_t max, const struct wv_word *words);

static inline bool
wv_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool
wv_is_letter(int c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline bool
wv_is_quote(int c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline bool
wv_is_blank(int c)
{
	return c == ' ' || c == '\t';
}

#endif
