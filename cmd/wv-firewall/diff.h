/* SPDX-License-Identifier: Apache-2.0 */
/* The added lines of a unified diff. */
#ifndef WV_FIREWALL_DIFF_H
#define WV_FIREWALL_DIFF_H

#include "judge.h"

/* Hands over what was found in each file; -1: it is no unified diff. */
int diff_judge(struct judge *judge, const char *diff, size_t n,
	void (*take)(void *arg, const struct record *record), void *arg,
	struct wv_err *err);

#endif
