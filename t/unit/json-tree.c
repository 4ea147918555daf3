/* SPDX-License-Identifier: Apache-2.0 */
/* Access, pointers, places, equality, building and writing of trees. */
#include "json/json.h"
#include "json/utf8.h"
#include "tap.h"

#include <stdlib.h>

static struct wv_arena arena;
static struct wv_str out;

static cJSON *
read_text(const char *text)
{
	size_t n = strlen(text);
	char *copy = malloc(n + WV_JSON_SLACK);
	struct wv_err err = WV_ERR_INIT;
	cJSON *tree;

	memcpy(copy, text, n);
	tree = wv_json_read(&arena, copy, n, &wv_json_defaults, &err);
	free(copy);
	if (tree == NULL) {
		printf("Bail out! %.60s: %s\n", text, err.text);
		exit(1);
	}
	return tree;
}

static const char *
text_of(const cJSON *tree)
{
	if (tree == NULL)
		return NULL;
	out.n = 0;
	wv_json_write(&out, tree);
	return out.s;
}

/* The links that cJSON keeps: siblings both ways, the first to the last. */
static bool
is_linked(const cJSON *parent)
{
	const cJSON *last = NULL;

	wv_json_each(item, parent) {
		if (item != parent->child && item->prev != last)
			return false;
		last = item;
	}
	return parent->child == NULL || parent->child->prev == last;
}

static void
test_get(void)
{
	cJSON *tree = read_text("{\"a\":1,\"A\":\"two\",\"l\":[1,2,3],"
				"\"n\\u0000\":null,\"a/b\":{\"m~n\":[0]}}");

	is(text_of(wv_get(tree, "a")), "1", "a member");
	is(text_of(wv_get(tree, "A")), "\"two\"", "case matters");
	ok(wv_get(tree, "b") == NULL, "no such member");
	ok(wv_get(NULL, "a") == NULL && wv_get(wv_get(tree, "l"), "a") == NULL,
		"members of what is no object");
	is(wv_get_string(tree, "A"), "two", "a string member");
	ok(wv_get_string(tree, "a") == NULL, "a number is no string");
	ok(wv_count(tree) == 5 && wv_count(wv_get(tree, "l")) == 3 &&
			wv_count(NULL) == 0,
		"counts");
	ok(wv_is_null(wv_get(tree, "n\xc0\x80")), "a name that holds NUL");
	ok(!wv_is_null(NULL) && !wv_is_object(NULL), "NULL is no type");

	ok(wv_pointer(tree, "") == tree, "the pointer to all");
	is(text_of(wv_pointer(tree, "/l/0")), "1", "the first element");
	is(text_of(wv_pointer(tree, "/l/2")), "3", "the last element");
	is(text_of(wv_pointer(tree, "/a~1b/m~0n/0")), "0", "escaped tokens");
	static const char *const none[] = { "/l/3", "/l/-", "/l/01", "/l/ 1",
		"/l/", "/l/99999999999999999999", "l", "/", "/a/", "/a~/x",
		"/a~2b", "/a/0", "/l/0/", "/a~1b/m~0n/0/0", "x", NULL };
	for (size_t i = 0; none[i]; i++)
		ok(wv_pointer(tree, none[i]) == NULL, "nothing at %s", none[i]);

	out.n = 0;
	wv_pointer_add(&out, "a/b");
	wv_pointer_add(&out, "m~n");
	wv_pointer_add(&out, "");
	is(out.s, "/a~1b/m~0n/", "a pointer is built");
}

static void
stands_at(const char *text, const char *pointer, size_t want)
{
	size_t got = wv_json_locate(text, strlen(text), pointer);

	if (!ok(got == want, "place of %s", pointer))
		printf("# %zu, not %zu\n", got, want);
}

static void
test_places(void)
{
	static const char text[] =
		" {\"a\" : 1,\n\"\\u0062\":[ \"],}\\\"\" , {\"c\":{} } , [] ]"
		",\"z\\u0000\":-1e3}\n";
	size_t n = sizeof(text) - 1, line, column;

	stands_at(text, "", 1);
	stands_at(text, "/a", 8);
	stands_at(text, "/b", 20);
	stands_at(text, "/b/0", 22);
	stands_at(text, "/b/1", 32);
	stands_at(text, "/b/1/c", 37);
	stands_at(text, "/b/2", 44);
	stands_at(text, "/z\xc0\x80", n - 6);
	stands_at(text, "/b/3", n);
	stands_at(text, "/b/2/0", n);
	stands_at(text, "/b/1/c/d", n);
	stands_at(text, "/a/x", n);
	stands_at(text, "/c", n);
	stands_at(text, "b", n);
	stands_at("17", "", 0);
	wv_json_position(text, 31, &line, &column);
	ok(line == 2 && column == 21, "line and column");
	wv_json_position(text, 0, &line, &column);
	ok(line == 1 && column == 1, "… of the beginning");
	wv_json_position(text, n, &line, &column);
	ok(line == 3 && column == 1, "… of the end");
}

