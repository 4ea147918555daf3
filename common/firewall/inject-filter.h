/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where wv_inject_scan() has to look.  A rule can match only where words of
 * up to three of its elements are close together, and one of them is an anchor
 * (firewall/inject-anchor.h).  First anchors are looked for; around each of
 * them, whether words of the other elements are there.  Both is seen from the
 * first letters of words, without reading the text as words.  Most text has no
 * such place.
 */
#ifndef WV_FIREWALL_INJECT_FILTER_H
#define WV_FIREWALL_INJECT_FILTER_H

#include "firewall/inject-anchor.h"
#include "firewall/inject-internal.h"

enum { WV_STAGES = 3 };

/* The last word of a match begins no more than WV_FILTER_SPAN bytes after the
 * first; a word is seen no more than WV_PLACE_NAME behind where it begins. */
enum {
	WV_FILTER_SPAN = 256,
	/* Bytes that are looked at together: what is in them counts in any
	 * order. */
	WV_FILTER_CHUNK = WV_CHUNK,
	/* In chunks, from where the last element of a match is seen: */
	WV_FILTER_BACK = 5,   /* to its first word */
	WV_FILTER_AHEAD = 4,  /* to its last */
	WV_FILTER_NEAR = 17,  /* to where another sign is seen that is near */
	WV_FILTER_AROUND = 6, /* around an anchor, with all it belongs to */
	WV_FILTER_REACH = 8,
	WV_FILTER_RING = 32,
	WV_FILTER_FIRSTS = 64,
	WV_FILTER_LOOSE = 3, /* words after what is read in another way */
	WV_FILTER_GROUP = 4, /* chunks that are gone through together */
};

typedef uint64_t wv_rule_set __attribute__((vector_size(WV_RULES_MAX / 8)));

/* Per stage, the rules of which an element of the stage has been seen. */
struct wv_rules_seen {
	wv_rule_set stage[WV_STAGES];
};

enum {
	WV_KEY_SLOT_BITS = 12,
	WV_KEY_BITS = 16,
	WV_KEY_OPEN = 5, /* least letters of what ends with * */
	WV_KEYS_MAX = 2048,
	WV_KEY_PAIRS = 1024,
	WV_KEY_SETS = 1536,
};

/* What a word is for.  Those that count after another stand next to it. */
enum wv_key_flag {
	/* an order may follow it: it ends WV_CLASS_MUST or WV_CLASS_AND */
	WV_KEY_MUST = 1,
	WV_KEY_LEAD = 2, /* if it may be one itself */
	WV_KEY_PART = 4,
	WV_KEY_LAST = 8, /* if it comes after a word with WV_KEY_PART */
	/* words that count only together */
	WV_KEY_FIRST = 16,
	WV_KEY_SECOND = 32,
	WV_KEY_ROLE = 64, /* with a colon behind */
};

/* Words that begin alike; [0] is none. */
struct wv_key_entry {
	uint64_t key;
	uint64_t care; /* bits of key that have to be equal */
	/* elements of rules, in sets[]: by the word, by any pair it ends */
	uint16_t seen, tail;
	uint16_t next; /* of the same slot */
	uint8_t flags; /* enum wv_key_flag */
};

struct wv_key_pair {
	uint64_t key; /* wv_key_of_pair(); 0: none */
	/* where a phrase begins, in the middle of it */
	uint16_t seen, within;
};

struct wv_keys {
	/* A bit for the hash of each entry: most words have none. */
	uint32_t bits[(1 << WV_KEY_BITS) / 32];
	uint32_t open_bits[(1 << WV_KEY_BITS) / 32];
	/* The first entry, of words that end with *. */
	uint16_t slots[1 << WV_KEY_SLOT_BITS], open[1 << WV_KEY_SLOT_BITS];
	struct wv_key_entry entries[WV_KEYS_MAX];
	struct wv_key_pair pairs[WV_KEY_PAIRS];
	struct wv_rules_seen sets[WV_KEY_SETS]; /* [0]: none */
	size_t count, pair_count, set_count;
	struct wv_rules_seen last; /* by the stage of their last element */
	struct wv_rules_seen shapes[WV_SHAPES];
	wv_rule_set ordered; /* their first element is an order */
	wv_rule_set strong;
};
/* Made at the first call. */
const struct wv_keys *wv_inject_keys(void);

