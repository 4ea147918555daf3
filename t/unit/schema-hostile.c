/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded time and memory, whatever schema and value are. */
#include "judge.h"

/* cases A25: depth costs no crash, and too much of it is told. */
static void
test_depth(void)
{
	static const char tree[] = "{\"properties\":{\"a\":{\"$ref\":\"#\"}},"
				   "\"anyOf\":[{\"type\":\"object\"},"
				   "{\"type\":\"null\"}]}";
	struct wv_json_limits limits = { 5000, 1 << 20, 4096 };
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema =
		wv_schema_compile(set, json(tree), &err);
	struct wv_schema_error *errors;
	char *text = repeat("{\"a\":", 510, "null", "}");

	ok(wv_schema_valid(schema, json(text)) == 1, "510 levels");
	text = repeat("{\"a\":", 4000, "null", "}");
	cJSON *deep = wv_json_read(&arena, text, strlen(text), &limits, &err);
	ok(deep != NULL, "4,000 levels are read");
	ok(wv_schema_errors(
		   schema, deep, WV_BRANCH_NEAREST, &arena, 9, &errors) == -1,
		"but not judged");
	is(errors ? errors->message : NULL,
		"is nested too deeply for this schema", "which is told");
	wv_schema_set_free(set);
}

/* A chain of references is no depth, however long. */
static void
test_chain(void)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, "{\"$ref\":\"#/$defs/0\",\"$defs\":{");
	for (int i = 0; i < 10000; i++)
		wv_str_fmt(
			&text, "\"%d\":{\"$ref\":\"#/$defs/%d\"},", i, i + 1);
	wv_str_cat(&text, "\"10000\":{\"type\":\"string\"}}}");
	struct wv_str why = { 0 };
	ok(judge(&strict, text.s, "\"x\"", &why) == 1, "10,000 references");
	wv_str_free(&text);
	wv_str_free(&why);
}

/* Branches within branches within …: it gives up rather than never end. */
static void
test_steps(void)
{
	struct wv_str why = { 0 };
	char *text = repeat("{\"a\":", 40, "1", "}");

	ok(judge(&strict,
		   "{\"anyOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
		   "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}],\"type\":"
		   "\"object\"}",
		   text, &why) == -1,
		"2^40 ways to fail");
	ok(strncmp(why.s, ": gave up: too many alternatives to try", 39) == 0,
		"told");
	wv_str_free(&why);
}

/* A limit is no verdict. */
static void
test_limit(void)
{
	struct wv_str why = { 0 };

	ok(judge(&strict, "{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}",
		   "{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"}",
		   &why) == -1,
		"catastrophic pattern");
	is(why.s,
		": gave up: the pattern is too hard to match "
		"(/properties/a/pattern)",
		"named");
	wv_str_free(&why);
}

/* A meta-schema takes three evaluations for each "not". */
static void
test_meta_depth(void)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_schema_error *errors;
	const cJSON *root = json(repeat("{\"not\":", 510, "true", "}"));
	const cJSON *bad = json(repeat("{\"not\":", 510, "1", "}"));

	ok(wv_schema_meta_errors(set, root, &arena, 9, &errors) == 1,
		"a schema as deep as the reader allows");
	ok(wv_schema_meta_errors(set, bad, &arena, 9, &errors) == 0,
		"and a bad one");
	wv_schema_set_free(set);
}

/* A loop that only the dynamic scope closes, which no compiler can see. */
static void
test_dynamic_loop(void)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;
	struct wv_schema_error *errors = NULL;

	ok(wv_schema_set_add(set,
		   json("{\"$id\":\"urn:x:inner\",\"$dynamicRef\":\"#a\","
			"\"$defs\":{\"a\":{\"$dynamicAnchor\":\"a\"}}}"),
		   NULL, &err) == 0,
		"added");
	schema = wv_schema_compile(set,
		json("{\"$id\":\"urn:x:outer\",\"$dynamicAnchor\":\"a\","
		     "\"$ref\":\"urn:x:inner\"}"),
		&err);
	ok(schema != NULL, "compiled: %s", err.text);
	ok(schema &&
			wv_schema_errors(schema, json("1"), WV_BRANCH_NEAREST,
				&arena, 9, &errors) == -1,
		"no verdict");
	is(errors ? errors->message : NULL,
		"is nested too deeply for this schema", "told");
	wv_schema_set_free(set);
}

