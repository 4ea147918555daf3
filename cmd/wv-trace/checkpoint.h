/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints: who signed one saw a whole log that came to a line.  One a
 * line, chained like the log:
 *
 *	{"v":1,"log":ID,"seq":N,"head":H,"lines":L,"time":T,"prev":P,
 *	 "signature":{…}}
 *
 * H is the SHA-256 of line N of the log, L how many lines there were, P the
 * SHA-256 of the checkpoint before (64 zeros: none), the signature that of a
 * TraceBundle (contracts, RFC 8785) by a key that may sign checkpoints.
 */
#ifndef WV_TRACE_CHECKPOINT_H
#define WV_TRACE_CHECKPOINT_H

#include "contract/sign.h"
#include "walk.h"

/* A file of checkpoints, held against a log as that is walked along. */
struct checkpoints {
	struct watch watch; /* to be given to walk_new() */

	/* The caller's. */
	const char *name;
	struct wv_reader in;
	const struct wv_keyring *keyring; /* NULL: signatures are not judged */
	bool forgives; /* lines whose loss the log tells of */
	struct walk *walk;

	/* The last that was read. */
	uint64_t count;
	uint64_t seq;
	char head[WV_SHA256_HEX];
	char log[WV_ID_MAX]; /* "": not named */
	struct wv_time time;
	char hash[WV_SHA256_HEX]; /* of its line; 64 zeros: none yet */
	uint64_t whole;           /* bytes of the file up to its end */

	/* How they look. */
	uint64_t faults; /* of them, not of the log */
	int status; /* WV_YES, WV_NO: not what they should be, WV_TROUBLE */
	bool is_waiting; /* the last that was read was not met yet */
	bool is_over;    /* there are no more */
	bool is_torn;    /* the last line is none: its writer died */
	bool ends_line;  /* the last one ends with LF */
	bool begun;      /* a line of the log was seen */
	uint64_t unmet;  /* seq of the last that the log lacks; 0: none */
	uint64_t lost;   /* the log says that lines up to this are lost */
};

/* in and name are set. */
void checkpoints_start(struct checkpoints *checkpoints);
/* The log has come to its end; what is left of them, too.  Before walk_end(). */
void checkpoints_end(
	struct checkpoints *checkpoints, const struct wv_summit *summit);
void checkpoints_free(struct checkpoints *checkpoints);

#endif
