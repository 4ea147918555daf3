/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log in several files.  wv_state_rotate() closes the live one: its lines
 * are audit.jsonl.N from then on, N counting from 1, the oldest first, and
 * audit.jsonl begins anew.  The chain goes on across them; the first line of
 * each but the first says "segment":N, how many stand before it.  A segment
 * never changes again; it may be compressed (audit.jsonl.N.gz), or be moved
 * away, the oldest first.
 *
 * The store knows how many there are.  Right after a rotation the head that it
 * recorded is the last line of a segment, and its end 0: nothing of the live
 * log is recorded yet.
 */
#ifndef WV_KERNEL_SEGMENT_H
#define WV_KERNEL_SEGMENT_H

#include "kernel/state.h"
#include "kernel/store.h"

struct wv_segment {
	uint64_t number;
	bool gz; /* there is no other than the compressed one */
};
/* The segments that are there, the oldest first. */
struct wv_segments {
	struct wv_segment *list;
	size_t count;
};
/* Of the first `last` ones (summit.segment of wv_state_log()); whatever else
 * is in the folder is none. */
int wv_segments_read(struct wv_segments *segments, int dir, uint64_t last,
	struct wv_err *err);
void wv_segments_free(struct wv_segments *segments);

enum { WV_SEGMENT_NAME = 40 };
void wv_segment_name(
	char name[WV_SEGMENT_NAME], const struct wv_segment *segment);
/* To read, as it stands.  errno is ENOENT where it is gone meanwhile. */
int wv_segment_open(
	int dir, const struct wv_segment *segment, struct wv_err *err);

/* The number of its last line, as far as it has a chain; 0: none that can be
 * read.  Of a plain one the end is looked at, so that it costs nothing. */
uint64_t wv_segment_seq(int dir, const struct wv_segment *segment);

/*
 * (locked) The live log, with these flags, or -1; errno is ENOENT if there is
 * none.  summit: as the store has it; where a rotation was cut short before
 * the store knew of it, it becomes what it would be after it, and with O_RDWR
 * the rotation is brought to its end.
 */
int wv_segment_live(
	int dir, int flags, struct wv_summit *summit, struct wv_err *err);

/*
 * Closes the live log.  1, and the number of its segment; 0: it holds nothing
 * that is recorded.  What a dead writer left at its end goes to the beginning
 * of the new one, whose first line accounts for it.
 */
int wv_state_rotate(
	struct wv_state *state, uint64_t *number, struct wv_err *err);

#endif
