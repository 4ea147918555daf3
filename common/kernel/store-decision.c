/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store-sql.h"

int
wv_store_add_decision(struct wv_store *store,
	const struct wv_store_decision *decision, struct wv_err *err)
{
	return wv_query_run(store, ADD_DECISION, err, "ttttttttTT",
		decision->id, decision->digest, decision->capability_id,
		decision->principal, decision->token_id, decision->trace_id,
		decision->issuer, decision->lineage, decision->token_issued_at,
		decision->valid_until);
}

static int
get_decision(struct wv_store *store, struct wv_arena *arena,
	enum wv_query query, const char *key,
	struct wv_store_decision *decision, struct wv_err *err)
{
	int found = wv_query_run(store, query, err, "t", key);

	if (found != 1)
		return found;
	decision->id = wv_query_text(store, query, arena, 0);
	decision->digest = wv_query_text(store, query, arena, 1);
	decision->capability_id = wv_query_text(store, query, arena, 2);
	decision->principal = wv_query_text(store, query, arena, 3);
	decision->token_id = wv_query_text(store, query, arena, 4);
	decision->trace_id = wv_query_text(store, query, arena, 5);
	decision->issuer = wv_query_text(store, query, arena, 6);
	decision->lineage = wv_query_text(store, query, arena, 7);
	decision->token_issued_at = wv_query_time(store, query, 8);
	decision->valid_until = wv_query_time(store, query, 10);
	decision->stage = (enum wv_stage)wv_query_int(store, query, 12);
	wv_query_end(store, query);
	return 1;
}

int
wv_store_decision(struct wv_store *store, struct wv_arena *arena,
	const char *id, struct wv_store_decision *decision, struct wv_err *err)
{
	return get_decision(store, arena, GET_DECISION, id, decision, err);
}

int
wv_store_set_stage(struct wv_store *store, const char *id, enum wv_stage stage,
	const char *plan, struct wv_err *err)
{
	return wv_query_run(
		store, SET_STAGE, err, "tit", id, (uint64_t)stage, plan);
}

int
wv_store_next_plan(struct wv_store *store, struct wv_arena *arena,
	const char *after, const char **plan, struct wv_err *err)
{
	if (wv_query_run(store, NEXT_PLAN, err, "t", after) != 1)
		return -1;
	*plan = wv_query_text(store, NEXT_PLAN, arena, 0);
	wv_query_end(store, NEXT_PLAN);
	return *plan != NULL;
}

int
wv_store_running(struct wv_store *store, struct wv_arena *arena,
	const char *plan, struct wv_store_decision *decision,
	struct wv_err *err)
{
	return get_decision(store, arena, GET_RUNNING, plan, decision, err);
}

int
wv_store_hits(struct wv_store *store, const char *name, struct wv_time after,
	int64_t *count, struct wv_err *err)
{
	if (wv_query_run(store, GET_HITS, err, "tT", name, after) != 1)
		return -1;
	*count = wv_query_int(store, GET_HITS, 0);
	wv_query_end(store, GET_HITS);
	return 0;
}

int
wv_store_add_hit(struct wv_store *store, const char *name, struct wv_time at,
	struct wv_time after, struct wv_err *err)
{
	if (wv_query_run(store, DROP_HITS, err, "tT", name, after) < 0)
		return -1;
	return wv_query_run(store, ADD_HIT, err, "tT", name, at);
}
