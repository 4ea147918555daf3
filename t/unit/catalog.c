/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include "base/digest.h"
#include "contract/catalog.h"
#include "json/jcs.h"

#include <stdlib.h>
#include <unistd.h>

#define CAP(id) \
	"{\"id\":\"" id "\",\"name\":\"n\",\"version\":\"1\"," \
	"\"description\":\"d\"}"

static struct wv_arena arena = WV_ARENA_INIT;
static char folder[256];

/* A file of the test's folder, its path in the arena. */
static char *
put(const char *name, const char *text)
{
	char *path = wv_printf(&arena, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		exit(2);
	return path;
}

static void
fails(const char *name, const char *text, size_t line, const char *words)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	const char *path = put(name, text);

	ok(wv_catalog_load(&catalog, &arena, path, &err) == -1 &&
			err.line == line && strstr(err.text, words) != NULL &&
			err.source != NULL && strcmp(err.source, path) == 0,
		"%s:%zu: %s", name, line, words);
	printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
	wv_catalog_free(&catalog);
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
	fails("dup.jsonl", CAP("a") "\n" CAP("b") "\n" CAP("a"), 3,
		"duplicate id \"a\", first at");
	fails("no-name.jsonl", CAP("a") "\n{\"id\":\"b\"}", 2,
		"capability \"b\" has no name");
	fails("no-id.jsonl", "{}", 1, "capability has no id");
	fails("empty-id.jsonl", CAP(""), 1, "not empty as its id");
	fails("number.jsonl", "{\"id\":7}", 1, "not empty as its id");
	fails("scalar.jsonl", "7", 1, "a capability is an object");
	fails("control.jsonl", CAP("a\\u0007"), 1, "control characters");
	fails("nul.jsonl", CAP("a\\u0000b"), 1, "control characters");
	fails("tags.jsonl",
		"{\"id\":\"a\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\",\"tags\":[1]}",
		1, "tags is no list of texts");
	fails("torn.jsonl", CAP("a") "\n{\"id\":", 2, "");
	fails("bad.jsonl", CAP("a") "\n{'id':1}\n" CAP("c"), 2, "quote");
	fails("comma.jsonl", CAP("a") ",\n" CAP("c"), 1, "");
	fails("close.jsonl", CAP("a") "}\n", 1, "");
	fails("tools.yaml", "version: 1\ntools:\n  - capability: a\n", 3, "");
	fails("alias.yaml", "- &x {}\n- *x\n", 1, "");
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
	fails("long.jsonl", text.s, 1, "longer than 256");
	wv_str_free(&text);
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

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char *remove;

	snprintf(folder, sizeof(folder), "%s/catalog.XXXXXX",
		tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
	if (mkdtemp(folder) == NULL)
		return 2;
	test_shapes();
	test_tools();
	test_wrapped();
	test_beside();
	test_json_tools();
	test_faults();
	test_id_length();
	test_hearing();
	test_tools_load();
	remove = wv_printf(&arena, "rm -r '%s'", folder);
	if (system(remove) != 0)
		return 2;
	wv_arena_free(&arena);
	return done();
}
