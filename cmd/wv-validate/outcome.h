/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a record: from the judge to whoever writes, tells and
 * counts it, perhaps through a pipe from another process.
 */
#ifndef WV_VALIDATE_OUTCOME_H
#define WV_VALIDATE_OUTCOME_H

#include "json/lines.h"
#include "report/report.h"
#include "schema/schema.h"

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

/*
 * Of the errors of a record that could be judged (verdict 1 or 0), or the
 * reason why not (-1): at most max, but an error is never left out for
 * warnings.  All in the arena.
 */
const struct wv_finding *findings_of(struct wv_arena *arena,
	const struct wv_record *rec, int verdict,
	const struct wv_schema_error *errors, size_t max);

/* Why a record is undecided; at its first byte. */
struct wv_finding *finding_undecided(
	struct wv_arena *arena, const struct wv_record *rec, const char *why);
/* A record that is malformed, or a source that cannot be read: rec is NULL. */
struct wv_finding *finding_unread(struct wv_arena *arena,
	const struct wv_record *rec, const struct wv_err *err);
/* Makes a record invalid by what is no matter of its own: the first finding
 * says so. */
void finding_fail(struct wv_arena *arena, struct wv_judged *judged,
	const char *rule, const char *message);

#endif
