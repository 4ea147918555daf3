/* SPDX-License-Identifier: Apache-2.0 */
/* Keywords whose meaning depends on the draft, or on one another. */
#include "judge.h"

enum {
	D4 = 1 << WV_DRAFT_4,
	D6 = 1 << WV_DRAFT_6,
	D7 = 1 << WV_DRAFT_7,
	D19 = 1 << WV_DRAFT_2019_09,
	D20 = 1 << WV_DRAFT_2020_12,
	OLD = D4 | D6 | D7,
	NEW = D19 | D20,
	ALL = OLD | NEW,
};

static const struct {
	const char *schema, *instance;
	int valid; /* drafts in which it is */
} by_draft[] = {
	/* items: a list is a prefix until 2019-09 */
	{ "{\"items\":[{\"type\":\"string\"}],\"additionalItems\":"
	  "{\"type\":\"null\"}}",
		"[\"\",null,null]", ALL & ~D20 },
	{ "{\"items\":[{\"type\":\"string\"}],\"additionalItems\":"
	  "{\"type\":\"null\"}}",
		"[\"\",null,1]", 0 },
	{ "{\"items\":[true,false]}", "[1]", ALL & ~D20 },
	{ "{\"items\":{\"type\":\"null\"},\"additionalItems\":false}",
		"[null,null]", ALL },
	{ "{\"prefixItems\":[{\"type\":\"string\"}],\"items\":false}", "[\"\"]",
		D20 },
	{ "{\"prefixItems\":[{\"type\":\"string\"}]}", "[1]", ALL & ~D20 },
	/* contains: limits from 2019-09 on */
	{ "{\"contains\":{\"type\":\"null\"}}", "[1,null]", ALL },
	{ "{\"contains\":{\"type\":\"null\"}}", "[1]", D4 },
	{ "{\"contains\":{\"type\":\"null\"}}", "[]", D4 },
	{ "{\"contains\":{\"type\":\"null\"},\"minContains\":2}", "[null,1]",
		OLD },
	{ "{\"contains\":{\"type\":\"null\"},\"minContains\":0}", "[1]",
		NEW | D4 },
	{ "{\"contains\":{\"type\":\"null\"},\"maxContains\":1}", "[null,null]",
		OLD },
	{ "{\"contains\":{\"type\":\"null\"},\"minContains\":0,"
	  "\"maxContains\":1}",
		"[null,null]", OLD },
	{ "{\"minContains\":5,\"maxContains\":0}", "[1]", ALL },
	/* dependencies in all; the two that it became from 2019-09 on */
	{ "{\"dependencies\":{\"a\":[\"b\"]}}", "{\"a\":1}", 0 },
	{ "{\"dependencies\":{\"a\":[\"b\"]}}", "{\"a\":1,\"b\":1}", ALL },
	{ "{\"dependencies\":{\"a\":[\"b\"]}}", "{\"c\":1}", ALL },
	{ "{\"dependencies\":{\"a\":{\"required\":[\"b\"]}}}", "{\"a\":1}", 0 },
	{ "{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", OLD },
	{ "{\"dependentSchemas\":{\"a\":false}}", "{\"a\":1}", OLD },
	/* side by side, for the same member and for others */
	{ "{\"dependentRequired\":{\"a\":[\"b\"]},\"dependencies\":"
	  "{\"a\":[\"c\"],\"d\":{\"required\":[\"e\"]}}}",
		"{\"a\":1,\"b\":1}", 0 },
	{ "{\"dependentRequired\":{\"a\":[\"b\"]},\"dependencies\":"
	  "{\"a\":[\"c\"],\"d\":{\"required\":[\"e\"]}}}",
		"{\"a\":1,\"c\":1}", OLD },
	{ "{\"dependentRequired\":{\"a\":[\"b\"]},\"dependencies\":"
	  "{\"a\":[\"c\"],\"d\":{\"required\":[\"e\"]}}}",
		"{\"a\":1,\"b\":1,\"c\":1,\"d\":1}", 0 },
	{ "{\"dependentRequired\":{\"a\":[\"b\"]},\"dependencies\":"
	  "{\"a\":[\"c\"],\"d\":{\"required\":[\"e\"]}}}",
		"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}", ALL },
	{ "{\"dependentSchemas\":{\"a\":{\"maxProperties\":2}},"
	  "\"dependencies\":{\"a\":{\"minProperties\":2}}}",
		"{\"a\":1}", 0 },
	{ "{\"dependentSchemas\":{\"a\":{\"maxProperties\":2}},"
	  "\"dependencies\":{\"a\":{\"minProperties\":2}}}",
		"{\"a\":1,\"b\":1,\"c\":1}", OLD },
	/* what a draft does not know says nothing */
	{ "{\"const\":1}", "2", D4 },
	{ "{\"propertyNames\":false,\"properties\":{}}", "{\"a\":1}", D4 },
	{ "{\"if\":true,\"then\":false}", "1", D4 | D6 },
	{ "{\"unevaluatedProperties\":false}", "{\"a\":1}", OLD },
	{ "{\"unevaluatedItems\":false}", "[1]", OLD },
	/* a number until draft 6, then a bound of its own */
	{ "{\"minimum\":1,\"exclusiveMinimum\":true}", "2", D4 },
	{ "{\"minimum\":1,\"exclusiveMinimum\":true}", "1", 0 },
	/* what stands beside a reference */
	{ "{\"definitions\":{\"a\":{}},\"properties\":{\"x\":{\"$ref\":"
	  "\"#/definitions/a\",\"maximum\":1}}}",
		"{\"x\":2}", OLD },
};

