/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of tools and servers: what each of them gets. */
#ifndef WV_CALL_START_H
#define WV_CALL_START_H

#include "base/run.h"
#include "plan.h"

/* The words of a command, NULL-terminated, in the arena. */
char **start_words(struct wv_arena *arena, const cJSON *command);
/* A member of `limits`, which may be NULL; 0: there is none. */
uint64_t start_limit(const cJSON *limits, const char *name);
/* With the env and the dir of a tool or a server, which name variables and a
 * folder.  plan: that it may be cancelled with; NULL: none. */
struct wv_run *start_process(const struct plan *plan, const cJSON *place,
	const cJSON *limits, char *const *argv, int stdin_fd,
	const struct wv_run_limits *run_limits, struct wv_err *err);

#endif
