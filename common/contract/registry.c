/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/registry.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *text;
} builtins[] = {
#include "schemas.inc"
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

#define CONTRACT_URI "https://weaver-spec.dev/contracts/v0/"
#define CONTRACT_END ".schema.json"
enum { MAX_NAME = 64 };

static const struct {
	const char *name, *title;
} contracts[WV_CONTRACT_COUNT] = {
	[WV_CAPABILITY] = { "capability", "Capability" },
	[WV_CAPABILITY_TOKEN] = { "capability_token", "CapabilityToken" },
	[WV_CHOICE_CARD] = { "choice_card", "ChoiceCard" },
	[WV_FRAME] = { "frame", "Frame" },
	[WV_HANDLE] = { "handle", "Handle" },
	[WV_POLICY_DECISION] = { "policy_decision", "PolicyDecision" },
	[WV_ROUTING_DECISION] = { "routing_decision", "RoutingDecision" },
	[WV_SELECTABLE_ITEM] = { "selectable_item", "SelectableItem" },
	[WV_TRACE_EVENT] = { "trace_event", "TraceEvent" },
	[WV_ARTIFACT_SAFETY_GATE_REQUEST] = { "artifact_safety_gate_request",
		"ArtifactSafetyGateRequest" },
	[WV_ARTIFACT_SAFETY_REPORT] = { "artifact_safety_report",
		"ArtifactSafetyReport" },
	[WV_CAPABILITY_TOKEN_SIGNATURE] = { "capability_token_signature",
		"CapabilityTokenSignature" },
	[WV_COMPILED_FLOW] = { "compiled_flow", "CompiledFlow" },
	[WV_CONFORMANCE_RESULT] = { "conformance_result", "ConformanceResult" },
	[WV_EVALUATION_ARTIFACT] = { "evaluation_artifact",
		"EvaluationArtifact" },
	[WV_EXECUTION_CANDIDATE] = { "execution_candidate",
		"ExecutionCandidate" },
	[WV_EXECUTION_FEEDBACK] = { "execution_feedback", "ExecutionFeedback" },
	[WV_EXECUTION_ROUTING_DECISION] = { "execution_routing_decision",
		"ExecutionRoutingDecision" },
	[WV_EXTENDED_FRAME_METADATA] = { "extended_frame_metadata",
		"ExtendedFrameMetadata" },
	[WV_EXTENDED_SELECTABLE_ITEM_METADATA] = { "extended_selectable_item_"
						   "metadata",
		"ExtendedSelectableItemMetadata" },
	[WV_FAILURE_CASE_ARTIFACT] = { "failure_case_artifact",
		"FailureCaseArtifact" },
	[WV_LESSON_CARD] = { "lesson_card", "LessonCard" },
	[WV_MEMORY_ARTIFACT] = { "memory_artifact", "MemoryArtifact" },
	[WV_OTEL_TRACE_MAPPING] = { "otel_trace_mapping", "OtelTraceMapping" },
	[WV_REDACTION_POLICY] = { "redaction_policy", "RedactionPolicy" },
	[WV_REVIEW_ARTIFACT] = { "review_artifact", "ReviewArtifact" },
	[WV_RISK_ASSESSMENT] = { "risk_assessment", "RiskAssessment" },
	[WV_SCHEMA_FINGERPRINT] = { "schema_fingerprint", "SchemaFingerprint" },
	[WV_SESSION_HANDOFF] = { "session_handoff", "SessionHandoff" },
	[WV_SKILL_CARD] = { "skill_card", "SkillCard" },
	[WV_TELEMETRY_HINT] = { "telemetry_hint", "TelemetryHint" },
	[WV_TRACE_BUNDLE] = { "trace_bundle", "TraceBundle" },
	[WV_UI_HINT] = { "ui_hint", "UIHint" },
};

/* One process, one registry. */
static struct {
	struct wv_arena arena;
	struct wv_schema_set *set;
	struct {
		const cJSON *root;
		bool added; /* to the set */
		const struct wv_schema *schema;
	} builtins[BUILTIN_COUNT];
	const struct wv_schema *contracts[WV_CONTRACT_COUNT];
	struct {
		bool tried;
		const struct wv_schema *schema;
	} stricter[WV_CONTRACT_COUNT];
} registry;

int
wv_contract_find(const char *name)
{
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		if (strcmp(contracts[i].name, name) == 0 ||
			strcmp(contracts[i].title, name) == 0)
			return i;
	}
	return -1;
}

const char *
wv_contract_name(enum wv_contract type)
{
	return contracts[type].name;
}

const char *
wv_contract_title(enum wv_contract type)
{
	return contracts[type].title;
}

const char *const *
wv_contract_names(void)
{
	static const char *names[WV_CONTRACT_COUNT + 1];

	for (int i = 0; i < WV_CONTRACT_COUNT; i++)
		names[i] = contracts[i].name;
	return names;
}

/* "core/" "frame", or -1. */
static int
find_builtin(const char *folder, const char *name)
{
	size_t n = strlen(folder);

	for (int i = 0; i < BUILTIN_COUNT; i++) {
		if (strncmp(builtins[i].name, folder, n) == 0 &&
			strcmp(builtins[i].name + n, name) == 0)
			return i;
	}
	return -1;
}

