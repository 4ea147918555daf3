/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include "json/num.h"
#include "kernel/decision.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

char **
start_words(struct wv_arena *arena, const cJSON *command)
{
	char **argv = wv_alloc(arena, (wv_count(command) + 1) * sizeof *argv);
	size_t n = 0;

	wv_json_each(word, command)
		argv[n++] = word->valuestring;
	argv[n] = NULL;
	return argv;
}

uint64_t
start_limit(const cJSON *limits, const char *name)
{
	const cJSON *most = wv_get(limits, name);
	int64_t n = 0;

	if (most != NULL)
		wv_num_int64(most, &n);
	return (uint64_t)n;
}

static bool
is_named(const cJSON *names, const char *variable)
{
	wv_json_each(name, names)
		if (strcmp(name->valuestring, variable) == 0)
			return true;
	return false;
}

/* What every tool gets, and the variables its entry names: each once. */
static char *const *
make_env(const struct plan *plan, const cJSON *names, struct wv_arena *arena)
{
	static const char *const always[] = { "HOME", "USER", "TMPDIR", NULL };
	char **env = wv_alloc(arena, (wv_count(names) + 6) * sizeof *env);
	size_t n = 0;

	if (!is_named(names, "LANG") || getenv("LANG") == NULL)
		env[n++] = wv_dup(arena, "LANG=C.UTF-8");
	if (plan != NULL)
		env[n++] = wv_printf(arena, "WV_CANCEL_FILE=%s",
			wv_plan_cancel_file(arena, plan->state, plan->id));
	for (size_t i = 0; always[i] != NULL; i++) {
		const char *value = getenv(always[i]);
		if (value != NULL && !is_named(names, always[i]))
			env[n++] = wv_printf(arena, "%s=%s", always[i], value);
	}
	wv_json_each(name, names) {
		const char *value = getenv(name->valuestring);
		if (value != NULL)
			env[n++] = wv_printf(
				arena, "%s=%s", name->valuestring, value);
	}
	env[n] = NULL;
	return env;
}

struct wv_run *
start_process(const struct plan *plan, const cJSON *place, const cJSON *limits,
	char *const *argv, int stdin_fd, const struct wv_run_limits *run_limits,
	struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	const struct wv_proc_spec spec = {
		.argv = argv,
		.env = make_env(plan, wv_get(place, "env"), &arena),
		.dir = wv_get_string(place, "dir"),
		.stdin_fd = stdin_fd,
		.stdout_fd = -1,
		.stderr_fd = -1,
		.cpu_seconds = start_limit(limits, "cpu"),
		.memory_bytes = start_limit(limits, "memory"),
		.file_bytes = start_limit(limits, "file"),
		.open_files = start_limit(limits, "open_files"),
		.processes = start_limit(limits, "processes"),
		.death_signal = SIGKILL,
	};
	struct wv_run *run = wv_run_start(&spec, run_limits, err);

	wv_arena_free(&arena);
	return run;
}
