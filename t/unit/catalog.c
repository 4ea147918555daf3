/* SPDX-License-Identifier: Apache-2.0 */
#include "catalog.h"

#include "base/digest.h"
#include "json/jcs.h"

#define CAP(id) \
	"{\"id\":\"" id "\",\"name\":\"n\",\"version\":\"1\"," \
	"\"description\":\"d\"}"

static void
fails(const char *name, const char *text, size_t line, size_t column,
	const char *words)
{
	fails_after(NULL, name, text, line, column, words);
}

/* Loads one file; says its ids with their lines. */
static void
holds(const char *name, const char *text, const char *want)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str got = { 0 };

	wv_str_cat(&got, "");
	if (wv_catalog_load(&catalog, &arena, put(name, text), &err) != 0)
		wv_str_cat(&got, err.text);
	for (size_t i = 0; i < catalog.count; i++)
		wv_str_fmt(&got, "%s%s:%zu", i > 0 ? " " : "",
			catalog.items[i].id, catalog.items[i].line);
	is(got.s, want, "%s", name);
	wv_str_free(&got);
	wv_catalog_free(&catalog);
}

static void
test_shapes(void)
{
	holds("lines.jsonl", CAP("a") "\n\n" CAP("b") "\n", "a:1 b:3");
	holds("bom.jsonl", "\xef\xbb\xbf" CAP("a") "\n", "a:1");
	holds("no-name", CAP("a") "\n" CAP("b"), "a:1 b:2");
	holds("array.json", "[\n " CAP("a") ",\n\n" CAP("b") "\n]", "a:2 b:4");
	holds("documents.json",
		"{\n\"id\":\"a\",\"name\":\"{[\\\"\",\n\"version\":\"1\","
		"\"description\":\"]\"}\n" CAP("b"),
		"a:1 b:4");
	holds("list.yaml",
		"- id: a\n  name: it\n  version: '1'\n  description: d\n"
		"- {id: b, name: it, version: '1', description: d}\n",
		"a:1 b:5");
	holds("tools.yaml",
		"version: 1\ntools:\n  - capability: a.b\n    source: exec\n"
		"    command: [cat]\n  - capability: a.c\n    source: exec\n"
		"    command: [ls]\n",
		"a.b:3 a.c:6");
	holds("empty.jsonl", "\n\n", "");
}

static void
test_tools(void)
{
	static const char text[] =
		"version: 1\ntools:\n  - capability: org.demo.read_it\n"
		"    source: exec\n    command: [cat]\n    read_only: true\n"
		"    examples: [read it to me]\n  - capability: one\n"
		"    description: d\n    source: exec\n    command: [rm]\n"
		"    writes: true\n    input_schema: {type: object}\n";
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	const struct wv_capability *c;
	char hex[WV_SHA256_HEX];
	cJSON *record;

	ok(wv_catalog_load(&catalog, &arena, put("t.yaml", text), &err) == 0,
		"tools.yaml loads");
	printf("# %s\n", err.text);
	ok(catalog.count == 2, "two tools");
	ok(wv_catalog_find(&catalog, "org.demo") == NULL, "not there");
	c = wv_catalog_find(&catalog, "org.demo.read_it");
	is(c->name, "read_it", "the name is the last segment");
	is(c->description, "read_it", "the description is the name");
	is(c->version, "1", "the version is 1");
	is(c->safety, "read", "read_only is read");
	ok(c->is_tool && c->line == 3, "line %zu", c->line);
	wv_json_digest(hex, c->node);
	is(c->fingerprint, hex, "the fingerprint is the entry's digest");
	record = wv_tool_capability(&arena, c->node, c->fingerprint);
	is(wv_get_string(wv_get(record, "metadata"), "x_wv_fingerprint"), hex,
		"in the record too");
	c = wv_catalog_find(&catalog, "one");
	is(c->safety, "write", "writes is write");
	ok(wv_is_object(c->input_schema), "the input schema");
	wv_catalog_free(&catalog);
}

static void
test_wrapped(void)
{
	static const char text[] =
		"version: 1\ntools:\n"
		"  - {capability: a.a, source: wrapped, wraps: a.b}\n"
		"  - {capability: a.b, source: wrapped, wraps: a.c}\n"
		"  - {capability: a.c, source: exec, command: [x]}\n";
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	const struct wv_capability *c;
	char hex[WV_SHA256_HEX];

	ok(wv_catalog_load(&catalog, &arena, put("w.yaml", text), &err) == 0,
		"wrapped tools");
	c = wv_catalog_find(&catalog, "a.c");
	wv_json_digest(hex, c->node);
	is(c->fingerprint, hex, "what is wrapped knows nothing of it");
	wv_tool_fingerprint(
		hex, wv_catalog_find(&catalog, "a.b")->node, c->fingerprint);
	wv_tool_fingerprint(hex, wv_catalog_find(&catalog, "a.a")->node, hex);
	is(wv_catalog_find(&catalog, "a.a")->fingerprint, hex,
		"the fingerprint covers all that is wrapped");
	wv_catalog_free(&catalog);
}

