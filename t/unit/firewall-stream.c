/* SPDX-License-Identifier: Apache-2.0 */
/* Text in blocks becomes what it would have become in one, however it is
 * cut. */
#include "tap.h"

#include "base/file.h"
#include "firewall/find.h"
#include "firewall/firewall.h"
#include "json/lines.h"

#include <stdlib.h>

#define TOKEN \
	"ghp_" \
	"Zq7Rt2Lm9" \
	"Xc4Vb8Nn1" \
	"Kj5Hg3Fd6Sa0" \
	"PoUyTr"
#define BEGIN \
	"-----BEGIN " \
	"PRIVATE KEY-----\n"
#define END \
	"-----END " \
	"PRIVATE KEY-----\n"

static struct wv_arena arena;

/* In blocks of `first` bytes, then of `rest`. */
static void
in_blocks(
	struct wv_str *out, const char *s, size_t n, size_t first, size_t rest)
{
	struct wv_redactor redactor = { 0 };
	size_t block = first;

	out->n = 0;
	for (size_t at = 0; at < n; at += block, block = rest) {
		if (block > n - at)
			block = n - at;
		/* In memory of its own, so that nobody reads past its end. */
		char *copy = wv_xmalloc(block);
		memcpy(copy, s + at, block);
		wv_redactor_add(&redactor, out, copy, block, false);
		free(copy);
		if (block == 0)
			break;
	}
	wv_redactor_add(&redactor, out, "", 0, true);
	wv_str_cat(out, "");
	wv_redactor_free(&redactor);
}

static void
in_one(struct wv_str *out, const char *s, size_t n)
{
	struct wv_redactor redactor = { 0 };

	out->n = 0;
	wv_redactor_add(&redactor, out, s, n, true);
	wv_str_cat(out, "");
	wv_redactor_free(&redactor);
}

static bool
same(const struct wv_str *a, const struct wv_str *b)
{
	return a->n == b->n && memcmp(a->s, b->s, a->n) == 0;
}

/* At every place, and byte by byte. */
static size_t
count_differences(const char *id, const char *s, size_t n)
{
	struct wv_str whole = { 0 }, blocks = { 0 };
	size_t differ = 0;

	in_one(&whole, s, n);
	for (size_t split = 1; split <= n; split++) {
		in_blocks(&blocks, s, n, split, split == n ? 1 : n);
		if (split == n)
			in_blocks(&blocks, s, n, 1, 1);
		if (same(&whole, &blocks))
			continue;
		if (differ++ == 0)
			printf("# %s, cut at %zu: %s\n# whole: %s\n", id, split,
				blocks.s, whole.s);
	}
	wv_str_free(&whole);
	wv_str_free(&blocks);
	return differ;
}

static void
differs_nowhere(const char *s, size_t n, const char *what)
{
	ok(count_differences(what, s, n) == 0, "%s, however it is cut", what);
}

/* The corpus, without the rows that are JSON. */

static struct wv_str
text_of(const cJSON *row)
{
	struct wv_str text = { 0 };

	wv_json_each(part, wv_get(row, "text"))
		wv_str_add(&text, part->valuestring, (size_t)part->valueint);
	return text;
}

/* The same text from the stream and from the firewall. */
static bool
is_as_text(const char *id, const struct wv_str *text)
{
	struct wv_findings findings = { 0 };
	struct wv_str stream = { 0 }, whole = { 0 };

	in_one(&stream, text->s, text->n);
	wv_firewall_text(&whole, &arena, text->s, text->n, NULL, &findings);
	bool good = same(&stream, &whole);
	if (!good)
		printf("# %s: %s\n# -f text: %s\n", id, stream.s, whole.s);
	wv_str_free(&stream);
	wv_str_free(&whole);
	return good;
}

static void
test_corpus(const char *name)
{
	const char *top = getenv("top_srcdir");
	char *files[] = { wv_printf(&arena, "%s/t/data/firewall/%s.jsonl",
				  top ? top : ".", name),
		NULL };
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	struct wv_record rec;
	struct wv_lines in;
	size_t rows = 0, differ = 0, others = 0;

	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		struct wv_str text = text_of(rec.tree);
		const char *id = wv_get_string(rec.tree, "id");
		if (text.n > 0 && wv_get(rec.tree, "media") == NULL) {
			rows++;
			memset(wv_str_room(&text, WV_JSON_SLACK + 1), 0,
				WV_JSON_SLACK + 1);
			differ += count_differences(id, text.s, text.n) > 0;
			others += !is_as_text(id, &text);
		}
		wv_str_free(&text);
	}
	ok(wv_lines_close(&in) == 0 && rows > 100, "%zu %s", rows, name);
	ok(differ == 0, "%zu are not the same in blocks", differ);
	ok(others == 0, "%zu are not what -f text makes of them", others);
}

