/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What references stand for, and conditions on it: cmd/wv-flow/map.c and
 * condition.c.
 *
 * links: cmd/wv-flow/map.c
 */
#include "cmd/wv-flow/condition.c"

#include "document.h"

#include <stdio.h>

static struct map_scope
scope_of(struct flow *flow)
{
	static const cJSON *frames[2];

	wv_map_add(&flow->ids, "find", 0);
	wv_map_add(&flow->ids, "skipped", 1);
	frames[0] = json("{\"summary\":\"two\",\"structured_data\":"
			 "{\"a/b\":[10,null],\"h\":[{\"x_wv_handle\":"
			 "\"handle-9\"}]},\"handle_refs\":["
			 "{\"handle_id\":\"handle-1\"},\"handle-2\",7]}");
	return (struct map_scope){ flow, json("{\"x\":1,\"\":{\"y\":[2]}}"),
		frames, json("{\"name\":\"n\"}") };
}

/* The JSON text of what is made, or the error. */
static const char *
made(const char *written, const struct map_scope *scope)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *value = map_resolve(&arena, json(written), scope, &err);
	struct wv_str out = { 0 };
	const char *text;

	if (value == NULL)
		return wv_dup(&arena, err.text);
	wv_json_write(&out, value);
	text = wv_dupn(&arena, out.s, out.n);
	wv_str_free(&out);
	return text;
}

static void
test_from(const struct map_scope *scope)
{
	is(made("{\"a\":[{\"from\":\"/input/x\"},{\"b\":{\"from\":\"/item\"}}],"
		"\"c\":{\"from\":\"/input//y/0\"}}",
		   scope),
		"{\"a\":[1,{\"b\":{\"name\":\"n\"}}],\"c\":2}", "at any depth");
	is(made("{\"from\":\"/input\"}", scope), "{\"x\":1,\"\":{\"y\":[2]}}",
		"the whole");
	is(made("{\"from\":\"/input/x\"}", scope),
		"what /input/x leads to is no object", "no object in all");
	is(made("{\"a\":{\"from\":\"/steps/find/structured_data/a~1b/1\"}}",
		   scope),
		"{\"a\":null}", "null is a value, and ~1 a slash");
	is(made("{\"a\":{\"from\":\"/steps/find/structured_data/a~1b/2\"}}",
		   scope),
		"there is nothing at /steps/find/structured_data/a~1b/2",
		"nothing there");
	is(made("{\"a\":{\"from\":\"/steps/skipped/summary\"}}", scope),
		"there is nothing at /steps/skipped/summary",
		"a step without a Frame");
}

static void
test_default(const struct map_scope *scope)
{
	is(made("{\"a\":{\"from\":\"/steps/skipped/summary\",\"default\":"
		"{\"from\":\"/input/x\"}}}",
		   scope),
		"{\"a\":{\"from\":\"/input/x\"}}", "a default is a literal");
	is(made("{\"a\":{\"default\":0,\"from\":\"/input/x\"}}", scope),
		"{\"a\":1}", "which is not needed");
	is(made("{\"from\":\"/steps/skipped\",\"default\":{}}", scope), "{}",
		"in all");
}

static void
test_literals(const struct map_scope *scope)
{
	is(made("{\"a\":{\"value\":{\"from\":\"/input/x\"}},\"b\":{\"from\":"
		"\"word\"},\"c\":{\"from\":1,\"default\":2},\"d\":{\"from\":"
		"\"/a\",\"more\":1}}",
		   scope),
		"{\"a\":{\"from\":\"/input/x\"},\"b\":{\"from\":\"word\"},"
		"\"c\":{\"from\":1,\"default\":2},\"d\":{\"from\":\"/a\","
		"\"more\":1}}",
		"what is no reference is itself");
	is(made("{\"a\":[],\"b\":{}}", scope), "{\"a\":[],\"b\":{}}", "empty");
}

static void
test_handle(const struct map_scope *scope)
{
	is(made("{\"a\":{\"handle\":\"/steps/find/handle_refs/0\"},"
		"\"b\":{\"handle\":\"/steps/find/handle_refs/1\"}}",
		   scope),
		"{\"a\":{\"x_wv_handle\":\"handle-1\"},"
		"\"b\":{\"x_wv_handle\":\"handle-2\"}}",
		"a Handle, or its id");
	is(made("{\"a\":{\"handle\":\"/steps/find/handle_refs/2\"}}", scope),
		"what is at /steps/find/handle_refs/2 is no Handle",
		"something else");
	is(made("{\"a\":{\"handle\":\"/steps/skipped/handle_refs/0\","
		"\"default\":\"text\"}}",
		   scope),
		"{\"a\":\"text\"}", "a default is no Handle");
	is(made("{\"a\":{\"from\":\"/steps/find/structured_data/h\"}}", scope),
		"what is at /steps/find/structured_data/h holds an x_wv_handle",
		"a tool does not say what another is given");
	is(made("{\"a\":{\"x_wv_handle\":{\"from\":\"/input/x\"}}}", scope),
		"{\"a\":{\"x_wv_handle\":1}}", "the flow does");
}

/* 1, 0, or -1 */
static int
holds(const char *value, const char *schema, bool negate,
	const struct map_scope *scope)
{
	struct wv_schema_set *set = wv_schema_set_new(NULL);
	struct wv_err err = WV_ERR_INIT;
	struct flow_condition condition = { json(value),
		wv_schema_compile(set, json(schema), NULL), negate };
	int verdict = condition_holds(&condition, scope, &err);

	ok((verdict < 0) == wv_err_is_set(&err), "an error if it cannot tell");
	wv_schema_set_free(set);
	return verdict;
}

static void
test_conditions(const struct map_scope *scope)
{
	const char *x = "{\"from\":\"/input/x\"}";
	const char *nothing = "{\"from\":\"/steps/skipped/summary\"}";

	ok(holds(x, "{\"minimum\":1}", false, scope) == 1, "it holds");
	ok(holds(x, "{\"minimum\":2}", false, scope) == 0, "it does not");
	ok(holds(x, "{\"minimum\":2}", true, scope) == 1, "it is not so");
	ok(holds(x, "{\"type\":\"string\",\"maxLength\":1}", false, scope) == 0,
		"another type is no error");
	ok(holds(nothing, "{}", false, scope) == -1, "no value, no default");
	ok(holds(nothing, "{}", true, scope) == -1, "however it is asked");
	ok(holds("{\"from\":\"/steps/skipped\",\"default\":3}", "{\"const\":3}",
		   false, scope) == 1,
		"a default");
}

int
main(void)
{
	struct flow flow = { 0 };
	const struct map_scope scope = scope_of(&flow);

	test_from(&scope);
	test_default(&scope);
	test_literals(&scope);
	test_handle(&scope);
	test_conditions(&scope);
	wv_map_free(&flow.ids);
	wv_arena_free(&arena);
	return done();
}
