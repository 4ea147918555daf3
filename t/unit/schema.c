/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include "schema/regex.h"
#include "schema/schema.h"

static struct wv_arena arena;

static cJSON *
json(const char *text)
{
	struct wv_err err = WV_ERR_INIT;
	size_t n = strlen(text);
	cJSON *root = wv_json_read(
		&arena, wv_dupn(&arena, text, n), n, &wv_json_defaults, &err);

	if (root == NULL)
		printf("Bail out! %s in %s\n", err.text, text);
	return root ? root : wv_json_null(&arena);
}

/* A verdict; and "POINTER: message (KEYWORD)" of each error, one a line. */
static int
judge(const char *schema_text, const char *instance_text, struct wv_str *text)
{
	struct wv_schema_set *set = wv_schema_set_new();
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema =
		wv_schema_compile(set, json(schema_text), true, &err);
	struct wv_schema_error *errors = NULL;
	const cJSON *instance;
	int valid, verdict;

	wv_str_cat(text, "");
	if (schema == NULL) {
		wv_str_cat(text, err.text);
		wv_schema_set_free(set);
		return -2;
	}
	instance = json(instance_text);
	valid = wv_schema_valid(schema, instance);
	verdict = wv_schema_errors(schema, instance, &arena, 20, &errors);
	for (; errors != NULL; errors = errors->next)
		wv_str_fmt(text, "%s%s: %s (%s)", text->n ? "\n" : "",
			errors->instance, errors->message, errors->keyword);
	wv_schema_set_free(set);
	return valid == verdict ? verdict : -3;
}

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
		int verdict =
			judge(verdicts[i].schema, verdicts[i].instance, &text);
		if (!ok(verdict == verdicts[i].verdict, "%s of %s",
			    verdicts[i].instance, verdicts[i].schema))
			printf("# %d: %s\n", verdict, text.s);
		wv_str_free(&text);
	}
}

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
		"{\"t\":\"x\"}", "/t: must be a date (/properties/t/format)" },
	{ "{\"oneOf\":[{\"minimum\":1},{\"type\":\"null\"},{\"maximum\":9}]}",
		"5",
		": must fit only one of 3 alternatives, fits 1 and 3 "
		"(/oneOf)" },
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
		judge(messages[i].schema, messages[i].instance, &text);
		is(text.s, messages[i].text, "told: %s of %s",
			messages[i].instance, messages[i].schema);
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
	{ "{\"unevaluatedProperties\":false}",
		"/unevaluatedProperties: keyword is not supported" },
	{ "{\"$defs\":{\"unused\":{\"contains\":1}}}",
		"/$defs/unused/contains: keyword is not supported" },
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
	{ "{\"format\":\"email\"}",
		"/format: format \"email\" is not supported" },
	{ "{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}",
		"/$schema: \"http://json-schema.org/draft-07/schema#\" is not "
		"supported: only https://json-schema.org/draft/2020-12/schema "
		"is" },
	{ "{\"$ref\":\"urn:none\"}", "/$ref: \"urn:none\" is not known here" },
	{ "{\"$ref\":\"#/$defs/none\"}",
		"/$ref: \"#/$defs/none\" leads to no schema" },
	{ "{\"$ref\":\"#anchor\"}", "/$ref: \"#anchor\" leads to no schema" },
	{ "{\"properties\":{\"a\":{\"$id\":\"urn:a\"}}}",
		"/properties/a/$id: is not supported within a schema" },
	/* cases B31 */
	{ "{\"$ref\":\"#\"}", "infinite reference loop at /$ref" },
	{ "{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":"
	  "[true,{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"not\":{\"$ref\":"
	  "\"#/$defs/a\"}}}}",
		"infinite reference loop at /$defs/b/not/$ref" },
	{ "{\"pattern\":\"(\"}",
		"/pattern: not a regular expression: missing closing "
		"parenthesis" },
	{ "{\"patternProperties\":{\"a++\":true}}",
		"/patternProperties: not a regular expression: nothing to "
		"repeat at character 4" },
};

