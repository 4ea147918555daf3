/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of a conformance run (contracts.md, Invariants and Signatures).
 * What is wrong comes as a list of texts, empty if nothing is.
 */
#ifndef WV_VALIDATE_CHECKS_H
#define WV_VALIDATE_CHECKS_H

#include "contract/contract.h"
#include "contract/sign.h"

/* By the schema alone, formats too; NULL if it is valid. */
const struct wv_schema_error *check_schema(
	struct wv_arena *arena, enum wv_contract type, const cJSON *value);
/* Where: "frames/0", "<root>". */
const char *fault_place(
	struct wv_arena *arena, const struct wv_schema_error *fault);
/* "frames/0: needs summary". */
const char *fault_text(
	struct wv_arena *arena, const struct wv_schema_error *fault);
cJSON *fault_texts(
	struct wv_arena *arena, const struct wv_schema_error *faults);
/* The keyword that failed, of those that a schema has itself: the anyOf, not
 * what is in its branches. */
const char *fault_keyword(
	struct wv_arena *arena, const struct wv_schema_error *fault);

/* I-01, I-02: of a TraceBundle, whatever else is wrong with it. */
struct bundle_invariant {
	const char *id, *name;
	cJSON *(*check)(struct wv_arena *arena, const cJSON *bundle);
};
enum { BUNDLE_INVARIANTS = 2 };
extern const struct bundle_invariant bundle_invariants[BUNDLE_INVARIANTS];

/* I-04: each Core schema requires what contracts.md says, and no more. */
cJSON *check_core_surface(struct wv_arena *arena);
/* I-06. */
cJSON *check_token_scoped(struct wv_arena *arena, const cJSON *token);

/* Canonical form and signature of a TraceBundle.  notes: what was verified, or
 * could not be; a keyring of NULL knows no key. */
cJSON *check_integrity(struct wv_arena *arena, const cJSON *bundle,
	const struct wv_keyring *keyring, cJSON *notes);

#endif
