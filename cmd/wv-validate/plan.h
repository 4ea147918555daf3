/* SPDX-License-Identifier: Apache-2.0 */
/* The input in pieces that can be judged side by side. */
#ifndef WV_VALIDATE_PLAN_H
#define WV_VALIDATE_PLAN_H

#include "piece.h"

struct plan {
	struct piece *pieces; /* in the order of the input */
	size_t count, cap;
};

/* The file is kept.  With split, a long file of lines becomes several pieces,
 * by how long it is now; the last goes to its end, wherever that is then. */
void plan_add(struct plan *plan, const char *file, const struct target *target,
	bool split);
void plan_free(struct plan *plan);

#endif
