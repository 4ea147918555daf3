/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_FIREWALL_TOOL_H
#define WV_FIREWALL_TOOL_H

#include "base/file.h"
#include "base/walk.h"
#include "firewall/firewall.h"
#include "kernel/artifact.h"

#include "tell.h"

struct values {
	const char **list; /* NULL-terminated once there is one */
	size_t count;
};

/* What is done with every piece of output. */
struct settings {
	struct wv_firewall_options options;
	const char *capability_id;
	const char *media_type;
	struct values formats;
	struct wv_walk walk; /* of --check */
	const char *rules, *known, *known_env, *fields;
	const char *baseline, *lint;
	bool baseline_write;
	bool lines; /* a piece is a line, else a whole source */
	bool keep, check, diff, show;
	size_t max_input;  /* bytes of a piece */
	uint64_t quota;    /* bytes of all artifacts */
	const char *state; /* of --state */
};

/* Where Frames and text go; NULL: they are not asked for. */
struct sinks {
	struct wv_out *frames, *text;
	struct wv_out files[2];
};

/*
 * Pieces that are through the firewall and wait for their group: nothing is
 * written before what was redacted or kept is logged.
 */
struct batch {
	const struct settings *settings;
	struct sinks *sinks;
	struct tell *tell;      /* NULL: nobody asked for findings */
	struct wv_state *state; /* opened when it is needed */
	struct wv_arena work;   /* of a piece */
	struct wv_arena arena;  /* of the batch */
	struct wv_str frames, text;
	struct entry *entries; /* what there is to log */
	size_t count, cap;
	size_t waiting;                 /* pieces that wait */
	struct record *records, **last; /* of what was found */
	uint64_t met;                   /* of --fields, in all batches */
	size_t pieces, redacted, flagged, kept; /* of all batches */
};

void batch_open(struct batch *batch, const struct settings *settings,
	struct sinks *sinks, struct tell *tell);
/* raw as for wv_firewall_frame(); line is 0 for a whole source. */
void batch_add(struct batch *batch, const char *source, size_t line,
	const char *raw, size_t len);
/* A part of a text that goes on as it is read, and what was found in it, which
 * is a group of its own. */
void batch_pass(struct batch *batch, const char *text, size_t n,
	const struct wv_findings *findings);
/* Logs and writes what waits; ends the process if it cannot be logged. */
void batch_commit(struct batch *batch);
void batch_close(struct batch *batch);

/* Appends text of which what is hidden is seen, but for what is redacted:
 * which is returned, in the arena; and what was so within what is hidden is
 * told of in findings. */
const struct record *show_text(struct wv_str *out, struct wv_arena *arena,
	const char *raw, size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings);

/* Every piece of the files into the batch or the check, of which one is NULL;
 * the status.  out is flushed before a wait. */
struct check;
int read_files(char *const *files, const struct settings *settings,
	struct batch *batch, struct check *check, struct wv_out *out);

#endif
