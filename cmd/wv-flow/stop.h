/* SPDX-License-Identifier: Apache-2.0 */
/*
 * INT, TERM and HUP.  They are blocked but for the waits below, so that what
 * has to be recorded is recorded before the process dies of one.  SIGPIPE is
 * ignored: a reader that went away is an error of a write.
 */
#ifndef WV_FLOW_STOP_H
#define WV_FLOW_STOP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

void stop_init(void);
/* The first signal that came, or 0. */
int stop_signal(void);
/* One came that stop_seen() has not been told of: a second one too. */
bool stop_is_new(void);
void stop_seen(void);
/* poll(2) that a signal ends; ms < 0 waits for ever. */
int stop_poll(struct pollfd *fds, nfds_t n, int64_t ms);
/* Ends the process by the signal, as if nobody had caught it. */
_Noreturn void stop_die(int signal);

#endif
