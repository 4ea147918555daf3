/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 8785 (JCS): member names sorted by UTF-16 code units, ECMAScript
 * numbers, minimal escapes.
 */
#ifndef WV_JSON_JCS_H
#define WV_JSON_JCS_H

#include "base/digest.h"
#include "json/json.h"

/* For signing and verifying: refuses a number that is not exactly its
 * double, naming it by its pointer. */
int wv_jcs(struct wv_str *out, const cJSON *node, struct wv_err *err);

/*
 * Our own digest (arguments, decisions, tokens, fingerprints): SHA-256 of
 * JCS with such numbers as exact decimals, so that two different values never
 * share one.  Equal to the JCS digest wherever wv_jcs() succeeds.
 */
void wv_json_digest(char hex[WV_SHA256_HEX], const cJSON *node);
void wv_json_canonical(struct wv_str *out, const cJSON *node);

#endif
