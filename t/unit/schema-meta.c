/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in meta-schemas, and lint. */
#include "document.h"

#include "schema/schema.h"

#define D4 "\"$schema\":\"http://json-schema.org/draft-04/schema#\","
#define D7 "\"$schema\":\"http://json-schema.org/draft-07/schema\","
#define D2019 "\"$schema\":\"https://json-schema.org/draft/2019-09/schema\","

static const struct {
	const char *schema, *first; /* "POINTER: message", NULL: valid */
	int verdict;
} metas[] = {
	{ "{\"type\":\"integer\",\"whatever\":1}", NULL, 1 },
	{ "{\"properties\":{\"a\":{\"minLength\":\"1\"}}}",
		"/properties/a/minLength", 0 },
	{ "{" D4 "\"exclusiveMinimum\":1}", "", 0 },
	{ "{" D4 "\"properties\":{\"a\":true}}", "/properties/a", 0 },
	{ "{" D7 "\"items\":[{\"if\":1}]}", "/items/0/if", 0 },
	{ "{" D2019 "\"$defs\":{\"a\":{\"unevaluatedItems\":1}}}",
		"/$defs/a/unevaluatedItems", 0 },
	{ "{\"prefixItems\":[]}", "/prefixItems", 0 },
	{ "{\"$schema\":\"http://x/none\"}", "", -1 },
};

static void
test_metas(void)
{
	for (size_t i = 0; i < sizeof metas / sizeof metas[0]; i++) {
		struct wv_schema_set *set = wv_schema_set_new(NULL);
		struct wv_schema_error *errors = NULL;
		int verdict = wv_schema_meta_errors(
			set, json(metas[i].schema), &arena, 5, &errors);
		ok(verdict == metas[i].verdict, "by its meta-schema: %s",
			metas[i].schema);
		is(errors ? errors->instance : NULL, metas[i].first,
			"and where it is wrong");
		wv_schema_set_free(set);
	}
}

/* Every meta-schema is built in under its own URI and judges itself. */
static void
test_meta_files(void)
{
	static const char *const paths[] = {
		"http://json-schema.org/draft-0|4/schema",
		"http://json-schema.org/draft-0|6/schema",
		"http://json-schema.org/draft-0|7/schema",
		"https://json-schema.org/draft/|2019-09/schema",
		"https://json-schema.org/draft/|2019-09/meta/core",
		"https://json-schema.org/draft/|2019-09/meta/applicator",
		"https://json-schema.org/draft/|2019-09/meta/validation",
		"https://json-schema.org/draft/|2019-09/meta/meta-data",
		"https://json-schema.org/draft/|2019-09/meta/format",
		"https://json-schema.org/draft/|2019-09/meta/content",
		"https://json-schema.org/draft/|2020-12/schema",
		"https://json-schema.org/draft/|2020-12/meta/core",
		"https://json-schema.org/draft/|2020-12/meta/applicator",
		"https://json-schema.org/draft/|2020-12/meta/unevaluated",
		"https://json-schema.org/draft/|2020-12/meta/validation",
		"https://json-schema.org/draft/|2020-12/meta/meta-data",
		"https://json-schema.org/draft/|2020-12/meta/format-annotation",
		"https://json-schema.org/draft/|2020-12/meta/format-assertion",
		"https://json-schema.org/draft/|2020-12/meta/content"
	};

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		struct wv_schema_set *set = wv_schema_set_new(NULL);
		struct wv_err err = WV_ERR_INIT;
		size_t n = strcspn(paths[i], "|");
		const cJSON *root =
			json(wv_printf(&arena, "{\"$ref\":\"%.*s%s\"}", (int)n,
				paths[i], paths[i] + n + 1));
		const struct wv_schema *schema =
			wv_schema_compile(set, root, &err);
		ok(schema && wv_schema_valid(schema, json("{}")) == 1 &&
				wv_schema_valid(schema, json("1")) == 0,
			"%s: %s", paths[i], err.text);
		wv_schema_set_free(set);
	}
}

static const struct {
	const char *schema, *warnings;
} lints[] = {
	{ "{\"properties\":{\"requird\":{},\"typ\":{}},\"$defs\":{"
	  "\"itmes\":{}},\"const\":{\"requird\":1},\"x_requird\":1}",
		"" },
	{ "{\"items\":{\"requird\":[\"a\"]},\"tpye\":\"x\"}",
		"/items/requird: unknown keyword \"requird\" (did you mean "
		"\"required\"?)\n"
		"/tpye: unknown keyword \"tpye\" (did you mean \"type\"?)\n" },
	{ "{\"allOf\":[{\"then\":false,\"minContains\":2}],\"if\":true,"
	  "\"then\":true}",
		"/allOf/0/then: \"then\" has no effect without \"if\"\n"
		"/allOf/0/minContains: \"minContains\" has no effect without "
		"\"contains\"\n" },
	{ "{" D7 "\"additionalItems\":false,\"prefixItems\":[]}",
		"/additionalItems: \"additionalItems\" has no effect unless "
		"\"items\" is a list\n"
		"/prefixItems: \"prefixItems\" has no effect in this dialect "
		"of draft7\n" },
	{ "{" D7 "\"properties\":{\"a\":{\"$ref\":\"#\",\"title\":\"\","
	  "\"minimum\":1}}}",
		"/properties/a/minimum: \"minimum\" has no effect beside "
		"\"$ref\" in draft7\n" },
	{ "{\"properties\":{\"a\":{\"$ref\":\"#\",\"minimum\":1}}}", "" },
	{ "{\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{}},"
	  "\"additionalProperties\":false}",
		"/required: needs \"b\", which \"additionalProperties\" "
		"refuses\n" },
	{ "{\"required\":[\"a\"],\"patternProperties\":{\"a\":{}},"
	  "\"additionalProperties\":false}",
		"" },
};

static void
test_lint(void)
{
	for (size_t i = 0; i < sizeof lints / sizeof lints[0]; i++) {
		struct wv_schema_set *set = wv_schema_set_new(NULL);
		struct wv_schema_error *one;
		struct wv_str text = { 0 };
		wv_str_cat(&text, "");
		wv_schema_lint(set, json(lints[i].schema), &arena, &one);
		for (; one != NULL; one = one->next)
			wv_str_fmt(
				&text, "%s: %s\n", one->instance, one->message);
		is(text.s, lints[i].warnings, "lint of %s", lints[i].schema);
		wv_str_free(&text);
		wv_schema_set_free(set);
	}
}

int
main(void)
{
	test_metas();
	test_meta_files();
	test_lint();
	wv_arena_free(&arena);
	return done();
}
