/* SPDX-License-Identifier: Apache-2.0 */
/* Tools of MCP, OpenAI and Anthropic as a catalogue: forms, ids, safety. */
#include "catalog.h"

#define SCHEMA "{\"type\":\"object\"}"
#define MCP(name, more) \
	"{\"name\":\"" name "\",\"description\":\"d\"," \
	"\"inputSchema\":" SCHEMA more "}"

/* What each is, as "id:line:column/safety". */
static void
holds_after(const char *prefix, const char *text, const char *want)
{
	struct wv_catalog catalog = { .prefix = prefix };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str got = { 0 };
	bool yaml = text[0] != '{' && text[0] != '[';

	wv_str_cat(&got, "");
	if (wv_catalog_load(&catalog, &arena, put(yaml ? "y.yaml" : "j", text),
		    &err) != 0)
		wv_str_fmt(&got, "%zu:%zu: %s", err.line, err.column, err.text);
	for (size_t i = 0; i < catalog.count; i++) {
		const struct wv_capability *c = &catalog.items[i];
		wv_str_fmt(&got, "%s%s:%zu:%zu%s%s", i > 0 ? " " : "", c->id,
			c->line, c->column, c->safety ? "/" : "",
			c->safety ? c->safety : "");
	}
	is(got.s, want, "%.72s", text);
	wv_str_free(&got);
	wv_catalog_free(&catalog);
}

static void
holds(const char *text, const char *want)
{
	holds_after(NULL, text, want);
}

/* The error, and its place. */
static void
fails(const char *text, size_t line, size_t column, const char *words)
{
	fails_after(NULL, "f", text, line, column, words);
}

static void
test_mcp(void)
{
	holds("{\"tools\":[" MCP("a", "") ",\n" MCP("b", "") "]}",
		"a:1:11 b:2:1");
	holds("{\"tools\":[" MCP("a", "") "],\"nextCursor\":\"x\"}\n"
					  "{\"tools\":[" MCP("b", "") "]}\n",
		"a:1:11 b:2:11");
	holds("[{\"tools\":[" MCP("a", "") "]},\n{\"tools\":[]},"
					   "{\"tools\":[" MCP("b", "") "]}]",
		"a:1:12 b:2:24");
	holds("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n\"tools\":\n[" MCP(
		      "a", "") "]}}",
		"a:3:2");
	holds("[" MCP("a", "") "," MCP("b", "") "]", "a:1:2 b:1:65");
	holds(MCP("a", "") "\n" MCP("b", ""), "a:1:1 b:2:1");
	holds("tools:\n  - name: a\n    inputSchema: {type: object}\n",
		"a:2:5");
	holds("- name: a\n  inputSchema: {type: object}\n", "a:1:3");
}

static void
test_safety(void)
{
#define HINTS(text) MCP("a", ",\"annotations\":{" text "}")
	holds(HINTS(""), "a:1:1");
	holds(HINTS("\"readOnlyHint\":true"), "a:1:1/read");
	holds(HINTS("\"readOnlyHint\":false"), "a:1:1/write");
	holds(HINTS("\"readOnlyHint\":false,\"destructiveHint\":false"),
		"a:1:1/write");
	holds(HINTS("\"destructiveHint\":true"), "a:1:1/destructive");
	holds(HINTS("\"destructiveHint\":false"), "a:1:1");
	holds(HINTS("\"readOnlyHint\":true,\"destructiveHint\":true"),
		"a:1:1/destructive");
	holds(HINTS("\"idempotentHint\":true"), "a:1:1");
	fails(HINTS("\"readOnlyHint\":true,\"destructiveHint\":\"true\""), 1,
		116, "tool \"a\" needs true or false as its destructiveHint");
	fails(MCP("a", ",\"annotations\":[]"), 1, 77,
		"needs an object as its annotations");
}

