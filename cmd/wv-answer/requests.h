/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_REQUESTS_H
#define WV_ANSWER_REQUESTS_H

#include "options.h"

/* Where contexts and their statistics go. */
struct outputs {
	struct wv_out contexts, stats; /* the latter if there is a stats_file */
};

/* One context, as the options say.  The status. */
int answer_once(const struct options *options, struct intake *intake,
	struct outputs *to);
/* --requests: a line {"id"?, "context"} for each; the context of a form that
 * is JSON is not put in a string.  The status. */
int answer_requests(const struct options *options, struct intake *intake,
	struct outputs *to);

#endif
