/* SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include "packet.h"

#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BLOCK = 256 << 10,
	BUFFER = 8 << 20, /* of what a process keeps until it is taken */
};

struct worker_input {
	const struct plan *plan;
	struct judge *judge;
	const struct wv_lines_options *options;
	/* What an outcome has to bring along: the bytes of valid records, of
	 * others; with_all: also what there is nothing to tell of. */
	bool with_valid, with_rejects, with_all;
};

struct process {
	pid_t pid;
	int fd;
	struct wv_str buf; /* what was read; the packets up to at are done */
	size_t at;
};

struct jobs {
	struct worker_input input;
	struct emit *emit;
	struct wv_arena arena;
	struct process *list;
	size_t count;
	size_t base; /* lines of this file that earlier pieces had */
};

struct worker {
	const struct worker_input *input;
	int fd;
	struct wv_str buf;
	size_t valid; /* of which nothing has to be said */
};

static void
flush(struct worker *worker)
{
	/* Nobody is there who would hear why. */
	if (wv_write_all(worker->fd, worker->buf.s, worker->buf.n) < 0)
		_exit(WV_TROUBLE);
	worker->buf.n = 0;
}

static void
put_valid(struct worker *worker)
{
	if (worker->valid > 0)
		packet_put(&worker->buf, PACKET_VALID, worker->valid);
	worker->valid = 0;
}

static bool
take(void *arg, struct outcome *outcome)
{
	struct worker *worker = arg;
	const struct worker_input *input = worker->input;
	bool is_valid = outcome->judged.verdict == WV_VALID;

	if (is_valid && outcome->judged.findings == NULL && !input->with_all) {
		worker->valid++;
		return true;
	}
	put_valid(worker);
	packet_put_outcome(&worker->buf, outcome,
		is_valid ? input->with_valid : input->with_rejects);
	if (worker->buf.n >= BUFFER)
		flush(worker);
	return true;
}

/* Pieces index, index + step, … */
_Noreturn static void
worker_run(const struct worker_input *input, size_t index, size_t step, int fd)
{
	struct worker worker = { .input = input, .fd = fd };

	for (size_t k = index; k < input->plan->count; k += step) {
		size_t lines = piece_judge(&input->plan->pieces[k],
			input->judge, input->options, NULL, take, &worker);
		put_valid(&worker);
		packet_put(&worker.buf, PACKET_END, lines);
		flush(&worker);
	}
	_exit(WV_YES);
}

/* In the child: a pipe that another holds too would never be broken. */
_Noreturn static void
be_worker(struct jobs *jobs, size_t index, int fd)
{
	for (size_t i = 0; i < index; i++)
		close(jobs->list[i].fd);
	worker_run(&jobs->input, index, jobs->count, fd);
}

static void
start(struct jobs *jobs, size_t index)
{
	struct process *process = &jobs->list[index];
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		wv_die("cannot make a pipe: %s", strerror(errno));
	process->pid = fork();
	if (process->pid < 0)
		wv_die("cannot start a process: %s", strerror(errno));
	if (process->pid == 0) {
		close(ends[0]);
		be_worker(jobs, index, ends[1]);
	}
	close(ends[1]);
	process->fd = ends[0];
}

/* False if the process has ended before it has said so much. */
static bool
need(struct process *process, size_t n)
{
	struct wv_str *buf = &process->buf;
	ssize_t got;

	if (buf->n - process->at >= n)
		return true;
	if (process->at > 0)
		memmove(buf->s, buf->s + process->at, buf->n - process->at);
	buf->n -= process->at;
	process->at = 0;
	while (buf->n < n) {
		char *to = wv_str_room(buf, BLOCK);
		got = read(process->fd, to, BLOCK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		buf->n += (size_t)got;
	}
	return true;
}

static bool
take_outcome(struct jobs *jobs, struct process *process, size_t n)
{
	struct outcome outcome;

	if (!need(process, n))
		return false;
	packet_get_outcome(&outcome, process->buf.s + process->at, jobs->base,
		&jobs->arena);
	process->at += n;
	emit_outcome(jobs->emit, &outcome);
	wv_arena_reset(&jobs->arena);
	return true;
}

/* Everything of one piece; false if its process has ended before. */
static bool
take_piece(struct jobs *jobs, struct process *process)
{
	struct packet packet;

	while (!jobs->emit->enough) {
		if (!need(process, sizeof packet))
			return false;
		memcpy(&packet, process->buf.s + process->at, sizeof packet);
		process->at += sizeof packet;
		switch (packet.kind) {
		case PACKET_VALID:
			emit_valid(jobs->emit, packet.number);
			break;
		case PACKET_OUTCOME:
			if (!take_outcome(jobs, process, packet.number))
				return false;
			break;
		case PACKET_END:
			jobs->base += packet.number;
			return true;
		}
	}
	return true;
}

static void
tell_death(struct emit *emit, struct process *process, const char *file)
{
	int status = 0;

	while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
		;
	process->pid = 0;
	if (WIFSIGNALED(status))
		wv_warn("%s: the process that judged it was killed by signal "
			"%d",
			file, WTERMSIG(status));
	else
		wv_warn("%s: the process that judged it ended with %d", file,
			WEXITSTATUS(status));
	emit->status = WV_TROUBLE;
}

static void
stop(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		struct process *process = &jobs->list[i];
		close(process->fd);
		if (process->pid > 0) {
			kill(process->pid, SIGTERM);
			while (waitpid(process->pid, NULL, 0) < 0 &&
				errno == EINTR)
				;
		}
		wv_str_free(&process->buf);
	}
	free(jobs->list);
	wv_arena_free(&jobs->arena);
}

static void
run_side_by_side(struct jobs *jobs)
{
	const struct plan *plan = jobs->input.plan;

	jobs->list = wv_xcalloc(jobs->count, sizeof *jobs->list);
	for (size_t i = 0; i < jobs->count; i++)
		start(jobs, i);
	for (size_t k = 0; k < plan->count && !jobs->emit->enough; k++) {
		struct process *process = &jobs->list[k % jobs->count];
		if (plan->pieces[k].first == 0)
			jobs->base = 0;
		if (!take_piece(jobs, process)) {
			tell_death(jobs->emit, process, plan->pieces[k].file);
			break;
		}
	}
	stop(jobs);
}

static void
run_here(struct jobs *jobs)
{
	const struct worker_input *input = &jobs->input;
	struct emit *emit = jobs->emit;
	struct wv_out *out = &emit->out;

	if (emit->reports != NULL && wv_reports_stdout(emit->reports) != NULL)
		out = wv_reports_stdout(emit->reports);
	for (size_t k = 0; k < input->plan->count && !emit->enough; k++)
		piece_judge(&input->plan->pieces[k], input->judge,
			input->options, out, emit_outcome, emit);
}

void
jobs_run(const struct plan *plan, size_t count, struct judge *judge,
	const struct wv_lines_options *options, struct emit *emit)
{
	struct jobs jobs = {
		.input = { .plan = plan,
			.judge = judge,
			.options = options,
			.with_valid = emit->records,
			.with_rejects = emit->rejects != NULL,
			.with_all = emit_wants_all(emit) },
		.emit = emit,
		.count = count < plan->count ? count : plan->count,
	};

	/* A fingerprint that differs makes a reject of a record that its
	 * process took for valid, and whose text it has not sent. */
	if (emit->fingerprint_of != NULL && emit->rejects != NULL)
		jobs.count = 1;
	if (jobs.count > 1)
		run_side_by_side(&jobs);
	else
		run_here(&jobs);
}
