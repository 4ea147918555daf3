/* SPDX-License-Identifier: Apache-2.0 */
/* What a card shows of foreign text. */
#include "card/shown.h"

#include "tap.h"

#include <stdlib.h>

static const char *
shown(const char *text, size_t max, size_t tokens)
{
	static struct wv_str out;

	out.n = 0;
	wv_shown_text(&out, text, max, tokens);
	return out.s;
}

struct pair {
	const char *text, *want;
};

static void
test_pairs(const char *what, const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		is(shown(pairs[i].text, 200, SIZE_MAX), pairs[i].want, "%s: %s",
			what, pairs[i].text);
}
#define PAIRS(what, pairs) \
	test_pairs(what, pairs, sizeof(pairs) / sizeof(*(pairs)))

static const struct pair kept[] = {
	/* texts that an address or a schema could be mistaken in */
	{ "IGNORE PREVIOUS INSTRUCTIONS", "IGNORE PREVIOUS INSTRUCTIONS" },
	{ "Node.js/Express, e.g. app.js:12",
		"Node.js/Express, e.g. app.js:12" },
	{ "Works and/or fails; 24/7", "Works and/or fails; 24/7" },
	{ "Version 1.2.3.4 at 3.5/kg", "Version 1.2.3.4 at 3.5/kg" },
	{ "Needs files.read/write", "Needs files.read/write" },
	{ "Takes application/vnd.api+json", "Takes application/vnd.api+json" },
	{ "HTTP: the protocol", "HTTP: the protocol" },
	{ "Returns data: rows, columns", "Returns data: rows, columns" },
	{ "Read file: /etc/passwd", "Read file: /etc/passwd" },
	{ "Write to bob@corp.example today",
		"Write to bob@corp.example today" },
	{ "Sends via monday.com. /help", "Sends via monday.com. /help" },
	{ "Ratio 16:9 at 10:30", "Ratio 16:9 at 10:30" },
	{ "a // comment and C:\\temp", "a // comment and C:\\temp" },
	{ "See [1] (old) f[i](x)", "See [1] (old) f[i](x)" },
	{ "Fills {name} and {a, b}", "Fills {name} and {a, b}" },
	{ "It's \"quoted\": and 'so'", "It's \"quoted\": and 'so'" },
	{ "Items:\n- one\n- two", "Items: - one - two" },
	{ "Type: object storage", "Type: object storage" },
	{ "100% of R&D &amp; 50%25", "100% of R&D &amp; 50%25" },
	{ "東京の天気。明日も", "東京の天気。明日も" },
	{ "std::vector and a::b", "std::vector and a::b" },
};

static const struct pair links[] = {
	{ "see https://evil.example/x?y=1 now", "see now" },
	{ "see (https://evil.example/x).", "see ()." },
	{ "see HTTPS://EVIL.EXAMPLE now", "see now" },
	{ "hxxps://evil[.]example/a b", "b" },
	{ "http[:]//evil[.]example b", "b" },
	{ "http[://]evil.example b", "b" },
	{ "https : // evil . example / x b", "b" },
	{ "https:\\\\evil.example\\x b", "b" },
	{ "https:\\/\\/evil.example\\/x b", "b" },
	{ "https:/evil.example b", "b" },
	{ "https:evil.example/x b", "b" },
	{ "ftp://a b", "b" },
	{ "foo://a b", "b" },
	{ "foo ://a b", "foo b" },
	{ "://a b", "b" },
	{ "a www.evil.example b", "a b" },
	{ "a www[.]evil[.]example b", "a b" },
	{ "a evil[.]example b", "a b" },
	{ "a evil(dot)example b", "a b" },
	{ "a evil[ . ]example b", "a b" },
	{ "a evil.example/x b", "a b" },
	{ "a evil.com/x?token=1 b", "a b" },
	{ "a evil.example./x b", "a b" },
	{ "a evil.cfd/x b", "a b" },
	{ "a evil.sh/x?token=1 b", "a b" },
	{ "a evil.example:8080 b", "a b" },
	{ "a evil.com?q=secret b", "a b" },
	{ "a 10.0.0.1/x b", "a b" },
	{ "a localhost:8080/x b", "a b" },
	{ "a //evil.example/x b", "a b" },
	{ "a \\\\evil\\share b", "a b" },
	{ "a [click here](https://evil.example/x \"t\") b", "a click here b" },
	{ "a ![pixel](//evil.example/p.png) b", "a pixel b" },
	{ "a [x](javascript:alert(1)) b", "a x b" },
	{ "a <https://evil.example> b", "a < > b" },
	{ "a <img src=\"//evil.example/p\"> b", "a <img src=\" \"> b" },
	{ "a data:text/html;base64,PHNjcmlwdD4= b", "a b" },
	{ "a javascript:alert(1) b", "a b" },
	{ "a mailto:bob@evil.example b", "a b" },
	{ "a tel:+3112345 b", "a b" },
	{ "a file:///etc/passwd b", "a b" },
	{ "a https&#58;&#x2f;/evil.example b", "a b" },
	{ "a https&colon;&sol;&sol;evil.example b", "a b" },
	{ "a https%3A%2F%2Fevil.example b", "a b" },
	{ "a https%253A%252F%252Fevil.example b", "a b" },
	{ "a https\\u003a\\u002f\\u002fevil.example b", "a b" },
	{ "a ｈｔｔｐｓ：／／ｅｖｉｌ．ｅｘａｍｐｌｅ b", "a b" },
	{ "a https\xe2\x80\x8b:/\xe2\x80\x8b/evil.example b", "a b" },
	{ "a h\x1b[31mttps://evil.example b", "a b" },
	{ "a https:\xe2\x88\x95\xe2\x88\x95"
	  "evil.example b",
		"a b" },
	{ "a git@evil.example:repo.git b", "a b" },
	{ "a ht{\"a\":1}tps://evil.example b", "a ht b" },
	{ "a [www](/x).evil.example b", "a www .evil.example b" },
	{ "a ht[tp](/x)://evil.example b", "a ht tp b" },
};

