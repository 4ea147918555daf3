/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "base/msg.h"

#include <unistd.h>

/* Of what is kept until the other side takes it. */
enum { BUFFER = 8 << 20 };

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
		frame_put(&worker->buf, FRAME_VALID, worker->valid);
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
	frame_put_outcome(&worker->buf, outcome,
		is_valid ? input->with_valid : input->with_rejects);
	if (worker->buf.n >= BUFFER)
		flush(worker);
	return true;
}

void
worker_run(const struct worker_input *input, size_t index, size_t step, int fd)
{
	struct worker worker = { .input = input, .fd = fd };

	for (size_t k = index; k < input->plan->count; k += step) {
		size_t lines = piece_judge(&input->plan->pieces[k],
			input->judge, input->options, NULL, take, &worker);
		put_valid(&worker);
		frame_put(&worker.buf, FRAME_END, lines);
		flush(&worker);
	}
	_exit(WV_YES);
}
