/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outcomes as bytes, for a pipe between two processes of one program: frames
 * of a head and what follows it.
 */
#ifndef WV_VALIDATE_FRAME_H
#define WV_VALIDATE_FRAME_H

#include "outcome.h"

enum frame_kind {
	FRAME_VALID,   /* number: so many valid records with nothing to tell */
	FRAME_OUTCOME, /* number: how many bytes follow */
	FRAME_END,     /* of a piece; number: how many lines it has */
};

struct frame {
	enum frame_kind kind;
	size_t number;
};

void frame_put(struct wv_str *out, enum frame_kind kind, size_t number);
/* With its record, if that is asked for: a valid one as it leaves, another as
 * it came. */
void frame_put_outcome(
	struct wv_str *out, const struct outcome *outcome, bool with_record);

/* From what follows the head of a FRAME_OUTCOME.  Its strings stay in bytes,
 * the rest is in the arena. */
void frame_get_outcome(
	struct outcome *outcome, const char *bytes, struct wv_arena *arena);

#endif
