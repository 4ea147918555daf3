/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items as they came, with raw text.  Included by what reads input and by
 * stages 1 to 4, and by nothing that comes after the firewall.
 */
#ifndef WV_ANSWER_RAW_H
#define WV_ANSWER_RAW_H

#include "build.h"
#include "item.h"

#include "base/hash.h"

struct raw_item {
	struct label label;
	const char *text; /* NUL and WV_JSON_SLACK bytes behind it */
	size_t len;
	const cJSON *record; /* a Frame or a denial, in place of text; NULL */
	const char *parent_id, *call_id; /* or NULL */
	const char *const *tags;         /* NULL-terminated, or NULL */
	ptrdiff_t parent;                /* by parent_id, or NOWHERE */
	bool is_candidate, is_dropped;   /* in the build that runs */
};

/* All that was read, once, for every build of the process. */
struct intake {
	struct wv_arena arena;
	struct raw_item *items;
	size_t count;
	struct wv_map ids; /* to indices */
	int status;        /* of reading, and of what the records report */
};

/* An item with this label, in the arena of the intake: strings and text are
 * copied.  -1 and an error if there is one of that id.  The item that is added
 * lives until the next is. */
int intake_add(
	struct intake *intake, const struct raw_item *item, struct wv_err *err);
/* The same with the text of a JSON string. */
int intake_add_string(struct intake *intake, struct raw_item *item,
	const cJSON *string, struct wv_err *err);
/* Once all is there: who belongs to whom. */
void intake_link(struct intake *intake);
void intake_free(struct intake *intake);

/* Standard input and FILEs: Frames and denials. */
void read_records(struct intake *intake, char *const *files,
	const struct wv_lines_options *lines);
/* --history, --facts, --episodes. */
void read_history(struct intake *intake, const char *file,
	enum history_format format, const struct wv_lines_options *lines);
void read_facts(struct intake *intake, const char *file,
	const struct wv_lines_options *lines);
void read_episodes(struct intake *intake, const char *file,
	const struct wv_lines_options *lines);
/* A record of the OpenAI and Anthropic forms: a message, an array of such, or
 * an object with messages. */
int read_openai(struct intake *intake, const cJSON *record, struct wv_err *err);
int read_anthropic(
	struct intake *intake, const cJSON *record, struct wv_err *err);

#endif
