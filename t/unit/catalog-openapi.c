/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAPI as a catalogue: operations, references, what is bounded. */
#include "catalog.h"

#define API(paths) "{\"openapi\":\"3.1.0\",\"paths\":{" paths "}}"
#define GET(more) API("\"/a\":{\"get\":{" more "}}")

/* The first operation, its record without a fingerprint. */
static void
gives(const char *text, const char *want)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str got = { 0 };
	cJSON *record;

	wv_str_cat(&got, "");
	if (wv_catalog_load(&catalog, &arena,
		    put(*text == '{' ? "j" : "y.yaml", text), &err) != 0) {
		wv_str_fmt(&got, "%zu:%zu: %s", err.line, err.column, err.text);
	} else if (catalog.count > 0) {
		record = wv_catalog_record(&catalog, &arena, 0);
		wv_take(wv_get(record, "metadata"), "x_wv_fingerprint");
		wv_json_write(&got, record);
	}
	is(got.s, want, "%.72s", text);
	wv_str_free(&got);
	wv_catalog_free(&catalog);
}

/* The schema of what the operation of GET() takes. */
static void
takes(const char *text, const char *want)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str got = { 0 };

	wv_str_cat(&got, "");
	if (wv_catalog_load(&catalog, &arena, put("j", text), &err) != 0)
		wv_str_fmt(&got, "%zu:%zu: %s", err.line, err.column, err.text);
	else
		wv_json_write(&got, catalog.items[0].input_schema);
	is(got.s, want, "%.72s", text);
	wv_str_free(&got);
	wv_catalog_free(&catalog);
}

static void
fails(const char *text, size_t line, size_t column, const char *words)
{
	fails_after(NULL, "f", text, line, column, words);
}

static void
test_operation(void)
{
	gives("{\"openapi\":\"3.0.3\",\"info\":{\"version\":\"2.5\"},"
	      "\"paths\":{\"/pets/{id}\":{\"delete\":{\"operationId\":"
	      "\"deletePet\",\"summary\":\"Delete a pet\",\"description\":"
	      "\"It is gone.\",\"tags\":[\"pets\"]}}}}",
		"{\"id\":\"deletePet\",\"name\":\"Delete a pet\",\"version\":"
		"\"2.5\",\"description\":\"It is gone.\","
		"\"tags\":[\"pets\"],\"metadata\":{\"x_wv_input_schema\":"
		"{\"$schema\":\"http://json-schema.org/draft-04/schema#\","
		"\"type\":\"object\",\"properties\":{}},"
		"\"x_wv_safety\":\"destructive\"}}");
	gives(API("\"/users/{userId}/posts\":{\"get\":{}}"),
		"{\"id\":\"get_users_by_userId_posts\",\"name\":"
		"\"get_users_by_userId_posts\",\"version\":\"1\","
		"\"description\":\"get_users_by_userId_posts\",\"metadata\":"
		"{\"x_wv_input_schema\":{\"type\":\"object\",\"properties\":"
		"{}},\"x_wv_safety\":\"read\"}}");
	gives("openapi: 3.1.0\npaths:\n  /a:\n    summary: All of it\n"
	      "    post:\n      operationId: a\n      responses:\n"
	      "        200: {description: ok}\n",
		"{\"id\":\"a\",\"name\":\"a\",\"version\":\"1\","
		"\"description\":\"All of it\",\"metadata\":"
		"{\"x_wv_input_schema\":{\"type\":\"object\",\"properties\":"
		"{}},\"x_wv_safety\":\"write\"}}");
}

static void
test_methods(void)
{
	struct wv_catalog catalog = { .prefix = "x." };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str got = { 0 };

	wv_catalog_load(&catalog, &arena,
		put("m.json",
			API("\"/a\":{\"get\":{},\"head\":{},\n\"put\":{},"
			    "\"patch\":{},\"trace\":{},\"options\":{},"
			    "\"parameters\":[]},\n\"x-b\":{\"get\":{}},"
			    "\"/c\":{\"delete\":{},\"x-d\":{}}")),
		&err);
	for (size_t i = 0; i < catalog.count; i++)
		wv_str_fmt(&got, "%s:%zu:%zu/%s ", catalog.items[i].id,
			catalog.items[i].line, catalog.items[i].column,
			catalog.items[i].safety);
	is(got.s,
		"x.get_a:1:41/read x.head_a:1:51/read x.put_a:2:7/write "
		"x.patch_a:2:18/write x.trace_a:2:29/read "
		"x.options_a:2:42/read x.delete_c:3:33/destructive ",
		"methods and their places");
	wv_str_free(&got);
	wv_catalog_free(&catalog);
}

