/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of documents: what one must not do to another, and how many. */
#include "document.h"

#include "schema/schema.h"

static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;

/* A set of strict options still refuses what it did before. */
static void
test_strict(void)
{
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_err err = WV_ERR_INIT;

	ok(!wv_schema_compile(set, json("{\"requird\":[]}"), &err), "strict");
	is(err.text,
		"/requird: keyword is not supported (did you mean "
		"\"required\"?)",
		"an unknown keyword is told");
	wv_err_clear(&err);
	ok(!wv_schema_compile(set, json("{\"format\":\"none\"}"), &err),
		"strict");
	is(err.text, "/format: format \"none\" is not supported",
		"and an unknown format");
	wv_err_clear(&err);
	ok(wv_schema_compile(set,
		   json("{\"x_a\":1,\"properties\":{"
			"\"requird\":{}}}"),
		   &err) != NULL,
		"names of members are no keywords: %s", err.text);
	wv_schema_set_free(set);

	struct wv_schema_options options = WV_SCHEMA_OPTIONS_INIT;
	static const char *const never[] = { "date", NULL };
	options.assert_format = true;
	options.no_formats = never;
	set = wv_schema_set_new(&options);
	const struct wv_schema *schema = wv_schema_compile(set,
		json("{\"a\":1,\"properties\":{\"d\":{\"format\":\"date\"},"
		     "\"t\":{\"format\":\"time\"},\"u\":{\"format\":\"u\"}}}"),
		&err);
	ok(schema && wv_schema_valid(schema, json("{\"d\":\"\",\"u\":\"\"}")),
		"but not here, nor a format that is never asserted");
	ok(schema && wv_schema_valid(schema, json("{\"t\":\"\"}")) == 0,
		"which others are");
	wv_schema_set_free(set);
}

/* What failed to compile leaves nothing behind that a later one could use. */
static void
test_failure(void)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *a =
		json("{\"$id\":\"urn:a\",\"$defs\":{\"s\":{\"items\":{\"$ref\":"
		     "\"urn:c\"}},\"bad\":{\"type\":\"x\"}}}");
	const cJSON *b = json("{\"items\":{\"$ref\":\"urn:a#/$defs/s\"}}");
	const cJSON *c =
		json("{\"$id\":\"urn:c\",\"$ref\":\"urn:d\",\"$defs\":{\"t\":"
		     "{\"$dynamicAnchor\":\"t\",\"type\":\"null\"}}}");
	const cJSON *d =
		json("{\"$id\":\"urn:d\",\"items\":{\"$dynamicRef\":\"#t\"},"
		     "\"$defs\":{\"t\":{\"$dynamicAnchor\":\"t\"}}}");
	const struct wv_schema *schema;

	ok(wv_schema_set_add(set, a, NULL, &err) == 0 &&
			wv_schema_set_add(set, c, NULL, &err) == 0 &&
			wv_schema_set_add(set, d, "http://y/d", &err) == 0,
		"documents are added");
	ok(wv_schema_set_add(set, a, NULL, &err) == -1, "but not twice");
	is(err.text, "two schemas have the $id \"urn:a\"", "which is told");
	wv_err_clear(&err);
	ok(wv_schema_set_add(set, b, NULL, &err) == -1, "nor without $id");
	wv_err_clear(&err);
	ok(wv_schema_set_add(set, b, "http://y/d#", &err) == -1,
		"nor where another is");
	wv_err_clear(&err);
	for (int i = 0; i < 2; i++) {
		ok(wv_schema_compile(set, a, &err) == NULL, "a is bad");
		is(err.text, "/$defs/bad/type: \"x\" is no type", "told");
		wv_err_clear(&err);
	}
	schema = wv_schema_compile(set, b, &err);
	ok(schema != NULL, "b needs only the good part: %s", err.text);
	ok(schema && wv_schema_valid(schema, json("[[[null]]]")) == 1 &&
			wv_schema_valid(schema, json("[[[1]]]")) == 0,
		"and reaches what a failed one had asked for");
	ok(wv_schema_compile(set, a, &err) == NULL, "a is still bad");
	ok(schema && wv_schema_valid(schema, json("[[[1]]]")) == 0,
		"which changes nothing");
	wv_schema_set_free(set);
}

/* The loader of this test has one document. */
static int
load(void *arg, const char *uri, const cJSON **root, struct wv_err *err)
{
	int *asked = arg;

	++*asked;
	*root = json("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
		     "\"items\":[{\"type\":\"integer\"}]}");
	return strcmp(uri, "http://x/old.json") == 0;
}

