/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A catalogue of capabilities: Capability records (JSON lines, an array, or
 * a document each) and tools.yaml.  Several files make one catalogue; an id
 * that stands in it twice is an error that names both places.  What a file
 * is, is told by its name (.json, .jsonl, .ndjson, .yaml, .yml), else by its
 * content: text that begins with { or [ is JSON, anything else YAML.  JSON
 * may be several values; an object with `tools` is tools.yaml.
 * "-" is standard input.
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

/*
 * tools.yaml, checked: root.tools is the list.  The schemas of its entries hold
 * what their files do, and are schemas; skills have their name and description.
 */
int wv_tools_load(struct wv_doc *doc, struct wv_arena *arena, const char *path,
	struct wv_err *err);
/* A path of a tools file is seen from the folder that this is in; in the
 * arena. */
char *wv_tools_beside(
	struct wv_arena *arena, const char *source, const char *path);
/* The digest that x_wv_tool_sha256 and x_wv_fingerprint hold: of the entry as
 * it is written, in canonical form; and of that of the tool it wraps, NULL:
 * none. */
void wv_tool_fingerprint(char hex[65], const cJSON *entry, const char *wrapped);
/* Whether a word of a command stands for an argument: {name}. */
bool wv_tool_is_place(const char *word);
/* The Capability record of an entry, defaults filled in. */
cJSON *wv_tool_capability(
	struct wv_arena *arena, const cJSON *entry, const char *fingerprint);

#endif
