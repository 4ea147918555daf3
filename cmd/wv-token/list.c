/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/file.h"
#include "base/msg.h"
#include "contract/record.h"
#include "kernel/store.h"

#include <string.h>
#include <unistd.h>

enum { OPT_PRINCIPAL = 256, OPT_ALL };

static const char *const synopsis[] = { "list [option...]", NULL };

static const struct wv_opt table[] = {
	{ OPT_PRINCIPAL, "principal", "P", "only those of a principal" },
	{ OPT_ALL, "all", NULL,
		"also those that expired, were spent or "
		"revoked" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Writes what the store knows of the tokens that were issued "
		 "here and can still be used, a JSON object a line.  The "
		 "tokens themselves it does not know.",
	.opts = table,
	.examples = "  wv-token list --principal agent-7\n",
};

struct list {
	struct wv_state *state;
	struct wv_arena arena; /* of a token */
	struct wv_out out;
	const char *principal; /* NULL: of all */
	bool all;
};

static int
revive_parents(struct wv_token *token, const cJSON *root,
	struct wv_arena *arena, struct wv_err *err)
{
	const char *issued_at = wv_get_string(root, "issued_at");
	cJSON *parents = wv_json_array(arena);

	if (root == NULL)
		return 0;
	for (const cJSON *link = root; link != NULL; link = link->next)
		wv_push(parents, wv_json_copy(arena, link));
	token->parents = parents;
	if (issued_at == NULL)
		return wv_err_set(err,
			"the store does not say when the root of %s was issued",
			token->id);
	return wv_time_parse(
		&token->root_issued_at, issued_at, strlen(issued_at), err);
}

/* As much of a token as the store keeps. */
static int
revive(struct wv_token *token, const struct wv_store_token *known,
	struct wv_arena *arena, struct wv_err *err)
{
	const char *text = known->lineage;
	const cJSON *lineage, *self;

	*token = (struct wv_token){
		.id = known->id,
		.principal = known->principal,
		.issuer = known->issuer,
		.single_use = known->single_use,
		.issued_at = known->issued_at,
		.root_issued_at = known->issued_at,
		.expires = known->expires_at.sec != 0,
		.expires_at = known->expires_at,
	};
	if (text == NULL)
		return 0;
	lineage =
		wv_json_read(arena, text, strlen(text), &wv_json_defaults, err);
	if (lineage == NULL)
		return -1;
	self = lineage->child;
	token->kid = wv_get_string(self, "kid");
	return revive_parents(token, self ? self->next : NULL, arena, err);
}

/* NULL: could not tell. */
static const char *
state_of(struct wv_state *state, const struct wv_token *token, bool is_old,
	struct wv_err *err)
{
	int revoked = wv_token_revoked(state, token, err), spent = 0;

	if (revoked == 0 && token->single_use)
		spent = wv_token_spent(state, token, err);
	if (revoked < 0 || spent < 0)
		return NULL;
	if (revoked > 0)
		return "revoked";
	if (spent > 0)
		return "spent";
	return token->expires && wv_time_cmp(state->now, token->expires_at) >= 0
		? "expired"
		: "active";
}

static const char *
parent_of(const struct wv_token *token)
{
	const char *id = NULL;

	wv_json_each(one, token->parents)
		id = wv_get_string(one, "token_id");
	return id;
}

/* Absent where there is nothing to say; what stands in the log too is not
 * enough to make the token again. */
static void
write_token(struct list *list, const struct wv_token *token, const char *scope,
	const char *state)
{
	struct wv_arena *arena = &list->arena;
	cJSON *object = wv_json_object(arena);
	struct wv_str line = { 0 };

	wv_put_string(arena, object, "token_id", token->id);
	wv_put_string(arena, object, "principal", token->principal);
	if (*token->issuer != '\0')
		wv_put_string(arena, object, "issuer", token->issuer);
	if (scope != NULL)
		wv_put(arena, object, "scope",
			wv_json_read(arena, scope, strlen(scope),
				&wv_json_defaults, NULL));
	if (token->issued_at.sec != 0)
		wv_put(arena, object, "issued_at",
			wv_json_time(arena, token->issued_at));
	if (token->expires)
		wv_put(arena, object, "expires_at",
			wv_json_time(arena, token->expires_at));
	wv_put(arena, object, "single_use",
		wv_json_bool(arena, token->single_use));
	if (token->kid != NULL)
		wv_put_string(arena, object, "kid", token->kid);
	if (token->parents != NULL)
		wv_put_string(arena, object, "parent", parent_of(token));
	wv_put_string(arena, object, "state", state);
	wv_json_write(&line, object);
	wv_out_line(&list->out, line.s, line.n);
	wv_str_free(&line);
}

static int
list_token(struct list *list, const struct wv_store_token *known,
	struct wv_err *err)
{
	struct wv_token token;
	const char *state;

	if (list->principal != NULL &&
		strcmp(list->principal, known->principal) != 0)
		return 0;
	if (revive(&token, known, &list->arena, err) < 0)
		return -1;
	state = state_of(list->state, &token, known->scope == NULL, err);
	if (state == NULL)
		return -1;
	if (list->all || strcmp(state, "active") == 0 ||
		strcmp(state, "unknown") == 0)
		write_token(list, &token, known->scope, state);
	return 0;
}

static int
list_tokens(struct list *list, struct wv_err *err)
{
	struct wv_store_token known;
	struct wv_str after = { 0 };
	int more = 1;

	wv_str_cat(&after, "");
	while (more > 0) {
		more = wv_store_next_token(
			list->state->store, &list->arena, after.s, &known, err);
		if (more > 0 && list_token(list, &known, err) < 0)
			more = -1;
		after.n = 0;
		if (more > 0)
			wv_str_cat(&after, known.id);
		wv_arena_reset(&list->arena);
		wv_arena_reset(&list->state->arena);
	}
	wv_str_free(&after);
	return more;
}

int
list_main(int argc, char **argv)
{
	struct wv_err err = WV_ERR_INIT;
	struct list list = { 0 };
	const char *path = NULL;
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0) {
		if (id == OPT_PRINCIPAL)
			list.principal = principal_option(&opts);
		else if (id == OPT_ALL)
			list.all = true;
		else
			wv_state_option(&path, id, &opts);
	}
	if (opts.operand_count > 0)
		wv_usage(&opts, "list takes no operands");
	list.state = open_state(path, WV_STATE_READ, false);
	wv_out_init(&list.out, STDOUT_FILENO, "standard output");
	if (list_tokens(&list, &err) < 0)
		wv_die_err(&err);
	wv_out_end(&list.out);
	wv_arena_free(&list.arena);
	wv_state_close(list.state);
	wv_opt_end(&opts);
	return WV_YES;
}
