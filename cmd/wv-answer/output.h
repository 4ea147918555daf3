/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms of a context.  What an item adds is asked for before it is known
 * whether it will stand, so that the budget counts what is written: the whole
 * never costs more than the whole with nothing in it and the parts together,
 * as counting in pieces never gives less (text/count.h).
 */
#ifndef WV_ANSWER_OUTPUT_H
#define WV_ANSWER_OUTPUT_H

#include "build.h"

struct output {
	const char *name;
	/* What an item adds to the turns, as its form says, with all that may
	 * have to stand around it. */
	void (*item)(struct wv_str *out, const struct build *b,
		const struct item *item);
	/* All of it, of the items that are not left out.  False: it cannot be
	 * said at all, and why has been told. */
	bool (*whole)(struct wv_str *out, const struct build *b);
	bool is_json;  /* blocks stand in a string of it */
	bool has_tool; /* the tool to call is a member, and no block */
};

extern const struct output output_text, output_messages, output_openai,
	output_anthropic, output_json, output_request;
extern const char *const output_names[]; /* NULL-terminated */
const struct output *output_of(size_t index);

/* Blocks (blocks.c): a line in brackets, then content of which every line has
 * a prefix, so that none can be taken for the beginning of a block.  Each has
 * a blank line before it. */
void block_item(
	struct wv_str *out, const struct build *b, const struct item *item);
void block_left_out(struct wv_str *out, size_t count);
void block_section(struct wv_str *out, enum section section);
void block_handles(struct wv_str *out); /* and how they are read */
void block_artifacts(struct wv_str *out);
/* The lines that an item adds to these. */
void block_references(
	struct wv_str *out, const struct build *b, const struct item *item);
bool has_artifact(const struct build *b, const struct item *item);

/* What stands before the turns, and behind them. */
void blocks_front(struct wv_str *out, const struct build *b);
void blocks_back(struct wv_str *out, const struct build *b);
/* Without the blank line before the first. */
void blocks_begin(struct wv_str *out);

/* What an item says, as its form has it; prefix stands before every line. */
void content_of(struct wv_str *out, const struct build *b,
	const struct item *item, const char *prefix);
/* An id that is not one of the kernel's may hold anything: it is quoted. */
void add_id(struct wv_str *out, const char *id);

/* The items that are shown among the turns, in the order of time, a result
 * right behind its call: the next one after `at`, or NOWHERE; begins with
 * NOWHERE. */
ptrdiff_t next_shown(const struct build *b, ptrdiff_t at);
bool is_shown(const struct item *item);

#endif
