/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes.  A child is started in a session and group of its own with
 * every descriptor but 0, 1 and 2 closed, default signals, an empty signal
 * mask, a fixed PATH and only the environment it is given.
 */
#ifndef WV_BASE_PROC_H
#define WV_BASE_PROC_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>
#include <sys/types.h>

/* What a child's PATH is, whatever ours. */
#define WV_PROC_PATH \
	"/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

/*
 * Splits a command into words without a shell: white space separates, single
 * and double quotes group, a backslash takes the next character (not within
 * single quotes); no expansion of any kind.  NULL-terminated, in the arena;
 * an open quote or no word at all is an error.
 */
char **wv_words(
	struct wv_arena *arena, const char *command, struct wv_err *err);

struct wv_proc_spec {
	char *const *argv;    /* argv[0] is looked up on WV_PROC_PATH if it has
	                            no slash; a relative one is seen from dir */
	char *const *env;     /* NAME=VALUE …, and PATH if it has none; NULL:
	                            PATH, LANG=C.UTF-8, and HOME, USER and
	                            TMPDIR where set */
	const char *dir;      /* working folder; NULL = ours */
	int stdin_fd;         /* -1 = /dev/null, WV_PROC_PIPE = a pipe */
	int stdout_fd;        /* -1 = a pipe, see struct wv_proc */
	int stderr_fd;        /* -1 = a pipe */
	uint64_t cpu_seconds; /* 0 = no limit of ours, here and below */
	uint64_t memory_bytes;
	uint64_t file_bytes;
	uint64_t open_files;
	uint64_t processes; /* of the user, all told */
	int death_signal; /* to the child when we die without a word (kill -9);
	                     0 = none; Linux only */
};

enum { WV_PROC_PIPE = -2 };

struct wv_proc {
	pid_t pid;
	/* Our ends of the pipes, non-blocking; -1 where there is none. */
	int in, out, err;
};

/*
 * A command that cannot be executed is an error here, not a child that dies.
 * A started process is owed a wv_proc_stop(), also when it has ended by
 * itself: that is what waits for it.  The pipes are the caller's to close.
 */
int wv_proc_start(struct wv_proc *proc, const struct wv_proc_spec *spec,
	struct wv_err *err);

/* TERM, grace, KILL to the group of a started process and to what left it, and
 * wait for them.  Returns the process's wait status. */
int wv_proc_stop(struct wv_proc *proc, int64_t grace_ms);

#endif