static inline uint64_t
wv_key_hash(uint64_t key)
{
	return (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Of the letters that words have to have which end with *. */
static inline uint64_t
wv_key_open_hash(uint64_t key)
{
	return (key << 8 * (WV_KEY_LETTERS - WV_KEY_OPEN)) *
		UINT64_C(0x9E3779B97F4A7C15);
}

static inline size_t
wv_key_slot(uint64_t hash)
{
	return (size_t)(hash >> (64 - WV_KEY_SLOT_BITS));
}

static inline size_t
wv_key_bit(uint64_t hash)
{
	return (size_t)(hash >> (64 - WV_KEY_BITS));
}

static inline size_t
wv_key_follow(const struct wv_keys *keys, uint64_t key, size_t at)
{
	while (((key ^ keys->entries[at].key) & keys->entries[at].care) != 0)
		at = keys->entries[at].next;
	return at;
}

/* The entry of a key, or [0]. */
static inline const struct wv_key_entry *
wv_key_find(const struct wv_keys *keys, uint64_t key)
{
	size_t at = wv_key_follow(
		keys, key, keys->slots[wv_key_slot(wv_key_hash(key))]);

	if (at == 0)
		at = wv_key_follow(keys, key,
			keys->open[wv_key_slot(wv_key_open_hash(key))]);
	return &keys->entries[at];
}

static inline uint64_t
wv_key_of_pair(uint64_t first, uint64_t second)
{
	return (first ^ first >> 29) * UINT64_C(0x9E3779B97F4A7C15) + second;
}

/* Where a pair is, or the place where it would be. */
static inline size_t
wv_key_find_pair(const struct wv_keys *keys, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0xD6E8FEB86659FD93) >> 32) %
		WV_KEY_PAIRS;

	while (keys->pairs[at].key != 0 && keys->pairs[at].key != key)
		at = (at + 1) % WV_KEY_PAIRS;
	return at;
}

enum { WV_ELEMENTS_MAX = 16 };

struct wv_element {
	const char *s, *end; /* its alternatives */
	bool order;
};
/* Those of a rule: how many. */
size_t wv_inject_elements(const char *pattern, struct wv_element *e);
/* How many are left that are worth a stage; the first is. */
size_t wv_inject_stages(struct wv_element *e, size_t count);

/* A word of the rules, or a shape as <turn>. */
struct wv_rule_word {
	const char *s;
	size_t n;
	uint64_t key;
	size_t care; /* letters of the key that others have to begin with */
};
struct wv_rule_word wv_inject_word_of(const char *s, size_t n);
/* The bits of its key that have to be equal. */
static inline uint64_t
wv_rule_word_care(const struct wv_rule_word *word)
{
	return ~UINT64_C(0) >> 8 * (WV_KEY_LETTERS - word->care);
}
/* Those of a phrase: WV_PHRASE_WORDS at most. */
size_t wv_inject_words(
	const char *s, size_t n, char space, struct wv_rule_word *words);
/* How often a word is seen among 100,000. */
size_t wv_inject_commonness(const char *s, size_t n);
/* The end of the alternative at s. */
const char *wv_inject_bar(const char *s, const char *end);
/* The class of a name of n bytes. */
size_t wv_inject_class(const char *name, size_t n);

/* A word that may have a key. */
struct wv_filter_word {
	uint64_t key;
	uint16_t at; /* in the group */
	uint16_t seen;
	bool after; /* the one before has one, too */
	bool order; /* it may be one */
};

/* Of the words of a chunk, a bit where each begins. */
struct wv_filter_words {
	uint64_t starts;
	uint64_t inner; /* what comes before is known, an order is not */
	uint64_t loose; /* what comes before may be read in another way */
};

