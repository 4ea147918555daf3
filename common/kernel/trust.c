/* SPDX-License-Identifier: Apache-2.0 */
/* Why a token is believed. */
#include "base/opt.h"
#include "contract/sign.h"
#include "kernel/store.h"
#include "kernel/token.h"

#include <string.h>

enum { LEEWAY_MAX_MS = 10 * 60 * 1000 };

const char *
wv_trust_name(enum wv_trust trust)
{
	static const char *const names[] = { "untrusted", "unsigned", "issued",
		"signed" };

	return names[trust];
}

int64_t
wv_leeway_option(const struct wv_opts *opts)
{
	int64_t ms = wv_opt_duration(opts, "--leeway", opts->value);

	if (ms > LEEWAY_MAX_MS)
		wv_usage(opts, "--leeway: at most 10m");
	return ms;
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

/* Whether it may name this one as what it was made from: a narrowed token
 * keeps its principal and issuer, and whoever may sign for one principal must
 * not use up what was issued here for another. */
static int
is_its_parent(struct wv_state *state, const struct wv_token *token,
	const char *parent, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_store_token known;
	int found = wv_store_token(state->store, &arena, parent, &known, err);
	bool agrees = found != 1 ||
		(strcmp(known.principal, token->principal) == 0 &&
			strcmp(known.issuer, token->issuer) == 0);

	wv_arena_free(&arena);
	return found < 0 ? -1 : agrees;
}

/* 1; 0: not, and why; -1: error. */
static int
are_its_parents(struct wv_state *state, const struct wv_token *token,
	struct wv_err *why)
{
	wv_json_each(parent, token->parents) {
		const char *id = wv_get_string(parent, "token_id");
		int agrees = is_its_parent(state, token, id, why);
		if (agrees == 0)
			wv_err_set(why,
				"it names %s, which was issued here for "
				"another, as what it was made from",
				id);
		if (agrees != 1)
			return agrees;
	}
	return 1;
}

/* What was issued here was narrowed here. */
static int
judge_parents(struct wv_state *state, const struct wv_token *token,
	enum wv_trust *trust, const char **code, struct wv_err *why)
{
	int agree = state == NULL ? 1 : are_its_parents(state, token, why);

	if (agree == 0) {
		*trust = WV_UNTRUSTED;
		*code = "token_untrusted";
	}
	return agree;
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
		return known == 1
			? 1
			: judge_parents(state, token, trust, code, why);
	wv_err_set(why, "%s%s", known == 1 ? "" : "not issued here, and ",
		fault.text);
	return 0;
}
