/* SPDX-License-Identifier: Apache-2.0 */
/* The contracts and their samples, and the suite of JSON Schema. */
#include "scan-said.h"

#include "contract/contract.h"

#include <dirent.h>

static const char *
data_path(const char *path)
{
	const char *data = getenv("WV_TEST_DATA"), *top = getenv("top_srcdir");

	if (data != NULL)
		return wv_printf(&arena, "%s/%s", data, path);
	return wv_printf(&arena, "%s/../shared/data/%s", top ? top : ".", path);
}

/* The schemas of the contracts as they are, each by its own. */
static void
test_contract(enum wv_contract type)
{
	static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	const struct wv_schema *schema = NULL;
	struct wv_err err = WV_ERR_INIT;
	const cJSON *example = wv_contract_example(type, &arena);
	struct wv_str text = { 0 };

	for (int i = 0; i < WV_CONTRACT_COUNT; i++) {
		enum wv_contract each = (enum wv_contract)i;
		wv_schema_set_add(set, json(wv_contract_schema(each)),
			wv_contract_id(each), &err);
	}
	schema = wv_schema_compile(set, json(wv_contract_schema(type)), &err);
	if (schema != NULL && example != NULL)
		wv_json_write(&text, example);
	ok(schema != NULL && wv_schema_can_scan(schema) &&
			scan(schema, text.s, text.n) == YES,
		"the example of %s: %s", wv_contract_title(type), err.text);
	wv_str_free(&text);
	wv_schema_set_free(set);
	wv_arena_reset(&arena);
}

/* The suite of JSON Schema, wherever a schema can be scanned. */
struct suite {
	struct wv_schema_options options;
	size_t said[LEFT + 1], wrong;
};

static void
scan_group(struct suite *suite, const char *path, const cJSON *group)
{
	struct wv_schema_set *set = wv_schema_set_new(&suite->options);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema =
		wv_schema_compile(set, wv_get(group, "schema"), &err);

	wv_json_each(test, wv_get(group, "tests")) {
		struct wv_str text = { 0 };
		enum said said;
		if (schema == NULL || !wv_schema_can_scan(schema))
			break;
		wv_json_write(&text, wv_get(test, "data"));
		said = scan(schema, text.s, text.n);
		if (said == WRONG || said == LEFT)
			printf("# %s of %s: %s\n", text.s, path,
				wv_get_string(test, "description"));
		if (said == WRONG)
			suite->wrong++;
		else
			suite->said[said]++;
		wv_str_free(&text);
	}
	wv_schema_set_free(set);
}

static int
is_test(const struct dirent *entry)
{
	return strstr(entry->d_name, ".json") != NULL;
}

static void
test_suite(enum wv_draft draft)
{
	struct suite suite = { .options = { draft, true, false, NULL } };
	const char *name = wv_draft_names()[draft];
	const char *folder = data_path(
		wv_printf(&arena, "json-schema-test-suite/tests/%s", name));
	struct dirent **entries;
	int count = scandir(folder, &entries, is_test, alphasort);

	if (count < 0) {
		ok(true, "suite of %s # SKIP no %s", name, folder);
		return;
	}
	for (int i = 0; i < count; i++) {
		struct wv_err err = WV_ERR_INIT;
		struct wv_doc doc;
		const char *path =
			wv_printf(&arena, "%s/%s", folder, entries[i]->d_name);
		if (wv_doc_load(&doc, &arena, path, &err) == 0)
			wv_json_each(group, doc.root)
				scan_group(&suite, path, group);
		free(entries[i]);
	}
	free(entries);
	ok(suite.wrong == 0 && suite.said[LEFT] == 0 && suite.said[YES] > 200 &&
			suite.said[NO] > 200,
		"suite of %s: %zu yes, %zu no, %zu left, %zu wrong", name,
		suite.said[YES], suite.said[NO], suite.said[LEFT], suite.wrong);
	wv_arena_reset(&arena);
}

/* The samples of the contracts. */
static void
test_sample(const char *path, const char *file)
{
	struct wv_contract_rules rules = { .schema_only = true };
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;
	int type;

	if (wv_doc_load(&doc, &arena, path, &err) != 0)
		return;
	type = wv_contract_guess(doc.root);
	if (type < 0 || type >= WV_CORE_COUNT)
		return;
	ok(wv_contract_scan((enum wv_contract)type, &rules, doc.text, doc.len,
		   &wv_json_defaults),
		"sample %s", file);
}

static void
test_samples(void)
{
	const char *folder = data_path("weaver/samples");
	struct dirent **entries;
	int count = scandir(folder, &entries, is_test, alphasort);

	if (count < 0)
		ok(true, "samples # SKIP no %s", folder);
	for (int i = 0; i < count; i++) {
		test_sample(
			wv_printf(&arena, "%s/%s", folder, entries[i]->d_name),
			entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	wv_arena_reset(&arena);
}

int
main(void)
{
	for (int i = 0; i < WV_CORE_COUNT; i++)
		test_contract((enum wv_contract)i);
	test_samples();
	for (int i = WV_DRAFT_4; i <= WV_DRAFT_2020_12; i++)
		test_suite((enum wv_draft)i);
	return done_scanning();
}
