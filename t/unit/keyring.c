/* SPDX-License-Identifier: Apache-2.0 */
/* Keyrings: what is refused, what limits a key, adding one. */
#include "keys.h"

static void
test_keyring(void)
{
	struct wv_keyring *ring =
		load(KEYS(ENTRY("a", "ed25519", ED25519) "," ENTRY("b", "es256",
			ES256) "," ENTRY("c", "es256", ES256_SHORT)));

	ok(ring != NULL, "each form of a key");
	is(wv_get_string(wv_keyring_entry(ring, "b"), "alg"), "es256",
		"an entry by its kid");
	ok(wv_keyring_entry(ring, "d") == NULL, "no such kid");
	ok(wv_keyring_entry(NULL, "a") == NULL, "no keyring");
	wv_keyring_free(ring);
	ring = load(KEYS(""));
	ok(ring != NULL, "a keyring without keys");
	wv_keyring_free(ring);
	wv_keyring_free(NULL);
}

static void
test_refused_keyrings(void)
{
	refused("[]", 1, "with keys, an array");
	refused("{\"keys\":{}}", 1, "with keys, an array");
	refused("{\"keys\":[],\"revoked\":[]}", 22, "no member \"revoked\"");
	refused("{\"keys\":[],\"keys\":[]}", 12, "keys");
	refused(KEYS("1"), 10, "needs kid");
	refused(KEYS("{\"kid\":\"\"}"), 17, "needs kid");
	refused(KEYS("{\"kid\":\"a\"}"), 10, "needs alg");
	refused(KEYS("{\"kid\":\"a\",\"alg\":\"rsa\"}"), 27,
		"alg \"rsa\" is none of ed25519, es256");
	refused(KEYS("{\"kid\":\"a\",\"alg\":\"es256\"}"), 10,
		"needs public_key_b64url");
	refused(KEYS(ENTRY("a", "ed25519", ED25519) "," ENTRY(
			"a", "es256", ES256)),
		111, "there is a key \"a\" already");
}

/* A keyring of one key with this limit.  A ~ stands before what is wrong. */
static char *
limited(const char *limit, size_t *column)
{
	struct wv_str text = { 0 };
	const char *wrong = strchr(limit, '~');

	wv_str_cat(&text,
		"{\"keys\":[{\"kid\":\"a\",\"alg\":\"ed25519\","
		"\"public_key_b64url\":\"" ED25519 "\",");
	if (wrong != NULL) {
		wv_str_add(&text, limit, (size_t)(wrong - limit));
		*column = text.n + 1;
		limit = wrong + 1;
	}
	wv_str_cat(&text, limit);
	wv_str_cat(&text, "}]}");
	return text.s;
}

static void
bad_limit(const char *limit, const char *want)
{
	size_t column = 0;
	char *text = limited(limit, &column);

	refused(text, column, want);
	free(text);
}

static void
test_bad_limits(void)
{
	static const char empty[] = "must be a list that is not empty";
	static const char bad_use[] = "use: not one of token, bundle, checkp";
	static const char bad_principal[] = "principals: not an id of a princi";
	static const char bad_scope[] = "scope: not an id of a capability";

	bad_limit("\"use\":~[]", empty);
	bad_limit("\"use\":~\"token\"", empty);
	bad_limit("\"use\":~null", empty);
	bad_limit("\"use\":~{\"token\":1}", empty);
	bad_limit("\"use\":[\"token\",~\"tokens\"]", bad_use);
	bad_limit("\"use\":[~1]", bad_use);
	bad_limit("\"principals\":~[]", empty);
	bad_limit("\"principals\":~\"**\"", empty);
	bad_limit("\"principals\":[\"a\",~\"a b\"]", bad_principal);
	bad_limit("\"principals\":[~\"\"]", bad_principal);
	bad_limit("\"principals\":[~\"a..*\"]", bad_principal);
	bad_limit("\"principals\":[~\".*\"]", bad_principal);
	bad_limit("\"principals\":[~\"agent-?\"]", bad_principal);
	bad_limit("\"principals\":[~[\"a\"]]", bad_principal);
	bad_limit("\"scope\":~[]", empty);
	bad_limit("\"scope\":[\"a.b\",~\"a.b*\"]", bad_scope);
	bad_limit("\"scope\":[~\"*\"]", bad_scope);
	bad_limit("\"scope\":[~\"a.**\"]", bad_scope);
	bad_limit("\"scope\":[~null]", bad_scope);
	bad_limit("\"not_after\":~7", "not_after must be a time");
	bad_limit("\"not_after\":~\"2026-13-01T00:00:00Z\"", "not_after: ");
	bad_limit("\"not_after\":~\"2026-12-01\"", "not_after: ");
	bad_limit("\"not_before\":~7", "a key has no member \"not_before\"");
	bad_limit("\"Use\":~[\"token\"]", "a key has no member \"Use\"");
	bad_limit("\"a/b\":~1", "a key has no member");
}

