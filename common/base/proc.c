/* SPDX-License-Identifier: Apache-2.0 */
#include "base/proc.h"

#include "base/proc-internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/* What the child needs, made before it is. */
struct plan {
	const struct wv_proc_spec *spec;
	char **paths; /* to try in turn */
	char **env;
	int fds[3]; /* to become 0, 1 and 2; -1 = /dev/null */
	int report; /* takes a struct failure if there is no exec */
	pid_t parent;
};

struct failure {
	enum { FAIL_SETUP, FAIL_LIMIT, FAIL_DIR, FAIL_EXEC } step;
	int cause;
};

/* before the fork */

static char **
search_paths(struct wv_arena *arena, const char *name)
{
	const char *dir = WV_PROC_PATH;
	char **paths = wv_alloc(arena, (strlen(dir) + 2) * sizeof *paths);
	size_t count = 0;

	if (strchr(name, '/')) {
		paths[count++] = wv_dup(arena, name);
		dir = "";
	}
	while (*dir) {
		size_t n = strcspn(dir, ":");
		paths[count++] = wv_printf(arena, "%.*s/%s", (int)n, dir, name);
		dir += n + (dir[n] == ':');
	}
	paths[count] = NULL;
	return paths;
}

static bool
has_path(char *const *env)
{
	for (; *env; env++) {
		if (strncmp(*env, "PATH=", 5) == 0)
			return true;
	}
	return false;
}

static char **
environment(struct wv_arena *arena, char *const *given)
{
	static const char *const kept[] = { "HOME", "USER", "TMPDIR", NULL };
	size_t count = 0, room = 8;

	for (char *const *env = given; env && *env; env++)
		room++;
	char **all = wv_alloc(arena, room * sizeof *all);
	if (!given || !has_path(given))
		all[count++] = wv_dup(arena, "PATH=" WV_PROC_PATH);
	if (!given)
		all[count++] = wv_dup(arena, "LANG=C.UTF-8");
	for (int i = 0; !given && kept[i]; i++) {
		const char *value = getenv(kept[i]);
		if (value)
			all[count++] =
				wv_printf(arena, "%s=%s", kept[i], value);
	}
	for (; given && *given; given++)
		all[count++] = *given;
	all[count] = NULL;
	return all;
}

static int
make_pipe(int fds[2])
{
#ifdef __linux__
	return pipe2(fds, O_CLOEXEC);
#else
	if (pipe(fds) < 0)
		return -1;
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	return 0;
#endif
}

static void
close_all(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

/* in the child */

_Noreturn static void
report(const struct plan *plan, int step)
{
	struct failure failure = { .cause = errno };

	failure.step = step;
	/* If this fails too, the parent takes the status for what it is. */
	ssize_t n = write(plan->report, &failure, sizeof failure);
	_exit(n < 0 ? 126 : 127);
}

static void
default_signals(void)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* First out of the way, so that none is overwritten before it was taken. */
static int
place_descriptors(const int fds[3])
{
	int moved[3];

	for (int i = 0; i < 3; i++) {
		int fd = fds[i];
		if (fd < 0)
			fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		moved[i] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (moved[i] < 0)
			return -1;
	}
	for (int i = 0; i < 3; i++) {
		if (dup2(moved[i], i) < 0)
			return -1;
	}
	return 0;
}

/* Marked, not closed: the report must still be possible. */
static int
close_others_on_exec(void)
{
#ifdef SYS_close_range
	const unsigned cloexec = 1U << 2; /* since Linux 5.11 */

	if (syscall(SYS_close_range, 3U, ~0U, cloexec) == 0)
		return 0;
#endif
	DIR *dir = opendir("/dev/fd");
	struct dirent *entry;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);
		if (fd >= 3)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	closedir(dir);
	return 0;
}

static int
limit(int resource, uint64_t soft, uint64_t hard)
{
	struct rlimit old, new;

	if (getrlimit(resource, &old) < 0)
		return -1;
	new.rlim_max = hard < old.rlim_max ? (rlim_t)hard : old.rlim_max;
	new.rlim_cur = soft < new.rlim_max ? (rlim_t)soft : new.rlim_max;
	return setrlimit(resource, &new);
}

static int
set_limits(const struct wv_proc_spec *spec)
{
	if (limit(RLIMIT_CORE, 0, 0) < 0)
		return -1;
	/* A second more, so that the signal is SIGXCPU, which says why. */
	if (spec->cpu_seconds &&
		limit(RLIMIT_CPU, spec->cpu_seconds, spec->cpu_seconds + 1) < 0)
		return -1;
	if (spec->file_bytes &&
		limit(RLIMIT_FSIZE, spec->file_bytes, spec->file_bytes) < 0)
		return -1;
	if (spec->open_files &&
		limit(RLIMIT_NOFILE, spec->open_files, spec->open_files) < 0)
		return -1;
#ifdef RLIMIT_NPROC
	if (spec->processes &&
		limit(RLIMIT_NPROC, spec->processes, spec->processes) < 0)
		return -1;
#endif
#ifdef RLIMIT_AS
	if (spec->memory_bytes &&
		limit(RLIMIT_AS, spec->memory_bytes, spec->memory_bytes) < 0)
		return -1;
#endif
	return 0;
}

/* The parent may be gone before it is asked for. */
static int
set_death_signal(const struct plan *plan)
{
#ifdef PR_SET_PDEATHSIG
	int sig = plan->spec->death_signal;

	if (sig != 0 &&
		(prctl(PR_SET_PDEATHSIG, sig) < 0 || getppid() != plan->parent))
		return -1;
#endif
	return 0;
}