static void
test_places(void)
{
	static const char wide[] = "\xff\xfet\0o\0k\0e\0n\0=\0h\0u\0n\0t\0e\0r"
				   "\0002\0x\0y\0\n\0\x3d\xd8\0\xde";
	static const char *const texts[] = {
		"a\x1b[31mred\x1b]8;;http://x\x07link\x1b\\ \xe2\x80\x8bx\r\n",
		"a\x1b[" TOKEN " b\x1b[31m" TOKEN "\n\x1b" TOKEN
		"\xc2\x9b" TOKEN,
		"\x1b]0;title\xc2\x9cx\x1bP1;2|a\x1b\\b\x1b(Bc\r\rd\r",
		"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xef\xb8\x8f x"
		"\xe2\x80\x8dy \xf0\x9f\x91 \xff\xc3\xa9",
		"[REDACTED:x] [WITHHELD:y] [REDACTED\n:z]",
		"{\"password\":{\"is\":\"a-b\"}}\n[not "
		"json\n{\"a\":1.10}\n{\"b",
		"a\n{\"token\":\"[REDACTED:token]\"}\n[REDACTED:a]\n",
		"x password=\"hunter2-x\" y\nuser:\n  password: |\n    s3cr3t-x"
		"\n  port: 1\n",
		"x\n" BEGIN "MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7\n" END
		"y a.b@example.org z\n",
		"v: dG9rZW4gZ2xwYXQtNnlEazEydlV5TDBjT0ZQci1Fa2E= "
		"next=tim%252Er%2540example%252Ecom a\\u0040b.example.org",
		"\na,password\r\nb,\"hun\"\"t\ner\"\nc,[REDACTED:d]\ne,",
		"x ann=\n=2Eb@exam=\nple.org y {&quot;password&quot;: "
		"&quot;hunter2-x&quot;} &#97;nn&#64;example.org",
		"k: 0x61, 0x6e, 0x6e, 0x40, 0x65, 0x78,\n 0x61, 0x6d, 0x2e, "
		"0x6f, 0x72, 0x67 61 6e 6e 40 65 78 61 6d 2e 6f 72 67 z 12:34",
		"NAME  PASSWORD  AGE\nbob   hunter2   3d\nal    longer-than 4d",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		differs_nowhere(texts[i], strlen(texts[i]),
			wv_printf(&arena, "text %zu", i));
	differs_nowhere(wide, sizeof(wide) - 1, "UTF-16");
}

/* Text from pieces, at random, in blocks of random sizes. */

static uint32_t
next_random(void)
{
	static uint32_t x = 20260606;

	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

static void
test_random(void)
{
	static const char *const pieces[] = { "plain words ", "\n", "\r\n",
		"token=" TOKEN, BEGIN, "\n" END, "key = \"", "\"", "'",
		"\x1b[1m", "a@b.com", "password: ", "password=", "\\u0040",
		"%40", "%25", "Z2hwX1Fx", "MIIBVQIBADANBgkqhkiG9w0BAQEF",
		"Bearer ", "https://u:", "@h.org/", "\xe2\x80\x8b",
		"\xf0\x9f\x98\x80", "{\"a\":", "}", "[", "4111 1111 1111 1111",
		" ", "-----",
		"SGVsbG8gYS5iQGV4YW1wbGUub3JnIQ==", "68656c6c6f2061406262",
		"  ", "|", "[REDACTED:email]", "\xff", "-u ", "&#64;", "&quot;",
		"=2E", "=\n", "61 40 62 2e 63 6f 6d 6e ", "0x61,0x40, ",
		"DE89 3704 0044 " };
	size_t count = sizeof(pieces) / sizeof(pieces[0]), differ = 0;
	struct wv_str text = { 0 }, whole = { 0 }, blocks = { 0 };

	for (int i = 0; i < 20000; i++) {
		text.n = 0;
		for (uint32_t n = 1 + next_random() % 20; n > 0; n--)
			wv_str_cat(&text, pieces[next_random() % count]);
		size_t first = 1 + next_random() % text.n;
		size_t rest = 1 + next_random() % 40;
		in_one(&whole, text.s, text.n);
		in_blocks(&blocks, text.s, text.n, first, rest);
		if (same(&whole, &blocks))
			continue;
		if (differ++ < 3)
			printf("# %zu, %zu of: %s\n# got:  %s\n# want: %s\n",
				first, rest, text.s, blocks.s, whole.s);
	}
	ok(differ == 0, "random text in blocks: %zu are not the same", differ);
	wv_str_free(&text);
	wv_str_free(&whole);
	wv_str_free(&blocks);
}

/* Memory is bounded, whatever does not end. */

static bool
has(const struct wv_str *out, const char *s)
{
	return out->n > 0 && memmem(out->s, out->n, s, strlen(s)) != NULL;
}

static size_t
most_held(const char *start, const char *piece, const char *want)
{
	struct wv_redactor r = { 0 };
	struct wv_str out = { 0 }, block = { 0 };
	size_t most = 0;
	bool found = false;

	while (block.n < 64 << 10)
		wv_str_cat(&block, piece);
	wv_redactor_add(&r, &out, start, strlen(start), false);
	for (int i = 0; i < 80; i++) {
		wv_redactor_add(&r, &out, block.s, block.n, false);
		size_t held = r.raw.n + r.clean.n + r.text.n + r.units.n;
		most = held > most ? held : most;
		found = found || has(&out, want);
		out.n = 0;
	}
	wv_redactor_add(&r, &out, "\nlast words\n", 12, false);
	wv_redactor_add(&r, &out, "", 0, true);
	ok(found || has(&out, want), "what does not end is %s", want);
	wv_str_free(&out);
	wv_str_free(&block);
	wv_redactor_free(&r);
	return most;
}

static void
test_bounds(void)
{
	static const struct {
		const char *start, *piece, *want;
	} cases[] = {
		{ "v: ", "QUJDREVG", "[WITHHELD:long]" },
		{ "{\"a\":\"", "b ", "[WITHHELD:long]" },
		{ "\x1b]0;", "title", "" },
		{ BEGIN, "MIIBVQIBADANBgkqhkiG9w0BAQEF\n",
			"[REDACTED:private-key]" },
		{ "x", "aa", "[WITHHELD:long]" },
		{ "", "words of a long line ", "words of a long line" },
		{ "", "line\n", "line\nline" },
		{ "\xff\xfe", "a", "" },
		{ "a,password\n", "b,hunter2\n", "b,[REDACTED:password]" },
		{ "a,password\n", "hunter2", "[WITHHELD:long]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t held = most_held(
			cases[i].start, cases[i].piece, cases[i].want);
		ok(held <= 2 * WV_MOST_HELD + (256 << 10), "held: %zu", held);
	}
}

static void
test_long(void)
{
	struct wv_str raw = { 0 }, out = { 0 };

	wv_str_cat(&raw, "first a@b.com\nv: ");
	for (int i = 0; i < 400000; i++)
		wv_str_cat(&raw, "QUJDREVG");
	wv_str_cat(&raw, " more\nlast c@d.com\n");
	in_blocks(&out, raw.s, raw.n, 1000, 64 << 10);
	is(out.s,
		"first [REDACTED:email]\n[WITHHELD:long]\n"
		"last [REDACTED:email]\n",
		"what is withheld, and what follows it");
	wv_str_free(&raw);
	wv_str_free(&out);
}

/* A table longer than what tells that it is one. */
static void
test_table(void)
{
	struct wv_str raw = { 0 }, out = { 0 }, whole = { 0 };
	struct wv_findings findings = { 0 };

	wv_str_cat(&raw, "name,password,note\n");
	for (int i = 0; i < 20000; i++)
		wv_str_fmt(&raw, "n%d,\"hunter2\n%d\",\"\"\"x\"\"\"\n", i, i);
	memset(wv_str_room(&raw, WV_JSON_SLACK + 1), 0, WV_JSON_SLACK + 1);
	wv_firewall_text(&whole, &arena, raw.s, raw.n, NULL, &findings);
	ok(findings.total == 20000 && !has(&whole, "hunter2"), "all rows: %zu",
		findings.total);
	in_blocks(&out, raw.s, raw.n, 1000, 777);
	ok(same(&out, &whole), "the same in blocks");
	wv_str_free(&raw);
	wv_str_free(&out);
	wv_str_free(&whole);
}

int
main(void)
{
	test_places();
	test_corpus("positives");
	test_random();
	test_bounds();
	test_long();
	test_table();
	wv_arena_free(&arena);
	return done();
}
