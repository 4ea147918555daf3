/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is not, and JSON that nearly is not. */
#include "scan-said.h"

/* Values, right and wrong; what a string literal holds may hold NUL. */
#define TEXT(s) \
	{ \
		s, sizeof s - 1 \
	}
static const struct text {
	const char *s;
	size_t n;
} texts[] = {
	TEXT("null"),
	TEXT("nul"),
	TEXT("nulll"),
	TEXT("True"),
	TEXT("tru e"),
	TEXT("falsf"),
	TEXT(""),
	TEXT("0"),
	TEXT("-"),
	TEXT("-0"),
	TEXT("01"),
	TEXT("-01"),
	TEXT("1."),
	TEXT(".5"),
	TEXT("1.e5"),
	TEXT("1e"),
	TEXT("1e+"),
	TEXT("1e+5"),
	TEXT("1E-05"),
	TEXT("+1"),
	TEXT("1.5.5"),
	TEXT("1e0000000000000000000000001"),
	TEXT("1e1234567890123456789"),
	TEXT("0.12345678901234567890123456789012345678"),
	TEXT("0x10"),
	TEXT("1234567890123456789012345678901234567890"),
	TEXT("1 2"),
	TEXT("NaN"),
	TEXT("[]"),
	TEXT("[1,]"),
	TEXT("[,1]"),
	TEXT("[1 2]"),
	TEXT("[1,2"),
	TEXT("[1}"),
	TEXT("]"),
	TEXT("[[[]]]"),
	TEXT("[[[]]"),
	TEXT("{}"),
	TEXT("{,}"),
	TEXT("{\"a\"}"),
	TEXT("{\"a\":}"),
	TEXT("{\"a\":1,}"),
	TEXT("{\"a\" : 1 , \"b\" : [ ] }"),
	TEXT("{\"a\":1 \"b\":2}"),
	TEXT("{a:1}"),
	TEXT("{\"a\":1,\"a\":2}"),
	TEXT("{\"a\":1,\"\\u0061\":2}"),
	TEXT("{\"\":1,\"\":2}"),
	TEXT("{\"a\":1,\"b\":{\"a\":1},\"c\":{\"a\":1}}"),
	TEXT("{\"abcdefgh\":1,\"abcdefgi\":2,\"abcdefghi\":3}"),
	TEXT("{\"abcdefghi\":1,\"abcdefghi\":3}"),
	TEXT("{\"a\":1]"),
	TEXT("{1:2}"),
	TEXT("{\"a\":1}}"),
	TEXT("\"\""),
	TEXT("\""),
	TEXT("\"a\"b\""),
	TEXT("\"\\\"\""),
	TEXT("\"\\\\\""),
	TEXT("\"\\\""),
	TEXT("\"\\\\\\\"\""),
	TEXT("\"\\x\""),
	TEXT("\"\\u12\""),
	TEXT("\"\\u12g4\""),
	TEXT("\"\\u00e9\""),
	TEXT("\"\\uD800\""),
	TEXT("\"\\uDC00\""),
	TEXT("\"\\uD83D\\uDE00\""),
	TEXT("\"\\uD83D\\n\""),
	TEXT("\"\\uD83D\\u0041\""),
	TEXT("\"\\u0000\""),
	TEXT("\"\0\""),
	TEXT("\"\n\""),
	TEXT("\"\t\""),
	TEXT("\"\x1f\""),
	TEXT("\"\x7f\""),
	TEXT("\xc3\xa9"),
	TEXT("\0"),
	TEXT("\"\xc3\xa9\""),
	TEXT("\"\xc3\""),
	TEXT("\"\xa9\""),
	TEXT("\"\xc3\"\xa9"),
	TEXT("\"\xc0\x80\""),
	TEXT("\"\xc1\xbf\""),
	TEXT("\"\xe0\x9f\xbf\""),
	TEXT("\"\xe0\xa0\x80\""),
	TEXT("\"\xed\x9f\xbf\""),
	TEXT("\"\xed\xa0\x80\""),
	TEXT("\"\xee\x80\x80\""),
	TEXT("\"\xef\xbf\xbf\""),
	TEXT("\"\xf0\x8f\xbf\xbf\""),
	TEXT("\"\xf0\x90\x80\x80\""),
	TEXT("\"\xf3\xbf\xbf\xbf\""),
	TEXT("\"\xf4\x8f\xbf\xbf\""),
	TEXT("\"\xf4\x90\x80\x80\""),
	TEXT("\"\xf5\x80\x80\x80\""),
	TEXT("\"\xff\""),
	TEXT("\"\xc3\\n\xa9\""),
	TEXT("\xef\xbb\xbf{}"),
	TEXT("\"a\\\"b\\\\\",\"c\""),
	TEXT("\\\"a\""),
	TEXT("/**/1"),
	TEXT("'a'"),
	TEXT("{\"a\":\"b\nc\"}"),
	TEXT("\f1"),
	TEXT("\v[]"),
};

