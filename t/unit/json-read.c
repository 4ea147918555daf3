/* SPDX-License-Identifier: Apache-2.0 */
/* The strict reader: what it takes, what it refuses, where and in which words.
 * Cases A1, A3, A5, A9, A21, A25, A29, A31. */
#include "json/json.h"
#include "tap.h"

#include <stdlib.h>

static struct wv_arena arena;
static struct wv_err err;
static struct wv_str written;

/* A copy with exactly the slack promised, filled with something hostile. */
static char *
with_slack(const char *text, size_t n, char filler)
{
	char *copy = malloc(n + WV_JSON_SLACK);

	memcpy(copy, text, n);
	memset(copy + n, filler, WV_JSON_SLACK);
	return copy;
}

static cJSON *
read_limited(const char *text, size_t n, const struct wv_json_limits *limits)
{
	char *copy = with_slack(text, n, '1');
	cJSON *tree;

	wv_arena_reset(&arena);
	wv_err_clear(&err);
	tree = wv_json_read(&arena, copy, n, limits, &err);
	free(copy);
	return tree;
}

static cJSON *
read_n(const char *text, size_t n)
{
	return read_limited(text, n, &wv_json_defaults);
}

static const char *
write_tree(const cJSON *tree)
{
	if (tree == NULL)
		return err.text;
	written.n = 0;
	wv_json_write(&written, tree);
	return written.s;
}

/* For the name of a test, which is one line without #. */
static const char *
label(const char *text)
{
	static char name[60];
	size_t i = 0;

	for (; text[i] != '\0' && i < sizeof(name) - 1; i++)
		name[i] = text[i] < ' ' || text[i] == '#' ? '_' : text[i];
	name[i] = '\0';
	return name;
}

static void
same(const char *text)
{
	is(write_tree(read_n(text, strlen(text))), text, "keeps %s",
		label(text));
}

static void
becomes(const char *text, const char *want)
{
	is(write_tree(read_n(text, strlen(text))), want, "reads %s",
		label(text));
}

static void
refused_n(const char *text, size_t n, size_t line, size_t column,
	const char *message)
{
	cJSON *tree = read_n(text, n);

	if (!ok(tree == NULL && strstr(err.text, message) != NULL &&
			    err.line == line && err.column == column &&
			    !wv_json_incomplete(&err),
		    "%zu:%zu %s", line, column, message))
		printf("# %s: %zu:%zu %s\n", label(text), err.line, err.column,
			err.text);
}

static void
refused(const char *text, size_t line, size_t column, const char *message)
{
	refused_n(text, strlen(text), line, column, message);
}

static void
incomplete(const char *text)
{
	size_t n = strlen(text);
	cJSON *tree = read_n(text, n);

	if (!ok(tree == NULL && wv_json_incomplete(&err) && err.line == 1 &&
			    err.column == n + 1,
		    "incomplete: %s", label(text)))
		printf("# %zu:%zu %s\n", err.line, err.column, err.text);
}

static void
test_values(void)
{
	same("null");
	same("true");
	same("false");
	same("0");
	same("\"\"");
	same("{}");
	same("[]");
	same("[[],{},[{}]]");
	same("{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"e\"}}");
	same("{\"\":{\"\":[\"\"]}}");
	becomes(" \t\r\n{ \"a\" : [ 1 ,\n\n2 ] } \n", "{\"a\":[1,2]}");
	becomes("                                     1"
		"                                     ",
		"1");
	becomes("[1\n                              ,                  2]",
		"[1,2]");
}

