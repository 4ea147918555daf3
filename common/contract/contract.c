/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/contract.h"

#include "contract/invariant.h"

#include <stdio.h>
#include <string.h>

/* Of a record; nobody reads more. */
enum { MAX_FAULTS = 100 };

static const struct {
	const char *name, *text;
} builtins[] = {
#include "schemas.inc"
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

#define CORE "core/"
#define CONTRACT_URI "https://weaver-spec.dev/contracts/v0/"

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
};

/* Made on first use and kept: one process, one registry. */
static struct {
	struct wv_arena arena;
	struct wv_schema_set *set;
	const cJSON *roots[BUILTIN_COUNT];
	const struct wv_schema *schemas[BUILTIN_COUNT];
	const struct wv_schema *contracts[WV_CONTRACT_COUNT];
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

/* "core/" "frame"; there is one, or the program was built wrong. */
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

const char *
wv_contract_schema(enum wv_contract type)
{
	return builtins[find_builtin(CORE, contracts[type].name)].text;
}

static int load(int i, struct wv_err *err);

/* Only what is referred to is read: that is most of a tool's start. */
static int
load_referred(const char *text, struct wv_err *err)
{
	static const char ref[] = "\"$ref\": \"" CONTRACT_URI;

	while ((text = strstr(text, ref)) != NULL) {
		char name[64];
		text += sizeof ref - 1;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ".\""),
			text);
		if (load(find_builtin(CORE, name), err) != 0)
			return -1;
	}
	return 0;
}

static int
load(int i, struct wv_err *err)
{
	struct wv_doc doc;

	if (i < 0)
		return wv_err_set(err, "no such schema is built in");
	if (registry.roots[i] != NULL)
		return 0;
	if (wv_doc_parse(&doc, &registry.arena, builtins[i].name,
		    builtins[i].text, strlen(builtins[i].text), err) != 0 ||
		wv_schema_set_add(registry.set, doc.root, err) != 0)
		return -1;
	registry.roots[i] = doc.root;
	return load_referred(builtins[i].text, err);
}

static const struct wv_schema *
compiled(int i, struct wv_err *err)
{
	if (registry.set == NULL)
		registry.set = wv_schema_set_new();
	if (load(i, err) != 0)
		return NULL;
	if (registry.schemas[i] == NULL)
		registry.schemas[i] = wv_schema_compile(
			registry.set, registry.roots[i], true, err);
	return registry.schemas[i];
}

int
wv_contract_guess(const cJSON *value)
{
	/* In this order; -1: a contract that is not built in yet. */
	static const struct {
		int type;
		const char *members[4];
	} rules[] = {
		{ -1, { "trace_events" } }, /* TraceBundle */
		{ WV_TRACE_EVENT, { "event_type" } },
		{ WV_POLICY_DECISION, { "decision", "decision_id" } },
		{ WV_ROUTING_DECISION, { "choice_cards" } },
		{ WV_CHOICE_CARD, { "items" } },
		{ WV_CAPABILITY_TOKEN, { "token_id", "scope" } },
		{ WV_HANDLE, { "handle_id", "artifact_type" } },
		{ WV_FRAME, { "frame_id" } },
		{ WV_SELECTABLE_ITEM, { "label" } },
		{ WV_CAPABILITY, { "id", "name", "version" } },
	};

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const char *const *name = rules[i].members;
		while (*name != NULL && wv_get(value, *name) != NULL)
			name++;
		if (*name == NULL)
			return rules[i].type;
	}
	return -1;
}

static struct wv_schema_error *
internal_error(struct wv_arena *arena, const struct wv_err *err)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);

	error->instance = error->keyword = "";
	error->message = wv_dup(arena, err->text);
	return error;
}

static bool
is_told(const struct wv_schema_error *errors, const char *instance)
{
	for (; errors != NULL; errors = errors->next) {
		if (strcmp(errors->instance, instance) == 0)
			return true;
	}
	return false;
}

/* Invariants that say again what a schema has said are left out. */
static int
add_invariants(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	struct wv_schema_error *found = NULL, **tail = errors, *next;
	int added = 0;

	wv_invariant_check(type, value, arena, &found);
	while (*tail != NULL)
		tail = &(*tail)->next;
	for (struct wv_schema_error *e = found; e != NULL; e = next) {
		next = e->next;
		if (is_told(*errors, e->instance))
			continue;
		e->next = NULL;
		*tail = e;
		tail = &e->next;
		added++;
	}
	return added;
}

int
wv_contract_check(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors)
{
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema = registry.contracts[type];
	int verdict;

	if (schema == NULL)
		schema = registry.contracts[type] = compiled(
			find_builtin(CORE, contracts[type].name), &err);
	if (schema == NULL) {
		*errors = internal_error(arena, &err);
		return -1;
	}
	verdict = wv_schema_errors(schema, value, arena, MAX_FAULTS, errors);
	if (verdict < 0)
		return -1;
	return add_invariants(type, value, arena, errors) > 0 ? 0 : verdict;
}

/* "/summary: must be a string"; "needs summary" of the whole. */
static char *
describe(struct wv_arena *arena, const struct wv_schema_error *error)
{
	struct wv_str where = { 0 };
	char *text;

	if (error->instance[0] == '\0')
		return wv_dup(arena, error->message);
	wv_str_foreign(&where, error->instance, strlen(error->instance),
		WV_ERR_TEXT / 2);
	text = wv_printf(arena, "%s: %s", where.s, error->message);
	wv_str_free(&where);
	return text;
}

int
wv_contract_require(
	enum wv_contract type, const cJSON *value, struct wv_err *err)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *errors;
	int verdict = wv_contract_check(type, value, &arena, &errors);

	if (verdict != 1)
		wv_err_set(err, "not a %s: %s%s", contracts[type].title,
			describe(&arena, errors),
			errors->next ? ", and more" : "");
	wv_arena_free(&arena);
	return verdict == 1 ? 0 : -1;
}

/* An unknown member first: when a name is mistyped another is missing. */
static const struct wv_schema_error *
first_fault(const struct wv_schema_error *errors)
{
	static const char unknown[] = "/additionalProperties";

	for (const struct wv_schema_error *e = errors; e != NULL; e = e->next) {
		size_t n = strlen(e->keyword);
		if (n >= sizeof unknown - 1 &&
			strcmp(e->keyword + n + 1 - sizeof unknown, unknown) ==
				0)
			return e;
	}
	return errors;
}

int
wv_config_check(const struct wv_doc *doc, const char *kind, struct wv_err *err)
{
	const struct wv_schema *schema =
		compiled(find_builtin("config/", kind), err);
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_schema_error *errors;
	int verdict;

	if (schema == NULL)
		return -1;
	verdict = wv_schema_errors(
		schema, doc->root, &arena, MAX_FAULTS, &errors);
	if (verdict != 1) {
		const struct wv_schema_error *fault = first_fault(errors);
		wv_doc_err(doc, err, fault->instance, "%s",
			describe(&arena, fault));
	}
	wv_arena_free(&arena);
	return verdict == 1 ? 0 : -1;
}
