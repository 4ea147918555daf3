/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a value that is not valid. */
#include "judge.h"

static const struct {
	const char *schema, *instance, *text;
} messages[] = {
	{ "{\"required\":[\"summary\"]}", "{}", ": needs summary (/required)" },
	{ "{\"enum\":[\"allow\",\"deny\"]}", "\"alow\"",
		": must be one of \"allow\", \"deny\" (did you mean \"allow\"?)"
		" (/enum)" },
	{ "{\"properties\":{\"command\":true},"
	  "\"additionalProperties\":false}",
		"{\"commandPrefixx\":1}", /* cases D17 */
		"/commandPrefixx: unknown member \"commandPrefixx\" "
		"(did you mean \"command\"?) (/additionalProperties)" },
	{ "{\"type\":[\"string\",\"null\"]}", "[]",
		": must be a string or null, not an array (/type)" },
	{ "{\"type\":\"integer\"}", "1.5",
		": must be a whole number, not a fraction (/type)" },
	{ "{\"properties\":{\"a\":false}}", "{\"a\":true}",
		"/a: is not allowed here (/properties/a)" },
	{ "{\"minItems\":1}", "[]", ": must have at least 1 item (/minItems)" },
	{ "{\"minimum\":1e400}", "1", ": must be at least 1e400 (/minimum)" },
	{ "{\"const\":{\"a\":[1]}}", "1", ": must be {\"a\":[1]} (/const)" },
	/* in the order of the instance, parents first */
	{ "{\"properties\":{\"b\":{\"type\":\"string\"},\"a\":{\"items\":"
	  "{\"type\":\"string\"}}},\"required\":[\"c\"]}",
		"{\"a\":[\"\",1],\"b\":2}",
		": needs c (/required)\n"
		"/a/1: must be a string, not a number "
		"(/properties/a/items/type)\n"
		"/b: must be a string, not a number (/properties/b/type)" },
	/* pointers are those of RFC 6901 */
	{ "{\"properties\":{\"a/b\":{\"properties\":{\"~\":false}}}}",
		"{\"a/b\":{\"~\":1}}",
		"/a~1b/~0: is not allowed here "
		"(/properties/a~1b/properties/~0)" },
	/* cases B19 */
	{ "{\"anyOf\":[{\"properties\":{\"once\":{\"const\":true}},"
	  "\"required\":[\"once\"]},{\"properties\":{\"end\":{\"type\":"
	  "\"string\"}},\"required\":[\"end\"]}]}",
		"{\"end\":null,\"once\":false}",
		": needs end, or once: true (/anyOf)" },
	/* the branch by its type, not the first */
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\","
	  "\"required\":[\"a\"]}]}",
		"{}", ": needs a (/anyOf/1/required)" },
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\"}]}", "1",
		": must be a string or an array, not a number (/anyOf)" },
	/* the branch whose constant fits */
	{ "{\"oneOf\":[{\"properties\":{\"k\":{\"const\":\"a\"},\"v\":"
	  "{\"type\":\"string\"}}},{\"properties\":{\"k\":{\"const\":\"b\"},"
	  "\"v\":{\"type\":\"number\"}}}]}",
		"{\"k\":\"b\",\"v\":\"\"}",
		"/v: must be a number, not a string "
		"(/oneOf/1/properties/v/type)" },
	/* what was said of a member is not said again of the whole */
	{ "{\"properties\":{\"t\":{\"format\":\"date\"}},\"anyOf\":["
	  "{\"required\":[\"u\"]},{\"properties\":{\"t\":{\"format\":"
	  "\"date\"}},\"required\":[\"t\"]}]}",
		"{\"t\":\"x\"}",
		"/t: must be a date such as 2026-01-31 "
		"(/properties/t/format)" },
	{ "{\"oneOf\":[{\"minimum\":1},{\"type\":\"null\"},{\"maximum\":9}]}",
		"5",
		": must fit only one of 3 alternatives, fits 1 and 3 "
		"(/oneOf)" },
	/* arrays */
	{ "{\"prefixItems\":[true,true],\"items\":false}", "[1,2,3,4]",
		"/2: is an item too many: there may be at most 2 (/items)" },
	{ "{\"items\":false}", "[1]",
		"/0: is an item too many: there may be at most 0 (/items)" },
	{ "{\"contains\":{\"const\":\"x\"}}", "[1]",
		": needs an item \"x\", none does (/contains)" },
	{ "{\"contains\":{\"minimum\":5}}", "[1]",
		": needs an item that fits, none does (/contains)" },
	{ "{\"contains\":{\"minimum\":5}}", "[]",
		": needs an item that fits, has none at all (/contains)" },
	{ "{\"contains\":{\"minimum\":5},\"minContains\":2}", "[1,5,2]",
		": needs at least 2 items that fit, has 1 (/minContains)" },
	{ "{\"contains\":{\"minimum\":5},\"maxContains\":1}", "[6,5,7]",
		": must have at most 1 item that fits (/maxContains)" },
	{ "{\"prefixItems\":[true],\"unevaluatedItems\":false}", "[1,2]",
		"/1: is an item that nothing else allows (/unevaluatedItems)" },
	{ "{\"uniqueItems\":true}", "[1,2,3,2.0]",
		": must not have two equal items, as 1 and 3 are "
		"(/uniqueItems)" },
	/* members */
	{ "{\"dependentRequired\":{\"a\":[\"b\",\"c\"]}}", "{\"a\":1}",
		": needs b, because a is there (/dependentRequired)\n"
		": needs c, because a is there (/dependentRequired)" },
	{ "{\"dependentRequired\":{\"x\":[]},\"dependencies\":"
	  "{\"a\":[\"b\"]}}",
		"{\"a\":1}", ": needs b, because a is there (/dependencies)" },
	{ "{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]}}}", "{\"a\":1}",
		": needs b (/dependentSchemas/a/required)" },
	{ "{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}",
		"/abc: its name must have at most 2 characters "
		"(/propertyNames/maxLength)" },
	{ "{\"properties\":{\"name\":true},\"additionalProperties\":false}",
		"{\"Name\":1}",
		"/Name: unknown member \"Name\" (did you mean \"name\"?) "
		"(/additionalProperties)" },
	/* what is there already was not meant */
	{ "{\"properties\":{\"name\":true},\"additionalProperties\":false}",
		"{\"Name\":1,\"name\":1}",
		"/Name: unknown member \"Name\" (/additionalProperties)" },
	{ "{\"allOf\":[{\"properties\":{\"name\":true}}],\"anyOf\":[{"
	  "\"properties\":{\"address\":true}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"name\":1,\"adress\":1}",
		"/adress: unknown member \"adress\" (did you mean "
		"\"address\"?) (/unevaluatedProperties)" },
	/* what a branch that failed knows is not unknown as well */
	{ "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}}},"
	  "{\"properties\":{\"a\":{\"type\":\"null\"}}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1}",
		"/a: must be a string, not a number "
		"(/anyOf/0/properties/a/type)" },
	/* not */
	{ "{\"not\":{\"required\":[\"a\"]}}", "{\"a\":1}",
		": must not have a (/not)" },
	{ "{\"not\":{\"required\":[\"a\",\"b\",\"c\"]}}",
		"{\"a\":1,\"b\":2,\"c\":3}",
		": must not have a, b and c together (/not)" },
	{ "{\"not\":{\"const\":\"x\"}}", "\"x\"",
		": must not be \"x\" (/not)" },
	{ "{\"not\":{\"enum\":[1,2]}}", "2",
		": must not be one of 1, 2 (/not)" },
	{ "{\"not\":{\"type\":[\"null\",\"object\"]}}", "{}",
		": must not be an object or null (/not)" },
	{ "{\"not\":{\"minimum\":1}}", "2",
		": is what the schema excludes (/not)" },
	/* the values of all branches at once */
	{ "{\"oneOf\":[{\"const\":\"red\"},{\"const\":\"green\"},{\"enum\":"
	  "[\"blue\",\"black\"]}]}",
		"\"grene\"",
		": must be one of \"red\", \"green\", \"blue\", \"black\" (did "
		"you mean \"green\"?) (/oneOf)" },
	{ "{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"cat\"}}},"
	  "{\"properties\":{\"kind\":{\"enum\":[\"dog\"]}}}]}",
		"{\"kind\":\"dgo\"}",
		"/kind: must be one of \"cat\", \"dog\" (did you mean "
		"\"dog\"?) (/oneOf)" },
	/* a wrong constant is worse than a wrong choice */
	{ "{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"}}},"
	  "{\"properties\":{\"kind\":{\"const\":\"b\"},\"v\":{\"enum\":"
	  "[1,2]}}}]}",
		"{\"kind\":\"b\",\"v\":3}",
		"/v: must be one of 1, 2 (/oneOf/1/properties/v/enum)" },
	{ "{\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}",
		"{\"a\":1,\"b\":1}",
		": must have only one of: a, or b (/oneOf)" },
	{ "{\"format\":\"email\"}", "\"x\"",
		": must be an email such as ann@example.org (/format)" },
	/* foreign text cannot reach the terminal */
	{ "{\"additionalProperties\":false}", "{\"\\u001b[1m\":1}",
		"/\x1b[1m: unknown member \"\\x1b[1m\" "
		"(/additionalProperties)" },
};

