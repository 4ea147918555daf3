/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc-internal.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Started and not yet waited for. */
static pid_t *started;
static size_t started_count;

void
wv_children_prepare(void)
{
	static bool done;
	struct sigaction chld;

	if (done)
		return;
	done = true;
#ifdef PR_SET_CHILD_SUBREAPER
	prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
#endif
	/* Inherited from a careless parent, it would lose all statuses. */
	if (sigaction(SIGCHLD, NULL, &chld) == 0 && chld.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

void
wv_children_add(pid_t pid)
{
	started = wv_list_room(started, started_count, sizeof *started);
	started[started_count++] = pid;
}

void
wv_children_forget(pid_t pid)
{
	for (size_t i = 0; i < started_count; i++) {
		if (started[i] == pid) {
			started[i] = started[--started_count];
			return;
		}
	}
}

static bool
is_started(pid_t pid)
{
	for (size_t i = 0; i < started_count; i++) {
		if (started[i] == pid)
			return true;
	}
	return false;
}

/* True if child is a live stray of pid. */
static bool
sweep_one(pid_t child, pid_t pid, int sig)
{
	pid_t session = getsid(child);

	if (session < 0 || session == getsid(0) || is_started(child))
		return false;
	if (waitpid(child, NULL, WNOHANG) != 0)
		return false;
	if (session != pid && is_started(session))
		return false;
	if (sig && getpgid(child) != pid)
		kill(child, sig);
	return true;
}

/* A file of pids, each followed by a space.  What does not fit is for the
 * next sweep. */
static size_t
sweep_file(const char *path, pid_t pid, int sig)
{
	char text[4096];
	size_t live = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (char *next, *s = text;; s = next) {
		long child = strtol(s, &next, 10);
		/* One that is cut short is not followed by its space. */
		if (next == s || *next != ' ')
			return live;
		live += sweep_one((pid_t)child, pid, sig);
	}
}

size_t
wv_children_sweep(pid_t pid, int sig)
{
	DIR *tasks = opendir("/proc/self/task");
	size_t live = 0;
	struct dirent *entry;

	if (!tasks)
		return 0;
	while ((entry = readdir(tasks))) {
		char path[64];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "/proc/self/task/%.20s/children",
			entry->d_name);
		live += sweep_file(path, pid, sig);
	}
	closedir(tasks);
	return live;
}
