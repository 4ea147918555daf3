/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"
#include "mint.h"

#include "base/id.h"
#include "base/msg.h"
#include "contract/record.h"
#include "contract/scope.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static const char *const synopsis[] = { "narrow [option...] [FILE]", NULL };

static const struct wv_opt table[] = {
	{ GATE_KEYRING, "keyring", "FILE",
		"whose keys sign tokens (WV_KEYRING)" },
	MINT_OPTS,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-token",
	.synopsis = synopsis,
	.about = "Reads a CapabilityToken and writes one that is good for no "
		 "more, to be handed on.  What revokes the first revokes it "
		 "too, and a single use is one for both.",
	.opts = table,
	.examples = "  wv-token narrow --scope org.demo.search_text "
		    "--ttl 10m token.json >less.json\n",
};

struct wish {
	struct mint mint;
	struct gate gate;
	const struct wv_record *rec;
	struct wv_token parent; /* judged within the group */
};

__attribute__((format(printf, 2, 3))) static int
refuse(const struct wish *wish, const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_warn("%s:%zu: %s", wish->rec->source, wish->rec->line, text.s);
	wv_str_free(&text);
	return 1;
}

/* 1: it was not good, and why has been told. */
static int
judge_parent(struct wish *wish, struct wv_err *err)
{
	struct judgment j;

	if (gate_judge(&wish->gate, wish->rec->tree, wish->mint.arena, &j,
		    err) < 0)
		return -1;
	if (j.failed != NULL)
		return refuse(wish, "%s: %s", j.failed->code, j.failed->value);
	wish->parent = j.token;
	if (wv_count(wish->parent.parents) == WV_LINEAGE_MAX)
		return refuse(wish,
			"narrowed %d times, one after the other, which is the "
			"most",
			WV_LINEAGE_MAX);
	return 0;
}

static bool
holds(const cJSON *list, const char *text)
{
	wv_json_each(one, list) {
		if (strcmp(one->valuestring, text) == 0)
			return true;
	}
	return false;
}

static int
judge_scope(const struct wish *wish)
{
	wv_json_each(entry, wish->mint.scope) {
		if (!wv_scope_contains(wish->parent.scope, entry->valuestring))
			return refuse(wish,
				"--scope: the token is not good for all of %s",
				entry->valuestring);
	}
	return 0;
}

static int
judge_roles(const struct wish *wish)
{
	wv_json_each(role, wish->mint.roles) {
		if (!holds(wish->parent.roles, role->valuestring))
			return refuse(wish, "--roles: the token has no role %s",
				role->valuestring);
	}
	return 0;
}

/* end: NULL if none is asked for. */
static int
judge_end(
	const struct wish *wish, struct wv_time now, const struct wv_time *end)
{
	const struct wv_token *parent = &wish->parent;
	char text[WV_TIME_TEXT];

	if (end == NULL)
		return 0;
	if (wv_time_cmp(*end, now) <= 0)
		return refuse(wish, "--expires: lies in the past");
	if (parent->has_not_before &&
		wv_time_cmp(*end, parent->not_before) <= 0)
		return refuse(wish, "it would end before it began");
	if (!parent->expires || wv_time_cmp(*end, parent->expires_at) <= 0)
		return 0;
	wv_time_print(text, parent->expires_at);
	return refuse(wish, "the token ends sooner, at %s", text);
}

/* The parent's own kid is part of what is known of it. */
static void
put_parents(struct wish *wish, cJSON *metadata)
{
	struct wv_arena *arena = wish->mint.arena;
	cJSON *list = wv_get(metadata, "x_wv_parent");
	cJSON *link = wv_json_object(arena);

	if (list == NULL)
		list = wv_put(
			arena, metadata, "x_wv_parent", wv_json_array(arena));
	wv_put_string(arena, link, "token_id", wish->parent.id);
	wv_put_string(arena, link, "issued_at",
		wv_get_string(wish->parent.node, "issued_at"));
	if (wish->parent.kid != NULL)
		wv_put_string(arena, link, "kid", wish->parent.kid);
	wv_push(list, link);
}

static void
put_metadata(struct wish *wish, cJSON *metadata)
{
	if (wish->mint.roles != NULL)
		wv_put(wish->mint.arena, metadata, "roles", wish->mint.roles);
	mint_nonce(&wish->mint, metadata);
	put_parents(wish, metadata);
}

/* Whatever else the parent says might narrow what it is good for: it stays,
 * and so does the order of the contract. */
static cJSON *
make_child(struct wish *wish, struct wv_time now, const struct wv_time *end)
{
	struct wv_arena *arena = wish->mint.arena;
	cJSON *token = wv_json_copy(arena, wish->parent.node);
	cJSON *issuer = wv_take(token, "issuer");
	cJSON *metadata = wv_take(token, "metadata");
	char id[WV_ID_MAX];

	wv_take(token, "x_weaver_signature");
	wv_id_new(id, "tok");
	wv_put_string(arena, token, "token_id", id);
	if (wish->mint.scope != NULL)
		wv_put(arena, token, "scope", wish->mint.scope);
	wv_put(arena, token, "issued_at", wv_json_time(arena, now));
	if (end != NULL)
		wv_put(arena, token, "expires_at", wv_json_time(arena, *end));
	if (wish->mint.single_use)
		wv_put(arena, token, "single_use", wv_json_bool(arena, true));
	if (issuer != NULL)
		wv_put(arena, token, "issuer", issuer);
	if (metadata == NULL)
		metadata = wv_json_object(arena);
	put_metadata(wish, metadata);
	wv_put(arena, token, "metadata", metadata);
	return token;
}

static cJSON *
make(struct wv_state *state, void *arg, struct wv_err *err)
{
	struct wish *wish = arg;
	struct wv_time time;
	const struct wv_time *end =
		mint_end(&wish->mint, state->now, &time) ? &time : NULL;

	wish->gate.state = state;
	if (judge_parent(wish, err) != 0 || judge_scope(wish) != 0 ||
		judge_roles(wish) != 0 || judge_end(wish, state->now, end) != 0)
		return NULL;
	return make_child(wish, state->now, end);
}

/* The one token of the file, or of standard input. */
static int
narrow(struct wish *wish, char *const *files)
{
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	struct wv_record rec, more;
	struct wv_lines in;
	int status = WV_YES;

	options.fail_fast = true;
	wv_lines_open(&in, files, &options, NULL);
	if (wv_lines_next(&in, wish->mint.arena, &rec) == 1) {
		wish->rec = &rec;
		if (wv_lines_next(&in, wish->mint.arena, &more) == 1)
			wv_die("%s:%zu: more than one token: narrow takes one",
				more.source, more.line);
		status = mint_run(&wish->mint, make, wish);
	}
	return wv_worse(status, wv_lines_close(&in));
}

static void
read_options(struct wish *wish, struct wv_opts *opts)
{
	int id;

	while ((id = wv_opt_next(opts)) != 0) {
		if (id == GATE_KEYRING)
			gate_option(&wish->gate, opts, id);
		else
			mint_option(&wish->mint, opts, id);
	}
	if (opts->operand_count > 1)
		wv_usage(opts, "narrow takes one file");
	if (opts->operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

int
narrow_main(int argc, char **argv)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wish wish = { .mint = { .arena = &arena } };
	struct wv_opts opts;
	int status;

	wv_opt_start(&opts, &cmd, argc, argv);
	read_options(&wish, &opts);
	gate_open(&wish.gate);
	status = narrow(&wish, opts.operands);
	gate_close(&wish.gate);
	wv_arena_free(&arena);
	wv_opt_end(&opts);
	return status;
}
