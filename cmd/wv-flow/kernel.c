/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include "base/clock.h"
#include "contract/contract.h"
#include "stop.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ANSWER_MAX = 64 << 20, /* bytes of an answer */
	READ_BLOCK = 65536,
	CLOSE_MS = 60000, /* for its end when there is no more input */
	GRACE_MS = 5000,  /* between TERM and KILL */
};

void
kernel_init(struct kernel *kernel, const struct kernel_options *options)
{
	*kernel = (struct kernel){ .options = options, .in = -1, .out = -1 };
}

/* Writes what the pipe takes; -1 if it takes no more at all. */
static int
send_some(struct kernel *kernel, struct wv_str *line, size_t *sent)
{
	ssize_t n = write(kernel->in, line->s + *sent, line->n - *sent);

	if (n >= 0)
		*sent += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		return -1;
	return 0;
}

/* Reads what is there; 0 at the end, -1 if it cannot be read. */
static ssize_t
read_some(struct kernel *kernel)
{
	struct wv_str *buf = &kernel->buf;
	ssize_t n;

	if (kernel->start == buf->n)
		kernel->start = kernel->looked = buf->n = 0;
	/* room for the reader too, which looks a little past the end */
	n = read(kernel->out, wv_str_room(buf, READ_BLOCK + WV_JSON_SLACK),
		READ_BLOCK);
	if (n > 0)
		buf->n += (size_t)n;
	else if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 1;
	return n;
}

/* The next whole line, its LF a NUL; NULL: not there yet. */
static char *
take_line(struct kernel *kernel, size_t *n)
{
	struct wv_str *buf = &kernel->buf;
	char *line, *end;

	if (buf->n == kernel->looked)
		return NULL;
	line = buf->s + kernel->start;
	end = memchr(buf->s + kernel->looked, '\n', buf->n - kernel->looked);
	if (end == NULL) {
		kernel->looked = buf->n;
		return NULL;
	}
	*n = (size_t)(end - line);
	*end = '\0';
	kernel->start = kernel->looked = (size_t)(end + 1 - buf->s);
	return line;
}

/* The id of the RoutingDecision that an answer is to. */
static const char *
answers(const cJSON *answer)
{
	const cJSON *metadata = wv_get(answer, "metadata");
	const char *member =
		wv_get(answer, "decision") ? "x_wv_invocation" : "x_wv_call";

	return wv_get_string(wv_get(metadata, member), "routing_decision_id");
}

static int
check_answer(const cJSON *answer, const char *id, struct wv_err *err)
{
	bool decided = wv_get(answer, "decision") != NULL;
	const char *to = answers(answer), *decision;

	if (wv_contract_require(
		    decided ? WV_POLICY_DECISION : WV_FRAME, answer, err) != 0)
		return -1;
	decision = wv_get_string(answer, "decision");
	if (decided && strcmp(decision, "deny") != 0)
		return wv_err_set(err, "answered with an allow, not a Frame");
	if (to == NULL || strcmp(to, id) != 0)
		return wv_err_set(err, "answered what was not asked");
	return 0;
}

