/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

void
output_init(struct output *output, struct wv_state *state, size_t max)
{
	*output = (struct output){ .state = state, .max = max };
}

static bool
has_file(const struct output *output)
{
	return output->artifact.handle_id[0] != '\0';
}

/* What failed has removed its file. */
static int
fail(struct output *output)
{
	output->artifact.handle_id[0] = '\0';
	return -1;
}

static int
add_to_file(struct output *output, const void *p, size_t n, struct wv_err *err)
{
	if (wv_artifact_add(output->state, &output->artifact, p, n, err) < 0)
		return fail(output);
	return 0;
}

/* The file begins with what is in memory. */
static int
make_file(struct output *output, struct wv_err *err)
{
	if (wv_artifact_open(output->state, &output->artifact, err) < 0)
		return fail(output);
	return add_to_file(output, output->head.s, output->head.n, err);
}

static int
spill(struct output *output, struct wv_err *err)
{
	struct wv_str *head = &output->head;

	if (make_file(output, err) < 0)
		return -1;
	output->is_spilled = true;
	if (head->n > OUTPUT_HEAD) {
		struct wv_str whole = *head;
		*head = (struct wv_str){ 0 };
		wv_str_add(head, whole.s, OUTPUT_HEAD);
		wv_str_free(&whole);
	}
	return 0;
}

int
output_add(struct output *output, const void *p, size_t n, struct wv_err *err)
{
	struct wv_str *head = &output->head;

	if (n > output->max - output->size)
		return wv_err_set(
			err, "more than %zu bytes of output", output->max);
	if (!output->is_spilled && n > OUTPUT_MEMORY - head->n &&
		spill(output, err) < 0)
		return -1;
	output->size += n;
	if (!output->is_spilled) {
		wv_str_add(head, p, n);
		return 0;
	}
	if (head->n < OUTPUT_HEAD) {
		size_t room = OUTPUT_HEAD - head->n;
		wv_str_add(head, p, n < room ? n : room);
	}
	return add_to_file(output, p, n, err);
}

int
output_keep(struct output *output, struct wv_err *err)
{
	if (!has_file(output) && make_file(output, err) < 0)
		return -1;
	if (wv_artifact_close(output->state, &output->artifact, err) < 0)
		return fail(output);
	return 0;
}

void
output_drop(struct output *output)
{
	if (has_file(output))
		wv_artifact_drop(output->state, &output->artifact);
	output->artifact.handle_id[0] = '\0';
}

void
output_free(struct output *output)
{
	wv_str_free(&output->head);
}
