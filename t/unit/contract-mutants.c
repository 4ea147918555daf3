/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of each contract's example every constraint is broken once, driven by the
 * schema: the verdict must be no, with that keyword, at that place, and the
 * scan must not say yes.  That none was forgotten is counted over the
 * constraints of the specification.
 */
#include "tap.h"

#include "contract/contract.h"
#include "json/num.h"

#include <stdlib.h>

static struct wv_arena arena;

struct mutation {
	enum wv_contract type;
	cJSON *example;
	size_t count;
};

static bool
is_found(const struct wv_schema_error *errors, const char *keyword,
	const char *instance)
{
	for (; errors != NULL; errors = errors->next) {
		const char *last = strrchr(errors->keyword, '/');
		if ((keyword == NULL ||
			    (last != NULL && strcmp(last + 1, keyword) == 0)) &&
			strcmp(errors->instance, instance) == 0)
			return true;
	}
	return false;
}

static bool
scan(enum wv_contract type, const cJSON *value, bool schema_only)
{
	struct wv_contract_rules rules = { .schema_only = schema_only };
	struct wv_str text = { 0 };
	bool result;

	wv_json_write(&text, value);
	wv_str_room(&text, WV_JSON_SLACK);
	result = wv_contract_scan(
		type, &rules, text.s, text.n, &wv_json_defaults);
	wv_str_free(&text);
	return result;
}

/* keyword: NULL for an anyOf, which tells of its best branch. */
static void
must_fail(struct mutation *m, const char *keyword, const char *instance)
{
	static const struct wv_contract_rules rules = { 0 };
	struct wv_schema_error *errors;
	int verdict =
		wv_contract_judge(m->type, m->example, &rules, &arena, &errors);

	m->count++;
	if (!ok(verdict == 0 && is_found(errors, keyword, instance),
		    "%s fails %s at \"%s\"", wv_contract_name(m->type),
		    keyword ? keyword : "anyOf", instance))
		for (; errors != NULL; errors = errors->next)
			printf("# %s %s: %s\n", errors->keyword,
				errors->instance, errors->message);
	ok(!scan(m->type, m->example, false) &&
			!scan(m->type, m->example, true),
		"and is not scanned");
}

/* Breaks a value of the example where it stands, and mends it again. */
static void
with(struct mutation *m, cJSON *value, const cJSON *broken, const char *keyword,
	const char *instance)
{
	cJSON saved = *value;

	*value = *broken;
	value->string = saved.string;
	value->next = saved.next;
	value->prev = saved.prev;
	must_fail(m, keyword, instance);
	*value = saved;
}

static cJSON *
text(const char *s)
{
	return wv_json_string(&arena, s);
}

static bool
allows(const cJSON *types, const char *name)
{
	if (wv_is_string(types))
		return strcmp(types->valuestring, name) == 0;
	wv_json_each(one, types)
		if (strcmp(one->valuestring, name) == 0)
			return true;
	return false;
}

/* Of another type than any that is allowed. */
static cJSON *
other_type(const cJSON *types)
{
	if (allows(types, "integer"))
		return wv_json_number(&arena, "1.5");
	return allows(types, "string") ? wv_json_int(&arena, 7) : text("text");
}

static cJSON *
copies(const cJSON *array, size_t count)
{
	cJSON *copy = wv_json_array(&arena);

	while (count-- > 0)
		wv_push(copy, wv_json_copy(&arena, array->child));
	return copy;
}

static int64_t
whole(const cJSON *limit)
{
	int64_t value = 0;

	wv_num_int64(limit, &value);
	return value;
}

static const char *
below(const char *instance, const char *name)
{
	return wv_printf(&arena, "%s/%s", instance, name);
}

static void break_schema(struct mutation *m, const cJSON *schema, cJSON *value,
	const char *instance);

static void
break_required(struct mutation *m, const cJSON *names, cJSON *value,
	const char *instance)
{
	wv_json_each(name, names) {
		cJSON *broken = wv_json_copy(&arena, value);
		wv_take(broken, name->valuestring);
		with(m, value, broken, "required", instance);
	}
}

static void
break_values(struct mutation *m, const cJSON *keyword, cJSON *value,
	const char *instance)
{
	const char *name = keyword->string;
	cJSON *broken = NULL;

	if (strcmp(name, "type") == 0)
		broken = other_type(keyword);
	else if (strcmp(name, "enum") == 0 || strcmp(name, "const") == 0)
		broken = text("no such thing");
	else if (strcmp(name, "minLength") == 0)
		broken = text("");
	else if (strcmp(name, "pattern") == 0 || strcmp(name, "format") == 0)
		broken = text("!");
	else if (strcmp(name, "minimum") == 0)
		broken = wv_json_int(&arena, whole(keyword) - 1);
	else if (strcmp(name, "maximum") == 0)
		broken = wv_json_int(&arena, whole(keyword) + 1);
	else if (strcmp(name, "minItems") == 0)
		broken = wv_json_array(&arena);
	else if (strcmp(name, "maxItems") == 0)
		broken = copies(value, (size_t)whole(keyword) + 1);
	if (broken != NULL)
		with(m, value, broken, name, instance);
}