static int
in_draft(int draft, const char *schema, const char *instance)
{
	struct wv_schema_options options = WV_SCHEMA_OPTIONS_INIT;
	struct wv_str text = { 0 };
	int verdict;

	options.draft = (enum wv_draft)draft;
	verdict = judge(&options, schema, instance, &text);
	wv_str_free(&text);
	return verdict;
}

static void
test_drafts(void)
{
	for (size_t i = 0; i < sizeof by_draft / sizeof by_draft[0]; i++) {
		int valid = 0;
		for (int d = WV_DRAFT_4; d <= WV_DRAFT_2020_12; d++) {
			if (in_draft(d, by_draft[i].schema,
				    by_draft[i].instance) == 1)
				valid |= 1 << d;
		}
		if (!ok(valid == by_draft[i].valid, "%s of %s",
			    by_draft[i].instance, by_draft[i].schema))
			printf("# %#x, not %#x\n", valid, by_draft[i].valid);
	}
}

static const struct {
	const char *schema, *instance;
	int verdict;
} unevaluated[] = {
	/* every way of looking at a member */
	{ "{\"properties\":{\"a\":true},\"patternProperties\":{\"^x\":true},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1,\"x1\":1}", 1 },
	{ "{\"properties\":{\"a\":true},\"patternProperties\":{\"^x\":true},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1,\"y\":1}", 0 },
	{ "{\"additionalProperties\":true,\"unevaluatedProperties\":false}",
		"{\"a\":1}", 1 },
	{ "{\"additionalProperties\":{\"type\":\"null\"},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":null}", 1 },
	/* requiring is not looking, nor is judging the name */
	{ "{\"required\":[\"a\"],\"unevaluatedProperties\":false}", "{\"a\":1}",
		0 },
	{ "{\"propertyNames\":true,\"unevaluatedProperties\":false}",
		"{\"a\":1}", 0 },
	{ "{\"dependentRequired\":{\"a\":[\"b\"]},"
	  "\"unevaluatedProperties\":false}",
		"{\"b\":1}", 0 },
	{ "{\"unevaluatedProperties\":{\"type\":\"null\"}}", "{\"a\":null}",
		1 },
	{ "{\"unevaluatedProperties\":{\"type\":\"null\"}}", "{\"a\":1}", 0 },
	/* through all that applies in place */
	{ "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"properties\":"
	  "{\"a\":true}}},\"unevaluatedProperties\":false}",
		"{\"a\":1}", 1 },
	{ "{\"allOf\":[{\"properties\":{\"a\":true}},{\"allOf\":["
	  "{\"properties\":{\"b\":true}}]}],\"unevaluatedProperties\":false}",
		"{\"a\":1,\"b\":1}", 1 },
	{ "{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":true}}},"
	  "\"properties\":{\"a\":true},\"unevaluatedProperties\":false}",
		"{\"a\":1,\"b\":1}", 1 },
	{ "{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":true}}},"
	  "\"properties\":{\"a\":true},\"unevaluatedProperties\":false}",
		"{\"b\":1}", 0 },
	/* of an anyOf all branches that hold, and no other */
	{ "{\"anyOf\":[{\"properties\":{\"a\":true}},{\"properties\":"
	  "{\"b\":true}},{\"properties\":{\"c\":false,\"d\":true}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1,\"b\":1}", 1 },
	{ "{\"anyOf\":[{\"properties\":{\"a\":true}},{\"properties\":"
	  "{\"b\":true}},{\"required\":[\"x\"],\"properties\":{\"d\":true}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1,\"d\":1}", 0 },
	{ "{\"oneOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":true}},"
	  "{\"required\":[\"b\"],\"properties\":{\"b\":true,\"c\":true}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"b\":1,\"c\":1}", 1 },
	{ "{\"oneOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":true}},"
	  "{\"required\":[\"b\"],\"properties\":{\"b\":true,\"c\":true}}],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1,\"c\":1}", 0 },
	/* what if looked at counts when it holds, even alone */
	{ "{\"if\":{\"required\":[\"a\"],\"properties\":{\"a\":true}},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1}", 1 },
	{ "{\"if\":{\"required\":[\"a\"],\"properties\":{\"a\":true,\"b\":"
	  "true}},\"else\":{\"properties\":{\"c\":true}},"
	  "\"unevaluatedProperties\":false}",
		"{\"c\":1}", 1 },
	{ "{\"if\":{\"required\":[\"a\"],\"properties\":{\"a\":true,\"b\":"
	  "true}},\"else\":{\"properties\":{\"c\":true}},"
	  "\"unevaluatedProperties\":false}",
		"{\"b\":1,\"c\":1}", 0 },
	/* nothing comes out of a not */
	{ "{\"not\":{\"not\":{\"properties\":{\"a\":true}}},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1}", 0 },
	/* but one within it asks for itself */
	{ "{\"not\":{\"properties\":{\"a\":true},"
	  "\"unevaluatedProperties\":false}}",
		"{\"a\":1}", 0 },
	{ "{\"not\":{\"properties\":{\"a\":true},"
	  "\"unevaluatedProperties\":false}}",
		"{\"b\":1}", 1 },
	/* cousins do not see one another */
	{ "{\"allOf\":[{\"properties\":{\"a\":true}},"
	  "{\"unevaluatedProperties\":false}]}",
		"{\"a\":1}", 0 },
	/* an inner one leaves nothing to the outer */
	{ "{\"allOf\":[{\"unevaluatedProperties\":true}],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1}", 1 },
	{ "{\"anyOf\":[{\"unevaluatedProperties\":{\"type\":\"null\"}},true],"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":1}", 0 },
	/* nor does a value see what was looked at in its parent */
	{ "{\"properties\":{\"a\":{\"properties\":{\"b\":{\"properties\":"
	  "{\"c\":true}}}}},\"unevaluatedProperties\":false}",
		"{\"a\":{\"x\":1,\"b\":{\"y\":1}}}", 1 },
	{ "{\"properties\":{\"a\":{\"$ref\":\"#\"}},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":{\"a\":{\"b\":1}}}", 0 },
	{ "{\"properties\":{\"a\":{\"$ref\":\"#\"}},"
	  "\"unevaluatedProperties\":false}",
		"{\"a\":{\"a\":{\"a\":{}}}}", 1 },
	/* items */
	{ "{\"prefixItems\":[true,true],\"unevaluatedItems\":false}", "[1,2]",
		1 },
	{ "{\"prefixItems\":[true,true],\"unevaluatedItems\":false}", "[1,2,3]",
		0 },
	{ "{\"items\":true,\"unevaluatedItems\":false}", "[1]", 1 },
	{ "{\"anyOf\":[{\"prefixItems\":[true]},{\"prefixItems\":[true,true]},"
	  "{\"prefixItems\":[true,true,false]}],\"unevaluatedItems\":false}",
		"[1,2]", 1 },
	{ "{\"anyOf\":[{\"prefixItems\":[true]},{\"prefixItems\":[true,true]},"
	  "{\"prefixItems\":[true,true,false]}],\"unevaluatedItems\":false}",
		"[1,2,3]", 0 },
	{ "{\"unevaluatedItems\":false}", "[]", 1 },
	{ "{\"unevaluatedItems\":false}", "{\"a\":1}", 1 },
	{ "{\"contains\":{\"type\":\"null\"},\"unevaluatedItems\":"
	  "{\"type\":\"string\"}}",
		"[null,\"\",null]", 1 },
	{ "{\"contains\":{\"type\":\"null\"},\"unevaluatedItems\":"
	  "{\"type\":\"string\"}}",
		"[null,1]", 0 },
	{ "{\"contains\":{\"type\":\"null\"},\"minContains\":0,"
	  "\"unevaluatedItems\":false}",
		"[null,null]", 1 },
};

