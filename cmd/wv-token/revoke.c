/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/msg.h"
#include "contract/record.h"
#include "json/utf8.h"
#include "kernel/store.h"

#include <string.h>

enum { OPT_PRINCIPAL = 256, OPT_BEFORE, OPT_KID, OPT_ISSUER, KID_MAX = 256 };

static const char *const synopsis[] = {
	"revoke [option...] ID...",
	"revoke [option...] --principal P [--before TIME]",
	"revoke [option...] --kid K",
	NULL,
};

static const struct wv_opt table[] = {
	{ OPT_ISSUER, "issuer", "NAME", "only if it was this one's to issue" },
	{ OPT_PRINCIPAL, "principal", "P", "all tokens of a principal" },
	{ OPT_BEFORE, "before", "TIME", "only those issued before (now)" },
	{ OPT_KID, "kid", "K", "all tokens that a key signed" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Makes tokens worthless, for good, and all that were made "
		 "from them: by their ids, all that a principal holds, or all "
		 "that a key has signed.",
	.opts = table,
	.examples = "  wv-token revoke --principal agent-7\n",
};

struct wish {
	char *const *ids;
	const char *principal, *issuer, *kid, *state;
	bool has_before;
	struct wv_time before;
};

/* new: 1, or 0 if it was so before, which needs no event. */
static int
log_revoked(struct wv_state *state, const char *name, int new,
	struct wv_event *event, struct wv_err *err)
{
	if (new == 0)
		wv_note("%s: revoked before", name);
	if (new <= 0)
		return new;
	event->type = "token_invalidated";
	event->code = "token_revoked";
	return wv_state_event(state, event, err);
}

/* Principal and end are known of tokens that were issued here; but where any
 * issuer is meant, the token of another may last longer. */
static int
revoke_id(struct wv_state *state, const struct wish *wish, const char *id,
	struct wv_err *err)
{
	struct wv_store_token known = { 0 };
	struct wv_event event = { .token_id = id };
	const char *issuer = wish->issuer;
	struct wv_time until = { 0, 0 };
	int new;

	if (wv_store_token(state->store, &state->arena, id, &known, err) < 0)
		return -1;
	if (known.id != NULL &&
		(issuer == NULL || strcmp(issuer, known.issuer) == 0)) {
		event.principal = known.principal;
		if (issuer != NULL)
			until = known.expires_at;
	} else {
		wv_warn("%s: not known to be issued here; revoked all the same",
			id);
	}
	new = wv_store_revoke_token(state->store, issuer, id, until, err);
	if (issuer != NULL) {
		event.metadata = wv_json_object(&state->arena);
		wv_put_string(
			&state->arena, event.metadata, "x_wv_issuer", issuer);
	}
	return log_revoked(state, id, new, &event, err);
}

static int
revoke_ids(struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	for (char *const *id = wish->ids; *id != NULL; id++)
		if (revoke_id(state, wish, *id, err) < 0)
			return -1;
	return 0;
}

/* Times of tokens and of the log are whole milliseconds: all of the one that
 * the cut-off lies in is meant too. */
static struct wv_time
cut_off(const struct wish *wish, struct wv_time now)
{
	struct wv_time before = wish->has_before ? wish->before : now;
	int rest = before.nsec % 1000000;

	before.nsec -= rest;
	if (wish->has_before && rest == 0)
		return before;
	return wv_time_add_ms(before, 1);
}

static int
revoke_principal(
	struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	struct wv_time before = cut_off(wish, state->now);
	struct wv_event event = { .principal = wish->principal };
	int new;

	if (wish->has_before && wv_time_cmp(wish->before, state->now) > 0)
		return wv_err_set(err, "--before: lies in the future");
	new = wv_store_revoke_principal(
		state->store, wish->principal, before, err);
	event.metadata = wv_json_object(&state->arena);
	wv_put(&state->arena, event.metadata, "x_wv_before",
		wv_json_time(&state->arena, before));
	return log_revoked(state, wish->principal, new, &event, err);
}

static int
revoke_key(struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	int new = wv_store_revoke_key(state->store, wish->kid, err);
	struct wv_event event = { .metadata = wv_json_object(&state->arena) };

	wv_put_string(&state->arena, event.metadata, "x_wv_kid", wish->kid);
	return log_revoked(state, wish->kid, new, &event, err);
}

static int
revoke(struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	if (wish->principal != NULL)
		return revoke_principal(state, wish, err);
	if (wish->kid != NULL)
		return revoke_key(state, wish, err);
	return revoke_ids(state, wish, err);
}

/* Whatever a keyring may call a key. */
static const char *
kid_option(const struct wv_opts *opts)
{
	size_t n = strlen(opts->value);

	if (n == 0 || n > KID_MAX || wv_utf8_check(opts->value, n) != n)
		wv_usage(opts, "--kid: not the name of a key");
	return opts->value;
}

static void
take_option(struct wish *wish, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_PRINCIPAL:
		wish->principal = principal_option(opts);
		break;
	case OPT_BEFORE:
		wish->before = time_option(opts, "--before");
		wish->has_before = true;
		break;
	case OPT_KID:
		wish->kid = kid_option(opts);
		break;
	case OPT_ISSUER:
		wish->issuer = issuer_option(opts);
		break;
	default:
		wv_state_option(&wish->state, id, opts);
	}
}

static void
check_wish(const struct wish *wish, const struct wv_opts *opts)
{
	if ((wish->principal != NULL) + (wish->kid != NULL) +
			(opts->operand_count > 0) !=
		1)
		wv_usage(opts, "either ids, or --principal, or --kid");
	if (wish->has_before && wish->principal == NULL)
		wv_usage(opts, "--before goes with --principal");
	if (wish->issuer != NULL && opts->operand_count == 0)
		wv_usage(opts, "--issuer goes with ids");
	for (char *const *i = opts->operands; *i != NULL; i++)
		if (!wv_id_is_kernel(*i))
			wv_usage(opts, "not a token's id: %s", *i);
}

int
revoke_main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;
	struct wish wish = { 0 };
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&wish, &opts, id);
	wish.ids = opts.operands;
	check_wish(&wish, &opts);
	struct wv_state *state = open_state(wish.state, WV_STATE_WRITE, false);
	if (wv_state_begin(state, &err) < 0)
		wv_die_err(&err);
	if (revoke(state, &wish, &err) < 0) {
		wv_state_rollback(state);
		wv_die_err(&err);
	}
	if (wv_state_commit(state, &err) < 0)
		wv_die_err(&err);
	wv_state_close(state);
	wv_opt_end(&opts);
	return WV_YES;
}
