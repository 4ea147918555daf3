/* SPDX-License-Identifier: Apache-2.0 */
#include "mint.h"

#include "base/file.h"
#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"
#include "contract/scope.h"
#include "kernel/key.h"
#include "kernel/store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
add(struct mint *mint, cJSON **list, const char *text)
{
	if (*list == NULL)
		*list = wv_json_array(mint->arena);
	wv_push(*list, wv_json_string(mint->arena, text));
}

static void
add_scope(struct mint *mint, const struct wv_opts *opts)
{
	if (strchr(opts->value, ',') != NULL)
		wv_usage(opts, "--scope: one capability each, no commas");
	if (!wv_scope_is_valid(opts->value))
		wv_usage(opts,
			"--scope: not a capability's id, nor one with .* at "
			"the end");
	add(mint, &mint->scope, opts->value);
}

/* An empty one: none. */
static void
add_role(struct mint *mint, const struct wv_opts *opts)
{
	if (*opts->value == '\0' && mint->roles == NULL) {
		mint->roles = wv_json_array(mint->arena);
		return;
	}
	if (!wv_id_is_kernel(opts->value))
		wv_usage(opts, "--roles: not the id of a role, one each");
	add(mint, &mint->roles, opts->value);
}

static void
take_end(struct mint *mint, const struct wv_opts *opts, int id)
{
	if (mint->expires || mint->ttl_ms > 0)
		wv_usage(opts, "one end, by --ttl or by --expires");
	if (id == MINT_EXPIRES) {
		mint->expires = true;
		mint->expires_at = time_option(opts, "--expires");
		return;
	}
	mint->ttl_ms = wv_opt_duration(opts, "--ttl", opts->value);
	if (mint->ttl_ms == 0)
		wv_usage(opts, "--ttl: it would end before it began");
}

void
mint_option(struct mint *mint, const struct wv_opts *opts, int id)
{
	switch (id) {
	case MINT_SCOPE:
		add_scope(mint, opts);
		break;
	case MINT_TTL:
	case MINT_EXPIRES:
		take_end(mint, opts, id);
		break;
	case MINT_SINGLE_USE:
		mint->single_use = true;
		break;
	case MINT_ROLES:
		add_role(mint, opts);
		break;
	case MINT_SIGN:
		mint->kid = opts->value;
		break;
	case MINT_OUT:
		mint->out = opts->value;
		break;
	default:
		wv_state_option(&mint->state, id, opts);
	}
}

int
mint_end(const struct mint *mint, struct wv_time now, struct wv_time *end)
{
	*end = mint->expires ? mint->expires_at
			     : wv_time_add_ms(now, mint->ttl_ms);
	return mint->expires || mint->ttl_ms > 0;
}

void
mint_nonce(const struct mint *mint, cJSON *metadata)
{
	char nonce[33];

	wv_id_hex(nonce, 16);
	wv_put_string(mint->arena, metadata, "x_wv_nonce", nonce);
}

static void
put_string(struct wv_arena *arena, cJSON *object, const char *name,
	const char *text)
{
	if (text != NULL && *text != '\0')
		wv_put_string(arena, object, name, text);
}

/* What is not the token's own to know: whoever reads the log cannot make it
 * again without the nonce. */
static cJSON *
describe(struct wv_arena *arena, const struct wv_token *token)
{
	cJSON *object = wv_json_object(arena);
	const char *parent = NULL;

	wv_json_each(one, token->parents)
		parent = wv_get_string(one, "token_id");
	put_string(arena, object, "x_wv_issuer", token->issuer);
	put_string(arena, object, "x_wv_kid", token->kid);
	put_string(arena, object, "x_wv_parent", parent);
	wv_put(arena, object, "x_wv_scope", wv_json_copy(arena, token->scope));
	return object;
}

/* The member of an event can name one capability. */
static const char *
only_capability(const struct wv_token *token)
{
	const cJSON *first = token->scope->child;

	return first->next == NULL && wv_id_is_kernel(first->valuestring)
		? first->valuestring
		: NULL;
}

/* What a revoked key signs would be revoked as soon as it is made. */
static int
check_key(struct wv_state *state, const struct wv_token *token,
	struct wv_err *err)
{
	int revoked = 0;

	if (token->kid != NULL)
		revoked = wv_store_token_revoked(state->store, token->issuer,
			token->id, token->kid, err);
	if (revoked > 0)
		wv_err_set(err, "key %s is revoked", token->kid);
	return revoked == 0 ? 0 : -1;
}

static int
record(struct wv_state *state, const cJSON *node, struct wv_err *err)
{
	struct wv_token token;

	if (wv_token_read(&token, node, err) < 0 ||
		check_key(state, &token, err) < 0 ||
		wv_token_record(state, &token, err) < 0)
		return -1;
	struct wv_event event = {
		.type = "token_issued",
		.capability_id = only_capability(&token),
		.principal = token.principal,
		.token_id = token.id,
		.metadata = describe(&state->arena, &token),
	};
	return wv_state_event(state, &event, err);
}

/* NULL as of make. */
static const cJSON *
issue(struct wv_state *state, const struct mint *mint,
	const struct wv_signer *signer, mint_make *make, void *arg,
	struct wv_err *err)
{
	cJSON *token;

	if (wv_state_begin(state, err) < 0)
		return NULL;
	token = make(state, arg, err);
	if (token == NULL ||
		(signer != NULL &&
			wv_signature_make(mint->arena, token,
				"x_weaver_signature", signer, mint->kid,
				state->now, err) < 0) ||
		record(state, token, err) < 0) {
		wv_state_rollback(state);
		return NULL;
	}
	return wv_state_commit(state, err) < 0 ? NULL : token;
}

/* A new file, so that nobody else can hold it open already. */
static int
open_out(const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	int fd = open(path,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, 0600) < 0) {
		wv_err_sys(&err, "%s", path);
		wv_die_err(&err);
	}
	return fd;
}

static void
write_token(const struct mint *mint, const cJSON *token, int fd)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str line = { 0 };
	struct wv_out out;

	wv_json_write(&line, token);
	wv_out_init(&out, fd, mint->out ? mint->out : "standard output");
	wv_out_line(&out, line.s, line.n);
	wv_str_free(&line);
	if (wv_out_close(&out, &err) == 0 &&
		(mint->out == NULL || fsync(fd) == 0))
		return;
	wv_err_sys(&err, "%s", mint->out);
	wv_die_err(&err);
}

int
mint_run(const struct mint *mint, mint_make *make, void *arg)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_state *state = open_state(mint->state, WV_STATE_WRITE, false);
	struct wv_signer *signer = NULL;
	const cJSON *token;
	int fd = STDOUT_FILENO;

	if (mint->kid != NULL &&
		(signer = wv_key_open(state, mint->kid, &err)) == NULL)
		wv_die_err(&err);
	if (mint->out != NULL)
		fd = open_out(mint->out);
	token = issue(state, mint, signer, make, arg, &err);
	wv_signer_free(signer);
	wv_state_close(state);
	if (token == NULL && mint->out != NULL)
		unlink(mint->out);
	if (wv_err_is_set(&err))
		wv_die_err(&err);
	if (token != NULL)
		write_token(mint, token, fd);
	if (mint->out != NULL)
		close(fd);
	return token != NULL ? WV_YES : WV_NO;
}
