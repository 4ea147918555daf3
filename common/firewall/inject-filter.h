/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where wv_inject_scan() has to look.  A rule can match only where words of
 * up to four of its elements are close together; whether they are is seen
 * from the first letters of words, without reading the text as words.  Most
 * text has no such place.
 */
#ifndef WV_FIREWALL_INJECT_FILTER_H
#define WV_FIREWALL_INJECT_FILTER_H

#include "firewall/inject-internal.h"

enum { WV_STAGES = 4, WV_RULES_MAX = 128 };

enum {
	/* The last word of a match begins no more than two blocks after the
	 * first.  In blocks, from where the last element of a match is seen: */
	WV_FILTER_BLOCK = 128,
	WV_FILTER_BACK = 3,  /* to its first word */
	WV_FILTER_AHEAD = 2, /* to its last */
	WV_FILTER_NEAR = 8,  /* to where another sign is seen that is near */
	WV_FILTER_RING = 16,
	WV_FILTER_FIRSTS = 16,
};

typedef uint64_t wv_rule_set __attribute__((vector_size(WV_RULES_MAX / 8)));

/* Per stage, the rules of which an element of the stage has been seen. */
struct wv_rules_seen {
	wv_rule_set stage[WV_STAGES];
};

enum wv_key_flag {
	/* what the word says about whether an order may follow it */
	WV_KEY_MUST = 1, /* ends WV_CLASS_MUST or WV_CLASS_AND alone */
	WV_KEY_LAST = 2, /* ends it after a word with */
	WV_KEY_PART = 4,
	WV_KEY_LEAD = 8, /* if it may be an order itself */
	/* words that count only together */
	WV_KEY_FIRST = 16,
	WV_KEY_SECOND = 32,
	WV_KEY_SEEN = 64,  /* it counts */
	WV_KEY_ROLE = 128, /* with a colon behind */
};

/* Words that begin alike; [0] is none. */
struct wv_key_entry {
	uint64_t key;
	uint64_t care; /* bits of key that have to be equal */
};

struct wv_key_pair {
	uint64_t key; /* wv_key_of_pair(); 0: none */
	/* where a phrase begins, in the middle of it */
	uint16_t seen, within;
};

enum {
	WV_KEY_SLOT_BITS = 13,
	WV_KEY_INDEX_BITS = 11,
	WV_KEYS_MAX = 1 << WV_KEY_INDEX_BITS,
	WV_KEY_PAIRS = 2048,
	WV_KEY_SETS = 4096,
	WV_KEY_CLOSE = 8,
};

struct wv_keys {
	/* an entry, and above it some bits of the hash, so that few words are
	 * compared in vain; 0: not all have the same */
	uint16_t slots[1 << WV_KEY_SLOT_BITS];
	struct wv_key_entry entries[WV_KEYS_MAX];
	uint16_t next[WV_KEYS_MAX]; /* of the same slot */
	uint8_t flags[WV_KEYS_MAX]; /* enum wv_key_flag */
	/* elements of rules, in sets[]: by the word, by any pair it ends */
	uint16_t seen[WV_KEYS_MAX], tail[WV_KEYS_MAX];
	struct wv_key_pair pairs[WV_KEY_PAIRS];
	struct wv_rules_seen sets[WV_KEY_SETS]; /* [0]: none */
	size_t count, set_count;
	struct wv_rules_seen absent; /* rules with fewer elements */
	struct wv_rules_seen shapes[WV_SHAPES];
	wv_rule_set ordered; /* their first element is an order */
	wv_rule_set strong;
	wv_rule_set close; /* elements are WV_KEY_CLOSE words apart, at most */
};
/* Made at the first call. */
const struct wv_keys *wv_inject_keys(void);

/* Of five letters: words that end with * may have no more. */
static inline uint64_t
wv_key_hash(uint64_t key)
{
	return (key << 24) * UINT64_C(0x9E3779B97F4A7C15);
}

static inline size_t
wv_key_slot(uint64_t hash)
{
	return (size_t)(hash >> (64 - WV_KEY_SLOT_BITS));
}

static inline unsigned
wv_key_tag(uint64_t hash)
{
	return ((unsigned)(hash >> (64 - WV_KEY_SLOT_BITS - 5)) % 32) | 1;
}