/* cases A1 */
static void
test_digits(void)
{
	same("{\"id\":125276004817190914,\"n\":15878708649682983132}");
	same("[1234567890123456789012345678901234567890,1.10,1E3,-0]");
	same("[-0.0,0e0,0.0,1e400,-1e-400,1e+2,1E-2,0.30000000000000004]");
	same("[999999999999999,1000000000000000,-999999999999999,"
	     "-1000000000000000,9007199254740993,-1,1e0]");
	same("1e999999999999999999");
	same("1e-0000000000000000000000000000000000001");
	refused("1e1000000000000000000", 1, 21, "exponent has more than 18");
	refused("01", 1, 2, "cannot begin with 0");
	refused("-01", 1, 3, "cannot begin with 0");
	refused("[00]", 1, 3, "cannot begin with 0");
	refused("[1.]", 1, 4, "] where a digit");
	refused("[1.e1]", 1, 4, "e1 where a digit");
	refused("[1e]", 1, 4, "] where a digit");
	refused("[1e+]", 1, 5, "] where a digit");
	refused("[-]", 1, 3, "] where a digit");
	refused("[.5]", 1, 2, "cannot begin with .");
	refused("[+1]", 1, 2, "cannot begin with +");
	refused("[0x10]", 1, 3, "x10 where a comma or ] should be");
	refused("[1.2.3]", 1, 5, ". where a comma or ]");
	refused("1 2", 1, 3, "2 where the end should be");
}

static void
test_limits(void)
{
	struct wv_json_limits limits = { 3, 5, 20 };

	ok(read_limited("[[[1]]]", 7, &limits), "at the depth");
	ok(!read_limited("[[[[]]]]", 8, &limits) && err.column == 4 &&
			strcmp(err.text, "nesting deeper than 3") == 0,
		"one past the depth");
	ok(read_limited("[1,2,3,4]", 9, &limits), "as many values as allowed");
	ok(!read_limited("[1,2,3,4,5]", 11, &limits) && err.column == 10 &&
			strcmp(err.text, "more than 5 values") == 0,
		"one value too many");
	ok(read_limited("12345678901234567890", 20, &limits), "20 digits");
	ok(read_limited("-1234567890.1234567890e7", 24, &limits),
		"20 digits with point and exponent");
	ok(!read_limited("[123456789012345678901]", 23, &limits) &&
			err.column == 22 &&
			strcmp(err.text, "number has more than 20 digits") == 0,
		"21 digits");
	ok(!read_limited("1.23456789012345678901", 22, &limits) &&
			err.column == 22,
		"21 digits with a point");
	limits.max_digits = 3;
	ok(!read_limited("1234", 4, &limits) && err.column == 4,
		"a low limit holds for short integers too");
}

static char *
repeated(const char *unit, size_t times)
{
	size_t n = strlen(unit);
	char *text = malloc(n * times + 1);

	for (size_t i = 0; i < times; i++)
		memcpy(text + i * n, unit, n);
	text[n * times] = '\0';
	return text;
}

/* cases A25 */
static void
test_deep(void)
{
	struct wv_json_limits deep = { (size_t)1 << 21, (size_t)1 << 22, 20 };
	char *arrays = repeated("[", 100000);
	char *objects = repeated("{\"a\":", 100000);
	size_t n = 1000000;
	char *text = malloc(2 * n + 1);
	cJSON *tree;

	refused(arrays, 1, 513, "nesting deeper than 512");
	refused(objects, 1, 5 * 512 + 1, "nesting deeper than 512");
	memset(text, '[', n);
	memset(text + n, ']', n);
	text[2 * n] = '\0';
	is(write_tree(read_n(text + n - 512, 1024)) ? "read" : NULL, "read",
		"512 deep");
	tree = read_limited(text, 2 * n, &deep);
	ok(tree && strcmp(write_tree(tree), text) == 0, "a million deep");
	ok(tree && wv_json_equal(tree, wv_json_copy(&arena, tree)),
		"copy and equality a million deep");
	free(arrays);
	free(objects);
	free(text);
}

