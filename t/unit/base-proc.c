/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: words, what a child gets, how it starts and is stopped. */
#include "left.h"
#include "tap.h"

#include "base/msg.h"
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE = 2000 };

/* With standard error as it is. */
static const struct wv_proc_spec plain = {
	.stdin_fd = -1,
	.stdout_fd = -1,
	.stderr_fd = STDERR_FILENO,
};

static char out[4096];
static struct wv_err err;

/* To out, until it is closed or, if so asked, there is something. */
static void
read_out(const struct wv_proc *proc, bool all)
{
	struct pollfd fd = { .fd = proc->out, .events = POLLIN };
	size_t n = 0;

	do {
		poll(&fd, 1, 20000);
		ssize_t got = read(fd.fd, out + n, sizeof out - 1 - n);
		if (got <= 0)
			break;
		n += (size_t)got;
	} while (all);
	out[n] = '\0';
}

/* Its wait status, its output in out; -1: not started. */
static int
run_spec(const struct wv_proc_spec *spec)
{
	struct wv_proc proc;
	siginfo_t info;

	wv_err_clear(&err);
	if (wv_proc_start(&proc, spec, &err) < 0)
		return -1;
	read_out(&proc, true);
	close(proc.out);
	waitid(P_PID, (id_t)proc.pid, &info, WEXITED | WNOWAIT);
	return wv_proc_stop(&proc, GRACE);
}

static int
run(const char *script)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct wv_proc_spec spec = plain;

	spec.argv = argv;
	return run_spec(&spec);
}

static void
test_what_a_child_gets(void)
{
	char *argv[] = { (char *)"env", NULL };
	char *env[] = { (char *)"A=1", NULL };
	struct wv_proc_spec spec = plain;
	char script[100];

	setenv("SECRET", "x", 1);
	setenv("PATH", "/nowhere", 1);
	run("env");
	ok(strstr(out, "PATH=" WV_PROC_PATH "\n") &&
			strstr(out, "LANG=C.UTF-8\n") && !strstr(out, "SECRET"),
		"a clean environment and a fixed PATH");
	spec.argv = argv;
	spec.env = env;
	spec.dir = "/";
	run_spec(&spec);
	is(out, "PATH=" WV_PROC_PATH "\nA=1\n", "the given environment");
	argv[0] = (char *)"pwd";
	run_spec(&spec);
	is(out, "/\n", "the given folder");

	int fd = open("/dev/null", O_RDONLY); /* on purpose not O_CLOEXEC */
	snprintf(script, sizeof script, "exec 2>&-; true <&%d", fd);
	ok(run(script) != 0, "no descriptor of ours");
	close(fd);

	signal(SIGUSR2, SIG_IGN);
	sigset_t mask, old;
	sigfillset(&mask);
	sigprocmask(SIG_SETMASK, &mask, &old);
	int status = run("kill -USR2 $$; echo alive");
	sigprocmask(SIG_SETMASK, NULL, &mask);
	ok(sigismember(&mask, SIGTERM), "our mask is as it was");
	sigprocmask(SIG_SETMASK, &old, NULL);
	ok(signal(SIGUSR2, SIG_DFL) == SIG_IGN, "so are our signals");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR2,
		"default signals, none blocked");
}

static void
test_limits(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"ulimit -t; ulimit -f; ulimit -n; ulimit -c", NULL };
	struct wv_proc_spec spec = plain;

	spec.argv = argv;
	spec.cpu_seconds = 7;
	spec.file_bytes = 1024;
	spec.open_files = 20;
	run_spec(&spec);
	is(out, "7\n2\n20\n0\n", "limits of time, files, descriptors");
	argv[2] = (char *)"ulimit -v";
	spec.memory_bytes = (uint64_t)1 << 30;
	run_spec(&spec);
	is(out, "1048576\n", "limit of memory");
	argv[2] = (char *)"set -- $(grep processes /proc/self/limits); "
			  "echo $3 $4";
	spec.processes = 4321;
	run_spec(&spec);
	is(out, "4321 4321\n", "limit of processes");
	spec.processes = 0;
	argv[2] = (char *)"while :; do :; done";
	spec.cpu_seconds = 1;
	int status = run_spec(&spec);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU,
		"used up its time");
}

