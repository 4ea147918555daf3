/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

static const struct {
	const char *schema, *instance;
	int verdict;
} verdicts[] = {
	{ "true", "1", 1 },
	{ "false", "1", 0 },
	{ "{\"type\":\"integer\"}", "1.0", 1 }, /* cases B17 */
	{ "{\"type\":\"integer\"}", "1e2", 1 },
	{ "{\"type\":\"integer\"}", "1e400", 1 },
	{ "{\"type\":\"integer\"}", "1.5", 0 },
	{ "{\"type\":[\"integer\",\"null\"],\"minimum\":0}", "-0.0", 1 },
	{ "{\"type\":[\"integer\",\"null\"],\"minimum\":0}", "null", 1 },
	{ "{\"type\":[\"integer\",\"null\"],\"minimum\":0}", "-1", 0 },
	{ "{\"const\":1}", "1.0", 1 },
	{ "{\"const\":9007199254740993}", "9007199254740992", 0 },
	{ "{\"enum\":[1,\"a\",null]}", "1.00", 1 },
	{ "{\"enum\":[1,\"a\",null]}", "\"b\"", 0 },
	{ "{\"enum\":[0,1,2,3,4,5,6,7,8,{\"a\":[1.0]}]}", "{\"a\":[1]}", 1 },
	{ "{\"enum\":[0,1,2,3,4,5,6,7,8,{\"a\":[1.0]}]}", "{\"a\":[2]}", 0 },
	{ "{\"enum\":[]}", "1", 0 },
	{ "{\"uniqueItems\":true}", "[1,2,1.0]", 0 },
	{ "{\"uniqueItems\":true}", "[1,\"1\",true,[1],{\"a\":1}]", 1 },
	{ "{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]",
		0 },
	{ "{\"uniqueItems\":true}",
		"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
		"24,25,26,27,28,29,30,31,32,33,\"33\"]",
		1 },
	{ "{\"uniqueItems\":true}",
		"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
		"24,25,26,27,28,29,30,31,32,33,1e0]",
		0 },
	{ "{\"multipleOf\":0.01}", "300.52", 1 }, /* cases B15 */
	{ "{\"multipleOf\":0.1}", "0.3", 1 },
	{ "{\"multipleOf\":0.001}", "314201340.720", 1 },
	{ "{\"multipleOf\":0.1}", "0.35", 0 },
	{ "{\"minLength\":2}", "\"\\ud83d\\ude00\"", 0 }, /* code points */
	{ "{\"minLength\":2}", "\"\\u0000a\"", 1 },
	{ "{\"minLength\":3}", "\"\\u0000a\"", 0 },
	{ "{\"maxLength\":1}", "\"\\u0000\"", 1 },
	{ "{\"maxLength\":1}", "\"\xc3\xa9\"", 1 },
	{ "{\"maxLength\":1}", "\"\xc3\xa9\xc3\xa9\"", 0 },
	{ "{\"minLength\":2.0}", "\"a\"", 0 },
	{ "{\"maxLength\":1e30}", "\"a\"", 1 },
	{ "{\"minItems\":1,\"maxItems\":2}", "[]", 0 },
	{ "{\"minItems\":1,\"maxItems\":2}", "[1,2]", 1 },
	{ "{\"minItems\":1,\"maxItems\":2}", "[1,2,3]", 0 },
	{ "{\"minItems\":1}", "{}", 1 },
	{ "{\"minProperties\":1,\"maxProperties\":1}", "{\"a\":1}", 1 },
	{ "{\"minProperties\":1,\"maxProperties\":1}", "{}", 0 },
	{ "{\"maxProperties\":1}", "{\"a\":1,\"b\":1}", 0 },
	{ "{\"exclusiveMinimum\":1}", "1.0", 0 },
	{ "{\"exclusiveMinimum\":1}", "1.00000000000000000000001", 1 },
	{ "{\"exclusiveMaximum\":1}", "0.99999999999999999999999", 1 },
	{ "{\"maximum\":1e400}", "9e399", 1 },
	{ "{\"items\":{\"type\":\"string\"}}", "[\"a\",1]", 0 },
	{ "{\"items\":false}", "[]", 1 },
	{ "{\"format\":\"date-time\"}", "\"2026-01-02T03:04:05Z\"", 1 },
	{ "{\"format\":\"date-time\"}", "\"2026-02-30T03:04:05Z\"", 0 },
	{ "{\"format\":\"date-time\"}", "\"2026-01-02T03:04:05Z\\u0000\"", 0 },
	{ "{\"format\":\"date-time\"}", "7", 1 },
	{ "{\"format\":\"date\"}", "\"2026-02-28\"", 1 },
	{ "{\"not\":{\"type\":\"string\"}}", "1", 1 },
	{ "{\"not\":{\"type\":\"string\"}}", "\"\"", 0 },
	{ "{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "2", 1 },
	{ "{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]}", "3", 0 },
	{ "{\"anyOf\":[{\"minimum\":5},{\"maximum\":2}]}", "3", 0 },
	{ "{\"anyOf\":[{\"minimum\":5},{\"maximum\":2}]}", "6", 1 },
	{ "{\"oneOf\":[{\"minimum\":5},{\"maximum\":7}]}", "6", 0 },
	{ "{\"oneOf\":[{\"minimum\":5},{\"maximum\":7}]}", "4", 1 },
	{ "{\"if\":{\"minimum\":5},\"then\":{\"multipleOf\":2},"
	  "\"else\":{\"multipleOf\":3}}",
		"6", 1 },
	{ "{\"if\":{\"minimum\":5},\"then\":{\"multipleOf\":2},"
	  "\"else\":{\"multipleOf\":3}}",
		"7", 0 },
	{ "{\"if\":{\"minimum\":5},\"then\":{\"multipleOf\":2},"
	  "\"else\":{\"multipleOf\":3}}",
		"4", 0 },
	{ "{\"then\":false}", "1", 1 },
	{ "{\"properties\":{\"a\":false}}", "{\"b\":1}", 1 },
	{ "{\"properties\":{\"a\":false}}", "{\"a\":1}", 0 },
	/* around the eight bytes that a name is found by */
	{ "{\"properties\":{\"abcdefg\":false,\"abcdefgh\":true,"
	  "\"abcdefghi\":false,\"abcdefghijklmnop\":true,"
	  "\"abcdefghijklmnopq\":false},\"additionalProperties\":false}",
		"{\"abcdefgh\":1,\"abcdefghijklmnop\":1}", 1 },
	{ "{\"properties\":{\"abcdefgh\":true},"
	  "\"additionalProperties\":false}",
		"{\"abcdefghi\":1}", 0 },
	{ "{\"properties\":{\"abcdefgh\":true},"
	  "\"additionalProperties\":false}",
		"{\"abcdefg\":1}", 0 },
	{ "{\"properties\":{\"\":true},\"additionalProperties\":false}",
		"{\"\":1}", 1 },
	{ "{\"properties\":{\"a\\u0000b\":true},"
	  "\"additionalProperties\":false}",
		"{\"a\\u0000b\":1}", 1 },
	{ "{\"properties\":{\"a\\u0000b\":true},"
	  "\"additionalProperties\":false}",
		"{\"a\":1}", 0 },
	{ "{\"patternProperties\":{\"^x_\":true,\"[0-9]+$\":"
	  "{\"type\":\"integer\"}},\"additionalProperties\":false}",
		"{\"x_\":1,\"a7\":7}", 1 },
	{ "{\"patternProperties\":{\"^x_\":true,\"[0-9]+$\":"
	  "{\"type\":\"integer\"}},\"additionalProperties\":false}",
		"{\"x_7\":\"\"}", 0 },
	{ "{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}", 0 },
	{ "{\"$ref\":\"#/$defs/a~1b%25\",\"$defs\":{\"a/b%\":"
	  "{\"type\":\"string\"}}}",
		"1", 0 },
	{ "{\"$id\":\"urn:x\",\"properties\":{\"a\":{\"$ref\":\"urn:x#\"}},"
	  "\"type\":\"object\"}",
		"{\"a\":{\"a\":{}}}", 1 },
	{ "{\"$id\":\"urn:x\",\"properties\":{\"a\":{\"$ref\":\"urn:x#\"}},"
	  "\"type\":\"object\"}",
		"{\"a\":{\"a\":[]}}", 0 },
	/* siblings of a reference count */
	{ "{\"$ref\":\"#/$defs/n\",\"minimum\":3,\"$defs\":{\"n\":"
	  "{\"type\":\"number\"}}}",
		"2", 0 },
};

static void
test_verdicts(void)
{
	for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
		struct wv_str text = { 0 };
		int verdict = judge(&strict, verdicts[i].schema,
			verdicts[i].instance, &text);
		if (!ok(verdict == verdicts[i].verdict, "%s of %s",
			    verdicts[i].instance, verdicts[i].schema))
			printf("# %d: %s\n", verdict, text.s);
		wv_str_free(&text);
	}
}

