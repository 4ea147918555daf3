/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: cases G11, G13 and G15, for one and for several at once. */
#include "left.h"
#include "tap.h"

#include "base/clock.h"
#include "base/msg.h"
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT = 300, GRACE = 200, BOUND = TIMEOUT + GRACE + 1000 };

static const struct wv_run_limits limits = {
	.timeout_ms = TIMEOUT,
	.grace_ms = GRACE,
	.max_out = 1 << 20,
	.max_err = 1000,
};
/* For what should end by itself, however slow the machine. */
static const struct wv_run_limits patient = {
	.timeout_ms = 20000,
	.grace_ms = 2000,
	.max_out = 1 << 20,
	.max_err = 1000,
};

/* The latest that run() did. */
static struct wv_run *latest;
static struct wv_run_result *result;
static struct wv_err err;
static int64_t took;

static struct wv_run *
start(const char *script, const struct wv_run_limits *within)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct wv_proc_spec spec = { .argv = argv,
		.stdin_fd = WV_PROC_PIPE,
		.stdout_fd = -1,
		.stderr_fd = -1 };

	wv_err_clear(&err);
	return wv_run_start(&spec, within, &err);
}

static struct wv_run_result *
await(struct wv_run *run)
{
	while (!wv_run_is_over(run))
		wv_run_wait(NULL, 0, -1);
	return wv_run_result(run);
}

/* Until the run has brought so many bytes. */
static void
await_bytes(struct wv_run *run, size_t n)
{
	while (!wv_run_is_over(run) && wv_run_result(run)->out.n < n)
		wv_run_wait(NULL, 0, -1);
}

static bool
run(const char *script, const struct wv_run_limits *within)
{
	wv_run_free(latest);
	int64_t begun = wv_ticks();
	latest = start(script, within);
	result = NULL;
	if (!latest)
		return false;
	wv_run_close(latest, 30000);
	result = await(latest);
	took = wv_ticks() - begun;
	return true;
}

static int64_t
cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static void
test_ends(void)
{
	ok(run("echo out; echo err >&2; exit 3", &patient), "starts");
	ok(result->end == WV_RUN_EXITED && result->code == 3, "exit status");
	is(result->out.s, "out\n", "standard output is read");
	is(result->err.s, "err\n", "standard error is read");
	run("kill -USR1 $$", &patient);
	ok(result->end == WV_RUN_SIGNALED && result->code == SIGUSR1,
		"death by signal");
	run("cat", &patient);
	ok(result->end == WV_RUN_EXITED && result->out.n == 0,
		"standard input is empty");
	run("exec >&- 2>&-; sleep 0.1; exit 4", &patient);
	ok(result->code == 4, "closed pipes are not the end");
	run("yes | head -c 1000000", &patient);
	ok(result->out.n == 1000000, "more than a pipe holds");

	char *argv[] = { (char *)"no-such-command", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 0, 0, 0, 0,
		0, 0 };
	wv_err_clear(&err);
	ok(!wv_run_start(&spec, &patient, &err), "no such command");
	is(err.text, "cannot run 'no-such-command': No such file or directory",
		"says so");
}

/* cases G11 */
static void
test_pipe_held_open(void)
{
	run("sleep 300 & echo hi; echo $!", &limits);
	ok(took < BOUND, "G11: returns though a grandchild holds the pipe");
	ok(result->end == WV_RUN_EXITED && result->code == 0,
		"G11: the child's own end counts");
	ok(strncmp(result->out.s, "hi\n", 3) == 0, "G11: output is kept");
	ok(is_gone(result->out.s + 3), "G11: the grandchild is gone");
	ok(!has_children(), "G11: no zombie");

	run("echo hi; sleep 300", &limits);
	ok(result->end == WV_RUN_TIMEOUT && took >= TIMEOUT && took < BOUND,
		"G11: a time-out");
	is(result->out.s, "hi\n", "G11: what was read before it is kept");

	struct wv_run_limits long_grace = limits;
	long_grace.grace_ms = 5000;
	run("sleep 300 & echo hi", &long_grace);
	ok(took < 2000, "G11: nor longer than the time-out");

	run("(sleep 0.1; echo late) & echo soon", &patient);
	is(result->out.s, "soon\nlate\n",
		"what the child left running may still write");
	ok(took < 2000, "and is not waited for longer than that");
}

