/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled schema, as compile.c makes it and run.c runs it.  Private
 * to this folder.
 *
 * Every subschema is a node: the types it allows and a list of operations,
 * each with the types of instance it has something to say about.  Nodes are
 * made from a work list, so neither the depth of a schema nor a chain of
 * references costs stack; they live in the arena of the set.
 */
#ifndef WV_SCHEMA_PROGRAM_H
#define WV_SCHEMA_PROGRAM_H

#include "base/hash.h"
#include "schema/format.h"
#include "schema/ptrmap.h"
#include "schema/regex.h"
#include "schema/schema.h"

/* Types are the bits of cJSON, so that a node's own type is the test. */
enum {
	T_BOOLEAN = cJSON_False | cJSON_True,
	T_INTEGER =
		1 << 8, /* a number that is whole; in wv_schema.types only */
	T_ANY = T_BOOLEAN | cJSON_NULL | cJSON_Number | cJSON_String |
		cJSON_Array | cJSON_Object | T_INTEGER,
};

/*
 * In the order in which they run: cheap ones first, members before what is
 * applied in place, so that an anyOf can see what was already said of them;
 * last what depends on what all the others have looked at.
 */
enum op_code {
	OP_CONST,
	OP_ENUM,
	OP_MIN_LENGTH,
	OP_MAX_LENGTH,
	OP_FORMAT,
	OP_PATTERN,
	OP_MINIMUM,
	OP_EXCLUSIVE_MINIMUM,
	OP_MAXIMUM,
	OP_EXCLUSIVE_MAXIMUM,
	OP_MULTIPLE_OF,
	OP_MIN_ITEMS,
	OP_MAX_ITEMS,
	OP_ITEMS,
	OP_CONTAINS,
	OP_UNIQUE_ITEMS,
	OP_MIN_PROPERTIES,
	OP_MAX_PROPERTIES,
	OP_MEMBERS,
	OP_DEPENDENT_REQUIRED,
	/* in place: applied to the same value */
	OP_REF,
	OP_DYNAMIC_REF, /* subs: where it leads when nothing overrides it */
	OP_ALL_OF,
	OP_ANY_OF,
	OP_ONE_OF,
	OP_NOT,
	OP_IF, /* subs: if, then, else; the last two may be NULL */
	OP_DEPENDENT_SCHEMAS,
	/* what none of the above, nor what they apply in place, looked at */
	OP_UNEVALUATED_ITEMS,
	OP_UNEVALUATED_PROPERTIES,
	OP_COUNT
};

static inline bool
wv_op_in_place(uint8_t code)
{
	return code >= OP_REF && code <= OP_DEPENDENT_SCHEMAS;
}

/*
 * A fixed set of strings, found by a keyed hash over whole words: one probe
 * as a rule, one comparison.  Strings are those of a tree (NUL-terminated,
 * with WV_ARENA_SLACK readable bytes after them).
 */
struct names {
	uint64_t key;
	uint32_t count, mask, shift;
	const char **strings; /* in the order they were added */
	uint64_t *heads;      /* the first eight bytes of each */
	uint32_t *slots;      /* index + 1, or 0 */
};

void wv_names_make(struct names *names, struct wv_arena *arena,
	const char *const *strings, uint32_t count, uint64_t key);
/* Its index, or -1. */
int64_t wv_names_find(const struct names *names, const char *string);
/* The same, faster if it is the one with the index next. */
int64_t wv_names_find_next(
	const struct names *names, const char *string, uint32_t next);

struct property {
	struct wv_schema *schema; /* NULL: only required */
	bool required;
};

struct pattern_property {
	const struct wv_regex *regex;
	struct wv_schema *schema;
};

/* properties, required, patternProperties, additionalProperties,
 * propertyNames: one look at each member of an object. */
struct members {
	struct names names; /* of properties and required */
	struct property *properties;
	/* A tree has no name twice, so counting the required ones is enough. */
	uint32_t required;
	bool covers; /* additionalProperties that say true: all is looked at */
	bool others; /* any of the following */
	uint32_t pattern_count;
	struct pattern_property *patterns;
	struct wv_schema *additional; /* NULL: anything goes */
	struct wv_schema *member_name;
};

