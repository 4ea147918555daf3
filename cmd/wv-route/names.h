/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the capabilities of a catalogue are called: by name, by id, and by what
 * is behind a dot of an id if that is what only one is called.  White space
 * around it does not matter, nor do capital ASCII letters.
 */
#ifndef WV_ROUTE_NAMES_H
#define WV_ROUTE_NAMES_H

#include "base/hash.h"
#include "base/mem.h"

struct names {
	struct wv_map first;   /* name or id to its first entry */
	uint32_t *next;        /* by entry, two a tool: the next one that is
	                        called so; 0: none */
	struct wv_map endings; /* to tools; SIZE_MAX: several */
	struct wv_arena arena;
};

void names_init(struct names *names, size_t tools);
void names_add(
	struct names *names, uint32_t tool, const char *name, const char *id);
/* Those that are called so, in the arena; a tool may be there twice. */
size_t names_find(const struct names *names, struct wv_arena *arena,
	const char *query, const uint32_t **tools);
void names_free(struct names *names);

#endif
