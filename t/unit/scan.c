/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas and records, and what the scan says of them. */
#include "scan-said.h"

static const struct {
	const char *schema, *instance;
	enum said want;
} table[] = {
	{ "true", "1", YES },
	{ "true", " \t\r\n{ } \n", YES },
	{ "false", "{}", NO },
	{ "{\"type\":\"object\"}", "[]", NO },
	/* types */
	{ "{\"type\":\"integer\"}", "1.0", YES }, /* cases B17 */
	{ "{\"type\":\"integer\"}", "1e2", YES },
	{ "{\"type\":\"integer\"}", "-0", YES },
	{ "{\"type\":\"integer\"}", "1.5", NO },
	{ "{\"type\":\"integer\"}", "123456789012345678901234567890123", YES },
	{ "{\"type\":\"number\"}", "1.5e-7", YES },
	{ "{\"type\":\"number\"}", "\"1\"", NO },
	{ "{\"type\":[\"string\",\"null\"]}", "null", YES },
	{ "{\"type\":[\"string\",\"null\"]}", "false", NO },
	{ "{\"type\":\"boolean\"}", "true", YES },
	{ "{\"type\":\"boolean\"}", "false", YES },
	/* constants */
	{ "{\"const\":\"a\"}", "\"a\"", YES },
	{ "{\"const\":\"a\"}", "\"\\u0061\"", YES },
	{ "{\"const\":\"a\"}", "\"b\"", NO },
	{ "{\"const\":\"a\"}", "[]", NO },
	{ "{\"const\":1}", "1.0", YES },
	{ "{\"const\":1}", "true", NO },
	{ "{\"const\":null}", "null", YES },
	{ "{\"const\":\"\\u0000\"}", "\"\\u0000\"", YES },
	{ "{\"enum\":[\"a\",\"abcdefgh\",\"abcdefghi\",7,true]}",
		"\"abcdefgh\"", YES },
	{ "{\"enum\":[\"a\",\"abcdefgh\",\"abcdefghi\",7,true]}",
		"\"abcdefghi\"", YES },
	{ "{\"enum\":[\"a\",\"abcdefgh\",\"abcdefghi\",7,true]}",
		"\"abcdefghij\"", NO },
	{ "{\"enum\":[\"a\",\"abcdefgh\",\"abcdefghi\",7,true]}", "\"\"", NO },
	{ "{\"enum\":[\"a\",\"abcdefgh\",\"abcdefghi\",7,true]}", "70e-1",
		YES },
	{ "{\"enum\":[1,2,3,4,5,6,7,8,9,null]}", "null", YES },
	{ "{\"enum\":[1,2,3,4,5,6,7,8,9,null]}", "10", NO },
	{ "{\"enum\":[\"\xc3\xa9\"]}", "\"\\u00e9\"", YES },
	/* strings */
	{ "{\"minLength\":2}", "\"\xc3\xa9\"", NO },
	{ "{\"minLength\":2}", "\"\xc3\xa9\\n\"", YES },
	{ "{\"minLength\":2}", "\"\\ud83d\\ude00\"", NO },
	{ "{\"minLength\":1}", "\"\"", NO },
	{ "{\"maxLength\":1}", "\"\\ud83d\\ude00\"", YES },
	{ "{\"maxLength\":1}", "\"\xf0\x9f\x98\x80\"", YES },
	{ "{\"maxLength\":1}", "\"ab\"", NO },
	{ "{\"pattern\":\"^[a-z]+$\"}", "\"abc\"", YES },
	{ "{\"pattern\":\"^[a-z]+$\"}", "\"ab\\u0063\"", YES },
	{ "{\"pattern\":\"^[a-z]+$\"}", "\"ab\\u0000\"", NO },
	{ "{\"pattern\":\"b\\u0000\"}", "\"ab\\u0000\"", YES },
	{ "{\"format\":\"date-time\"}", "\"2024-06-01T00:00:00Z\"", YES },
	{ "{\"format\":\"date-time\"}", "\"2024-06-01\\u005400:00:00Z\"", YES },
	{ "{\"format\":\"date-time\"}", "\"2024-06-31T00:00:00Z\"", NO },
	{ "{\"format\":\"date-time\"}", "7", YES },
	/* numbers */
	{ "{\"minimum\":0}", "0", YES },
	{ "{\"minimum\":0}", "-0.0", YES },
	{ "{\"minimum\":0}", "-1", NO },
	{ "{\"exclusiveMaximum\":10}", "9.999999999999999999999", YES },
	{ "{\"exclusiveMaximum\":10}", "1e1", NO },
	{ "{\"multipleOf\":0.1}", "0.3", YES },
	{ "{\"multipleOf\":3}", "10", NO },
	/* arrays */
	{ "{\"items\":{\"type\":\"string\"},\"minItems\":1}", "[\"a\", \"b\"]",
		YES },
	{ "{\"items\":{\"type\":\"string\"},\"minItems\":1}", "[]", NO },
	{ "{\"items\":{\"type\":\"string\"}}", "[\"a\",1]", NO },
	{ "{\"prefixItems\":[{\"type\":\"string\"},true],\"items\":false}",
		"[\"a\",{}]", YES },
	{ "{\"prefixItems\":[{\"type\":\"string\"},true],\"items\":false}",
		"[\"a\",{},1]", NO },
	{ "{\"maxItems\":1}", "[[],[]]", NO },
	/* objects */
	{ OBJECT, "{\"id\":\"x\",\"there\":0}", YES },
	{ OBJECT, "{\"there\":0,\"id\":\"x\"}", YES },
	{ OBJECT, "{\"\\u0069d\":\"x\",\"th\\u0065re\":0}", YES },
	{ OBJECT, "{\"id\":\"x\"}", NO },
	{ OBJECT, "{\"id\":\"\",\"there\":0}", NO },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"id\":\"y\"}", NO },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"\\u0069d\":\"y\"}", NO },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"a\":1,\"a\":1}", NO },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"a\":1,\"\\u0061\":1}", NO },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"\":7}", YES },
	{ OBJECT, "{\"id\":\"x\",\"there\":0,\"\":\"\"}", NO },
	{ OBJECT, "{\"id\":\"x\",\"capability_identifier\":null,\"there\":0}",
		YES },
	{ OBJECT, "{\"id\":\"x\",\"capability_identifie\":1,\"there\":0}",
		YES },
	{ OBJECT, "{\"id\":\"x\",\"capability_identifier\":1,\"there\":0}",
		NO },
	{ OBJECT, "{\"id\":\"x\",\"other\":{},\"there\":0}", NO },
	{ OBJECT, "{\"id\":\"x\",\"other\":{\"a\":[{}]},\"there\":0}", YES },
	{ "{\"minProperties\":1,\"maxProperties\":2}", "{}", NO },
	{ "{\"minProperties\":1,\"maxProperties\":2}", "{\"a\":1,\"b\":{}}",
		YES },
	{ "{\"minProperties\":1,\"maxProperties\":2}",
		"{\"a\":1,\"b\":{},\"c\":0}", NO },
	{ "{\"properties\":{\"a\":true},\"additionalProperties\":false}",
		"{\"a\":1}", YES },
	{ "{\"properties\":{\"a\":true},\"additionalProperties\":false}",
		"{\"b\":1}", NO },
	{ "{\"properties\":{\"a\":false}}", "{\"a\":1}", NO },
	{ "{\"required\":[\"a\"],\"additionalProperties\":{\"type\":\"null\"}}",
		"{\"a\":1}", NO },
	{ "{\"patternProperties\":{\"^a\":{\"type\":\"string\"},"
	  "\"b$\":{\"minLength\":2}},\"additionalProperties\":false}",
		"{\"ab\":\"xy\",\"a\":\"\",\"b\":\"xy\"}", YES },
	{ "{\"patternProperties\":{\"^a\":{\"type\":\"string\"},"
	  "\"b$\":{\"minLength\":2}},\"additionalProperties\":false}",
		"{\"ab\":\"x\"}", NO },
	{ "{\"patternProperties\":{\"^a\":false}}", "{\"\\u0061\":1}", NO },
	{ "{\"patternProperties\":{\"^a\":false}}", "{\"b\\u0000\":1}", LEFT },
	{ "{\"propertyNames\":{\"maxLength\":1}}",
		"{\"a\":\"b\",\"\\n\":[\"\"]}", YES },
	{ "{\"propertyNames\":{\"maxLength\":1}}", "{\"a\":\"b\",\"cc\":\"\"}",
		NO },
	/* in place */
	{ "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"properties\":{\"a\":"
	  "{\"$ref\":\"#\",\"type\":\"object\"}}}}}",
		"{\"a\":{\"a\":{\"b\":\"\"}}}", YES },
	{ "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"properties\":{\"a\":"
	  "{\"$ref\":\"#\",\"type\":\"object\"}}}}}",
		"{\"a\":{\"a\":{\"a\":\"\"}}}", NO },
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"required\":[\"a\"]}]}",
		"{\"b\":\"x\",\"a\":\"y\"}", YES },
	{ "{\"anyOf\":[{\"type\":\"string\"},{\"required\":[\"a\"]}]}",
		"{\"b\":\"x\"}", NO },
	{ "{\"oneOf\":[{\"minLength\":1},{\"minLength\":2}]}", "\"a\"", YES },
	{ "{\"oneOf\":[{\"minLength\":1},{\"minLength\":2}]}", "\"ab\"", NO },
	{ "{\"allOf\":[{\"minLength\":1},{\"maxLength\":2}]}", "\"abc\"", NO },
	{ "{\"items\":{\"not\":{\"required\":[\"a\"]}}}", "[{\"b\":\"c\"},{}]",
		YES },
	{ "{\"items\":{\"not\":{\"required\":[\"a\"]}}}",
		"[{\"b\":\"c\"},{\"a\":{}}]", NO },
	{ "{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},"
	  "\"else\":{\"required\":[\"c\"]}}",
		"{\"b\":\"\",\"a\":\"\"}", YES },
	{ "{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},"
	  "\"else\":{\"required\":[\"c\"]}}",
		"{\"a\":\"\"}", NO },
	{ "{\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]},"
	  "\"else\":{\"required\":[\"c\"]}}",
		"{\"c\":\"\"}", YES },
	{ "{\"not\":{\"patternProperties\":{\"^a\":false}}}",
		"{\"b\\u0000\":1}", NO },
};

