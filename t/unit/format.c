/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format.h"

#include "schema/format-idna.h"

#include "tap.h"

#include <stdlib.h>
#include <time.h>

/* good and bad are "\n"-separated, so that none of them holds one. */
static const struct {
	const char *format, *good, *bad;
} cases[] = {
	{ "date-time",
		"2024-02-29T00:00:00Z\n2024-01-01t00:00:00.5+23:59\n"
		"0000-01-01T00:00:00-00:00\n2015-06-30T23:59:60Z\n"
		"2015-07-01T01:59:60.9+02:00\n9999-12-31T23:59:59z",
		"2023-02-29T00:00:00Z\n2024-01-01 00:00:00Z\n"
		"2024-01-01T00:00:00\n2024-01-01T00:00:00.Z\n"
		"2024-01-01T00:00Z\n2024-01-01T00:00:00+0100\n"
		"2024-06-15T23:59:60Z\n2024-01-01T00:00:00Zx\n\n"
		"2024-01-01T00:00:00+24:00" },
	{ "date", "2000-02-29\n0001-01-01", "1900-02-29\n2024-1-01\n24-01-01" },
	{ "time", "00:00:00Z\n23:59:60.25Z\n00:29:60+00:30",
		"00:00:00\n12:00:60Z\n24:00:00Z\nT00:00:00Z" },
	{ "duration",
		"P1Y\nP1Y2M3D\nP2M3D\nP3D\nPT5H\nPT5H6M\nPT6M7S\nPT7S\n"
		"P1YT7S\nP0W\nP00012345678901234567890W",
		"p1Y\nP1YT\nP1W1D\nP1D1W\nP1S\nPT1D\nP1Y3D\nPT1H7S\nP1M1Y\n"
		"P1H\nP1Y1Y\nP1.5D\nP 1D\nPT\nP" },
	{ "email",
		"a@b\na@b.c\n!#$%&'*+-/=?^_`{|}~@x.y\n\"\"@x\n"
		"\"\\\"\\\\@ \"@x\nx@[1.2.3.4]\nx@[ipv6:1::]\nx@1.2.3.4",
		"a\n@\na@\n@b\na@b.\na@.b\na.@b\n.a@b\na..b@c\na b@c\n"
		"\"a@b\n\"a\"b@c\n\"a\x01\"@b\na@[]\na@[1.2.3]\n"
		"a@[IPv5:::]\na@[::1]\na@b_c\na@-b\na@b-\na@b@c\n"
		"\xc3\xa9@b\na@\xc3\xa9\na@[1.2.3.4\na@b (c)\na@b,c" },
	{ "idn-email", "\xc3\xa9@\xc3\xa9.x\n\"\xe2\x82\xac \"@b\na@b",
		"a@\xe2\x82\xac\na@b\xe3\x80\x82"
		"c\n\xc3@b\na@xn--a\na\xff@b" },
	{ "hostname",
		"a\nA-1.b2\n1.2.3.4\nxn--bcher-kva.example\nXN--BCHER-KVA",
		"\n.\na.\na..b\n-a\na-\na_b\na b\n\xc3\xa9\nxn--\nxn--a\n"
		"xn--a-\nxn--bcher-kvb9\nxn--zz--99999999\na/b\na:80" },
	{ "idn-hostname",
		"b\xc3\xbc"
		"cher.example\nstra\xc3\x9f"
		"e\xe3\x80\x82"
		"de\nl\xc2\xb7"
		"l\n\xd7\x90\xd7\xb3\nab--cd",
		"B\xc3\x9c"
		"CHER\ne\xcc\x81x\n\xc2\xb7\nx\xe2\x80\x8dy\n"
		"\xd7\xb3\xd7\x90\nab--\xc3\xa9\n\xe2\x82\xac\n\xc3\n"
		"1.\xd7\x90\n\xd7\x90"
		"a\n\xc3\xa9-\n\xc3\xa9\xcc\xa3" },
	{ "ipv4", "0.0.0.0\n255.255.255.255\n1.20.199.249",
		"1.2.3\n1.2.3.4.5\n256.1.1.1\n01.2.3.4\n1.2.3.00\n"
		"1.2.3.1000\n1..3.4\n1.2.3.4 \n1.2.3.-4\n.1.2.3" },
	{ "ipv6",
		"::\n::1\n1::\n1:2:3:4:5:6:7:8\n1:2:3:4:5:6:7::\n"
		"::2:3:4:5:6:7:8\nABCD:ef01::1\n1:2:3:4:5:6:1.2.3.4\n"
		"::1.2.3.4\n1::1.2.3.4",
		"\n:\n:::\n1:2:3:4:5:6:7\n1:2:3:4:5:6:7:8:9\n1::2::3\n"
		"1:2:3:4:5:6:7::8\n12345::\n1:\n:1\n::1%1\n[::1]\n1.2.3.4\n"
		"1.2.3.4::\n1:2:3:4:5:6:7:1.2.3.4\n::1.2.3\n::g\n"
		"::1.2.3.4:1" },
	{ "uri",
		"a:\na+1-.b:c\nhttp://\nhttp://a:@b:1/?#\nhttp://[::1]:80/\n"
		"http://[v1a.b:c]/\nurn:a:b\na://b?c?d/e#f/?g\n"
		"file:///x\na:%41\na:/b//c\nmailto:a@b",
		"\n:\na\n1a:\na_b:\n//a\n/a\n#a\na:%4\na:%g0\na:#b#c\n"
		"a://[::1\na://[::1]x\na://b:c\na://b@c@d\na://[1.2.3.4]\n"
		"a://[v.x]\na://[v1.]\na:[\na:\\\na:<\na: b\na:\xc3\xa9\n"
		"a://[v1.%41]\n\xc3\xa9:a" },
	{ "uri-reference", "\n/\n//\n?\n#\na\na/b:c\n./a:b\n?a:b\n//a:1\n..",
		"1:a\na%\n%zz\n\xc3\xa9\n^\n#a#b\n//a:b\n//[1]\n :a\n_:a" },
	{ "iri", "h:\xc2\xa0\nh:\xc3\xa9\nh://\xf0\x90\x80\x80/?\xee\x80\x80",
		"\n\xc3\xa9\nh\xc2\xa0:\nh:\xee\x80\x80\nh:\xe2\x80\xae\nh:"
		"\xc2\x80\n"
		"h:\xef\xbf\xbf\nh:#\xee\x80\x80\nh:\xc3\nh: " },
	{ "iri-reference", "\n\xc3\xa9\n//\xc3\xa9:1\n?\xee\x80\x80",
		"\xc3\xa9{\n\xff\n//a:\xc3\xa9\n\xe2\x80\x8f" },
	{ "uuid",
		"00000000-0000-0000-0000-000000000000\n"
		"FfFfFfFf-fFfF-0123-4567-89abcdefABCD",
		"\n00000000-0000-0000-0000-00000000000\n"
		"00000000-0000-0000-0000-0000000000000\n"
		"{0000000-0000-0000-0000-000000000000}\n"
		"000000000-000-0000-0000-000000000000\n"
		"0000000g-0000-0000-0000-000000000000" },
	{ "uri-template",
		"\na\n{a}\n{+a,b*,c:9999}{%41.b_1}\n{=a}{|a}\n\xc3\xa9{?x}\n'",
		"{\n}\n{a\na}\n{}\n{+}\n{a:}\n{a:0}\n{a:12345}\n{a:1*}\n"
		"{a b}\n{{a}}\n{.}\n{a.}\n{a,}\n{-a}\n%\n%4g\n<\n\xc2\x80\n"
		"\x7f\n{\xc3\xa9}\n\xff" },
	{ "json-pointer", "\n/\n//\n/~0~1\n/a/0\n/ \xc3\xa9",
		"a\n~0\n/~\n/~2\n/~0~\n#\n#/a" },
	{ "relative-json-pointer", "0\n1#\n10/a\n0/\n0/~1",
		"\n#\n/a\n00\n01/a\n1##\n1#/\n-1\n1a\n1/~" },
	{ "regex", "\n^a$\n[]\n(?<=a+)b\n\\p{L}\n(?<n>a)\\k<n>",
		"(\n)\n[\n*\na{2,1}\n\\a\n(?P<n>a)\n\\1\n\\k<n>\n\\p{Latin}\n"
		"[b-a]\n(?i)\n(?=a)*" },
};