static void
test_tightened(void)
{
	static const char *const table[][3] = {
		/* own, theirs, both */
		{ "read", NULL, "read" },
		{ "read", "read", "read" },
		{ "read", "write", "write" },
		{ "read", "destructive", "destructive" },
		{ NULL, NULL, NULL },
		{ NULL, "read", NULL },
		{ NULL, "write", "write" },
		{ "write", "read", "write" },
		{ "write", "destructive", "destructive" },
		{ "destructive", "write", "destructive" },
		{ "destructive", "read", "destructive" },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		is(wv_safety_tightened(table[i][0], table[i][1]), table[i][2],
			"%s, and they say %s",
			table[i][0] ? table[i][0] : "unknown",
			table[i][1] ? table[i][1] : "nothing");
}

static void
test_apis(void)
{
	holds("[{\"type\":\"function\",\"function\":{\"name\":\"a\","
	      "\"description\":\"d\",\"parameters\":" SCHEMA "}},\n"
	      "{\"type\":\"function\",\"function\":{\"name\":\"b\"}}]",
		"a:1:2 b:2:1");
	holds("[{\"type\":\"function\",\"name\":\"a\",\"strict\":true,"
	      "\"parameters\":" SCHEMA "},{\"type\":\"function\","
	      "\"name\":\"b\",\"parameters\":null}]",
		"a:1:2 b:1:78");
	holds("[{\"name\":\"a\",\"description\":\"d\",\"input_schema\":" SCHEMA
	      "},{\"type\":\"custom\",\"name\":\"b\",\"input_schema\":" SCHEMA
	      "}]",
		"a:1:2 b:1:66");
	holds("{\"model\":\"m\",\"messages\":[],\"tools\":[\n{\"type\":"
	      "\"function\",\"function\":{\"name\":\"a\"}}]}",
		"a:2:1");
	fails("[{\"type\":\"web_search\"}]", 1, 10, "its provider runs it");
	fails("[{\"type\":\"bash_20250124\",\"name\":\"bash\"}]", 1, 10,
		"its provider runs it");
}

static void
test_faults(void)
{
	fails("{\"tools\":[{\"description\":\"d\"}]}", 1, 11,
		"tool has no name");
	fails("{\"tools\":[{\"name\":\"a\"}]}", 1, 11,
		"tool \"a\" has no inputSchema");
	fails("{\"tools\":[\n{\"name\":\"\",\"inputSchema\":{}}]}", 2, 9,
		"tool needs a text that is not empty as its name");
	fails("{\"tools\":[{\"name\":7,\"inputSchema\":{}}]}", 1, 19,
		"tool needs a text as its name");
	fails("{\"tools\":[{\"name\":\"a\",\"inputSchema\":[]}]}", 1, 37,
		"tool \"a\" needs an object as its inputSchema");
	fails("{\"tools\":[{\"name\":\"a\",\"inputSchema\":{},"
	      "\"description\":[]}]}",
		1, 54, "tool \"a\" needs a text as its description");
	fails("[{\"type\":\"function\",\"function\":{\"name\":\"a\","
	      "\"parameters\":1}}]",
		1, 57, "needs an object as its parameters");
	fails("{\"tools\":[7]}", 1, 11, "a tool is an object");
	fails("{\"tools\":{}}", 1, 10, "tools is no list of tools");
	fails("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}", 1, 33,
		"a message of JSON-RPC that has no list of tools");
	fails("{\"result\":{\"tools\":7}}", 1, 20, "tools is no list of tools");
	fails("[[]]", 1, 2, "a capability is an object");
	fails("{\"version\":1,\"tools\":[{\"capability\":\"a\","
	      "\"source\":\"exec\",\"command\":[\"x\"]}]}\n" MCP("b", ""),
		1, 1, "stand in a file by themselves");
}

static void
test_ids(void)
{
#define NAMED(text) MCP(text, "")
	holds(NAMED("a.b-c:d@e/f+G_1"), "a.b-c:d@e/f+G_1:1:1");
	holds(NAMED("read the  file!"), "read_the_file_:1:1");
	holds(NAMED(".a..b."), "_a_.b_:1:1");
	holds(NAMED("\xe6\x97\xa5\xe6\x9c\xac"), "u65e5u672c:1:1");
	holds(NAMED("a\\u0000b\\u001b"), "a_b_:1:1");
	holds(NAMED("!"), "_:1:1");
	holds_after("github.", NAMED("a"), "github.a:1:1");
	holds_after("github.", NAMED(".a"), "github._a:1:1");
	holds_after("", NAMED("a"), "a:1:1");
	fails_after(
		"a b", "f", NAMED("a"), 0, 0, "--prefix \"a b\" cannot begin");
	fails_after("a..", "f", NAMED("a"), 0, 0, "--prefix \"a..\"");
	fails_after("p.", "f",
		"{\"id\":\"a\",\"name\":\"n\",\"version\":\"1\","
		"\"description\":\"d\"}",
		1, 1, "it has an id, which takes no --prefix");
	fails(NAMED("wv.handle.resolve"), 1, 1, "for our own tools");
	fails_after("wv.", "f", NAMED("a"), 1, 1, "for our own tools");
	fails(NAMED("no-match"), 1, 1, "nothing matches");
}

/* Case F11. */
static void
test_alike(void)
{
	fails("[" MCP("read-file", "") ",\n" MCP("a", "") ",\n " MCP(
		      "read_file", "") "]",
		3, 2, "id \"read_file\" is too much like \"read-file\" at ");
	fails("[" MCP("read.file", "") ",\n" MCP("Read File", "") "]", 2, 1,
		"id \"Read_File\" is too much like \"read.file\"");
	fails("[" MCP("read_file", "") ",\n" MCP("readFile", "") "]", 2, 1,
		"id \"readFile\" is too much like \"read_file\"");
	holds("[" MCP("go_1_12", "") "," MCP("go_11_2", "") "]",
		"go_1_12:1:2 go_11_2:1:71");
	fails("[" MCP("a", "") ",\n" MCP("a", "") "]", 2, 1,
		"duplicate id \"a\", first at ");
	fails("{\"id\":\"read_file\",\"name\":\"n\",\"version\":\"1\","
	      "\"description\":\"d\"}\n" MCP("read-file", ""),
		2, 1, "is too much like \"read_file\"");
	holds("[" MCP("\xc3\xa4", "") "," MCP("\xc3\xb6", "") "]",
		"ue4:1:2 uf6:1:66");
}

/* clang-format off */
#define TEN "0123456789"
#define LONG TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
static const char texts[] = "["
	MCP("make_it", ",\"title\":\"Make it\"") ","
	MCP("b", ",\"title\":\"" LONG "\",\"outputSchema\":{\"x\":1}") ","
	"{\"name\":\"c\",\"description\":null,\"inputSchema\":{},"
	"\"annotations\":{\"title\":\"See?\"}},"
	"{\"name\":\"Make D!\",\"inputSchema\":{}}]";
/* clang-format on */

static void
test_texts(void)
{
	struct wv_catalog catalog = { 0 };
	struct wv_err err = WV_ERR_INIT;
	const struct wv_capability *c;

	ok(wv_catalog_load(&catalog, &arena, put("t.json", texts), &err) == 0,
		"texts");
	printf("# %s\n", err.text);
	c = wv_catalog_find(&catalog, "make_it");
	is(c->name, "Make it", "a title is what people call it");
	is(c->description, "d", "a description");
	is(c->version, "1", "the version");
	ok(c->is_made && !c->is_tool, "made");
	c = wv_catalog_find(&catalog, "b");
	is(c->name, "b", "a long title is none");
	is(c->description, "d", "and is not needed");
	ok(wv_get(c->output_schema, "x") != NULL, "the output schema");
	c = wv_catalog_find(&catalog, "c");
	is(c->name, "See?", "a title among the annotations");
	is(c->description, "See?", "is the description, if there is none");
	c = wv_catalog_find(&catalog, "Make_D_");
	is(c->name, "Make D!", "the name is as it was");
	is(c->description, "Make D!", "and the description, if there is none");
	wv_catalog_free(&catalog);
}

static void
test_record(void)
{
	struct wv_catalog catalog = { .prefix = "x." };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	cJSON *record;

	wv_catalog_load(&catalog, &arena,
		put("r.json",
			MCP("a", ",\"annotations\":{\"readOnlyHint\":true}")),
		&err);
	record = wv_catalog_record(&catalog, &arena, 0);
	ok(strlen(wv_get_string(
		   wv_get(record, "metadata"), "x_wv_fingerprint")) == 64,
		"a fingerprint");
	wv_take(wv_get(record, "metadata"), "x_wv_fingerprint");
	wv_json_write(&text, record);
	is(text.s,
		"{\"id\":\"x.a\",\"name\":\"a\",\"version\":\"1\","
		"\"description\":\"d\",\"metadata\":{\"x_wv_input_schema\":"
		"{\"type\":\"object\"},\"x_wv_safety\":\"read\"}}",
		"the record");
	wv_str_free(&text);
	wv_catalog_free(&catalog);
}

/* Long names take no time, and no memory to speak of. */
static void
test_hostile(void)
{
	struct wv_str text = { 0 };

	wv_str_cat(&text, "{\"name\":\"");
	for (int i = 0; i < 300000; i++)
		wv_str_cat(&text, "\xc3\xa4.");
	wv_str_cat(&text, "\",\"inputSchema\":{}}");
	fails(text.s, 1, 1, "longer than 256");
	wv_str_free(&text);
}

int
main(void)
{
	begin();
	test_mcp();
	test_safety();
	test_tightened();
	test_apis();
	test_faults();
	test_ids();
	test_alike();
	test_texts();
	test_record();
	test_hostile();
	return end();
}
