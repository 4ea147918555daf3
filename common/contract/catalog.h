/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A catalogue of capabilities.  Several files make one.  What a file is, is
 * told by its content; JSON or YAML by its name (.json, .jsonl, .ndjson,
 * .yaml, .yml), else by its first byte.  JSON may be several values, each of
 * them one of these, or a list of the first five:
 *
 *	a Capability
 *	a tool of MCP                        name, inputSchema
 *	a tool of OpenAI's chat API          type: function, function: {name, …}
 *	one of its responses API             name, parameters
 *	a tool of Anthropic's API            name, input_schema
 *	{"tools": […]}                       a list of those; of MCP also within
 *	                                     {"result": …}, a page a value
 *	tools.yaml, by itself                tools have capability and source
 *	an OpenAPI 3.0 or 3.1 document       each operation is a capability
 *
 * Capabilities and tools.yaml give ids, which may be any text of at most 256
 * bytes without control or invisible characters.  Of all others the id is
 * made: the prefix, and the name as it is if the kernel takes it, else with
 * what the kernel does not take replaced: by _, and what is not ASCII by u and
 * its code point.  They are called by their title or summary, if it has at most
 * 128 bytes, else by their name.
 *
 * Of annotations and methods comes the safety, as far as it is known; it is the
 * word of who wrote the file.
 *
 * It is an error, which names both places, that an id stands there twice; or
 * that two are the same but for case and what is no letter or digit (but parts
 * two numbers), if one of them was made, for then they are easily taken for
 * each other.
 *
 * "-" is standard input.
 */
#ifndef WV_CONTRACT_CATALOG_H
#define WV_CONTRACT_CATALOG_H

#include "base/hash.h"
#include "json/doc.h"

enum {
	WV_CATALOG_ID_MAX = 256,    /* bytes */
	WV_CATALOG_MAX = 256 << 20, /* bytes of all its files */
};

struct wv_capability {
	const char *id, *name, *version, *description;
	const char *safety; /* read | write | destructive; NULL unknown */
	const char *risk;   /* low | medium | high | critical; NULL unknown */
	const cJSON *tags;  /* array of strings, or NULL */
	const cJSON *input_schema;  /* inline schema, or NULL */
	const cJSON *output_schema; /* the same */
	const cJSON *examples;      /* array of example queries, or NULL */
	const cJSON *depends_on;    /* array of ids, or NULL */
	const char *fingerprint;    /* of the descriptor, 64 hex; NULL unknown.
	                               Of a tool it is made by
	                               wv_catalog_find() */
	const cJSON *node; /* the Capability, the entry of tools.yaml, the tool,
	                      the operation */
	bool is_tool;      /* node is an entry of tools.yaml */
	bool is_made;      /* the id was made from a name */
	bool is_operation; /* node is one of OpenAPI; all else was made of it
	                      and of what it refers to */
	size_t alike;      /* 1 + the place of an earlier one whose id is the
	                       same but for case and punctuation; 0 none */
	const char *source; /* where it stands */
	size_t line, column;
	const char *text; /* from there to the end of its file; NULL: YAML */
	size_t len;
};

struct wv_catalog {
	struct wv_capability *items; /* in the order of the files */
	size_t count, cap;
	size_t bytes;        /* of the files so far */
	struct wv_map index; /* id to its place in items */
	struct wv_map words; /* id in small letters, without punctuation */
	struct wv_arena *arena;
	/* Of ids that are made in files yet to be loaded; NULL: nothing. */
	const char *prefix;
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
/* The Capability record of the one at a place, which tells all that is known
 * of it; with a fingerprint. */
cJSON *wv_catalog_record(
	const struct wv_catalog *catalog, struct wv_arena *arena, size_t place);
/* Where the value at an RFC 6901 pointer of its node stands in the file; the
 * nearest parent that exists if there is none.  Linear in the node. */
void wv_capability_position(const struct wv_capability *c, const char *pointer,
	size_t *line, size_t *column);
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
/* Where in its entry what a pointer of it leads to is named, if it was read
 * from another file; else the pointer. */
const char *wv_tool_place(const cJSON *entry, const char *pointer);
/* The digest that x_wv_tool_sha256 and x_wv_fingerprint hold: of the entry as
 * it is written, in canonical form; and of that of the tool it wraps, NULL:
 * none. */
void wv_tool_fingerprint(char hex[65], const cJSON *entry, const char *wrapped);
/* Whether a word of a command stands for an argument: {name}. */
bool wv_tool_is_place(const char *word);
/* The Capability record of an entry, defaults filled in. */
cJSON *wv_tool_capability(
	struct wv_arena *arena, const cJSON *entry, const char *fingerprint);

/* What the annotations of a tool of MCP say: read, destructive, write (it is
 * not read-only); NULL: nothing that is known for sure. */
const char *wv_mcp_safety(const cJSON *annotations);
/* What is known of a tool when its server speaks too, which can make it
 * stricter and never looser. */
const char *wv_safety_tightened(const char *own, const char *theirs);

#endif
