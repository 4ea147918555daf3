/* SPDX-License-Identifier: Apache-2.0 */
/* --check: what would be redacted, and nothing else. */
#ifndef WV_FIREWALL_CHECK_H
#define WV_FIREWALL_CHECK_H

#include "baseline.h"
#include "firewall.h"

struct check {
	const struct settings *settings;
	struct tell *tell;
	struct wv_arena arena; /* of a record */
	struct judge judge;
	size_t outputs, found; /* with findings that are no mere flags */
	int status;
};

/* Ends the process if the baseline cannot be read. */
void check_open(struct check *check, const struct settings *settings,
	struct tell *tell);
/* raw as for wv_firewall_frame(); line is 0 for a whole source. */
void check_add(struct check *check, const char *source, size_t line,
	const char *raw, size_t len);
/* What could not be read, which has been told. */
void check_unread(struct check *check, const char *source, const char *why);
/* The status. */
int check_close(struct check *check);

#endif
