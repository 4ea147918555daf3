/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where wv_inject_scan() has to look.  A rule can match only where words of
 * up to three of its elements are close together; whether they are is seen
 * from the first letters of words, without reading the text as words.  Most
 * text has no such place.
 */
#ifndef WV_FIREWALL_INJECT_FILTER_H
#define WV_FIREWALL_INJECT_FILTER_H

#include "firewall/inject-internal.h"
#include "firewall/normal-internal.h"

enum { WV_STAGES = 3, WV_RULES_MAX = 128 };

/* The last word of a match begins no more than WV_FILTER_SPAN bytes after the
 * first; a word is seen no more than WV_PLACE_NAME behind where it begins. */
enum {
	WV_FILTER_SPAN = 256,
	/* Bytes that are looked at together: what is in them counts in any
	 * order. */
	WV_FILTER_CHUNK = 64,
	/* In chunks, from where the last element of a match is seen: */
	WV_FILTER_BACK = 5,  /* to its first word */
	WV_FILTER_AHEAD = 4, /* to its last */
	WV_FILTER_NEAR = 17, /* to where another sign is seen that is near */
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
	WV_KEY_PAIRS = 8192,
	WV_KEY_SETS = 4096,
	WV_KEY_CLOSE = 8,
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
	size_t count, set_count;
	struct wv_rules_seen last; /* by the stage of their last element */
	struct wv_rules_seen shapes[WV_SHAPES];
	wv_rule_set ordered; /* their first element is an order */
	wv_rule_set strong;
	wv_rule_set close; /* elements are WV_KEY_CLOSE words apart, at most */
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

/* How many of the alternatives are common, and the most words of one. */
struct wv_element_sizes {
	size_t common, words;
};

struct wv_element {
	const char *s, *end; /* its alternatives */
	bool order;
	struct wv_element_sizes sizes;
	size_t before; /* words that may be between it and the last, and in it */
};
/* Those of a rule that are worth a stage; the first is always. */
size_t wv_inject_elements(const char *pattern, struct wv_element *e);
/* The end of the alternative at s. */
const char *wv_inject_bar(const char *s, const char *end);
/* The class of a name of n bytes. */
size_t wv_inject_class(const char *name, size_t n);

/* Of 64 bytes, a bit each. */
struct wv_raw_masks {
	uint64_t letter; /* also digits, not what follows \ as in \n */
	uint64_t under, space, quote, high;
	uint64_t after; /* of interest behind a letter: ' * ~ @ < */
	uint64_t colon;
	uint64_t before; /* before one, or open: < [ & % \ # */
	uint64_t open;   /* | / < [ # ! */
	uint64_t close;  /* > */
};
/* s[-1] can be read.  Writes the letters as wv_letters[] has them, '_' and 0
 * for all else. */
void wv_raw_masks(
	const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m);

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
	uint64_t sure;  /* it counts as a word */
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
	const struct wv_keys *keys;
	struct wv_normal normal; /* the text */
	size_t at;               /* where the next group begins */
	size_t pure;             /* what is not ASCII was read up to here */
	size_t quiet;            /* before this words do not count */
	size_t chunk;            /* number of the present one */
	/* What was seen, chunk by chunk; where what is seen now goes to. */
	struct wv_rules_seen seen[WV_FILTER_GROUP], *now;
	size_t second_count, first_count;
	/* By chunk and stage, the rules of which all elements up to there were
	 * seen in order; those of which all were. */
	struct wv_rules_seen reached[WV_FILTER_REACH];
	wv_rule_set whole[WV_FILTER_RING];
	/* The same of rules whose elements are close, by words. */
	struct wv_rules_seen close_now, close_last;
	unsigned close_words; /* at least so many since close_last */
	/* chunks of the place that may go on, and of one that does not */
	size_t first, end, told_first, told_end;
	bool found, told;
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
	/* From here on nothing is set at the start.  Of the group and the chunk
	 * behind it: */
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
wv_rules_any(wv_rule_set set)
{
	return (set[0] | set[1]) != 0;
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

/* The event at at: what is not a word of plain letters. */
void wv_filter_event(struct wv_filter *f, size_t at);
/* s p a c e d: where a letter stands alone and so do the next three. */
void wv_filter_spaced(struct wv_filter *f, size_t at);
/* The word at at is a role: it is a mark if a colon follows. */
void wv_filter_role(struct wv_filter *f, size_t at, struct wv_rules_seen *seen);

/* Of the words of a chunk, base bytes from where the group begins, those that
 * may have a key. */
void wv_filter_find(const struct wv_keys *keys, const unsigned char *letters,
	size_t base, uint64_t starts, struct wv_filter_group *group);
/* What those of the group are good for. */
void wv_filter_read(struct wv_filter *f, struct wv_filter_group *group);

void wv_filter_start(struct wv_filter *f, const char *s, size_t n);
/* All that is found begins at *from or later, and its last word before *to. */
bool wv_filter_next(struct wv_filter *f, size_t *from, size_t *to);

#endif
