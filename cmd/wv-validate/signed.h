/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signature of a record that may carry one, as one more rule that it is
 * judged by: x_weaver_signature of a CapabilityToken, signature of a
 * TraceBundle.
 */
#ifndef WV_VALIDATE_SIGNED_H
#define WV_VALIDATE_SIGNED_H

#include "contract/contract.h"
#include "contract/sign.h"

/*
 * 1 if nothing is wrong: the type (an enum wv_contract, or -1) is none that is
 * signed, the signature is by a key of the keyring, or there is none and none
 * is required.  Else 0, with an error of rule "signature" at the end of
 * *errors, in the arena.  Only for a record whose schema has been judged.
 */
int signed_check(int type, const cJSON *value, const struct wv_keyring *keyring,
	bool required, struct wv_arena *arena, struct wv_schema_error **errors);

#endif
