/* SPDX-License-Identifier: Apache-2.0 */
/* Which files in folders are payloads. */
#ifndef WV_VALIDATE_WALK_H
#define WV_VALIDATE_WALK_H

#include "base/walk.h"

/* For the payload files in folders: .json, .jsonl, .ndjson, .yaml, .yml, each
 * also with .gz. */
void walk_payloads(struct wv_walk *walk, bool allow_empty);

#endif