static void
test_input(void)
{
	takes(GET("\"parameters\":[{\"name\":\"q\",\"in\":\"query\","
		  "\"description\":\"Words.\",\"schema\":{\"type\":"
		  "\"string\"}},{\"name\":\"q\",\"in\":\"header\"},"
		  "{\"name\":\"q\",\"in\":\"query\",\"schema\":{}},"
		  "{\"name\":\"f\",\"in\":\"query\",\"required\":true,"
		  "\"content\":{\"x/y\":{\"schema\":{\"type\":\"object\"}}}}]"),
		"{\"type\":\"object\",\"properties\":{\"q\":{\"type\":"
		"\"string\",\"description\":\"Words.\"},\"header_q\":{},"
		"\"f\":{\"type\":\"object\"}},\"required\":[\"f\"]}");
	takes(API("\"/a\":{\"parameters\":[{\"name\":\"id\",\"in\":"
		  "\"path\",\"schema\":{\"type\":\"integer\"}},{\"name\":"
		  "\"n\",\"in\":\"query\",\"schema\":{\"type\":\"null\"}}],"
		  "\"post\":{\"parameters\":[{\"name\":\"n\",\"in\":"
		  "\"query\",\"schema\":{\"type\":\"number\"}}],"
		  "\"requestBody\":{\"required\":true,\"description\":\"B.\","
		  "\"content\":{\"text/plain\":{},\"application/json\":"
		  "{\"schema\":{\"type\":\"array\"}}}}}}"),
		"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":"
		"\"number\"},\"id\":{\"type\":\"integer\"},\"body\":{\"type\":"
		"\"array\",\"description\":\"B.\"}},\"required\":[\"id\","
		"\"body\"]}");
}

#define REF(to) "{\"$ref\":\"" to "\"}"
#define SCHEMA(name) REF("#/components/schemas/" name)
#define BODY(schema) \
	"{\"content\":{\"application/json\":{\"schema\":" schema "}}}"
#define WITH(body, components) \
	"{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"post\":{" \
	"\"requestBody\":" body "}}},\"components\":{" components "}}"
#define BODY_IS(schema) \
	"{\"type\":\"object\",\"properties\":{\"body\":" schema "}}"

static void
test_references(void)
{
	takes(WITH(BODY(SCHEMA("P")),
		      "\"schemas\":{\"P\":{\"type\":\"object\","
		      "\"properties\":{\"n\":" SCHEMA(
			      "a~1b%20c") "}},"
					  "\"a/b "
					  "c\":{\"type\":"
					  "\"string\"}}"),
		BODY_IS("{\"type\":\"object\",\"properties\":{\"n\":"
			"{\"type\":\"string\"}}}"));
	takes(WITH(REF("#/components/requestBodies/B"),
		      "\"requestBodies\":{\"B\":" BODY("{\"x\":1}") "}"),
		BODY_IS("{\"x\":1}"));
	takes(WITH(BODY("{\"$ref\":\"#/components/schemas/P\","
			"\"description\":\"Mine.\"}"),
		      "\"schemas\":{\"P\":{\"description\":\"Theirs.\"}}"),
		BODY_IS("{\"description\":\"Mine.\"}"));
	takes(API("\"/a\":" REF("#/paths/~1b") ",\"/b\":{\"get\":{}}"),
		"{\"type\":\"object\",\"properties\":{}}");
	takes(GET("\"parameters\":[" REF("#/components/parameters/0") "]"),
		"1:41: operation get /a has a parameter that is not in the "
		"document: \"#/components/parameters/0\"");
	takes(WITH(BODY(REF("other.json#/P")), ""), BODY_IS("{}"));
	takes(WITH(BODY(REF("#/nowhere")), ""), BODY_IS("{}"));
	takes(WITH(REF("https://x/y"), ""),
		"1:42: operation post /a has a body that is not in the "
		"document: \"https://x/y\"");
}

/* Round and round, and twice as many each time. */
static void
test_bounds(void)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };

	takes(WITH(BODY(SCHEMA("P")),
		      "\"schemas\":{\"P\":{\"p\":" SCHEMA("P") "}}"),
		BODY_IS("{\"p\":{\"p\":{\"p\":{\"p\":{}}}}}"));
	takes(WITH(BODY(SCHEMA("P")), "\"schemas\":{\"P\":" SCHEMA("P") "}"),
		BODY_IS("{}"));
	takes(WITH(REF("#/components/b"), "\"b\":" REF("#/components/b")),
		"1:42: operation post /a has a body that is not in the "
		"document: \"#/components/b\"");
	wv_str_cat(&text, "{\"openapi\":\"3.0.0\",\"paths\":{");
	for (int i = 0; i < 3000; i++)
		wv_str_fmt(&text,
			"%s\"/a%d\":{\"post\":{\"requestBody\":" BODY(
				SCHEMA("S0")) "}}",
			i > 0 ? "," : "", i);
	wv_str_cat(&text, "},\"components\":{\"schemas\":{");
	for (int i = 0; i < 3000; i++)
		wv_str_fmt(&text,
			"%s\"S%d\":{\"a\":" SCHEMA("S%d") ",\"b\":" SCHEMA(
				"S%d") ",\"c\":[1,2,3,4,5]}",
			i > 0 ? "," : "", i, (i + 1) % 3000, (i + 7) % 3000);
	wv_str_cat(&text, "}}}");
	ok(wv_catalog_load(&catalog, &arena, put("big.json", text.s), &err) ==
				0 &&
			catalog.count == 3000,
		"many that refer to many");
	printf("# %s\n", err.text);
	wv_str_free(&text);
	wv_catalog_free(&catalog);
}

