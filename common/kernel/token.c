/* SPDX-License-Identifier: Apache-2.0 */
/* What a token says; what the store knows of it is in trust.c. */
#include "kernel/token.h"

#include "contract/contract.h"
#include "contract/record.h"
#include "contract/scope.h"
#include "json/jcs.h"

#include <string.h>

/* The contract has judged the shape; this reads what it holds. */
static int
read_time(struct wv_time *time, const cJSON *object, const char *name,
	struct wv_err *err)
{
	const char *text = wv_get_string(object, name);

	if (text == NULL)
		return wv_err_set(err, "%s is not a time", name);
	return wv_time_parse(time, text, strlen(text), err);
}

static int
read_not_before(
	struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	token->has_not_before = true;
	return read_time(&token->not_before, metadata, "x_wv_not_before", err);
}

static int
read_arguments(
	struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	token->arguments_sha256 =
		wv_get_string(metadata, "x_wv_arguments_sha256");
	if (token->arguments_sha256 == NULL ||
		!wv_is_sha256_hex(token->arguments_sha256))
		return wv_err_set(err,
			"x_wv_arguments_sha256 is not 64 lower-case hex "
			"digits");
	return 0;
}

static int
read_nonce(struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	if (wv_get_string(metadata, "x_wv_nonce") == NULL)
		return wv_err_set(err, "x_wv_nonce is not a string");
	return 0;
}

static bool
is_before(const cJSON *role, const cJSON *list)
{
	wv_json_each(one, list) {
		if (one == role)
			break;
		if (strcmp(one->valuestring, role->valuestring) == 0)
			return true;
	}
	return false;
}

static int
read_roles(struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	token->roles = wv_get(metadata, "roles");
	if (!wv_is_array(token->roles))
		return wv_err_set(err, "roles is not an array");
	if (wv_count(token->roles) > WV_ROLES_MAX)
		return wv_err_set(err, "more than %d roles", WV_ROLES_MAX);
	wv_json_each(role, token->roles) {
		if (!wv_is_string(role) || !wv_id_is_kernel(role->valuestring))
			return wv_err_set(
				err, "roles holds something else than ids");
		if (is_before(role, token->roles))
			return wv_err_set(
				err, "roles names %s twice", role->valuestring);
	}
	return 0;
}

static int
read_attributes(
	struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	token->attributes = wv_get(metadata, "attributes");
	if (!wv_is_object(token->attributes))
		return wv_err_set(err, "attributes is not an object");
	wv_json_each(one, token->attributes) {
		if (!wv_is_string(one) || *one->valuestring == '\0')
			return wv_err_set(err,
				"attributes holds something else than strings, "
				"or an empty one");
	}
	return 0;
}

/* One that it was made from, not issued before the one that this was. */
static int
read_parent(const cJSON *parent, struct wv_time *last, struct wv_err *err)
{
	const char *id = wv_get_string(parent, "token_id");
	const char *kid = wv_get_string(parent, "kid");
	struct wv_time issued_at;

	if (id == NULL || !wv_id_is_kernel(id))
		return wv_err_set(
			err, "an entry of x_wv_parent has no token_id");
	if (read_time(&issued_at, parent, "issued_at", err) < 0)
		return -1;
	if (wv_count(parent) != (kid != NULL ? 3 : 2))
		return wv_err_set(err,
			"an entry of x_wv_parent holds something else than "
			"token_id, issued_at and kid");
	if (wv_time_cmp(issued_at, *last) < 0)
		return wv_err_set(
			err, "x_wv_parent is not in the order of their issue");
	*last = issued_at;
	return 0;
}

static int
read_parents(struct wv_token *token, const cJSON *metadata, struct wv_err *err)
{
	const cJSON *parents = wv_get(metadata, "x_wv_parent");
	struct wv_time last = { INT64_MIN, 0 };
	size_t n = wv_count(parents);

	if (!wv_is_array(parents) || n == 0)
		return wv_err_set(err, "x_wv_parent is no list of tokens");
	if (n > WV_LINEAGE_MAX)
		return wv_err_set(err,
			"narrowed more than %d times, one after the other",
			WV_LINEAGE_MAX);
	token->parents = parents;
	wv_json_each(parent, parents) {
		if (read_parent(parent, &last, err) < 0)
			return -1;
		if (parent == parents->child)
			token->root_issued_at = last;
	}
	if (wv_time_cmp(token->issued_at, last) < 0)
		return wv_err_set(
			err, "issued before the token that it was made from");
	return 0;
}

static const struct member {
	const char *name;
	int (*read)(struct wv_token *token, const cJSON *metadata,
		struct wv_err *err);
} members[] = {
	{ "roles", read_roles },
	{ "attributes", read_attributes },
	{ "x_wv_nonce", read_nonce },
	{ "x_wv_not_before", read_not_before },
	{ "x_wv_arguments_sha256", read_arguments },
	{ "x_wv_parent", read_parents },
};

/* Ours that are not known could be meant to forbid something. */
static int
read_member(struct wv_token *token, const cJSON *metadata, const cJSON *one,
	struct wv_err *err)
{
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		if (strcmp(one->string, members[i].name) == 0)
			return members[i].read(token, metadata, err);
	}
	if (strncmp(one->string, "x_wv_", 5) == 0)
		return wv_err_set(err, "metadata.%s is not known", one->string);
	return 0;
}

static int
read_scope(struct wv_token *token, struct wv_err *err)
{
	token->scope = wv_get(token->node, "scope");
	wv_json_each(entry, token->scope) {
		if (!wv_scope_is_valid(entry->valuestring))
			return wv_err_set(err,
				"scope holds something else than ids and "
				"a.b.*");
	}
	return 0;
}

/* What it says must be something that the kernel could mean. */
static int
read_ids(struct wv_token *token, struct wv_err *err)
{
	const cJSON *node = token->node;
	const char *issuer = wv_get_string(node, "issuer");

	token->id = wv_get_string(node, "token_id");
	token->principal = wv_get_string(node, "principal");
	token->issuer = issuer != NULL ? issuer : "";
	token->kid = wv_get_string(wv_get(node, "x_weaver_signature"), "kid");
	if (!wv_id_is_kernel(token->id))
		return wv_err_set(err, "token_id is not an id of the kernel");
	if (!wv_id_is_kernel(token->principal) ||
		strcmp(token->principal, WV_NO_PRINCIPAL) == 0)
		return wv_err_set(err, "principal is not a principal's id");
	if (token->issuer[0] != '\0' && !wv_id_is_kernel(token->issuer))
		return wv_err_set(err, "issuer is not an id of the kernel");
	return 0;
}

int
wv_token_read(struct wv_token *token, const cJSON *node, struct wv_err *err)
{
	const cJSON *metadata = wv_get(node, "metadata");

	memset(token, 0, sizeof(*token));
	if (wv_contract_require(WV_CAPABILITY_TOKEN, node, err) < 0)
		return -1;
	token->node = node;
	token->single_use = wv_is_true(wv_get(node, "single_use"));
	token->expires = wv_get_string(node, "expires_at") != NULL;
	if (read_ids(token, err) < 0 || read_scope(token, err) < 0 ||
		read_time(&token->issued_at, node, "issued_at", err) < 0)
		return -1;
	if (token->expires &&
		read_time(&token->expires_at, node, "expires_at", err) < 0)
		return -1;
	token->root_issued_at = token->issued_at;
	wv_json_each(one, metadata) {
		if (read_member(token, metadata, one, err) < 0)
			return -1;
	}
	wv_json_digest(token->digest, node);
	return 0;
}