/* In the place of %: text; of #: so many bytes of padding. */
static const char *const frames[] = {
	"%",
	"#%",
	"[%]",
	"{\"x#\":%}",
	"{\"known\":\"#\",\"x\":%,\"y\":\"z\"}",
	"{\"known\":{\"x#\":[%,1]},\"z\":\"z\"}",
};

static void
put_frame(struct wv_str *out, const char *frame, const struct text *text,
	unsigned padding)
{
	out->n = 0;
	for (; *frame != '\0'; frame++) {
		if (*frame == '%')
			wv_str_add(out, text->s, text->n);
		else if (*frame != '#')
			wv_str_chr(out, *frame);
		for (unsigned i = 0; *frame == '#' && i < padding; i++)
			wv_str_chr(out, frame[1] == '%' ? ' ' : 'p');
	}
}

/* Every text in every frame, over the borders of what is looked at at once:
 * 16, 32, 64 and 1,024 bytes. */
static void
test_hostile(const char *schema_text)
{
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(&set, schema_text);
	struct wv_str out = { 0 };
	size_t wrong = 0, yes = 0;

	for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
		for (unsigned i = 0; i < 6 * 160; i++) {
			unsigned padding = i / 6 < 80 ? i / 6 : i / 6 + 900;
			enum said said;
			put_frame(&out, frames[i % 6], &texts[t], padding);
			said = scan(schema, out.s, out.n);
			yes += said == YES;
			if (said == YES || said == NO)
				continue;
			wrong++;
			printf("# %d of %s\n", said, out.s);
		}
	}
	ok(wrong == 0 && yes > 0, "hostile values under %s", schema_text);
	wv_str_free(&out);
	wv_schema_set_free(set);
}

/* All that a record may begin with is refused, with the rest behind it. */
static void
test_cut(void)
{
	static const char text[] =
		" {\"id\":\"x\\n\\u00e9\",\"when\":\"2024-06-01T00:00:00Z\","
		"\"there\":[-1.5e+7,true,null,{\"\xc3\xa9\":[]}],"
		"\"capability_identifier\":null,\"other\":{\"a\":12345}}";
	struct wv_schema_set *set;
	const struct wv_schema *schema = compile(&set, OBJECT);
	size_t n = sizeof text - 1;
	char *padded = wv_dupn(&arena, text, n);
	bool none = true;

	ok(scan(schema, text, n) == YES, "a whole record");
	for (size_t i = 0; i < n; i++)
		none = none &&
			!wv_schema_scan(schema, padded, i, &wv_json_defaults) &&
			scan(schema, text, i) == NO;
	ok(none, "no part of it");
	wv_schema_set_free(set);
}

int
main(void)
{
	test_hostile("true");
	test_hostile("{\"properties\":{\"known\":true,\"x\":{\"maxLength\":4,"
		     "\"items\":{\"minimum\":-9},\"minProperties\":1}}}");
	test_cut();
	return done_scanning();
}
