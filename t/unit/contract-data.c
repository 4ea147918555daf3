/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schemas of the contracts against the specification, their examples, and
 * t/data/contracts: NAME.jsonl are valid, the first has every member, the
 * second only those that are required; of NAME.invalid.jsonl each record says
 * in x_fails by which keyword (or rule) and where.
 */
#include "document.h"

#include "contract/contract.h"

#include <stdlib.h>

static const char *
top(void)
{
	const char *dir = getenv("top_srcdir");

	return dir ? dir : ".";
}

/* Annotations go; what stands in a map of schemas are names, not keywords. */
static void
strip(cJSON *schema)
{
	static const char *const annotations[] = { "$schema", "title",
		"description", "examples", "$comment" };

	for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++)
		wv_take(schema, annotations[i]);
	wv_json_each(keyword, schema) {
		bool is_map = strcmp(keyword->string, "properties") == 0;
		if (is_map || wv_is_array(keyword)) {
			wv_json_each(sub, keyword)
				if (wv_is_object(sub))
					strip(sub);
		} else if (wv_is_object(keyword)) {
			strip(keyword);
		}
	}
}

/* Every member has a description, those of inline items too. */
static bool
is_described(const cJSON *schema)
{
	wv_json_each(member, wv_get(schema, "properties")) {
		if (wv_get_string(member, "description") == NULL ||
			!is_described(wv_get(member, "items")))
			return false;
	}
	return true;
}

/* The members of two objects of the same names, one by one. */
static void
compare(const char *title, const char *path, const cJSON *ours,
	const cJSON *theirs)
{
	ok(wv_count(ours) == wv_count(theirs), "%s%s: as many", title, path);
	wv_json_each(member, theirs)
		ok(wv_json_equal(member, wv_get(ours, member->string)),
			"%s%s/%s is that of the specification", title, path,
			member->string);
}

static void
test_constraints(const cJSON *all)
{
	ok(wv_count(all) == WV_CONTRACT_COUNT, "there are %d contracts",
		WV_CONTRACT_COUNT);
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract type = (enum wv_contract)i;
		const char *title = wv_contract_title(type);
		const cJSON *entry = wv_get(all, wv_contract_name(type));
		const cJSON *theirs = wv_get(entry, "constraints");
		cJSON *ours = json(wv_contract_schema(type));

		ok(is_described(ours) && wv_get_string(ours, "description"),
			"%s says what each member is for", title);
		is(wv_get_string(ours, "title"), title, "under its title");
		is(wv_get_string(entry, "title"), title, "which is theirs");
		is(wv_get_string(entry, "tier"),
			type < WV_CORE_COUNT ? "core" : "extended", "its tier");
		strip(ours);
		compare(title, "", ours, theirs);
		compare(title, "/properties", wv_get(ours, "properties"),
			wv_get(theirs, "properties"));
	}
}

static int
judge(enum wv_contract type, const cJSON *value, bool strict,
	struct wv_schema_error **errors)
{
	struct wv_contract_rules rules = { .strict = strict };

	return wv_contract_judge(type, value, &rules, &arena, errors);
}

static void
must_be_valid(enum wv_contract type, const cJSON *value, const char *what)
{
	struct wv_schema_error *errors;

	if (!ok(judge(type, value, true, &errors) == 1 && errors == NULL,
		    "%s: %s is valid", wv_contract_name(type), what))
		printf("# %s %s\n", errors ? errors->instance : "",
			errors ? errors->message : "");
}

/* Every member stands in the example: what is generated from it is whole. */
static void
test_examples(void)
{
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract type = (enum wv_contract)i;
		const cJSON *schema = json(wv_contract_schema(type));
		const cJSON *example = wv_contract_example(type, &arena);
		bool all = true;

		wv_json_each(member, wv_get(schema, "properties"))
			all = all && wv_get(example, member->string) != NULL;
		ok(all, "the example of %s has every member",
			wv_contract_name(type));
		must_be_valid(type, example, "its example");
	}
}

/* The records of t/data/contracts/NAME.END, as an array. */
static cJSON *
records(enum wv_contract type, const char *end)
{
	const char *path = wv_printf(&arena, "%s/t/data/contracts/%s.%s", top(),
		wv_contract_name(type), end);
	cJSON *array = wv_json_array(&arena);
	char *line = NULL;
	size_t cap = 0;
	FILE *file = fopen(path, "re");

	if (file == NULL)
		printf("Bail out! cannot open %s\n", path);
	while (file != NULL && getline(&line, &cap, file) > 0)
		wv_push(array, json(line));
	if (file != NULL)
		fclose(file);
	free(line);
	return array;
}

static void
test_valid_data(enum wv_contract type)
{
	const cJSON *schema = json(wv_contract_schema(type));
	const cJSON *all = records(type, "jsonl");

	ok(wv_count(all->child) == wv_count(wv_get(schema, "properties")),
		"%s: the first has every member", wv_contract_name(type));
	ok(wv_count(all->child->next) == wv_count(wv_get(schema, "required")) ||
			type == WV_CAPABILITY_TOKEN,
		"and the second no more than it must");
	wv_json_each(record, all)
		must_be_valid(type, record, "a record of t/data");
}

/* keyword: "required", or a rule, "I-01". */
static bool
is_found(const struct wv_schema_error *errors, const char *keyword,
	const char *instance)
{
	for (; errors != NULL; errors = errors->next) {
		const char *last = strrchr(errors->keyword, '/');
		last = last ? last + 1 : errors->keyword;
		if (!errors->warning && strcmp(last, keyword) == 0 &&
			strcmp(errors->instance, instance) == 0)
			return true;
	}
	return false;
}

/* An anyOf tells of its best branch. */
static bool
fails_at(const struct wv_schema_error *errors, const char *instance)
{
	for (; errors != NULL; errors = errors->next) {
		if (strcmp(errors->instance, instance) == 0)
			return true;
	}
	return false;
}

static void
test_invalid_data(enum wv_contract type)
{
	size_t line = 0;

	wv_json_each(record, records(type, "invalid.jsonl")) {
		const char *told = wv_get_string(record, "x_fails");
		char *keyword = wv_dup(&arena, told ? told : "type");
		char *at = strchr(keyword, ' ');
		struct wv_schema_error *errors;
		int verdict = judge(type, record, false, &errors);
		bool found;

		if (at != NULL)
			*at++ = '\0';
		else
			at = keyword + strlen(keyword);
		found = strcmp(keyword, "anyOf") == 0
			? fails_at(errors, at)
			: is_found(errors, keyword, at);
		line++;
		if (!ok(verdict == 0 && found, "%s.invalid.jsonl:%zu: %s",
			    wv_contract_name(type), line, told ? told : "type"))
			for (; errors != NULL; errors = errors->next)
				printf("# %s %s: %s\n", errors->keyword,
					errors->instance, errors->message);
	}
}

int
main(void)
{
	const char *data = getenv("WV_TEST_DATA");
	const char *path = data
		? wv_printf(&arena, "%s/weaver/contract-constraints.json", data)
		: wv_printf(&arena,
			  "%s/../shared/data/weaver/contract-constraints.json",
			  top());
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc all;

	if (wv_doc_load(&all, &arena, path, &err) == 0)
		test_constraints(all.root);
	else
		ok(true, "constraints # SKIP no %s: %s", path, err.text);
	test_examples();
	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		test_valid_data((enum wv_contract)i);
		test_invalid_data((enum wv_contract)i);
	}
	wv_arena_free(&arena);
	return done();
}
