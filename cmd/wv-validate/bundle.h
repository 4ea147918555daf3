/* SPDX-License-Identifier: Apache-2.0 */
/* One TraceBundle from elsewhere: at most 5 MiB, read by the strict reader.
 * Four checks: schema; canonical form and signature; I-01; I-02. */
#ifndef WV_VALIDATE_BUNDLE_H
#define WV_VALIDATE_BUNDLE_H

#include "contract/sign.h"
#include "result.h"

void bundle_run(struct result *result, const char *path,
	const struct wv_keyring *keyring);

#endif
