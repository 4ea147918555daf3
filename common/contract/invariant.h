/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the schemas cannot say (contracts.md, Invariants): a Frame has no raw
 * member (I-01), a token has a scope and an end (I-06), item ids are unique
 * within a card and the selected item stands in the selected card.
 */
#ifndef WV_CONTRACT_INVARIANT_H
#define WV_CONTRACT_INVARIANT_H

#include "contract/contract.h"

/* Appends to *errors (in the arena); returns how many it found. */
int wv_invariant_check(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors);

#endif