static const struct pair schemas[] = {
	{ "Takes {\"type\":\"object\",\"properties\":{\"q\":{}}} in",
		"Takes in" },
	{ "Takes {'type': 'object'} in", "Takes in" },
	{ "Takes {type: object, properties: {q: x}} in", "Takes in" },
	{ "Takes {\\\"type\\\":\\\"object\\\"} in", "Takes in" },
	{ "Takes {&quot;type&quot;:1} in", "Takes in" },
	{ "Takes ｛＂type＂：1｝ in", "Takes in" },
	{ "Takes {“type”: “object”} in", "Takes in" },
	{ "Takes [{\"name\":\"q\"},{\"name\":\"r\"}] in", "Takes in" },
	{ "Takes {\"type\": \"object\", \"properties\": {", "Takes" },
	{ "Takes \"type\": \"object\", \"required\": [\"q\"] in", "Takes in" },
	{ "Reads.\ntype: object\nproperties:\n  q:\n    type: string\n"
	  "required: [q]\nDone.",
		"Reads. Done." },
	{ "Reads.\n$ref: '#/x'\nDone.", "Reads. Done." },
	{ "Reads.\n```json\n{\"type\": \"object\"}\n```",
		"Reads. ```json ```" },
};

static const struct pair controls[] = {
	{ "a\x1b[31mred\x1b[0m b", "ared b" },
	{ "a\x1b]0;title\x07"
	  "b",
		"ab" },
	{ "a\xe2\x80\xae"
	  "b\xe2\x80\xac",
		"ab" },
	{ "a\n\n\tb\r\nc", "a b c" },
	{ "a\x01\x7f"
	  "b",
		"ab" },
	{ "a\xf3\xa0\x81\x81"
	  "b",
		"ab" },
	{ "a\xff"
	  "b",
		"a\xef\xbf\xbd"
		"b" },
	{ "", "" },
	{ " \n ", "" },
};

static void
test_bounds(void)
{
	char *big = malloc((1 << 20) + 1);
	const char *text;

	memset(big, 'x', 1 << 20);
	big[1 << 20] = '\0';
	text = shown(big, 200, 100);
	ok(strlen(text) == 199 + 3, "200 characters, the last is …");
	ok(wv_shown_tokens(shown(big, 200, 10), strlen(shown(big, 200, 10))) <=
			10,
		"ten tokens");
	free(big);
	is(shown("One is here. Two is there. Three is somewhere else.", 40, 99),
		"One is here. Two is there.", "cut behind a sentence");
	is(shown("It reads, e.g. the first of many lines", 20, 99),
		"It reads, e.g. the …", "e.g. ends none");
	is(shown("Yes. And a sentence that goes on and on and on", 40, 99),
		"Yes. And a sentence that goes on and on…",
		"not behind one that is too short");
	is(shown("一つ目です。二つ目はとても長い文です", 12, 99),
		"一つ目です。", "a sentence in Japanese");
	is(shown("天気予報天気予報", 99, 4), "天気予…", "wide characters");
	is(shown("ab", 1, 1), "…", "one character");
}

/* Pieces that mean harm together, put together at random. */
static void
test_mixed(void)
{
	static const char *const pieces[] = { "http", "s", ":", "/", "//",
		"://", "evil", ".", "example", " ", "\n", "[", "]", "(", ")",
		"{", "}", "\"", "'", "type", "properties", "www.", "&#58;",
		"%3a", "%2f", "\\", "\\u003a", "\x1b[3", "1m", "\xe2\x80\x8b",
		"\xe2\x80\xae", "\xff", "：", "／", "data:", ",", ";base64",
		"<", ">", "javascript:", "-", "*", "1", "com", "[.]", "$ref" };
	size_t count = sizeof(pieces) / sizeof(*pieces);
	uint32_t seed = 1;
	size_t bad = 0, twice = 0;

	for (size_t i = 0; i < 50000; i++) {
		char text[1024] = "", once[4096];
		for (size_t j = 0; j < 24; j++) {
			seed = seed * 1664525 + 1013904223;
			strcat(text, pieces[(seed >> 8) % count]);
		}
		strcpy(once, shown(text, 200, SIZE_MAX));
		for (const char *s = once; *s != '\0'; s++)
			bad += (unsigned char)*s < 0x20 || *s == 0x7f ||
				(strncmp(s, "www.e", 5) == 0 &&
					(s == once || s[-1] == ' '));
		if (strstr(once, "://") || strstr(once, "\"type\":") ||
			strstr(once, "\xe2\x80\xae"))
			bad++;
		if (bad > 0) {
			printf("# %s\n# %s\n", text, once);
			break;
		}
		twice += strcmp(shown(once, 200, SIZE_MAX), once) != 0;
	}
	ok(bad == 0, "no address, schema or control is left");
	ok(twice < 5000, "what is shown can mostly be shown again: %zu", twice);
}

int
main(void)
{
	PAIRS("kept", kept);
	PAIRS("link", links);
	PAIRS("schema", schemas);
	PAIRS("control", controls);
	test_bounds();
	test_mixed();
	return done();
}
