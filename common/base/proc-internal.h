/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For proc*.c only: which children of this process are whose.
 *
 * We are the subreaper of what we start, so orphans become our children.
 * A stray is a child of ours that was not started by us and whose session is
 * neither our own (then it was there before us) nor that of another process
 * that we started and that is still alive.  Every started process is the
 * leader of a session, and no process can join an older session, so nothing
 * else of ours is ever taken for a stray.  What left its session as well as
 * its parent cannot be told apart between two processes that run at once:
 * it ends with the first of the two.
 *
 * Without /proc/…/children (other systems, some containers) only the group
 * is ended.
 */
#ifndef WV_BASE_PROC_INTERNAL_H
#define WV_BASE_PROC_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes us the subreaper, and statuses of children to be had. */
void wv_children_prepare(void);
void wv_children_add(pid_t pid);
void wv_children_forget(pid_t pid);
/* Reaps the strays that have died, sends sig (0 = none) to those of pid that
 * have not and are outside its group, and returns how many have not. */
size_t wv_children_sweep(pid_t pid, int sig);

#endif