/* Judges a copy that ends where its bytes do, for the sanitizers. */
static bool
judge(const char *format, const char *s, size_t n)
{
	wv_format_check *check = wv_format_find(format);
	char *copy = malloc(n ? n : 1);
	bool good;

	memcpy(copy, s, n);
	good = check != NULL && check(copy, n);
	free(copy);
	return good;
}

static void
test_lines(const char *format, const char *lines, bool want)
{
	size_t n;

	for (;; lines += n + 1) {
		n = strcspn(lines, "\n");
		ok(judge(format, lines, n) == want, "%s is %s%s: %.*s", format,
			want ? "" : "not ", "met", (int)n, lines);
		if (lines[n] == '\0')
			return;
	}
}

static void
test_cases(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		test_lines(cases[i].format, cases[i].good, true);
		test_lines(cases[i].format, cases[i].bad, false);
	}
	ok(wv_format_find("host-name") == NULL, "no such format");
	ok(wv_format_find("") == NULL, "nor one without a name");
}

/* A NUL is a byte like others, a line end is not left out. */
static void
test_bytes(void)
{
	static const struct {
		const char *format, *text;
	} whole[] = { { "date-time", "2024-01-01T00:00:00Z" },
		{ "date", "2024-01-01" }, { "time", "00:00:00Z" },
		{ "duration", "P1D" }, { "email", "a@b" },
		{ "idn-email", "a@b" }, { "hostname", "a" },
		{ "idn-hostname", "a" }, { "ipv4", "1.2.3.4" },
		{ "ipv6", "::" }, { "uri", "a:b" }, { "uri-reference", "b" },
		{ "iri", "a:b" }, { "iri-reference", "b" },
		{ "uuid", "00000000-0000-0000-0000-000000000000" },
		{ "uri-template", "{a}" }, { "relative-json-pointer", "0" } };
	char text[64];

	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
		const char *format = whole[i].format;
		size_t n = strlen(whole[i].text);
		memcpy(text, whole[i].text, n);
		ok(judge(format, text, n), "%s: whole", format);
		text[n] = '\0';
		ok(!judge(format, text, n + 1), "%s: NUL after it", format);
		text[n] = '\n';
		ok(!judge(format, text, n + 1), "%s: line end", format);
	}
	ok(judge("json-pointer", "/\0~0", 4), "NUL in a pointer");
	ok(!judge("json-pointer", "/\0~", 3), "and an error after it");
	ok(!judge("email", "\0@b", 3), "NUL as a local part");
	ok(!judge("uri-template", "{\0a}", 4), "NUL as an operator");
	ok(judge("regex", "a\0b", 3) && !judge("regex", "\0(", 2),
		"NUL in a pattern");
}

