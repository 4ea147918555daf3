/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Schema, drafts 2020-12, 2019-09, 7, 6 and 4, each document by its own:
 * a schema is compiled once into a program that runs over a tree without
 * allocating; only when it fails a second, slower run collects the errors.
 * References are resolved among the documents of a set and what its loader
 * finds, never from a network.  The meta-schemas are built in.
 *
 * As the drafts say, an unknown keyword is an annotation; a set for files of
 * our own refuses it, with the nearest valid one (strict_keywords).
 */
#ifndef WV_SCHEMA_SCHEMA_H
#define WV_SCHEMA_SCHEMA_H

#include "json/doc.h"

struct wv_schema;     /* one compiled schema; lives as long as its set */
struct wv_schema_set; /* documents by URI, and everything compiled of them */

enum wv_draft {
	WV_DRAFT_4,
	WV_DRAFT_6,
	WV_DRAFT_7,
	WV_DRAFT_2019_09,
	WV_DRAFT_2020_12,
};
/* "draft4" … "draft7", "draft2019-09", "draft2020-12"; NULL-terminated, in
 * the order of enum wv_draft. */
const char *const *wv_draft_names(void);

struct wv_schema_options {
	enum wv_draft draft; /* of a document without $schema */
	bool assert_format;
	bool strict_keywords;          /* x_… are annotations all the same */
	const char *const *no_formats; /* never asserted; NULL-terminated, kept;
					  NULL: none */
};
#define WV_SCHEMA_OPTIONS_INIT \
	{ \
		.draft = WV_DRAFT_2020_12 \
	}
/* For files of our own and what an operator writes: policies, flows. */
#define WV_SCHEMA_OPTIONS_STRICT \
	{ \
		.draft = WV_DRAFT_2020_12, .assert_format = true, \
		.strict_keywords = true \
	}

struct wv_schema_set *wv_schema_set_new(
	const struct wv_schema_options *options);
void wv_schema_set_free(struct wv_schema_set *set);

/* Makes a document known under uri (where it was found; NULL: nowhere) and
 * under its own $id, which is resolved against uri.  The tree must outlive
 * the set. */
int wv_schema_set_add(struct wv_schema_set *set, const cJSON *root,
	const char *uri, struct wv_err *err);

/* Asked for the document of an absolute URI (without fragment) that no one
 * has added: 1 and a root that outlives the set, 0 if there is none, -1 and
 * an error if it is there but cannot be read. */
typedef int wv_schema_load(
	void *arg, const char *uri, const cJSON **root, struct wv_err *err);
void wv_schema_set_loader(
	struct wv_schema_set *set, wv_schema_load *load, void *arg);

/* The schema at root (of a document that was added, or of any other, which
 * must outlive the set too).  err->text names the pointer of what is wrong,
 * with the URI before it if it is in another document. */
const struct wv_schema *wv_schema_compile(
	struct wv_schema_set *set, const cJSON *root, struct wv_err *err);
/* Of the last wv_schema_compile() that failed: appends the pointer of the
 * keyword that it blamed and returns the root of the document that has it;
 * NULL if it blamed none: what it was given is no schema at all. */
const cJSON *wv_schema_bad_place(
	const struct wv_schema_set *set, struct wv_str *pointer);

/* 1 valid, 0 invalid, -1 could not tell (a pattern that hit its limit, a value
 * that is nested too deeply, too many alternatives to try).  One thread at a
 * time for a set. */
int wv_schema_valid(const struct wv_schema *schema, const cJSON *instance);

/*
 * The same without a tree, straight from the text of a record: true if it is
 * well-formed within limits (as wv_json_read) and valid.  False says nothing:
 * read the record and ask wv_schema_valid().  text[len … len+WV_JSON_SLACK)
 * must be readable.  Always false for a schema that wv_schema_can_scan() says
 * no to: one that needs what a scan does not know.
 */
bool wv_schema_can_scan(const struct wv_schema *schema);
bool wv_schema_scan(const struct wv_schema *schema, const char *text,
	size_t len, const struct wv_json_limits *limits);

struct wv_schema_error {
	struct wv_schema_error *next;
	const char *instance; /* RFC 6901 pointer of the value */
	const char *keyword;  /* pointer of the keyword within its schema;
				 a rule that is no keyword: its name, "I-01" */
	const char *schema;   /* URI of the schema that it stands in; NULL */
	const char *message;  /* in the user's words, foreign text cleaned */
	bool warning;         /* told, but the value is valid */
};

/* What is told of an anyOf or oneOf none of whose branches holds. */
enum wv_schema_branches {
	WV_BRANCH_NEAREST, /* the branch that came nearest, or all in a word */
	WV_BRANCH_EACH,    /* then "alternative 2 of 3: …" for each other one;
			      of branches within these the nearest */
};

/* Same verdict, and why: in the order of the instance, a value before what is
 * in it; at most max errors.  There is at least one unless the verdict is 1. */
int wv_schema_errors(const struct wv_schema *schema, const cJSON *instance,
	enum wv_schema_branches branches, struct wv_arena *arena, size_t max,
	struct wv_schema_error **errors);

/* Judges a schema by the meta-schema that it names (else that of the set's
 * draft), as wv_schema_errors() with the nearest branch. */
int wv_schema_meta_errors(struct wv_schema_set *set, const cJSON *root,
	struct wv_arena *arena, size_t max, struct wv_schema_error **errors);

/*
 * What a schema probably does not mean, as warnings in document order: a
 * keyword that looks like a typo of one of its dialect (never a name under
 * properties), one without effect beside what it needs (then without if,
 * minContains without contains, additionalItems beside no array of items, one
 * of another draft), keywords beside a $ref that hides them, a required member
 * that properties with additionalProperties false refuses.  instance is the
 * pointer in root, keyword the name of the rule: unknown-keyword, no-effect,
 * hidden, impossible.
 */
void wv_schema_lint(struct wv_schema_set *set, const cJSON *root,
	struct wv_arena *arena, struct wv_schema_error **warnings);

#endif