static void
test_refusals(void)
{
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct wv_str text = { 0 };
		int verdict = judge(refusals[i].schema, "1", &text);
		ok(verdict == -2, "refused: %s", refusals[i].schema);
		is(text.s, refusals[i].error, "and why");
		wv_str_free(&text);
	}
}

/* What failed to compile leaves nothing behind that a later one could use. */
static void
test_set(void)
{
	struct wv_schema_set *set = wv_schema_set_new();
	struct wv_err err = WV_ERR_INIT;
	cJSON *a = json("{\"$id\":\"urn:a\",\"$defs\":{\"s\":{\"type\":"
			"\"string\"},\"bad\":{\"type\":\"x\"}}}");
	cJSON *b = json("{\"items\":{\"$ref\":\"urn:a#/$defs/s\"}}");
	const struct wv_schema *schema;

	ok(wv_schema_set_add(set, a, &err) == 0, "a document is added");
	ok(wv_schema_set_add(set, a, &err) == -1, "but not twice");
	wv_err_clear(&err);
	ok(wv_schema_set_add(set, b, &err) == -1, "nor without $id");
	wv_err_clear(&err);
	ok(wv_schema_compile(set, a, true, &err) == NULL, "a is bad");
	wv_err_clear(&err);
	schema = wv_schema_compile(set, b, true, &err);
	ok(schema != NULL, "b needs only the good part: %s", err.text);
	ok(wv_schema_valid(schema, json("[1]")) == 0, "and uses it");
	ok(wv_schema_compile(set, a, true, &err) == NULL, "a is still bad");
	wv_schema_set_free(set);
}

/* Without asserting, a format says nothing, known or not. */
static void
test_format_annotation(void)
{
	struct wv_schema_set *set = wv_schema_set_new();
	struct wv_err err = WV_ERR_INIT;
	cJSON *root = json("{\"format\":\"date-time\",\"properties\":"
			   "{\"a\":{\"format\":\"email\"}}}");
	const struct wv_schema *schema =
		wv_schema_compile(set, root, false, &err);

	ok(schema && wv_schema_valid(schema, json("\"x\"")) == 1,
		"format is an annotation");
	wv_schema_set_free(set);
}

static char *
repeat(const char *s, size_t n, const char *middle, const char *end)
{
	struct wv_str text = { 0 };
	char *copy;

	for (size_t i = 0; i < n; i++)
		wv_str_cat(&text, s);
	wv_str_cat(&text, middle);
	for (size_t i = 0; i < n; i++)
		wv_str_cat(&text, end);
	copy = wv_dupn(&arena, text.s, text.n);
	wv_str_free(&text);
	return copy;
}

