/* SPDX-License-Identifier: Apache-2.0 */
/* Capability tokens: what is read, who is believed, what revokes and what is
 * used up, and that nothing of one can be changed. */
#include "document.h"

#include "contract/scope.h"
#include "contract/sign.h"
#include "kernel/decision.h"
#include "kernel/store.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD \
	"{\"token_id\":\"tok-1\",\"principal\":\"agent-7\"," \
	"\"scope\":[\"org.demo.*\",\"a.b\"]," \
	"\"issued_at\":\"2026-01-01T00:00:00Z\"," \
	"\"expires_at\":\"2099-01-01T00:00:00Z\",\"single_use\":true," \
	"\"issuer\":\"kernel-1\""
#define TOKEN(metadata) HEAD ",\"metadata\":{" metadata "}}"
#define DIGEST \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define PARENT(id, at) \
	"{\"token_id\":\"" id "\",\"issued_at\":\"2026-01-01T" at "Z\"}"
#define LINEAGE(parents) \
	"{\"token_id\":\"tok-9\",\"principal\":\"agent-7\"," \
	"\"scope\":[\"a.b\"],\"issued_at\":\"2026-01-01T12:00:00Z\"," \
	"\"single_use\":true,\"metadata\":{\"x_wv_parent\":[" parents "]}}"

static char root[4096];
static struct wv_err err;
static const struct wv_time now = { 1767225600 + 86400, 0 };

static struct wv_token
token_of(const cJSON *node)
{
	struct wv_err fault = WV_ERR_INIT;
	struct wv_token token;

	if (!ok(wv_token_read(&token, node, &fault) == 0, "a token is read"))
		printf("# %s\n", fault.text);
	return token;
}

/* A state of its own for each group of tests, within a group of changes. */
static struct wv_state *
fresh(const char *name)
{
	struct wv_state *state;

	wv_err_clear(&err);
	state = wv_state_open(wv_printf(&arena, "%s/%s", root, name),
		WV_STATE_WRITE, false, &err);
	if (state == NULL || wv_state_begin(state, &err) < 0) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	return state;
}

static void
finish(struct wv_state *state)
{
	wv_state_rollback(state);
	wv_state_close(state);
}

static void
test_read(void)
{
	struct wv_token token = token_of(json(TOKEN(
		"\"roles\":[\"reader\"],\"attributes\":{\"team\":\"a\"},"
		"\"x_wv_nonce\":\"0\",\"x_wv_not_before\":"
		"\"2026-01-02T00:00:00Z\",\"x_wv_arguments_sha256\":\"" DIGEST
		"\",\"session\":[1,2.50]")));

	is(token.id, "tok-1", "its id");
	is(token.issuer, "kernel-1", "its issuer");
	is(wv_token_root(&token), "tok-1", "it is its own root");
	ok(token.single_use && token.expires && token.has_not_before &&
			token.kid == NULL && token.parents == NULL,
		"what it says of its use");
	is(token.arguments_sha256, DIGEST, "its arguments");
	ok(wv_count(token.roles) == 1 && wv_count(token.attributes) == 1,
		"roles and attributes");
	token = token_of(json(LINEAGE(
		PARENT("tok-1", "01:00:00") "," PARENT("tok-2", "02:00:00"))));
	is(token.issuer, "", "no issuer");
	is(wv_token_root(&token), "tok-1", "the root of a narrowed one");
	ok(token.root_issued_at.sec == 1767225600 + 3600, "issued then");
}

