/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_FIREWALL_PASS_H
#define WV_FIREWALL_PASS_H

#include "firewall.h"

/* An output of text on its way. */
struct pass {
	struct batch *batch;
	struct wv_redactor redactor;
	struct wv_findings findings; /* since the last group */
	struct wv_str text;          /* that waits for the next */
	bool redacted, flagged;
};

/* Nothing but the text is asked for. */
bool pass_is_all(const struct batch *batch);
/* And what goes of it does not depend on all of it. */
bool pass_may(const struct batch *batch);

void pass_begin(struct pass *pass, struct batch *batch);
/* Whole lines, if they are not too long. */
void pass_add(struct pass *pass, const char *raw, size_t n, bool is_last);
void pass_end(struct pass *pass);

#endif
