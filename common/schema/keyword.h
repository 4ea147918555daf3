/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compile functions of keywords share.  Private to this folder.
 */
#ifndef WV_SCHEMA_KEYWORD_H
#define WV_SCHEMA_KEYWORD_H

#include "schema/program.h"

struct compiler;

struct keyword {
	const char *name;
	int (*compile)(struct compiler *c); /* NULL: an annotation */
	uint8_t op;                         /* that it makes, if any */
	uint16_t types;                     /* that op looks at */
};

struct compiler {
	struct wv_schema_set *set;
	struct wv_schema *node;
	struct wv_err *err;
	const struct keyword *row;
	const cJSON *value;       /* of the keyword */
	struct op ops[OP_IF + 1]; /* by code: no node has two of a kind */
	uint32_t present;         /* codes that are there, as bits */
};

#define BAD(c, ...) \
	wv_schema_bad((c)->err, (c)->node, (c)->row->name, __VA_ARGS__)

/* The op of the row, empty. */
struct op *wv_keyword_op(struct compiler *c);
/* A compiled pattern that lives as long as the set; NULL and an error. */
const struct wv_regex *wv_keyword_regex(
	struct compiler *c, const cJSON *pattern);

/* applicator.c */
int wv_compile_items(struct compiler *c);
int wv_compile_definitions(struct compiler *c);
int wv_compile_ref(struct compiler *c);
int wv_compile_not(struct compiler *c);
int wv_compile_branches(struct compiler *c);
int wv_compile_if(struct compiler *c);
int wv_compile_then_else(struct compiler *c);
int wv_compile_members(struct compiler *c);

#endif
