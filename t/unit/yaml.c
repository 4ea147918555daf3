/* SPDX-License-Identifier: Apache-2.0 */
#include "json/yaml.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

/* Without a byte behind it, so that reading past it is seen. */
static cJSON *
read_n(const char *text, size_t n, struct wv_err *err)
{
	char *exact = malloc(n ? n : 1);
	cJSON *node;

	memcpy(exact, text, n);
	node = wv_yaml_read(&arena, exact, n, &wv_yaml_defaults, err);
	free(exact);
	return node;
}

static void
reads(const char *yaml, const char *json)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str out = { 0 };
	cJSON *node = read_n(yaml, strlen(yaml), &err);

	if (node != NULL)
		wv_json_write(&out, node);
	is(node != NULL ? out.s : err.text, json, "reads %zu bytes as %s",
		strlen(yaml), json);
	wv_str_free(&out);
}

static void
refuses_n(const char *yaml, size_t n, size_t line, size_t column,
	const char *words)
{
	struct wv_err err = WV_ERR_INIT;
	cJSON *node = read_n(yaml, n, &err);

	ok(node == NULL && err.line == line && err.column == column &&
			strstr(err.text, words) != NULL,
		"%zu:%zu: %s", line, column, words);
	printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
}

static void
refuses(const char *yaml, size_t line, size_t column, const char *words)
{
	refuses_n(yaml, strlen(yaml), line, column, words);
}

static void
test_values(void)
{
	reads("a: 1\nb: [x, {c: null}]\n",
		"{\"a\":1,\"b\":[\"x\",{\"c\":null}]}");
	reads("[true, false, null, True, NULL, nil]",
		"[true,false,null,\"True\",\"NULL\",\"nil\"]");
	reads("a:\nb: {}\nc: []\nd: ''\n",
		"{\"a\":null,\"b\":{},\"c\":[],\"d\":\"\"}");
	reads("---\n", "null");
	reads("--- 5\n...\n", "5");
	reads("[0, -0, 1.10, 1E3, 1e+400, -12.5e-7, 125276004817190914]",
		"[0,-0,1.10,1E3,1e+400,-12.5e-7,125276004817190914]");
	reads("[1., .5, -, 1e, 1.2.3, 12:30, 2026-01-02, 0x, 1-2, .inf]",
		"[\"1.\",\".5\",\"-\",\"1e\",\"1.2.3\",\"12:30\","
		"\"2026-01-02\",\"0x\",\"1-2\",\".inf\"]");
	reads("['yes', \"no\", '012', '~', '1', \"true\", 'null', '<<']",
		"[\"yes\",\"no\",\"012\",\"~\",\"1\",\"true\",\"null\","
		"\"<<\"]");
	reads("a: |\n  1\nb: >-\n  true\n  x\nc: |-\n  no\n",
		"{\"a\":\"1\\n\",\"b\":\"true x\",\"c\":\"no\"}");
	reads("a: one\n  two\n", "{\"a\":\"one two\"}");
	reads("1: a\nnull: b\ntrue: c\n'<<': d\n",
		"{\"1\":\"a\",\"null\":\"b\",\"true\":\"c\",\"<<\":\"d\"}");
	reads("\"\\x41\\u00e9\\U0001F600\\n\"",
		"\"A\xc3\xa9\xf0\x9f\x98\x80\\n\"");
	reads("\"\\u2028\"", "\"\xe2\x80\xa8\"");
	reads("{\"a\": [1, 2]}", "{\"a\":[1,2]}");
	reads("a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}");
	reads("[yesterday, none, once, yn, n1]",
		"[\"yesterday\",\"none\",\"once\",\"yn\",\"n1\"]");
}

static void
test_ambiguous(void)
{
	static const char *const words[] = { "yes", "No", "ON", "off", "y", "N",
		"~", "012", "-012", "00", "+1", "+.5", "1_000", "1_0.5", "0x1F",
		"0o17", "0b11", "01.5", "-0x1f" };
	char text[64];

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		snprintf(text, sizeof text, "a:\n  - %s\n", words[i]);
		refuses(text, 2, 5, "quote it");
		snprintf(text, sizeof text, "%s: 1\n", words[i]);
		refuses(text, 1, 1, "quote it");
	}
	refuses("a: no\n", 1, 4, "no without quotes is ambiguous");
}

/* Not in the subset, each with words of its own. */
static void
test_refused(void)
{
	refuses("a: 1\nb: &x 2\n", 2, 4, "anchors");
	refuses("a: &x {b: 1}\n", 1, 4, "anchors");
	refuses("a: &x [b]\n", 1, 4, "anchors");
	refuses("&x a: 1\n", 1, 1, "anchors");
	refuses("a: 1\nb: *x\n", 2, 4, "aliases");
	refuses("*x : 1\n", 1, 1, "aliases");
	refuses("a: !!str 1\n", 1, 4, "tags");
	refuses("a: ! x\n", 1, 4, "tags");
	refuses("a: !local {b: 1}\n", 1, 4, "tags");
	refuses("a: !!python/object [1]\n", 1, 4, "tags");
	refuses("<<: {a: 1}\n", 1, 1, "merge keys");
	refuses("%YAML 1.2\n---\na: 1\n", 1, 1, "directives");
	refuses("%TAG ! tag:x,2000:\n---\na: 1\n", 1, 1, "directives");
	refuses("a: 1\n---\nb: 2\n", 2, 1, "second document");
	refuses("a: 1\n...\nb: 2\n", 3, 1, "one file holds one");
	refuses("[a] b\n", 1, 5, "one file holds one");
	refuses("", 1, 1, "empty");
	refuses("# nothing\n\n", 1, 1, "empty");
	refuses("? [a]\n: b\n", 1, 3, "must be text");
	refuses("? {a: 1}\n: b\n", 1, 3, "must be text");
	refuses("?\n: b\n", 1, 2, "without a name");
	refuses("a: \"x\\0y\"\n", 1, 4, "NUL");
	refuses("\"x\\0\": 1\n", 1, 1, "NUL");
	refuses_n("a: x\0y\n", 7, 1, 5, "control character U+0000");
}

