/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a token is good for: a list of exact capability ids and of `a.b.*`,
 * which is everything beneath a.b, one or more segments deep.  Nothing else
 * is a pattern, and what is not valid covers nothing.
 */
#ifndef WV_CONTRACT_SCOPE_H
#define WV_CONTRACT_SCOPE_H

#include "json/json.h"

bool wv_scope_is_valid(const char *entry);
/* Of an array of strings. */
bool wv_scope_covers(const cJSON *scope, const char *capability_id);
/* All that the entry stands for is covered. */
bool wv_scope_contains(const cJSON *scope, const char *entry);

#endif