/* A glob of 257 bytes; a list of 257. */
static void
test_long_limits(void)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, "\"principals\":[~\"");
	for (int i = 0; i < 257; i++)
		wv_str_chr(&text, 'a');
	wv_str_cat(&text, "\"]");
	bad_limit(text.s, "principals: not an id");
	text.n = 0;
	wv_str_cat(&text, "\"scope\":~[\"a\"");
	for (int i = 0; i < 256; i++)
		wv_str_cat(&text, ",\"a\"");
	wv_str_cat(&text, "]");
	bad_limit(text.s, "scope has at most 256 entries");
	wv_str_free(&text);
}

static struct wv_arena arena;

/* What stands in a scope, separated by blanks. */
static cJSON *
scope_of(const char *words)
{
	cJSON *scope = wv_json_array(&arena);

	while (*words != '\0') {
		size_t n = strcspn(words, " ");
		wv_push(scope, wv_json_stringn(&arena, words, n));
		words += n + (words[n] == ' ');
	}
	return scope;
}

/* want: NULL if it may. */
static void
permits(const char *limit, const struct wv_key_claim *claim, const char *want)
{
	struct wv_err why = WV_ERR_INIT;
	char *text = limited(limit, NULL);
	struct wv_keyring *ring = load(text);
	int result = wv_keyring_permits(ring, "a", claim, &why);

	if (!ok(ring != NULL && result == (want ? -1 : 0) &&
			    strcmp(why.text, want ? want : "") == 0,
		    "%s: %s", limit, want ? want : "may"))
		printf("# %d: %s\n", result, why.text);
	wv_keyring_free(ring);
	free(text);
}

static void
token(const char *limit, const char *principal, const char *scope,
	const char *want)
{
	struct wv_key_claim claim = {
		.use = WV_KEY_TOKEN,
		.principal = principal,
		.scope = scope_of(scope),
	};

	permits(limit, &claim, want);
}

static void
test_uses(void)
{
	static const struct wv_key_claim bundle = { .use = WV_KEY_BUNDLE },
					 checkpoint = {
						 .use = WV_KEY_CHECKPOINT
					 };

	token("\"x_remark\":[]", "p", "a", NULL);
	permits("\"x_\":0", &bundle, NULL);
	permits("\"x_\":0", &checkpoint, NULL);
	token("\"use\":[\"bundle\",\"token\"]", "p", "a", NULL);
	token("\"use\":[\"bundle\",\"checkpoint\"]", "p", "a",
		"key \"a\" may not sign a token");
	permits("\"use\":[\"token\"]", &bundle,
		"key \"a\" may not sign a bundle");
	permits("\"use\":[\"token\",\"bundle\"]", &checkpoint,
		"key \"a\" may not sign a checkpoint");
	permits("\"use\":[\"checkpoint\"]", &checkpoint, NULL);
	/* what limits tokens makes a key for tokens, unless it says more */
	permits("\"principals\":[\"**\"]", &bundle,
		"key \"a\" may not sign a bundle");
	permits("\"scope\":[\"a\"]", &checkpoint,
		"key \"a\" may not sign a checkpoint");
	permits("\"scope\":[\"a\"],\"use\":[\"bundle\"]", &bundle, NULL);
	ok(wv_keyring_permits(NULL, "a", &bundle, NULL) == -1,
		"a key that is not there may nothing");
}

static void
test_principals(void)
{
	static const char list[] = "\"principals\":[\"agent-*\",\"org.x.**\"]";

	token(list, "agent-7", "a", NULL);
	token(list, "agent-", "a", NULL);
	token(list, "org.x.y.z", "a", NULL);
	token(list, "agent-7.more", "a",
		"key \"a\" may not sign for \"agent-7.more\"");
	token(list, "Agent-7", "a", "key \"a\" may not sign for \"Agent-7\"");
	token(list, "org.x", "a", "key \"a\" may not sign for \"org.x\"");
	token("\"principals\":[\"**\"]", NULL, "a", NULL);
	token("\"principals\":[\"a\"]", NULL, "a",
		"key \"a\" may not sign for \"\"");
}

