/* SPDX-License-Identifier: Apache-2.0 */
/* What catalog.c, catalog-file.c and tools*.c share among themselves. */
#ifndef WV_CONTRACT_CATALOG_INTERNAL_H
#define WV_CONTRACT_CATALOG_INTERNAL_H

#include "contract/catalog.h"

/* One file being loaded. */
struct wv_loader {
	struct wv_catalog *catalog;
	struct wv_arena *arena;
	const char *source;
	const char *text; /* whose lines are being counted */
	size_t len, at;   /* how far it was counted */
	size_t line;      /* of `at` */
	struct wv_err *err;
};

/* Adds what a node says, unless something is wrong with it: -1, or 0 if
 * somebody hears of it. */
typedef int wv_catalog_adder(
	struct wv_loader *l, const cJSON *node, size_t line);
wv_catalog_adder wv_catalog_add_capability, wv_catalog_add_tool;

/* All of wv_tools_load() but reading it, and that no capability is there
 * twice. */
int wv_tools_finish(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err);
/* What contradicts itself or names what is not there. */
int wv_tools_check(const struct wv_doc *doc, struct wv_err *err);
/* Reads in what entries take from other files; checks their schemas. */
int wv_tools_fill(
	const struct wv_doc *doc, struct wv_arena *arena, struct wv_err *err);

/* A tool's name, else the last segment of its capability. */
const char *wv_tool_name(const cJSON *entry);
/* Its description, else what is known of it, at least its name. */
const char *wv_tool_description(const cJSON *entry);
/* read, write or destructive; NULL if it says nothing. */
const char *wv_tool_safety(const cJSON *entry);

#endif
