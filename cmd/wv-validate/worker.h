/* SPDX-License-Identifier: Apache-2.0 */
/* A process that judges every n-th piece: see jobs.h. */
#ifndef WV_VALIDATE_WORKER_H
#define WV_VALIDATE_WORKER_H

#include "frame.h"
#include "plan.h"

struct worker_input {
	const struct plan *plan;
	struct judge *judge;
	const struct wv_lines_options *options;
	/* What has to come along: see emit.h. */
	bool with_valid, with_rejects, with_all;
};

/* Judges pieces index, index + step, …, writes frames to fd and ends the
 * process. */
_Noreturn void worker_run(
	const struct worker_input *input, size_t index, size_t step, int fd);

#endif
