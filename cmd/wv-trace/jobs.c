/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file by several processes, each every n-th piece of it.  What a process
 * finds it holds back until it is its turn, which goes round with the pieces:
 * so output and messages are in order, and the counts go along.  Who has too
 * much to hold back waits.
 */
#include "query.h"

#include "base/msg.h"
#include "summary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PIECE_MIN = 64 << 10,
	PIECE_MAX = 16 << 20,
	PIECES_EACH = 4, /* of a process, where the file is small */
	HELD_MAX = 512 << 10,
	BLOCK = 64 << 10,
};

/* What goes round; it fits into one write. */
struct baton {
	struct counts counts;
	uint64_t lines; /* of the pieces before */
	struct wv_chain torn;
};
_Static_assert(sizeof(struct baton) <= 512, "written whole to a pipe");

struct turn {
	int from, to, end; /* pipes; end: behind the last piece */
	bool mine;
	size_t block; /* of the output, when it is */
};

struct plan {
	uint64_t end, piece; /* of the file; of each piece but the last */
	size_t jobs;
};

bool
jobs_can(const struct query *q, const struct source *source)
{
	struct stat st;

	return q->jobs > 1 && q->limit == UINT64_MAX && q->kept == NULL &&
		!q->lines.fail_fast && source->in.gz == NULL &&
		fstat(source->in.fd, &st) == 0 && S_ISREG(st.st_mode) &&
		lseek(source->in.fd, 0, SEEK_CUR) == 0 &&
		st.st_size >= 2 * PIECE_MIN;
}

static struct plan
make_plan(const struct query *q, const struct source *source)
{
	struct plan plan = { .jobs = q->jobs };
	struct stat st = { 0 };

	fstat(source->in.fd, &st);
	plan.end = source->is_own ? source->size : (uint64_t)st.st_size;
	plan.piece = plan.end / (PIECES_EACH * plan.jobs) + 1;
	if (plan.piece < PIECE_MIN)
		plan.piece = PIECE_MIN;
	if (plan.piece > PIECE_MAX)
		plan.piece = PIECE_MAX;
	return plan;
}