static void
test_beside(void)
{
	is(wv_tools_beside(&arena, "tools.yaml", "a/b"), "a/b", "here");
	is(wv_tools_beside(&arena, "-", "a"), "a", "standard input");
	is(wv_tools_beside(&arena, "/x/y/tools.yaml", "../a"), "/x/y/../a",
		"beside it");
	is(wv_tools_beside(&arena, "/tools.yaml", "a"), "/a", "at the root");
	is(wv_tools_beside(&arena, "x/tools.yaml", "/a"), "/a", "absolute");
}

static void
test_json_tools(void)
{
	holds("tools.json",
		"{\"version\":1,\n\"x_list\":[{\"tools\":[]}],\"tools\":[\n"
		"{\"capability\":\"a.b\",\"source\":\"exec\","
		"\"command\":[\"a]\"]},\n"
		"{\"capability\":\"a.c\",\"source\":\"exec\","
		"\"command\":[\"b\"]}]}",
		"a.b:3 a.c:4");
}

static void
test_faults(void)
{
	fails("dup.jsonl", CAP("a") "\n" CAP("b") "\n" CAP("a"), 3, 1,
		"duplicate id \"a\", first at");
	fails("no-name.jsonl", CAP("a") "\n{\"id\":\"b\"}", 2, 1,
		"capability \"b\" has no name");
	fails("no-id.jsonl", "{}", 1, 1, "capability has no id");
	fails("empty-id.jsonl", CAP(""), 1, 7, "not empty as its id");
	fails("number.jsonl", "{\"id\":7}", 1, 7, "not empty as its id");
	fails("scalar.jsonl", "7", 1, 1, "a capability is an object");
	fails("control.jsonl", CAP("a\\u0007"), 1, 1, "control or invisible");
	fails("nul.jsonl", CAP("a\\u0000b"), 1, 1, "control or invisible");
	fails("bidi.jsonl", CAP("a\\u202eb"), 1, 1, "control or invisible");
	fails("zero.jsonl", CAP("a\\u200bb"), 1, 1, "control or invisible");
	fails("tags.jsonl",
		"{\"id\":\"a\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\",\"tags\":[1]}",
		1, 61, "tags is no list of texts");
	fails("torn.jsonl", CAP("a") "\n{\"id\":", 2, 7, "");
	fails("bad.jsonl", CAP("a") "\n{'id':1}\n" CAP("c"), 2, 2, "quote");
	fails("comma.jsonl", CAP("a") ",\n" CAP("c"), 1, 54, "");
	fails("close.jsonl", CAP("a") "}\n", 1, 54, "");
	fails("tools.yaml", "version: 1\ntools:\n  - capability: a\n", 3, 5,
		"");
	fails("alias.yaml", "- &x {}\n- *x\n", 1, 3, "");
}

static void
test_id_length(void)
{
	struct wv_str text = { 0 };
	char id[258];

	memset(id, 'i', 257);
	id[257] = '\0';
	wv_str_fmt(&text,
		"{\"id\":\"%s\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\"}",
		id);
	fails("long.jsonl", text.s, 1, 1, "longer than 256");
	wv_str_free(&text);
}

static void
test_size(void)
{
	struct wv_catalog catalog = { .bytes = WV_CATALOG_MAX - 60 };
	struct wv_err err = WV_ERR_INIT;
	const char *path = put("size.jsonl", CAP("a"));

	ok(wv_catalog_load(&catalog, &arena, path, &err) == 0,
		"as long as it may be");
	ok(wv_catalog_load(&catalog, &arena, path, &err) == -1 &&
			strcmp(err.source, path) == 0,
		"too long, all files taken together");
	is(err.text, "makes the catalogue longer than 268435456 bytes",
		"and says so");
	wv_catalog_free(&catalog);
}

static void
count(const struct wv_err *err, void *arg)
{
	int *n = arg;

	printf("# %zu: %s\n", err->line, err->text);
	++*n;
}

static void
test_hearing(void)
{
	int heard = 0;
	struct wv_catalog catalog = { .fault = count, .fault_arg = &heard };
	struct wv_err err = WV_ERR_INIT;

	ok(wv_catalog_load(&catalog, &arena,
		   put("many.jsonl",
			   CAP("a") "\n{\"id\":\"b\"}\n7\n" CAP("a") "\n" CAP(
				   "c")),
		   &err) == 0,
		"faults that are heard do not fail the load");
	ok(heard == 5, "%d heard: three members, a number, a duplicate", heard);
	ok(catalog.count == 2, "the good ones are there");
	wv_catalog_free(&catalog);
}

