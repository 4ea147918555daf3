/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/token.h"

#include "contract/contract.h"
#include "contract/record.h"
#include "json/jcs.h"
#include "kernel/store.h"

#include <string.h>

/* The contract has judged the shape; this reads what it holds. */
static int
read_time(struct wv_time *time, const cJSON *object, const char *name,
	struct wv_err *err)
{
	const char *text = wv_get_string(object, name);

	if (text == NULL)
		return wv_err_set(err, "%s is not a time", name);
	return wv_time_parse(time, text, strlen(text), err);
}

static int
read_metadata(struct wv_token *token, struct wv_err *err)
{
	const cJSON *metadata = wv_get(token->node, "metadata");
	const cJSON *bound = wv_get(metadata, "x_wv_arguments_sha256");

	token->has_not_before = wv_get(metadata, "x_wv_not_before") != NULL;
	if (token->has_not_before &&
		read_time(&token->not_before, metadata, "x_wv_not_before",
			err) < 0)
		return -1;
	if (bound == NULL)
		return 0;
	token->arguments_sha256 =
		wv_get_string(metadata, "x_wv_arguments_sha256");
	if (token->arguments_sha256 == NULL ||
		!wv_is_sha256_hex(token->arguments_sha256))
		return wv_err_set(err,
			"x_wv_arguments_sha256 is not 64 lower-case hex "
			"digits");
	return 0;
}

int
wv_token_read(struct wv_token *token, const cJSON *node, struct wv_err *err)
{
	memset(token, 0, sizeof(*token));
	if (wv_contract_require(WV_CAPABILITY_TOKEN, node, err) < 0)
		return -1;
	token->node = node;
	token->id = wv_get_string(node, "token_id");
	token->principal = wv_get_string(node, "principal");
	token->issuer = wv_get_string(node, "issuer");
	token->scope = wv_get(node, "scope");
	token->single_use = wv_is_true(wv_get(node, "single_use"));
	token->expires = wv_get_string(node, "expires_at") != NULL;
	if (read_time(&token->issued_at, node, "issued_at", err) < 0)
		return -1;
	if (token->expires &&
		read_time(&token->expires_at, node, "expires_at", err) < 0)
		return -1;
	if (read_metadata(token, err) < 0)
		return -1;
	wv_json_digest(token->digest, node);
	return 0;
}

/* The length of PREFIX. in PREFIX.*, or 0. */
static size_t
wildcard(const char *scope)
{
	size_t n = strlen(scope);

	return n > 2 && strcmp(scope + n - 2, ".*") == 0 ? n - 1 : 0;
}

bool
wv_scope_is_valid(const char *scope)
{
	char prefix[257];
	size_t n = wildcard(scope);

	if (n == 0)
		return wv_id_is_kernel(scope);
	if (n > sizeof(prefix))
		return false;
	memcpy(prefix, scope, n - 1);
	prefix[n - 1] = '\0';
	return wv_id_is_kernel(prefix);
}

static bool
covers(const char *scope, const char *capability_id)
{
	size_t n = wildcard(scope);

	if (!wv_scope_is_valid(scope))
		return false;
	return n == 0 ? strcmp(scope, capability_id) == 0
		      : strncmp(scope, capability_id, n) == 0;
}

bool
wv_token_covers(const struct wv_token *token, const char *capability_id)
{
	if (!wv_id_is_kernel(capability_id))
		return false;
	wv_json_each(entry, token->scope)
		if (covers(entry->valuestring, capability_id))
			return true;
	return false;
}

int
wv_token_record(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	return wv_store_add_token(
		state->store, token->id, token->digest, token->principal, err);
}

int
wv_token_issued(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_store_token known;
	int found =
		wv_store_token(state->store, &arena, token->id, &known, err);

	if (found == 1 &&
		(strlen(known.digest) != WV_SHA256_HEX - 1 ||
			!wv_equal_const_time(
				known.digest, token->digest, WV_SHA256_HEX)))
		found = 2;
	wv_arena_free(&arena);
	return found;
}

int
wv_token_revoked(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	return wv_store_revoked(state->store, token->id, token->principal,
		token->issued_at, err);
}

int
wv_token_spend(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	return wv_store_claim(state->store,
		token->issuer != NULL ? token->issuer : "", token->id, err);
}

int
wv_token_revoke(
	struct wv_state *state, const char *token_id, struct wv_err *err)
{
	return wv_store_revoke_token(state->store, token_id, err);
}

int
wv_token_revoke_principal(struct wv_state *state, const char *principal,
	struct wv_time before, struct wv_err *err)
{
	return wv_store_revoke_principal(state->store, principal, before, err);
}