/* The loader is asked once for what it has, and never for what is known. */
static void
test_loader(void)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	int asked = 0;

	wv_schema_set_loader(set, load, &asked);
	ok(wv_schema_set_add(set,
		   json("{\"$id\":\"urn:a\",\"$defs\":{\"x\":"
			"{\"$id\":\"urn:x\"}}}"),
		   NULL, &err) == 0,
		"a document");
	ok(wv_schema_compile(set,
		   json("{\"$id\":\"http://y/\",\"allOf\":[{\"$ref\":"
			"\"urn:x\"},{\"$ref\":\"urn:a\"},{\"$ref\":"
			"\"http://json-schema.org/draft-07/schema\"}]}"),
		   &err) != NULL,
		"what is within known documents is found: %s", err.text);
	ok(asked == 0, "without a loader");
	ok(wv_schema_compile(set,
		   json("{\"allOf\":[{\"$ref\":\"http://x/old.json\"},"
			"{\"$ref\":\"http://x/old.json#/items/0\"}]}"),
		   &err) != NULL,
		"else it is loaded: %s", err.text);
	ok(asked == 1, "once");
	wv_schema_set_free(set);
}

/* A chain of references is no depth and takes no more than its length. */
static void
test_chain(int length)
{
	struct wv_json_limits limits = { 64, 1 << 20, 64 };
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	const struct wv_schema *schema;

	wv_str_cat(&text, "{\"$ref\":\"#/$defs/0\",\"$defs\":{");
	for (int i = 0; i < length; i++)
		wv_str_fmt(&text, "\"%d\":{\"$ref\":\"#/%s/%d\"},", i,
			i % 2 ? "$defs" : "$d%65fs", i + 1);
	wv_str_fmt(&text, "\"%d\":{\"type\":\"string\"}}}", length);
	size_t n = text.n;
	wv_str_room(&text, WV_JSON_SLACK);
	schema = wv_schema_compile(
		set, wv_json_read(&arena, text.s, n, &limits, &err), &err);
	ok(schema && wv_schema_valid(schema, json("\"x\"")) == 1 &&
			wv_schema_valid(schema, json("1")) == 0,
		"%d references: %s", length, err.text);
	wv_str_free(&text);
	wv_schema_set_free(set);
}

static void
test_wide(void)
{
	enum { COUNT = 50000 };
	struct wv_json_limits limits = { 64, 1 << 20, 64 };
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	wv_str_cat(&text, "{\"allOf\":[true");
	for (int i = 0; i < COUNT; i++)
		wv_str_fmt(
			&text, ",{\"$ref\":\"#/%s/%d\"}", i % 2 ? "x" : "y", i);
	wv_str_cat(&text, "],\"x\":[{}");
	for (int i = 1; i < COUNT; i++)
		wv_str_cat(&text, ",{}");
	wv_str_cat(&text, "],\"y\":{\"a\":{}");
	for (int i = 0; i < COUNT; i++)
		wv_str_fmt(&text, ",\"%d\":{}", i);
	wv_str_cat(&text, "}}");
	size_t n = text.n;
	wv_str_room(&text, WV_JSON_SLACK);
	ok(wv_schema_compile(set,
		   wv_json_read(&arena, text.s, n, &limits, &err),
		   &err) != NULL,
		"references into what is wide and no keyword: %s", err.text);
	wv_str_free(&text);
	wv_schema_set_free(set);
}

/* Many schemas under one long name: not the product of both. */
static void
test_long_name(void)
{
	enum { COUNT = 50000, LENGTH = 60000 };
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	wv_str_cat(&text, "{\"properties\":{\"");
	memset(wv_str_room(&text, LENGTH), 'x', LENGTH);
	text.n += LENGTH;
	wv_str_cat(&text, "\":{\"properties\":{\"a\":{}");
	for (int i = 0; i < COUNT; i++)
		wv_str_fmt(&text, ",\"%d\":{}", i);
	wv_str_cat(&text, "}}}}");
	ok(wv_schema_compile(set, json(text.s), &err) == NULL,
		"many schemas under a long name");
	ok(strstr(err.text, "names that are too long") != NULL,
		"are refused, and told why");
	wv_str_free(&text);
	wv_schema_set_free(set);
}