/* The entry of a key, or 0. */
static inline size_t
wv_key_find(const struct wv_keys *keys, uint64_t key)
{
	uint64_t hash = wv_key_hash(key);
	unsigned slot = keys->slots[wv_key_slot(hash)];
	unsigned tag = slot >> WV_KEY_INDEX_BITS;
	size_t at = slot % WV_KEYS_MAX;

	at = (tag == wv_key_tag(hash)) | (tag == 0) ? at : 0;
	while (((key ^ keys->entries[at].key) & keys->entries[at].care) != 0)
		at = keys->next[at];
	return at;
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
	uint64_t under, space, high;
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

/* The places, in order: false if there are no more.  All that is found begins
 * and ends within one of them. */
struct wv_filter {
	const struct wv_keys *keys;
	struct wv_normal normal; /* the text */
	size_t strip;            /* where the next one begins */
	size_t pure;             /* what is not ASCII was read up to here */
	/* Per stage, the rules of which all elements up to there were seen in
	 * order: in this block, the last, the one before, any of these. */
	struct wv_rules_seen now, last, older, live;
	/* The same of rules whose elements are close, by words. */
	struct wv_rules_seen close_now, close_last;
	unsigned close_words; /* at least so many since close_last */
	size_t quiet;         /* before this words do not count */
	wv_rule_set whole[WV_FILTER_RING]; /* of which all were, by block */
	/* blocks of the place that may go on, and of one that does not */
	size_t first, end, told_first, told_end;
	size_t block;
	bool found, told, finished;
	/* of the word before: an order may follow it, it may be one itself,
	 * it may be a part of what was not read as letters */
	bool carry, order, odd;
	uint8_t flags;
	uint64_t key;
	/* the last words that may begin a pair */
	struct {
		uint64_t key;
		size_t at;
	} firsts[WV_FILTER_FIRSTS];
	size_t first_count;
	/* of the chunk before */
	uint64_t words, spaced;
	bool odds;     /* behind its last word */
	unsigned from; /* where that begins */
	struct wv_raw_masks before;
};
static inline bool
wv_rules_any(wv_rule_set set)
{
	return (set[0] | set[1]) != 0;
}

/* Elements of rules; order: also those that have to be orders. */
static inline void
wv_filter_see(struct wv_filter *f, const struct wv_rules_seen *what, bool order)
{
	const struct wv_keys *keys = f->keys;
	wv_rule_set found[WV_STAGES], all = { 0 };

	found[0] = order ? what->stage[0] : what->stage[0] & ~keys->ordered;
	wv_rule_set any = found[0];
	for (size_t k = 1; k < WV_STAGES; k++) {
		found[k] = what->stage[k] & f->live.stage[k - 1];
		any |= found[k];
	}
	if (!wv_rules_any(any))
		return;
	for (size_t k = 0; k < WV_STAGES; k++) {
		f->live.stage[k] |= found[k];
		f->now.stage[k] |= found[k];
		f->close_now.stage[k] |= found[k];
		all |= k + 1 < WV_STAGES ? found[k] & keys->absent.stage[k + 1]
					 : found[k];
	}
	f->whole[f->block % WV_FILTER_RING] |= all;
}

/* The event at at: what is not a word of plain letters. */
void wv_filter_event(struct wv_filter *f, size_t at);
/* s p a c e d: where a letter stands alone and so do the next three. */
void wv_filter_spaced(struct wv_filter *f, size_t at);
/* The word at at is a role: it is a mark if a colon follows. */
void wv_filter_role(struct wv_filter *f, size_t at);
/* Two words; order: the first may be an order. */
void wv_filter_pair(
	struct wv_filter *f, uint64_t first, uint64_t second, bool order);
/* A word that may begin a pair; one that ends pairs, entry e, where what
 * comes before is not known, but has been seen. */
void wv_filter_first(struct wv_filter *f, uint64_t key, size_t at);
void wv_filter_second(struct wv_filter *f, size_t e, uint64_t key, size_t at);

void wv_filter_start(struct wv_filter *f, const char *s, size_t n);
bool wv_filter_next(struct wv_filter *f, size_t *from, size_t *to);

#endif
