/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/msg.h"
#include "contract/record.h"
#include "kernel/store.h"

enum { OPT_PRINCIPAL = 256, OPT_BEFORE };

static const char *const synopsis[] = {
	"revoke [option...] ID...",
	"revoke [option...] --principal P [--before TIME]",
	NULL,
};

static const struct wv_opt table[] = {
	{ OPT_PRINCIPAL, "principal", "P", "all tokens of a principal" },
	{ OPT_BEFORE, "before", "TIME", "only those issued before (now)" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Makes tokens worthless, for good: by their ids, whoever "
		 "issued them, or all that a principal holds.",
	.opts = table,
	.examples = "  wv-token revoke --principal agent-7\n",
};

struct wish {
	char *const *ids;
	const char *principal, *state;
	bool has_before;
	struct wv_time before;
};

/* The principal is known of tokens that were issued here. */
static int
revoke_id(struct wv_state *state, const char *id, struct wv_err *err)
{
	struct wv_store_token known = { 0 };
	int new = wv_token_revoke(state, id, err);

	if (new == 0)
		wv_note("%s: revoked before", id);
	if (new <= 0)
		return new;
	if (wv_store_token(state->store, &state->arena, id, &known, err) < 0)
		return -1;
	struct wv_event event = {
		.type = "token_invalidated",
		.principal = known.principal,
		.code = "token_revoked",
		.token_id = id,
	};
	return wv_state_event(state, &event, err);
}

/* Times of tokens are whole milliseconds: what was issued in this one is
 * meant too. */
static struct wv_time
next_ms(struct wv_time now)
{
	now.nsec -= now.nsec % 1000000;
	return wv_time_add_ms(now, 1);
}

static int
revoke_principal(
	struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	struct wv_time before =
		wish->has_before ? wish->before : next_ms(state->now);

	if (wish->has_before && wv_time_cmp(before, state->now) > 0)
		return wv_err_set(err, "--before: lies in the future");
	int new =
		wv_token_revoke_principal(state, wish->principal, before, err);
	if (new == 0)
		wv_note("%s: revoked before", wish->principal);
	if (new <= 0)
		return new;
	struct wv_event event = {
		.type = "token_invalidated",
		.principal = wish->principal,
		.code = "token_revoked",
	};
	return wv_state_event(state, &event, err);
}

static int
revoke(struct wv_state *state, const struct wish *wish, struct wv_err *err)
{
	if (wish->principal != NULL)
		return revoke_principal(state, wish, err);
	for (char *const *id = wish->ids; *id != NULL; id++)
		if (revoke_id(state, *id, err) < 0)
			return -1;
	return 0;
}

static void
read_options(struct wish *wish, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == OPT_PRINCIPAL) {
			wish->principal = opts->value;
		} else if (id == OPT_BEFORE) {
			wish->before = time_option(opts, "--before");
			wish->has_before = true;
		} else {
			wv_state_option(&wish->state, id, opts);
		}
	}
	wish->ids = opts->operands;
	if ((wish->principal == NULL) == (opts->operand_count == 0))
		wv_usage(opts, "either ids or --principal");
	if (wish->has_before && wish->principal == NULL)
		wv_usage(opts, "--before goes with --principal");
	if (wish->principal != NULL && !wv_id_is_kernel(wish->principal))
		wv_usage(opts, "--principal: not a principal's id");
	for (char *const *i = wish->ids; *i != NULL; i++)
		if (!wv_id_is_kernel(*i))
			wv_usage(opts, "not a token's id: %s", *i);
}

int
revoke_main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;
	struct wish wish = { 0 };
	struct wv_opts opts;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&wish, &opts);
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
