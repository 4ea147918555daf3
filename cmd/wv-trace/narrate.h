/* SPDX-License-Identifier: Apache-2.0 */
/* What an event says, as sentences for people. */
#ifndef WV_TRACE_NARRATE_H
#define WV_TRACE_NARRATE_H

#include "json/json.h"

/* Adds the lines of an event, the first says what happened: an array of
 * strings, in the arena.  What they quote is not clean. */
cJSON *narrate(struct wv_arena *arena, const cJSON *event);

#endif
