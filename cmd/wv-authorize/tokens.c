/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "base/msg.h"

#include <stdlib.h>
#include <string.h>

bool
is_principal(const char *id)
{
	return wv_id_is_kernel(id) && strcmp(id, WV_NO_PRINCIPAL) != 0;
}

/* Once, here: the decision lives as long as the token was judged good, and
 * everything that looks at its ends agrees.  When it was issued stays: what
 * was revoked before then is no matter of clocks. */
static void
widen(struct wv_token *token, int64_t leeway_ms)
{
	struct wv_time from = token->issued_at;

	if (token->has_not_before && wv_time_cmp(token->not_before, from) > 0)
		from = token->not_before;
	token->not_before = wv_time_add_ms(from, -leeway_ms);
	token->has_not_before = true;
	token->expires_at = wv_time_add_ms(token->expires_at, leeway_ms);
}

void
credential_read(const struct authorizer *a, struct credential *credential,
	const cJSON *node, struct wv_arena *arena)
{
	struct wv_err err = WV_ERR_INIT;

	*credential = (struct credential){ 0 };
	if (wv_token_read(&credential->token, node, &err) < 0)
		credential->fault = wv_dup(arena, err.text);
	else
		widen(&credential->token, a->leeway_ms);
}

static void
add(struct authorizer *a, const cJSON *node)
{
	a->tokens = wv_list_room(a->tokens, a->token_count, sizeof *a->tokens);
	credential_read(a, &a->tokens[a->token_count++], node, &a->arena);
}

void
tokens_load(struct authorizer *a, const char *path)
{
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	char *const files[] = { (char *)path, NULL };
	struct wv_record rec;
	struct wv_lines in;

	options.allow_empty = true;
	options.fail_fast = true;
	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &a->arena, &rec) == 1) {
		if (!wv_is_array(rec.tree)) {
			add(a, rec.tree);
			continue;
		}
		wv_json_each(node, rec.tree)
			add(a, node);
	}
	if (wv_lines_close(&in) != WV_YES)
		exit(WV_TROUBLE);
}