/* cases G13 */
static void
test_many(void)
{
	char *argv[] = { (char *)"true", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, -1, 0, 0, 0, 0,
		0, 0 };
	struct wv_run *runs[50];
	int before = open_descriptors(), good = 0;

	for (int i = 0; i < 200; i++) {
		struct wv_run *one = wv_run_start(&spec, &patient, &err);
		good += await(one)->code == 0;
		wv_run_free(one);
	}
	for (int i = 0; i < 50; i++)
		runs[i] = wv_run_start(&spec, &patient, &err);
	for (int i = 0; i < 50; i++)
		good += await(runs[i])->code == 0;
	for (int i = 0; i < 50; i++)
		wv_run_free(runs[i]);
	ok(good == 250, "G13: 250 short processes");
	ok(!has_children(), "G13: no zombies");
	ok(open_descriptors() == before, "G13: no descriptors are lost");
}

/* cases G15 */
static void
test_stubborn(void)
{
	run("trap '' TERM; echo $$; while :; do sleep 1; done", &limits);
	ok(result->end == WV_RUN_TIMEOUT && took < BOUND,
		"G15: TERM is ignored");
	ok(result->code == SIGKILL, "G15: killed after the grace");
	ok(took >= TIMEOUT + GRACE, "G15: and not before");
	ok(is_gone(result->out.s), "G15: gone");

	run("kill -STOP $$", &limits);
	ok(result->end == WV_RUN_TIMEOUT && took < BOUND,
		"G15: a stopped child");

	run("trap 'echo bye; exit 0' TERM; kill -STOP $$; sleep 5", &limits);
	is(result->out.s, "bye\n", "G15: which may yet say good-bye");

	run("trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done",
		&limits);
	is(result->out.s, "bye\n", "a child may say good-bye");
	ok(result->end == WV_RUN_TIMEOUT, "and it was a time-out all the same");

	run("trap '' TERM; sleep 300 & echo $!; kill -STOP $!", &limits);
	ok(took < BOUND && is_gone(result->out.s), "a stopped grandchild");
}

static void
test_strays(void)
{
	run("setsid sh -c 'echo $$; exec sleep 300' & wait", &limits);
	ok(result->end == WV_RUN_TIMEOUT && took < BOUND &&
			is_gone(result->out.s),
		"a descendant that left the session is ended");
	run("setsid sh -c 'trap \"\" TERM; sleep 300 >&- 2>&- & echo $!; "
	    "exec >&- 2>&-; sleep 300' & sleep 0.2",
		&limits);
	ok(took < BOUND && is_gone(result->out.s), "and its own children too");
	ok(!has_children(), "none is left");
	run("sleep 300 >/dev/null 2>&1 & echo $!", &patient);
	ok(result->end == WV_RUN_EXITED && is_gone(result->out.s) &&
			took < 2000,
		"a quiet one is ended at once");
}

static void
test_bounds(void)
{
	struct wv_run_limits small = patient;

	small.max_out = 10;
	run("yes", &small);
	ok(result->end == WV_RUN_FLOODED && result->out.n == 10,
		"too much output ends the child");
	run("printf 0123456789", &small);
	ok(result->end == WV_RUN_EXITED && result->out.n == 10,
		"just enough does not");
	run("yes | head -c 100000 >&2", &patient);
	ok(result->end == WV_RUN_EXITED && result->err.n == 1000 &&
			result->err_cut,
		"messages are cut");
	small.max_out = small.max_err = 0;
	run("yes | head -c 2000000; yes | head -c 2000 >&2", &small);
	ok(result->out.n == 2000000 && result->err.n == 2000 &&
			!result->err_cut,
		"0 is no bound");
}

/* standard input */

static void
test_input(void)
{
	struct wv_run_limits big = patient;
	size_t size = 10 << 20;
	char *bytes = wv_xmalloc(size);

	big.max_out = size;
	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(i * 2654435761U >> 13);
	struct wv_run *cat = start("cat", &big);
	for (size_t i = 0; i < size; i += size / 10)
		wv_run_send(cat, bytes + i, size / 10);
	ok(wv_run_unsent(cat) > size / 2, "more to send than a pipe holds");
	wv_run_close(cat, 20000);
	wv_run_send(cat, "x", 1);
	await(cat);
	ok(wv_run_result(cat)->end == WV_RUN_EXITED &&
			wv_run_result(cat)->out.n == size &&
			memcmp(wv_run_result(cat)->out.s, bytes, size) == 0,
		"10 MB there and back");
	ok(wv_run_unsent(cat) == 0, "all was sent, nothing after the close");
	wv_run_send(cat, "x", 1);
	wv_run_close(cat, 0);
	wv_run_stop(cat);
	ok(wv_run_is_over(cat) && wv_run_unsent(cat) == 0,
		"over: nothing is sent, closed or stopped any more");
	wv_run_free(cat);
	free(bytes);
}

