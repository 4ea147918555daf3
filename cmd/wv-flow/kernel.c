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
send_some(struct kernel *kernel)
{
	struct wv_str *lines = &kernel->unsent;
	ssize_t n = write(
		kernel->in, lines->s + kernel->sent, lines->n - kernel->sent);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	kernel->sent += (size_t)n;
	if (kernel->sent == lines->n)
		kernel->sent = lines->n = 0;
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

static enum kernel_end
read_answer(struct wv_arena *arena, const char *line, size_t n, cJSON **answer,
	const char **to, struct wv_err *err)
{
	const char *decision;

	*answer = wv_json_read(arena, line, n, &wv_json_defaults, err);
	if (*answer == NULL)
		return KERNEL_BROKEN;
	decision = wv_get_string(*answer, "decision");
	*to = answers(*answer);
	if (wv_contract_require(decision ? WV_POLICY_DECISION : WV_FRAME,
		    *answer, err) != 0)
		return KERNEL_BROKEN;
	if (decision != NULL && strcmp(decision, "deny") != 0)
		wv_err_set(err, "answered with an allow, not a Frame");
	else if (*to == NULL)
		wv_err_set(err, "answered what was not asked");
	else
		return KERNEL_ANSWERED;
	return KERNEL_BROKEN;
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
	wv_str_free(&kernel->unsent);
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

	while ((left = until - wv_ticks()) > 0 && !stop_is_new()) {
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

enum kernel_end
kernel_break(struct kernel *kernel, const char *how, struct wv_err *err)
{
	int64_t until = wv_ticks() + GRACE_MS;
	struct wv_str bad = { 0 };

	/* whoever went away first says why */
	for (size_t i = 0; how == NULL && i < kernel->count; i++)
		wait_for(kernel->procs[i].pid, until);
	reap(kernel, &bad);
	wv_err_clear(err);
	if (how == NULL)
		wv_err_set(err, "the kernel ended before it answered%s%s",
			bad.n > 0 ? ": " : "", bad.n > 0 ? bad.s : "");
	else
		wv_err_set(err, "the kernel is broken: %s", how);
	wv_str_free(&bad);
	return KERNEL_BROKEN;
}

/* Waits for one step of the conversation; KERNEL_ANSWERED: it was made. */
static enum kernel_end
converse(struct kernel *kernel, int64_t until)
{
	struct pollfd fds[2] = { { kernel->out, POLLIN, 0 },
		{ kernel->unsent.n > 0 ? kernel->in : -1, POLLOUT, 0 } };
	int64_t left = until - wv_ticks();
	int ready;

	if (until == INT64_MAX)
		left = -1;
	else if (left < 0)
		left = 0;
	ready = stop_poll(fds, 2, left);
	if (stop_is_new())
		return KERNEL_STOPPED;
	if (ready == 0)
		return KERNEL_WAITED;
	if (fds[1].revents != 0 && send_some(kernel) != 0)
		return KERNEL_BROKEN;
	if (fds[0].revents != 0 && read_some(kernel) <= 0)
		return KERNEL_BROKEN;
	return KERNEL_ANSWERED;
}

void
kernel_send(struct kernel *kernel, const cJSON *decision)
{
	wv_json_write(&kernel->unsent, decision);
	wv_str_chr(&kernel->unsent, '\n');
}

enum kernel_end
kernel_next(struct kernel *kernel, struct wv_arena *arena, int64_t until,
	cJSON **answer, const char **to, struct wv_err *err)
{
	enum kernel_end end = KERNEL_ANSWERED;
	char *text;
	size_t n;

	while ((text = take_line(kernel, &n)) == NULL &&
		end == KERNEL_ANSWERED) {
		if (kernel->buf.n - kernel->start > ANSWER_MAX)
			return kernel_break(kernel,
				wv_printf(arena,
					"an answer of more than %d "
					"bytes",
					ANSWER_MAX),
				err);
		end = converse(kernel, until);
	}
	if (text != NULL) {
		end = read_answer(arena, text, n, answer, to, err);
		return end == KERNEL_BROKEN
			? kernel_break(kernel, wv_dup(arena, err->text), err)
			: end;
	}
	return end == KERNEL_BROKEN ? kernel_break(kernel, NULL, err) : end;
}
