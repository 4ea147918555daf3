/* SPDX-License-Identifier: Apache-2.0 */
/* A record, and what it is to be judged by: verdict and findings. */
#ifndef WV_VALIDATE_JUDGE_H
#define WV_VALIDATE_JUDGE_H

#include "contract/contract.h"
#include "contract/sign.h"
#include "fingerprint.h"
#include "guess.h"
#include "outcome.h"

/* No contract: one is told by the members, or there is a schema. */
enum { TARGET_AUTO = -1, TARGET_SCHEMA = -2 };

struct target {
	int type; /* enum wv_contract, or one of those above */
	const struct wv_schema *schema;        /* TARGET_SCHEMA */
	struct fingerprint_schema fingerprint; /* the same */
};

struct judge {
	struct wv_contract_rules rules;   /* max: by a schema too */
	const struct wv_keyring *keyring; /* NULL: signatures are not checked */
	bool require_signed;
	bool fingerprints; /* each valid record gets one */
	struct wv_json_limits limits;
	struct guess guess; /* guess_free() it */
};

/*
 * Judges the record that wv_lines_next() handed out under no_trees.  False if
 * it is malformed, which wv_lines_tree() has then told.  The findings are in
 * the arena.
 */
bool judge_record(struct judge *judge, const struct target *target,
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec,
	struct outcome *outcome);

#endif