/* Many small pieces to one that reads late: linear, so soon done. */
static void
test_queue(void)
{
	struct wv_run_limits big = patient;

	big.max_out = 8 << 20;
	struct wv_run *late = start("sleep 0.1; cat", &big);
	for (int i = 0; i < 1 << 19; i++)
		wv_run_send(late, "0123456789abcde\n", 16);
	wv_run_close(late, 20000);
	ok(await(late)->end == WV_RUN_EXITED &&
			wv_run_result(late)->out.n == 8 << 20,
		"half a million pieces");
	wv_run_free(late);
}

static void
test_input_not_read(void)
{
	static const char zeros[1 << 20];
	int64_t cpu = cpu_ms();
	struct wv_run *deaf = start("sleep 300", &limits);

	wv_run_send(deaf, zeros, sizeof zeros);
	ok(await(deaf)->end == WV_RUN_TIMEOUT && wv_run_unsent(deaf) == 0,
		"a child that never reads ends at the time-out");
	wv_run_free(deaf);

	deaf = start("exec <&-; echo; sleep 0.2; echo done", &patient);
	await_bytes(deaf, 1);
	wv_run_send(deaf, zeros, sizeof zeros);
	ok(wv_run_unsent(deaf) == 0, "its input closed, it is sent nothing");
	is(await(deaf)->out.s, "\ndone\n", "and goes on");
	wv_run_free(deaf);

	deaf = start("head -c 1000 | wc -c; sleep 0.2", &patient);
	wv_run_send(deaf, zeros, sizeof zeros);
	is(await(deaf)->out.s, "1000\n", "what it does not read is dropped");
	wv_run_free(deaf);
	ok(cpu_ms() - cpu < 250, "no busy loop");
}

static void
test_close(void)
{
	struct wv_run *one = start("cat; echo end", &patient);
	int64_t begun = wv_ticks();

	wv_run_send(one, "a\n", 2);
	wv_run_close(one, 20000);
	is(await(one)->out.s, "a\nend\n", "closed, it ends by itself");
	ok(wv_run_result(one)->end == WV_RUN_EXITED, "with its own status");
	wv_run_free(one);

	one = start("sleep 300", &patient);
	wv_run_close(one, 50);
	wv_run_close(one, 20000);
	ok(await(one)->end == WV_RUN_STOPPED &&
			wv_run_result(one)->code == SIGTERM,
		"one that does not is stopped");
	wv_run_free(one);

	static const char zeros[1 << 20];
	one = start("sleep 300", &patient);
	wv_run_send(one, zeros, sizeof zeros);
	wv_run_close(one, 50);
	ok(await(one)->end == WV_RUN_STOPPED && wv_ticks() - begun < 10000,
		"even if it never read what was sent");
	wv_run_free(one);
}

static void
test_stop(void)
{
	struct wv_run *one = start("sleep 300", &patient);
	int64_t begun = wv_ticks();

	wv_run_stop(one);
	wv_run_stop(one);
	ok(await(one)->end == WV_RUN_STOPPED &&
			wv_run_result(one)->code == SIGTERM &&
			wv_ticks() - begun < 2000,
		"stopped, twice");
	wv_run_stop(one);
	wv_run_free(one);

	/* Left by a child that has ended. */
	struct wv_run_limits long_grace = patient;
	long_grace.grace_ms = 10000;
	one = start("sleep 300 & echo $!; exit 5", &long_grace);
	await_bytes(one, 1);
	while (wv_run_wait(NULL, 0, 100) == 0 && !wv_run_is_over(one))
		wv_run_stop(one);
	ok(wv_run_is_over(one) && is_gone(wv_run_result(one)->out.s) &&
			wv_ticks() - begun < 5000,
		"stopped while something holds the pipe");
	wv_run_free(one);

	begun = wv_ticks();
	one = start("trap '' TERM; (setsid sleep 300 &); yes", &limits);
	await_bytes(one, 1);
	wv_run_free(one);
	ok(wv_ticks() - begun < BOUND && !has_children(),
		"freed while it runs, floods and is stubborn");
	wv_run_free(NULL);
}