static bool
judge_filled(const char *format, const char *before, char filler, size_t count,
	const char *after)
{
	size_t n = strlen(before), m = strlen(after);
	char *text = malloc(n + count + m + 1);
	bool good;

	memcpy(text, before, n);
	memset(text + n, filler, count);
	memcpy(text + n + count, after, m);
	good = judge(format, text, n + count + m);
	free(text);
	return good;
}

static void
test_lengths(void)
{
	char name[256];

	ok(judge_filled("hostname", "b.", 'a', 63, ""), "label of 63");
	ok(!judge_filled("hostname", "b.", 'a', 64, ""), "label of 64");
	ok(judge_filled("idn-hostname", "b\xe3\x80\x82", 'a', 63, ""), "idn");
	ok(!judge_filled("idn-hostname", "b\xe3\x80\x82", 'a', 64, ""), "idn");
	ok(judge_filled("idn-hostname", "\xc3\xa9", 'a', 55, ""),
		"A-label of 63");
	ok(!judge_filled("idn-hostname", "\xc3\xa9", 'a', 56, ""),
		"A-label of 64");
	ok(judge_filled("email", "", 'a', 64, "@b"), "local part of 64");
	ok(!judge_filled("email", "", 'a', 65, "@b"), "local part of 65");
	for (int i = 0; i < 255; i++)
		name[i] = i % 2 ? '.' : 'a';
	ok(judge("hostname", name, 253), "name of 253");
	ok(!judge("hostname", name, 255), "name of 255");
	ok(judge_filled("email", "a@", 'a', 63, ""), "label of a mailbox");
	for (int i = 0; i < 256; i++)
		name[i] = i % 2 ? 'a' : '.';
	memcpy(name, "aa@", 3);
	ok(judge("email", name, 254), "mailbox of 254");
	ok(!judge("email", name, 256), "mailbox of 256");
}

