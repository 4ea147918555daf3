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

/* Scope and ids are the kernel's: what a token says must be something that
 * the kernel could mean. */
static int
check_ids(const struct wv_token *token, struct wv_err *err)
{
	if (!wv_id_is_kernel(token->id))
		return wv_err_set(err, "token_id is not an id of the kernel");
	if (!is_principal(token->principal))
		return wv_err_set(err, "principal is not a principal's id");
	wv_json_each(entry, token->scope) {
		if (!wv_scope_is_valid(entry->valuestring))
			return wv_err_set(err,
				"scope holds something else than ids and "
				"a.b.*");
	}
	return 0;
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

static void
add(struct authorizer *a, const cJSON *node, int64_t leeway_ms)
{
	struct wv_err err = WV_ERR_INIT;
	size_t n = a->token_count;
	struct credential *c;

	if ((n & (n - 1)) == 0)
		a->tokens = wv_xrealloc(
			a->tokens, (n > 0 ? 2 * n : 1) * sizeof *a->tokens);
	c = &a->tokens[a->token_count++];
	*c = (struct credential){ 0 };
	if (wv_token_read(&c->token, node, &err) < 0 ||
		check_ids(&c->token, &err) < 0)
		c->fault = wv_dup(&a->arena, err.text);
	else
		widen(&c->token, leeway_ms);
}

void
tokens_load(struct authorizer *a, const char *path, int64_t leeway_ms)
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
			add(a, rec.tree, leeway_ms);
			continue;
		}
		wv_json_each(node, rec.tree)
			add(a, node, leeway_ms);
	}
	if (wv_lines_close(&in) != WV_YES)
		exit(WV_TROUBLE);
}