static void
test_tools_load(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_doc doc;
	const char *path = put("dup.yaml",
		"version: 1\ntools:\n  - capability: a.b\n    source: exec\n"
		"    command: [x]\n  - capability: a.b\n    source: exec\n"
		"    command: [z]\n");

	ok(wv_tools_load(&doc, &arena, path, &err) == -1 && err.line == 6 &&
			strstr(err.text, "first at line 3") != NULL,
		"a capability that is served twice");
	printf("# %zu: %s\n", err.line, err.text);
}

/* Case F11: ids that were given are kept apart. */
static void
test_alike(void)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;

	ok(wv_catalog_load(&catalog, &arena,
		   put("alike.jsonl",
			   CAP("read-file") "\n" CAP("a") "\n" CAP(
				   "read_file") "\n" CAP("Read.File")),
		   &err) == 0 &&
			catalog.count == 4,
		"all are there");
	ok(catalog.items[0].alike == 0 && catalog.items[1].alike == 0,
		"the first are like no other");
	ok(catalog.items[2].alike == 1 && catalog.items[3].alike == 1,
		"the others are like the first");
	wv_catalog_free(&catalog);
}

static void
test_depends_on(void)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	const struct wv_capability *c;

	wv_catalog_load(&catalog, &arena,
		put("d.yaml",
			"version: 1\ntools:\n"
			"  - {capability: a, source: exec, command: [x],\n"
			"     depends_on: [b, c]}\n"),
		&err);
	wv_catalog_load(&catalog, &arena,
		put("d.json",
			"{\"id\":\"b\",\"name\":\"n\",\"version\":\"1\","
			"\"description\":\"d\",\"metadata\":"
			"{\"x_wv_depends_on\":[\"c\"]}}"),
		&err);
	c = wv_catalog_find(&catalog, "a");
	ok(wv_count(c->depends_on) == 2, "of a tool");
	c = wv_catalog_find(&catalog, "b");
	is(c->depends_on->child->valuestring, "c", "of a Capability");
	is(wv_pointer(wv_catalog_record(&catalog, &arena, 0),
		   "/metadata/x_wv_depends_on/0")
			->valuestring,
		"b", "in the record of a tool");
	wv_catalog_free(&catalog);
	fails("d.jsonl",
		"{\"id\":\"b\",\"name\":\"n\",\"version\":\"1\",\n"
		"\"description\":\"d\",\"metadata\":\n"
		" {\"x_wv_depends_on\":7}}",
		3, 21, "x_wv_depends_on is no list of texts");
	fails("d.jsonl",
		"{\"id\":\"b\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\",\"metadata\":\n"
		" {\"x_wv_safety\":\"none\"}}",
		2, 17, "x_wv_safety is none of read, write, destructive");
	fails("d.jsonl",
		"{\"id\":\"b\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\",\"metadata\":\n"
		" {\"risk_assessment\":{\"risk_level\":[\"critical\"]}}}",
		2, 35, "risk_level is none of low, medium, high, critical");
	fails("d.jsonl",
		"{\"id\":\"b\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\",\"metadata\":\n"
		" {\"risk_assessment\":\"critical\"}}",
		2, 21, "risk_assessment is no object");
}

/* What a tool has from another file is where that is named. */
static void
test_position(void)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	size_t line, column;

	put("s.json", "{\"type\":\n\"object\"}");
	wv_catalog_load(&catalog, &arena,
		put("p.yaml",
			"version: 1\ntools:\n"
			"  - {capability: a, source: exec, command: [x],\n"
			"     input_schema_file: s.json}\n"),
		&err);
	wv_capability_position(
		&catalog.items[0], "/input_schema/type", &line, &column);
	ok(line == 4 && column == 25, "%zu:%zu", line, column);
	wv_capability_position(&catalog.items[0], "/command/7", &line, &column);
	ok(line == 3 && column == 44, "%zu:%zu", line, column);
	wv_capability_position(&catalog.items[0], "", &line, &column);
	ok(line == 3 && column == 5, "%zu:%zu", line, column);
	wv_catalog_free(&catalog);
}

int
main(void)
{
	begin();
	test_shapes();
	test_tools();
	test_wrapped();
	test_beside();
	test_json_tools();
	test_faults();
	test_id_length();
	test_size();
	test_hearing();
	test_tools_load();
	test_alike();
	test_depends_on();
	test_position();
	return end();
}
