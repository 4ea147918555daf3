/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: cases G11, G13 and G15, and what a child gets. */
#include "tap.h"

#include "base/clock.h"
#include "base/msg.h"
#include "base/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMEOUT = 300, GRACE = 200, BOUND = TIMEOUT + GRACE + 1000 };

static const struct wv_proc_limits limits = {
	.timeout_ms = TIMEOUT,
	.grace_ms = GRACE,
	.max_out = 1 << 20,
	.max_err = 1000,
};
/* For what should end by itself, however slow the machine. */
static const struct wv_proc_limits patient = {
	.timeout_ms = 20000,
	.grace_ms = 2000,
	.max_out = 1 << 20,
	.max_err = 1000,
};

static struct wv_proc_result result;
static struct wv_err err;
static int64_t took;

static void
forget(void)
{
	wv_str_free(&result.out);
	wv_str_free(&result.err);
	wv_err_clear(&err);
}

static int
run_spec(const struct wv_proc_spec *spec, const struct wv_proc_limits *within)
{
	forget();
	int64_t start = wv_ticks();
	int status = wv_proc_run(spec, within, &result, &err);
	took = wv_ticks() - start;
	return status;
}

static int
run(const char *script, const struct wv_proc_limits *within)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 0, 0, 0, 0,
		0 };

	return run_spec(&spec, within);
}

static int
open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	if (!dir)
		return 0;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static bool
has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0;
}

/* The process whose number is a line of output is no more. */
static bool
is_gone(const char *line)
{
	pid_t pid = (pid_t)atol(line);

	return pid > 0 && kill(pid, 0) < 0;
}

static void
test_ends(void)
{
	ok(run("echo out; echo err >&2; exit 3", &patient) == 0, "starts");
	ok(result.end == WV_PROC_EXITED && result.code == 3, "exit status");
	is(result.out.s, "out\n", "standard output is read");
	is(result.err.s, "err\n", "standard error is read");
	run("kill -USR1 $$", &patient);
	ok(result.end == WV_PROC_SIGNALED && result.code == SIGUSR1,
		"death by signal");
	run("cat", &patient);
	ok(result.end == WV_PROC_EXITED && result.out.n == 0,
		"standard input is empty");
	run("exec >&- 2>&-; sleep 0.1; exit 4", &patient);
	ok(result.code == 4, "closed pipes are not the end");
	run("yes | head -c 1000000", &patient);
	ok(result.out.n == 1000000, "more than a pipe holds");
}

/* cases G11 */
static void
test_pipe_held_open(void)
{
	run("sleep 300 & echo hi; echo $!", &limits);
	ok(took < BOUND, "G11: returns though a grandchild holds the pipe");
	ok(result.end == WV_PROC_EXITED && result.code == 0,
		"G11: the child's own end counts");
	ok(strncmp(result.out.s, "hi\n", 3) == 0, "G11: output is kept");
	ok(is_gone(result.out.s + 3), "G11: the grandchild is gone");
	ok(!has_children(), "G11: no zombie");

	run("echo hi; sleep 300", &limits);
	ok(result.end == WV_PROC_TIMEOUT && took >= TIMEOUT && took < BOUND,
		"G11: a time-out");
	is(result.out.s, "hi\n", "G11: what was read before it is kept");

	struct wv_proc_limits long_grace = limits;
	long_grace.grace_ms = 5000;
	run("sleep 300 & echo hi", &long_grace);
	ok(took < 2000, "G11: nor longer than the time-out");

	run("(sleep 0.1; echo late) & echo soon", &patient);
	is(result.out.s, "soon\nlate\n",
		"what the child left running may still write");
	ok(took < 2000, "and is not waited for longer than that");
}

/* cases G13 */
static void
test_many(void)
{
	char *argv[] = { (char *)"true", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 0, 0, 0, 0,
		0 };
	int before = open_descriptors(), good = 0;

	for (int i = 0; i < 250; i++)
		good += run_spec(&spec, &patient) == 0 && result.code == 0;
	ok(good == 250, "G13: 250 short processes");
	ok(!has_children(), "G13: no zombies");
	ok(open_descriptors() == before, "G13: no descriptors are lost");
}

