/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the references in the arguments stand for, put in their place: the
 * whole text of each Handle, cleaned and redacted, or the tool does not run.
 * That they are read is written down before the tool has any of it.
 */
#include "resolve.h"

#include "handle.h"
#include "kernel/reference.h"

struct reference {
	cJSON *node;
	struct handle handle;
	cJSON *text;
	struct wv_artifact_use use;
};

static enum step
too_long(struct call *call)
{
	return call_fail(call, "execution", false,
		"the references of the call hold more than %d bytes",
		RESOLVE_BLOCK);
}

/* Bytes and lines of it; no line is one too. */
static struct wv_artifact_use
measure(const cJSON *text)
{
	const char *s = text->valuestring;
	size_t n = (size_t)text->valueint;
	struct wv_artifact_use use = { .bytes = n };

	for (size_t i = 0; i < n; i++)
		use.rows += s[i] == '\n';
	if (n == 0 || s[n - 1] != '\n')
		use.rows++;
	return use;
}

static enum step
read_text(struct call *call, struct reference *reference)
{
	const struct selector whole = { .what = SELECT_TEXT,
		.is_limited =
			obligations_limit(reference->handle.obligations) };
	struct wv_err err = WV_ERR_INIT;
	struct reading *reading = reading_begin(call->plan->state,
		&reference->handle.artifact, &whole, &call->arena, &err);
	int got = 0;

	while (reading != NULL && got == 0)
		got = reading_go_on(reading, &err);
	if (got == 1) {
		reference->text = reading_selection(reading)->value;
		reference->use = measure(reference->text);
	}
	if (reading != NULL)
		reading_end(reading);
	return got == 1 ? STEP_DONE
			: call_fail(call, "execution", false, "%s", err.text);
}

/* All of them, in the bytes that all may have, stored and shown. */
static enum step
read_all(struct call *call, struct reference *references, size_t count)
{
	uint64_t stored = 0, shown = 0;

	for (size_t i = 0; i < count; i++) {
		struct reference *reference = &references[i];
		const struct wv_artifact *artifact =
			&reference->handle.artifact;
		if (handle_find(call, wv_reference(reference->node),
			    &reference->handle) == STEP_FAILED)
			return STEP_FAILED;
		if (artifact->size > RESOLVE_BLOCK - stored)
			return too_long(call);
		stored += artifact->size;
		if (read_text(call, reference) == STEP_FAILED)
			return STEP_FAILED;
		shown += reference->use.bytes;
		if (shown > RESOLVE_BLOCK)
			return too_long(call);
	}
	return STEP_DONE;
}

/* (group) */
static enum step
take(struct call *call, const struct reference *reference, struct wv_err *err)
{
	const struct handle *handle = &reference->handle;
	const struct wv_artifact_use *use = &reference->use;
	struct allowance left;

	if (handle_left(call, handle, &left) == STEP_FAILED)
		return STEP_FAILED;
	if (use->rows > left.rows)
		return handle_exceeded(call, "rows", use->rows, left.rows);
	if (use->bytes > left.bytes)
		return handle_exceeded(call, "bytes", use->bytes, left.bytes);
	if ((left.is_counted && handle_use(call, handle, use, err) < 0) ||
		call_record_reading(call, handle->artifact.handle_id, err) < 0)
		return STEP_FAILED;
	return STEP_DONE;
}

static enum step
record_all(struct call *call, const struct reference *references, size_t count)
{
	struct wv_state *state = call->plan->state;
	struct wv_err err = WV_ERR_INIT;
	enum step step = STEP_DONE;

	if (wv_state_begin(state, &err) == 0) {
		for (size_t i = 0; i < count && step == STEP_DONE; i++)
			step = take(call, &references[i], &err);
		if (step == STEP_FAILED)
			wv_state_rollback(state);
		else if (wv_state_commit(state, &err) == 0)
			return STEP_DONE;
	}
	return call_fail(call, "execution", true, "%s", err.text);
}

/* Its place in the arguments becomes the text. */
static void
fill(struct reference *reference)
{
	cJSON *node = reference->node, *text = reference->text;

	text->string = node->string;
	text->next = node->next;
	text->prev = node->prev;
	*node = *text;
}

enum step
call_fill_references(struct call *call)
{
	cJSON *nodes[WV_REFERENCES_MAX];
	struct reference *references;
	size_t count = wv_references(call->filled, nodes);

	if (count == 0)
		return STEP_DONE;
	if (count > WV_REFERENCES_MAX) /* nobody has judged the rest */
		return call_fail(call, "access_denied", false,
			"the arguments have more than %d references to "
			"Handles",
			WV_REFERENCES_MAX);
	call->filled = wv_json_copy(&call->arena, call->filled);
	wv_references(call->filled, nodes);
	references = wv_alloc_zero(&call->arena, count * sizeof *references);
	for (size_t i = 0; i < count; i++)
		references[i].node = nodes[i];
	if (read_all(call, references, count) == STEP_FAILED ||
		record_all(call, references, count) == STEP_FAILED)
		return STEP_FAILED;
	for (size_t i = 0; i < count; i++) {
		fill(&references[i]);
		call->obligations = handle_meet(call, &references[i].handle);
	}
	return STEP_DONE;
}
