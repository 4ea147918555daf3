/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of inject share among themselves, and with their tests. */
#ifndef WV_FIREWALL_INJECT_INTERNAL_H
#define WV_FIREWALL_INJECT_INTERNAL_H

#include "firewall/inject.h"
#include "firewall/normal.h"

/* Words that mean alike. */
struct wv_inject_class {
	const char *name;
	const char *words; /* separated by |; * ends a beginning */
};
/* The first classes are those the machine itself asks about. */
enum {
	WV_CLASS_MUST,  /* an order comes next */
	WV_CLASS_LEAD,  /* so does one, if this could have been one */
	WV_CLASS_AND,   /* so does one, after another */
	WV_CLASS_BLOCK, /* no order after it, even where a line begins */
	WV_CLASS_AFTER, /* what is ignored is something else: … if, … for */
	WV_CLASS_AI,
	WV_CLASS_ABOUT,    /* it is about attacks */
	WV_CLASS_ABOUTISH, /* two of these are one of those */
	WV_CLASS_FIXED,
};
extern const struct wv_inject_class wv_inject_classes[];
extern const size_t wv_inject_class_count;

enum wv_inject_weight {
	WV_INJECT_WEAK, /* only beside another sign */
	WV_INJECT_STRONG,
	WV_INJECT_STRONG_LAST,  /* where the clause ends with it */
	WV_INJECT_STRONG_ALONE, /* unless WV_CLASS_AFTER follows: then nothing */
};

/*
 * Elements in order, within a sentence: [GAP] [^]ALTERNATIVE[|ALTERNATIVE…].
 * GAP is how many words may be between, 0 if not told.  An alternative is
 * $CLASS or a word, words with + between, or a shape as <turn>.  ^: it has to
 * stand where an order could.
 */
struct wv_inject_rule {
	const char *kind; /* NULL: only a sign for others, weak */
	enum wv_inject_weight weight;
	const char *pattern;
	const char *example; /* one it finds; with others beside if weak */
	/* The element, from 1 on, whose words are the rarest in texts; not one
	 * that has <place>. */
	unsigned char anchor;
};
enum { WV_RULES_MAX = 256 };
extern const struct wv_inject_rule wv_inject_rules[];
extern const size_t wv_inject_rule_count;

enum { WV_PHRASE_WORDS = 12 };
struct wv_inject_phrase {
	uint16_t words[WV_PHRASE_WORDS];
	uint8_t count;
	uint16_t class;
};

struct wv_inject_element {
	uint16_t rule;
	uint8_t gap;
	bool order; /* ^ */
	bool first, last;
};

/* A list: of each word its classes and the phrases it ends, of each class the
 * elements.  0 ends one. */
struct wv_inject_link {
	uint16_t what, next;
};

/* What a word may do where no rule has begun. */
enum wv_inject_does {
	WV_DOES_BEGIN = 1, /* begin one, or say that an order comes */
	WV_DOES_ORDER = 2, /* begin one where an order may stand */
	WV_DOES_BLOCK = 4,
	WV_DOES_END = 8,   /* end a phrase that does the first or second */
	WV_DOES_PART = 16, /* be in a phrase, not as its end */
};
/* The most words from one element to the next. */
enum { WV_GAP_MAX = 16 };

struct wv_inject_table {
	struct wv_words *words;
	struct wv_inject_phrase *phrases;
	struct wv_inject_element *elements;
	struct wv_inject_link *links;
	size_t phrase_count, element_count, link_count, class_count;
	uint8_t *word_does; /* enum wv_inject_does */
	uint16_t *word_classes, *word_phrases, *class_elements; /* links */
};
/* The rules, compiled at the first call. */
const struct wv_inject_table *wv_inject_table(void);

/* A word of the class, not the end of a phrase of it. */
bool wv_inject_word_is(const struct wv_inject_table *table,
	const struct wv_token *token, size_t class);

/* wv_inject_scan() that looks everywhere, and how many steps it took: bytes
 * and list members. */
size_t wv_inject_scan_all(const char *s, size_t n, struct wv_injection *found,
	size_t max, size_t *steps);

/* The words around s[start .. end) tell that it is quoted in a text about
 * attacks.  Looks at WV_ABOUT_BEFORE and WV_ABOUT_AFTER bytes. */
enum { WV_ABOUT_BEFORE = 400, WV_ABOUT_AFTER = 200 };
bool wv_inject_is_mention(const struct wv_inject_table *table, const char *s,
	size_t n, size_t start, size_t end, size_t *steps);

/* Offset of the character that s[at] belongs to. */
static inline size_t
wv_character_start(const char *s, size_t at)
{
	while (at > 0 && ((unsigned char)s[at] & 0xC0) == 0x80)
		at--;
	return at;
}

#endif