/* What many refer to is short. */
static void
test_long(void)
{
	struct wv_str list = { 0 };

	for (int i = 0; i < 257; i++)
		wv_str_fmt(&list, "%s{\"name\":\"a%d\",\"in\":\"query\"}",
			i > 0 ? "," : "", i);
	fails(wv_printf(&arena, GET("\"parameters\":[%s]"), list.s), 1, 41,
		"operation get /a has more than 256 parameters");
	list.n = 0;
	for (int i = 0; i < 257; i++)
		wv_str_fmt(&list, "%s\"a%d\":1", i > 0 ? "," : "", i);
	takes(wv_printf(&arena,
		      WITH(BODY(SCHEMA("P")), "\"schemas\":{\"P\":{%s}}"),
		      list.s),
		BODY_IS("{}"));
	takes(wv_printf(&arena, WITH("{\"content\":{%s}}", ""), list.s),
		BODY_IS("{}"));
	wv_str_free(&list);
}

static void
count(const struct wv_err *err, void *arg)
{
	printf("# %zu:%zu: %s\n", err->line, err->column, err->text);
	++*(int *)arg;
}

/* What is left out does not move what comes after it. */
static void
test_hearing(void)
{
	int heard = 0;
	struct wv_catalog catalog = { .fault = count, .fault_arg = &heard };
	struct wv_err err = WV_ERR_INIT;

	wv_catalog_load(&catalog, &arena,
		put("h.json",
			API("\"/a\":[{\"get\":1}],\"/b\":{},\n\"/c\":7,"
			    "\"/d\":" REF(
				    "#/paths/~1f") ",\"x-e\":{\"a\":[]},\n"
						   "\"/"
						   "f\":{\"x\":{},\"get\":{},"
						   "\"put\":7,\"post\":{}}")),
		&err);
	ok(heard == 4, "%d heard: two paths, an operation twice", heard);
	ok(catalog.count == 4, "%zu operations", catalog.count);
	ok(catalog.items[0].line == 2 && catalog.items[0].column == 13,
		"by reference: %zu:%zu", catalog.items[0].line,
		catalog.items[0].column);
	ok(catalog.items[3].line == 3 && catalog.items[3].column == 38,
		"the last: %zu:%zu", catalog.items[3].line,
		catalog.items[3].column);
	wv_catalog_free(&catalog);
}

static void
test_faults(void)
{
	fails("{\"swagger\":\"2.0\",\"paths\":{}}", 1, 12,
		"in its versions 3.0 and 3.1");
	fails("{\"openapi\":\"3.2.0\",\"paths\":{}}", 1, 12,
		"in its versions 3.0 and 3.1");
	fails("{\"openapi\":3.1,\"paths\":{}}", 1, 12,
		"in its versions 3.0 and 3.1");
	fails("{\"openapi\":\"3.1.0\"}", 1, 1, "an object as its paths");
	fails(API("\"/a\":7"), 1, 34, "path /a is no object of the document");
	fails(GET("\"tags\":[1]"), 1, 41, "tags that are no list of texts");
	fails(GET("\"operationId\":1"), 1, 41, "an operationId that is no");
	fails(GET("\"parameters\":{}"), 1, 41, "parameters that are no list");
	fails(GET("\"parameters\":[{}]"), 1, 41, "without name or in");
	fails(API("\"/a\":{\"get\":7}"), 1, 41,
		"operation get /a is no object");
	fails(API("\"/a\":{\"get\":{}},\n\"/a/\":{\"get\":{}}"), 2, 14,
		"duplicate id \"get_a\", first at ");
	fails(API("\"/a\":{\"get\":{\"operationId\":\"a-b\"}},\n"
		  "\"/b\":{\"get\":{\"operationId\":\"a_b\"}}"),
		2, 13, "too much like \"a-b\" at ");
}

int
main(void)
{
	begin();
	test_operation();
	test_methods();
	test_input();
	test_references();
	test_bounds();
	test_long();
	test_hearing();
	test_faults();
	return end();
}