static void
test_cannot_start(void)
{
	char *argv[] = { (char *)"no-such-command", NULL };
	struct wv_proc_spec spec = plain;
	int before = open_descriptors();

	spec.argv = argv;
	spec.stdin_fd = WV_PROC_PIPE;
	ok(run_spec(&spec) == -1, "no such command");
	is(err.text, "cannot run 'no-such-command': No such file or directory",
		"says so");
	argv[0] = (char *)"/etc/passwd";
	run_spec(&spec);
	is(err.text, "cannot run '/etc/passwd': Permission denied",
		"not executable");
	argv[0] = (char *)"";
	run_spec(&spec);
	is(err.text, "no command", "an empty name");
	argv[0] = (char *)"true";
	spec.dir = "/nowhere";
	run_spec(&spec);
	is(err.text, "cannot enter '/nowhere': No such file or directory",
		"no such folder");
	ok(!has_children() && open_descriptors() == before, "nothing is left");
}

static void
test_start_and_stop(void)
{
	char *argv[] = { (char *)"sleep", (char *)"300", NULL };
	struct wv_proc_spec spec = plain;
	struct wv_proc one, two;

	spec.argv = argv;
	spec.stdout_fd = STDOUT_FILENO;
	ok(wv_proc_start(&one, &spec, &err) == 0 && one.in == -1 &&
			one.out == -1 && one.err == -1,
		"started with descriptors of ours");
	wv_proc_start(&two, &spec, &err);
	int status = wv_proc_stop(&one, GRACE);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "stopped");
	ok(kill(two.pid, 0) == 0, "the other one lives");
	wv_proc_stop(&two, GRACE);

	argv[0] = (char *)"false";
	wv_proc_start(&one, &spec, &err);
	siginfo_t info;
	waitid(P_PID, (id_t)one.pid, &info, WEXITED | WNOWAIT);
	status = wv_proc_stop(&one, GRACE);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
		"one that has ended by itself");
	ok(!has_children(), "none is left");
}

static void
test_stubborn(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"trap '' TERM; (setsid sleep 300 >&- & "
			"sleep 300 >&- & kill -STOP $!; echo $!); "
			"while :; do sleep 1; done",
		NULL };
	struct wv_proc_spec spec = plain;
	struct wv_proc proc;

	spec.argv = argv;
	wv_proc_start(&proc, &spec, &err);
	read_out(&proc, false);
	close(proc.out);
	int status = wv_proc_stop(&proc, 50);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		"who ignores TERM is killed");
	ok(is_gone(out) && !has_children(), "with all that it left");
}

/* A pipe of each kind, the last of them as standard input. */
static void
test_pipes(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"read x; echo out $x; echo err $x >&2", NULL };
	struct wv_proc_spec spec = { .argv = argv,
		.stdin_fd = WV_PROC_PIPE,
		.stdout_fd = -1,
		.stderr_fd = -1 };
	struct wv_proc proc;

	wv_proc_start(&proc, &spec, &err);
	ok(read(proc.out, out, 1) == -1 && errno == EAGAIN &&
			(fcntl(proc.in, F_GETFL) & O_NONBLOCK) &&
			(fcntl(proc.err, F_GETFL) & O_NONBLOCK),
		"our ends do not block");
	ok(fcntl(proc.in, F_GETFD) == FD_CLOEXEC &&
			fcntl(proc.out, F_GETFD) == FD_CLOEXEC,
		"nor are they inherited");
	ok(write(proc.in, "a\n", 2) == 2, "standard input is a pipe");
	read_out(&proc, true);
	is(out, "out a\n", "whose other end reads it");
	close(proc.out);
	proc.out = proc.err;
	read_out(&proc, true);
	is(out, "err a\n", "standard error");
	close(proc.in);
	close(proc.err);
	wv_proc_stop(&proc, GRACE);
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

/* Before anything else is started: a child of whoever was here before us, in a
 * session of its own, was taken for what a process of ours had left. */
static void
test_inherited(void)
{
	char *argv[] = { (char *)"true", NULL };
	struct wv_proc_spec spec = plain;
	struct wv_proc proc;
	int ready[2];
	char c;

	if (pipe(ready) < 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		setsid();
		c = 'x';
		if (write(ready[1], &c, 1) == 1)
			pause();
		_exit(1);
	}
	ok(read(ready[0], &c, 1) == 1, "a child from before");
	close(ready[0]);
	close(ready[1]);
	spec.argv = argv;
	wv_proc_start(&proc, &spec, &err);
	read_out(&proc, true);
	close(proc.out);
	wv_proc_stop(&proc, GRACE);
	ok(waitpid(pid, NULL, WNOHANG) == 0, "is left alone");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int
main(void)
{
	wv_msg_tool("base-proc");
	test_inherited();
	test_words();
	test_cannot_start();
	test_what_a_child_gets();
	test_limits();
	test_start_and_stop();
	test_stubborn();
	test_pipes();
	wv_err_clear(&err);
	return done();
}
