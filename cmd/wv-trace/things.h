/* SPDX-License-Identifier: Apache-2.0 */
/* What the events of a log are about, by a hash of its ids: 16 bytes a thing,
 * in at most 32 MiB.  When that is full, what is over is forgotten. */
#ifndef WV_TRACE_THINGS_H
#define WV_TRACE_THINGS_H

#include "base/str.h"

#include <stdint.h>

/* Bits of what happened to a thing; the rest of `value` is what its kind
 * needs to know of it. */
enum {
	BEGUN = 1, /* authorized; a step or leg began; a Frame needs firewall */
	ENDED = 2, /* executed; completed; firewall applied */
	VOID = 4,
	BITS = 8,
};

enum kind { DECISION, FRAME, STEP, LEG, KINDS };

struct thing {
	uint64_t key; /* kind, and a hash of ids; 0: free */
	uint64_t value;
};

struct things {
	struct thing *slots;
	size_t room, count;
	bool is_full; /* what is open is more than THINGS_MOST */
	struct wv_str key;
};
enum { THINGS_MOST = 3 << 18 };

/* NULL-terminated ids; a new one has value 0.  Holds until the next. */
struct thing *things_find(
	struct things *things, enum kind kind, const char *const *ids);
uint64_t things_hash(struct things *things, const char *const *ids);
bool thing_is_over(const struct thing *thing);
void things_free(struct things *things);

#endif