static void
test_table(void)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		const char *text = table[i].instance;
		struct wv_schema_set *set;
		const struct wv_schema *schema = compile(&set, table[i].schema);
		ok(wv_schema_can_scan(schema) &&
				scan(schema, text, strlen(text)) ==
					table[i].want,
			"row %zu, %s", i, table[i].schema);
		wv_schema_set_free(set);
		wv_arena_reset(&arena);
	}
}

static const char *const cannot[] = {
	"{\"const\":{}}",
	"{\"enum\":[1,[]]}",
	"{\"uniqueItems\":true}",
	"{\"contains\":{\"type\":\"null\"}}",
	"{\"dependentRequired\":{\"a\":[\"b\"]}}",
	"{\"dependentSchemas\":{\"a\":false}}",
	"{\"unevaluatedItems\":false}",
	"{\"unevaluatedProperties\":false}",
	"{\"properties\":{\"a\\\"b\":true}}",
	"{\"properties\":{\"a\\u0000\":true}}",
	"{\"$dynamicRef\":\"#a\",\"$defs\":{\"x\":{\"$dynamicAnchor\":\"a\"}}}",
	"{\"items\":{\"properties\":{\"a\":{\"not\":{\"const\":[]}}}}}",
};

static void
test_cannot(void)
{
	for (size_t i = 0; i < sizeof cannot / sizeof cannot[0]; i++) {
		struct wv_schema_set *set;
		const struct wv_schema *schema = compile(&set, cannot[i]);
		ok(!wv_schema_can_scan(schema) &&
				!wv_schema_scan(schema, "1               ", 1,
					&wv_json_defaults),
			"cannot scan %s", cannot[i]);
		wv_schema_set_free(set);
		wv_arena_reset(&arena);
	}
}