/* cases G15 */
static void
test_stubborn(void)
{
	run("trap '' TERM; echo $$; while :; do sleep 1; done", &limits);
	ok(result.end == WV_PROC_TIMEOUT && took < BOUND,
		"G15: TERM is ignored");
	ok(result.code == SIGKILL, "G15: killed after the grace");
	ok(took >= TIMEOUT + GRACE, "G15: and not before");
	ok(is_gone(result.out.s), "G15: gone");

	run("kill -STOP $$", &limits);
	ok(result.end == WV_PROC_TIMEOUT && took < BOUND,
		"G15: a stopped child");

	run("trap 'echo bye; exit 0' TERM; kill -STOP $$; sleep 5", &limits);
	is(result.out.s, "bye\n", "G15: which may yet say good-bye");

	run("trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done",
		&limits);
	is(result.out.s, "bye\n", "a child may say good-bye");
	ok(result.end == WV_PROC_TIMEOUT, "and it was a time-out all the same");

	run("trap '' TERM; sleep 300 & echo $!; kill -STOP $!", &limits);
	ok(took < BOUND && is_gone(result.out.s), "a stopped grandchild");
}

static void
test_strays(void)
{
	run("setsid sh -c 'echo $$; exec sleep 300' & wait", &limits);
	ok(result.end == WV_PROC_TIMEOUT && took < BOUND &&
			is_gone(result.out.s),
		"a descendant that left the session is ended");
	run("setsid sh -c 'trap \"\" TERM; sleep 300 >&- 2>&- & echo $!; "
	    "exec >&- 2>&-; sleep 300' & sleep 0.2",
		&limits);
	ok(took < BOUND && is_gone(result.out.s), "and its own children too");
	ok(!has_children(), "none is left");
	run("sleep 300 >/dev/null 2>&1 & echo $!", &patient);
	ok(result.end == WV_PROC_EXITED && is_gone(result.out.s) && took < 2000,
		"a quiet one is ended at once");
}

static void
test_bounds(void)
{
	struct wv_proc_limits small = patient;

	small.max_out = 10;
	run("yes", &small);
	ok(result.end == WV_PROC_FLOODED && result.out.n == 10,
		"too much output ends the child");
	run("printf 0123456789", &small);
	ok(result.end == WV_PROC_EXITED && result.out.n == 10,
		"just enough does not");
	run("yes | head -c 100000 >&2", &patient);
	ok(result.end == WV_PROC_EXITED && result.err.n == 1000 &&
			result.err_cut,
		"messages are cut");
}

static bool
cancel_soon(void *arg)
{
	return wv_ticks() > *(int64_t *)arg;
}

static void
test_cancel(void)
{
	struct wv_proc_limits l = patient;
	int64_t when = wv_ticks() + 50;

	l.cancel = cancel_soon;
	l.cancel_arg = &when;
	run("sleep 300", &l);
	ok(result.end == WV_PROC_CANCELLED && took < 2000, "cancelled");
}

static void
test_what_a_child_gets(void)
{
	char *argv[] = { (char *)"env", NULL };
	char *env[] = { (char *)"A=1", NULL };
	struct wv_proc_spec spec = { argv, env, "/", -1, -1, -1, 0, 0, 0, 0,
		0 };
	char script[100];

	setenv("SECRET", "x", 1);
	setenv("PATH", "/nowhere", 1);
	run("env", &patient);
	ok(strstr(result.out.s, "PATH=" WV_PROC_PATH "\n") &&
			strstr(result.out.s, "LANG=C.UTF-8\n") &&
			!strstr(result.out.s, "SECRET"),
		"a clean environment and a fixed PATH");
	run_spec(&spec, &patient);
	is(result.out.s, "PATH=" WV_PROC_PATH "\nA=1\n",
		"the given environment");
	argv[0] = (char *)"pwd";
	run_spec(&spec, &patient);
	is(result.out.s, "/\n", "the given folder");

	int fd = open("/dev/null", O_RDONLY); /* on purpose not O_CLOEXEC */
	snprintf(script, sizeof script, "true <&%d", fd);
	run(script, &patient);
	ok(result.code != 0, "no descriptor of ours");
	close(fd);

	signal(SIGUSR2, SIG_IGN);
	sigset_t mask, old;
	sigfillset(&mask);
	sigprocmask(SIG_SETMASK, &mask, &old);
	run("kill -USR2 $$; echo alive", &patient);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGUSR2, SIG_DFL);
	ok(result.end == WV_PROC_SIGNALED && result.code == SIGUSR2,
		"default signals, none blocked");
}

static void
test_limits(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"ulimit -t; ulimit -f; ulimit -n; ulimit -c", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 7, 0, 1024,
		20, 0 };

	run_spec(&spec, &patient);
	is(result.out.s, "7\n2\n20\n0\n", "limits of time, files, descriptors");
	argv[2] = (char *)"ulimit -v";
	spec.memory_bytes = (uint64_t)1 << 30;
	run_spec(&spec, &patient);
	is(result.out.s, "1048576\n", "limit of memory");
	argv[2] = (char *)"while :; do :; done";
	spec.cpu_seconds = 1;
	run_spec(&spec, &patient);
	ok(result.end == WV_PROC_SIGNALED && result.code == SIGXCPU,
		"used up its time");
}

