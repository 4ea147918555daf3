/* SPDX-License-Identifier: Apache-2.0 */
/* URI references (RFC 3986).  Private to this folder. */
#ifndef WV_SCHEMA_URI_H
#define WV_SCHEMA_URI_H

#include "base/str.h"

#include <stdbool.h>

/* Longer ones are refused where they come in, since each reference is
 * resolved by copying its base. */
enum { WV_URI_MAX = 8192 };

/*
 * Appends ref as seen from base (section 5.2; NULL: from nowhere).  Dot
 * segments are removed, nothing else is normalised.  A base that is no
 * absolute URI itself is taken for what it has.
 */
void wv_uri_resolve(struct wv_str *out, const char *base, const char *ref);
/* Appends s with its percent escapes undone; false if one is broken, or is
 * %00. */
bool wv_uri_decode(struct wv_str *out, const char *s);

#endif