static const struct {
	const char *schema, *error;
} refusals[] = {
	{ "1", "a schema must be an object, true or false" },
	{ "{\"type\":\"Integer\"}", /* cases B21 */
		"/type: \"Integer\" is no type (did you mean \"integer\"?)" },
	{ "{\"properties\":{\"a\":{\"requird\":[]}}}",
		"/properties/a/requird: keyword is not supported "
		"(did you mean \"required\"?)" },
	{ "{\"$defs\":{\"unused\":{\"contains\":1}}}",
		"/$defs/unused/contains: must be a schema: an object, true or "
		"false" },
	{ "{\"items\":[true]}",
		"/items: must be a schema: an object, true or false" },
	{ "{\"minLength\":-1}",
		"/minLength: must be a whole number, 0 or more" },
	{ "{\"minLength\":1.5}",
		"/minLength: must be a whole number, 0 or more" },
	{ "{\"multipleOf\":0}", "/multipleOf: must be a number above 0" },
	{ "{\"required\":[\"a\",\"a\"]}", "/required: names \"a\" twice" },
	{ "{\"required\":[1]}", "/required: must be a list of names" },
	{ "{\"anyOf\":[]}", "/anyOf: must be a list of at least one schema" },
	{ "{\"format\":\"emial\"}",
		"/format: format \"emial\" is not supported" },
	{ "{\"$ref\":\"urn:none\"}", "/$ref: \"urn:none\" is not known here" },
	{ "{\"$ref\":\"#/$defs/none\"}",
		"/$ref: \"#/$defs/none\" leads to no schema" },
	{ "{\"$ref\":\"#anchor\"}", "/$ref: \"#anchor\" leads to no schema" },
	/* cases B31 */
	{ "{\"$ref\":\"#\"}", "infinite reference loop at /$ref" },
	{ "{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":"
	  "[true,{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"not\":{\"$ref\":"
	  "\"#/$defs/a\"}}}}",
		"infinite reference loop at /$defs/b/not/$ref" },
	{ "{\"pattern\":\"(\"}",
		"/pattern: not a regular expression: no ) for a ( at "
		"character 2" },
	{ "{\"patternProperties\":{\"a++\":true}}",
		"/patternProperties: not a regular expression: nothing to "
		"repeat at character 3" },
};

