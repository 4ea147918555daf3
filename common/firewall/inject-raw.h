/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a text, 64 at a time, as far as words go: what both looks of
 * the filter share. */
#ifndef WV_FIREWALL_INJECT_RAW_H
#define WV_FIREWALL_INJECT_RAW_H

#include "firewall/normal-internal.h"

#include <string.h>

enum { WV_CHUNK = 64 };

/* Of a chunk, a bit for each byte. */
struct wv_raw_masks {
	uint64_t letter; /* also digits, not what follows \ as in \n */
	uint64_t under, space, quote, high;
	uint64_t lead;   /* high, the first of a character */
	uint64_t after;  /* of interest behind a letter: ' * ~ @ < */
	uint64_t colon;  /* at least those that may be of a URL */
	uint64_t before; /* before one, or open: < [ & % \ # */
	uint64_t open;   /* | / < [ # ! */
	uint64_t close;  /* > */
};
/* Of the chunk at at, of nothing where the text has ended.  Writes the letters
 * as wv_letters[] has them, '_' and 0 for all else.  Without all there is no
 * space, quote or close. */
void wv_raw_read(const struct wv_normal *text, size_t at,
	unsigned char *letters, bool all, struct wv_raw_masks *m);

/* The key of the word whose letters these are. */
static inline uint64_t
wv_raw_key(const unsigned char *letters)
{
	uint64_t key, zero;

	memcpy(&key, letters, sizeof(key));
	/* a bit in the first byte that is 0, and some behind it */
	zero = (key - UINT64_C(0x0101010101010101)) &
		UINT64_C(0x8080808080808080);
	return key & (zero ^ (zero - 1));
}

/* A chunk that is gone through: its masks and those around it. */
struct wv_raw_words {
	uint64_t word;   /* letters, and _ between two */
	uint64_t starts; /* of words */
	uint64_t events; /* where wv_event() may see something */
	uint64_t spaced; /* letters alone, as are the next three */
};

/* No letters: what is _ but not between two. */
static inline void
wv_raw_part(unsigned char *letters, uint64_t no)
{
	for (; no != 0; no &= no - 1)
		letters[__builtin_ctzll(no)] = 0;
}

/* letters: of the chunk and the next; word: of the chunk before. */
static inline struct wv_raw_words
wv_raw_words(const struct wv_raw_masks *last, uint64_t word,
	const struct wv_raw_masks *m, const struct wv_raw_masks *next,
	unsigned char *letters)
{
	struct wv_raw_words w = { .word = m->letter };
	uint64_t letter = m->letter;
	uint64_t before = letter << 1 | last->letter >> 63;
	uint64_t behind = letter >> 1 | next->letter << 63;
	uint64_t single = letter & ~before & ~behind;

	if ((m->under | next->under) != 0) {
		uint64_t under = m->under & before & behind;
		wv_raw_part(letters, m->under & ~under);
		wv_raw_part(letters + WV_CHUNK,
			next->under << 1 >> 1 & /* the last: the next time */
				~((next->letter << 1 | letter >> 63) &
					next->letter >> 1));
		w.word |= under;
	}
	w.starts = w.word & ~(w.word << 1 | word >> 63);
	if ((m->after | m->before | m->lead | m->colon) != 0) {
		uint64_t high = before | m->high << 1 | last->high >> 63;
		uint64_t mark = m->open >> 1 | next->open << 63;
		w.events = (m->after & high) | (m->before & (behind | mark)) |
			m->lead | (m->colon & mark);
	}
	if (single != 0) {
		uint64_t follow = next->letter &
			~(next->letter << 1 | letter >> 63) &
			~(next->letter >> 1);
		w.spaced = single & (single >> 2 | follow << 62) &
			(single >> 4 | follow << 60) &
			(single >> 6 | follow << 58);
	}
	return w;
}

/* What is not a word of plain letters.  Whoever looks at a text begins with
 * this and is told of words and shapes. */
struct wv_events {
	struct wv_normal normal; /* the text */
	size_t pure;             /* what is not ASCII was read up to here */
	void (*word)(struct wv_events *e, uint64_t key, size_t at);
	void (*shape)(struct wv_events *e, enum wv_shape shape);
};

/* Letters behind c are the beginning of what they are in: c is no letter, and
 * none of what stands for one or may be passed over with them. */
bool wv_begins_word(unsigned char c);
/* The event at at. */
void wv_event(struct wv_events *e, size_t at);
/* s p a c e d: where a letter stands alone and so do the next three. */
void wv_event_spaced(struct wv_events *e, size_t at);
/* The word at at is a role: it is a mark if a colon follows. */
void wv_event_role(struct wv_events *e, size_t at);

#endif
