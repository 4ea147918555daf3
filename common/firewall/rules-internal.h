/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of rules share among themselves, and with nobody else. */
#ifndef WV_FIREWALL_RULES_INTERNAL_H
#define WV_FIREWALL_RULES_INTERNAL_H

#include "base/mem.h"
#include "firewall/rules.h"
#include "firewall/scan-internal.h"
#include "json/doc.h"
#include "schema/regex.h"

enum {
	WV_ANCHOR_LEAST = 3, /* bytes of it */
	WV_ANCHOR_MOST = 64,
	WV_HEAD_MOST = 4,         /* bytes that choose the rules to look at */
	WV_SAME_ANCHOR = 16,      /* rules of one anchor */
	WV_ALLOW_PATTERNS = 100,  /* each of which sees every value found */
	WV_ALLOWED_MOST = 4096,   /* bytes of a value that one lets through */
	WV_MATCH_MOST = 16 << 10, /* bytes that a rule can see and match */
};

/* Bytes of text, or of a pattern. */
struct wv_bytes {
	const char *s;
	size_t n;
};

/* A row of add. */
struct wv_added {
	struct wv_bytes anchor;
	const char *kind;
	struct wv_regex *regex;
	size_t index; /* in the file */
	bool off;
};

/* A row of allow. */
struct wv_allowed {
	struct wv_bytes value;  /* or */
	struct wv_regex *regex; /* of the whole value */
	const char *kind;       /* "": any */
	size_t index;
};

/* Those whose anchors begin with the same bytes. */
struct wv_head {
	const struct wv_added *first;
	size_t count;
	struct wv_purse *purse;
};

/* What patterns may cost: so much, and more with the text. */
struct wv_purse {
	size_t left, spent;
	const char *s; /* where it was filled last, */
	size_t at;     /* up to here */
};

struct wv_rules_file {
	struct wv_arena arena; /* first: that of the rules */
	struct wv_doc doc;
	struct wv_rules *rules;
	struct wv_added *added;               /* sorted by anchor */
	struct wv_allowed *values, *patterns; /* values are sorted */
	size_t added_count, value_count, pattern_count;
	struct {
		const char *name;
		bool off;
	} * own; /* kinds that are not built in, sorted */
	size_t own_count;
	struct wv_purse purse, allow_purse;
};

struct wv_rules_reader {
	struct wv_rules_file *file;
	struct wv_str bytes; /* scratch */
	struct wv_err *err;
};
/* A fault of row i of a list, or of a member of that row ("/kind"). */
int wv_rules_bad(const struct wv_rules_reader *reader, const char *list,
	size_t i, const char *member, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Of kinds: those that the file makes up, by what it adds; */
void wv_rules_own_kinds(struct wv_rules_file *file);
/* whether one of these is off, or NULL if it is none; */
bool *wv_rules_own(const struct wv_rules_file *file, const char *name);
/* that there is no such kind; */
int wv_rules_unknown(const struct wv_rules_reader *reader, const char *list,
	size_t i, const char *member, const char *kind);
/* which ones are on and off. */
int wv_rules_switches(struct wv_rules_reader *reader);
bool wv_rules_is_off(const struct wv_rules_file *file, const char *kind);

/* The file that rules came from. */
struct wv_rules_file *wv_rules_file(const struct wv_rules *rules);

/* The recognizer of what was added: data of the row is its wv_head. */
wv_recognizer wv_rules_find;
/* Whether a pattern of the file matches at s[at]; *end is where it ends. */
bool wv_rules_match(struct wv_text *text, size_t at,
	const struct wv_added *added, struct wv_purse *purse, size_t *end);
/* Whether a value is let through; data is the file. */
wv_allows wv_rules_let;

int wv_bytes_order(const struct wv_bytes *a, const struct wv_bytes *b);

#endif