/* prefixItems and items; of older drafts items and additionalItems. */
struct items {
	uint32_t prefix_count;
	struct wv_schema **prefix;
	struct wv_schema *rest; /* NULL: anything goes */
};

struct contains {
	struct wv_schema *schema;
	uint64_t min, max;
	bool evaluates; /* what it finds counts for unevaluatedItems */
};

/* dependentRequired, dependentSchemas, dependencies: by the member that must
 * be there for them to count. */
struct dependents {
	struct names names; /* of OP_DEPENDENT_REQUIRED the required ones too */
	/* OP_DEPENDENT_REQUIRED: what each needs, if anything.  As many as
	 * op.count, like op.subs of OP_DEPENDENT_SCHEMAS (which may be NULL):
	 * one round of the names for each keyword. */
	struct names *required;
};

/* Strings by hash; the rest one by one if they are few, else by the hash of
 * their canonical texts. */
struct values {
	struct names strings, texts;
	uint32_t other_count;
	const cJSON **others;
};
enum { FEW_VALUES = 8 };

struct op {
	uint8_t code;
	uint16_t types;      /* what it looks at; others pass */
	uint32_t count;      /* of subs */
	const char *keyword; /* its name, for reports */
	union {
		const cJSON *value;
		uint64_t limit;
		wv_format_check *format;
		const struct wv_regex *regex;
		const struct values *values;
		struct items *items;
		struct contains *contains;
		struct members *members;
		struct wv_schema *sub;   /* OP_UNEVALUATED_… */
		struct wv_schema **subs; /* in place */
	};
	union {
		const char *anchor; /* OP_DYNAMIC_REF: "" for $recursiveRef */
		struct dependents *dependents;
	};
};

/* A $dynamicAnchor of a resource; "" is a $recursiveAnchor.  A name is one
 * pointer throughout a set, so pointers are compared. */
struct dynamic_anchor {
	const char *name;
	struct wv_schema *schema; /* compiled if anything asks for the name */
};

/* What an error is about: the keyword of a node; the node may be NULL. */
struct blame {
	const struct wv_schema *node;
	const char *keyword;
};

/* Where in the work list something was first needed. */
#define NEVER SIZE_MAX

/*
 * A schema with a base URI of its own: the root of a document, or what has an
 * $id within one.  The dynamic scope of $dynamicRef is made of these.
 */
struct resource {
	const char *uri; /* absolute, without fragment; NULL: none is known */
	const cJSON *root;
	const char *pointer; /* of root in its document */
	struct document *document;
	const struct dialect *dialect; /* NULL: not scanned yet */
	uint32_t dynamic_count;
	struct dynamic_anchor *dynamic;

	size_t index;      /* in its set */
	size_t reached_at; /* NEVER, or when a node of it was wanted */
	/* What is wrong with its ids and anchors is told to who needs it. */
	const char *wrong; /* NULL: nothing */
	struct blame blame;
};

struct document {
	const cJSON *root;
	struct resource *resource;
	bool scanned;         /* its schemas are nodes */
	size_t pointer_bytes; /* that their pointers take */
};

/* A name of $dynamicAnchors, and who bears it. */
struct dynamic_name {
	const char *name;
	size_t asked_at; /* NEVER, or when a $dynamicRef first said it */
	struct wv_schema **nodes;
	size_t node_count;
};

struct wv_schema {
	uint16_t types;
	uint16_t op_count;
	bool collects; /* has an OP_UNEVALUATED_… of its own */
	uint8_t scan;  /* scan-can.c: what it knows of it */
	struct op *ops;

	const cJSON *source;
	struct resource *resource;
	const char *pointer; /* within its document */
	bool wanted;         /* in the work list: compiled, or to be */

	/* of the search for loops */
	bool on_path, searched;
	uint16_t at_op;
	uint32_t at_sub;
	struct wv_schema *up;
};

