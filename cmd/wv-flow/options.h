/* SPDX-License-Identifier: Apache-2.0 */
/* What wv-flow was asked to do. */
#ifndef WV_FLOW_OPTIONS_H
#define WV_FLOW_OPTIONS_H

#include "base/opt.h"
#include "json/lines.h"
#include "kernel.h"
#include "lint.h"
#include "resume.h"

enum mode { RUN, DRY_RUN, NEXT, LINT, GRAPH, CAPABILITY };

struct settings {
	struct kernel_options kernel;
	struct wv_lines_options lines;
	struct flow_lint_options lint; /* its limits are those of every load */
	struct resume resume;
	const char *input; /* as given; NULL: records are read */
	const char *state;
	enum mode mode;
	const char *mode_option; /* that says so; NULL: none does */
	enum flow_graph_format graph;
	int64_t grace_ms;
	bool all;
};

extern const struct wv_cmd options_cmd;

/* Takes all options; what excludes what, and what the machine's administrator
 * has fixed, ends us here. */
void options_read(struct settings *s, struct wv_opts *opts);

#endif
