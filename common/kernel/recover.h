/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a dead writer left.  The log may be ahead of the store, never behind
 * it; and a plan may have died between consuming a decision and recording
 * what came of it.
 */
#ifndef WV_KERNEL_RECOVER_H
#define WV_KERNEL_RECOVER_H

#include "kernel/state.h"

/* At the beginning of a group, of which it becomes part: so what it settles
 * is committed with the rest, or settled again by the next. */
int wv_recover(struct wv_state *state, struct wv_err *err);

#endif
