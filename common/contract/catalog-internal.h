/* SPDX-License-Identifier: Apache-2.0 */
/* What catalog.c, catalog-file.c and tools.c share among themselves. */
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

/* A tool's name, else the last segment of its capability. */
const char *wv_tool_name(const cJSON *entry);
/* read, write or destructive; NULL if it says nothing. */
const char *wv_tool_safety(const cJSON *entry);

#endif
