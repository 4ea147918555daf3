/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of firewall/ share among themselves and with nobody else. */
#ifndef WV_FIREWALL_INTERNAL_H
#define WV_FIREWALL_INTERNAL_H

#include "firewall/firewall.h"

/* Where a value stands: its name or index, and what holds it. */
struct wv_place {
	const struct wv_place *up; /* NULL: the root */
	const char *name;          /* NULL: index counts */
	size_t index;
};
/* As an RFC 6901 pointer, cut if it is very long. */
char *wv_place_pointer(struct wv_arena *arena, const struct wv_place *place);

/* How many bytes from s on are printable ASCII, \n or \t. */
size_t wv_plain_length(const char *s, size_t n);

/* Counts one redaction of a kind.  findings may be NULL. */
void wv_findings_kind(
	struct wv_findings *findings, struct wv_arena *arena, const char *kind);

/* Says where it was, if that is asked for. */
void wv_findings_spot(struct wv_findings *findings, const struct wv_spot *spot);

/* Adds the pointer of a redacted value, in the arena, unless it is the last
 * one added or there are WV_MAX_PATHS. */
enum { WV_MAX_PATHS = 100 };
void wv_findings_path(struct wv_findings *findings, struct wv_arena *arena,
	const char *pointer);

bool wv_has_mark(const char *s, size_t n);
/* Where the first one begins, or NULL. */
const char *wv_next_mark(const char *s, size_t n);
/* Appends [REDACTED:kind]. */
void wv_add_mark(struct wv_str *out, const char *kind);

/* wv_redact(), but false, and nothing appended, if there is no secret. */
bool wv_redact_changes(struct wv_str *out, const char *s, size_t n,
	const struct wv_rules *rules, struct wv_arena *arena,
	struct wv_findings *findings);
/* The same if what wv_scan() finds first is known, or NULL. */
struct wv_hit;
bool wv_redact_from(struct wv_str *out, const char *s, size_t n,
	const struct wv_hit *first, const struct wv_rules *rules,
	struct wv_arena *arena, struct wv_findings *findings);

/* Of a tree that a reader lets through, and what wraps it; deeper values are
 * withheld. */
enum { WV_TREE_DEPTH = 512 };

/* wv_redact_tree() of a tree whose strings and names are also cleaned, and
 * hold no marks that are not ours. */
struct wv_glance;
void wv_clean_redact_tree(struct wv_arena *arena, cJSON *root,
	const struct wv_firewall_options *options, struct wv_glance *glance,
	struct wv_findings *findings);

/* Whether a string may be an object or array, by how it begins and ends. */
bool wv_may_be_tree(const char *s, size_t n);

/* The kind of a value whose name is that of a secret of a kind; NULL: it has
 * nothing to hide.  is_marked: marks are ours. */
const char *wv_told_kind(const struct wv_rules *rules, const char *kind,
	const char *s, size_t n, bool is_marked);
/* The kind by a name that may hold marks, or NULL. */
const char *wv_telling_kind(
	const struct wv_rules *rules, const char *name, size_t n);
/* Whether a name could have a kind, alone or with a value. */
bool wv_is_telling(const struct wv_rules *rules, const char *name, size_t n);
bool wv_is_member_name(const char *name, size_t n);
/* Whether a line has a word that ends the name of a secret. */
bool wv_has_telling(const struct wv_rules *rules, const char *s, size_t n);
/* {"name": …, "value": …}: the kind by the former of what is the latter. */
const char *wv_pair_kind(const struct wv_rules *rules, const cJSON *object);
bool wv_is_pair_value(const char *name);
/* [["name", "value"], …]: whether these may be pairs, one of them of a secret,
 * and the kind of the value of one by its name. */
bool wv_are_pairs(const struct wv_rules *rules, const cJSON *rows);
const char *wv_pair_row_kind(const struct wv_rules *rules, const cJSON *row);
/* The first of an array of rows, if it has names and one is that of a secret,
 * or NULL. */
const cJSON *wv_header_row(const struct wv_rules *rules, const cJSON *rows);
/* The member of an object that names the columns of rows beside it, if one is
 * that of a secret, or NULL. */
const cJSON *wv_columns_beside(
	const struct wv_rules *rules, const cJSON *object);
const char *wv_column_kind(const struct wv_rules *rules, const cJSON *column);

/* An object that says what a value is, and holds none: a schema of JSON, a
 * package of a lock file. */
bool wv_is_description(const cJSON *node);

/* How much is not as it was. */
size_t wv_findings_changes(const struct wv_findings *findings);

/*
 * Instructions aimed at the model (firewall/inject.h) are told of in findings;
 * those that hide in what is not clean yet, or those of what is clean and
 * redacted.  Under WV_INJECTION_WITHHOLD they go, and links are inert; what is
 * left of raw text is clean, without marks that are not ours.  Text: false, and
 * nothing of use appended, if it stays as it is.
 */
bool wv_guard_raw(struct wv_str *out, struct wv_arena *arena, const char *raw,
	size_t n, const struct wv_firewall_options *options,
	struct wv_findings *findings);
bool wv_guard_text(struct wv_str *out, struct wv_arena *arena, const char *s,
	size_t n, const struct wv_firewall_options *options,
	struct wv_findings *findings);
