/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first look of the filter.  Of each rule one element is chosen whose words
 * are rare; of a phrase, the rarest word and one beside it.  No rule matches
 * where none of these anchors is: most text has none, and is done with.
 */
#ifndef WV_FIREWALL_INJECT_ANCHOR_H
#define WV_FIREWALL_INJECT_ANCHOR_H

#include "firewall/inject-raw.h"

enum {
	WV_ANCHOR_BITS = 16,
	WV_ANCHOR_SLOT_BITS = 11,
	WV_ANCHORS_MAX = 1536,
};

/* Which word has to be beside it. */
enum wv_anchor_side {
	WV_ANY_SIDE,
	WV_BEFORE_IT,
	WV_BEHIND_IT,
	WV_COLON,
	WV_SIDES
};

struct wv_anchor {
	uint64_t key, beside;
	uint64_t care, beside_care; /* bits of them that have to be equal */
	uint16_t next;              /* of the same slot */
	uint8_t side;               /* enum wv_anchor_side */
	bool place;                 /* and a URL or an address behind it */
};

struct wv_anchors {
	/* A bit for the hash of each: most words have none. */
	uint64_t bits[(1 << WV_ANCHOR_BITS) / 64];
	uint16_t slots[1 << WV_ANCHOR_SLOT_BITS];
	struct wv_anchor at[WV_ANCHORS_MAX]; /* [0] is none */
	size_t count;
	bool shapes[WV_SHAPES];
};
/* Made at the first call. */
const struct wv_anchors *wv_inject_anchors(void);

/* Of the first letters: the others may be any if a word of the rules ends with
 * *. */
static inline uint64_t
wv_anchor_hash(uint64_t key)
{
	enum { LETTERS = 5 };

	return (key << 8 * (WV_KEY_LETTERS - LETTERS)) *
		UINT64_C(0x9E3779B97F4A7C15);
}

struct wv_anchor_look {
	struct wv_events events;
	const struct wv_anchors *anchors;
	bool parted;      /* a NUL ends a text, where another one begins */
	size_t placeless; /* up to here was no place when it was searched */
	size_t at;        /* where the next chunk begins */
	uint64_t hits;    /* of the last one, a bit where an anchor is */
	bool seen;        /* an event was one */
	bool fresh;       /* what is around the next chunk is not known */
	uint64_t word;    /* of the last */
	unsigned turn;
	/* in turn: the last, the next, and the one behind it */
	struct wv_raw_masks masks[3];
	unsigned char letters[2 * WV_CHUNK + WV_KEY_LETTERS];
};

/* From s[from] on. */
void wv_anchor_start(
	struct wv_anchor_look *look, const char *s, size_t n, size_t from);
/* Where the next one is, or a mark of the word that is one. */
bool wv_anchor_next(struct wv_anchor_look *look, size_t *at);
/* Those before s[to] are of no interest any more. */
void wv_anchor_skip(struct wv_anchor_look *look, size_t to);

/*
 * Of plain letters that begin at at, in bytes.  The keys of the words beside
 * them; 0: they cannot be told, as more than plain letters and what parts words
 * is there.
 */
uint64_t wv_key_before(const struct wv_normal *p, size_t at);
uint64_t wv_key_behind(const struct wv_normal *p, size_t at);
/* The word beside may be the one of a key, which is whole: seen by its last or
 * first letter, where there is nothing but a space between. */
bool wv_may_be_before(const struct wv_normal *p, size_t at, uint64_t key);
bool wv_may_be_behind(const struct wv_normal *p, size_t at, uint64_t key);
/* They are a word: no number, address or mark, and not the middle of what is
 * looked for where another letter is. */
bool wv_is_plain_word(const struct wv_normal *p, size_t at);
/* Where the sentence in which from is ends at the latest, if not at end. */
size_t wv_sentence_end(const struct wv_normal *p, size_t from, size_t end);
/* A URL, an address, or one that was redacted. */
bool wv_has_place(const struct wv_normal *p, size_t from, size_t end);

#endif
