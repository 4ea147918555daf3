/* SPDX-License-Identifier: Apache-2.0 */
/* What the recognizers of numbers share. */
#ifndef WV_FIREWALL_SHAPES_NUMBER_H
#define WV_FIREWALL_SHAPES_NUMBER_H

#include "firewall/scan-internal.h"

enum {
	WV_GROUPS = 8,
	WV_DIGITS = 19,
	WV_NEAR = 40, /* bytes before a number in which a word may tell */
};

/* Groups of digits and what stands between them: a space, dash, dot or slash,
 * or parentheses, which are written as such. */
struct wv_groups {
	size_t starts[WV_GROUPS], ends[WV_GROUPS];
	char separators[WV_GROUPS]; /* before each group */
	size_t groups, count;
	char digits[WV_DIGITS];
};

/* Digits of a group; 0 if there is no such group. */
size_t wv_group_size(const struct wv_groups *x, size_t group);
/* The number that n digits are. */
unsigned wv_number_prefix(const char *digits, size_t n);
/* What stands behind the end makes it part of something longer. */
bool wv_number_goes_on(struct wv_text *t, size_t end);
bool wv_phone(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit);

#endif
