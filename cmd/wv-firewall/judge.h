/* SPDX-License-Identifier: Apache-2.0 */
/* What would be redacted of a piece of output, and where it stands. */
#ifndef WV_FIREWALL_JUDGE_H
#define WV_FIREWALL_JUDGE_H

#include "firewall/firewall.h"

enum { FINGERPRINT = 33 }; /* hex and a NUL */

struct finding {
	struct finding *next;
	const char *kind;    /* static, or of the rules */
	const char *pointer; /* of JSON, or NULL */
	bool is_flag;        /* an injection that is only told of */
	bool is_raw;         /* its offset is already that of the raw bytes */
	size_t offset, end;  /* in the raw bytes, decoded if they were wide */
	size_t line, column, character; /* from 1 */
	size_t last_line;
	/* Of kind, source and place; no digest of what was found. */
	char fingerprint[FINGERPRINT];
};

/* What was found in a source, or in a line of it. */
struct record {
	struct record *next;
	const char *source;
	size_t line; /* 0: it is a whole source */
	struct finding *findings;
	size_t count;    /* that are no mere flags */
	bool is_unread;  /* it could not be judged */
	const char *why; /* of that, or NULL: it has been told */
};

struct piece {
	const char *raw; /* as for wv_firewall_frame() */
	size_t len;
	size_t first_line; /* what its first line is called; 1 */
	bool as_text;      /* JSON is text too */
	bool allows;       /* by wv:allow */
	/* Of each line whether it counts; NULL: all do. */
	const bool *counted;
};

struct judge {
	const struct wv_firewall_options *options;
	struct wv_arena *arena;    /* of records */
	struct baseline *baseline; /* what is known, or NULL */
	bool has_fingerprints;     /* somebody wants them */
	struct wv_arena work;      /* of a piece */
	struct finding **found;    /* of the record */
	size_t count;
	struct record *record;
	size_t binary, allowed, known; /* of all */
};

void judge_begin(struct judge *judge, const char *source, size_t line);
enum wv_form judge_piece(struct judge *judge, const struct piece *piece);
/* Without what is allowed or known. */
struct record *judge_end(struct judge *judge);
void judge_free(struct judge *judge);
/* Kinds and counts. */
void record_sum(const struct record *record, struct wv_arena *arena,
	struct wv_findings *findings);

/* Fills offset and end of what has a pointer, and line and column of all;
 * count is at least 1; they are sorted then. */
void place_findings(struct finding **found, size_t count,
	const struct piece *piece, enum wv_form form, bool is_cleaned);

/* Whether `wv:allow KIND` stands in a line for a kind. */
bool line_allows(const char *line, size_t n, const char *kind);

#endif