static void
test_unevaluated(void)
{
	for (size_t i = 0; i < sizeof unevaluated / sizeof unevaluated[0];
		i++) {
		int verdict = in_draft(WV_DRAFT_2020_12, unevaluated[i].schema,
			unevaluated[i].instance);
		ok(verdict == unevaluated[i].verdict, "%s of %s",
			unevaluated[i].instance, unevaluated[i].schema);
	}
	ok(in_draft(WV_DRAFT_2019_09,
		   "{\"contains\":{\"type\":\"null\"},"
		   "\"unevaluatedItems\":false}",
		   "[null]") == 0,
		"in 2019-09 contains does not count");
}

/* More members than bits fit on the stack, and more of them within. */
static void
test_many(void)
{
	static const char schema[] =
		"{\"$defs\":{\"p\":{\"patternProperties\":{\"^a\":true}}},"
		"\"properties\":{\"deeper\":{\"$ref\":\"#\"}},\"anyOf\":["
		"{\"$ref\":\"#/$defs/p\"},{\"$ref\":\"#/$defs/p\"}],"
		"\"unevaluatedProperties\":false}";
	struct wv_str level = { 0 };

	wv_str_cat(&level, "{");
	for (int n = 0; n < 500; n++)
		wv_str_fmt(&level, "\"a%d\":1,", n);
	wv_str_cat(&level, "\"deeper\":");
	ok(in_draft(WV_DRAFT_2020_12, schema,
		   repeat(level.s, 20, "{\"a\":1,\"b\":1}", "}")) == 0,
		"one of 10,000 members is unknown");
	ok(in_draft(WV_DRAFT_2020_12, schema,
		   repeat(level.s, 20, "{\"a\":1,\"ab\":1}", "}")) == 1,
		"none is");
	wv_str_free(&level);
}