/* What goes of a raw tree, once that is clean and redacted: marks in it are
 * then no longer taken for those of others. */
struct wv_guarded {
	struct wv_guarded_node {
		cJSON *node;
		cJSON *object; /* whose member's name it is, else NULL */
	} * nodes;
	size_t count;
};
void wv_guard_raw_tree(struct wv_guarded *guarded, struct wv_arena *arena,
	cJSON *root, const struct wv_firewall_options *options,
	const struct wv_glance *glance, struct wv_findings *findings);
/* And frees. */
void wv_guarded_withhold(struct wv_guarded *guarded, struct wv_arena *arena);
void wv_guard_tree(struct wv_arena *arena, cJSON *root,
	const struct wv_firewall_options *options,
	const struct wv_glance *glance, struct wv_findings *findings);

/* The kind of a secret in a tree that was decoded so often (firewall/find.h),
 * or NULL.  The tree changes. */
const char *wv_tree_kind(struct wv_arena *arena, cJSON *root,
	const struct wv_rules *rules, int depth);

/* Makes the names of an object's members differ: later ones that equal an
 * earlier one get #2, #3, … */
void wv_separate_names(struct wv_arena *arena, cJSON *object);

/* What raw output is.  JSON is judged after cleaning if it is none before. */
enum wv_content_kind {
	WV_CONTENT_EMPTY,
	WV_CONTENT_BINARY,
	WV_CONTENT_JSON,
	WV_CONTENT_JSON_LINES, /* two lines or more, each an object or array */
	WV_CONTENT_TEXT,
};
struct wv_content {
	enum wv_content_kind kind;
	const char *media_type; /* static, or in the arena */
	size_t size;            /* of the raw bytes */
	size_t seen;            /* of them, if text is only a beginning: whole
				   lines; 0: all were */
	cJSON *tree;            /* JSON; the array of the lines */
	struct wv_json_strings strings; /* of JSON */
	struct wv_str text;             /* clean; of TEXT and JSON_LINES */
	const struct wv_text_kind *text_kind; /* of text as it is; NULL: not
						 known (summarize.h) */
	unsigned pixels[2]; /* of a picture: width, height; or 0 */
};
/* raw as in wv_firewall_frame(); wv_str_free(&content->text). */
void wv_content_read(struct wv_content *content, struct wv_arena *arena,
	const char *raw, size_t len, struct wv_findings *findings);
/* The same for those who do not ask of what type a text is: it has none. */
void wv_content_parse(struct wv_content *content, struct wv_arena *arena,
	const char *raw, size_t len, struct wv_findings *findings);
/* The same of len bytes that more follow; text is redacted already. */
void wv_content_begin(struct wv_content *content, struct wv_arena *arena,
	const char *raw, size_t len, struct wv_findings *findings);
/* Redacts and guards content that was read of raw, where it stands. */
void wv_content_purify(struct wv_content *content, struct wv_arena *arena,
	const char *raw, size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings);
/* What it is, if it is binary data, else NULL. */
const char *wv_content_binary_type(const char *raw, size_t len);
/* By the first bytes; NULL if they are no known type's.  Those that a text may
 * begin with count only for what is binary. */
const char *wv_magic_type(const char *raw, size_t len, bool is_binary);
/* Width and height of a picture of a type; 0 if they are not known. */
void wv_image_size(
	const char *type, const char *raw, size_t len, unsigned size[2]);
/* A media type as its source gave it: lower case, without parameters, in the
 * arena; NULL if it is none that can be shown. */
const char *wv_content_type(struct wv_arena *arena, const char *given);
/* What is of this type can be read as text. */
bool wv_is_text_type(const char *media_type);

/* Appends what content is, in at most 500 characters; content is clean and
 * redacted. */
void wv_summarize(struct wv_str *out, const struct wv_content *content);
/* Cuts what may not be as long. */
void wv_summary_limit(struct wv_str *summary);
/* A text that is a table (CSV, TSV, aligned under a header) as {rows,
 * row_count}: at most max_rows objects of strings by the names of at most 64
 * columns, and how many rows there are.  NULL: it is none. */
cJSON *wv_content_rows(struct wv_arena *arena, const struct wv_content *content,
	size_t max_rows);

/*
 * A tree or text within the budgets of options, as an object; what was cut is
 * told in findings and, by pointers, in the array *cut.  A text becomes
 * {lines, line_count} and last_lines when not all are there; one that is only
 * a beginning has none.
 */
cJSON *wv_bound_tree(struct wv_arena *arena, const cJSON *object,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut);
cJSON *wv_bound_text(struct wv_arena *arena, const struct wv_content *content,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut);

/* redaction_notes, if there is anything to note, and a RedactionPolicy; cut are
 * pointers to what was cut. */
void wv_add_notes(struct wv_arena *arena, cJSON *frame,
	const struct wv_findings *findings);
cJSON *wv_redaction_policy(struct wv_arena *arena,
	const struct wv_findings *findings, const struct wv_rules *rules,
	cJSON *cut);

/* Lines of a text; an unterminated last one is one. */
size_t wv_line_count(const char *s, size_t n);

#endif