/*
 * Runs in the memory of the parent, which is suspended until exec or exit: of
 * that it changes errno and the stack below the parent's, which is why it is
 * not inlined (and, where there is no close_range(), the heap, which is whole:
 * we have one thread), and takes signals only once none has a handler.
 */
__attribute__((noinline)) _Noreturn static void
become(const struct plan *plan)
{
	const struct wv_proc_spec *spec = plan->spec;
	int cause = ENOENT;

	if (set_death_signal(plan) < 0 || setsid() < 0 ||
		place_descriptors(plan->fds) < 0 || close_others_on_exec() < 0)
		report(plan, FAIL_SETUP);
	default_signals();
	if (spec->dir && chdir(spec->dir) < 0)
		report(plan, FAIL_DIR);
	if (set_limits(spec) < 0)
		report(plan, FAIL_LIMIT);
	for (char **path = plan->paths; *path; path++) {
		execve(*path, spec->argv, plan->env);
		if (errno != ENOENT && errno != ENOTDIR)
			cause = errno;
		if (cause != ENOENT && cause != EACCES)
			break;
	}
	errno = cause;
	report(plan, FAIL_EXEC);
}

/* in the parent */

/* Handlers of ours must not run in the child.  vfork(), as the page tables of
 * 64 MB take five times as long to copy as all else. */
static pid_t
fork_quietly(const struct plan *plan)
{
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
#ifdef __linux__
	pid_t pid = vfork();
#else
	pid_t pid = fork();
#endif
	if (pid == 0)
		become(plan);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

static int
explain(const struct plan *plan, const struct failure *failure,
	struct wv_err *err)
{
	errno = failure->cause;
	switch (failure->step) {
	case FAIL_DIR:
		return wv_err_sys(err, "cannot enter '%s'", plan->spec->dir);
	case FAIL_LIMIT:
		return wv_err_sys(err, "cannot set the limits of a process");
	case FAIL_EXEC:
		return wv_err_sys(err, "cannot run '%s'", plan->spec->argv[0]);
	default:
		return wv_err_sys(err, "cannot set up a process");
	}
}

/* Waits for the exec, or learns why there was none. */
static int
confirm(const struct plan *plan, pid_t pid, int from, struct wv_err *err)
{
	struct failure failure;
	ssize_t n;

	do {
		n = read(from, &failure, sizeof failure);
	} while (n < 0 && errno == EINTR);
	if (n != sizeof failure)
		return 0;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return explain(plan, &failure, err);
}

/* The read and write ends of: */
enum {
	PIPE_OUT = 0,
	PIPE_ERR = 2,
	PIPE_REPORT = 4,
	PIPE_IN = 6,
	PIPE_ENDS = 8
};

static int
launch(struct plan *plan, int fds[PIPE_ENDS], struct wv_proc *proc,
	struct wv_err *err)
{
	const struct wv_proc_spec *spec = plan->spec;
	bool in = spec->stdin_fd == WV_PROC_PIPE;

	if ((spec->stdout_fd < 0 && make_pipe(fds + PIPE_OUT) < 0) ||
		(spec->stderr_fd < 0 && make_pipe(fds + PIPE_ERR) < 0) ||
		(in && make_pipe(fds + PIPE_IN) < 0) ||
		make_pipe(fds + PIPE_REPORT) < 0)
		return wv_err_sys(err, "cannot make a pipe");
	plan->fds[0] = in ? fds[PIPE_IN] : spec->stdin_fd;
	plan->fds[1] =
		spec->stdout_fd < 0 ? fds[PIPE_OUT + 1] : spec->stdout_fd;
	plan->fds[2] =
		spec->stderr_fd < 0 ? fds[PIPE_ERR + 1] : spec->stderr_fd;
	plan->report = fds[PIPE_REPORT + 1];
	proc->pid = fork_quietly(plan);
	if (proc->pid < 0)
		return wv_err_sys(err, "cannot start a process");
	close(fds[PIPE_REPORT + 1]);
	fds[PIPE_REPORT + 1] = -1;
	return confirm(plan, proc->pid, fds[PIPE_REPORT], err);
}

/* Our end of a pipe, which is no more to be closed; -1: there is none. */
static int
keep_end(int *fd)
{
	int kept = *fd;

	*fd = -1;
	if (kept >= 0)
		fcntl(kept, F_SETFL, O_NONBLOCK);
	return kept;
}

int
wv_proc_start(struct wv_proc *proc, const struct wv_proc_spec *spec,
	struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	int fds[PIPE_ENDS] = { -1, -1, -1, -1, -1, -1, -1, -1 };
	struct plan plan = { .spec = spec, .parent = getpid() };

	if (!spec->argv[0] || !*spec->argv[0])
		return wv_err_set(err, "no command");
	wv_children_prepare();
	plan.paths = search_paths(&arena, spec->argv[0]);
	plan.env = environment(&arena, spec->env);
	int result = launch(&plan, fds, proc, err);
	wv_arena_free(&arena);
	if (result == 0) {
		wv_children_add(proc->pid);
		proc->in = keep_end(&fds[PIPE_IN + 1]);
		proc->out = keep_end(&fds[PIPE_OUT]);
		proc->err = keep_end(&fds[PIPE_ERR]);
	}
	close_all(fds, PIPE_ENDS);
	return result;
}
