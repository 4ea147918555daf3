/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A look at all strings of a tree at once, before they are gone through one by
 * one: most have nothing that would be cleaned, redacted, decoded or told of.
 * One that passes is one of which the long way would say the same.
 */
#ifndef WV_FIREWALL_GLANCE_H
#define WV_FIREWALL_GLANCE_H

#include "firewall/firewall.h"

struct wv_glance {
	const char *s; /* the strings */
	size_t n;
	/* A bit for each byte, of use where a string begins. */
	uint64_t *odd;  /* it is not printable ASCII, \n and \t */
	uint64_t *loud; /* it changes when it is cleaned and redacted */
	uint64_t *told; /* it may have an injection */
	bool any_odd;
};

/* NULL: it would not do, every string has to be gone through.  tell:
 * injections are looked for. */
const struct wv_glance *wv_glance(struct wv_arena *arena,
	const struct wv_json_strings *strings,
	const struct wv_firewall_options *options, bool tell);

/* For tests: there are no glances any more. */
extern bool wv_glance_never;

/* Whether a string or name was looked at, and has none of these bits. */
static inline bool
wv_glance_passes(
	const struct wv_glance *glance, const uint64_t *bits, const char *s)
{
	size_t at = (size_t)((uintptr_t)s - (uintptr_t)glance->s);

	return at < glance->n && (bits[at / 64] >> at % 64 & 1) == 0;
}

#endif
