/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance.h"

#include "base/hash.h"

#include <string.h>

const struct wv_schema_error *
check_schema(struct wv_arena *arena, enum wv_contract type, const cJSON *value)
{
	static const struct wv_contract_rules rules = { .schema_only = true };
	struct wv_schema_error *errors = NULL;

	if (wv_contract_judge(type, value, &rules, arena, &errors) == 1)
		return NULL;
	return errors;
}

const char *
fault_place(struct wv_arena *arena, const struct wv_schema_error *fault)
{
	const char *from = fault->instance;
	char *place, *to;

	if (from[0] == '\0')
		return "<root>";
	place = to = wv_dup(arena, from + 1);
	for (from = place; *from != '\0'; from++) {
		*to = *from;
		if (from[0] == '~' && (from[1] == '0' || from[1] == '1'))
			*to = *++from == '0' ? '~' : '/';
		to++;
	}
	*to = '\0';
	return place;
}

const char *
fault_text(struct wv_arena *arena, const struct wv_schema_error *fault)
{
	return wv_printf(
		arena, "%s: %s", fault_place(arena, fault), fault->message);
}

cJSON *
fault_texts(struct wv_arena *arena, const struct wv_schema_error *faults)
{
	cJSON *list = wv_json_array(arena);

	for (; faults != NULL; faults = faults->next)
		list_add(arena, list, fault_text(arena, faults));
	return list;
}

static bool
is_one_of(const char *word, size_t n, const char *const *list)
{
	for (; *list != NULL; list++) {
		if (strlen(*list) == n && memcmp(*list, word, n) == 0)
			return true;
	}
	return false;
}

const char *
fault_keyword(struct wv_arena *arena, const struct wv_schema_error *fault)
{
	/* What they hold may fail without a fault of its own. */
	static const char *const choices[] = { "anyOf", "oneOf", "not", "if",
		"contains", NULL };
	/* Their members are names, which might be those of keywords. */
	static const char *const maps[] = { "properties", "patternProperties",
		"dependentSchemas", "$defs", NULL };
	const char *word = fault->keyword;
	size_t n = strcspn(word, "/");

	while (word[n] == '/') {
		bool skip = is_one_of(word, n, maps);
		word += n + 1;
		n = strcspn(word, "/");
		if (!skip && is_one_of(word, n, choices))
			break;
	}
	return wv_dupn(arena, word, n);
}

static cJSON *
check_no_raw(struct wv_arena *arena, const cJSON *bundle)
{
	static const char *const raw[] = { "raw", "raw_output", "raw_result",
		"tool_output" };
	cJSON *wrong = wv_json_array(arena), *present;
	const char *id;
	unsigned index = 0;

	wv_json_each(frame, wv_get(bundle, "frames")) {
		present = wv_json_array(arena);
		for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++) {
			if (wv_get(frame, raw[i]) != NULL)
				list_add(arena, present, raw[i]);
		}
		id = wv_get_string(frame, "frame_id");
		if (id == NULL)
			id = wv_printf(arena, "index %u", index);
		if (present->child != NULL)
			list_add(arena, wrong,
				wv_printf(arena,
					"Frame %s carries forbidden raw-output "
					"key(s): %s",
					quote(arena, id),
					quote_list(arena, present)));
		index++;
	}
	return wrong;
}

static cJSON *
check_traced(struct wv_arena *arena, const cJSON *bundle)
{
	cJSON *wrong = wv_json_array(arena);
	struct wv_map traced = { 0 };
	const char *id;

	wv_json_each(event, wv_get(bundle, "trace_events")) {
		id = wv_get_string(event, "decision_id");
		if (id != NULL)
			wv_map_add(&traced, id, 0);
	}
	wv_json_each(decision, wv_get(bundle, "policy_decisions")) {
		id = wv_get_string(decision, "decision_id");
		if (id == NULL || wv_map_find(&traced, id) == NULL)
			list_add(arena, wrong,
				wv_printf(arena,
					"PolicyDecision %s has no matching "
					"TraceEvent",
					quote(arena, id)));
	}
	wv_map_free(&traced);
	return wrong;
}

const struct bundle_invariant bundle_invariants[BUNDLE_INVARIANTS] = {
	{ "I-01", "frames_have_no_raw_output", check_no_raw },
	{ "I-02", "policy_decisions_are_traced", check_traced },
};

cJSON *
check_token_scoped(struct wv_arena *arena, const cJSON *token)
{
	const char *expires = wv_get_string(token, "expires_at");
	const cJSON *scope = wv_get(token, "scope");
	cJSON *wrong = wv_json_array(arena);

	if (!wv_is_array(scope) || scope->child == NULL)
		list_add(arena, wrong,
			"scope is empty or missing; unbounded scope is not "
			"permitted");
	if (!wv_is_true(wv_get(token, "single_use")) &&
		(expires == NULL || expires[0] == '\0'))
		list_add(arena, wrong,
			"token is neither single_use nor has expires_at");
	return wrong;
}

