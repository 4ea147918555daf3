/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 4648 section 5 without padding, where nothing has two texts: no other
 * character, and none of the bits that are left over is set. */
#ifndef WV_CONTRACT_BASE64URL_H
#define WV_CONTRACT_BASE64URL_H

#include "base/str.h"

/* Whether the text is exactly this many bytes. */
bool wv_base64url_read(unsigned char *out, size_t bytes, const char *text);
void wv_base64url_write(struct wv_str *out, const unsigned char *p, size_t n);

#endif
