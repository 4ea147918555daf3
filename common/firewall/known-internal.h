/* SPDX-License-Identifier: Apache-2.0 */
/* The automaton of Aho and Corasick that finds known values, and what is put
 * into it. */
#ifndef WV_FIREWALL_KNOWN_INTERNAL_H
#define WV_FIREWALL_KNOWN_INTERNAL_H

#include "base/str.h"
#include "firewall/known.h"

#include <stdint.h>

/* A state.  Before it is ready its children are a list. */
struct wv_state {
	uint32_t child, next; /* 0: none */
	uint32_t fail;        /* the longest suffix that is a state */
	uint32_t depth;
	uint32_t match; /* bytes of the longest value that ends here; 0: none */
	unsigned char byte; /* that leads here */
	bool is_cut; /* of base64: the characters around it have bits of it */
};

struct wv_known {
	struct wv_state *states; /* the first is the root */
	size_t count, room;
	bool ready;
	uint64_t pairs[1024]; /* bits: two bytes that values begin with */
};

void wv_known_put(struct wv_known *known, const char *s, size_t n, bool is_cut);
/* Puts in all forms of a value. */
void wv_known_put_forms(struct wv_known *known, const char *s, size_t n);

#endif
