/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store-sql.h"

int
wv_store_add_token(struct wv_store *store, const struct wv_store_token *token,
	struct wv_err *err)
{
	return wv_query_run(store, ADD_TOKEN, err, "ttttttTTi", token->id,
		token->digest, token->principal, token->issuer, token->scope,
		token->lineage, token->issued_at, token->expires_at,
		(uint64_t)token->single_use);
}

static int
get_token(struct wv_store *store, struct wv_arena *arena, enum wv_query query,
	const char *key, struct wv_store_token *token, struct wv_err *err)
{
	int found = wv_query_run(store, query, err, "t", key);

	if (found != 1)
		return found;
	token->id = wv_query_text(store, query, arena, 0);
	token->digest = wv_query_text(store, query, arena, 1);
	token->principal = wv_query_text(store, query, arena, 2);
	token->issuer = wv_query_text(store, query, arena, 3);
	token->scope = wv_query_text(store, query, arena, 4);
	token->lineage = wv_query_text(store, query, arena, 5);
	token->issued_at = wv_query_time(store, query, 6);
	token->expires_at = wv_query_time(store, query, 8);
	token->single_use = wv_query_int(store, query, 10) != 0;
	wv_query_end(store, query);
	return 1;
}

int
wv_store_token(struct wv_store *store, struct wv_arena *arena, const char *id,
	struct wv_store_token *token, struct wv_err *err)
{
	return get_token(store, arena, GET_TOKEN, id, token, err);
}

int
wv_store_next_token(struct wv_store *store, struct wv_arena *arena,
	const char *after, struct wv_store_token *token, struct wv_err *err)
{
	return get_token(store, arena, NEXT_TOKEN, after, token, err);
}

/* One that was there before lasts as long as the longer of both. */
static int
add_until(struct wv_store *store, enum wv_query add, enum wv_query extend,
	const char *issuer, const char *id, struct wv_time until,
	struct wv_err *err)
{
	int added = wv_query_change(store, add, err, "ttT", issuer, id, until);

	if (added != 0)
		return added;
	return wv_query_run(store, extend, err, "ttT", issuer, id, until);
}

int
wv_store_claim(struct wv_store *store, const char *issuer, const char *id,
	struct wv_time until, struct wv_err *err)
{
	return add_until(store, CLAIM, CLAIM_LONGER, issuer, id, until, err);
}

int
wv_store_revoke_token(struct wv_store *store, const char *issuer,
	const char *id, struct wv_time until, struct wv_err *err)
{
	return add_until(store, REVOKE_TOKEN, REVOKE_TOKEN_LONGER, issuer, id,
		until, err);
}

int
wv_store_revoke_principal(struct wv_store *store, const char *principal,
	struct wv_time before, struct wv_err *err)
{
	return wv_query_change(
		store, REVOKE_PRINCIPAL, err, "tT", principal, before);
}

int
wv_store_revoke_key(struct wv_store *store, const char *kid, struct wv_err *err)
{
	return wv_query_change(store, REVOKE_KEY, err, "t", kid);
}

/* Whether there is a row. */
static int
seen(struct wv_store *store, enum wv_query query, int found)
{
	if (found == 1)
		wv_query_end(store, query);
	return found;
}

int
wv_store_claimed(struct wv_store *store, const char *issuer, const char *id,
	struct wv_err *err)
{
	return seen(store, GET_CLAIM,
		wv_query_run(store, GET_CLAIM, err, "tt", issuer, id));
}

int
wv_store_token_revoked(struct wv_store *store, const char *issuer,
	const char *id, const char *kid, struct wv_err *err)
{
	return seen(store, GET_REVOKED_TOKEN,
		wv_query_run(
			store, GET_REVOKED_TOKEN, err, "ttt", issuer, id, kid));
}

int
wv_store_principal_revoked(struct wv_store *store, const char *principal,
	struct wv_time issued_at, struct wv_err *err)
{
	return seen(store, GET_REVOKED_PRINCIPAL,
		wv_query_run(store, GET_REVOKED_PRINCIPAL, err, "tT", principal,
			issued_at));
}

int
wv_store_prune(struct wv_store *store, struct wv_time before, int most,
	struct wv_err *err)
{
	static const enum wv_query kinds[] = { PRUNE_TOKENS, PRUNE_CLAIMS,
		PRUNE_REVOKED, PRUNE_DECISIONS };
	int more = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int n = wv_query_change(
			store, kinds[i], err, "Ti", before, (uint64_t)most);
		if (n < 0)
			return -1;
		more |= n == most;
	}
	return more;
}
