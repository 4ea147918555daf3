/* SPDX-License-Identifier: Apache-2.0 */
/* URIs, and where references lead. */
#include "document.h"

#include "schema/schema.h"
#include "schema/uri.h"

/* RFC 3986 section 5.4 and what schemas are full of. */
static const struct {
	const char *base, *ref, *result;
} uris[] = {
	{ "http://a/b/c/d;p?q", "g:h", "g:h" },
	{ "http://a/b/c/d;p?q", "g", "http://a/b/c/g" },
	{ "http://a/b/c/d;p?q", "./g", "http://a/b/c/g" },
	{ "http://a/b/c/d;p?q", "g/", "http://a/b/c/g/" },
	{ "http://a/b/c/d;p?q", "/g", "http://a/g" },
	{ "http://a/b/c/d;p?q", "//g", "http://g" },
	{ "http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y" },
	{ "http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y" },
	{ "http://a/b/c/d;p?q", "#s", "http://a/b/c/d;p?q#s" },
	{ "http://a/b/c/d;p?q", "g#s", "http://a/b/c/g#s" },
	{ "http://a/b/c/d;p?q", "g?y#s", "http://a/b/c/g?y#s" },
	{ "http://a/b/c/d;p?q", ";x", "http://a/b/c/;x" },
	{ "http://a/b/c/d;p?q", "g;x?y#s", "http://a/b/c/g;x?y#s" },
	{ "http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q" },
	{ "http://a/b/c/d;p?q", ".", "http://a/b/c/" },
	{ "http://a/b/c/d;p?q", "./", "http://a/b/c/" },
	{ "http://a/b/c/d;p?q", "..", "http://a/b/" },
	{ "http://a/b/c/d;p?q", "../", "http://a/b/" },
	{ "http://a/b/c/d;p?q", "../g", "http://a/b/g" },
	{ "http://a/b/c/d;p?q", "../..", "http://a/" },
	{ "http://a/b/c/d;p?q", "../../g", "http://a/g" },
	{ "http://a/b/c/d;p?q", "../../../g", "http://a/g" },
	{ "http://a/b/c/d;p?q", "/./g", "http://a/g" },
	{ "http://a/b/c/d;p?q", "/../g", "http://a/g" },
	{ "http://a/b/c/d;p?q", "g.", "http://a/b/c/g." },
	{ "http://a/b/c/d;p?q", ".g", "http://a/b/c/.g" },
	{ "http://a/b/c/d;p?q", "..g", "http://a/b/c/..g" },
	{ "http://a/b/c/d;p?q", "./../g", "http://a/b/g" },
	{ "http://a/b/c/d;p?q", "./g/.", "http://a/b/c/g/" },
	{ "http://a/b/c/d;p?q", "g/./h", "http://a/b/c/g/h" },
	{ "http://a/b/c/d;p?q", "g/../h", "http://a/b/c/h" },
	{ "http://a/b/c/d;p?q", "g;x=1/../y", "http://a/b/c/y" },
	{ "http://a/b/c/d;p?q", "g?y/../x", "http://a/b/c/g?y/../x" },
	{ "http://a/b/c/d;p?q", "g#s/../x", "http://a/b/c/g#s/../x" },
	{ "http://a/b/c/d;p?q", "http:g", "http:g" },
	{ "http://a", "g", "http://a/g" },
	{ "http://a/b", "..", "http://a/" },
	{ "file:///c:/folder/file.json", "x.json", "file:///c:/folder/x.json" },
	{ "file:///folder/file.json", "#/a", "file:///folder/file.json#/a" },
	{ "urn:uuid:1", "#/a", "urn:uuid:1#/a" },
	{ "urn:uuid:1", "urn:uuid:2#b", "urn:uuid:2#b" },
	{ NULL, "http://a/b/../c", "http://a/c" },
	{ NULL, "a/b", "a/b" },
	{ "a/b", "../c", "/c" },
	{ "a/b/x", "../c", "a/c" },
	{ NULL, "../../a", "a" },
	{ NULL, "", "" },
};

