/* SPDX-License-Identifier: Apache-2.0 */
#include "json/jcs.h"

#include <stdlib.h>

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

static cJSON *
read_n(const char *text, size_t n)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_json_limits limits = { 200000, 1 << 20, 4096 };
	cJSON *node = wv_json_read(
		&arena, wv_dupn(&arena, text, n), n, &limits, &err);

	if (node == NULL)
		printf("# %zu:%zu: %s\n", err.line, err.column, err.text);
	return node;
}

static cJSON *
read_text(const char *text)
{
	return read_n(text, strlen(text));
}

/* Both forms agree wherever there is a JCS form. */
static void
canonical(const char *text, const char *want, const char *what)
{
	struct wv_str ours = { 0 }, jcs = { 0 };
	struct wv_err err = WV_ERR_INIT;
	cJSON *node = read_text(text);

	wv_json_canonical(&ours, node);
	is(ours.s, want, "%s", what);
	if (ok(wv_jcs(&jcs, node, &err) == 0, "%s: signable", what))
		is(jcs.s, want, "%s: the same when signed", what);
	wv_str_free(&ours);
	wv_str_free(&jcs);
}

static void
refused(const char *text, const char *pointer, const char *canonical_form)
{
	struct wv_str out = { 0 };
	struct wv_err err = WV_ERR_INIT;
	cJSON *node = read_text(text);

	ok(wv_jcs(&out, node, &err) < 0, "not signable: %s", text);
	ok(strncmp(err.text, pointer, strlen(pointer)) == 0 &&
			err.text[strlen(pointer)] == ':',
		"names %s", pointer);
	printf("# %s\n", err.text);
	out.n = 0;
	wv_json_canonical(&out, node);
	is(out.s, canonical_form, "our own form of it");
	wv_str_free(&out);
}

static void
digest_is_of(const char *text, const char *canonical_form)
{
	char got[WV_SHA256_HEX], want[WV_SHA256_HEX];

	wv_json_digest(got, read_text(text));
	wv_sha256_hex(want, canonical_form, strlen(canonical_form));
	is(got, want, "digest of %.40s", text);
}

static void
digests_differ(const char *a, const char *b)
{
	char x[WV_SHA256_HEX], y[WV_SHA256_HEX];

	wv_json_digest(x, read_text(a));
	wv_json_digest(y, read_text(b));
	ok(strcmp(x, y) != 0, "%s and %s never share a digest", a, b);
}

/* cases C19 */
static void
test_vectors(void)
{
	canonical("{\"\xee\x80\x80\":1,\"\xf0\x9f\x98\x80\":2,\"z\":3}",
		"{\"z\":3,\"\xf0\x9f\x98\x80\":2,\"\xee\x80\x80\":1}",
		"U+1F600 sorts before U+E000, as its surrogates do");
	canonical("{\"\\uffff\":1,\"\\ud800\\udc00\":2,\"\\ud7ff\":3}",
		"{\"\xed\x9f\xbf\":3,\"\xf0\x90\x80\x80\":2,"
		"\"\xef\xbf\xbf\":1}",
		"U+D7FF, U+10000, U+FFFF");
	canonical("{\"\xf0\x9f\x98\x81\":1,\"\xf0\x9f\x98\x80\":2}",
		"{\"\xf0\x9f\x98\x80\":2,\"\xf0\x9f\x98\x81\":1}",
		"two past U+FFFF");
	canonical("{\"\xee\x80\x81\":1,\"\xee\x80\x80\":2,"
		  "\"\xef\xbf\xbd\":3}",
		"{\"\xee\x80\x80\":2,\"\xee\x80\x81\":1,\"\xef\xbf\xbd\":3}",
		"within U+E000 to U+FFFF");
	canonical("{\"e\xcc\x81\":1,\"\xc3\xa9\":2,\"e\":3}",
		"{\"e\":3,\"e\xcc\x81\":1,\"\xc3\xa9\":2}",
		"nothing is normalized");
	canonical("[\"\\u2028\\/\\u007f\\u20ac\"]",
		"[\"\xe2\x80\xa8/\x7f\xe2\x82\xac\"]",
		"U+2028, slash and DEL are not escaped");
	canonical("[\"\\u0000\\u0001\\b\\t\\n\\f\\r\\u001f\\\"\\\\\"]",
		"[\"\\u0000\\u0001\\b\\t\\n\\f\\r\\u001f\\\"\\\\\"]",
		"controls, quote and backslash are");
	canonical("{\"a\\u0000\":1,\"a\":2,\"a\\u0001\":3,\"\":4,"
		  "\"\\u0000\":5}",
		"{\"\":4,\"\\u0000\":5,\"a\":2,\"a\\u0000\":1,\"a\\u0001\":3}",
		"U+0000 in names: after the end, before all else");
	canonical("[ 1e-7, -0, 1.0, 1.10, 1E3, 1152921504606847000 ]",
		"[1e-7,0,1,1.1,1000,1152921504606847000]", "numbers");
	canonical("{\"b\":[{\"d\":1,\"c\":[]},{}],\"a\":{\"\":null,\"A\":true,"
		  "\"1\":false}}",
		"{\"a\":{\"\":null,\"1\":false,\"A\":true},"
		"\"b\":[{\"c\":[],\"d\":1},{}]}",
		"nested");
	canonical(" \"x\" ", "\"x\"", "a string alone");
	canonical(" 7 ", "7", "a number alone");
	canonical("[]", "[]", "nothing");
}

