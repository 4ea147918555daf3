/* SPDX-License-Identifier: Apache-2.0 */
/* What catalog*.c and tools*.c share among themselves. */
#ifndef WV_CONTRACT_CATALOG_INTERNAL_H
#define WV_CONTRACT_CATALOG_INTERNAL_H

#include "contract/catalog.h"

/* One file being loaded. */
struct wv_loader {
	struct wv_catalog *catalog;
	struct wv_arena *arena;
	const char *source;
	bool yaml;
	const char *text;
	size_t len;
	size_t at;    /* how far its lines were counted */
	size_t line;  /* of `at` */
	size_t begin; /* where that line begins */
	size_t tried; /* the end of the last line that was read as one value */
	struct wv_err *err;
};

/*
 * Offsets in JSON that the reader took; of YAML they are all 0.  What is not
 * space from one on; where the value that begins there ends: an object or list
 * behind its bracket, anything else at what cannot be in it.
 */
size_t wv_catalog_space(const struct wv_loader *l, size_t at);
size_t wv_catalog_value_end(const struct wv_loader *l, size_t at);
/* From the bracket or comma before it to an element, or a member's value. */
size_t wv_catalog_element(const struct wv_loader *l, size_t at);
size_t wv_catalog_member(const struct wv_loader *l, size_t at);
/* From a value to the comma or bracket behind it. */
size_t wv_catalog_behind(const struct wv_loader *l, size_t at);
/* Of what a pointer of a node leads to, which is there. */
size_t wv_catalog_offset(const struct wv_loader *l,
	const struct wv_capability *c, const char *pointer);

/* One that is being made, with its node and where that stands; at is its
 * offset in JSON, and not before the last one asked for. */
struct wv_capability wv_catalog_place(
	struct wv_loader *l, const cJSON *node, size_t at);
/* It is not as it should be, at a pointer of its node: -1, or 0 if somebody
 * hears of it. */
__attribute__((format(printf, 4, 5))) int wv_catalog_fault(struct wv_loader *l,
	const struct wv_capability *c, const char *pointer, const char *fmt,
	...);

/* Adds what a node says, once that is read into c, unless something is wrong
 * with it: -1, or 0 if somebody hears of it. */
typedef int wv_catalog_adder(struct wv_loader *l, struct wv_capability *c);
wv_catalog_adder wv_catalog_add, wv_catalog_add_capability, wv_catalog_add_tool,
	wv_catalog_add_function, wv_catalog_add_openapi;
/* A node is a tool of one of the APIs that have no ids. */
bool wv_catalog_is_function(const cJSON *node);
/* The same of one that has a name, of which its id is made; title and
 * description may be NULL. */
int wv_catalog_add_made(struct wv_loader *l, struct wv_capability *c,
	const char *name, const char *title, const char *description);
/* The Capability record of what is known. */
cJSON *wv_capability_record(
	struct wv_arena *arena, const struct wv_capability *c);

/* All of wv_tools_load() but reading it, and that no capability is there
 * twice. */
int wv_tools_finish(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err);
/* What contradicts itself or names what is not there. */
int wv_tools_check(const struct wv_doc *doc, struct wv_err *err);
/* Reads in what entries take from other files; checks their schemas. */
int wv_tools_fill(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err);

/* What the entry in c->node says, defaults filled in. */
void wv_tool_describe(struct wv_capability *c);

#endif
