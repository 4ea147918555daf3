/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store-sql.h"

int
wv_store_add_artifact(struct wv_store *store,
	const struct wv_store_artifact *artifact, struct wv_err *err)
{
	return wv_query_run(store, ADD_ARTIFACT, err, "ttttttttiTt",
		artifact->handle_id, artifact->file, artifact->capability_id,
		artifact->principal, artifact->decision_id,
		artifact->media_type, artifact->digest, artifact->obligations,
		artifact->size, artifact->expires_at, artifact->arguments);
}

int
wv_store_artifact(struct wv_store *store, struct wv_arena *arena,
	const char *handle_id, struct wv_store_artifact *artifact,
	struct wv_err *err)
{
	int found = wv_query_run(store, GET_ARTIFACT, err, "t", handle_id);

	if (found != 1)
		return found;
	*artifact = (struct wv_store_artifact){
		.handle_id = wv_query_text(store, GET_ARTIFACT, arena, 0),
		.file = wv_query_text(store, GET_ARTIFACT, arena, 1),
		.capability_id = wv_query_text(store, GET_ARTIFACT, arena, 2),
		.principal = wv_query_text(store, GET_ARTIFACT, arena, 3),
		.decision_id = wv_query_text(store, GET_ARTIFACT, arena, 4),
		.media_type = wv_query_text(store, GET_ARTIFACT, arena, 5),
		.digest = wv_query_text(store, GET_ARTIFACT, arena, 6),
		.obligations = wv_query_text(store, GET_ARTIFACT, arena, 7),
		.size = (uint64_t)wv_query_int(store, GET_ARTIFACT, 8),
		.expires_at = wv_query_time(store, GET_ARTIFACT, 9),
		.arguments = wv_query_text(store, GET_ARTIFACT, arena, 11),
	};
	wv_query_end(store, GET_ARTIFACT);
	return 1;
}

int
wv_store_next_expired(struct wv_store *store, struct wv_arena *arena,
	const char *after, struct wv_time before,
	struct wv_store_artifact *artifact, struct wv_err *err)
{
	int found = wv_query_run(store, NEXT_EXPIRED, err, "tT", after, before);

	if (found != 1)
		return found;
	artifact->handle_id = wv_query_text(store, NEXT_EXPIRED, arena, 0);
	artifact->file = wv_query_text(store, NEXT_EXPIRED, arena, 1);
	wv_query_end(store, NEXT_EXPIRED);
	return 1;
}

int
wv_store_drop_artifact(
	struct wv_store *store, const char *handle_id, struct wv_err *err)
{
	if (wv_query_run(store, DROP_SHOWN, err, "t", handle_id) < 0)
		return -1;
	return wv_query_run(store, DROP_ARTIFACT, err, "t", handle_id);
}

int
wv_store_shown(struct wv_store *store, const char *handle_id,
	const char *principal, uint64_t *rows, uint64_t *bytes,
	struct wv_err *err)
{
	int found =
		wv_query_run(store, GET_SHOWN, err, "tt", handle_id, principal);

	*rows = *bytes = 0;
	if (found != 1)
		return found;
	*rows = (uint64_t)wv_query_int(store, GET_SHOWN, 0);
	*bytes = (uint64_t)wv_query_int(store, GET_SHOWN, 1);
	wv_query_end(store, GET_SHOWN);
	return 0;
}

int
wv_store_add_shown(struct wv_store *store, const char *handle_id,
	const char *principal, uint64_t rows, uint64_t bytes,
	struct wv_err *err)
{
	return wv_query_run(store, ADD_SHOWN, err, "ttii", handle_id, principal,
		rows, bytes);
}
