/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a record: from the judge to whoever writes, tells and
 * counts it, perhaps through a pipe from another process.
 */
#ifndef WV_VALIDATE_OUTCOME_H
#define WV_VALIDATE_OUTCOME_H

#include "json/lines.h"
#include "report/report.h"

#include <stdbool.h>

enum outcome_kind {
	OUTCOME_JUDGED,    /* a record that could be read */
	OUTCOME_MALFORMED, /* one that could not */
	OUTCOME_SOURCE,    /* no record: a source that cannot be read */
};

struct outcome {
	enum outcome_kind kind;
	struct wv_judged judged;
	const struct wv_record *record; /* as it came; NULL: not known, or not
					   asked for */
	const char *fingerprint; /* a SchemaFingerprint on one line; NULL */
};

/* Everything in it is the callee's until it returns.  False: enough. */
typedef bool outcome_take(void *arg, struct outcome *outcome);

#endif
