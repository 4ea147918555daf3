/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a conformance run found: how many checks, which failed, and the two
 * files that say so.
 */
#ifndef WV_VALIDATE_RESULT_H
#define WV_VALIDATE_RESULT_H

#include "json/json.h"
#include "corpus.h"

struct result {
	struct wv_arena arena; /* of everything that the run reads */
	struct wv_out *out;
	const char *mode, *target; /* of a ConformanceResult; target or NULL */
	const char *header;        /* of the report */
	size_t checks;
	cJSON *detail, *records; /* of what failed */
};

/* Members of a failure record; NULL is left out. */
struct failure {
	const char *kind; /* "positive", "negative", … */
	const char *payload, *schema, *keyword, *path, *invariant_id;
};

void result_start(struct result *result, struct wv_out *out);
void result_fail(struct result *result, const struct failure *failure,
	const char *message);
/* A bundle that could not be read. */
void result_no_input(struct result *result, const char *reason);
/* A line on standard output. */
void result_say(struct result *result, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Reports, writes the files and frees; the exit status. */
int result_finish(struct result *result, const struct corpus_options *options);

#endif
