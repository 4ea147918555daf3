/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A look at all strings of a tree at once, before they are gone through one by
 * one: most have nothing that would be cleaned, redacted, decoded or told of.
 * One that passes is one of which the long way would say the same.
 */
#ifndef WV_FIREWALL_GLANCE_H
#define WV_FIREWALL_GLANCE_H

#include "firewall/find.h"
#include "firewall/firewall.h"

/* What has to be looked at more closely. */
enum wv_seen {
	WV_SEEN_UNCLEAN = 1, /* it changes when it is cleaned */
	WV_SEEN_CHANGE = 2,  /* or redacted */
	WV_SEEN_ORDER = 4,   /* it may have an injection */
	WV_SEEN_NAME = 8,    /* as a name it may tell what a value is */
	WV_SEEN_JSON = 16,   /* it may be JSON */
	WV_SEEN_TREE = 32,   /* it is, and long: what is in it counts */
	WV_SEEN_NOT = ~0u,
};

/* Where the strings and names are held that are no longer those that were
 * looked at; {0} is none. */
struct wv_changed {
	char ***at;
	size_t count;
};

/* A string that is JSON, read. */
struct wv_inner {
	const char *s;
	cJSON *tree;
	struct wv_json_strings strings;
	struct wv_inner *next; /* of the strings behind it */
};

struct wv_glance {
	const char *s; /* the strings */
	size_t n;
	uint8_t *marks;         /* enum wv_seen, of WV_GLANCE_GRAIN bytes each;
				   a string's is where it begins */
	unsigned any;           /* of all of them */
	struct wv_hits hits;    /* what the scanner finds first in a string; in
				   the arena */
	bool is_deep;           /* the tree is deeper than WV_TREE_DEPTH */
	bool tell;              /* injections are looked for */
	struct wv_inner *inner; /* those that were not asked for yet */
	struct wv_changed changed;
	struct wv_glance *next; /* at these */
};

/* Of two strings that begin as near each may have what the other has. */
enum { WV_GLANCE_GRAIN = 4 };

/* NULL: it would not do, every string has to be gone through.  what:
 * WV_SEEN_ORDER, injections are looked for; WV_SEEN_TREE, JSON in strings is
 * read. */
struct wv_glance *wv_glance(struct wv_arena *arena, const cJSON *tree,
	const struct wv_json_strings *strings,
	const struct wv_firewall_options *options, unsigned what);

/* What is in a string, if that was read; asked for in their order. */
const struct wv_inner *wv_glance_inner(struct wv_glance *glance, const char *s);
/* What wv_scan() finds first in a string, as it was looked at, if that is
 * known; glance may be NULL. */
bool wv_glance_hit(const struct wv_glance *glance, const char *s, size_t n,
	struct wv_hit *first);
/* A string was put there; glance may be NULL. */
void wv_glance_note(struct wv_glance *glance, char **at);
/* Looks for injections in all that were, too; they are moved for that. */
void wv_glance_changed(struct wv_arena *arena, struct wv_glance *glance);

/* For tests: there are no glances any more. */
extern bool wv_glance_never;

/* What is marked of a string or name; one that was not looked at has all. */
static inline unsigned
wv_glance_marks(const struct wv_glance *glance, const char *s)
{
	for (; glance != NULL; glance = glance->next) {
		size_t at = (size_t)((uintptr_t)s - (uintptr_t)glance->s);
		if (at < glance->n)
			return glance->marks[at / WV_GLANCE_GRAIN];
	}
	return WV_SEEN_NOT;
}

/* The same of all of them. */
static inline unsigned
wv_glance_any(const struct wv_glance *glance)
{
	unsigned any = glance != NULL ? 0 : WV_SEEN_NOT;

	for (; glance != NULL; glance = glance->next)
		any |= glance->any;
	return any;
}

#endif
