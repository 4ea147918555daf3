/* SPDX-License-Identifier: Apache-2.0 */
#include "handle.h"

#include "base/clock.h"
#include "json/num.h"

#include <string.h>

bool
obligation_stated(const cJSON *obligations, const char *name, uint64_t *limit)
{
	const cJSON *number = wv_get(obligations, name);
	int64_t n;

	if (!wv_is_number(number) || !wv_num_int64(number, &n) || n < 0)
		return false;
	*limit = (uint64_t)n;
	return true;
}

bool
obligations_limit(const cJSON *obligations)
{
	return wv_get(obligations, "max_rows") != NULL ||
		wv_get(obligations, "max_fields") != NULL ||
		wv_get(obligations, "max_depth") != NULL;
}

static const cJSON *
read_obligations(struct call *call, const struct wv_artifact *artifact)
{
	const char *text = artifact->obligations;
	size_t n = text != NULL ? strlen(text) : 0;

	/* What is in an arena has the slack that the reader needs. */
	return text != NULL
		? wv_json_read(&call->arena, text, n, &wv_json_defaults, NULL)
		: NULL;
}

static struct allowance
allowance_of(const cJSON *obligations)
{
	struct allowance a = { false, UINT64_MAX, UINT64_MAX };

	a.is_counted = obligation_stated(obligations, "max_rows", &a.rows);
	a.is_counted |= obligation_stated(obligations, "max_bytes", &a.bytes);
	return a;
}

/* One answer for what there is not, what has expired and what is another's:
 * who asks learns nothing of the Handles of others. */
static enum step
refuse(struct call *call)
{
	return call_fail(call, "access_denied", false,
		"there is no such Handle to read");
}

enum step
handle_find(struct call *call, const char *id, struct handle *handle)
{
	struct wv_state *state = call->plan->state;
	struct wv_artifact *artifact = &handle->artifact;
	struct wv_time now = wv_now();
	struct wv_err err = WV_ERR_INIT;

	if (wv_time_cmp(state->now, now) > 0)
		now = state->now;
	int found =
		wv_artifact_find(state, &call->arena, id, now, artifact, &err);
	if (found < 0)
		return call_fail(call, "execution", true, "%s", err.text);
	if (found == 0 || artifact->principal == NULL ||
		strcmp(artifact->principal, call->principal) != 0)
		return refuse(call);
	handle->obligations = read_obligations(call, artifact);
	if (artifact->obligations != NULL && handle->obligations == NULL)
		return refuse(call);
	handle->allowed = allowance_of(handle->obligations);
	return STEP_DONE;
}

enum step
handle_left(
	struct call *call, const struct handle *handle, struct allowance *left)
{
	struct wv_artifact_use used;
	struct wv_err err = WV_ERR_INIT;

	*left = handle->allowed;
	if (!left->is_counted)
		return STEP_DONE;
	if (wv_artifact_used(call->plan->state, handle->artifact.handle_id,
		    call->principal, &used, &err) < 0)
		return call_fail(call, "execution", true, "%s", err.text);
	if (used.rows >= left->rows || used.bytes >= left->bytes)
		return call_fail(call, "access_denied", false,
			"all has been shown of this Handle that its "
			"obligations allow");
	if (left->rows != UINT64_MAX)
		left->rows -= used.rows;
	if (left->bytes != UINT64_MAX)
		left->bytes -= used.bytes;
	return STEP_DONE;
}

int
handle_use(struct call *call, const struct handle *handle,
	const struct wv_artifact_use *use, struct wv_err *err)
{
	return wv_artifact_add_use(call->plan->state,
		handle->artifact.handle_id, call->principal, use, err);
}

enum step
handle_exceeded(struct call *call, const char *of, uint64_t more, uint64_t left)
{
	return call_fail(call, "access_denied", false,
		"that holds %ju %s, and its obligations allow %ju more of "
		"this Handle",
		(uintmax_t)more, of, (uintmax_t)left);
}

cJSON *
handle_meet(struct call *call, const struct handle *handle)
{
	static const char *const names[] = { "max_rows", "max_fields",
		"max_depth", "max_bytes" };
	struct wv_arena *arena = &call->arena;
	cJSON *met = call->obligations != NULL
		? wv_json_copy(arena, call->obligations)
		: wv_json_object(arena);
	uint64_t ours, theirs;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (obligation_stated(handle->obligations, names[i], &theirs) &&
			(!obligation_stated(met, names[i], &ours) ||
				theirs < ours))
			wv_put(arena, met, names[i],
				wv_json_int(arena, (int64_t)theirs));
	return met;
}