/* Only the best branch is remembered. */
static void
test_branches(void)
{
	struct wv_str schema = { 0 }, why = { 0 };

	wv_str_cat(&schema, "{\"anyOf\":[");
	for (int i = 0; i < 10000; i++)
		wv_str_fmt(&schema,
			"{\"required\":[\"a\",\"b\",\"c\"],\"properties\":{"
			"\"k\":{\"const\":%d},\"v\":{\"minimum\":%d}}},",
			i, i);
	wv_str_cat(&schema, "false]}");
	ok(judge(&strict, schema.s, "{\"k\":7000,\"v\":1,\"a\":1,\"b\":1}",
		   &why) == 0,
		"10,000 branches");
	is(why.s,
		": needs c (/anyOf/7000/required)\n"
		"/v: must be at least 7000 "
		"(/anyOf/7000/properties/v/minimum)",
		"and the one that was meant");
	wv_str_free(&schema);
	wv_str_free(&why);
}

/* Reasons of branches within branches within …: memory for one a level. */
static void
test_deep_branches(void)
{
	struct wv_str why = { 0 };

	ok(judge(&strict, repeat("{\"anyOf\":[false,", 200, "false", "]}"), "1",
		   &why) == 0,
		"200 levels of anyOf");
	ok(strstr(why.s, "is not allowed here") != NULL, "told: %s", why.s);
	wv_str_free(&why);
}

/* A name asks for a name for a name …: no name is looked up twice. */
static void
test_dependents(void)
{
	enum { COUNT = 100000 };
	struct wv_str schema = { 0 }, instance = { 0 }, why = { 0 };

	wv_str_cat(&schema, "{\"dependentRequired\":{");
	wv_str_cat(&instance, "{");
	for (int i = 0; i < COUNT; i++) {
		wv_str_fmt(
			&schema, "%s\"%d\":[\"%d\"]", i ? "," : "", i, i + 1);
		wv_str_fmt(&instance, "%s\"%d\":1", i ? "," : "", i);
	}
	wv_str_cat(&schema, "}}");
	wv_str_cat(&instance, "}");
	ok(judge(&strict, schema.s, instance.s, &why) == 0, "100,000 members");
	is(why.s,
		": needs 100000, because 99999 is there "
		"(/dependentRequired)",
		"one is missing");
	wv_str_free(&schema);
	wv_str_free(&instance);
	wv_str_free(&why);
}

/* An exponent is never expanded, and a million items are sorted. */
static void
test_numbers(void)
{
	struct wv_str why = { 0 };
	char *zeros = repeat("0,", 1000000, "0", "");

	ok(judge(&strict, "{\"multipleOf\":7}", "1e999999999", &why) == 0,
		"1e999999999 is no multiple of 7");
	ok(judge(&strict, "{\"multipleOf\":1e-999999999}", "1e999999999",
		   &why) == 1,
		"but of 1e-999999999");
	ok(judge(&strict, "{\"uniqueItems\":true}",
		   wv_printf(&arena, "[%s]", zeros), &why) == 0,
		"a million zeros");
	wv_str_free(&why);
}

/* What is looked at again for each branch is counted, too. */
static void
test_looks(void)
{
	struct wv_str schema = { 0 }, why = { 0 };
	char *members;
	struct wv_str text = { 0 };

	wv_str_cat(&schema, "{\"$defs\":{\"0\":{\"properties\":{\"x\":false}}");
	for (int i = 1; i < 24; i++)
		wv_str_fmt(&schema,
			",\"%d\":{\"allOf\":[{\"$ref\":\"#/$defs/%d\"},"
			"{\"$ref\":\"#/$defs/%d\"}]}",
			i, i - 1, i - 1);
	wv_str_cat(&schema,
		"},\"$ref\":\"#/$defs/23\",\"unevaluatedProperties\":true}");
	for (int i = 0; i < 20000; i++)
		wv_str_fmt(&text, "%s\"%d\":1", i ? "," : "{", i);
	members = wv_printf(&arena, "%s}", text.s);
	ok(judge(&strict, schema.s, members, &why) == -1,
		"20,000 members, 2^23 times each");
	ok(strstr(why.s, "gave up: too many alternatives") != NULL, "told");
	wv_str_free(&schema);
	wv_str_free(&text);
	wv_str_free(&why);
}

int
main(void)
{
	test_depth();
	test_chain();
	test_steps();
	test_limit();
	test_meta_depth();
	test_dynamic_loop();
	test_branches();
	test_deep_branches();
	test_dependents();
	test_numbers();
	test_looks();
	wv_arena_free(&arena);
	return done();
}