static int
builtin_of(enum wv_contract type)
{
	static int found[WV_CONTRACT_COUNT]; /* + 1 */

	if (found[type] == 0)
		found[type] = 1 +
			find_builtin(
				type < WV_CORE_COUNT ? "core/" : "extended/",
				contracts[type].name);
	return found[type] - 1;
}

const char *
wv_contract_schema(enum wv_contract type)
{
	return builtins[builtin_of(type)].text;
}

static const cJSON *
root_of(int i, struct wv_err *err)
{
	struct wv_doc doc;

	if (i < 0) {
		wv_err_set(err, "no such schema is built in");
		return NULL;
	}
	if (registry.builtins[i].root == NULL &&
		wv_doc_parse(&doc, &registry.arena, builtins[i].name,
			builtins[i].text, strlen(builtins[i].text), err) == 0)
		registry.builtins[i].root = doc.root;
	return registry.builtins[i].root;
}

const cJSON *
wv_contract_root(enum wv_contract type)
{
	return root_of(builtin_of(type), NULL);
}

bool
wv_contract_is_record(enum wv_contract type)
{
	const cJSON *root = wv_contract_root(type);

	return wv_get(wv_get(root, "properties"), "metadata") != NULL;
}

const char *
wv_contract_id(enum wv_contract type)
{
	return wv_get_string(wv_contract_root(type), "$id");
}

const cJSON *
wv_contract_example(enum wv_contract type, struct wv_arena *arena)
{
	const cJSON *examples = wv_get(wv_contract_root(type), "examples");

	return wv_json_copy(arena, examples->child);
}

/* The contract of an $id, or -1. */
static int
find_uri(const char *uri)
{
	static const char extended[] = "extended/";
	size_t n = strlen(uri), head = sizeof CONTRACT_URI - 1;
	size_t tail = sizeof CONTRACT_END - 1;
	bool is_extended;
	char name[MAX_NAME];
	int type;

	if (n < head + tail || strncmp(uri, CONTRACT_URI, head) != 0 ||
		strcmp(uri + n - tail, CONTRACT_END) != 0)
		return -1;
	is_extended = strncmp(uri + head, extended, sizeof extended - 1) == 0;
	if (is_extended)
		head += sizeof extended - 1;
	if (n - head - tail >= sizeof name)
		return -1;
	snprintf(name, sizeof name, "%.*s", (int)(n - head - tail), uri + head);
	type = wv_contract_find(name);
	return (type >= WV_CORE_COUNT) == is_extended ? type : -1;
}

const cJSON *
wv_contract_document(const char *uri)
{
	int type = find_uri(uri);

	return type < 0 ? NULL : wv_contract_root((enum wv_contract)type);
}

int
wv_contract_referred(const cJSON *schema)
{
	const char *uri = wv_get_string(schema, "$ref");
	const cJSON *branches = wv_get(schema, "anyOf");

	if (branches == NULL)
		branches = wv_get(schema, "allOf");
	if (uri == NULL && wv_is_array(branches))
		uri = wv_get_string(branches->child, "$ref");
	return uri != NULL ? find_uri(uri) : -1;
}

/* Only what is referred to is read: that is most of a tool's start. */
static int
load_contract(
	void *arg, const char *uri, const cJSON **root, struct wv_err *err)
{
	int type = find_uri(uri), i;

	if (type < 0)
		return 0;
	i = builtin_of((enum wv_contract)type);
	*root = root_of(i, err);
	registry.builtins[i].added = true;
	return *root != NULL ? 1 : -1;
}

static struct wv_schema_set *
the_set(void)
{
	static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;

	if (registry.set == NULL) {
		registry.set = wv_schema_set_new(&strict);
		wv_schema_set_loader(registry.set, load_contract, NULL);
	}
	return registry.set;
}

static const struct wv_schema *
compiled(int i, struct wv_err *err)
{
	const cJSON *root = root_of(i, err);

	if (root == NULL)
		return NULL;
	if (!registry.builtins[i].added &&
		wv_schema_set_add(the_set(), root, NULL, err) != 0)
		return NULL;
	registry.builtins[i].added = true;
	if (registry.builtins[i].schema == NULL)
		registry.builtins[i].schema =
			wv_schema_compile(the_set(), root, err);
	return registry.builtins[i].schema;
}

const struct wv_schema *
wv_registry_contract(enum wv_contract type, struct wv_err *err)
{
	if (registry.contracts[type] == NULL)
		registry.contracts[type] = compiled(builtin_of(type), err);
	return registry.contracts[type];
}

const struct wv_schema *
wv_registry_config(const char *kind, struct wv_err *err)
{
	return compiled(find_builtin("config/", kind), err);
}

const struct wv_schema *
wv_registry_stricter(enum wv_contract type)
{
	const cJSON *root;

	if (registry.stricter[type].tried)
		return registry.stricter[type].schema;
	registry.stricter[type].tried = true;
	root = wv_contract_stricter(&registry.arena, type);
	if (root != NULL)
		registry.stricter[type].schema =
			wv_schema_compile(the_set(), root, NULL);
	return registry.stricter[type].schema;
}