static void
test_messages(void)
{
	for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
		struct wv_str text = { 0 };
		judge(&strict, messages[i].schema, messages[i].instance, &text);
		is(text.s, messages[i].text, "told: %s of %s",
			messages[i].instance, messages[i].schema);
		wv_str_free(&text);
	}
}

/* The URI and the pointer are those of the document. */
static void
test_place(void)
{
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *other =
		json("{\"$id\":\"https://x.test/b\",\"$defs\":{\"in\":{\"$id\":"
		     "\"c\",\"type\":\"string\"}}}");
	const cJSON *root = json("{\"$id\":\"https://x.test/a\",\"items\":"
				 "{\"$ref\":\"c\"}}");
	const struct wv_schema *schema;
	struct wv_schema_error *errors = NULL;

	ok(wv_schema_set_add(set, other, NULL, &err) == 0, "added");
	schema = wv_schema_compile(set, root, &err);
	ok(schema &&
			wv_schema_errors(schema, json("[1]"), WV_BRANCH_NEAREST,
				&arena, 9, &errors) == 0,
		"judged: %s", err.text);
	is(errors ? errors->schema : NULL, "https://x.test/b", "document");
	is(errors ? errors->keyword : NULL, "/$defs/in/type", "pointer");
	wv_schema_set_free(set);
}

