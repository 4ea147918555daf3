/* SPDX-License-Identifier: Apache-2.0 */
/* What became of it all (--stats), and why (--explain). */
#ifndef WV_ANSWER_STATS_H
#define WV_ANSWER_STATS_H

#include "build.h"

/* One line of messages. */
void stats_tell(const struct build *build);
/*
 * "counter", "budget", "candidates", "included", "dropped", "dropped_by":
 * {REASON: n}, "dropped_items": [{"id", "kind", "reason"}], "not_candidates":
 * {"phase", "selection"}, "closures", "tokens": {KIND: n, "frame": n},
 * "used": included + dropped = candidates.
 */
void stats_write(struct wv_str *out, const struct build *build);
/* A line a candidate: its score, of what it is made, and what became of it. */
void explain(const struct build *build);

#endif
