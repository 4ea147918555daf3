/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv.handle.resolve: a part of the output that is stored behind a Handle.  The
 * whole of it is read, cleaned and redacted before anything is selected, and
 * is what was recorded; what is shown stays under the obligations of the
 * Handle, over all reads of a principal.
 */
#ifndef WV_CALL_RESOLVE_H
#define WV_CALL_RESOLVE_H

#include "call.h"

enum {
	RESOLVE_BLOCK = 1 << 20,  /* bytes; no line is longer */
	RESOLVE_WHOLE = 64 << 20, /* of what can only be read whole */
};

/* Of its arguments; they fit this. */
extern const char resolve_schema[];

struct selector {
	enum {
		SELECT_LINES, /* from first to last */
		SELECT_GREP,
		SELECT_ROWS,
		SELECT_POINTER,
		SELECT_TEXT, /* all of it, as one string; of no more than
				RESOLVE_BLOCK */
	} what;
	uint64_t first, last; /* from 1 */
	const char *pointer;
	const char *text; /* to be found */
	size_t text_length;
	bool ignore_case;
	const cJSON *fields; /* of the rows; NULL: all */
	size_t most;         /* lines or rows that are shown at once */
	size_t most_bytes;   /* of them as JSON, but that one at least is */
	bool is_limited;     /* its rows, fields or depth: no JSON as text */
};
/* From arguments that fit the schema; most and most_bytes are the caller's. */
void selector_read(struct selector *selector, const cJSON *arguments);

/* What was selected: items, of which any number from the first on may be
 * shown, or, of a pointer to no array and of a text, one value. */
struct selection {
	struct wv_arena *arena;
	cJSON *items, *value;
	uint64_t line;    /* how many there were so far */
	size_t bytes;     /* of items */
	size_t count;     /* of them */
	uint64_t total;   /* elements of which they are some, */
	bool has_total;   /* if that is known */
	bool is_complete; /* nothing more can be selected */
	bool has_more;
};
/* Lines of redacted text, as wv_json_read() needs it; the last one may come
 * without its end only if there is no more text.  Rows are lines of JSON: -1,
 * if one is none; or if lines are, and it is limited. */
int select_lines(struct selection *selection, const struct selector *selector,
	const char *s, size_t n, struct wv_err *err);
/* Of a redacted tree. -1: there is nothing that is selected. */
int select_tree(struct selection *selection, const struct selector *selector,
	cJSON *tree, struct wv_err *err);
/* -1: JSON that is limited is not shown as text. */
int refuse_json(struct wv_err *err);
/* Items from most on are not shown. */
void selection_cut(struct selection *selection, size_t most);
/* As it is shown; in the arena. */
cJSON *selection_object(
	const struct selection *selection, const struct selector *selector);
/* Of that as JSON. */
size_t selection_bytes(
	const struct selection *selection, const struct selector *selector);
/* Rows of what is shown: the elements of all arrays in it, of which at most
 * `cap` of each are shown; at least 1. */
uint64_t selection_rows(const struct selection *selection, size_t cap);

/* The bytes behind a Handle on their way to a selection. */
struct reading;
/* -1: they cannot be read at all, or by this selector. */
struct reading *reading_begin(struct wv_state *state,
	const struct wv_artifact *artifact, const struct selector *selector,
	struct wv_arena *arena, struct wv_err *err);
/* A part of them: 1: that was all; 0: there is more; -1. */
int reading_go_on(struct reading *reading, struct wv_err *err);
/* Its caller may cut it. */
struct selection *reading_selection(struct reading *reading);
void reading_end(struct reading *reading);

/* resolve.c: as source.h says. */
enum step resolve_run(struct call *call);

#endif