static void
test_cannot_start(void)
{
	char *argv[] = { (char *)"no-such-command", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 0, 0, 0, 0,
		0 };
	int before = open_descriptors();

	ok(run_spec(&spec, &patient) == -1, "no such command");
	is(err.text, "cannot run 'no-such-command': No such file or directory",
		"says so");
	argv[0] = (char *)"/etc/passwd";
	run_spec(&spec, &patient);
	is(err.text, "cannot run '/etc/passwd': Permission denied",
		"not executable");
	argv[0] = (char *)"";
	run_spec(&spec, &patient);
	is(err.text, "no command", "an empty name");
	argv[0] = (char *)"true";
	spec.dir = "/nowhere";
	run_spec(&spec, &patient);
	is(err.text, "cannot enter '/nowhere': No such file or directory",
		"no such folder");
	ok(!has_children() && open_descriptors() == before, "nothing is left");
}

static void
test_start_and_stop(void)
{
	char *argv[] = { (char *)"sleep", (char *)"300", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, 1, 2, 0, 0, 0, 0,
		0 };
	struct wv_proc one, two;

	ok(wv_proc_start(&one, &spec, &err) == 0 && one.out == -1 &&
			one.err == -1,
		"started with descriptors of ours");
	wv_proc_start(&two, &spec, &err);
	run("true", &patient);
	ok(kill(one.pid, 0) == 0 && kill(two.pid, 0) == 0,
		"a run leaves others alone");
	int status = wv_proc_stop(&one, 1000);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "stopped");
	ok(kill(two.pid, 0) == 0, "the other one lives");
	wv_proc_stop(&two, 1000);

	argv[0] = (char *)"false";
	wv_proc_start(&one, &spec, &err);
	siginfo_t info;
	waitid(P_PID, (id_t)one.pid, &info, WEXITED | WNOWAIT);
	status = wv_proc_stop(&one, 1000);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
		"one that has ended by itself");
	ok(!has_children(), "none is left");
}

/* Children that are none of ours, and what others' children left. */
static void
test_bystanders(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"(sleep 300 >&- 2>&- & echo $!); sleep 300", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, 2, 0, 0, 0, 0,
		0 };
	struct wv_proc other;
	char orphan[32] = "";
	struct pollfd pfd;

	pid_t before = fork();
	if (before == 0) {
		for (;;)
			pause();
	}
	wv_proc_start(&other, &spec, &err);
	pfd = (struct pollfd){ .fd = other.out, .events = POLLIN };
	poll(&pfd, 1, 10000);
	ok(read(other.out, orphan, sizeof orphan - 1) > 0, "an orphan");
	run("true", &patient);
	ok(kill(before, 0) == 0 && waitpid(before, NULL, WNOHANG) == 0,
		"a child that was not started here is left alone");
	ok(!is_gone(orphan), "so is an orphan of another");
	wv_proc_stop(&other, 1000);
	close(other.out);
	ok(is_gone(orphan), "until that one ends");
	kill(before, SIGKILL);
	waitpid(before, NULL, 0);
	ok(!has_children(), "none is left");
}

static void
test_words(void)
{
	struct wv_arena arena = WV_ARENA_INIT;
	char **words = wv_words(&arena,
		" a 'b \"c' \"d 'e\\\"\" f\\ g'h'\"i\" '' $x*;\t\\'\n", &err);

	is(words[0], "a", "plain");
	is(words[1], "b \"c", "single quotes");
	is(words[2], "d 'e\"", "double quotes and a backslash in them");
	is(words[3], "f ghi", "parts of one word");
	is(words[4], "", "an empty word");
	is(words[5], "$x*;", "nothing is expanded");
	is(words[6], "'", "a quote taken by a backslash");
	ok(words[7] == NULL, "the end");
	ok(!wv_words(&arena, "a 'b", &err), "an open quote");
	is(err.text, "a single quote is not closed", "says so");
	wv_err_clear(&err);
	ok(!wv_words(&arena, "a \\", &err), "a last backslash");
	is(err.text, "nothing follows a backslash", "says so");
	wv_err_clear(&err);
	ok(!wv_words(&arena, " \t\n", &err), "no word");
	is(err.text, "no command", "says so");
	wv_err_clear(&err);
	wv_arena_free(&arena);
}

int
main(void)
{
	wv_msg_tool("base-proc");
	test_words();
	test_ends();
	test_cannot_start();
	test_what_a_child_gets();
	test_bounds();
	test_limits();
	test_cancel();
	test_start_and_stop();
	test_bystanders();
	test_pipe_held_open();
	test_stubborn();
	test_strays();
	test_many();
	forget();
	return done();
}