static void
test_exact(void)
{
	refused("{\"a\":[0,{\"b/c~\":9007199254740993}]}", "/a/1/b~1c~0",
		"{\"a\":[0,{\"b/c~\":9007199254740993}]}");
	refused("9007199254740993", "the value", "9007199254740993");
	refused("[1e400]", "/0", "[1e+400]");
	/* 2^60 is a double, but ECMAScript writes it as another number. */
	refused("[1152921504606846976]", "/0", "[1152921504606846976]");
	digests_differ("[1152921504606846976]", "[1152921504606847000]");
	digests_differ(
		"{\"n\":1252760048171909143}", "{\"n\":1252760048171909142}");
	digests_differ("[0.1]", "[0.10000000000000001]");
	digest_is_of(
		"{\"b\":1,\"a\":\"\\u0000\"}", "{\"a\":\"\\u0000\",\"b\":1}");
	digest_is_of("1.00", "1");
}

static void
test_large(void)
{
	enum { DEPTH = 100000, MEMBERS = 200000 };
	struct wv_str text = { 0 }, out = { 0 }, again = { 0 };
	char got[WV_SHA256_HEX], want[WV_SHA256_HEX];

	for (int i = 0; i < DEPTH; i++)
		wv_str_cat(&text, i % 2 ? "[" : "{\"a\":");
	wv_str_cat(&text, "0");
	for (int i = DEPTH - 1; i >= 0; i--)
		wv_str_cat(&text, i % 2 ? "]" : "}");
	wv_json_canonical(&out, read_n(text.s, text.n));
	ok(out.n == text.n && memcmp(out.s, text.s, out.n) == 0,
		"nesting of %d", DEPTH);

	text.n = out.n = 0;
	for (int i = 0; i < MEMBERS; i++)
		wv_str_fmt(&text, "%c\"%06d\":%d", i ? ',' : '{',
			(int)((i * 7919L) % MEMBERS), i);
	wv_str_cat(&text, "}");
	wv_json_canonical(&out, read_n(text.s, text.n));
	wv_json_canonical(&again, read_n(out.s, out.n));
	ok(out.n == text.n &&
			strncmp(out.s, "{\"000000\":0,\"000001\":", 21) == 0,
		"%d members in order", MEMBERS);
	ok(again.n == out.n && memcmp(again.s, out.s, out.n) == 0,
		"the canonical form of itself");
	wv_json_digest(got, read_n(text.s, text.n));
	wv_sha256_hex(want, out.s, out.n);
	is(got, want, "a digest that is taken in pieces");
	wv_str_free(&text);
	wv_str_free(&out);
	wv_str_free(&again);
}

int
main(void)
{
	test_vectors();
	test_exact();
	test_large();
	wv_arena_free(&arena);
	return done();
}
