/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schemas that are compiled in: read and compiled when they are first
 * asked for, kept for good.  Private to this folder.
 */
#ifndef WV_CONTRACT_REGISTRY_H
#define WV_CONTRACT_REGISTRY_H

#include "contract/contract.h"

/* NULL and an error only if the program was built wrong. */
const struct wv_schema *wv_registry_contract(
	enum wv_contract type, struct wv_err *err);
/* Of schemas/config/KIND; NULL and an error if there is none. */
const struct wv_schema *wv_registry_config(
	const char *kind, struct wv_err *err);
/* The contract with nothing left to tell: all that wv_contract_judge() may
 * say, warnings too, is a fault in it.  NULL if no schema can say that. */
const struct wv_schema *wv_registry_stricter(enum wv_contract type);

/* The tree of a contract's schema; not to be changed. */
const cJSON *wv_contract_root(enum wv_contract type);
/* What has metadata is a record, and may have an x_weaver_signature; other
 * contracts are of what is attached to records. */
bool wv_contract_is_record(enum wv_contract type);
/* The contract that a subschema is a reference to (itself, or the first
 * branch of its allOf or anyOf), or -1. */
int wv_contract_referred(const cJSON *schema);

/* stricter.c: the tree that wv_registry_stricter() compiles, or NULL. */
cJSON *wv_contract_stricter(struct wv_arena *arena, enum wv_contract type);

#endif