/* All that there are, in no order, and the nearest of what there is not. */
static void
test_places_at_once(void)
{
	static const char text[] =
		" {\"a\" : 1,\n\"\\u0062\":[ \"],}\\\"\" , {\"c\":{} } , [] ]"
		",\"a-\":[7],\"a/0\":8,\"z\\u0000\":-1e3}\n";
	static const char *const pointers[] = { "/b/1/c", "/a", "", "/b",
		"/b/0", "/a-/0", "/b/1", "/b/2", "/z\xc0\x80", "/a-", "/a~10",
		/* nearest */ "/b/3", "/b/2/0", "/b/1/c/d/e", "/a/x", "/c",
		"/a-/1", "/b…" };
	static const char *const near[] = { "/b", "/b/2", "/b/1/c", "/a", "",
		"/a-", "" };
	enum { COUNT = sizeof(pointers) / sizeof(*pointers), THERE = 11 };
	size_t n = sizeof(text) - 1, places[COUNT];

	wv_json_locate_all(text, n, pointers, COUNT, places);
	for (size_t i = 0; i < COUNT; i++) {
		const char *want = i < THERE ? pointers[i] : near[i - THERE];
		if (!ok(places[i] == wv_json_locate(text, n, want),
			    "place of %s, with others", pointers[i]))
			printf("# %zu, not that of %s\n", places[i], want);
	}
	wv_json_locate_all(" 17", 3, pointers, 1, places);
	ok(places[0] == 1, "place of what is not in a scalar");
}

static void
equals(const char *a, const char *b, bool want)
{
	cJSON *x = read_text(a), *y = read_text(b);

	ok(wv_json_equal(x, y) == want && wv_json_equal(y, x) == want,
		"%s %s %s", a, want ? "equals" : "differs from", b);
}

/* An object of n members, in order or backwards. */
static cJSON *
wide(size_t n, bool backwards)
{
	struct wv_str text = { 0 };
	cJSON *tree;

	for (size_t i = 0; i < n; i++) {
		size_t k = backwards ? n - 1 - i : i;
		wv_str_fmt(&text, "%c\"%zu\":[%zu]", i ? ',' : '{', k, k);
	}
	wv_str_chr(&text, '}');
	tree = read_text(text.s);
	wv_str_free(&text);
	return tree;
}

static void
test_equal(void)
{
	cJSON *a, *b;

	/* cases B17 */
	equals("1", "1.0", true);
	equals("100", "1e2", true);
	equals("9007199254740993", "9007199254740992", false);
	equals("0", "-0.0", true);
	equals("1", "true", false);
	equals("0", "false", false);
	equals("null", "false", false);
	equals("\"a\"", "\"\\u0061\"", true);
	equals("\"a\\u0000b\"", "\"a\\u0000c\"", false);
	equals("\"\"", "null", false);
	equals("[1,2]", "[2,1]", false);
	equals("[1]", "[1,1]", false);
	equals("[]", "{}", false);
	equals("{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1.0}", true);
	equals("{\"a\":1}", "{\"a\":1,\"b\":1}", false);
	equals("{\"a\":1}", "{\"b\":1}", false);
	equals("{\"a\":{\"b\":[1,2,{\"c\":3}]}}",
		"{\"a\":{\"b\":[1,2,{\"c\":4}]}}", false);
	for (size_t n = 15; n < 19; n++)
		ok(wv_json_equal(wide(n, false), wide(n, true)),
			"%zu members in any order", n);
	a = wide(100000, false);
	b = wide(100000, true);
	ok(wv_json_equal(a, b), "100,000 members in any order");
	wv_put(&arena, b, "5", wv_json_null(&arena));
	ok(!wv_json_equal(a, b), "… but one");
}

