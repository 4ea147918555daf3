/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For proc*.c and run*.c only: which children of this process are whose, and
 * how one of them and all that it left are ended.
 *
 * We are the subreaper of what we start, so orphans become our children.
 * A stray is a child of ours that was not started by us, was not there before
 * we started any, and whose session is neither our own nor that of another
 * process that we started and that is still alive.  Every started process is
 * the leader of a session, and no process can join an older session, so
 * nothing else of ours is ever taken for a stray.  What left its session as well as
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
#include <stdint.h>
#include <sys/types.h>

/* Before a process is started: makes us the subreaper, and statuses of children
 * to be had. */
void wv_children_prepare(void);
void wv_children_add(pid_t pid);
void wv_children_forget(pid_t pid);
/* Reaps the strays that have died, sends sig (0 = none) to those of pid that
 * have not and are outside its group, and returns how many have not.  What is
 * stopped is woken for SIGTERM. */
size_t wv_children_sweep(pid_t pid, int sig);

/* A started process, and where its end has got to. */
struct wv_child {
	pid_t pid;
	int pidfd;  /* readable when it has ended; -1 = none */
	bool ended; /* not reaped, that keeps the group's id */
	enum wv_child_phase {
		WV_CHILD_RUNNING,
		WV_CHILD_LINGERING, /* it has ended, someone holds a pipe */
		WV_CHILD_TERMINATING,
		WV_CHILD_KILLING,
		WV_CHILD_GONE,
	} phase;
	int64_t deadline; /* of the phase, in ticks */
};

void wv_close_fd(int *fd);
/* Now and ms, in ticks; as late as can be if that is too much. */
int64_t wv_ticks_after(int64_t ms);

/* Running, without a deadline. */
void wv_child_init(struct wv_child *child, pid_t pid);
/* told: by the pidfd; without one the child itself is looked at. */
void wv_child_notice(struct wv_child *child, bool told);
/* It has ended, and nothing that it left lives. */
bool wv_child_is_alone(const struct wv_child *child);
void wv_child_terminate(struct wv_child *child, int64_t grace_ms);
/* What the time made of a terminating or killing one. */
void wv_child_advance(struct wv_child *child, int64_t now);
/* The ms after which time alone would make something of it. */
int64_t wv_child_patience(const struct wv_child *child, int64_t now);
/* Of one that is gone; its wait status. */
int wv_child_reap(struct wv_child *child);

#endif