/* An object or array that is too wide to be searched again and again. */
struct wide {
	struct names names; /* of an object */
	const cJSON **values;
	size_t count;
};

/*
 * Documents become known with their URIs at once; what schemas are in one is
 * found (place.c) when it is first needed; a schema is compiled when it, or
 * what refers to it, is asked for.  Only the last can fail and is undone then.
 */
struct wv_schema_set {
	struct wv_schema_options options;
	wv_schema_load *load; /* NULL: what was added is all there is */
	void *load_arg;
	struct wv_arena arena;
	uint64_t key; /* of hashes; random */

	struct document **documents;
	size_t document_count, first_unscanned;
	struct ptrmap roots; /* documents by root */
	struct resource **resources;
	size_t resource_count;
	struct wv_map uris; /* resources by URI without fragment */
	const struct dialect **dialects;
	size_t dialect_count;
	struct wv_map dialect_uris;

	struct wv_schema **nodes; /* every schema that was found */
	size_t node_count;
	struct ptrmap places;  /* nodes by source */
	struct wv_map anchors; /* nodes by "RESOURCE#NAME" */
	struct dynamic_name *dynamic;
	size_t dynamic_count;
	struct wv_map dynamic_names;
	struct wide *wides;
	size_t wide_count;
	struct ptrmap wide_values; /* by the object or array */

	struct wv_schema **work; /* in the order they are compiled */
	size_t work_count;
	struct wv_regex **regexes;
	size_t regex_count;

	struct blame blame; /* of the last error */
};

/* compile.c: the node of a subschema that is the value of a keyword of node,
 * or what has this name in it; its operations are compiled later.  NULL and
 * an error if source is no schema. */
struct wv_schema *wv_schema_sub(struct wv_schema_set *set,
	const struct wv_schema *node, const cJSON *source, const char *keyword,
	const char *name, struct wv_err *err);
/* ref.c: the node that a $ref of node leads to. */
struct wv_schema *wv_schema_ref(struct wv_schema_set *set,
	const struct wv_schema *node, const char *uri, struct wv_err *err);
/* Where a $dynamicRef, or with uri NULL a $recursiveRef, leads when nothing
 * overrides it.  *anchor: the name that the dynamic scope is asked for (see
 * struct op); NULL if it is a $ref and nothing more. */
struct wv_schema *wv_schema_dynamic_ref(struct wv_schema_set *set,
	const struct wv_schema *node, const char *uri, const char **anchor,
	struct wv_err *err);
/* Appends "POINTER/keyword", cleaned, and cut if it is too long to tell. */
void wv_schema_at(
	struct wv_str *out, const struct wv_schema *node, const char *keyword);
/* "POINTER/keyword: …", foreign text cleaned, and blames it; returns -1. */
int wv_schema_bad(struct wv_schema_set *set, struct wv_err *err,
	const struct wv_schema *node, const char *keyword, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* " (did you mean \"near\"?)", or "" if it is NULL. */
const char *wv_schema_meant(struct wv_schema_set *set, const char *near);

/* The node is compiled before wv_schema_compile() returns. */
void wv_schema_want(struct wv_schema_set *set, struct wv_schema *node);
/* A $dynamicRef of this name is there. */
void wv_schema_ask(struct wv_schema_set *set, struct dynamic_name *name);

/* link.c: refuses loops among what is in the work list from first on, then
 * links it. */
int wv_schema_link(struct wv_schema_set *set, size_t first, struct wv_err *err);
/* What a chain of mere references comes to; the chain is shortened. */
struct wv_schema *wv_schema_end_of_refs(struct wv_schema *node);

/* check.c: operations that look at the value alone; a pattern may say -1. */
int wv_check(const struct op *op, const cJSON *v);
int wv_check_pattern(const struct wv_regex *regex, const cJSON *string);
/* The indexes of two equal items, if there are such. */
bool wv_check_find_equal(const cJSON *array, size_t equal[2]);

/* keyword.c: fills types and ops from source. */
int wv_keywords_compile(
	struct wv_schema_set *set, struct wv_schema *node, struct wv_err *err);

#endif
