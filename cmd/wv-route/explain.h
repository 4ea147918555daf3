/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: what a ranking rests on, as messages. */
#ifndef WV_ROUTE_EXPLAIN_H
#define WV_ROUTE_EXPLAIN_H

#include "json/lines.h"
#include "rank.h"

/* A message a choice: its score, what words and signals gave it, and where
 * they stand.  rec is the request; NULL: the command line. */
void explain(const struct wv_record *rec, const struct rank_result *result);

#endif