static bool
read_all(int fd, void *to, size_t n)
{
	char *p = to;

	while (n > 0) {
		ssize_t got = read(fd, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

/* the worker */

void
turn_wait(struct query *q)
{
	struct turn *turn = q->turn;
	struct baton baton;

	if (turn->mine)
		return;
	/* Who should have said it died: the parent tells. */
	if (!read_all(turn->from, &baton, sizeof(baton)))
		_exit(WV_TROUBLE);
	turn->mine = true;
	q->out.block = turn->block;
	q->base = baton.lines;
	q->counts.seen += baton.counts.seen;
	q->counts.matched += baton.counts.matched;
	q->counts.malformed += baton.counts.malformed;
	q->counts.status = wv_worse(q->counts.status, baton.counts.status);
	if (q->is_fresh) {
		q->scan.torn = baton.torn;
	} else if (baton.torn.torn_lines > 0) {
		/* The first line here did not account for them. */
		q->counts.malformed += baton.torn.torn_lines;
	}
}

void
turn_hold(struct query *q)
{
	if (q->out.buf.n > HELD_MAX)
		turn_wait(q);
}

static void
pass_on(struct query *q, const struct source *source, int to)
{
	struct wv_err err = WV_ERR_INIT;
	struct turn *turn = q->turn;
	struct baton baton;

	turn_wait(q);
	if (wv_out_flush(&q->out, &err) < 0)
		wv_die_err(&err);
	memset(&baton, 0, sizeof(baton));
	baton.counts = q->counts;
	baton.lines = q->base + source->in.number;
	baton.torn = q->scan.torn;
	if (wv_write_all(to, &baton, sizeof(baton)) < 0)
		_exit(WV_TROUBLE);
	turn->mine = false;
	q->counts = (struct counts){ 0 };
	q->out.block = SIZE_MAX;
}

/* Where the first line begins that does so in [from, end); end: none does. */
static uint64_t
first_line(int fd, uint64_t from, uint64_t end)
{
	char block[BLOCK];
	uint64_t at = from - 1;

	while (at < end) {
		size_t want = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
		ssize_t got = pread(fd, block, want, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return end;
		const char *lf = memchr(block, '\n', (size_t)got);
		if (lf != NULL)
			return at + (uint64_t)(lf - block) + 1;
		at += (uint64_t)got;
	}
	return end;
}

static void
read_piece(struct query *q, struct source *source, const struct plan *plan,
	uint64_t from)
{
	uint64_t end = from + plan->piece;
	struct wv_reader *in = &source->in;

	if (end > plan->end)
		end = plan->end;
	in->next = from == 0 ? 0 : first_line(in->fd, from, end);
	in->place = in->next;
	in->left = plan->end - in->next;
	in->has_place = true;
	in->buf.n = in->start = in->seen = 0;
	in->number = in->dropped = 0;
	q->is_fresh = true;
	wv_chain_start(&q->scan.torn, NULL);
	query_read_until(q, source, end);
	pass_on(q, source, end == plan->end ? q->turn->end : q->turn->to);
}

_Noreturn static void
work(struct query *q, struct source *source, const struct plan *plan,
	size_t index, int result)
{
	struct wv_str packed = { 0 };

	q->turn->block = q->out.block;
	q->out.block = SIZE_MAX;
	q->counts = (struct counts){ 0 };
	for (uint64_t from = index * plan->piece; from < plan->end;
		from += plan->jobs * plan->piece)
		read_piece(q, source, plan, from);
	if (q->sums)
		summary_pack(q->summary, &packed);
	if (wv_write_all(result, packed.s, packed.n) < 0)
		_exit(WV_TROUBLE);
	_exit(WV_YES);
}

/* the parent */

struct process {
	pid_t pid;
	int result; /* what it counted */
};

struct jobs {
	struct plan plan;
	struct process list[JOBS_MAX];
	int turns[JOBS_MAX + 1][2]; /* to each process, and the last to us */
};

static void
make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		wv_die("cannot make a pipe: %s", strerror(errno));
}

/* In the child: of what another holds too, nobody would see the end. */
static void
be_worker(struct jobs *jobs, struct query *q, struct source *source,
	size_t index, int result)
{
	size_t count = jobs->plan.jobs, next = (index + 1) % count;
	struct turn turn = { .from = jobs->turns[index][0],
		.to = jobs->turns[next][1],
		.end = jobs->turns[count][1] };

	for (size_t i = 0; i <= count; i++) {
		if (i != index)
			close(jobs->turns[i][0]);
		if (i != next && i != count)
			close(jobs->turns[i][1]);
	}
	for (size_t i = 0; i < index; i++)
		close(jobs->list[i].result);
	q->turn = &turn;
	work(q, source, &jobs->plan, index, result);
}

static void
start(struct jobs *jobs, struct query *q, struct source *source, size_t index)
{
	struct process *process = &jobs->list[index];
	int result[2];

	make_pipe(result);
	process->pid = fork();
	if (process->pid < 0)
		wv_die("cannot start a process: %s", strerror(errno));
	if (process->pid == 0) {
		close(result[0]);
		be_worker(jobs, q, source, index, result[1]);
	}
	close(result[1]);
	process->result = result[0];
}

/* The first turn; our ends of the others' pipes are closed. */
static void
let_go(struct jobs *jobs, const struct query *q)
{
	size_t count = jobs->plan.jobs;
	struct baton baton;

	memset(&baton, 0, sizeof(baton));
	baton.counts = q->counts;
	baton.torn = q->scan.torn;
	if (wv_write_all(jobs->turns[0][1], &baton, sizeof(baton)) < 0)
		wv_die("cannot write to a pipe: %s", strerror(errno));
	for (size_t i = 0; i <= count; i++) {
		if (i < count)
			close(jobs->turns[i][0]);
		close(jobs->turns[i][1]);
	}
}

static bool
take_result(struct query *q, int fd)
{
	struct wv_str got = { 0 };
	ssize_t n;
	bool is_whole;

	do {
		n = read(fd, wv_str_room(&got, BLOCK), BLOCK);
		got.n += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	is_whole = !q->sums || summary_unpack(q->summary, got.s, got.n);
	wv_str_free(&got);
	close(fd);
	return is_whole;
}

/* Who died of a pipe that nobody reads takes us along; who ended with an
 * error has told it. */
static void
reap(const struct process *process, const struct source *source)
{
	int status = 0;

	while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFSIGNALED(status))
		return;
	if (WTERMSIG(status) == SIGPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	wv_warn("%s: a process that read it was killed by signal %d",
		source->name, WTERMSIG(status));
}

void
jobs_read(struct query *q, struct source *source)
{
	struct jobs jobs = { .plan = make_plan(q, source) };
	size_t count = jobs.plan.jobs;
	struct wv_err err = WV_ERR_INIT;
	struct baton baton;
	bool is_whole = true;

	if (wv_out_flush(&q->out, &err) < 0)
		wv_die_err(&err);
	for (size_t i = 0; i <= count; i++)
		make_pipe(jobs.turns[i]);
	for (size_t i = 0; i < count; i++)
		start(&jobs, q, source, i);
	let_go(&jobs, q);
	for (size_t i = 0; i < count; i++)
		is_whole &= take_result(q, jobs.list[i].result);
	is_whole &= read_all(jobs.turns[count][0], &baton, sizeof(baton));
	close(jobs.turns[count][0]);
	for (size_t i = 0; i < count; i++)
		reap(&jobs.list[i], source);
	if (!is_whole) {
		q->counts.status = WV_TROUBLE;
		return;
	}
	q->counts = baton.counts;
	q->scan.torn = baton.torn;
}
