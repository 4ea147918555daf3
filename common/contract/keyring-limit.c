/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/sign-internal.h"

#include "base/glob.h"
#include "contract/record.h"
#include "contract/scope.h"

#include <stdio.h>
#include <string.h>

enum { MAX_POINTER = 96, MAX_GLOB = 256, EVERY_USE = ~0u };

static const char *const uses[] = {
	[WV_KEY_TOKEN] = "token",
	[WV_KEY_BUNDLE] = "bundle",
	[WV_KEY_CHECKPOINT] = "checkpoint",
};
enum { USES = sizeof uses / sizeof uses[0] };

static const char *const members[] = { "kid", "alg", "public_key_b64url", "use",
	"principals", "scope", "not_after" };

static int
find_use(const char *name)
{
	for (int i = 0; i < USES; i++) {
		if (strcmp(uses[i], name) == 0)
			return i;
	}
	return -1;
}

static bool
is_use(const char *name)
{
	return find_use(name) >= 0;
}

/* What an id could be once each star stands for some of it. */
static bool
is_glob(const char *glob)
{
	char id[MAX_GLOB + 1];
	size_t n = strlen(glob);

	if (n > MAX_GLOB)
		return false;
	for (size_t i = 0; i <= n; i++)
		id[i] = glob[i] == '*' ? 'x' : glob[i];
	return wv_id_is_kernel(id);
}

/* A list that limits a key; *list stays NULL if it is absent. */
static int
read_list(const cJSON **list, const struct wv_doc *doc, const char *pointer,
	const cJSON *entry, const char *name, bool (*is_valid)(const char *),
	const char *what, struct wv_err *err)
{
	const cJSON *value = wv_get(entry, name);
	char place[MAX_POINTER];
	size_t i = 0;

	if (value == NULL)
		return 0;
	snprintf(place, sizeof place, "%s/%s", pointer, name);
	if (!wv_is_array(value) || value->child == NULL)
		return wv_doc_err(doc, err, place,
			"%s must be a list that is not empty", name);
	if (wv_count(value) > WV_KEYRING_LIST)
		return wv_doc_err(doc, err, place, "%s has at most %d entries",
			name, WV_KEYRING_LIST);
	wv_json_each(one, value) {
		snprintf(place, sizeof place, "%s/%s/%zu", pointer, name, i++);
		if (!wv_is_string(one) || !is_valid(one->valuestring))
			return wv_doc_err(
				doc, err, place, "%s: not %s", name, what);
	}
	*list = value;
	return 0;
}

static int
read_uses(struct wv_key_limits *limits, const struct wv_doc *doc,
	const char *pointer, const cJSON *entry, struct wv_err *err)
{
	const cJSON *list = NULL;

	if (read_list(&list, doc, pointer, entry, "use", is_use,
		    "one of token, bundle, checkpoint", err) != 0)
		return -1;
	if (list == NULL) {
		limits->uses =
			limits->principals == NULL && limits->scope == NULL
			? EVERY_USE
			: 1u << WV_KEY_TOKEN;
		return 0;
	}
	limits->uses = 0;
	wv_json_each(one, list)
		limits->uses |= 1u << find_use(one->valuestring);
	return 0;
}

static int
read_end(struct wv_key_limits *limits, const struct wv_doc *doc,
	const char *pointer, const cJSON *entry, struct wv_err *err)
{
	const cJSON *value = wv_get(entry, "not_after");
	struct wv_err why = WV_ERR_INIT;
	char place[MAX_POINTER];

	limits->ends = value != NULL;
	if (value == NULL)
		return 0;
	snprintf(place, sizeof place, "%s/not_after", pointer);
	if (!wv_is_string(value))
		return wv_doc_err(
			doc, err, place, "not_after must be a time, a string");
	if (wv_time_parse(&limits->not_after, value->valuestring,
		    strlen(value->valuestring), &why) != 0)
		return wv_doc_err(doc, err, place, "not_after: %s", why.text);
	return 0;
}

