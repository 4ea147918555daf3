/* SPDX-License-Identifier: Apache-2.0 */
/* What wv-call was asked to do. */
#ifndef WV_CALL_OPTIONS_H
#define WV_CALL_OPTIONS_H

#include "base/opt.h"
#include "plan.h"

/* What is to be done; all but to call reads no records. */
enum mode { CALL, LOCK_WRITE, DISCOVER, CANCEL, LINT };

struct settings {
	struct plan plan;
	struct wv_lines_options lines;
	const char *tools, *state, *lock;
	char *const *command;
	enum mode mode;
	const char *mode_option; /* that says so; NULL: none does */
	const char *mode_value;
	const char *call_option; /* the last one that only calls have */
	bool refresh;
	const char **approved; /* NULL-terminated; NULL: none */
	size_t approved_count;
	struct lock pins;
};

extern const struct wv_cmd options_cmd;

/* Takes all options; what excludes what, and what the machine's administrator
 * has fixed, ends us here. */
void options_read(struct settings *s, struct wv_opts *opts);

#endif
