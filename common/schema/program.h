/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled schema, as compile.c makes it and validate.c runs it.  Private
 * to this folder.
 *
 * Every subschema is a node: the types it allows and a list of operations,
 * each with the types of instance it has something to say about.  Nodes are
 * made from a work list, so neither the depth of a schema nor a chain of
 * references costs stack; they live in the arena of the set.
 */
#ifndef WV_SCHEMA_PROGRAM_H
#define WV_SCHEMA_PROGRAM_H

#include "schema/format.h"
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
 * applied in place, so that an anyOf can see what was already said of them.
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
	OP_UNIQUE_ITEMS,
	OP_MIN_PROPERTIES,
	OP_MAX_PROPERTIES,
	OP_MEMBERS,
	/* in place: applied to the same value */
	OP_REF,
	OP_ALL_OF,
	OP_ANY_OF,
	OP_ONE_OF,
	OP_NOT,
	OP_IF, /* subs: if, then, else; the last two may be NULL */
};

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
	bool others; /* any of the following */
	uint32_t pattern_count;
	struct pattern_property *patterns;
	struct wv_schema *additional; /* NULL: anything goes */
	struct wv_schema *member_name;
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
		struct members *members;
		struct wv_schema *sub;   /* OP_ITEMS */
		struct wv_schema **subs; /* in place: OP_REF and after */
	};
};

struct document {
	const char *uri; /* its $id; NULL: none */
	const cJSON *root;
};

struct wv_schema {
	uint16_t types;
	uint16_t op_count;
	struct op *ops;

	const cJSON *source;
	const struct document *document;
	const char *pointer; /* within its document */
	bool assert_format;

	/* of the search for loops */
	bool on_path, searched;
	uint16_t at_op;
	uint32_t at_sub;
	struct wv_schema *up;
};

struct wv_schema_set {
	struct wv_arena arena;
	uint64_t key; /* of hashes; random */
	struct document **documents;
	size_t document_count;
	struct wv_schema **nodes; /* in the order they were made */
	size_t node_count;
	uint32_t *node_slots; /* by source: index + 1, or 0 */
	size_t slot_count;    /* a power of two, or 0 */
	struct wv_regex **regexes;
	size_t regex_count;
};

/* compile.c: the node of a subschema that stands at node's pointer, keyword
 * and, unless NULL, name; its operations are compiled later.  NULL and an
 * error if source is no schema. */
struct wv_schema *wv_schema_sub(struct wv_schema_set *set,
	const struct wv_schema *node, const cJSON *source, const char *keyword,
	const char *name, struct wv_err *err);
/* The node that a $ref of node leads to. */
struct wv_schema *wv_schema_ref(struct wv_schema_set *set,
	const struct wv_schema *node, const char *uri, struct wv_err *err);
/* "POINTER/keyword: …", foreign text cleaned; returns -1. */
int wv_schema_bad(struct wv_err *err, const struct wv_schema *node,
	const char *keyword, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* link.c: refuses loops among the nodes from first on, then links them. */
int wv_schema_link(struct wv_schema_set *set, size_t first, struct wv_err *err);
/* What a chain of mere references comes to; the chain is shortened. */
struct wv_schema *wv_schema_end_of_refs(struct wv_schema *node);

/* check.c: operations that look at the value alone; a pattern may say -1. */
int wv_check(const struct op *op, const cJSON *v);
int wv_check_pattern(const struct wv_regex *regex, const cJSON *string);

/* keyword.c: fills types and ops from source. */
int wv_keywords_compile(
	struct wv_schema_set *set, struct wv_schema *node, struct wv_err *err);

#endif