/* A URI has a limit, since each reference copies its base. */
static void
test_long_uri(void)
{
	enum { LENGTH = 10000 };
	struct wv_str name = { 0 };
	static const char *const formats[] = { "{\"$id\":\"http://%s\"}",
		"{\"$defs\":{\"a\":{\"$id\":\"http://%s\"}}}",
		"{\"$ref\":\"http://%s\"}" };

	memset(wv_str_room(&name, LENGTH), 'x', LENGTH);
	name.n = LENGTH;
	wv_str_cat(&name, "");
	for (int i = 0; i < 3; i++) {
		struct wv_schema_set *set = wv_schema_set_new(NULL);
		struct wv_err err = WV_ERR_INIT;
		struct wv_str text = { 0 };
		for (const char *s = formats[i]; *s != '\0'; s++) {
			if (s[0] == '%')
				wv_str_cat(&text, name.s), s++;
			else
				wv_str_chr(&text, *s);
		}
		ok(!wv_schema_compile(set, json(text.s), &err),
			"a URI that is too long: %.50s", err.text);
		wv_str_free(&text);
		wv_schema_set_free(set);
	}
	wv_str_free(&name);
}

static void
test_many_documents(void)
{
	enum { COUNT = 20000 };
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;
	int added = 0;

	for (int i = 0; i < COUNT; i++) {
		char text[96];
		snprintf(text, sizeof text,
			"{\"$ref\":\"%d\",\"$defs\":{\"a\":{\"$id\":\"a%d\"}}}",
			i + 1, i);
		char *uri = wv_printf(&arena, "http://y/%d", i);
		added += wv_schema_set_add(set, json(text), uri, &err) == 0;
	}
	added += wv_schema_set_add(set,
			 json("{\"$id\":\"http://y/20000\","
			      "\"type\":\"null\"}"),
			 NULL, &err) == 0;
	ok(added == COUNT + 1, "many documents: %s", err.text);
	schema = wv_schema_compile(
		set, json("{\"$id\":\"http://y/\",\"$ref\":\"0\"}"), &err);
	ok(schema && wv_schema_valid(schema, json("1")) == 0,
		"refer to one another: %s", err.text);
	wv_schema_set_free(set);
}

/* Which keyword was to blame, whatever the members are called. */
static void
test_bad_place(void)
{
	static const struct {
		const char *schema, *pointer;
	} bad[] = {
		{ "{\"properties\":{\"a at /b: c\":{\"type\":\"x\"}}}",
			"/properties/a at ~1b: c/type" },
		{ "{\"$defs\":{\"~/\":{\"required\":[1],\"properties\":{}}}}",
			"/$defs/~0~1/required" },
		{ "{\"patternProperties\":{\"(\":{}}}", "/patternProperties" },
		{ "{\"allOf\":[{\"$ref\":\"#/allOf/0\"}]}", "/allOf/0/$ref" },
		{ "{\"items\":{\"$id\":\"x:a#b\"}}", "/items/$id" },
		{ "{\"not\":{\"$ref\":\"#/none\"}}", "/not/$ref" },
	};
	struct wv_schema_set *set = wv_schema_set_new(&strict);
	struct wv_str pointer = { 0 };
	const cJSON *other = json("{\"$id\":\"x:other\",\"not\":1}");

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const cJSON *root = json(bad[i].schema);
		pointer.n = 0;
		ok(!wv_schema_compile(set, root, NULL), "bad");
		ok(wv_schema_bad_place(set, &pointer) == root, "in its root");
		is(pointer.s, bad[i].pointer, "at %s", bad[i].pointer);
	}
	pointer.n = 0;
	wv_schema_set_add(set, other, NULL, NULL);
	ok(!wv_schema_compile(set, json("{\"$ref\":\"x:other\"}"), NULL) &&
			wv_schema_bad_place(set, &pointer) == other,
		"in another document");
	is(pointer.s, "/not", "at its place there");
	ok(!wv_schema_compile(set, json("1"), NULL) &&
			wv_schema_bad_place(set, &pointer) == NULL,
		"nowhere, if it is no schema");
	wv_str_free(&pointer);
	wv_schema_set_free(set);
}

int
main(void)
{
	test_strict();
	test_bad_place();
	test_failure();
	test_loader();
	test_chain(10000);
	test_chain(100000);
	test_wide();
	test_long_name();
	test_long_uri();
	test_many_documents();
	wv_arena_free(&arena);
	return done();
}
