/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that assert the opposite: which records must fail, and by what.
 *
 * --expect-invalid: every one, by whatever rule of a schema or contract.
 * --expect FILE: an object, in JSON or YAML, or one a line: the path of a
 * file, as messages name it, and the rule that each of its records must break
 * (a keyword, an invariant, "malformed"); null: they must be valid, as must
 * those of files that are not named.
 */
#ifndef WV_VALIDATE_EXPECT_H
#define WV_VALIDATE_EXPECT_H

#include "outcome.h"

struct expect;

struct expect *expect_any_invalid(void);
/* NULL and an error with its place. */
struct expect *expect_load(const char *path, struct wv_err *err);

/*
 * From what a record is to whether it is as expected: then it passes without
 * findings, else it fails, and the first finding says what was expected.  One
 * that is malformed or undecided stays so.
 */
void expect_apply(
	struct expect *expect, struct wv_arena *arena, struct outcome *outcome);

/* Tells of each file that was to be judged and was not; returns how many. */
size_t expect_tell_unseen(const struct expect *expect);
/* NULL is allowed. */
void expect_free(struct expect *expect);

#endif
