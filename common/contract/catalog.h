/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A catalogue of capabilities: Capability records (JSON lines, an array, or
 * a document each) and tools.yaml.  Several files make one catalogue; an id
 * that stands in it twice is an error that names both places.  What a file
 * is, is told by its name (.json, .jsonl, .ndjson, .yaml, .yml), else by its
 * content: text that begins with { or [ is JSON, anything else YAML.  JSON
 * may be several values; an object with `tools` is tools.yaml.
 *
 * An id may be any text of at most 256 bytes without control characters.
 */
#ifndef WV_CONTRACT_CATALOG_H
#define WV_CONTRACT_CATALOG_H

#include "base/hash.h"
#include "json/doc.h"

enum {
	WV_CATALOG_ID_MAX = 256,         /* bytes */
	WV_CATALOG_FILE_MAX = 256 << 20, /* bytes of a JSON catalogue */
};

struct wv_capability {
	const char *id, *name, *version, *description;
	const char *safety; /* read | write | destructive; NULL unknown */
	const char *risk;   /* low | medium | high | critical; NULL unknown */
	const cJSON *tags;  /* array of strings, or NULL */
	const cJSON *input_schema; /* inline schema, or NULL */
	const cJSON *examples;     /* array of example queries, or NULL */
	const char *fingerprint;   /* of the descriptor, 64 hex; NULL unknown.
	                              Of a tool it is made by wv_catalog_find() */
	const cJSON *node;         /* the Capability or the tools.yaml entry */
	bool is_tool;              /* node is an entry of tools.yaml */
	const char *source;        /* where it stands */
	size_t line;
};

struct wv_catalog {
	struct wv_capability *items; /* in the order of the files */
	size_t count, cap;
	struct wv_map index; /* id to its place in items */
	struct wv_arena *arena;
	/* Hears of each entry that is not as it should be, which is then left
	 * out.  NULL: the first such entry fails the load. */
	void (*fault)(const struct wv_err *err, void *arg);
	void *fault_arg;
};

/* Adds the capabilities of a file; strings and trees live in the arena, the
 * same one for every file. */
int wv_catalog_load(struct wv_catalog *catalog, struct wv_arena *arena,
	const char *path, struct wv_err *err);
/* By id, bytewise; NULL if there is none. */
const struct wv_capability *wv_catalog_find(
	const struct wv_catalog *catalog, const char *id);
void wv_catalog_free(struct wv_catalog *catalog);

/* tools.yaml, checked against its schema: root.tools is the list. */
int wv_tools_load(struct wv_doc *doc, struct wv_arena *arena, const char *path,
	struct wv_err *err);
/* The digest that x_wv_tool_sha256 and x_wv_fingerprint hold: of the entry as
 * it is written, in canonical form. */
void wv_tool_fingerprint(char hex[65], const cJSON *entry);
/* The Capability record of an entry, defaults filled in. */
cJSON *wv_tool_capability(struct wv_arena *arena, const cJSON *entry);

#endif
