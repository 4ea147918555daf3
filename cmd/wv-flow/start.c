/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A tool of the family stands beside us, as installed and as built; else it
 * is looked for on PATH, as is a user's command. */
static char *
find_beside(struct wv_arena *arena, const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash, *path;

	if (n < 0)
		return NULL;
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	path = wv_printf(arena, "%s/%s", self, name);
	return access(path, X_OK) == 0 ? path : NULL;
}

static char *
find_on_path(struct wv_arena *arena, char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/') != NULL || path == NULL)
		return name;
	while (*path != '\0') {
		size_t n = strcspn(path, ":");
		char *file = wv_printf(arena, "%.*s/%s", (int)n, path, name);
		if (n > 0 && access(file, X_OK) == 0)
			return file;
		path += n + (path[n] == ':');
	}
	return name;
}

static char *
find_tool(struct wv_arena *arena, const char *name)
{
	char *path = find_beside(arena, name);

	return path ? path : find_on_path(arena, wv_dup(arena, name));
}

static int
start_process(
	struct kernel *kernel, char **argv, int in, int out, struct wv_err *err)
{
	extern char **environ;
	struct wv_proc_spec spec = { .argv = argv,
		.env = environ,
		.stdin_fd = in,
		.stdout_fd = out,
		.stderr_fd = STDERR_FILENO,
		.death_signal = SIGTERM };
	size_t i = kernel->count;

	if (wv_proc_start(&kernel->procs[i], &spec, err) != 0)
		return -1;
	kernel->names[i] = argv[0];
	kernel->count++;
	return 0;
}

/* A command line that is put together; longer than any of ours. */
struct command {
	char *argv[16];
	size_t n;
};

static void
add(struct command *command, const char *option, const char *value)
{
	if (value == NULL)
		return;
	if (option != NULL)
		command->argv[command->n++] = (char *)option;
	command->argv[command->n++] = (char *)value;
}

static int
start_tools(struct kernel *kernel, int in, struct wv_err *err)
{
	const struct kernel_options *o = kernel->options;
	struct command authorize = { 0 }, call = { 0 };
	int between[2], result;

	add(&authorize, NULL, find_tool(&kernel->arena, "wv-authorize"));
	add(&authorize, NULL, "--allow-empty");
	add(&authorize, "-p", o->policy);
	add(&authorize, "-k", o->tokens);
	add(&authorize, "-c", o->catalog);
	add(&authorize, "--now", o->now);
	add(&call, NULL, find_tool(&kernel->arena, "wv-call"));
	add(&call, NULL, "--allow-empty");
	add(&call, NULL, "--unordered");
	add(&call, "-T", o->tools);
	add(&call, "--now", o->now);
	if (o->jobs > 1)
		add(&call, "-j", wv_printf(&kernel->arena, "%u", o->jobs));
	if (pipe2(between, O_CLOEXEC) != 0)
		return wv_err_sys(err, "pipe");
	result = start_process(kernel, authorize.argv, in, between[1], err);
	if (result == 0)
		result = start_process(kernel, call.argv, between[0], -1, err);
	close(between[0]);
	close(between[1]);
	return result;
}

static int
start_command(struct kernel *kernel, int in, struct wv_err *err)
{
	char **argv = wv_words(&kernel->arena, kernel->options->command, err);

	if (argv == NULL)
		return -1;
	argv[0] = find_on_path(&kernel->arena, argv[0]);
	return start_process(kernel, argv, in, -1, err);
}

static int
start(struct kernel *kernel, struct wv_err *err)
{
	int in[2], result;

	if (pipe2(in, O_CLOEXEC) != 0)
		return wv_err_sys(err, "pipe");
	kernel->in = in[1];
	fcntl(kernel->in, F_SETFL, O_NONBLOCK);
	result = kernel->options->command != NULL
		? start_command(kernel, in[0], err)
		: start_tools(kernel, in[0], err);
	close(in[0]);
	if (result == 0)
		kernel->out = kernel->procs[kernel->count - 1].out;
	return result;
}

int
kernel_start(struct kernel *kernel, struct wv_err *err)
{
	if (kernel->count > 0 || start(kernel, err) == 0)
		return 0;
	kernel_kill(kernel);
	return -1;
}