static bool
is_member(const char *name)
{
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		if (strcmp(members[i], name) == 0)
			return true;
	}
	return strncmp(name, "x_", 2) == 0;
}

/* A member that is not known could be meant to forbid something. */
static int
check_members(const struct wv_doc *doc, const char *pointer, const cJSON *entry,
	struct wv_err *err)
{
	struct wv_str place = { 0 };

	wv_json_each(member, entry) {
		if (is_member(member->string))
			continue;
		wv_str_cat(&place, pointer);
		wv_pointer_add(&place, member->string);
		wv_doc_err(doc, err, place.s, "a key has no member \"%.*s\"",
			WV_SIGN_SHOWN, member->string);
		wv_str_free(&place);
		return -1;
	}
	return 0;
}

int
wv_key_limits_read(struct wv_key_limits *limits, const struct wv_doc *doc,
	const char *pointer, const cJSON *entry, struct wv_err *err)
{
	if (check_members(doc, pointer, entry, err) != 0 ||
		read_list(&limits->principals, doc, pointer, entry,
			"principals", is_glob,
			"an id of a principal, or one with *", err) != 0 ||
		read_list(&limits->scope, doc, pointer, entry, "scope",
			wv_scope_is_valid,
			"an id of a capability, or one with .* at its end",
			err) != 0 ||
		read_uses(limits, doc, pointer, entry, err) != 0)
		return -1;
	return read_end(limits, doc, pointer, entry, err);
}

static int
check_principal(const struct wv_key_limits *limits, const char *kid,
	const char *principal, struct wv_err *why)
{
	if (limits->principals == NULL)
		return 0;
	if (principal == NULL)
		principal = "";
	wv_json_each(glob, limits->principals) {
		if (wv_glob_match(glob->valuestring, principal, '.'))
			return 0;
	}
	return wv_err_set(why, "key \"%.*s\" may not sign for \"%.*s\"",
		WV_SIGN_SHOWN, kid, WV_SIGN_SHOWN, principal);
}

static int
check_scope(const struct wv_key_limits *limits, const char *kid,
	const cJSON *scope, struct wv_err *why)
{
	if (limits->scope == NULL)
		return 0;
	if (!wv_is_array(scope))
		return wv_err_set(why,
			"key \"%.*s\" may not sign a token without a scope",
			WV_SIGN_SHOWN, kid);
	wv_json_each(one, scope) {
		const char *entry = wv_is_string(one) ? one->valuestring : "";
		if (!wv_scope_contains(limits->scope, entry))
			return wv_err_set(why,
				"key \"%.*s\" may not sign for the scope "
				"\"%.*s\"",
				WV_SIGN_SHOWN, kid, WV_SIGN_SHOWN, entry);
	}
	return 0;
}

int
wv_keyring_permits(const struct wv_keyring *keyring, const char *kid,
	const struct wv_key_claim *claim, struct wv_err *why)
{
	const struct wv_key *key = wv_keyring_find(keyring, kid);
	const struct wv_key_limits *limits;
	char end[WV_TIME_TEXT];

	if (key == NULL)
		return wv_err_set(why, "key \"%.*s\" is not in the keyring",
			WV_SIGN_SHOWN, kid);
	limits = &key->limits;
	if ((limits->uses & 1u << claim->use) == 0)
		return wv_err_set(why, "key \"%.*s\" may not sign a %s",
			WV_SIGN_SHOWN, kid, uses[claim->use]);
	if (limits->ends && wv_time_cmp(claim->now, limits->not_after) > 0) {
		wv_time_print(end, limits->not_after);
		return wv_err_set(why,
			"key \"%.*s\" counts no more: it ended "
			"at %s",
			WV_SIGN_SHOWN, kid, end);
	}
	if (claim->use != WV_KEY_TOKEN)
		return 0;
	if (check_principal(limits, kid, claim->principal, why) != 0)
		return -1;
	return check_scope(limits, kid, claim->scope, why);
}