/* No more than asked for, in the order of the value. */
static void
test_max(void)
{
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema = wv_schema_compile(set,
		json("{\"items\":{\"type\":\"null\"},\"allOf\":[{\"items\":"
		     "{\"minimum\":9}}]}"),
		&err);
	const cJSON *instance = json("[1,2,3]");
	struct wv_schema_error *errors;
	size_t count = 0;

	wv_schema_errors(
		schema, instance, WV_BRANCH_NEAREST, &arena, 2, &errors);
	for (; errors != NULL; errors = errors->next)
		count++;
	ok(count == 2, "two of six");
	wv_schema_errors(
		schema, instance, WV_BRANCH_NEAREST, &arena, 20, &errors);
	is(errors->next->instance, "/0", "both of an item together");
	is(errors->next->next->instance, "/1", "then those of the next");
	wv_schema_set_free(set);
}

static const struct {
	const char *schema, *instance, *text;
} alternatives[] = {
	/* cases B19 */
	{ "{\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"],"
	  "\"properties\":{\"b\":{\"const\":true}}}]}",
		"{}",
		": needs a, or b: true\n"
		": alternative 1 of 2: needs a\n"
		": alternative 2 of 2: needs b" },
	{ "{\"oneOf\":[{\"type\":\"string\"},{\"minimum\":5},"
	  "{\"type\":\"number\",\"maximum\":1,\"multipleOf\":2}]}",
		"3",
		": must be at least 5\n"
		": alternative 1 of 3: must be a string, not a number\n"
		": alternative 3 of 3: must be at most 1\n"
		": alternative 3 of 3: must be a multiple of 2" },
	/* though something has been said of the value */
	{ "{\"required\":[\"x\"],\"anyOf\":[{\"required\":[\"a\"]}]}", "{}",
		": needs x\n"
		": needs a\n"
		": alternative 1 of 1: needs a" },
	/* within an alternative the nearest */
	{ "{\"anyOf\":[{\"minimum\":5},{\"anyOf\":[{\"type\":\"null\"},"
	  "{\"maximum\":1}]}]}",
		"3",
		": must be at least 5\n"
		": alternative 2 of 2: must be at most 1" },
	/* two at one place do not hide each other */
	{ "{\"allOf\":[{\"anyOf\":[{\"properties\":{\"a\":{\"minimum\":5}}},"
	  "{\"properties\":{\"b\":{\"minimum\":5}}}]},"
	  "{\"anyOf\":[{\"properties\":{\"b\":{\"minimum\":6}}}]}]}",
		"{\"a\":1,\"b\":1}",
		"/a: must be at least 5\n"
		"/b: alternative 2 of 2: must be at least 5\n"
		"/b: must be at least 6" },
};

static void
tell_all(const struct wv_schema_error *errors, struct wv_str *text)
{
	wv_str_cat(text, "");
	for (; errors != NULL; errors = errors->next)
		wv_str_fmt(text, "%s%s: %s", text->n ? "\n" : "",
			errors->instance, errors->message);
}

static void
test_alternatives(void)
{
	for (size_t i = 0; i < sizeof alternatives / sizeof alternatives[0];
		i++) {
		struct wv_schema_set *set = wv_schema_set_new(&strict);
		struct wv_err err = WV_ERR_INIT;
		const struct wv_schema *schema = wv_schema_compile(
			set, json(alternatives[i].schema), &err);
		const cJSON *instance = json(alternatives[i].instance);
		struct wv_schema_error *errors;
		struct wv_str text = { 0 };
		size_t count = 0;
		wv_schema_errors(
			schema, instance, WV_BRANCH_EACH, &arena, 20, &errors);
		tell_all(errors, &text);
		is(text.s, alternatives[i].text, "each alternative: %s",
			alternatives[i].schema);
		wv_str_free(&text);
		wv_schema_errors(
			schema, instance, WV_BRANCH_EACH, &arena, 2, &errors);
		for (; errors != NULL; errors = errors->next)
			count++;
		ok(count == 2, "no more than two");
		wv_schema_set_free(set);
	}
}

int
main(void)
{
	test_messages();
	test_alternatives();
	test_place();
	test_max();
	wv_arena_free(&arena);
	return done();
}
