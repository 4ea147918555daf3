/* SPDX-License-Identifier: Apache-2.0 */
#include "main.h"

#include "base/file.h"
#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	OPT_PRINCIPAL = 256,
	OPT_SCOPE,
	OPT_TTL,
	OPT_SINGLE_USE,
	OPT_ARGUMENTS,
	OPT_OUT,
};

static const char *const synopsis[] = {
	"issue --principal P --scope CAPABILITY... (--ttl D | --single-use) "
	"[option...]",
	NULL,
};

static const struct wv_opt table[] = {
	{ OPT_PRINCIPAL, "principal", "P", "who may use it" },
	{ OPT_SCOPE, "scope", "CAPABILITY",
		"what for: an id, or a.b.* for all beneath; may be repeated" },
	{ OPT_TTL, "ttl", "D", "until when: 15m, 24h, 7d from now" },
	{ OPT_SINGLE_USE, "single-use", NULL, "for one call only" },
	{ OPT_ARGUMENTS, "arguments-sha256", "D",
		"for these arguments only: their digest" },
	{ OPT_OUT, "out", "FILE",
		"write it to a new file, readable by its owner only" },
	WV_STATE_OPT,
	WV_NOW_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Writes a CapabilityToken that the kernel of this state will "
		 "believe.  It is a credential: keep it from others.",
	.opts = table,
	.examples = "  wv-token issue --principal agent-7 "
		    "--scope org.demo.search_text --ttl 1h >token.json\n",
};

struct wish {
	const char *principal, *arguments_sha256, *out, *state;
	cJSON *scope;
	int64_t ttl_ms; /* 0: none */
	bool single_use;
};

static void
add_scope(struct wish *wish, struct wv_arena *arena, const struct wv_opts *opts)
{
	if (strchr(opts->value, ',') != NULL)
		wv_usage(opts, "--scope: one capability each, no commas");
	if (!wv_scope_is_valid(opts->value))
		wv_usage(opts,
			"--scope: not a capability's id, nor one with .* at "
			"the end");
	wv_push(wish->scope, wv_json_string(arena, opts->value));
}

static void
take_option(struct wish *wish, struct wv_arena *arena,
	const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_PRINCIPAL:
		if (!wv_id_is_kernel(opts->value) ||
			strcmp(opts->value, WV_NO_PRINCIPAL) == 0)
			wv_usage(opts, "--principal: not a principal's id");
		wish->principal = opts->value;
		break;
	case OPT_SCOPE:
		add_scope(wish, arena, opts);
		break;
	case OPT_TTL:
		wish->ttl_ms = wv_opt_duration(opts, "--ttl", opts->value);
		if (wish->ttl_ms == 0)
			wv_usage(opts, "--ttl: it would end before it began");
		break;
	case OPT_SINGLE_USE:
		wish->single_use = true;
		break;
	case OPT_ARGUMENTS:
		if (!wv_is_sha256_hex(opts->value))
			wv_usage(opts,
				"--arguments-sha256: not 64 lower-case hex "
				"digits");
		wish->arguments_sha256 = opts->value;
		break;
	case OPT_OUT:
		wish->out = opts->value;
		break;
	default:
		wv_state_option(&wish->state, id, opts);
	}
}

static void
check_wish(const struct wish *wish, const struct wv_opts *opts)
{
	if (opts->operand_count > 0)
		wv_usage(opts, "issue takes no operands");
	if (wish->principal == NULL)
		wv_usage(opts, "--principal is missing");
	if (wish->scope->child == NULL)
		wv_usage(opts,
			"--scope is missing: a token that is good for "
			"nothing");
	if (wish->ttl_ms == 0 && !wish->single_use)
		wv_usage(opts,
			"--ttl or --single-use is missing: a token "
			"without end");
}

/* Members in the order of the contract. */
static cJSON *
make_token(const struct wish *wish, struct wv_arena *arena, struct wv_time now)
{
	cJSON *token = wv_json_object(arena);
	char text[WV_ID_MAX];
	char nonce[33];

	wv_id_new(text, "tok");
	wv_put_string(arena, token, "token_id", text);
	wv_put_string(arena, token, "principal", wish->principal);
	wv_put(arena, token, "scope", wish->scope);
	wv_put(arena, token, "issued_at", wv_json_time(arena, now));
	if (wish->ttl_ms > 0)
		wv_put(arena, token, "expires_at",
			wv_json_time(arena, wv_time_add_ms(now, wish->ttl_ms)));
	if (wish->single_use)
		wv_put(arena, token, "single_use", wv_json_bool(arena, true));
	cJSON *metadata = wv_put_object(arena, token, "metadata");
	wv_id_hex(nonce, 16);
	wv_put_string(arena, metadata, "x_wv_nonce", nonce);
	if (wish->arguments_sha256 != NULL)
		wv_put_string(arena, metadata, "x_wv_arguments_sha256",
			wish->arguments_sha256);
	return token;
}

/* The event can name one capability; a wider scope stands in the token. */
static int
record(struct wv_state *state, const cJSON *node, struct wv_err *err)
{
	struct wv_token token;
	const char *first;

	if (wv_token_read(&token, node, err) < 0 ||
		wv_token_record(state, &token, err) < 0)
		return -1;
	first = token.scope->child->valuestring;
	struct wv_event event = {
		.type = "token_issued",
		.capability_id = token.scope->child->next == NULL &&
				wv_id_is_kernel(first)
			? first
			: NULL,
		.principal = token.principal,
		.token_id = token.id,
	};
	return wv_state_event(state, &event, err);
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
write_token(const struct wish *wish, const cJSON *token, int fd)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str line = { 0 };
	struct wv_out out;

	wv_json_write(&line, token);
	wv_out_init(&out, fd, wish->out ? wish->out : "standard output");
	wv_out_line(&out, line.s, line.n);
	wv_str_free(&line);
	if (wv_out_close(&out, &err) == 0 &&
		(wish->out == NULL || fsync(fd) == 0))
		return;
	wv_err_sys(&err, "%s", wish->out);
	wv_die_err(&err);
}

/* NULL: it was not issued. */
static const cJSON *
issue(struct wv_state *state, const struct wish *wish, struct wv_arena *arena,
	struct wv_err *err)
{
	if (wv_state_begin(state, err) < 0)
		return NULL;
	const cJSON *token = make_token(wish, arena, state->now);
	if (record(state, token, err) < 0) {
		wv_state_rollback(state);
		return NULL;
	}
	return wv_state_commit(state, err) < 0 ? NULL : token;
}

int
issue_main(int argc, char **argv)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wish wish = { .scope = wv_json_array(&arena) };
	struct wv_opts opts;
	int id, fd = STDOUT_FILENO;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&wish, &arena, &opts, id);
	check_wish(&wish, &opts);
	struct wv_state *state = open_state(wish.state, WV_STATE_WRITE, false);
	if (wish.out != NULL)
		fd = open_out(wish.out);
	const cJSON *token = issue(state, &wish, &arena, &err);
	wv_state_close(state);
	if (token == NULL) {
		if (wish.out != NULL)
			unlink(wish.out);
		wv_die_err(&err);
	}
	write_token(&wish, token, fd);
	if (wish.out != NULL)
		close(fd);
	wv_arena_free(&arena);
	wv_opt_end(&opts);
	return WV_YES;
}
