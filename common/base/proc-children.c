/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc-internal.h"

#include "base/mem.h"
#include "base/str.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Started and not yet waited for; and who was our child before that. */
static pid_t *started;
static size_t started_count;

void
wv_children_add(pid_t pid)
{
	started = wv_list_room(started, started_count, sizeof *started);
	started[started_count++] = pid;
}

/* Pids, each followed by a space.  All, before one of them is reaped: the
 * kernel counts them to know where it was. */
static int
read_children(struct wv_str *text)
{
	/* Our one thread is the parent of all, orphans too. */
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	text->n = 0;
	while ((n = read(fd, wv_str_room(text, 4096), 4096)) > 0)
		text->n += (size_t)n;
	wv_str_add(text, "", 0);
	close(fd);
	return 0;
}

/* The next pid of the text; 0: there is none. */
static pid_t
next_child(char **s)
{
	char *next;
	long child = strtol(*s, &next, 10);

	if (next == *s)
		return 0;
	*s = next;
	return (pid_t)child;
}

/* Whoever was here before us may have left us children, with sessions of their
 * own: nothing that we start leaves those. */
static void
add_inherited(void)
{
	struct wv_str text = { 0 };
	char *s;
	pid_t child;

	if (read_children(&text) == 0) {
		s = text.s;
		while ((child = next_child(&s)) != 0)
			wv_children_add(child);
	}
	wv_str_free(&text);
}

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
	add_inherited();
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

static void
signal_stray(pid_t child, int sig)
{
	kill(child, sig);
	/* What is stopped could not heed it. */
	if (sig == SIGTERM)
		kill(child, SIGCONT);
}

/* True if child is a live stray of pid. */
static bool
sweep_one(pid_t child, pid_t pid, int sig)
{
	if (is_started(child))
		return false;
	pid_t session = getsid(child);
	if (session < 0 || session == getsid(0))
		return false;
	if (waitpid(child, NULL, WNOHANG) != 0)
		return false;
	if (session != pid && is_started(session))
		return false;
	if (sig && getpgid(child) != pid)
		signal_stray(child, sig);
	return true;
}

size_t
wv_children_sweep(pid_t pid, int sig)
{
	static struct wv_str text;
	size_t live = 0;
	pid_t child;

	if (read_children(&text) < 0)
		return 0;
	char *s = text.s;
	while ((child = next_child(&s)) != 0)
		live += sweep_one(child, pid, sig);
	return live;
}
