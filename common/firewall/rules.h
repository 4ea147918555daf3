/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules from a file, wv-firewall-rules(5): what is redacted besides, and what
 * is left.  Whatever they are, scanning stays linear in the text: a pattern
 * is tried only where its anchor stands, on some bytes from there, and all
 * tries share means that grow with the text.  When these are used up, what
 * stands there counts as a match.
 */
#ifndef WV_FIREWALL_RULES_H
#define WV_FIREWALL_RULES_H

#include "firewall/scan.h"

#include "base/err.h"
#include "base/mem.h"

/* The built-in rules, in an arena.  Nothing changes after wv_rules_ready(),
 * which they have to be before the first look. */
struct wv_rules *wv_rules_new(struct wv_arena *arena);
void wv_rules_ready(struct wv_rules *rules);

/* Those and the ones of the file, not ready yet. */
struct wv_rules *wv_rules_load(const char *path, struct wv_err *err);
/* Of wv_rules_load(); NULL: nothing. */
void wv_rules_free(struct wv_rules *rules);

/* What they probably do not mean: tells each fault and returns how many there
 * are.  rules are those of wv_rules_load(); they are made ready. */
size_t wv_rules_lint(
	struct wv_rules *rules, void (*tell)(const struct wv_err *fault));

#endif
