/* SPDX-License-Identifier: Apache-2.0 */
#include "mint.h"

#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"
#include "json/given.h"
#include "json/jcs.h"

#include <string.h>

enum {
	OPT_PRINCIPAL = 256,
	OPT_ISSUER,
	OPT_NOT_BEFORE,
	OPT_ARGUMENTS,
	OPT_ARGUMENTS_SHA256,
	OPT_METADATA,
};

static const char *const synopsis[] = {
	"issue --principal P --scope CAPABILITY... "
	"(--ttl D | --expires TIME | --single-use) [option...]",
	NULL,
};

static const struct wv_opt table[] = {
	{ OPT_PRINCIPAL, "principal", "P", "who may use it" },
	{ OPT_NOT_BEFORE, "not-before", "TIME", "from when on; default: now" },
	{ OPT_ARGUMENTS, "arguments", "JSON|@FILE",
		"for exactly these arguments only" },
	{ OPT_ARGUMENTS_SHA256, "arguments-sha256", "D",
		"the same, by their digest" },
	{ OPT_METADATA, "metadata", "JSON|@FILE",
		"attributes and further members of its metadata" },
	{ OPT_ISSUER, "issuer", "NAME", "who issues it" },
	MINT_OPTS,
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
	struct mint mint;
	const char *principal, *issuer, *arguments_sha256;
	cJSON *metadata; /* NULL: not given */
	bool has_not_before;
	struct wv_time not_before;
};

static cJSON *
object_option(struct wish *wish, const struct wv_opts *opts, const char *option)
{
	struct wv_err err = WV_ERR_INIT;
	cJSON *object = wv_json_given(
		wish->mint.arena, option, opts->value, &wv_json_defaults, &err);

	if (object == NULL)
		wv_die_err(&err);
	return object;
}

static void
take_arguments(struct wish *wish, const struct wv_opts *opts, int id)
{
	char digest[WV_SHA256_HEX];

	if (wish->arguments_sha256 != NULL)
		wv_usage(opts,
			"one binding, by --arguments or by "
			"--arguments-sha256");
	if (id == OPT_ARGUMENTS) {
		wv_json_digest(
			digest, object_option(wish, opts, "--arguments"));
		wish->arguments_sha256 = wv_dup(wish->mint.arena, digest);
		return;
	}
	if (!wv_is_sha256_hex(opts->value))
		wv_usage(opts,
			"--arguments-sha256: not 64 lower-case hex digits");
	wish->arguments_sha256 = opts->value;
}

/* What an option says is said by it alone; what is ours is made here. */
static void
take_metadata(struct wish *wish, const struct wv_opts *opts)
{
	wish->metadata = object_option(wish, opts, "--metadata");
	wv_json_each(one, wish->metadata) {
		if (strcmp(one->string, "roles") == 0)
			wv_usage(
				opts, "--metadata: roles are given by --roles");
		if (strncmp(one->string, "x_wv_", 5) == 0)
			wv_usage(opts,
				"--metadata: x_wv_... is the kernel's to say");
	}
}

static void
take_option(struct wish *wish, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_PRINCIPAL:
		wish->principal = principal_option(opts);
		break;
	case OPT_ISSUER:
		wish->issuer = issuer_option(opts);
		break;
	case OPT_NOT_BEFORE:
		wish->not_before = time_option(opts, "--not-before");
		wish->has_not_before = true;
		break;
	case OPT_ARGUMENTS:
	case OPT_ARGUMENTS_SHA256:
		take_arguments(wish, opts, id);
		break;
	case OPT_METADATA:
		take_metadata(wish, opts);
		break;
	default:
		mint_option(&wish->mint, opts, id);
	}
}

static void
check_wish(const struct wish *wish, const struct wv_opts *opts)
{
	const struct mint *mint = &wish->mint;

	if (opts->operand_count > 0)
		wv_usage(opts, "issue takes no operands");
	if (wish->principal == NULL)
		wv_usage(opts, "--principal is missing");
	if (mint->scope == NULL)
		wv_usage(opts,
			"--scope is missing: a token that is good for "
			"nothing");
	if (mint->ttl_ms == 0 && !mint->expires && !mint->single_use)
		wv_usage(opts,
			"--ttl, --expires or --single-use is missing: a token "
			"without end");
}

static cJSON *
make_metadata(const struct wish *wish)
{
	struct wv_arena *arena = wish->mint.arena;
	cJSON *metadata = wish->metadata;

	if (metadata == NULL)
		metadata = wv_json_object(arena);
	if (wish->mint.roles != NULL)
		wv_put(arena, metadata, "roles", wish->mint.roles);
	mint_nonce(&wish->mint, metadata);
	if (wish->has_not_before)
		wv_put(arena, metadata, "x_wv_not_before",
			wv_json_time(arena, wish->not_before));
	if (wish->arguments_sha256 != NULL)
		wv_put_string(arena, metadata, "x_wv_arguments_sha256",
			wish->arguments_sha256);
	return metadata;
}

static int
check_end(const struct wish *wish, struct wv_time now, struct wv_time end,
	struct wv_err *err)
{
	if (wv_time_cmp(end, now) <= 0)
		return wv_err_set(err, "--expires: lies in the past");
	if (wish->has_not_before && wv_time_cmp(end, wish->not_before) <= 0)
		return wv_err_set(
			err, "--not-before: it would end before it began");
	return 0;
}

/* Members in the order of the contract. */
static cJSON *
make(struct wv_state *state, void *arg, struct wv_err *err)
{
	const struct wish *wish = arg;
	struct wv_arena *arena = wish->mint.arena;
	cJSON *token = wv_json_object(arena);
	char id[WV_ID_MAX];
	struct wv_time end;

	wv_id_new(id, "tok");
	wv_put_string(arena, token, "token_id", id);
	wv_put_string(arena, token, "principal", wish->principal);
	wv_put(arena, token, "scope", wish->mint.scope);
	wv_put(arena, token, "issued_at", wv_json_time(arena, state->now));
	if (mint_end(&wish->mint, state->now, &end)) {
		if (check_end(wish, state->now, end, err) < 0)
			return NULL;
		wv_put(arena, token, "expires_at", wv_json_time(arena, end));
	}
	if (wish->mint.single_use)
		wv_put(arena, token, "single_use", wv_json_bool(arena, true));
	if (wish->issuer != NULL)
		wv_put_string(arena, token, "issuer", wish->issuer);
	wv_put(arena, token, "metadata", make_metadata(wish));
	return token;
}

int
issue_main(int argc, char **argv)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wish wish = { .mint = { .arena = &arena } };
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&wish, &opts, id);
	check_wish(&wish, &opts);
	status = mint_run(&wish.mint, make, &wish);
	wv_arena_free(&arena);
	wv_opt_end(&opts);
	return status;
}
