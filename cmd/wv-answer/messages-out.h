/* SPDX-License-Identifier: Apache-2.0 */
/* What messages share on their way out. */
#ifndef WV_ANSWER_MESSAGES_OUT_H
#define WV_ANSWER_MESSAGES_OUT_H

#include "output.h"

/* What an item is in a protocol where every call has one result. */
enum message_part {
	MESSAGE_TEXT, /* a turn, or something in a block: a call that has no
			   answer too */
	MESSAGE_CALL,
	MESSAGE_RESULT, /* of a call that is there */
	MESSAGE_ALONE,  /* of one that is not, which has to be made up */
};
enum message_part message_part_of(
	const struct build *b, const struct item *item);
/* A further result of a call, which stands with the first. */
bool message_is_later(const struct build *b, const struct item *item);

/* The number of the call that an item is or answers. */
size_t message_call(const struct build *b, const struct item *item);
/* A name that the providers take: [A-Za-z0-9_-]{1,64}. */
void message_name(
	struct wv_str *out, const struct build *b, const struct item *item);
/* The members of a tool, of the same name, its schema being called so. */
void message_tool(
	struct wv_str *out, const struct tool *tool, const char *schema);
/* An object. */
void message_arguments(
	struct wv_str *out, const struct build *b, const struct item *item);
/* As it is said; or as a block. */
void message_text(
	struct wv_str *out, const struct build *b, const struct item *item);
/* The further results of its call, behind the first. */
void message_rest(
	struct wv_str *out, const struct build *b, const struct item *item);
/* Appends text as a JSON string, and frees it; one that is blank would be
 * refused and says "(nothing)". */
void message_string(struct wv_str *out, struct wv_str *text);

#endif
