/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_FOCUS_H
#define WV_ANSWER_FOCUS_H

#include "build.h"

/*
 * The lines of an item's data that share most words with the query, and what
 * stands beside them, as item->focus: for when there is no room for all of it.
 * Stays empty if none do.  In stage 7, for what is shown.
 */
void focus_find(struct build *build, struct item *item);

#endif
