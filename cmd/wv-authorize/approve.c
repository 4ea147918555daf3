/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "base/msg.h"
#include "kernel/system.h"

#include <string.h>

/* More would not fit a message, and half a command is none. */
enum { LONGEST = 3000 };

/* A word of a shell.  What comes out has no quote but ours, and messages show
 * what cannot be seen as something that can: there is no way out of it. */
static void
add_word(struct wv_str *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789._:@/+-";

	wv_str_chr(line, ' ');
	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		wv_str_cat(line, word);
		return;
	}
	wv_str_chr(line, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			wv_str_cat(line, "'\\'");
		wv_str_chr(line, *word);
	}
	wv_str_chr(line, '\'');
}

static void
add_option(struct wv_str *line, const char *option, const char *value)
{
	wv_str_fmt(line, " %s", option);
	add_word(line, value);
}

/* Rules may have asked for these. */
static void
add_roles(struct wv_str *line, const struct wv_token *token)
{
	struct wv_str json = { 0 };

	wv_json_each(role, token->roles)
		add_option(line, "--roles", role->valuestring);
	if (token->attributes == NULL)
		return;
	wv_str_cat(&json, "{\"attributes\":");
	wv_json_write(&json, token->attributes);
	wv_str_chr(&json, '}');
	add_option(line, "--metadata", json.s);
	wv_str_free(&json);
}

/* Whoever approves is somebody else, whose environment names another one. */
static bool
is_own_state(const struct authorizer *a)
{
	return wv_system_choose(NULL, NULL, a->state_name, "WV_STATE") !=
		NULL &&
		wv_system()->state == NULL;
}

void
approve_tell(const struct authorizer *a, const struct request *request)
{
	const struct credential *c = request->verdict.credential;
	struct wv_str line = { 0 };

	wv_str_cat(&line, "wv-token issue");
	add_option(&line, "--principal", request->verdict.principal);
	add_option(&line, "--scope", request->selection.capability_id);
	wv_str_cat(&line, " --single-use --ttl 15m");
	add_option(&line, "--arguments-sha256", request->arguments_sha256);
	if (c->trust > WV_UNSIGNED)
		add_roles(&line, &c->token);
	if (c->trust == WV_SIGNATURE)
		add_option(&line, "--sign", c->token.kid);
	if (is_own_state(a))
		add_option(&line, "--state", a->state->path);
	if (line.n <= LONGEST)
		wv_warn("%s:%zu: to approve it: %s", request->source,
			request->line, line.s);
	else
		wv_warn("%s:%zu: to approve it: issue a single-use token bound "
			"to %s; the command is too long to show",
			request->source, request->line,
			request->arguments_sha256);
	wv_str_free(&line);
}
