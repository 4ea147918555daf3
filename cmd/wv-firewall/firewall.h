/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_FIREWALL_TOOL_H
#define WV_FIREWALL_TOOL_H

#include "base/file.h"
#include "firewall/firewall.h"
#include "kernel/artifact.h"

enum format {
	FORMAT_FRAME,
	FORMAT_TEXT,
};

/* What is done with every piece of output. */
struct settings {
	struct wv_firewall_options options;
	const char *capability_id;
	enum format format;
	bool lines; /* a piece is a line, else a whole source */
	bool keep;
	size_t max_input;  /* bytes of a piece */
	const char *state; /* of --state */
};

/*
 * Pieces that are through the firewall and wait for their group: nothing is
 * written before what was redacted or kept is logged.
 */
struct batch {
	const struct settings *settings;
	struct wv_state *state; /* opened when it is needed */
	struct wv_out *out;
	struct wv_arena work;  /* of a piece */
	struct wv_arena arena; /* of the batch */
	struct wv_str pending;
	struct entry *entries; /* what there is to log */
	size_t count, cap;
	size_t pieces, redacted, kept; /* of all batches */
};

void batch_open(struct batch *batch, const struct settings *settings,
	struct wv_out *out);
/* raw as for wv_firewall_frame(). */
void batch_add(struct batch *batch, const char *raw, size_t len);
/* Logs and writes what waits; ends the process if it cannot be logged. */
void batch_commit(struct batch *batch);
void batch_close(struct batch *batch);

/* Every piece of the files into the batch; the status. */
int read_files(char *const *files, struct batch *batch);

#endif
