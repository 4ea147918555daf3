/* SPDX-License-Identifier: Apache-2.0 */
/* What the store knows of a token and of those that it was made from. */
#include "kernel/store.h"
#include "kernel/token.h"

#include <string.h>

const char *
wv_token_root(const struct wv_token *token)
{
	return token->parents == NULL
		? token->id
		: wv_get_string(token->parents->child, "token_id");
}

const char *
wv_token_lineage(struct wv_arena *arena, const struct wv_token *token)
{
	cJSON *lineage, *self;
	struct wv_str text = { 0 };
	const char *copy;

	if (token->parents == NULL && token->kid == NULL)
		return NULL;
	lineage = wv_json_array(arena);
	self = wv_json_object(arena);
	wv_push(lineage, self);
	wv_put_string(arena, self, "token_id", token->id);
	if (token->kid != NULL)
		wv_put_string(arena, self, "kid", token->kid);
	wv_json_each(parent, token->parents)
		wv_push(lineage, wv_json_copy(arena, parent));
	wv_json_write(&text, lineage);
	copy = wv_dupn(arena, text.s, text.n);
	wv_str_free(&text);
	return copy;
}

int
wv_token_record(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	const struct wv_time never = { 0, 0 };
	struct wv_str scope = { 0 };
	int status;

	wv_json_write(&scope, token->scope);
	const struct wv_store_token record = {
		.id = token->id,
		.digest = token->digest,
		.principal = token->principal,
		.issuer = token->issuer,
		.scope = scope.s,
		.lineage = wv_token_lineage(&state->arena, token),
		.issued_at = token->issued_at,
		.expires_at = token->expires ? token->expires_at : never,
		.single_use = token->single_use,
	};
	status = wv_store_add_token(state->store, &record, err);
	wv_str_free(&scope);
	return status;
}

/* All of a lineage have one issuer. */
static int
links_revoked(struct wv_state *state, const char *issuer, const cJSON *links,
	struct wv_err *err)
{
	int revoked = 0;

	wv_json_each(link, links) {
		if (revoked == 0)
			revoked = wv_store_token_revoked(state->store, issuer,
				wv_get_string(link, "token_id"),
				wv_get_string(link, "kid"), err);
	}
	return revoked;
}

int
wv_lineage_revoked(struct wv_state *state, const char *issuer,
	const char *token_id, const char *lineage, struct wv_err *err)
{
	const cJSON *links;

	if (lineage == NULL)
		return wv_store_token_revoked(
			state->store, issuer, token_id, NULL, err);
	links = wv_json_read(&state->arena, lineage, strlen(lineage),
		&wv_json_defaults, err);
	return links == NULL ? -1 : links_revoked(state, issuer, links, err);
}

int
wv_token_revoked(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	int revoked = wv_store_principal_revoked(
		state->store, token->principal, token->root_issued_at, err);

	if (revoked == 0)
		revoked = wv_store_token_revoked(state->store, token->issuer,
			token->id, token->kid, err);
	return revoked != 0
		? revoked
		: links_revoked(state, token->issuer, token->parents, err);
}

/* How long a root is good is not for its children to say: their claims are
 * kept for good. */
int
wv_token_spend(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	struct wv_time until = { 0, 0 };

	if (token->parents == NULL && token->expires)
		until = token->expires_at;
	return wv_store_claim(
		state->store, token->issuer, wv_token_root(token), until, err);
}

int
wv_token_spent(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	return wv_store_claimed(
		state->store, token->issuer, wv_token_root(token), err);
}