/* sinks */

struct heard {
	size_t bytes, calls, most;
	struct wv_run *run;
	char last;
};

static int
hear(void *arg, const char *p, size_t n)
{
	struct heard *heard = arg;

	heard->bytes += n;
	heard->calls++;
	heard->last = p[n - 1];
	return heard->most && heard->bytes > heard->most ? -1 : 0;
}

static int
hear_and_answer(void *arg, const char *p, size_t n)
{
	struct heard *heard = arg;

	hear(heard, p, n);
	if (heard->bytes < 10)
		wv_run_send(heard->run, "again\n", 6);
	else
		wv_run_close(heard->run, 10000);
	return 0;
}

static void
test_sink(void)
{
	struct heard heard = { 0 };
	struct wv_run_limits l = patient;

	l.sink = hear;
	l.arg = &heard;
	l.max_out = 0;
	run("yes | head -c 3000000; echo; echo .", &l);
	ok(heard.bytes == 3000003 && heard.last == '\n' && result->out.n == 0 &&
			result->end == WV_RUN_EXITED,
		"a sink takes it all");
	heard = (struct heard){ .most = 100000 };
	run("trap 'exit 3' TERM; yes & while :; do sleep 0.01; done", &l);
	ok(result->end == WV_RUN_REFUSED && result->code == 3 &&
			heard.bytes <= 100000 + (64 << 10),
		"refuses the rest, and gets no more");
	heard = (struct heard){ 0 };
	l.max_out = 1000;
	run("yes", &l);
	ok(result->end == WV_RUN_FLOODED && heard.bytes == 1000,
		"and is bounded");
	heard = (struct heard){ .most = 1 };
	run("yes | head -c 1000", &l);
	ok(result->end == WV_RUN_REFUSED && heard.calls == 1,
		"refuses the end of it");

	heard = (struct heard){ .most = 1 };
	l.sink = NULL;
	l.sink_err = hear;
	l.max_err = 5000;
	run("yes | head -c 10000 >&2; echo out", &l);
	ok(result->end == WV_RUN_EXITED && heard.bytes == 5000 &&
			result->err.n == 0 && result->err_cut,
		"one for messages, whose word ends nothing");
	is(result->out.s, "out\n", "with output as ever");

	heard = (struct heard){ 0 };
	l.sink = hear_and_answer;
	heard.run = start("echo 1; cat", &l);
	ok(await(heard.run)->end == WV_RUN_EXITED && heard.bytes == 14,
		"a sink may answer");
	wv_run_free(heard.run);
}

/* several */

static void
test_at_once(void)
{
	struct wv_run *runs[4];
	char script[200], want[200];
	int good = 0;

	for (int i = 0; i < 4; i++) {
		snprintf(script, sizeof script,
			"while read x; do echo %d $x; echo $x >&2; done; "
			"exit %d",
			i, i);
		runs[i] = start(script, &patient);
	}
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 4; i++)
			wv_run_send(runs[i], "a\n", 2);
		for (int i = 0; i < 4; i++)
			await_bytes(runs[i], (size_t)(round + 1) * 4);
	}
	for (int i = 0; i < 4; i++)
		wv_run_close(runs[i], 20000);
	for (int i = 0; i < 4; i++) {
		struct wv_run_result *own = await(runs[i]);
		snprintf(want, sizeof want, "%d a\n%d a\n", i, i);
		good += own->end == WV_RUN_EXITED && own->code == i &&
			own->out.n == 40 && own->err.n == 20 &&
			strncmp(own->out.s, want, 8) == 0;
		wv_run_free(runs[i]);
	}
	ok(good == 4, "four that take turns");
}

