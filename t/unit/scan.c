/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv_schema_scan() says yes exactly when the reader and wv_schema_valid() do,
 * but for the shapes it leaves to them: never wrongly, wherever the text
 * stands and whatever follows it.
 */
#include "tap.h"

#include "contract/contract.h"

#include <dirent.h>
#include <stdlib.h>

static struct wv_arena arena;
static struct wv_arena record; /* what scan() reads */

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

static const struct wv_schema *
compile(struct wv_schema_set **set, const char *text)
{
	static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;

	*set = wv_schema_set_new(&strict);
	schema = wv_schema_compile(*set, json(text), &err);
	if (schema == NULL)
		printf("Bail out! %s in %s\n", err.text, text);
	return schema;
}

enum said { WRONG = -1, NO, YES, LEFT };

/* What the scan says: NO and YES are right, LEFT is a valid record that it
 * leaves to the tree.  The text ends with its memory but for the slack. */
static enum said
scan_within(const struct wv_schema *schema, const char *text, size_t n,
	const struct wv_json_limits *limits)
{
	char *copy = malloc(n + WV_JSON_SLACK);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *tree;
	bool yes, valid;

	memcpy(copy, text, n);
	memset(copy + n, '"', WV_JSON_SLACK);
	yes = wv_schema_scan(schema, copy, n, limits);
	memset(copy + n, '}', WV_JSON_SLACK);
	if (wv_schema_scan(schema, copy, n, limits) != yes)
		yes = !yes; /* which is one too many, or wrong */
	wv_arena_reset(&record);
	tree = wv_json_read(&record, copy, n, limits, &err);
	valid = tree != NULL && wv_schema_valid(schema, tree) == 1;
	free(copy);
	if (valid)
		return yes ? YES : LEFT;
	return yes ? WRONG : NO;
}

static enum said
scan(const struct wv_schema *schema, const char *text, size_t n)
{
	return scan_within(schema, text, n, &wv_json_defaults);
}

#define OBJECT \
	"{\"type\":\"object\",\"properties\":{" \
	"\"id\":{\"type\":\"string\",\"minLength\":1}," \
	"\"capability_identifier\":{\"type\":[\"string\",\"null\"]}," \
	"\"when\":{\"type\":\"string\",\"format\":\"date-time\"}," \
	"\"\":{\"type\":\"integer\"}," \
	"\"other\":{\"type\":\"object\",\"required\":[\"a\"]}" \
	"},\"required\":[\"id\",\"there\"]}"

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

/* Values, right and wrong; what a string literal holds may hold NUL. */
#define TEXT(s) \
	{ \
		s, sizeof s - 1 \
	}
static const struct text {
	const char *s;
	size_t n;
} texts[] = {
	TEXT("null"),
	TEXT("nul"),
	TEXT("nulll"),
	TEXT("True"),
	TEXT("tru e"),
	TEXT("falsf"),
	TEXT(""),
	TEXT("0"),
	TEXT("-"),
	TEXT("-0"),
	TEXT("01"),
	TEXT("-01"),
	TEXT("1."),
	TEXT(".5"),
	TEXT("1.e5"),
	TEXT("1e"),
	TEXT("1e+"),
	TEXT("1e+5"),
	TEXT("1E-05"),
	TEXT("+1"),
	TEXT("1.5.5"),
	TEXT("1e0000000000000000000000001"),
	TEXT("1e1234567890123456789"),
	TEXT("0.12345678901234567890123456789012345678"),
	TEXT("0x10"),
	TEXT("1234567890123456789012345678901234567890"),
	TEXT("1 2"),
	TEXT("NaN"),
	TEXT("[]"),
	TEXT("[1,]"),
	TEXT("[,1]"),
	TEXT("[1 2]"),
	TEXT("[1,2"),
	TEXT("[1}"),
	TEXT("]"),
	TEXT("[[[]]]"),
	TEXT("[[[]]"),
	TEXT("{}"),
	TEXT("{,}"),
	TEXT("{\"a\"}"),
	TEXT("{\"a\":}"),
	TEXT("{\"a\":1,}"),
	TEXT("{\"a\" : 1 , \"b\" : [ ] }"),
	TEXT("{\"a\":1 \"b\":2}"),
	TEXT("{a:1}"),
	TEXT("{\"a\":1,\"a\":2}"),
	TEXT("{\"a\":1,\"\\u0061\":2}"),
	TEXT("{\"\":1,\"\":2}"),
	TEXT("{\"a\":1,\"b\":{\"a\":1},\"c\":{\"a\":1}}"),
	TEXT("{\"abcdefgh\":1,\"abcdefgi\":2,\"abcdefghi\":3}"),
	TEXT("{\"abcdefghi\":1,\"abcdefghi\":3}"),
	TEXT("{\"a\":1]"),
	TEXT("{1:2}"),
	TEXT("{\"a\":1}}"),
	TEXT("\"\""),
	TEXT("\""),
	TEXT("\"a\"b\""),
	TEXT("\"\\\"\""),
	TEXT("\"\\\\\""),
	TEXT("\"\\\""),
	TEXT("\"\\\\\\\"\""),
	TEXT("\"\\x\""),
	TEXT("\"\\u12\""),
	TEXT("\"\\u12g4\""),
	TEXT("\"\\u00e9\""),
	TEXT("\"\\uD800\""),
	TEXT("\"\\uDC00\""),
	TEXT("\"\\uD83D\\uDE00\""),
	TEXT("\"\\uD83D\\n\""),
	TEXT("\"\\uD83D\\u0041\""),
	TEXT("\"\\u0000\""),
	TEXT("\"\0\""),
	TEXT("\"\n\""),
	TEXT("\"\t\""),
	TEXT("\"\x1f\""),
	TEXT("\"\x7f\""),
	TEXT("\xc3\xa9"),
	TEXT("\0"),
	TEXT("\"\xc3\xa9\""),
	TEXT("\"\xc3\""),
	TEXT("\"\xa9\""),
	TEXT("\"\xc3\"\xa9"),
	TEXT("\"\xc0\x80\""),
	TEXT("\"\xc1\xbf\""),
	TEXT("\"\xe0\x9f\xbf\""),
	TEXT("\"\xe0\xa0\x80\""),
	TEXT("\"\xed\x9f\xbf\""),
	TEXT("\"\xed\xa0\x80\""),
	TEXT("\"\xee\x80\x80\""),
	TEXT("\"\xef\xbf\xbf\""),
	TEXT("\"\xf0\x8f\xbf\xbf\""),
	TEXT("\"\xf0\x90\x80\x80\""),
	TEXT("\"\xf3\xbf\xbf\xbf\""),
	TEXT("\"\xf4\x8f\xbf\xbf\""),
	TEXT("\"\xf4\x90\x80\x80\""),
	TEXT("\"\xf5\x80\x80\x80\""),
	TEXT("\"\xff\""),
	TEXT("\"\xc3\\n\xa9\""),
	TEXT("\xef\xbb\xbf{}"),
	TEXT("\"a\\\"b\\\\\",\"c\""),
	TEXT("\\\"a\""),
	TEXT("/**/1"),
	TEXT("'a'"),
	TEXT("{\"a\":\"b\nc\"}"),
	TEXT("\f1"),
	TEXT("\v[]"),
};

