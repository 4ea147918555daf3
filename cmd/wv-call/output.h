/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tool said: in memory while it is small, else in the file of an
 * artifact with its beginning in memory, so that a gigabyte takes no more
 * than a few megabytes of us.
 */
#ifndef WV_CALL_OUTPUT_H
#define WV_CALL_OUTPUT_H

#include "kernel/artifact.h"

enum {
	OUTPUT_MEMORY = 8 << 20, /* bytes: more goes to the file */
	OUTPUT_HEAD = 1 << 20,   /* and this many stay in memory */
};

struct output {
	struct wv_state *state;
	size_t max;                  /* bytes; more is refused */
	struct wv_str head;          /* all of it, or its beginning */
	uint64_t size;               /* bytes of all of it */
	struct wv_artifact artifact; /* has a handle_id: there is a file */
	const char *media_type; /* as the source says; NULL: the bytes tell */
	bool is_spilled;        /* head is only its beginning */
};

void output_init(struct output *output, struct wv_state *state, size_t max);
/* -1: it is more than max (err says so), or cannot be written. */
int output_add(
	struct output *output, const void *p, size_t n, struct wv_err *err);
/* All that was said shall be kept: in a file, synced, with its digest.  The
 * caller fills in whose it is and records it in its group. */
int output_keep(struct output *output, struct wv_err *err);
/* What was not recorded is removed. */
void output_drop(struct output *output);
void output_free(struct output *output);

#endif