static const struct {
	const char *instance;
	int tree, strict_tree;
} trees[] = {
	{ "{\"kids\":[{\"kids\":[]}]}", 1, 1 },
	{ "{\"kids\":[{\"dads\":[]}]}", 1, 0 },
	{ "{\"kids\":[{\"kids\":[{\"x\":1}]}]}", 1, 0 },
	{ "{\"kids\":1}", 0, 0 },
};

/* A tree that another schema makes strict, by what replaces its nodes. */
static void
judge_trees(enum wv_draft draft, const char *tree, const char *strict_tree)
{
	struct wv_schema_options options = WV_SCHEMA_OPTIONS_INIT;
	struct wv_schema_set *set;
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *plain, *tight;
	const cJSON *roots[] = { json(tree), json(strict_tree) };

	options.draft = draft;
	set = wv_schema_set_new(&options);
	wv_schema_set_add(set, roots[0], NULL, &err);
	plain = wv_schema_compile(set, roots[0], &err);
	tight = wv_schema_compile(set, roots[1], &err);
	ok(plain && tight, "trees compile: %s", err.text);
	for (size_t i = 0; plain && tight && i < sizeof trees / sizeof trees[0];
		i++) {
		const cJSON *instance = json(trees[i].instance);
		ok(wv_schema_valid(plain, instance) == trees[i].tree,
			"tree: %s", trees[i].instance);
		ok(wv_schema_valid(tight, instance) == trees[i].strict_tree,
			"strict tree: %s", trees[i].instance);
	}
	wv_schema_set_free(set);
}

