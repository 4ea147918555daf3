/* SPDX-License-Identifier: Apache-2.0 */
#include "case.h"

#include "contract/contract.h"

#include <string.h>

#define CASE_ID "case"
#define CASE_PRINCIPAL "agent-test"
#define CASE_ISSUED "1970-01-01T00:00:00Z"
#define CASE_EXPIRES "9999-12-31T23:59:59Z"

static void
move(struct wv_arena *arena, cJSON *from, const char *name, cJSON *to,
	const char *new_name)
{
	cJSON *value = wv_take(from, name);

	if (value != NULL)
		wv_put(arena, to, new_name, value);
}

/* As much of a RoutingDecision as is looked at. */
static cJSON *
make_routing(struct wv_arena *arena, cJSON *request)
{
	cJSON *routing = wv_json_object(arena), *metadata;
	cJSON *cards = wv_json_array(arena), *card = wv_json_object(arena);
	cJSON *items = wv_json_array(arena), *item = wv_json_object(arena);

	wv_put_string(arena, item, "id", CASE_ID);
	move(arena, request, "capability", item, "capability_id");
	wv_push(items, item);
	wv_put(arena, card, "items", items);
	wv_push(cards, card);
	wv_put(arena, routing, "choice_cards", cards);
	wv_put_string(arena, routing, "selected_item_id", CASE_ID);
	metadata = wv_put_object(arena, routing, "metadata");
	move(arena, request, "arguments", metadata, "x_wv_arguments");
	move(arena, request, "justification", metadata, "x_wv_justification");
	return routing;
}

static void
fill(struct wv_arena *arena, cJSON *token, const char *name, const char *value)
{
	if (wv_get(token, name) == NULL)
		wv_put_string(arena, token, name, value);
}

static void
fill_scope(struct wv_arena *arena, cJSON *token, const struct request *request)
{
	const char *id = request->selection.capability_id;
	cJSON *scope = wv_json_array(arena);

	if (wv_get(token, "scope") != NULL)
		return;
	wv_push(scope,
		wv_json_string(arena,
			id != NULL && wv_id_is_kernel(id) ? id
							  : WV_NO_CAPABILITY));
	wv_put(arena, token, "scope", scope);
}

/* What an approval is: for one use, and for these arguments. */
static void
bind(struct wv_arena *arena, cJSON *token, const struct request *request)
{
	cJSON *metadata = wv_put_object(arena, token, "metadata");

	wv_put(arena, token, "single_use", wv_json_bool(arena, true));
	if (request->arguments != NULL)
		wv_put_string(arena, metadata, "x_wv_arguments_sha256",
			request->arguments_sha256);
}

/* The short forms become what they stand for, and what is missing is what
 * refuses nothing. */
static void
complete(const struct authorizer *a, cJSON *token,
	const struct request *request, struct wv_arena *arena)
{
	cJSON *metadata = wv_put_object(arena, token, "metadata");

	move(arena, token, "roles", metadata, "roles");
	move(arena, token, "attributes", metadata, "attributes");
	if (wv_is_true(wv_take(token, "bound")))
		bind(arena, token, request);
	fill(arena, token, "token_id", CASE_ID);
	fill(arena, token, "principal",
		a->principal != NULL ? a->principal : CASE_PRINCIPAL);
	fill_scope(arena, token, request);
	fill(arena, token, "issued_at", CASE_ISSUED);
	if (wv_get(token, "single_use") == NULL)
		fill(arena, token, "expires_at", CASE_EXPIRES);
}

/* Trust is given in the one view that a table has; without it, which is for
 * --require-signed, it is judged like any other token's. */
static void
read_token(const struct authorizer *a, struct policy_case *c, cJSON *node,
	struct wv_arena *arena)
{
	if (wv_is_null(node))
		return;
	if (node == NULL)
		node = wv_json_object(arena);
	const cJSON *is_signed = wv_take(node, "signed");
	if (is_signed == NULL)
		is_signed = wv_get(node, "x_weaver_signature");
	complete(a, node, &c->request, arena);
	credential_read(a, &c->token, node, arena);
	c->has_token = true;
	if (wv_is_true(is_signed) || wv_is_object(is_signed))
		c->token.trust = WV_SIGNATURE;
	else if (!a->trust.signed_only)
		c->token.trust = WV_ISSUED;
}

static int
read_request(const struct authorizer *a, struct policy_case *c, cJSON *node,
	struct wv_arena *arena, struct wv_err *err)
{
	if (wv_get(node, "choice_cards") == NULL)
		node = make_routing(arena, node);
	else if (request_check(node, arena, err) < 0)
		return -1;
	request_read(a, &c->request, node, arena);
	c->request.source = c->record->source;
	c->request.line = c->record->line;
	c->request.verdict.principal = WV_NO_PRINCIPAL;
	return 0;
}

int
case_read(const struct authorizer *a, struct policy_case *c,
	const struct wv_record *rec, struct wv_arena *arena, struct wv_err *err)
{
	const char *now = wv_get_string(rec->tree, "now");

	*c = (struct policy_case){
		.doc = { .text = rec->text,
			.len = rec->len,
			.yaml = rec->yaml,
			.root = rec->tree },
		.record = rec,
		.name = wv_get_string(rec->tree, "name"),
		.now = wv_now(),
		.expect = wv_get(rec->tree, "expect"),
	};
	if (wv_config_check(&c->doc, "policy-case", err) < 0)
		return -1;
	if (now != NULL && wv_time_parse(&c->now, now, strlen(now), err) < 0)
		return -1;
	if (read_request(a, c, wv_get(rec->tree, "request"), arena, err) < 0)
		return -1;
	read_token(a, c, wv_get(rec->tree, "token"), arena);
	return 0;
}