static void
test_uris(void)
{
	for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
		struct wv_str out = { 0 };
		wv_uri_resolve(&out, uris[i].base, uris[i].ref);
		is(out.s, uris[i].result, "%s from %s", uris[i].ref,
			uris[i].base ? uris[i].base : "nowhere");
		wv_str_free(&out);
	}
}

/* What there is under http://x/; *arg counts. */
static int
load(void *arg, const char *uri, const cJSON **root, struct wv_err *err)
{
	int *asked = arg;

	++*asked;
	if (strcmp(uri, "http://x/bad") == 0)
		return wv_err_at(err, "bad.json", 3, 7, "this is no JSON");
	if (strcmp(uri, "http://x/defs.json") == 0)
		*root = json("{\"$defs\":{\"n\":{\"type\":\"integer\"},"
			     "\"wrong\":{\"type\":\"x\"}}}");
	else if (strcmp(uri, "http://x/list") == 0)
		*root = json("[{\"type\":\"null\"}]");
	else if (strcmp(uri, "http://x/old.json") == 0)
		*root = json("{\"$schema\":\"http://json-schema.org/"
			     "draft-07/schema#\",\"items\":[{\"type\":"
			     "\"integer\"}],\"additionalItems\":false}");
	else if (strcmp(uri, "http://x/meta") == 0)
		*root = json("{\"$schema\":\"http://x/meta\",\"$id\":"
			     "\"http://x/meta\",\"$vocabulary\":{\"https://"
			     "json-schema.org/draft/2020-12/vocab/core\":true,"
			     "\"https://json-schema.org/draft/2020-12/vocab/"
			     "applicator\":true,\"urn:whatever\":false}}");
	else if (strcmp(uri, "http://x/greedy") == 0)
		*root = json("{\"$vocabulary\":{\"https://json-schema.org/"
			     "draft/2020-12/vocab/core\":true,"
			     "\"urn:special\":true}}");
	else if (strcmp(uri, "http://x/round") == 0)
		*root = json("{\"$schema\":\"http://x/round\"}");
	else if (strcmp(uri, "http://x/like-4") == 0)
		*root = json("{\"$schema\":\"http://json-schema.org/"
			     "draft-04/schema\"}");
	else
		return 0;
	return 1;
}

/* 1, 0 or -1; -2 and the error if it does not compile. */
static int
judge(const char *schema_text, const char *instance, struct wv_str *error)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;
	int asked = 0, verdict = -2;

	wv_str_cat(error, "");
	wv_schema_set_loader(set, load, &asked);
	schema = wv_schema_compile(set, json(schema_text), &err);
	if (schema == NULL)
		wv_str_cat(error, err.text);
	else
		verdict = wv_schema_valid(schema, json(instance));
	wv_schema_set_free(set);
	return verdict;
}

#define D4 "\"$schema\":\"http://json-schema.org/draft-04/schema#\","
#define D6 "\"$schema\":\"http://json-schema.org/draft-06/schema#\","
#define D7 "\"$schema\":\"http://json-schema.org/draft-07/schema\","
#define D2019 "\"$schema\":\"https://json-schema.org/draft/2019-09/schema\","

