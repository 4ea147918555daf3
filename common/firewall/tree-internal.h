/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through a tree that is cleaned and redacted where it stands. */
#ifndef WV_FIREWALL_TREE_INTERNAL_H
#define WV_FIREWALL_TREE_INTERNAL_H

#include "firewall/glance.h"
#include "firewall/internal.h"

struct wv_tree_walk {
	struct wv_arena *arena;
	const struct wv_rules *rules;
	const struct wv_firewall_options *options; /* NULL: no glance */
	struct wv_glance *glance;                  /* at the tree; or NULL */
	struct wv_findings *findings;
	bool clean, disown; /* what is raw; marks that are not ours */
	int nesting;        /* of JSON in strings */
	int depth;          /* how often it was decoded */
	const struct wv_place *holder; /* the string that holds this tree */
	const struct wv_place *here;   /* what is looked at */
	void (*spot)(void *arg, const struct wv_spot *spot); /* the caller's */
	void *spot_arg;
	struct wv_str bytes, text; /* scratch */
};

/* tree.c */
void wv_walk_value(struct wv_tree_walk *walk, cJSON *node,
	const struct wv_place *place, size_t depth);
/* A walk would change nothing. */
bool wv_walk_is_idle(const struct wv_glance *glance);

/* tree-string.c */
void wv_walk_string(
	struct wv_tree_walk *walk, cJSON *node, const struct wv_place *place);
/* The value of a member whose name is that of a secret. */
void wv_walk_secret(struct wv_tree_walk *walk, cJSON *node,
	const struct wv_place *place, const char *kind);
/*
 * A string or name as it may be seen, in walk->text; false if it may be seen
 * as it is.  *redacted says whether something was redacted.
 */
bool wv_walk_purify(
	struct wv_tree_walk *walk, const char *s, size_t n, bool *redacted);
void wv_walk_set(
	struct wv_tree_walk *walk, cJSON *node, const char *s, size_t n);
void wv_walk_note_path(struct wv_tree_walk *walk, const struct wv_place *place);
void wv_walk_note_kind(struct wv_tree_walk *walk, const struct wv_place *place,
	const char *kind);

static inline bool
wv_walk_passes(const struct wv_tree_walk *walk, unsigned what, const char *s)
{
	return (wv_glance_marks(walk->glance, s) & what) == 0;
}

#endif
