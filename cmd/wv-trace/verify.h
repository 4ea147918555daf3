/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of verify share: verify.c walks, verify-judge.c holds what
 * was found against what is known from elsewhere, and reports it. */
#ifndef WV_TRACE_VERIFY_H
#define WV_TRACE_VERIFY_H

#include "base/file.h"
#include "checkpoint.h"
#include "lifecycle.h"

/* The last line, of which the time is wanted. */
struct last {
	struct watch watch;
	struct wv_str line;
};

struct verify {
	const char *head; /* what somebody kept elsewhere */
	int64_t count;    /* -1: not known */
	const char *checkpoint, *keyring_path, *state;
	struct wv_keyring *keyring;
	int64_t max_age_ms; /* -1: any */
	bool wants_lifecycle;
	struct wv_out out;

	/* Of the log that is walked along. */
	struct walk *walk;
	struct checkpoints checkpoints;
	struct lifecycle *lifecycle;
	struct last last;
	char *name; /* of its last file */
	int status;
};

/* The status of a log whose end was come to. */
int verify_judge(struct verify *verify, struct verdict *verdict);

#endif