/* Chunks that are gone through together. */
struct wv_filter_group {
	size_t at; /* where it begins */
	struct wv_filter_words words[WV_FILTER_GROUP];
	/* those that may have a key; [0]: the last before */
	struct wv_filter_word keyed[WV_FILTER_GROUP * WV_FILTER_CHUNK / 2 + 2];
	size_t count;
	bool after; /* the last word has one */
};

/* The places, by where they end: false if there are no more.  All that is found
 * begins and ends within one of them. */
struct wv_filter {
	struct wv_events events;
	struct wv_anchor_look look;
	const struct wv_keys *keys;
	size_t at;    /* where the next group begins */
	size_t until; /* from here on no anchor is near */
	size_t chunk; /* number of the present one */
	/* chunks of the place that may go on, and of one that does not */
	size_t first, end, told_first, told_end;
	bool found, told;
	wv_rule_set whole[WV_FILTER_RING]; /* seen chunk by chunk */
	/* From here on all is forgotten where chunks are passed over. */
	bool fresh; /* nothing is known of what is before */
	/* What was seen, chunk by chunk; where what is seen now goes to. */
	struct wv_rules_seen seen[WV_FILTER_GROUP], *now;
	size_t second_count, first_count;
	/* By chunk and stage, the rules of which all elements up to there were
	 * seen in order. */
	struct wv_rules_seen reached[WV_FILTER_REACH];
	/* the last word that may have a key, none behind it; what it is for; an
	 * order may follow it */
	struct wv_filter_word last;
	bool after;
	unsigned flags;
	bool carry;
	/* of the chunk before */
	struct wv_raw_masks before;
	uint64_t word, spaced;
	/* behind its last word, the one before, … */
	bool odd[WV_FILTER_LOOSE];
	/* From here on nothing is set.  Of the group and the chunk behind
	 * it: */
	unsigned char letters[(WV_FILTER_GROUP + 2) * WV_FILTER_CHUNK];
	struct wv_raw_masks masks[2];
	/* Words that may end a pair with any before them. */
	struct wv_filter_second {
		uint64_t key;
		size_t at;
		struct wv_rules_seen *seen;
	} seconds[3 * WV_FILTER_GROUP * WV_FILTER_CHUNK];
	/* The last that may begin one, in order but for a group. */
	struct wv_filter_first {
		uint64_t key;
		size_t at;
	} firsts[WV_FILTER_FIRSTS];
};
static inline bool
wv_rules_any(const wv_rule_set *set)
{
	uint64_t any = 0;

	for (size_t i = 0; i < WV_RULES_MAX / 64; i++)
		any |= (*set)[i];
	return any != 0;
}

static inline void
wv_rules_mark(wv_rule_set *set, size_t rule)
{
	(*set)[rule / 64] |= UINT64_C(1) << rule % 64;
}

static inline void
wv_rules_see(struct wv_rules_seen *to, const struct wv_rules_seen *seen)
{
	for (size_t k = 0; k < WV_STAGES; k++)
		to->stage[k] |= seen->stage[k];
}

static inline void
wv_filter_first(struct wv_filter *f, uint64_t key, size_t at)
{
	f->firsts[f->first_count++ % WV_FILTER_FIRSTS] =
		(struct wv_filter_first){ key, at };
}

static inline void
wv_filter_second(struct wv_filter *f, uint64_t key, size_t at,
	struct wv_rules_seen *seen)
{
	f->seconds[f->second_count++] =
		(struct wv_filter_second){ key, at, seen };
}

/* Of the words of a chunk, base bytes from where the group begins, those that
 * may have a key. */
void wv_filter_find(const struct wv_keys *keys, const unsigned char *letters,
	size_t base, uint64_t starts, struct wv_filter_group *group);
/* What those of the group are good for. */
void wv_filter_read(struct wv_filter *f, struct wv_filter_group *group);

/* No anchor is before s[from]. */
void wv_filter_start(struct wv_filter *f, const char *s, size_t n, size_t from);
/* All that is found begins at *from or later, and its last word before *to. */
bool wv_filter_next(struct wv_filter *f, size_t *from, size_t *to);

#endif
