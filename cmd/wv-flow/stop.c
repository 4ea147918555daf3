/* SPDX-License-Identifier: Apache-2.0 */
#include "stop.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
static volatile sig_atomic_t caught, count;
static sig_atomic_t seen;
static sigset_t waiting; /* the mask while waiting */

static void
on_signal(int signal)
{
	if (caught == 0)
		caught = signal;
	if (count < SIG_ATOMIC_MAX)
		count++;
}

void
stop_init(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&blocked);
	for (size_t i = 0; i < 3; i++) {
		struct sigaction old;
		sigaction(signals[i], NULL, &old);
		/* nohup(1), and shells that start jobs in the background */
		if (old.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
		sigaddset(&blocked, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, &waiting);
	for (size_t i = 0; i < 3; i++)
		sigdelset(&waiting, signals[i]);
}

int
stop_signal(void)
{
	return caught;
}

bool
stop_is_new(void)
{
	return count != seen;
}

void
stop_seen(void)
{
	seen = count;
}

int
stop_poll(struct pollfd *fds, nfds_t n, int64_t ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	return ppoll(fds, n, ms < 0 ? NULL : &time, &waiting);
}

void
stop_die(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	_exit(128 + number);
}