static void
test_dynamic(void)
{
	judge_trees(WV_DRAFT_2020_12,
		"{\"$id\":\"urn:x:tree\",\"$dynamicAnchor\":\"node\","
		"\"type\":\"object\",\"properties\":{\"kids\":{\"type\":"
		"\"array\",\"items\":{\"$dynamicRef\":\"#node\"}}}}",
		"{\"$id\":\"urn:x:strict\",\"$dynamicAnchor\":\"node\","
		"\"$ref\":\"urn:x:tree\",\"unevaluatedProperties\":false}");
	judge_trees(WV_DRAFT_2019_09,
		"{\"$id\":\"urn:x:tree\",\"$recursiveAnchor\":true,"
		"\"type\":\"object\",\"properties\":{\"kids\":{\"type\":"
		"\"array\",\"items\":{\"$recursiveRef\":\"#\"}}}}",
		"{\"$id\":\"urn:x:strict\",\"$recursiveAnchor\":true,"
		"\"$ref\":\"urn:x:tree\",\"unevaluatedProperties\":false}");
}

static const struct {
	const char *schema, *error;
} refusals[] = {
	{ "{\"prefixItems\":[]}",
		"/prefixItems: must be a list of at least one schema" },
	{ "{\"prefixItems\":{}}",
		"/prefixItems: must be a list of at least one schema" },
	{ "{\"prefixItems\":[true,1]}",
		"/prefixItems: \"1\" must be a schema: an object, true or "
		"false" },
	{ "{\"contains\":1}",
		"/contains: must be a schema: an object, true or false" },
	{ "{\"minContains\":-1}",
		"/minContains: must be a whole number, 0 or more" },
	{ "{\"dependentRequired\":[]}",
		"/dependentRequired: must be an object" },
	{ "{\"dependentRequired\":{\"a\":{}}}",
		"/dependentRequired: must have a list of names for \"a\"" },
	{ "{\"dependentRequired\":{\"a\":[1]}}",
		"/dependentRequired: must have a list of names for \"a\"" },
	{ "{\"dependentSchemas\":{\"a\":[]}}",
		"/dependentSchemas: \"a\" must be a schema: an object, true or "
		"false" },
	{ "{\"dependencies\":{\"a\":1}}",
		"/dependencies: \"a\" must be a schema: an object, true or "
		"false" },
	{ "{\"unevaluatedItems\":[]}",
		"/unevaluatedItems: must be a schema: an object, true or "
		"false" },
	{ "{\"$dynamicRef\":1}", "/$dynamicRef: must be a string" },
	/* the keyword that is wrong, not the one that came first */
	{ "{\"properties\":{},\"patternProperties\":{\"(\":true}}",
		"/patternProperties: not a regular expression: no ) for a ( "
		"at character 2" },
};

static void
test_refusals(void)
{
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct wv_str text = { 0 };
		ok(judge(&strict, refusals[i].schema, "1", &text) == -2,
			"refused: %s", refusals[i].schema);
		is(text.s, refusals[i].error, "and why");
		wv_str_free(&text);
	}
}

int
main(void)
{
	test_drafts();
	test_unevaluated();
	test_many();
	test_dynamic();
	test_refusals();
	wv_arena_free(&arena);
	return done();
}