/* In the place of %: text; of #: so many bytes of padding. */
static const char *const frames[] = {
	"%",
	"#%",
	"[%]",
	"{\"x#\":%}",
	"{\"known\":\"#\",\"x\":%,\"y\":\"z\"}",
	"{\"known\":{\"x#\":[%,1]},\"z\":\"z\"}",
};

static void
put_frame(struct wv_str *out, const char *frame, const struct text *text,
	unsigned padding)
{
	out->n = 0;
	for (; *frame != '\0'; frame++) {
		if (*frame == '%')
			wv_str_add(out, text->s, text->n);
		else if (*frame != '#')
			wv_str_chr(out, *frame);
		for (unsigned i = 0; *frame == '#' && i < padding; i++)
			wv_str_chr(out, frame[1] == '%' ? ' ' : 'p');
	}
}

/* Every text in every frame, over the borders of what is looked at at once:
 * 16, 32, 64 and 1,024 bytes. */
static void
test_hostile(const char *schema_text)
{
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(&set, schema_text);
	struct wv_str out = { 0 };
	size_t wrong = 0, yes = 0;

	for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
		for (unsigned i = 0; i < 6 * 160; i++) {
			unsigned padding = i / 6 < 80 ? i / 6 : i / 6 + 900;
			enum said said;
			put_frame(&out, frames[i % 6], &texts[t], padding);
			said = scan(schema, out.s, out.n);
			yes += said == YES;
			if (said == YES || said == NO)
				continue;
			wrong++;
			printf("# %d of %s\n", said, out.s);
		}
	}
	ok(wrong == 0 && yes > 0, "hostile values under %s", schema_text);
	wv_str_free(&out);
	wv_schema_set_free(set);
}

/* All that a record may begin with is refused, with the rest behind it. */
static void
test_cut(void)
{
	static const char text[] =
		" {\"id\":\"x\\n\\u00e9\",\"when\":\"2024-06-01T00:00:00Z\","
		"\"there\":[-1.5e+7,true,null,{\"\xc3\xa9\":[]}],"
		"\"capability_identifier\":null,\"other\":{\"a\":12345}}";
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(&set, OBJECT);
	size_t n = sizeof text - 1;
	char *padded = wv_dupn(&arena, text, n);
	bool none = true;

	ok(scan(schema, text, n) == YES, "a whole record");
	for (size_t i = 0; i < n; i++)
		none = none &&
			!wv_schema_scan(schema, padded, i, &wv_json_defaults) &&
			scan(schema, text, i) == NO;
	ok(none, "no part of it");
	wv_schema_set_free(set);
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
	test_table();
	test_cannot();
	test_hostile("true");
	test_hostile("{\"properties\":{\"known\":true,\"x\":{\"maxLength\":4,"
		     "\"items\":{\"minimum\":-9},\"minProperties\":1}}}");
	test_cut();
	test_limits();
	test_members();
	test_budget();
	for (int i = 0; i < WV_CORE_COUNT; i++)
		test_contract((enum wv_contract)i);
	test_samples();
	for (int i = WV_DRAFT_4; i <= WV_DRAFT_2020_12; i++)
		test_suite((enum wv_draft)i);
	wv_arena_free(&record);
	wv_arena_free(&arena);
	return done();
}