/* What is referred to is broken where it is the contract. */
static void
break_reference(struct mutation *m, const cJSON *schema, cJSON *value,
	const char *instance)
{
	with(m, value, wv_json_int(&arena, 7),
		wv_get(schema, "anyOf") ? NULL : "type", instance);
}

static void
break_schema(struct mutation *m, const cJSON *schema, cJSON *value,
	const char *instance)
{
	const cJSON *items = wv_get(schema, "items");
	const cJSON *values = wv_get(schema, "additionalProperties");

	if (wv_get(schema, "$ref") != NULL ||
		(instance[0] != '\0' &&
			(wv_get(schema, "anyOf") || wv_get(schema, "allOf")))) {
		break_reference(m, schema, value, instance);
		return;
	}
	wv_json_each(keyword, schema)
		break_values(m, keyword, value, instance);
	break_required(m, wv_get(schema, "required"), value, instance);
	wv_json_each(member, wv_get(schema, "properties"))
		break_schema(m, member, wv_get(value, member->string),
			below(instance, member->string));
	if (items != NULL)
		break_schema(m, items, value->child, below(instance, "0"));
	if (wv_is_object(values))
		break_schema(m, values, value->child,
			below(instance, value->child->string));
}

/* What applies to a record as a whole, by the members that break it. */
static const struct {
	enum wv_contract type;
	const char *members, *keyword, *instance;
	size_t constraints; /* that it stands for */
} wholes[] = {
	{ WV_CAPABILITY_TOKEN, "{\"expires_at\":null,\"single_use\":false}",
		NULL, "", 1 },
	{ WV_EVALUATION_ARTIFACT,
		"{\"support_state\":\"high_risk\","
		"\"recommendation_kind\":\"deploy\"}",
		"not", "", 2 },
	{ WV_EXECUTION_CANDIDATE, "{\"candidate_type\":\"agent\"}", "const",
		"/candidate_type", 2 },
};

static void
break_whole(struct mutation *m)
{
	for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
		const char *members = wholes[i].members;
		cJSON *broken, *values;

		if (wholes[i].type != m->type)
			continue;
		broken = wv_json_copy(&arena, m->example);
		values = wv_json_read(&arena, wv_dup(&arena, members),
			strlen(members), &wv_json_defaults, NULL);
		wv_json_each(value, values)
			wv_put(&arena, broken, value->string,
				wv_json_copy(&arena, value));
		with(m, m->example, broken, wholes[i].keyword,
			wholes[i].instance);
		m->count += wholes[i].constraints - 1;
	}
}

/* The constraints of a schema: what break_schema() has to find. */
static size_t
count_constraints(const cJSON *schema)
{
	static const char *const ones[] = { "type", "enum", "const",
		"minLength", "pattern", "format", "minimum", "maximum",
		"minItems", "maxItems", "$ref", "anyOf", "allOf", "if",
		"then" };
	size_t count = wv_count(wv_get(schema, "required"));

	for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
		count += wv_get(schema, ones[i]) != NULL;
	wv_json_each(member, wv_get(schema, "properties"))
		count += count_constraints(member);
	if (wv_get(schema, "items") != NULL)
		count += count_constraints(wv_get(schema, "items"));
	if (wv_is_object(wv_get(schema, "additionalProperties")))
		count += count_constraints(
			wv_get(schema, "additionalProperties"));
	return count;
}

static void
test_contract(enum wv_contract type, const cJSON *theirs)
{
	const char *schema_text = wv_contract_schema(type);
	struct mutation m = { .type = type };
	struct wv_doc schema;

	m.example = wv_json_copy(&arena, wv_contract_example(type, &arena));
	ok(scan(type, m.example, true), "%s: its example is scanned",
		wv_contract_name(type));
	ok(scan(type, m.example, false) ==
			(type != WV_CHOICE_CARD &&
				type != WV_ROUTING_DECISION &&
				type != WV_TRACE_BUNDLE),
		"with all rules unless no schema says them");
	if (wv_doc_parse(&schema, &arena, "schema", schema_text,
		    strlen(schema_text), NULL) != 0)
		return;
	break_schema(&m, schema.root, m.example, "");
	break_whole(&m);
	if (theirs != NULL)
		ok(m.count == count_constraints(theirs),
			"%s: %zu constraints broken of %zu",
			wv_contract_name(type), m.count,
			count_constraints(theirs));
}

int
main(void)
{
	const char *data = getenv("WV_TEST_DATA"), *top = getenv("top_srcdir");
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc all = { 0 };
	const char *path = data
		? wv_printf(&arena, "%s/weaver/contract-constraints.json", data)
		: wv_printf(&arena,
			  "%s/../shared/data/weaver/contract-constraints.json",
			  top ? top : ".");

	if (wv_doc_load(&all, &arena, path, &err) != 0)
		ok(true, "count of constraints # SKIP no %s: %s", path,
			err.text);
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract type = (enum wv_contract)i;
		const cJSON *entry = wv_get(all.root, wv_contract_name(type));
		test_contract(type, wv_get(entry, "constraints"));
	}
	wv_arena_free(&arena);
	return done();
}