/* cases A25: depth costs no crash, and too much of it is told. */
static void
test_depth(void)
{
	static const char tree[] = "{\"properties\":{\"a\":{\"$ref\":\"#\"}},"
				   "\"anyOf\":[{\"type\":\"object\"},"
				   "{\"type\":\"null\"}]}";
	struct wv_json_limits limits = { 5000, 1 << 20, 4096 };
	struct wv_schema_set *set = wv_schema_set_new();
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema =
		wv_schema_compile(set, json(tree), true, &err);
	struct wv_schema_error *errors;
	char *text = repeat("{\"a\":", 510, "null", "}");

	ok(wv_schema_valid(schema, json(text)) == 1, "510 levels");
	text = repeat("{\"a\":", 4000, "null", "}");
	cJSON *deep = wv_json_read(&arena, text, strlen(text), &limits, &err);
	ok(deep != NULL, "4,000 levels are read");
	ok(wv_schema_errors(schema, deep, &arena, 9, &errors) == -1,
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
	ok(judge(text.s, "\"x\"", &why) == 1, "10,000 references");
	wv_str_free(&text);
	wv_str_free(&why);
}

/* Branches within branches within …: it gives up rather than never end. */
static void
test_steps(void)
{
	struct wv_str why = { 0 };
	char *text = repeat("{\"a\":", 40, "1", "}");

	ok(judge("{\"anyOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}}},"
		 "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}],\"type\":"
		 "\"object\"}",
		   text, &why) == -1,
		"2^40 ways to fail");
	ok(strncmp(why.s, ": gave up: too many alternatives to try", 39) == 0,
		"told");
	wv_str_free(&why);
}

static const struct {
	const char *pattern, *subject;
	int found; /* -2: refused */
} patterns[] = {
	{ "b", "abc", 1 },
	{ "^b", "abc", 0 },
	{ "^ab", "abc", 1 },
	{ "^abcd", "abc", 0 },
	{ "c$", "abc\n", 0 },
	{ "^\\d+$", "12", 1 },
	{ "^\\d+$", "\xd9\xa1", 0 }, /* an Arabic digit */
	{ "^\\w+$", "\xc3\xa9", 0 },
	{ "^\\s$", "\xef\xbb\xbf", 1 }, /* U+FEFF is white space here */
	{ "^[\\s]$", "\xe2\x80\xa8", 1 },
	{ "^\\S$", "\xc2\xa0", 0 },
	{ "^[^\\S]$", "\xc2\xa0", 1 },
	{ "^.$", "\xe2\x80\xa8", 0 },
	{ "^.$", "\xf0\x9f\x98\x80", 1 },
	{ "^\\u{1f600}$", "\xf0\x9f\x98\x80", 1 },
	{ "^\\ud83d\\ude00$", "\xf0\x9f\x98\x80", 1 },
	{ "^\\p{Letter}\\P{Lu}$", "Aa", 1 },
	{ "^\\p{Script=Greek}$", "\xce\xb1", 1 },
	{ "^\\cA\\x41\\t\\/\\.$",
		"\x01"
		"A\t/.",
		1 },
	{ "[]", "a", 0 },
	{ "^[^]$", "\n", 1 },
	{ "^[[:alpha:]$", ":", 1 }, /* no class of POSIX: just characters */
	{ "[[:alpha:]]", "", -2 },
	{ "^(?<y>a)\\k<y>\\1$", "aaa", 1 },
	{ "^(?:a|b){2,3}?$", "ab", 1 },
	{ "a{,2}", "", -2 },
	{ "a{2", "", -2 },
	{ "a]", "", -2 },
	{ "*", "", -2 },
	{ "a++", "", -2 },
	{ "(?i)a", "", -2 },
	{ "(?>a)", "", -2 },
	{ "(*UCP)a", "", -2 },
	{ "\\A", "", -2 },
	{ "\\Qa\\E", "", -2 },
	{ "\\-", "", -2 },
	{ "\\ud83d", "", -2 },
	{ "\\u{110000}", "", -2 },
	{ "\\01", "", -2 },
	{ "[a", "", -2 },
	{ "a\\", "", -2 },
};

static void
test_patterns(void)
{
	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		const char *pattern = patterns[i].pattern;
		const char *subject = patterns[i].subject;
		struct wv_err err = WV_ERR_INIT;
		struct wv_regex *regex =
			wv_regex_compile(pattern, strlen(pattern), &err);
		int found = -2;
		/* Often enough for machine code to take over. */
		for (int n = 0; regex != NULL && n < 40; n++)
			found = wv_regex_find(regex, subject, strlen(subject));
		if (!ok(found == patterns[i].found, "pattern %s", pattern))
			printf("# %d %s\n", found, err.text);
		wv_regex_free(regex);
	}
}

/* A limit is no verdict. */
static void
test_limit(void)
{
	struct wv_str why = { 0 };

	ok(judge("{\"properties\":{\"a\":{\"pattern\":\"^(a+)+$\"}}}",
		   "{\"a\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"}",
		   &why) == -1,
		"catastrophic pattern");
	is(why.s,
		": gave up: the pattern is too hard to match "
		"(/properties/a/pattern)",
		"named");
	wv_str_free(&why);

	struct wv_err err = WV_ERR_INIT;
	struct wv_regex *regex = wv_regex_compile("^\\u0000b$", 9, &err);
	ok(regex && wv_regex_find(regex, "\0b", 2) == 1, "NUL in a subject");
	wv_regex_free(regex);
}

int
main(void)
{
	test_verdicts();
	test_messages();
	test_refusals();
	test_set();
	test_format_annotation();
	test_depth();
	test_chain();
	test_steps();
	test_patterns();
	test_limit();
	wv_arena_free(&arena);
	return done();
}
