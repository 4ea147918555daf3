/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef WV_ROUTE_OPTIONS_H
#define WV_ROUTE_OPTIONS_H

#include "base/opt.h"
#include "decision.h"
#include "eval.h"
#include "json/lines.h"
#include "lint.h"

enum mode { ROUTE, EVAL, CATALOG_OUT, LINT };

struct settings {
	enum mode mode;
	const char *mode_option; /* that has set it; NULL: none has */

	struct catalog_file *catalogs, *lints;
	size_t catalog_count, lint_count;
	const char *prefix; /* of the files that follow; NULL: none */
	bool prefix_is_used;
	const char *synonyms;

	bool routes; /* an option says so that only routing has */
	const char *query, *choose, *pin, *arguments;
	size_t limit;
	bool menu, explain;
	struct origin origin; /* what all decisions have */
	struct eval eval;
	struct wv_lines_options lines;
};

extern const struct wv_cmd options_cmd;

/* Reads them all, and $WV_CATALOG; ends with 2 what makes no sense.  What is
 * allocated is kept until the end. */
void options_read(struct settings *settings, struct wv_opts *opts);

#endif
