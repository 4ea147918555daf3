/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compile functions of keywords share.  Private to this folder.
 */
#ifndef WV_SCHEMA_KEYWORD_H
#define WV_SCHEMA_KEYWORD_H

#include "schema/dialect.h"
#include "schema/program.h"

struct compiler;

/* What of the value of a keyword is a schema. */
enum holds {
	HOLDS_NONE,
	HOLDS_SCHEMA,         /* the value itself, where it is no list */
	HOLDS_LIST,           /* each item */
	HOLDS_SCHEMA_OR_LIST, /* items, before 2020-12 */
	HOLDS_MAP,            /* each member that is no list */
};

struct keyword {
	const char *name;
	uint8_t drafts;     /* that know it, as bits */
	uint8_t vocabulary; /* that it belongs to */
	uint8_t holds;
	int (*compile)(struct compiler *c); /* NULL: an annotation */
	uint8_t op;                         /* that it makes, if any */
	uint16_t types;                     /* that op looks at */
};

struct compiler {
	struct wv_schema_set *set;
	struct wv_schema *node;
	struct wv_err *err;
	enum wv_draft draft;
	const struct keyword *row;
	const cJSON *value;      /* of the keyword */
	struct op ops[OP_COUNT]; /* by code: no node has two of a kind */
	uint32_t present;        /* codes that are there, as bits */
};

/* The row of a keyword; NULL if the dialect knows none of that name. */
const struct keyword *wv_keyword_find(
	const struct dialect *dialect, const char *name);
/* A $ref of an older draft: whatever stands beside it is not there. */
bool wv_keyword_ref_hides(const struct dialect *dialect, const cJSON *source);
/* The nearest keyword of the dialect to what is none; NULL if none is near. */
const char *wv_keyword_nearest(const struct dialect *dialect, const char *name);

#define BAD(c, ...) \
	wv_schema_bad( \
		(c)->set, (c)->err, (c)->node, (c)->row->name, __VA_ARGS__)

/* The op of the row, empty. */
struct op *wv_keyword_op(struct compiler *c);
/* An op that is not the row's own: of a row that makes several. */
struct op *wv_keyword_other_op(
	struct compiler *c, enum op_code code, uint16_t types);
static inline bool
wv_keyword_has_op(const struct compiler *c, enum op_code code)
{
	return c->present & 1u << code;
}
/* The value of another keyword of the same schema; NULL if it is not there or
 * the dialect does not know it.  Never look at node->source past this. */
const cJSON *wv_keyword_value(const struct compiler *c, const char *name);
/* A length or a count, 0 or more, of the keyword of that name. */
int wv_keyword_limit(struct compiler *c, const char *name, const cJSON *value,
	uint64_t *limit);
/* A compiled pattern, of the keyword of that name, that lives as long as the
 * set; NULL and an error. */
const struct wv_regex *wv_keyword_regex(
	struct compiler *c, const char *name, const cJSON *pattern);

/* keyword-value.c: keywords that look at the value alone. */
int wv_compile_type(struct compiler *c);
int wv_compile_const(struct compiler *c);
int wv_compile_enum(struct compiler *c);
int wv_compile_limit(struct compiler *c);
int wv_compile_bound(struct compiler *c);
/* Draft 4: minimum with its boolean exclusiveMinimum, and so maximum. */
int wv_compile_bound_4(struct compiler *c);
int wv_compile_multiple_of(struct compiler *c);
int wv_compile_pattern(struct compiler *c);
int wv_compile_format(struct compiler *c);
int wv_compile_unique_items(struct compiler *c);

/*
 * keyword-applicator.c and its neighbours.  Where several keywords make one op
 * together, whichever comes first compiles all of them.
 */
/* prefixItems and items; before 2020-12 items, which may be a list, and
 * additionalItems, which says nothing beside items that are none. */
int wv_compile_items(struct compiler *c);
/* contains with minContains and maxContains, which say nothing without it. */
int wv_compile_contains(struct compiler *c);
/* dependentRequired, dependentSchemas, and dependencies, which is both; to
 * OP_DEPENDENT_REQUIRED and OP_DEPENDENT_SCHEMAS. */
int wv_compile_dependents(struct compiler *c);
/* unevaluatedItems, unevaluatedProperties; the op is the row's. */
int wv_compile_unevaluated(struct compiler *c);
int wv_compile_members(struct compiler *c);
int wv_compile_definitions(struct compiler *c);
int wv_compile_ref(struct compiler *c);
int wv_compile_dynamic_ref(struct compiler *c); /* and $recursiveRef */
int wv_compile_not(struct compiler *c);
int wv_compile_branches(struct compiler *c);
int wv_compile_if(struct compiler *c);
int wv_compile_then_else(struct compiler *c);

#endif