static void
test_build(void)
{
	cJSON *object = wv_json_object(&arena), *list, *copy, *taken;

	wv_put_string(&arena, object, "s", "t\xc3\xa9xt\n");
	wv_put(&arena, object, "i", wv_json_int(&arena, -7));
	wv_put(&arena, object, "n", wv_json_number(&arena, "1.10"));
	wv_put(&arena, object, "b", wv_json_bool(&arena, true));
	wv_put(&arena, object, "z", wv_json_null(&arena));
	wv_put(&arena, object, "u", wv_json_stringn(&arena, "a\0\0b", 4));
	list = wv_put(&arena, object, "l", wv_json_array(&arena));
	wv_push(list, wv_json_bool(&arena, false));
	wv_push(list, wv_json_object(&arena));
	wv_push(list, wv_json_stringn(&arena, "cut here", 3));
	is(text_of(object),
		"{\"s\":\"t\xc3\xa9xt\\n\",\"i\":-7,\"n\":1.10,\"b\":true,"
		"\"z\":null,\"u\":\"a\\u0000\\u0000b\","
		"\"l\":[false,{},\"cut\"]}",
		"built and written");
	ok(is_linked(object) && is_linked(list), "… and linked");
	ok(wv_json_equal(object, read_text(out.s)), "… and equal when read");

	copy = wv_json_copy(&arena, list);
	ok(copy->string == NULL && copy->next == NULL && is_linked(copy) &&
			wv_json_equal(copy, list),
		"a copy stands alone");

	wv_put_string(&arena, object, "s", "first");
	wv_put_string(&arena, object, "b", "middle");
	wv_put_string(&arena, object, "l", "last");
	ok(is_linked(object), "replacing keeps links");
	is(text_of(object),
		"{\"s\":\"first\",\"i\":-7,\"n\":1.10,\"b\":\"middle\","
		"\"z\":null,\"u\":\"a\\u0000\\u0000b\",\"l\":\"last\"}",
		"… and places");

	ok(wv_take(object, "nothing") == NULL, "nothing to take");
	taken = wv_take(object, "s");
	is(text_of(taken), "\"first\"", "the first is taken");
	wv_take(object, "b");
	wv_take(object, "l");
	wv_take(object, "u");
	ok(is_linked(object), "taking keeps links");
	wv_put(&arena, object, "again", taken);
	is(text_of(object),
		"{\"i\":-7,\"n\":1.10,\"z\":null,\"again\":\"first\"}",
		"… and the rest");
	wv_take(object, "i");
	wv_take(object, "n");
	wv_take(object, "z");
	wv_take(object, "again");
	is(text_of(object), "{}", "taken empty");

	cJSON *inner = wv_put_object(&arena, object, "m");
	wv_put_string(&arena, inner, "k", "v");
	ok(wv_put_object(&arena, object, "m") == inner, "an object is kept");
	wv_put_string(&arena, object, "x", "no object");
	wv_put_object(&arena, object, "x");
	is(text_of(object), "{\"m\":{\"k\":\"v\"},\"x\":{}}", "or made");
	is(text_of(wv_get(object, "m")), "{\"k\":\"v\"}",
		"a member is written alone");
}

static void
raw_string(const char *s, size_t n, const char *want)
{
	out.n = 0;
	wv_json_write_string(&out, s, n);
	is(out.s, want, "literal of %zu bytes", n);
}

/* Byte by byte what wv_json_write_string() writes in blocks. */
static void
write_slowly(struct wv_str *to, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		int len = wv_utf8_len((const unsigned char *)s + i, n - i);
		if (len == 0)
			wv_str_cat(to, "\xef\xbf\xbd");
		else if (s[i] == '\n')
			wv_str_cat(to, "\\n");
		else if (s[i] == '"' || s[i] == '\\')
			wv_str_fmt(to, "\\%c", s[i]);
		else
			wv_str_add(to, s + i, (size_t)len);
		i += len > 0 ? (size_t)len : 1;
	}
}

static void
test_blocks(void)
{
	static const char *const parts[] = { "x", "\"", "\\", "\n", "\xc3\xa9",
		"\xff", "\xe6\x9d\xb1", "\xe6\x9d", "plain and longer text" };
	struct wv_str s = { 0 }, want = { 0 };
	bool right = true;

	for (size_t k = 0; k < 9 * 60; k++) {
		s.n = want.n = out.n = 0;
		wv_str_cat(&s, "");
		for (size_t i = 0; i < k / 9; i++)
			wv_str_cat(&s, parts[(i * i + k) % 9]);
		wv_str_chr(&want, '"');
		write_slowly(&want, s.s, s.n);
		wv_str_chr(&want, '"');
		wv_json_write_string(&out, s.s, s.n);
		right = right && strcmp(out.s, want.s) == 0;
	}
	ok(right, "literals of all that may stand in blocks");
	wv_str_free(&s);
	wv_str_free(&want);
}

static void
test_bytes(void)
{
	cJSON *tree = read_text("[\"plain\",\"a\\u0000b\\u0000\"]");
	struct wv_str raw = { 0 };

	ok(!wv_json_bytes(tree->child, &raw) && raw.n == 5, "no NUL");
	raw.n = 0;
	ok(wv_json_bytes(tree->child->next, &raw) && raw.n == 4 &&
			memcmp(raw.s, "a\0b", 4) == 0,
		"NULs are real");
	wv_str_free(&raw);
	raw_string("a\0\x1f\x7f\"\\/", 7, "\"a\\u0000\\u001f\x7f\\\"\\\\/\"");
	raw_string("\b\f\n\r\t\v", 6, "\"\\b\\f\\n\\r\\t\\u000b\"");
	raw_string("caf\xc3\xa9 \xff|\xc0\x80|\xed\xa0\x80", 14,
		"\"caf\xc3\xa9 \xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|"
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	raw_string("", 0, "\"\"");
}

int
main(void)
{
	test_get();
	test_places();
	test_places_at_once();
	test_equal();
	test_build();
	test_blocks();
	test_bytes();
	wv_str_free(&out);
	wv_arena_free(&arena);
	return done();
}
