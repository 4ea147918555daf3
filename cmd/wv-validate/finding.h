/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of a record: errors, each with its rule and its place. */
#ifndef WV_VALIDATE_FINDING_H
#define WV_VALIDATE_FINDING_H

#include "json/lines.h"
#include "report/report.h"
#include "schema/schema.h"

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

#endif