static const struct {
	const char *schema, *instance;
	int verdict;
} verdicts[] = {
	/* pointers: escapes, crossing an $id, through what is no keyword */
	{ "{\"$ref\":\"#/$defs/a~1b%25%7e0\",\"$defs\":{\"a/b%~\":false}}", "1",
		0 },
	{ "{\"$ref\":\"#/$defs/a/properties/b\",\"$defs\":{\"a\":{\"$id\":"
	  "\"http://y/\",\"properties\":{\"b\":{\"$ref\":\"#/properties/c\"},"
	  "\"c\":{\"type\":\"null\"}}}}}",
		"1", 0 },
	{ "{\"$ref\":\"#/x/1/y\",\"x\":[0,{\"y\":{\"$ref\":\"#/x/2\"}},"
	  "{\"type\":\"null\"}]}",
		"1", 0 },
	{ "{\"$ref\":\"#/x/1/y\",\"x\":[0,{\"y\":{\"$ref\":\"#/x/2\"}},"
	  "{\"type\":\"null\"}]}",
		"null", 1 },
	/* names are those of their resource */
	{ "{\"$ref\":\"#a\",\"$defs\":{\"x\":{\"$anchor\":\"a\",\"type\":"
	  "\"null\"},\"y\":{\"$id\":\"y\",\"$anchor\":\"a\"}}}",
		"1", 0 },
	{ "{\"$id\":\"http://y/r\",\"$ref\":\"y#a\",\"$defs\":{\"x\":"
	  "{\"$anchor\":\"a\",\"type\":\"null\"},\"y\":{\"$id\":\"y\","
	  "\"$anchor\":\"a\"}}}",
		"1", 1 },
	{ "{" D7 "\"allOf\":[{\"$ref\":\"#a\"}],\"definitions\":{\"x\":{"
	  "\"$id\":\"#a\",\"type\":\"null\"}}}",
		"1", 0 },
	{ "{" D4 "\"allOf\":[{\"$ref\":\"http://y/z#a\"}],\"definitions\":{"
	  "\"x\":{\"id\":\"http://y/z#a\",\"type\":\"null\"}}}",
		"1", 0 },
	/* an enum holds no ids */
	{ "{\"$ref\":\"http://y/\",\"enum\":[{\"$id\":\"http://y/\",\"type\":"
	  "\"null\"}],\"$defs\":{\"y\":{\"$id\":\"http://y/\"}}}",
		"1", 0 },
	/* what was loaded, and by another draft than what refers to it */
	{ "{\"$ref\":\"http://x/defs.json#/$defs/n\"}", "1.5", 0 },
	{ "{\"$id\":\"http://x/a/b\",\"items\":{\"$ref\":\"../defs.json#/"
	  "$defs/n\"}}",
		"[1.5]", 0 },
	{ "{\"$ref\":\"http://x/old.json\",\"prefixItems\":[{\"minimum\":2}]}",
		"[2]", 1 },
	{ "{\"$ref\":\"http://x/old.json\",\"prefixItems\":[{\"minimum\":2}]}",
		"[2,3]", 0 },
	{ "{\"$ref\":\"http://x/old.json\",\"prefixItems\":[{\"minimum\":2}]}",
		"[1]", 0 },
	{ "{\"$ref\":\"http://x/list#/0\"}", "1", 0 }, /* no schema itself */
	/* an embedded schema of another draft */
	{ "{\"properties\":{\"a\":{\"$id\":\"http://y/a\"," D4
	  "\"minimum\":1,\"exclusiveMinimum\":true,\"id\":\"http://y/b\"}}}",
		"{\"a\":1}", 0 },
	/* beside a $ref of an old draft nothing counts */
	{ "{" D6 "\"properties\":{\"a\":{\"$ref\":\"#/definitions/b\","
	  "\"minimum\":5,\"$id\":\"http://y/\"}},\"definitions\":{\"b\":"
	  "{\"type\":\"number\"}}}",
		"{\"a\":1}", 1 },
	{ "{" D2019 "\"properties\":{\"a\":{\"$ref\":\"#/definitions/b\","
	  "\"minimum\":5}},\"definitions\":{\"b\":{\"type\":\"number\"}}}",
		"{\"a\":1}", 0 },
	{ "{" D7 "\"$ref\":\"#/definitions/a\",\"definitions\":{\"a\":"
	  "{\"type\":\"null\"}}}",
		"1", 0 },
	/* a name that two drafts read differently */
	{ "{" D4 "\"minimum\":1,\"exclusiveMinimum\":true}", "1", 0 },
	{ "{" D4 "\"minimum\":1,\"exclusiveMinimum\":false}", "1", 1 },
	{ "{" D4 "\"maximum\":1,\"exclusiveMaximum\":true}", "1", 0 },
	{ "{" D4 "\"const\":1}", "2", 1 },
	{ "{" D7 "\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", 1 },
	/* vocabularies */
	{ "{\"$schema\":\"http://x/meta\",\"properties\":{\"a\":false},"
	  "\"required\":[\"b\"],\"unevaluatedProperties\":false}",
		"{}", 1 },
	{ "{\"$schema\":\"http://x/meta\",\"properties\":{\"a\":false},"
	  "\"required\":[\"b\"],\"unevaluatedProperties\":false}",
		"{\"a\":1}", 0 },
	{ "{\"$schema\":\"http://x/like-4\",\"minimum\":1,"
	  "\"exclusiveMinimum\":true}",
		"1", 0 },
	/* cases B9 */
	{ "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
		"{\"type\":\"Integer\"}", 0 },
	{ "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
		"{\"properties\":{\"a\":{\"minLength\":-1}}}", 0 },
	{ "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
		"{\"properties\":{\"a\":{\"minLength\":1}}}", 1 },
	{ "{\"$ref\":\"https://json-schema.org/draft/2019-09/schema\"}",
		"{\"properties\":{\"a\":{\"minLength\":-1}}}", 0 },
	{ "{\"$ref\":\"http://json-schema.org/draft-07/schema#\"}",
		"{\"items\":[{\"minLength\":-1}]}", 0 },
	{ "{\"$ref\":\"http://json-schema.org/draft-06/schema#\"}",
		"{\"items\":[{\"minLength\":-1}]}", 0 },
	{ "{\"$ref\":\"http://json-schema.org/draft-04/schema#\"}",
		"{\"items\":[{\"minLength\":-1}]}", 0 },
	/* a resource that does no more than refer stays in dynamic scope */
	{ "{\"$id\":\"http://y/\",\"$ref\":\"a\",\"$defs\":{\"a\":{\"$id\":"
	  "\"a\",\"$ref\":\"b\",\"$defs\":{\"t\":{\"$dynamicAnchor\":\"t\","
	  "\"type\":\"null\"}}},\"b\":{\"$id\":\"b\",\"items\":{"
	  "\"$dynamicRef\":\"#t\"},\"$defs\":{\"t\":{\"$dynamicAnchor\":"
	  "\"t\"}}}}}",
		"[1]", 0 },
	/* and a name that is only asked for later is found all the same */
	{ "{\"$id\":\"http://y/\",\"$defs\":{\"t\":{\"$dynamicAnchor\":\"t\","
	  "\"type\":\"null\"},\"b\":{\"$id\":\"b\",\"items\":{"
	  "\"$dynamicRef\":\"#t\"},\"$defs\":{\"t\":{\"$dynamicAnchor\":"
	  "\"t\"}}}},\"$ref\":\"b\"}",
		"[1]", 0 },
	/* a loop that only the dynamic scope makes ends all the same */
	{ "{\"$id\":\"http://y/\",\"$dynamicAnchor\":\"t\",\"$ref\":\"b\","
	  "\"$defs\":{\"b\":{\"$id\":\"b\",\"$dynamicRef\":\"#t\",\"$defs\":"
	  "{\"t\":{\"$dynamicAnchor\":\"t\"}}}}}",
		"1", -1 },
};