/* Time in proportion to the length. */
static void
test_hostile(void)
{
	static const char *const fillers[] = { "a", "1", ".", "-", ":", "%",
		"/", "{", "~0", "%41", "a.", "\xc3\xa9", "[", "(", "\\1",
		"(?<a>", "()", "@", "\"", "xn--", "\xe2\x80\x8c", "P1D" };
	enum { SIZE = 1 << 18 };
	char *text = malloc(SIZE);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		clock_t before = clock();
		wv_format_check *check = wv_format_find(cases[i].format);
		for (size_t f = 0; f < sizeof fillers / sizeof *fillers; f++) {
			size_t n = strlen(fillers[f]);
			for (size_t at = 0; at + n <= SIZE; at += n)
				memcpy(text + at, fillers[f], n);
			check(text, SIZE - SIZE % n);
		}
		ok(clock() - before < 10 * CLOCKS_PER_SEC, "%s is linear",
			cases[i].format);
	}
	free(text);
}

/* RFC 3492 section 7.1 (B), (I), (S), and there and back. */
static void
test_punycode(void)
{
	static const struct {
		const char *code;
		uint32_t cp[20];
	} samples[] = {
		{ "ihqwcrb4cv8a8dqg056pqjye",
			{ 0x4ed6, 0x4eec, 0x4e3a, 0x4ec0, 0x4e48, 0x4e0d,
				0x8bf4, 0x4e2d, 0x6587 } },
		{ "d9juau41awczczp",
			{ 0x305d, 0x306e, 0x30b9, 0x30d4, 0x30fc, 0x30c9,
				0x3067 } },
		{ "-> $1.00 <--",
			{ '-', '>', ' ', '$', '1', '.', '0', '0', ' ', '<',
				'-' } },
	};

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		uint32_t code[WV_LABEL_MAX], cp[WV_LABEL_MAX];
		size_t n = strlen(samples[i].code), count = 0;
		for (size_t k = 0; k < n; k++)
			code[k] = (unsigned char)samples[i].code[k];
		while (samples[i].cp[count] != 0)
			count++;
		ok(wv_punycode_decode(cp, code, n) == (int)count &&
				memcmp(cp, samples[i].cp, count * sizeof *cp) ==
					0,
			"decodes %s", samples[i].code);
		ok(wv_punycode_encode(cp, samples[i].cp, count) == (int)n &&
				memcmp(cp, code, n * sizeof *cp) == 0,
			"encodes %s", samples[i].code);
	}
}

int
main(void)
{
	test_cases();
	test_bytes();
	test_lengths();
	test_hostile();
	test_punycode();
	return done();
}
