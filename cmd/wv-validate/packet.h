/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outcomes as bytes, for a pipe between two processes of one program: packets
 * of a head and what follows it.
 */
#ifndef WV_VALIDATE_PACKET_H
#define WV_VALIDATE_PACKET_H

#include "outcome.h"

enum packet_kind {
	PACKET_VALID,   /* number: so many valid records with nothing to tell */
	PACKET_OUTCOME, /* number: how many bytes follow */
	PACKET_END,     /* of a piece; number: how many lines it has */
};

struct packet {
	enum packet_kind kind;
	size_t number;
};

void packet_put(struct wv_str *out, enum packet_kind kind, size_t number);
/* With its record, if that is asked for: a valid one as it leaves, another as
 * it came. */
void packet_put_outcome(
	struct wv_str *out, const struct outcome *outcome, bool with_record);

/* From what follows the head of a PACKET_OUTCOME.  Its strings stay in bytes,
 * the rest is in the arena.  base: how many lines its source has before what
 * was judged there. */
void packet_get_outcome(struct outcome *outcome, const char *bytes, size_t base,
	struct wv_arena *arena);

#endif
