/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A build: records in, the text of the next turn out, in stages that are
 * never reordered (the table in main.c).  Each stage that has something to
 * do has a file of its own.
 */
#ifndef WV_ANSWER_BUILD_H
#define WV_ANSWER_BUILD_H

#include "base/clock.h"
#include "json/lines.h"
#include "text/count.h"

enum item_kind {
	ITEM_RESULT,
	ITEM_ERROR,
	ITEM_DENIED,
};

/* How much of an item is shown. */
enum form {
	FORM_LEFT_OUT,
	FORM_BRIEF, /* without its data */
	FORM_CUT,   /* with the first `shown` bytes of them */
	FORM_FULL,
};

struct item {
	enum item_kind kind;
	const cJSON *record; /* as it came */
	const char *capability_id;
	struct wv_time time;
	size_t order; /* of input */

	/* After the firewall: clean and redacted. */
	struct wv_str summary, data, note;
	const cJSON *handles; /* array of strings, or NULL */

	size_t rank; /* 0 is the most important */
	enum form form;
	size_t shown;
	size_t cost; /* of its block, by the counter */
};

struct build {
	char *const *files;
	struct wv_lines_options lines;
	size_t budget;
	wv_counter *count;
	const char *counter;

	struct wv_arena arena;
	struct item *items;
	size_t item_count, item_cap;
	size_t used;     /* of the budget */
	size_t left_out; /* items */
	bool says_left_out;
	struct wv_str text; /* the outcome */
	int status;
};

/* The stages. */
void candidates(struct build *build);   /* records become items */
void firewall(struct build *build);     /* what they say, clean and redacted */
void score(struct build *build);        /* rank */
void select_items(struct build *build); /* form, within the budget */
void render(struct build *build);       /* text */

/* A block, as it will stand in the text, with the blank line before it. */
void render_block(struct wv_str *out, const struct item *item, enum form form,
	size_t shown);
/* The line that says how many were left out. */
void render_left_out(struct wv_str *out, size_t count);

#endif