static void
test_one_late(void)
{
	struct wv_run *slow = start("sleep 300", &limits);
	struct wv_run *good = start("sleep 1; echo good", &patient);
	struct wv_run *stray = start(
		"(setsid sleep 300 &) ; trap '' TERM; sleep 300; :", &limits);
	int64_t begun = wv_ticks();

	ok(await(slow)->end == WV_RUN_TIMEOUT && !wv_run_is_over(good),
		"one is late while another goes on");
	ok(await(stray)->end == WV_RUN_TIMEOUT && wv_ticks() - begun < BOUND,
		"a stubborn one is late too");
	is(await(good)->out.s, "good\n", "the other comes to its end");
	ok(wv_run_result(good)->end == WV_RUN_EXITED && !has_children(),
		"and nothing is left");
	wv_run_free(slow);
	wv_run_free(good);
	wv_run_free(stray);
}

/* What a run leaves in its own session is not another's. */
static void
test_whose(void)
{
	struct wv_run *one = start("(sleep 300 >&- 2>&- & echo $!); "
				   "read x",
		&patient);
	struct wv_run *two = start("sleep 300 >&- 2>&- & echo $!", &patient);

	await_bytes(one, 1);
	await(two);
	ok(is_gone(wv_run_result(two)->out.s), "what one left is ended");
	ok(!is_gone(wv_run_result(one)->out.s), "but not another's orphan");
	wv_run_close(one, 20000);
	ok(await(one)->end == WV_RUN_EXITED &&
			is_gone(wv_run_result(one)->out.s),
		"until that one ends");
	wv_run_free(one);
	wv_run_free(two);
}

/* Children that are none of ours, and what others' children left. */
static void
test_bystanders(void)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
		(char *)"(sleep 300 >&- 2>&- & echo $!); sleep 300", NULL };
	struct wv_proc_spec spec = { argv, NULL, NULL, -1, -1, 2, 0, 0, 0, 0, 0,
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

/* the wait */

static void
test_wait(void)
{
	int fds[2];
	int64_t begun = wv_ticks(), cpu;

	ok(wv_run_wait(NULL, 0, -1) == 0, "nothing to wait for");
	if (pipe(fds) != 0)
		return;
	struct pollfd own[] = { { -1, POLLIN, 1 }, { fds[0], POLLIN, 0 } };
	ok(wv_run_wait(own, 2, 20) == 0 && wv_ticks() - begun >= 20 &&
			own[0].revents == 0 && own[1].revents == 0,
		"waits without a run");

	struct wv_run *idle = start("sleep 300", &patient);
	cpu = cpu_ms();
	begun = wv_ticks();
	while (wv_ticks() - begun < 300)
		wv_run_wait(own, 2, 300);
	ok(cpu_ms() - cpu < 20, "an idle run costs nothing");
	ok(wv_ticks() - begun < 2000, "and does not keep the wait");
	ok(write(fds[1], "x", 1) == 1 && wv_run_wait(own, 2, -1) == 0 &&
			own[1].revents == POLLIN && !wv_run_is_over(idle),
		"a descriptor of the caller's is ready");
	wv_run_free(idle);
	close(fds[0]);
	close(fds[1]);
}

static void
take_note(int sig)
{
	(void)sig;
}

static void
test_signal(void)
{
	struct sigaction note = { .sa_handler = take_note }, old;
	struct itimerspec soon = { { 0, 20000000 }, { 0, 20000000 } };
	struct wv_run *idle = start("sleep 300", &patient);
	struct pollfd own = { 0, 0, -1 };
	timer_t timer;

	sigaction(SIGALRM, &note, &old);
	timer_create(CLOCK_MONOTONIC, NULL, &timer);
	timer_settime(timer, 0, &soon, NULL);
	ok(wv_run_wait(&own, 1, -1) == 0 && own.revents == 0,
		"a signal ends the wait");
	timer_delete(timer);
	sigaction(SIGALRM, &old, NULL);
	wv_run_free(idle);
}

int
main(void)
{
	wv_msg_tool("base-run");
	signal(SIGPIPE, SIG_IGN);
	int before = open_descriptors();
	test_wait();
	test_signal();
	test_ends();
	test_bounds();
	test_input();
	test_queue();
	test_input_not_read();
	test_close();
	test_stop();
	test_sink();
	test_at_once();
	test_one_late();
	test_whose();
	test_bystanders();
	test_pipe_held_open();
	test_stubborn();
	test_strays();
	test_many();
	wv_run_free(latest);
	ok(!has_children() && open_descriptors() == before,
		"neither a child nor a descriptor is left");
	wv_err_clear(&err);
	return done();
}