static enum kernel_end
read_answer(struct wv_arena *arena, const char *line, size_t n, const char *id,
	cJSON **answer, struct wv_err *err)
{
	*answer = wv_json_read(arena, line, n, &wv_json_defaults, err);
	if (*answer == NULL || check_answer(*answer, id, err) != 0)
		return KERNEL_BROKEN;
	return KERNEL_ANSWERED;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* A process's end that is no answer: "wv-call: status 2". */
static bool
is_bad_end(
	const struct kernel *kernel, size_t i, int status, struct wv_str *out)
{
	const char *name = base_name(kernel->names[i]);

	if (WIFEXITED(status) && WEXITSTATUS(status) < 2)
		return false;
	wv_str_cat(out, out->n > 0 ? ", " : "");
	if (WIFEXITED(status))
		wv_str_fmt(out, "%s: status %d", name, WEXITSTATUS(status));
	else
		wv_str_fmt(out, "%s: signal %d", name, WTERMSIG(status));
	return true;
}

/* Stops what still runs, the last process first, and forgets the pipe. */
static void
reap(struct kernel *kernel, struct wv_str *bad)
{
	if (kernel->in >= 0)
		close(kernel->in);
	for (size_t i = kernel->count; i-- > 0;) {
		int status = wv_proc_stop(&kernel->procs[i], GRACE_MS);
		is_bad_end(kernel, i, status, bad);
	}
	if (kernel->out >= 0)
		close(kernel->out);
	wv_str_free(&kernel->buf);
	wv_arena_free(&kernel->arena);
	kernel_init(kernel, kernel->options);
}

/* Waits for the end of a process, without taking its status. */
static void
wait_for(pid_t pid, int64_t until)
{
	struct pollfd fd = { .fd = (int)syscall(SYS_pidfd_open, pid, 0),
		.events = POLLIN };
	int64_t left = until - wv_ticks();

	if (fd.fd < 0)
		return;
	if (left > 0)
		stop_poll(&fd, 1, left);
	close(fd.fd);
}

/* Reads to the end; whether there was anything to read. */
static bool
drain(struct kernel *kernel, int64_t until)
{
	size_t extra = kernel->buf.n - kernel->start;
	int64_t left;

	while ((left = until - wv_ticks()) > 0 && stop_signal() == 0) {
		struct pollfd fd = { kernel->out, POLLIN, 0 };
		kernel->buf.n = kernel->start = 0;
		if (stop_poll(&fd, 1, left) > 0 && read_some(kernel) <= 0)
			break;
		extra += kernel->buf.n;
	}
	return extra > 0;
}

int
kernel_close(struct kernel *kernel, struct wv_err *err)
{
	int64_t until = wv_ticks() + CLOSE_MS;
	struct wv_str bad = { 0 };
	int result = 0;

	if (kernel->count == 0)
		return 0;
	close(kernel->in);
	kernel->in = -1;
	if (drain(kernel, until))
		result = wv_err_set(
			err, "the kernel answered what was not asked");
	for (size_t i = 0; i < kernel->count; i++)
		wait_for(kernel->procs[i].pid, until);
	reap(kernel, &bad);
	if (bad.n > 0)
		result = wv_err_set(
			err, "the kernel did not end well: %s", bad.s);
	wv_str_free(&bad);
	return result;
}

void
kernel_kill(struct kernel *kernel)
{
	struct wv_str bad = { 0 };

	reap(kernel, &bad);
	wv_str_free(&bad);
}

/* Ends a kernel that does not keep to its part; err says how that showed, or
 * is empty: it went away. */
static enum kernel_end
broken(struct kernel *kernel, struct wv_err *err)
{
	int64_t until = wv_ticks() + GRACE_MS;
	struct wv_str bad = { 0 };
	char told[WV_ERR_TEXT];
	bool gone = !wv_err_is_set(err);

	/* whoever went away first says why */
	for (size_t i = 0; gone && i < kernel->count; i++)
		wait_for(kernel->procs[i].pid, until);
	reap(kernel, &bad);
	memcpy(told, err->text, sizeof(told));
	wv_err_clear(err);
	if (gone)
		wv_err_set(err, "the kernel ended before it answered%s%s",
			bad.n > 0 ? ": " : "", bad.n > 0 ? bad.s : "");
	else
		wv_err_set(err, "the kernel is broken: %s", told);
	wv_str_free(&bad);
	return KERNEL_BROKEN;
}

/* Sends and receives until there is an answer; err stays empty if the kernel
 * went away. */
static enum kernel_end
converse(struct kernel *kernel, struct wv_arena *arena, struct wv_str *line,
	const char *id, cJSON **answer, struct wv_err *err)
{
	size_t sent = 0, n;

	for (;;) {
		struct pollfd fds[2] = { { kernel->out, POLLIN, 0 },
			{ sent < line->n ? kernel->in : -1, POLLOUT, 0 } };
		char *text = take_line(kernel, &n);
		if (text != NULL)
			return read_answer(arena, text, n, id, answer, err);
		if (kernel->buf.n - kernel->start > ANSWER_MAX) {
			wv_err_set(err, "an answer of more than %d bytes",
				ANSWER_MAX);
			return KERNEL_BROKEN;
		}
		stop_poll(fds, 2, -1);
		if (stop_signal() != 0)
			return KERNEL_STOPPED;
		if (fds[1].revents != 0 && send_some(kernel, line, &sent) != 0)
			return KERNEL_BROKEN;
		if (fds[0].revents != 0 && read_some(kernel) <= 0)
			return KERNEL_BROKEN;
	}
}

enum kernel_end
kernel_call(struct kernel *kernel, struct wv_arena *arena,
	const cJSON *decision, cJSON **answer, struct wv_err *err)
{
	struct wv_str line = { 0 };
	enum kernel_end end;

	if (kernel->count == 0 && kernel_start(kernel, err) != 0)
		return broken(kernel, err);
	wv_json_write(&line, decision);
	wv_str_chr(&line, '\n');
	end = converse(kernel, arena, &line, wv_get_string(decision, "id"),
		answer, err);
	wv_str_free(&line);
	return end == KERNEL_BROKEN ? broken(kernel, err) : end;
}