static void
test_refused(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "[]", "not a CapabilityToken" },
		{ "null", "not a CapabilityToken" },
		{ "{\"token_id\":\"t\",\"principal\":\"p\",\"scope\":[\"a\"],"
		  "\"issued_at\":\"2026-01-01T00:00:00Z\",\"single_use\":"
		  "\"true\"}",
			"single_use" }, /* cases D13 */
		{ "{\"token_id\":\"t\",\"principal\":\"p\",\"scope\":[\"a\"],"
		  "\"issued_at\":\"2026-01-01T00:00:00Z\","
		  "\"expires_at\":null}",
			"not a CapabilityToken" },
		{ "{\"token_id\":\"t t\",\"principal\":\"p\","
		  "\"scope\":[\"a\"],\"issued_at\":\"2026-01-01T00:00:00Z\","
		  "\"single_use\":true}",
			"token_id" },
		{ "{\"token_id\":\"t\",\"principal\":\"wv.unauthenticated\","
		  "\"scope\":[\"a\"],\"issued_at\":\"2026-01-01T00:00:00Z\","
		  "\"single_use\":true}",
			"principal" },
		{ "{\"token_id\":\"t\",\"principal\":\"p\",\"scope\":[\"*\"],"
		  "\"issued_at\":\"2026-01-01T00:00:00Z\","
		  "\"single_use\":true}",
			"scope" },
		{ "{\"token_id\":\"t\",\"principal\":\"p\",\"scope\":[\"a\"],"
		  "\"issued_at\":\"2026-01-01T00:00:00Z\","
		  "\"single_use\":true,\"issuer\":\"a b\"}",
			"issuer" },
		{ TOKEN("\"x_wv_notbefore\":\"2026-01-01T00:00:00Z\""),
			"metadata.x_wv_notbefore is not known" },
		{ TOKEN("\"x_wv_\":1"), "metadata.x_wv_ is not known" },
		{ TOKEN("\"x_wv_nonce\":1"), "x_wv_nonce" },
		{ TOKEN("\"x_wv_not_before\":null"), "x_wv_not_before" },
		{ TOKEN("\"x_wv_not_before\":\"soon\""), "time" },
		{ TOKEN("\"x_wv_arguments_sha256\":null"), "64" },
		{ TOKEN("\"x_wv_arguments_sha256\":\"E3B0\""), "64" },
		{ TOKEN("\"roles\":\"reader\""), "roles is not an array" },
		{ TOKEN("\"roles\":[1]"), "roles holds" },
		{ TOKEN("\"roles\":[\"a b\"]"), "roles holds" },
		{ TOKEN("\"roles\":[\"a\",\"b\",\"a\"]"), "names a twice" },
		{ TOKEN("\"attributes\":[]"), "attributes is not an object" },
		{ TOKEN("\"attributes\":{\"a\":1}"), "attributes holds" },
		{ TOKEN("\"x_wv_parent\":{}"), "x_wv_parent is no list" },
		{ LINEAGE(""), "x_wv_parent is no list" },
		{ LINEAGE("\"tok-1\""), "has no token_id" },
		{ LINEAGE("{\"token_id\":\"tok-1\"}"), "issued_at" },
		{ LINEAGE("{\"token_id\":\"tok-1\",\"issued_at\":"
			  "\"2026-01-01T00:00:00Z\",\"kid\":1}"),
			"something else" },
		{ LINEAGE("{\"token_id\":\"tok-1\",\"issued_at\":"
			  "\"2026-01-01T00:00:00Z\",\"until\":\"x\"}"),
			"something else" },
		{ LINEAGE(PARENT("tok-2", "02:00:00") "," PARENT(
			  "tok-1", "01:00:00")),
			"order" },
		{ LINEAGE(PARENT("tok-1", "12:00:01")), "issued before" },
	};
	struct wv_token token;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct wv_err fault = WV_ERR_INIT;
		bool refused =
			wv_token_read(&token, json(cases[i].text), &fault) < 0;
		if (!ok(refused && strstr(fault.text, cases[i].why) != NULL,
			    "refused: %s", cases[i].why))
			printf("# %s\n", fault.text);
	}
}

/* n ancestors, all of the same time */
static cJSON *
narrowed(size_t n)
{
	cJSON *node = json(LINEAGE(""));
	cJSON *list = wv_get(wv_get(node, "metadata"), "x_wv_parent");

	for (size_t i = 0; i < n; i++) {
		cJSON *link = wv_json_object(&arena);
		wv_put_string(&arena, link, "token_id",
			wv_printf(&arena, "tok-%zu", i));
		wv_put_string(
			&arena, link, "issued_at", "2026-01-01T00:00:00Z");
		wv_push(list, link);
	}
	return node;
}

static void
test_bounds(void)
{
	struct wv_err fault = WV_ERR_INIT;
	struct wv_token token;
	cJSON *roles = wv_json_array(&arena), *node = json(TOKEN(""));

	ok(wv_token_read(&token, narrowed(WV_LINEAGE_MAX), &fault) == 0,
		"as many ancestors as there may be");
	ok(wv_token_read(&token, narrowed(WV_LINEAGE_MAX + 1), &fault) < 0 &&
			strstr(fault.text, "more than 16 times") != NULL,
		"one more is refused");
	wv_err_clear(&fault);
	for (int i = 0; i <= WV_ROLES_MAX; i++)
		wv_push(roles,
			wv_json_string(&arena, wv_printf(&arena, "r%d", i)));
	wv_put(&arena, wv_get(node, "metadata"), "roles", roles);
	ok(wv_token_read(&token, node, &fault) < 0 &&
			strstr(fault.text, "more than 64 roles") != NULL,
		"a role too many");
}

