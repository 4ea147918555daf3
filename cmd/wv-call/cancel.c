/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signals that end a process stay blocked for its whole life.  One that
 * has come is pending: that is how it is seen, and it does its work when it
 * is let through at the very end.
 */
#include "plan.h"

#include "base/msg.h"
#include "kernel/decision.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

static int signal_fd = -1;
static bool pipe_was_ignored;

void
cancel_init(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signal_fd < 0)
		wv_die("cannot watch for signals: %s", strerror(errno));
	pipe_was_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
}

int
cancel_signal(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		if (sigismember(&pending, signals[i]))
			return signals[i];
	}
	return 0;
}

int
cancel_fd(void)
{
	return signal_fd;
}

const char *
cancel_reason(const struct plan *plan)
{
	if (cancel_signal() != 0)
		return "cancelled by a signal";
	if (wv_plan_is_cancelled(plan->state, plan->id))
		return "the plan was cancelled";
	return NULL;
}

void
cancel_die(int signo)
{
	sigset_t set;

	signal(signo, SIG_DFL);
	raise(signo);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	exit(WV_TROUBLE);
}

void
cancel_broken_pipe(void)
{
	/* Whoever started us wants to hear of it, not lose us. */
	if (pipe_was_ignored)
		exit(WV_TROUBLE);
	cancel_die(SIGPIPE);
}