static void
test_verdicts(void)
{
	for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
		struct wv_str error = { 0 };
		int verdict =
			judge(verdicts[i].schema, verdicts[i].instance, &error);
		if (!ok(verdict == verdicts[i].verdict, "%s of %s",
			    verdicts[i].instance, verdicts[i].schema))
			printf("# %d %s\n", verdict, error.s);
		wv_str_free(&error);
	}
}

static const struct {
	const char *schema, *error;
} refusals[] = {
	{ "{\"$ref\":\"http://x/none\"}",
		"/$ref: \"http://x/none\" is not known here" },
	{ "{\"$ref\":\"http://x/bad\"}", "this is no JSON" },
	{ "{\"$ref\":\"http://x/list\"}",
		"/$ref: \"http://x/list\" leads to no schema" },
	{ "{\"$schema\":\"http://x/list\",\"type\":1}",
		"/type: must be a name of a type, or a list" },
	{ "{\"$ref\":\"#/$defs/none\"}",
		"/$ref: \"#/$defs/none\" leads to no schema" },
	{ "{\"$ref\":\"#none\"}", "/$ref: \"#none\" leads to no schema" },
	{ "{\"$ref\":\"#/a%2\"}", "/$ref: \"#/a%2\" leads to no schema" },
	{ "{\"$ref\":\"#/a~2\",\"a~2\":{}}",
		"/$ref: \"#/a~2\" leads to no schema" },
	{ "{\"$ref\":\"#/a/01\",\"a\":[{},{}]}",
		"/$ref: \"#/a/01\" leads to no schema" },
	{ "{\"$ref\":\"#/title\",\"title\":\"x\"}",
		"/$ref: \"#/title\" leads to no schema" },
	/* cases B21; and a pointer into another document says which */
	{ "{\"type\":\"Integer\"}",
		"/type: \"Integer\" is no type (did you mean \"integer\"?)" },
	{ "{\"$ref\":\"http://x/defs.json#/$defs/wrong\"}",
		"http://x/defs.json#/$defs/wrong/type: \"x\" is no type" },
	{ "{\"$schema\":\"http://x/none\"}",
		"/$schema: the meta-schema \"http://x/none\" is not known "
		"here" },
	{ "{\"$schema\":\"https://json-schema.org/draft/2020-12/shema\"}",
		"/$schema: the meta-schema \"https://json-schema.org/draft/"
		"2020-12/shema\" is not known here (did you mean \"https://"
		"json-schema.org/draft/2020-12/schema\"?)" },
	{ "{\"$schema\":\"http://x/greedy\"}",
		"/$schema: the vocabulary \"urn:special\" is not supported" },
	{ "{\"$schema\":\"http://x/round\"}",
		"/$schema: its meta-schemas never come to a draft" },
	{ "{\"$id\":\"http://y/#a\"}", "/$id: must not have a fragment" },
	{ "{\"properties\":{\"a\":1}}",
		"/properties: \"a\" must be a schema: an object, true or "
		"false" },
	{ "{\"$id\":1}", "/$id: must be a string" },
	{ "{\"$defs\":{\"a\":{\"$id\":\"http://y/\"},\"b\":{\"$id\":"
	  "\"http://y/\"}}}",
		"/$defs/b/$id: \"http://y/\" is the URI of another schema "
		"too" },
	{ "{\"$defs\":{\"a\":{\"$anchor\":\"n\"},\"b\":{\"$anchor\":\"n\"}}}",
		"/$defs/b/$anchor: \"n\" names another schema too" },
	{ "{\"$anchor\":\"1a\"}", "/$anchor: \"1a\" is no plain name" },
	{ "{\"$vocabulary\":[]}", "/$vocabulary: must be an object" },
	/* foreign text cannot reach the terminal */
	{ "{\"$ref\":\"#\\u001b[1m\"}",
		"/$ref: \"#\\x1b[1m\" leads to no schema" },
	/* cases B31 */
	{ "{\"$ref\":\"#\"}", "infinite reference loop at /$ref" },
	{ "{" D7 "\"$ref\":\"#/definitions/a\",\"definitions\":{\"a\":{"
	  "\"$ref\":\"#/definitions/b\"},\"b\":{\"$ref\":"
	  "\"#/definitions/a\"}}}",
		"infinite reference loop at /definitions/b/$ref" },
	{ "{\"allOf\":[{\"$ref\":\"#a\"}],\"$defs\":{\"a\":{\"$anchor\":"
	  "\"a\",\"dependentSchemas\":{\"x\":{\"$dynamicRef\":\"#a\"}}}}}",
		"infinite reference loop at "
		"/$defs/a/dependentSchemas/x/$dynamicRef" },
	{ "{" D2019 "\"anyOf\":[true,{\"$recursiveRef\":\"#\"}]}",
		"infinite reference loop at /anyOf/1/$recursiveRef" },
};

static void
test_refusals(void)
{
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct wv_str error = { 0 };
		judge(refusals[i].schema, "1", &error);
		is(error.s, refusals[i].error, "refused: %s",
			refusals[i].schema);
		wv_str_free(&error);
	}
}

int
main(void)
{
	test_uris();
	test_verdicts();
	test_refusals();
	wv_arena_free(&arena);
	return done();
}