static void
nest(struct wv_str *out, size_t depth)
{
	out->n = 0;
	for (size_t i = 0; i < depth; i++)
		wv_str_cat(out, i % 2 ? "[" : "{\"a\":");
	wv_str_cat(out, "0");
	while (depth-- > 0)
		wv_str_chr(out, depth % 2 ? ']' : '}');
}

static void
test_limits(void)
{
	struct wv_json_limits limits = { 5, 7, 9 };
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(
		&set, "{\"properties\":{\"a\":{\"items\":{\"$ref\":\"#\"}}}}");
	struct wv_str out = { 0 };

	nest(&out, 5);
	ok(scan_within(schema, out.s, out.n, &limits) == YES, "depth");
	nest(&out, 6);
	ok(scan_within(schema, out.s, out.n, &limits) == NO, "too deep");
	ok(scan_within(schema, "[0,0,0,0,0,0]", 13, &limits) == YES, "values");
	ok(scan_within(schema, "[0,0,0,0,0,0,0]", 15, &limits) == NO,
		"too many values");
	ok(scan_within(schema, "12345.6789e12", 13, &limits) == YES, "digits");
	ok(scan_within(schema, "12345.67890e1", 13, &limits) == NO,
		"too many digits");
	nest(&out, 512);
	ok(scan(schema, out.s, out.n) == LEFT, "deep nesting is left");
	nest(&out, 513);
	ok(scan(schema, out.s, out.n) == NO, "deeper nesting is wrong");
	wv_str_free(&out);
	wv_schema_set_free(set);
}