static void
test_refusals(void)
{
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct wv_str text = { 0 };
		int verdict = judge(&strict, refusals[i].schema, "1", &text);
		ok(verdict == -2, "refused: %s", refusals[i].schema);
		is(text.s, refusals[i].error, "and why");
		wv_str_free(&text);
	}
}

/* What failed to compile leaves nothing behind that a later one could use. */
static void
test_set(void)
{
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_err err = WV_ERR_INIT;
	cJSON *a = json("{\"$id\":\"urn:a\",\"$defs\":{\"s\":{\"type\":"
			"\"string\"},\"bad\":{\"type\":\"x\"}}}");
	cJSON *b = json("{\"items\":{\"$ref\":\"urn:a#/$defs/s\"}}");
	const struct wv_schema *schema;

	ok(wv_schema_set_add(set, a, NULL, &err) == 0, "a document is added");
	ok(wv_schema_set_add(set, a, NULL, &err) == -1, "but not twice");
	wv_err_clear(&err);
	ok(wv_schema_set_add(set, b, NULL, &err) == -1, "nor without $id");
	wv_err_clear(&err);
	ok(wv_schema_compile(set, a, &err) == NULL, "a is bad");
	wv_err_clear(&err);
	schema = wv_schema_compile(set, b, &err);
	ok(schema != NULL, "b needs only the good part: %s", err.text);
	ok(wv_schema_valid(schema, json("[1]")) == 0, "and uses it");
	ok(wv_schema_compile(set, a, &err) == NULL, "a is still bad");
	wv_schema_set_free(set);
}

/* Without asserting, a format says nothing, known or not. */
static void
test_format_annotation(void)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	cJSON *root = json("{\"format\":\"date-time\",\"properties\":"
			   "{\"a\":{\"format\":\"email\"}}}");
	const struct wv_schema *schema = wv_schema_compile(set, root, &err);

	ok(schema && wv_schema_valid(schema, json("\"x\"")) == 1,
		"format is an annotation");
	wv_schema_set_free(set);
}

int
main(void)
{
	test_verdicts();
	test_refusals();
	test_set();
	test_format_annotation();
	wv_arena_free(&arena);
	return done();
}
