/* SPDX-License-Identifier: Apache-2.0 */
/* What the message arrays of the providers share on their way in. */
#ifndef WV_ANSWER_MESSAGES_H
#define WV_ANSWER_MESSAGES_H

#include "raw.h"

enum part {
	PART_UNKNOWN, /* an error: nothing is guessed */
	PART_TEXT,
	PART_OTHER, /* (TYPE left out) */
	PART_NOT_SHOWN,
};
struct part_type {
	const char *name; /* NULL: the end */
	enum part part;
};

typedef int read_message_fn(
	struct intake *intake, const cJSON *message, struct wv_err *err);
/* The messages of a record: an array of them, what stands in its member
 * messages, or itself. */
int messages_read(struct intake *intake, const cJSON *record,
	read_message_fn *read, struct wv_err *err);

/* An item with the next id; its text is string's, or it has one. */
int message_add(struct intake *intake, struct raw_item *item,
	const cJSON *string, struct wv_err *err);
/* The same with the text of content: a string, or an array of parts.  Nothing
 * is added for a turn that says nothing. */
int message_add_content(struct intake *intake, struct raw_item *item,
	const cJSON *content, const struct part_type *types,
	struct wv_err *err);

#endif
