/* SPDX-License-Identifier: Apache-2.0 */
/* What a group forgets before it commits: for group.c. */
#ifndef WV_KERNEL_PRUNE_H
#define WV_KERNEL_PRUNE_H

#include "kernel/state.h"

/*
 * (group) Now and then, what ended a day before is forgotten: far longer ago
 * than --leeway can make it matter; and so are artifacts that expired, with
 * their files.  A little at a time, so that no group waits for it, and more
 * than a group can add.
 */
int wv_prune(
	struct wv_state *state, struct wv_summit *summit, struct wv_err *err);

#endif