static void
test_duplicates(void)
{
	struct wv_str text = { 0 };

	refuses("a: 1\nb: 2\n\"\\x61\": 3\n", 3, 1,
		"duplicate member name \"a\", first on line 1");
	refuses("x:\n  - {a: 1, b: 2, a: 3}\n", 2, 18, "first on line 2");
	refuses("1: a\n\n\"1\": b\n", 3, 1, "first on line 1");
	for (int i = 0; i < 1000; i++)
		wv_str_fmt(&text, "name%d: %d\n", i, i);
	wv_str_cat(&text, "name7: x\n");
	refuses(text.s, 1001, 1, "first on line 8");
	wv_str_free(&text);
}

static void
test_places(void)
{
	struct wv_err err = WV_ERR_INIT;
	const char *yaml = "\xc3\xa9: {b: \xc3\xa9, c: 1}\nd:\n  - x\n  - [w,\n"
			   "     z]\ne:\n";
	cJSON *root = read_n(yaml, strlen(yaml), &err);
	static const struct {
		const char *pointer;
		size_t line, column;
	} places[] = {
		{ "", 1, 1 },
		{ "/\xc3\xa9", 1, 5 },
		{ "/\xc3\xa9/b", 1, 9 },
		{ "/\xc3\xa9/c", 1, 16 },
		{ "/d", 3, 3 },
		{ "/d/0", 3, 5 },
		{ "/d/1", 4, 5 },
		{ "/d/1/1", 5, 6 },
		{ "/e", 6, 3 },
	};

	if (!ok(root != NULL, "read: %s", err.text))
		return;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		size_t line, column;
		wv_yaml_position(
			wv_pointer(root, places[i].pointer), &line, &column);
		ok(line == places[i].line && column == places[i].column,
			"%s is at %zu:%zu", places[i].pointer, places[i].line,
			places[i].column);
	}
}

static void
test_syntax(void)
{
	refuses("a:\n\tb: 1\n", 2, 1, "tab");
	refuses("a: @x\n", 1, 4, "must be quoted");
	refuses("a: b: c\n", 1, 5, "quote the text");
	refuses("\xc3\xa9: [1\nb: 2\n", 2, 2, "from line 1");
	refuses("a: \"b\n\n", 3, 1, "end of stream");
	/* Reader errors have no mark, only an offset (pitfall B9). */
	refuses("a: 1\nb: \xff\n", 2, 4, "invalid UTF-8: byte 0xff");
	refuses("a: 1\n\xc3\xa9: \x01\n", 2, 5, "control character U+0001");
	refuses("a: x\xe2\x80\xa8y\n", 1, 5, "\\u2028");
	refuses("a: x\xc2\x85y\n", 1, 5, "\\u0085");
	refuses("\"\\ud83d\\ude00\"\n", 1, 4, "\\U");
	refuses("a: 1e9999999999999999999\n", 1, 4, "exponent");
}

static void
nested(struct wv_str *text, size_t depth)
{
	text->n = 0;
	for (size_t i = 0; i < depth; i++)
		wv_str_cat(text, "[");
	for (size_t i = 0; i < depth; i++)
		wv_str_cat(text, "]");
}

static void
test_limits(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	clock_t begin = clock();

	nested(&text, 64);
	ok(read_n(text.s, text.n, &err) != NULL, "nesting of 64");
	nested(&text, 65);
	refuses(text.s, 1, 65, "nesting deeper than 64");
	text.n = 0;
	for (int i = 0; i < 65; i++)
		wv_str_cat(&text, "- ");
	refuses(text.s, 1, 129, "nesting deeper than 64");
	text.n = 0;
	for (int i = 0; i < 1 << 20; i++)
		wv_str_chr(&text, '[');
	refuses(text.s, 1, 65, "nesting deeper than 64");
	wv_str_chr(&text, '[');
	refuses(text.s, 0, 0, "longer than 1048576 bytes");

	text.n = 0;
	for (int i = 0; text.n < (1 << 20) - 16; i++)
		wv_str_fmt(&text, "%c\"%x\"", i ? ',' : '{', i);
	wv_str_cat(&text, "}");
	ok(read_n(text.s, text.n, &err) != NULL,
		"a mebibyte of names on one line");
	text.n = 0;
	wv_str_cat(&text, "[1");
	while (text.n < 8192)
		wv_str_cat(&text, "0");
	wv_str_cat(&text, "]");
	refuses(text.s, 1, 2, "more than 4096 digits");
	ok(clock() - begin < 10 * CLOCKS_PER_SEC, "all of it without delay");
	wv_str_free(&text);
}

int
main(void)
{
	test_values();
	test_ambiguous();
	test_refused();
	test_duplicates();
	test_places();
	test_syntax();
	test_limits();
	wv_arena_free(&arena);
	return done();
}