/* What may be handed on of a scope (kernel cases A15). */
static void
test_scope(void)
{
	static const struct {
		const char *outer, *inner;
		bool within;
	} cases[] = {
		{ "a.b", "a.b", true },
		{ "a.*", "a.b", true },
		{ "a.*", "a.b.c", true },
		{ "a.*", "a.*", true },
		{ "a.*", "a.b.*", true },
		{ "a.b.*", "a.*", false },
		{ "a.b.*", "a.b", false },
		{ "a.b", "a.b.*", false },
		{ "a.b", "a.*", false },
		{ "a.b.*", "a.bc.*", false },
		{ "a.b.*", "a.bc", false },
		{ "a.*", "a", false },
		{ "a.*", "*", false },
		{ "*", "a", false },
		{ "a.*", "a.*.c", false },
		{ "a.*", "A.b", false },
		{ "a.*", "a.b..c", false },
		{ "a.*", "", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cJSON *scope = wv_json_array(&arena);
		wv_push(scope, wv_json_string(&arena, "x.y"));
		wv_push(scope, wv_json_string(&arena, cases[i].outer));
		ok(wv_scope_contains(scope, cases[i].inner) == cases[i].within,
			"%s %s within %s", cases[i].inner,
			cases[i].within ? "is" : "is not", cases[i].outer);
	}
}

/* A keyring of keys "k" and "limited", which may sign for agent-8 only. */
static struct wv_signer *signer;
static struct wv_keyring *keyring;

static void
make_keyring(void)
{
	const char *path = wv_printf(&arena, "%s/keyring.json", root);
	struct wv_str public = { 0 }, text = { 0 };
	FILE *file = fopen(path, "we");

	signer = wv_signer_new("ed25519", &err);
	if (signer == NULL || file == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	wv_signer_public(signer, &public);
	wv_str_fmt(&text,
		"{\"keys\":[{\"kid\":\"k\",\"alg\":\"ed25519\","
		"\"public_key_b64url\":\"%s\"},{\"kid\":\"limited\",\"alg\":"
		"\"ed25519\",\"public_key_b64url\":\"%s\",\"principals\":"
		"[\"agent-8\"]}]}",
		public.s, public.s);
	fputs(text.s, file);
	fclose(file);
	keyring = wv_keyring_load(path, &err);
	ok(keyring != NULL, "a keyring");
	wv_str_free(&public);
	wv_str_free(&text);
}

static cJSON *
sign(cJSON *node, const char *kid)
{
	ok(wv_signature_make(&arena, node, "x_weaver_signature", signer, kid,
		   now, &err) == 0,
		"signed as %s", kid);
	return node;
}

/* "issued", …, or the code of why not. */
static const char *
trust_of(struct wv_state *state, const cJSON *node,
	const struct wv_trust_rules *rules)
{
	struct wv_err why = WV_ERR_INIT;
	enum wv_trust trust;
	const char *code = NULL;
	struct wv_token token;

	if (wv_token_read(&token, node, &why) < 0)
		return "token_malformed";
	switch (wv_token_trust(
		state, rules, &token, now, &trust, &code, &why)) {
	case 1:
		return why.text[0] == '\0' ? wv_trust_name(trust)
					   : wv_dup(&arena, why.text);
	case 0:
		return why.text[0] != '\0' ? code : "no reason";
	default:
		return wv_dup(&arena, why.text);
	}
}

static void
test_trust(void)
{
	struct wv_state *state = fresh("trust");
	const struct wv_trust_rules plain = { 0 };
	const struct wv_trust_rules ring = { .keyring = keyring };
	const struct wv_trust_rules strict = { keyring, false, true };
	const struct wv_trust_rules lax = { keyring, true, false };
	cJSON *node = json(TOKEN("\"x_wv_nonce\":\"n\""));
	cJSON *other = wv_json_copy(&arena, node);
	cJSON *signed_one = sign(wv_json_copy(&arena, node), "k");
	cJSON *unknown = wv_json_copy(&arena, signed_one);
	cJSON *limited = sign(wv_json_copy(&arena, node), "limited");
	cJSON *wrong = wv_json_copy(&arena, signed_one);
	cJSON *child = json(LINEAGE(PARENT("tok-1", "00:00:00")));
	struct wv_token token = token_of(node);

	wv_put_string(
		&arena, wv_get(unknown, "x_weaver_signature"), "kid", "nobody");
	wv_put_string(&arena, wrong, "principal", "agent-8");
	wv_put_string(&arena, other, "principal", "agent-8");

	is(trust_of(state, node, &ring), "token_untrusted", "not issued");
	is(trust_of(NULL, node, &ring), "token_untrusted", "without a state");
	is(trust_of(state, node, &lax), "unsigned", "--trust-unsigned");
	is(trust_of(state, child, &lax), "token_untrusted",
		"who narrowed it must be known all the same");
	is(trust_of(state, signed_one, &ring), "signed", "by a key");
	is(trust_of(NULL, signed_one, &strict), "signed", "no state needed");
	is(trust_of(state, signed_one, &plain), "token_untrusted",
		"no keyring");
	is(trust_of(state, unknown, &ring), "token_untrusted", "unknown kid");
	is(trust_of(state, unknown, &strict), "signature_required",
		"an unknown kid is no signature");
	is(trust_of(state, wrong, &lax), "token_signature_invalid",
		"a wrong one is not as good as none");
	is(trust_of(state, limited, &ring), "token_untrusted",
		"by a key that may not sign it");
	is(trust_of(state, limited, &strict), "signature_required",
		"nor does it count as signed");

	ok(wv_token_record(state, &token, &err) == 0, "issued");
	is(trust_of(state, node, &plain), "issued", "exactly this one");
	is(trust_of(state, node, &lax), "issued", "not merely unsigned");
	is(trust_of(state, node, &strict), "signature_required",
		"--require-signed");
	is(trust_of(state, other, &lax), "token_untrusted",
		"an id is no credential");
	is(trust_of(state, signed_one, &ring), "token_untrusted",
		"nor with a signature that was added");
	finish(state);
}

static void
test_issued_and_signed(void)
{
	struct wv_state *state = fresh("both");
	const struct wv_trust_rules plain = { 0 };
	const struct wv_trust_rules ring = { .keyring = keyring };
	cJSON *wrong = sign(json(TOKEN("")), "k");
	cJSON *limited =
		sign(json(LINEAGE(PARENT("t", "00:00:00"))), "limited");
	struct wv_token token;

	wv_put_string(&arena, wrong, "principal", "agent-8");
	token = token_of(wrong);
	ok(wv_token_record(state, &token, &err) == 0, "issued");
	is(trust_of(state, wrong, &plain), "issued", "its key is not known");
	is(trust_of(state, wrong, &ring), "token_signature_invalid",
		"a wrong signature, though it was issued");
	token = token_of(limited);
	ok(wv_token_record(state, &token, &err) == 0, "issued");
	is(trust_of(state, limited, &ring), "issued",
		"a signature that may not be counts as none");
	finish(state);
}

/* The nth node of a tree that is not its root, depth first. */
static cJSON *
nth(cJSON *node, size_t *n)
{
	wv_json_each(one, node) {
		if ((*n)-- == 0)
			return one;
		cJSON *found = nth(one, n);
		if (found != NULL)
			return found;
	}
	return NULL;
}

/* Another value of the same type. */
static void
alter(cJSON *node)
{
	cJSON *more = wv_json_string(&arena, "more");
	char *text = wv_dup(&arena, "77");

	if (wv_is_string(node) && node->valueint > 0) {
		text = wv_dup(&arena, node->valuestring);
		text[node->valueint / 2] ^= 1;
		node->valuestring = text;
	} else if (wv_is_string(node) || wv_is_number(node)) {
		node->valuestring = text;
		node->valueint = 2;
	} else if (wv_is_true(node)) {
		node->type = cJSON_False;
	} else {
		more->string = wv_dup(&arena, "more");
		wv_push(node, more);
	}
}

/* When, and members that are not known, are what a signature says of itself. */
static bool
is_not_signed(const cJSON *place)
{
	return place->string != NULL &&
		(strcmp(place->string, "signed_at") == 0 ||
			strcmp(place->string, "x_weaver_signature") == 0);
}

/* Every node altered in turn; then every member taken away. */
static void
test_altered(struct wv_state *state, const cJSON *node,
	const struct wv_trust_rules *rules, const char *what)
{
	size_t count = 0, accepted = 0, n;

	for (size_t i = 0;; i++) {
		cJSON *copy = wv_json_copy(&arena, node);
		cJSON *place = nth(copy, (n = i, &n));
		if (place == NULL)
			break;
		if (state == NULL && is_not_signed(place))
			continue;
		alter(place);
		const char *answer = trust_of(state, copy, rules);
		count++;
		if (strncmp(answer, "token_", 6) != 0) {
			accepted++;
			printf("# %s: %s: %s\n", what,
				place->string ? place->string : "item", answer);
		}
	}
	wv_json_each(member, node) {
		cJSON *copy = wv_json_copy(&arena, node);
		wv_take(copy, member->string);
		count++;
		if (strncmp(trust_of(state, copy, rules), "token_", 6) != 0) {
			accepted++;
			printf("# %s: without %s\n", what, member->string);
		}
	}
	ok(count > 20 && accepted == 0, "%s: none of %zu changes is accepted",
		what, count);
}

static void
test_all_altered(void)
{
	struct wv_state *state = fresh("altered");
	const struct wv_trust_rules ring = { .keyring = keyring };
	cJSON *node = json(TOKEN(
		"\"roles\":[\"reader\",\"writer\"],\"attributes\":"
		"{\"team\":\"a\"},\"x_wv_nonce\":\"0123\",\"x_wv_not_before\":"
		"\"2026-01-01T00:00:01Z\",\"x_wv_arguments_sha256\":\"" DIGEST
		"\",\"session\":[1.50,true,{}],"
		"\"x_wv_parent\":[" PARENT("tok-0", "00:00:00") "]"));
	cJSON *by_key = sign(wv_json_copy(&arena, node), "k");
	struct wv_token token = token_of(by_key);

	is(trust_of(NULL, by_key, &ring), "signed", "signed as it is");
	test_altered(NULL, by_key, &ring, "signed");
	ok(wv_token_record(state, &token, &err) == 0, "issued");
	is(trust_of(state, by_key, &ring), "signed", "and as it is");
	test_altered(state, by_key, &ring, "issued and signed");
	finish(state);
	state = fresh("altered-issued");
	token = token_of(node);
	ok(wv_token_record(state, &token, &err) == 0, "issued");
	test_altered(state, node, &ring, "issued");
	finish(state);
}

#define KID_PARENT \
	"{\"token_id\":\"tok-2\",\"issued_at\":\"2026-01-01T02:00:00Z\"," \
	"\"kid\":\"k2\"}"

static void
revoke_all(struct wv_state *state, const struct wv_token *token,
	const char *issuer, const char *id, const char *kid,
	const struct wv_time *before)
{
	const struct wv_time never = { 0, 0 };

	if (id != NULL)
		wv_store_revoke_token(state->store, issuer, id, never, &err);
	if (kid != NULL)
		wv_store_revoke_key(state->store, kid, &err);
	if (before != NULL)
		wv_store_revoke_principal(
			state->store, token->principal, *before, &err);
}

static int
revoked_by(const struct wv_token *token, const char *name, const char *issuer,
	const char *id, const char *kid, const struct wv_time *before)
{
	struct wv_state *state = fresh(name);
	int revoked;

	ok(wv_token_revoked(state, token, &err) == 0, "not revoked yet");
	revoke_all(state, token, issuer, id, kid, before);
	revoked = wv_token_revoked(state, token, &err);
	finish(state);
	return revoked;
}

static void
test_revoked(void)
{
	cJSON *node = json(LINEAGE(PARENT("tok-1", "01:00:00") "," KID_PARENT));
	struct wv_token token = token_of(sign(node, "k"));
	struct wv_time at = token.root_issued_at;
	struct wv_time later = wv_time_add_ms(at, 1);

	ok(revoked_by(&token, "r1", NULL, "tok-9", NULL, NULL) == 1, "itself");
	ok(revoked_by(&token, "r2", NULL, "tok-1", NULL, NULL) == 1, "root");
	ok(revoked_by(&token, "r3", "", "tok-2", NULL, NULL) == 1, "parent");
	ok(revoked_by(&token, "r4", NULL, NULL, "k", NULL) == 1, "its key");
	ok(revoked_by(&token, "r5", NULL, NULL, "k2", NULL) == 1,
		"the key of its parent");
	ok(revoked_by(&token, "r6", NULL, NULL, NULL, &later) == 1,
		"its principal, though it was issued after the cut-off");
	ok(revoked_by(&token, "r7", NULL, NULL, NULL, &at) == 0,
		"a root that was issued at the cut-off is not before it");
	ok(revoked_by(&token, "r8", NULL, "tok-3", "k3", NULL) == 0, "others");
	ok(revoked_by(&token, "r9", "kernel-2", "tok-1", NULL, NULL) == 0,
		"the same id of another issuer");
}

static void
test_uses(void)
{
	struct wv_state *state = fresh("uses");
	struct wv_token one =
		token_of(json(LINEAGE(PARENT("tok-1", "01:00:00"))));
	cJSON *node = json(LINEAGE(PARENT("tok-1", "01:00:00")));
	struct wv_token two, mine = token_of(json(TOKEN("")));

	wv_put_string(&arena, node, "token_id", "tok-10");
	two = token_of(node);
	ok(wv_token_spent(state, &one, &err) == 0, "not spent");
	ok(wv_token_spend(state, &one, &err) == 1, "spent");
	ok(wv_token_spend(state, &two, &err) == 0 &&
			wv_token_spent(state, &two, &err) == 1,
		"two children have one use");
	ok(wv_token_spent(state, &mine, &err) == 0 &&
			wv_token_spend(state, &mine, &err) == 1,
		"the same id of another issuer has its own");
	finish(state);
}

/* How long a child lasts says nothing of its root. */
static void
test_claims_last(void)
{
	struct wv_state *state = fresh("claims");
	const struct wv_time later = wv_time_add_ms(now, 90 * 86400000LL);
	cJSON *node = json(LINEAGE(PARENT("tok-1", "01:00:00")));
	struct wv_token child;

	wv_put_string(&arena, node, "expires_at", "2026-01-02T00:00:00Z");
	child = token_of(node);
	ok(wv_token_spend(state, &child, &err) == 1, "spent");
	ok(wv_store_prune(state->store, later, 100, &err) >= 0 &&
			wv_token_spent(state, &child, &err) == 1,
		"and not forgotten when the child has ended");
	finish(state);
}

/* What is revoked between the verdict and the call. */
static const char *
taken_after(const char *name, const char *id, const char *kid,
	const struct wv_time *before)
{
	struct wv_state *state = fresh(name);
	cJSON *decision = json("{\"decision_id\":\"dec-1\",\"capability_id\":"
			       "\"a.b\",\"principal\":\"agent-7\"}");
	cJSON *node = json(LINEAGE(PARENT("tok-1", "01:00:00") "," KID_PARENT));
	struct wv_token token = token_of(sign(node, "k"));
	const char *code = NULL;
	int taken;

	ok(wv_decision_record(state, decision, &token,
		   wv_time_add_ms(state->now, 60000), &err) == 0,
		"a decision");
	revoke_all(state, &token, NULL, id, kid, before);
	taken = wv_decision_take(state, decision, "plan-1", &code, &err);
	finish(state);
	return taken == 1 ? "taken" : taken == 0 ? code : err.text;
}

static void
test_decisions(void)
{
	static const char no[] = "token_revoked";
	const struct wv_time start = { 1767225600 + 3600, 0 };
	const struct wv_time between = { 1767225600 + 5400, 0 };

	is(taken_after("d1", NULL, NULL, NULL), "taken", "a decision is taken");
	is(taken_after("d2", "tok-9", NULL, NULL), no, "its token");
	is(taken_after("d3", "tok-1", NULL, NULL), no, "the root");
	is(taken_after("d4", "tok-2", NULL, NULL), no, "the parent");
	is(taken_after("d5", NULL, "k", NULL), no, "its key");
	is(taken_after("d6", NULL, "k2", NULL), no, "the parent's key");
	is(taken_after("d7", NULL, NULL, &between), no,
		"the principal, by when the root was issued");
	is(taken_after("d8", "tok-3", "k3", &start), "taken", "others");
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	return remove(path);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof root, "%s/wv-token-XXXXXX",
		tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
	if (mkdtemp(root) == NULL) {
		printf("Bail out! no scratch folder\n");
		return 1;
	}
	make_keyring();
	test_read();
	test_refused();
	test_bounds();
	test_scope();
	test_trust();
	test_issued_and_signed();
	test_all_altered();
	test_revoked();
	test_uses();
	test_claims_last();
	test_decisions();
	wv_keyring_free(keyring);
	wv_signer_free(signer);
	wv_arena_free(&arena);
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return done();
}
