/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the schemas cannot say (contracts.md, Invariants): a Frame has no raw
 * member (I-01), each decision of a TraceBundle is traced (I-02), a token has
 * a scope and an end (I-06), item ids are unique within a card, and what is
 * selected is there.  Doubts: card ids that stand twice, ids of a bundle that
 * do, and references to what a bundle does not hold.  Private to this folder.
 */
#ifndef WV_CONTRACT_INVARIANT_H
#define WV_CONTRACT_INVARIANT_H

#include "contract/found.h"

/* What no Frame has; NULL-terminated. */
extern const char *const wv_raw_members[];

/* Of one record, without those within it. */
void wv_invariants(struct wv_found *found, enum wv_contract type,
	const cJSON *record, const struct wv_place *place);
/* bundle.c: those of a TraceBundle as a whole. */
void wv_bundle_invariants(struct wv_found *found, const cJSON *bundle,
	const struct wv_place *place);

#endif
