/* SPDX-License-Identifier: Apache-2.0 */
/* Private keys of the state: keys/KID.pem, readable by nobody but its owner. */
#ifndef WV_KERNEL_KEY_H
#define WV_KERNEL_KEY_H

#include "contract/sign.h"
#include "kernel/state.h"

/* To be freed; NULL: not a kid, there is none, others can read it, it is a
 * link, or it holds no key. */
struct wv_signer *wv_key_open(
	struct wv_state *state, const char *kid, struct wv_err *err);

/* For good, once it returns.  0; 1: there is a file already; -1: nothing is
 * left behind. */
int wv_key_save(struct wv_state *state, const char *kid,
	const struct wv_signer *signer, struct wv_err *err);
void wv_key_remove(struct wv_state *state, const char *kid);

#endif