static void
test_strings(void)
{
	becomes("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		"\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
	becomes("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\u001f\\u007F\"",
		"\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\u001f\x7f\"");
	same("\"a\\u0000b\"");
	same("{\"a\\u0000b\":\"\\u0000\"}");
	same("\"caf\xc3\xa9 d\xc3\xa9j\xc3\xa0 vu \xe6\x9d\xb1\xe4\xba\xac "
	     "\xf0\x9f\x9a\x80 \xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80\"");
	/* cases A29 */
	same("{\"a\\\"b\\\\c\":1}");
	/* every length around the block of 16, and what ends it */
	for (int n = 0; n < 40; n++) {
		char text[96];
		snprintf(text, sizeof(text), "[\"%.*s\\n%.*s\xc3\xa9\"]", n,
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
			40 - n,
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
		same(text);
	}
	/* cases A21: the column is that of the backslash */
	refused("{\"content\":\"oh no \\0 lots of text\"}", 1, 19,
		"bad escape \\0");
	refused("\"\\x1b\"", 1, 2, "bad escape \\x");
	refused("\"\\'\"", 1, 2, "bad escape \\'");
	refused("\"a\\\nb\"", 1, 3, "bad escape");
	refused("\"\\u12G4\"", 1, 2, "bad escape \\u");
	refused("\"\\u 123\"", 1, 2, "bad escape \\u");
	refused("\"\\ud800\"", 1, 2, "lone surrogate \\ud800");
	refused("\"ab\\uDC00x\"", 1, 4, "lone surrogate \\uDC00");
	refused("\"\\ud800\\ud800\"", 1, 2, "lone surrogate \\ud800");
	refused("\"\\ud800\\u0041\"", 1, 2, "lone surrogate \\ud800");
	refused("\"\\ud800\\n     \"", 1, 2, "lone surrogate \\ud800");
	refused("[\"tab\there\"]", 1, 6,
		"control character U+0009 in a string");
	refused("[\"a\nb\"]", 1, 4, "raw control character U+000A in a string");
	refused_n("\"a\0b\"", 5, 1, 3, "control character U+0000 in a string");
}

/* cases A5 */
static void
test_utf8(void)
{
	refused("{\"a\":\"\xff\"}", 1, 7, "invalid UTF-8: byte 0xff");
	refused("{\"a\":\"\xc0\xaf\"}", 1, 7, "invalid UTF-8: byte 0xc0");
	refused("{\"a\":\"\xc0\x80\"}", 1, 7, "invalid UTF-8: byte 0xc0");
	refused("{\"a\":\"x\xed\xa0\x80\"}", 1, 8, "invalid UTF-8: byte 0xed");
	refused("{\"a\":\"\xf5\x80\x80\x80\"}", 1, 7, "byte 0xf5");
	refused("{\"a\":\"\xf4\x90\x80\x80\"}", 1, 7, "byte 0xf4");
	refused("{\"a\":\"\xe0\x9f\xbf\"}", 1, 7, "byte 0xe0");
	refused("{\"a\":\"\xf0\x8f\xbf\xbf\"}", 1, 7, "byte 0xf0");
	refused("{\"a\":\"\x80\"}", 1, 7, "byte 0x80");
	refused("{\"a\":\"\xe2\x82\"}", 1, 7, "byte 0xe2");
	refused("{\"\xe2\x28\xa1\":0}", 1, 3, "byte 0xe2");
	refused("[\"\xc3\xa9\",\n \"ok \xc3\x28\"]", 2, 6, "byte 0xc3");
	refused("[\xff]", 1, 2, "invalid UTF-8: byte 0xff");
	incomplete("\"\xe2\x82");
	incomplete("\"\xf0\x9f\x98");
	incomplete("\"\xed\x9f");
	refused("\"\xed\xa0", 1, 2, "byte 0xed");
	refused("\"\xf4\x90", 1, 2, "byte 0xf4");
	refused("\"\xc1", 1, 2, "byte 0xc1");
}

/* What people paste: the message says the rule. */
static void
test_words(void)
{
	refused("{'a':1}", 1, 2, "single quotes are not JSON");
	refused("[1,2,]", 1, 6, "a trailing comma is not JSON");
	refused("{\"a\":1,\n}", 2, 1, "a trailing comma is not JSON");
	refused("[,]", 1, 2, ", where a value should be");
	refused("[1,,2]", 1, 4, ", where a value should be");
	refused("[NaN]", 1, 2, "NaN is not JSON");
	refused("[nan]", 1, 2, "NaN is not JSON");
	refused("[-Infinity]", 1, 3, "Infinity is not JSON");
	refused("Infinity", 1, 1, "Infinity is not JSON");
	refused("{\"a\":undefined}", 1, 6, "undefined is not JSON");
	refused("[True]", 1, 2, "True is not JSON; write true");
	refused("[None]", 1, 2, "None is not JSON; write null");
	refused("[1, // one\n2]", 1, 5, "comments are not JSON");
	refused("{} # done", 1, 4, "comments are not JSON");
	refused("/* a */ {}", 1, 1, "comments are not JSON");
	refused("{a:1}", 1, 2, "a where a member name in double quotes");
	refused("{\"a\" 1}", 1, 6, "1 where a colon should be");
	refused("{\"a\":1 \"b\":2}", 1, 8, "\" where a comma or } should be");
	refused("[1 2]", 1, 4, "2 where a comma or ] should be");
	refused("[1}", 1, 3, "} where a comma or ] should be");
	refused("{\"a\":1]", 1, 7, "] where a comma or } should be");
	refused("{\"a\":]", 1, 6, "] where a value should be");
	refused("]", 1, 1, "] where a value should be");
	refused("{}}", 1, 3, "} where the end should be");
	refused("{}\n{}", 2, 1, "{ where the end should be");
	refused("{1:2}", 1, 2, "1 where a member name");
	refused("nul]", 1, 1, "nul where a value should be");
	refused("[truefalse]", 1, 6, "false where a comma or ]");
	refused("hello", 1, 1, "hello where a value should be");
	refused("[\xe2\x80\x9cx\xe2\x80\x9d]", 1, 2,
		"typographic quotes are not JSON");
	refused("[1,\xc2\xa0"
		"2]",
		1, 4, "U+00A0 where a value should be");
	refused("\v1", 1, 1, "control character U+000B outside a string");
	/* cases A3 */
	refused("\xef\xbb\xbf{}", 1, 1, "byte order mark within the text");
	refused("[1,\n\xef\xbb\xbf"
		"2]",
		2, 1, "byte order mark within the text");
	/* cases A9 */
	refused_n("1\r\0\n\0\n1\n\0 \0", 12, 1, 3, "NUL byte outside a string");
	refused_n("\0", 1, 1, 1, "NUL byte outside a string");
	refused_n("[1\0]", 4, 1, 3, "NUL byte outside a string");
	/* cases A31 */
	refused("\x1b[1m{\"a\":1}", 1, 1,
		"terminal escape sequence; turn colour off in the producer");
	refused("{\x1b[34m\"a\"", 1, 2, "terminal escape sequence");
}

static void
test_incomplete(void)
{
	static const char whole[] =
		"{\"a\":[1.5e+3,true,null,\"\\u00e9\\ud83d\\ude00\\n\"],"
		"\"b\":{\"c\":-1,\"d\":false}}";
	char part[sizeof(whole)];
	bool all = true;

	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		memcpy(part, whole, n);
		all = all && !read_n(part, n) && wv_json_incomplete(&err) &&
			err.line == 1 && err.column == n + 1;
	}
	ok(all, "every beginning of a record is incomplete, at its end");
	incomplete("");
	incomplete("   ");
	incomplete("-");
	incomplete("1.");
	incomplete("1e");
	incomplete("1e-");
	incomplete("tru");
	incomplete("[1,");
	incomplete("{\"a\"");
	incomplete("{\"a\":");
	incomplete("\"abcdefghijklmnopqrstuvwxyz");
	incomplete("\"\\");
	incomplete("\"\\u");
	incomplete("\"\\ud8");
	incomplete("\"\\ud800");
	incomplete("\"\\ud800\\");
	incomplete("\"\\ud800\\udc0");
	refused("\"\\ud8zz", 1, 2, "bad escape \\u");
	refused("\"\\uz", 1, 2, "bad escape \\u");
}

static void
test_duplicates(void)
{
	refused("{\"a\":1,\"a\":2}", 1, 8, "duplicate member name \"a\"");
	refused("{\"a\":1,\"\\u0061\":2}", 1, 8, "duplicate member name \"a\"");
	refused("{\"\":1,\"b\":{},\"\":2}", 1, 14,
		"duplicate member name \"\"");
	refused("{\"a\":{\"b\":1,\n\"b\":2}}", 2, 1,
		"duplicate member name \"b\"");
	same("{\"a\":{\"a\":{\"a\":1}},\"A\":2,\"aa\":3,\"aaa\":4}");
	same("{\"ab\":1,\"ab\\u0000\":2,\"ab\\u0000c\":3}");
	refused("{\"\\n\":1,\"\\n\":2}", 1, 9, "duplicate member name \"\\n\"");
	refused("{\"a\\u0000b\":1,\"a\\u0000b\":2}", 1, 15,
		"duplicate member name \"a\\x00b\"");
}

/* The n'th member repeats the k'th. */
static void
duplicate_at(size_t n, size_t k)
{
	struct wv_str text = { 0 };
	size_t column = 0;

	for (size_t i = 0; i <= n; i++) {
		wv_str_chr(&text, i ? ',' : '{');
		column = text.n + 1;
		wv_str_fmt(&text, "\"name%zu\":%zu", i < n ? i : k, i);
	}
	wv_str_chr(&text, '}');
	cJSON *tree = read_n(text.s, text.n);
	ok(!tree && strstr(err.text, "duplicate member") &&
			err.column == column,
		"member %zu repeats %zu", n, k);
	wv_str_free(&text);
}

static void
test_many_members(void)
{
	struct wv_json_limits limits = wv_json_defaults;
	struct wv_str text = { 0 };
	cJSON *tree;

	for (size_t n = 1; n < 60; n += 7)
		for (size_t k = 0; k < n; k += 5)
			duplicate_at(n, k);
	duplicate_at(10000, 0);
	duplicate_at(10000, 9999);

	/* What compares members in pairs would not end. */
	for (size_t i = 0; i < 200000; i++)
		wv_str_fmt(&text, "%c\"%zu\":null", i ? ',' : '{', i);
	wv_str_chr(&text, '}');
	tree = read_limited(text.s, text.n, &limits);
	ok(tree && wv_count(tree) == 200000, "200,000 members");
	ok(wv_json_equal(tree, wv_json_copy(&arena, tree)), "… are equal");
	wv_str_free(&text);
}

/* Nothing behind the text has a say. */
static void
test_follows(void)
{
	static const char *const texts[] = { "1", "12", "-1.5", "1e5", "\"a\"",
		"[1]", "true", " {} ", "[", "[1", "\"a", "\"\\u00", "1.", "tr",
		"{\"a\"", "\"\xc3", NULL };
	static const char fillers[] = "1\"\\]}, \n.e\xbf\xa9u0{";

	for (size_t i = 0; texts[i] != NULL; i++) {
		size_t n = strlen(texts[i]);
		char first[WV_ERR_TEXT] = "";
		bool all = true;

		for (size_t k = 0; k < sizeof(fillers); k++) {
			char *copy = with_slack(texts[i], n, fillers[k]);
			wv_arena_reset(&arena);
			wv_err_clear(&err);
			const char *got = write_tree(wv_json_read(
				&arena, copy, n, &wv_json_defaults, &err));
			if (k == 0)
				snprintf(first, sizeof(first), "%s", got);
			all = all && strcmp(first, got) == 0;
			free(copy);
		}
		ok(all, "whatever follows %s", texts[i]);
	}
}

static void
test_nodes(void)
{
	static const char record[] =
		"{\"a\":[1,\"x\\u0000y\",\"z\"],\"b\":1.0}";
	cJSON *tree = read_n(record, sizeof(record) - 1);
	cJSON *list = wv_get(tree, "a");
	cJSON *text = list ? list->child->next : NULL;

	ok(list && list->child->prev == text->next && text->prev == list->child,
		"the first child knows the last");
	ok(text && text->valueint == 4 &&
			strcmp(text->valuestring, "x\xc0\x80y") == 0,
		"NUL is C0 80 and counts");
	ok(list && list->child->string == NULL && list->next->next == NULL,
		"elements have no name, lists end");
	is(wv_get(tree, "b") ? wv_get(tree, "b")->valuestring : NULL, "1.0",
		"a number's text");
}

/* Strings are copied in blocks, nodes stand behind the copies. */
static void
test_blocks(void)
{
	static const char x[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

	for (int n = 0; n < (int)sizeof(x); n++) {
		char text[96];
		cJSON *tree;

		snprintf(text, sizeof(text), "{\"%.*s\":\"%.*s\"}", n, x, n, x);
		tree = read_n(text, strlen(text));
		ok(tree && tree->next == NULL && tree->prev == NULL &&
				tree->child->next == NULL &&
				tree->child->prev == tree->child,
			"a string of %d bytes stays out of nodes", n);
	}
}

/* What is made of a number, or where it is wrong. */
static void
add_number(struct wv_str *out, const char *number, const char *behind)
{
	struct wv_str text = { 0 };
	cJSON *tree;

	wv_str_fmt(&text, "[%s%s", number, behind);
	tree = read_n(text.s, text.n);
	out->n = 0;
	if (tree == NULL)
		wv_str_fmt(out, "at %zu", err.column);
	else
		wv_str_fmt(out, "%d %d %s", tree->child->valueint,
			tree->child->valuestring != NULL,
			write_tree(tree->child));
	wv_str_free(&text);
}

/* What is near the end of the text is read another way. */
static void
test_numbers_everywhere(void)
{
	static const char *const forms[] = { "%.*s", "-%.*s", "0%.*s", "-0%.*s",
		"%.*s.5", "-%.*s.25", "0.%.*s", "-0.%.*s", "1.%.*s.1", "%.*s.",
		"%.*sE5", "2.%.*se-7", "-%.*sx", "1.%.*s\xc3" };
	static const char digits[] = "1234567890123456789012345678901234567890";
	struct wv_str near = { 0 }, far = { 0 };
	bool right = true;
	char number[64];

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		for (int n = 1; n <= 40; n++) {
			snprintf(number, sizeof(number), forms[i], n, digits);
			add_number(&near, number, "]");
			add_number(&far, number,
				",\"a string of more than a mask, behind "
				"it\"]");
			if (strcmp(near.s, far.s) == 0)
				continue;
			printf("# %s: %s, not %s\n", number, far.s, near.s);
			right = false;
		}
	}
	ok(right, "numbers of all lengths and forms, at the end and before");
	wv_str_free(&near);
	wv_str_free(&far);
}

/* The first fault counts, of whichever kind, at all places of blocks. */
static void
test_faults_everywhere(void)
{
	static const char *const faults[] = { "\xff", "\xc3", "\xed\xa0\x80",
		"\\x", "\\ud800", "\x01", "\xe6\x9d" };
	static const char *const before[] = { "x", "\xc3\xa9", "\\n", "\\u00e9",
		"\xf0\x9f\x9a\x80", "\\u0000" };
	bool right = true;

	for (size_t k = 0; k < 7 * 70; k++) {
		struct wv_str text = { 0 };
		wv_str_cat(&text, "[\"");
		for (size_t i = 0; i < k / 7; i++)
			wv_str_cat(&text, before[(i * i + k) % 6]);
		size_t column = text.n + 1;
		wv_str_cat(&text, faults[k % 7]);
		wv_str_cat(&text, "\\q\xff and more\", 1]");
		right = read_n(text.s, text.n) == NULL && err.line == 1 &&
			err.column == column && right;
		wv_str_free(&text);
	}
	ok(right, "the first of several faults");
}

static bool
share_name(const cJSON *a, const cJSON *b)
{
	return a->string == b->string;
}

/* Names are held once where objects beside one another are alike. */
static void
test_alike(void)
{
	static const char long_names[] =
		"[{\"a name longer than a block of it\":1,\"b\":2},"
		"{\"a name longer than a block of it\":3,\"b\":4}]";
	const cJSON *tree = read_n(long_names, strlen(long_names));

	ok(tree && share_name(tree->child->child, tree->child->next->child),
		"a long name");
	same(long_names);
	same("[{\"a\":1,\"b\":{\"c\":2,\"d\":[{\"e\":3}]}},"
	     "{\"a\":4,\"b\":{\"c\":5,\"d\":[{\"e\":6},{\"e\":7}]}}]");
	same("[{\"a\":1,\"b\":2,\"c\":3},{\"c\":1},{\"a\":1,\"c\":2},"
	     "{\"b\":1,\"a\":2},{\"a\":1,\"x\":2,\"b\":3},{},{\"a\":1}]");
	same("[{\"a\":[1]},{\"a\":{\"b\":1}},{\"a\":{\"b\":2}},{\"a\":[{}]}]");
	same("[{\"\":1,\"ab\":2},{\"\":3,\"a\":4},{\"\":5,\"ab\":6}]");
	becomes("[{\"a\\u0000\\n\":1},{\"\\u0061\\u0000\\n\":2}]",
		"[{\"a\\u0000\\n\":1},{\"a\\u0000\\n\":2}]");
	refused("[{\"a\\n\":1},{\"a\n\":2}]", 1, 15,
		"raw control character U+000A");
	refused("[{\"a\\u0000\":1},{\"a\xc0\x80\":2}]", 1, 19, "invalid UTF-8");
	refused("[{\"a\":1,\"b\":2},{\"a\":1,\"a\":2}]", 1, 23, "duplicate");
	refused("[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2,\"a\":3}]", 1, 29,
		"duplicate");
	refused("[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2,\"b\":3}]", 1, 29,
		"duplicate");
	incomplete("[{\"a\":1},{\"a");
	incomplete("[{\"a\":1},{\"a\"");
}

/* Many members like those before, then one that is there already. */
static void
test_many_alike(void)
{
	struct wv_str text = { 0 };
	bool right = true;

	for (int n = 1; n < 60; n++) {
		text.n = 0;
		wv_str_cat(&text, "[");
		for (int object = 0; object < 2; object++) {
			wv_str_cat(&text, object ? ",{" : "{");
			for (int i = 0; i < n; i++)
				wv_str_fmt(&text, "%s\"n%d\":%d", i ? "," : "",
					i, i);
			wv_str_cat(&text, object ? "" : "}");
		}
		size_t before = text.n;
		wv_str_fmt(&text, ",\"n%d\":0}]", n / 2);
		right = read_n(text.s, text.n) == NULL &&
			err.column == before + 2 && right;
		text.n = before;
		wv_str_cat(&text, ",\"other\":0,\"more\":0}]");
		right = read_n(text.s, text.n) != NULL && right;
	}
	ok(right, "a name that comes twice behind many that are like others");
	wv_str_free(&text);
}

int
main(void)
{
	test_values();
	test_digits();
	test_limits();
	test_deep();
	test_strings();
	test_utf8();
	test_words();
	test_incomplete();
	test_duplicates();
	test_many_members();
	test_follows();
	test_nodes();
	test_blocks();
	test_numbers_everywhere();
	test_faults_everywhere();
	test_alike();
	test_many_alike();
	wv_str_free(&written);
	wv_arena_free(&arena);
	return done();
}