/* count members nN, those after `unique` the same again. */
static enum said
scan_members(const struct wv_schema *schema, unsigned count, unsigned unique)
{
	struct wv_str out = { 0 };
	enum said said;

	for (unsigned i = 0; i < count; i++)
		wv_str_fmt(&out, "%c\"n%u\":\"\"", i ? ',' : '{', i % unique);
	wv_str_chr(&out, '}');
	said = scan(schema, out.s, out.n);
	wv_str_free(&out);
	return said;
}

static void
test_members(void)
{
	struct wv_schema_set *set, *other;
	const struct wv_schema *any = compile(&set, "{\"minProperties\":2}");
	const struct wv_schema *plain = compile(&other, "true");

	ok(scan_members(any, 100, 100) == YES, "a hundred members");
	ok(scan_members(any, 100, 99) == NO, "one of them twice");
	ok(scan_members(any, 1000, 1000) == LEFT, "a thousand are left");
	ok(scan_members(any, 1000, 999) == NO, "one of them twice");
	ok(scan_members(plain, 100, 100) == YES, "where all is allowed");
	ok(scan_members(plain, 100, 99) == NO, "one of them twice");
	wv_schema_set_free(set);
	wv_schema_set_free(other);
}

/* What multiplies is given up in time. */
static void
test_budget(void)
{
	struct wv_str out = { 0 };
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(&set,
		"{\"anyOf\":[{\"items\":{\"$ref\":\"#\"},\"maxItems\":0},"
		"{\"items\":{\"$ref\":\"#\"},\"maxItems\":0},"
		"{\"items\":{\"$ref\":\"#\"}}]}");

	for (unsigned i = 0; i < 60; i++)
		wv_str_chr(&out, '[');
	for (unsigned i = 0; i < 60; i++)
		wv_str_chr(&out, ']');
	ok(!wv_schema_scan(schema, out.s, out.n, &wv_json_defaults),
		"branches within branches");
	wv_str_free(&out);
	wv_schema_set_free(set);
}

int
main(void)
{
	test_table();
	test_cannot();
	test_limits();
	test_members();
	test_budget();
	return done_scanning();
}
