/* SPDX-License-Identifier: Apache-2.0 */
/* What the store and the keyring know of a token. */
#include "contract/sign.h"
#include "kernel/store.h"
#include "kernel/token.h"

#include <string.h>

const char *
wv_trust_name(enum wv_trust trust)
{
	static const char *const names[] = { "untrusted", "unsigned", "issued",
		"signed" };

	return names[trust];
}

/* 1: the store holds exactly this token; 0: not this id; 2: this id with
 * another digest; -1: error. */
static int
is_issued(struct wv_state *state, const struct wv_token *token,
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

/* 1: by a key that may; 0: not; -1: wrongly.  *why says why not. */
static int
is_signed(const struct wv_trust_rules *rules, const struct wv_token *token,
	struct wv_time now, struct wv_err *why)
{
	const struct wv_key_claim claim = {
		.use = WV_KEY_TOKEN,
		.principal = token->principal,
		.scope = token->scope,
		.now = now,
	};

	switch (wv_signature_check(
		token->node, "x_weaver_signature", rules->keyring, why)) {
	case WV_SIGNED:
		return wv_keyring_permits(
			       rules->keyring, token->kid, &claim, why) == 0;
	case WV_SIGNATURE_BAD:
		return -1;
	default:
		return 0;
	}
}

/* A narrowed one that nobody vouches for would use up, or speak for, a token
 * of others. */
static enum wv_trust
level_of(const struct wv_trust_rules *rules, const struct wv_token *token,
	bool is_known, bool has_signature)
{
	if (has_signature)
		return WV_SIGNATURE;
	if (is_known)
		return WV_ISSUED;
	return rules->unsigned_too && token->parents == NULL ? WV_UNSIGNED
							     : WV_UNTRUSTED;
}

int
wv_token_trust(struct wv_state *state, const struct wv_trust_rules *rules,
	const struct wv_token *token, struct wv_time now, enum wv_trust *trust,
	const char **code, struct wv_err *why)
{
	int known = state == NULL ? 0 : is_issued(state, token, why), by_key;
	struct wv_err fault = WV_ERR_INIT;

	if (known < 0)
		return -1;
	if (known == 2) {
		*code = "token_untrusted";
		wv_err_set(why,
			"a token with this id was issued here, but not this "
			"one");
		return 0;
	}
	by_key = is_signed(rules, token, now, &fault);
	*trust = level_of(rules, token, known == 1, by_key == 1);
	if (by_key < 0)
		*code = "token_signature_invalid";
	else if (rules->signed_only && by_key == 0)
		*code = "signature_required";
	else if (*trust == WV_UNTRUSTED)
		*code = "token_untrusted";
	else
		return 1;
	wv_err_set(why, "%s%s", known == 1 ? "" : "not issued here, and ",
		fault.text);
	return 0;
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
		.parent = wv_token_lineage(&state->arena, token),
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