/* contracts.md, the members of Core that are required, sorted. */
static const struct {
	enum wv_contract type;
	const char *required[6];
} surface[WV_CORE_COUNT] = {
	{ WV_CAPABILITY, { "description", "id", "name", "version" } },
	{ WV_CAPABILITY_TOKEN,
		{ "issued_at", "principal", "scope", "token_id" } },
	{ WV_CHOICE_CARD, { "id", "items" } },
	{ WV_FRAME, { "capability_id", "created_at", "frame_id", "summary" } },
	{ WV_HANDLE,
		{ "artifact_type", "capability_id", "created_at",
			"handle_id" } },
	{ WV_POLICY_DECISION,
		{ "capability_id", "decision", "decision_id", "principal",
			"timestamp" } },
	{ WV_ROUTING_DECISION, { "choice_cards", "id", "timestamp" } },
	{ WV_SELECTABLE_ITEM, { "description", "id", "label" } },
	{ WV_TRACE_EVENT, { "event_id", "event_type", "timestamp" } },
};

static cJSON *
required_of(struct wv_arena *arena, enum wv_contract type)
{
	const cJSON *schema = wv_contract_document(wv_contract_id(type));
	const cJSON *required = wv_get(schema, "required");
	const char **names =
		wv_alloc(arena, wv_count(required) * sizeof *names);
	size_t count = 0;

	wv_json_each(name, required)
		names[count++] = name->valuestring;
	return list_sorted(arena, names, count);
}

cJSON *
check_core_surface(struct wv_arena *arena)
{
	cJSON *wrong = wv_json_array(arena), *expected, *found;

	for (size_t i = 0; i < WV_CORE_COUNT; i++) {
		expected = wv_json_array(arena);
		for (const char *const *name = surface[i].required; *name;
			name++)
			list_add(arena, expected, *name);
		found = required_of(arena, surface[i].type);
		if (!wv_json_equal(expected, found))
			list_add(arena, wrong,
				wv_printf(arena,
					"%s: required surface drifted \u2014 "
					"expected %s, found %s",
					wv_contract_name(surface[i].type),
					quote_list(arena, expected),
					quote_list(arena, found)));
	}
	return wrong;
}

/* Of what its own schema says, too. */
static void
check_envelope(struct wv_arena *arena, const cJSON *signature, cJSON *wrong)
{
	const char *alg = wv_get_string(signature, "alg");
	const cJSON *form = wv_get(signature, "canonicalization");
	const struct wv_schema_error *fault =
		check_schema(arena, WV_CAPABILITY_TOKEN_SIGNATURE, signature);

	for (; fault != NULL; fault = fault->next)
		list_add(arena, wrong,
			wv_printf(arena, "signature envelope invalid: %s",
				fault_text(arena, fault)));
	if (alg == NULL ||
		(strcmp(alg, "ed25519") != 0 && strcmp(alg, "es256") != 0))
		list_add(arena, wrong,
			wv_printf(arena, "signature alg %s not in registry",
				quote(arena, alg)));
	if (form != NULL &&
		(!wv_is_string(form) || strcmp(form->valuestring, "JCS") != 0))
		list_add(
			arena, wrong, "signature canonicalization must be JCS");
}

static void
check_crypto(struct wv_arena *arena, const cJSON *bundle,
	const struct wv_keyring *keyring, cJSON *wrong, cJSON *notes)
{
	const cJSON *signature = wv_get(bundle, "signature");
	const char *alg = wv_get_string(signature, "alg");
	const char *kid = wv_get_string(signature, "kid");
	const char *key_alg =
		wv_get_string(wv_keyring_entry(keyring, kid), "alg");
	const char *shown = quote(arena, kid);
	struct wv_key_claim claim = { .use = WV_KEY_BUNDLE, .now = wv_now() };
	struct wv_err why = WV_ERR_INIT;
	enum wv_signature found =
		wv_signature_check(bundle, "signature", keyring, &why);

	if (found == WV_SIGNED &&
		wv_keyring_permits(keyring, kid, &claim, &why) != 0)
		found = WV_SIGNATURE_BAD;
	switch (found) {
	case WV_SIGNED:
		list_add(arena, notes,
			wv_printf(arena,
				"signature cryptographically verified (kid %s)",
				shown));
		break;
	case WV_KEY_UNKNOWN:
		list_add(arena, notes,
			wv_printf(arena,
				"signature envelope valid; crypto verify "
				"skipped (kid %s not in keyring)",
				shown));
		break;
	default:
		list_add(arena, wrong,
			key_alg != NULL && strcmp(key_alg, alg) != 0
				? wv_printf(arena,
					  "keyring entry for kid %s is alg %s, "
					  "but the signature declares alg %s",
					  shown, quote(arena, key_alg),
					  quote(arena, alg))
				: wv_printf(arena,
					  "signature verification FAILED for "
					  "kid "
					  "%s: %s",
					  shown, clean(arena, why.text)));
	}
}

cJSON *
check_integrity(struct wv_arena *arena, const cJSON *bundle,
	const struct wv_keyring *keyring, cJSON *notes)
{
	const cJSON *signature = wv_get(bundle, "signature");
	cJSON *wrong = wv_json_array(arena);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	int written = wv_signature_text(&text, bundle, "signature", &err);

	wv_str_free(&text);
	if (written != 0) {
		list_add(arena, wrong,
			wv_printf(arena, "JCS canonicalization failed: %s",
				clean(arena, err.text)));
		return wrong;
	}
	if (signature == NULL || wv_is_null(signature)) {
		list_add(arena, notes,
			"unsigned bundle (canonical form recomputed)");
		return wrong;
	}
	check_envelope(arena, signature, wrong);
	if (wrong->child == NULL)
		check_crypto(arena, bundle, keyring, wrong, notes);
	return wrong;
}