static void
test_scope(void)
{
	static const char list[] = "\"scope\":[\"org.x.*\",\"org.y\"]";
	struct wv_key_claim none = { .use = WV_KEY_TOKEN, .principal = "p" };

	token(list, "p", "org.x.a org.y", NULL);
	token(list, "p", "org.x.* org.x.a.*", NULL);
	token(list, "p", "org.x.a org.z",
		"key \"a\" may not sign for the scope \"org.z\"");
	token(list, "p", "org.x",
		"key \"a\" may not sign for the scope \"org.x\"");
	token(list, "p", "org.*",
		"key \"a\" may not sign for the scope \"org.*\"");
	token(list, "p", "org.y.*",
		"key \"a\" may not sign for the scope \"org.y.*\"");
	token(list, "p", "org.x.**",
		"key \"a\" may not sign for the scope \"org.x.**\"");
	permits(list, &none, "key \"a\" may not sign a token without a scope");
	none.scope = scope_of("org.y");
	wv_push((cJSON *)none.scope, wv_json_null(&arena));
	permits(list, &none, "key \"a\" may not sign for the scope \"\"");
}

static void
at(const char *time, const char *want)
{
	struct wv_key_claim claim = { .use = WV_KEY_BUNDLE };

	wv_time_parse(&claim.now, time, strlen(time), NULL);
	permits("\"not_after\":\"2026-06-01T12:00:00+02:00\"", &claim, want);
}

static void
test_end(void)
{
	static const char ended[] = "key \"a\" counts no more: it ended at "
				    "2026-06-01T10:00:00.000Z";

	at("2026-06-01T09:59:59Z", NULL);
	at("2026-06-01T10:00:00Z", NULL);
	at("2026-06-01T10:00:00.001Z", ended);
	at("2026-06-01T11:59:59Z", ended);
}

/* The document of the keyring (NULL: none) with a new key called kid. */
static int
add(const char *document, const char *kid, struct wv_str *text,
	struct wv_err *err)
{
	struct wv_keyring *ring = document ? load(document) : NULL;
	struct wv_signer *signer = wv_signer_new("es256", err);
	int result = wv_keyring_add(ring, kid, signer, text, err);

	wv_keyring_free(ring);
	wv_signer_free(signer);
	return result;
}

static void
test_add(void)
{
	struct wv_str text = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_keyring *ring;
	static const char before[] =
		"{ \"x_a\": 1.50,\"keys\":[{\"kid\":\"a\",\"use\":[\"token\"],"
		"\"alg\":\"ed25519\",\"public_key_b64url\":\"" ED25519
		"\",\"x_b\":[null]}],\"x_c\":{} }";
	static const char after[] =
		"{\"x_a\":1.50,\"x_c\":{},\"keys\":[\n"
		"{\"kid\":\"a\",\"use\":[\"token\"],\"alg\":\"ed25519\","
		"\"public_key_b64url\":\"" ED25519 "\",\"x_b\":[null]},\n"
		"{\"kid\":\"n-1\",\"alg\":\"es256\","
		"\"public_key_b64url\":\"B";

	ok(add(NULL, "n-1", &text, &err) == 0, "the first key");
	ring = load(text.s);
	ok(ring != NULL && wv_keyring_entry(ring, "n-1") != NULL,
		"which is read");
	wv_keyring_free(ring);
	text.n = 0;
	ok(add(before, "n-1", &text, &err) == 0 &&
			strncmp(text.s, after, sizeof after - 1) == 0,
		"one more: all that was there stays");
	ring = load(text.s);
	ok(ring != NULL && ring->count == 2, "which is read");
	wv_keyring_free(ring);
	text.n = 0;
	ok(add(before, "a", &text, &err) == -1 && err.column == 30 &&
			err.source == path,
		"a kid that is there");
	is(err.text, "there is a key \"a\" already", "which is said");
	wv_err_clear(&err);
	ok(add("keys: # none yet\n  []\n", "a", &text, &err) == -1 &&
			strstr(err.text, "is YAML") != NULL,
		"YAML is not rewritten");
	wv_str_free(&text);
}

int
main(void)
{
	make_path();
	test_keyring();
	test_refused_keyrings();
	test_bad_limits();
	test_long_limits();
	test_uses();
	test_principals();
	test_scope();
	test_end();
	test_add();
	wv_arena_free(&arena);
	unlink(path);
	return done();
}
