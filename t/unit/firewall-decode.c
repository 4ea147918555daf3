/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded and known secrets, hidden text, wide characters. */
#include "tap.h"

#include "firewall/clean-plain.c"
#include "firewall/decode-masks.c"

#include "firewall/clean.h"
#include "firewall/find.h"
#include "firewall/firewall.h"
#include "firewall/known.h"
#include "firewall/scan-internal.h"

#include <stdlib.h>
#include <unistd.h>

/* In pieces, as no scanner of repositories should take it for a real one. */
#define TOKEN \
	"ghp_" \
	"Zq7Rt2Lm9" \
	"Xc4Vb8Nn1" \
	"Kj5Hg3Fd6Sa0" \
	"PoUyTr"

static struct wv_arena arena;

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz0123456789+/";

static char *
base64(const char *s, size_t n)
{
	struct wv_str out = { 0 };

	for (size_t i = 0; i < n; i += 3) {
		uint32_t group = 0;
		for (size_t k = 0; k < 3; k++)
			group = group << 8 |
				(i + k < n ? (unsigned char)s[i + k] : 0);
		for (int k = 0; k < 4; k++)
			wv_str_chr(&out,
				i + (size_t)k > n
					? '='
					: letters[group >> (18 - 6 * k) & 63]);
	}
	char *copy = wv_dupn(&arena, out.s, out.n);
	wv_str_free(&out);
	return copy;
}

static char *
base64_of(const char *s)
{
	return base64(s, strlen(s));
}

static char *
hex_of(const char *s, const char *format)
{
	struct wv_str out = { 0 };

	for (; *s; s++)
		wv_str_fmt(&out, format, (unsigned char)*s);
	char *copy = wv_dupn(&arena, out.s, out.n);
	wv_str_free(&out);
	return copy;
}

static char *
redacted(const char *s, size_t n, const struct wv_rules *rules)
{
	const struct wv_firewall_options options = { .rules = rules };
	char *raw = wv_alloc_zero(&arena, n + WV_JSON_SLACK + 1);
	struct wv_findings findings = { 0 };
	struct wv_str out = { 0 };

	memcpy(raw, s, n);
	wv_firewall_text(&out, &arena, raw, n, &options, &findings);
	char *copy = wv_dupn(&arena, out.s ? out.s : "", out.n);
	wv_str_free(&out);
	return copy;
}

static void
text_is(const char *s, const char *want, const char *what)
{
	is(redacted(s, strlen(s), NULL), want, "%s", what);
}

static void
test_base64(void)
{
	static const char *const before[] = { "", "a", "ab", "k: " };
	char *s;

	for (int i = 0; i < 4; i++) {
		s = wv_printf(&arena, "<%s>",
			base64_of(wv_printf(&arena, "%s%s", before[i], TOKEN)));
		text_is(s, "<[REDACTED:github-token]>", "base64");
	}
	/* glued to what is not part of it */
	for (int i = 1; i < 4; i++) {
		s = wv_printf(&arena, "v=%.*s%s\n", i, "xyz",
			base64_of("to a.b@example.org, now"));
		text_is(s, "v=[REDACTED:email]\n", "another alignment");
	}
	s = base64_of("token=" TOKEN);
	s[strcspn(s, "=")] = '\0';
	text_is(s, "[REDACTED:github-token]", "unpadded");
	text_is(base64_of(base64_of(TOKEN)), "[REDACTED:github-token]",
		"twice");
	text_is(base64_of(base64_of(base64_of(TOKEN))),
		"[REDACTED:github-token]", "three times");
	s = base64_of(base64_of(base64_of(base64_of(TOKEN))));
	text_is(s, s, "four times: not looked for");
	text_is(base64_of("{\"a\": {\"password\": \"x\"}}"),
		"[REDACTED:password]", "by the names in JSON");
	s = base64("\x89PNG\r\n\x1a\n\0\0\0\0\0a.b@example.org\0\0\xff\xfe\xfd"
		   "\xfc\xfb",
		35);
	text_is(s, "[REDACTED:email]", "text in binary data");
	s = base64_of("the quick brown fox jumps over the lazy dog");
	text_is(s, s, "words");
	s = base64_of("ann\xe2\x80\x8b@exam\xe2\x81\xa0ple.org is hidden");
	text_is(s, "[REDACTED:email]", "cleaned, too");
	s = base64("p\0a\0s\0s\0w\0o\0r\0d\0=\0h\0u\0n\0t\0e\0r\0002\0x\0", 34);
	text_is(s, "[REDACTED:password]", "UTF-16");
	text_is("[REDACTED:github-token] [REDACTED:digitalocean-token]",
		"[redacted:github-token] [redacted:digitalocean-token]",
		"marks");
}

static void
test_lines(void)
{
	char *code = base64_of("line one of some text, to be long enough\n"
			       "export T=" TOKEN "\nand some more of it, which "
			       "makes a third line of base64\n");
	struct wv_str plain = { 0 }, quoted = { 0 }, escaped = { 0 };
	char binary[57];

	memset(binary, 0xD5, sizeof(binary));
	for (size_t i = 0; i < strlen(code); i += 60) {
		wv_str_fmt(&plain, "%.60s\n", code + i);
		wv_str_fmt(&quoted, "> %.60s\n", code + i);
		wv_str_fmt(&escaped, "%.60s\\n", code + i);
	}
	text_is(plain.s, "[REDACTED:github-token]\n", "lines");
	text_is(quoted.s, "> [REDACTED:github-token]\n", "quoted lines");
	text_is(escaped.s, "[REDACTED:github-token]\\n", "escaped lines");
	plain.n = 0;
	wv_str_fmt(&plain, "%.76s\n", base64(binary, 57));
	wv_str_fmt(&plain, "%s\n", base64_of("x token " TOKEN " and more"));
	text_is(plain.s, "[REDACTED:github-token]\n", "behind binary lines");
	wv_str_free(&plain);
	wv_str_free(&quoted);
	wv_str_free(&escaped);
}

/* A list, which looks like a value that was broken into lines. */
static void
test_values(void)
{
	const char *key = "AIza"
			  "SyC3Zq7Rt2Lm9Xc4Vb8Nn1Kj5Hg3Fd6Sa0P";
	const char *code = base64_of(key), *hex = hex_of(key, "%02x");

	text_is(wv_printf(&arena, "%s\n%s\n%s\n", code, code, code),
		"[REDACTED:google-api-key]\n", "values, one a line");
	text_is(wv_printf(&arena, "%s\\n%s\\n", code, code),
		"[REDACTED:google-api-key]\\n", "as JSON has them");
	text_is(wv_printf(&arena, "%s\n%s\n", hex, hex),
		"[REDACTED:google-api-key]\n", "in hexadecimal");
}

static void
test_hex(void)
{
	text_is(hex_of(TOKEN, "%02x"), "[REDACTED:github-token]", "hex");
	text_is(hex_of(TOKEN, "%02X"), "[REDACTED:github-token]", "HEX");
	text_is(wv_printf(&arena, "0x%s;", hex_of("password=hex-Pw-1", "%02x")),
		"0x[REDACTED:password];", "0x");
	text_is(hex_of("Hello, world! Good bye.", "%02x"),
		hex_of("Hello, world! Good bye.", "%02x"), "words");
	text_is("da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"da39a3ee5e6b4b0d3255bfef95601890afd80709", "a digest");
	text_is(base64_of(hex_of("a.b@example.org", "%02x")),
		"[REDACTED:email]", "in base64");
}

static void
test_words(void)
{
	text_is("GET /s?q=dora%2Ek%40example%2Eorg&n=0 HTTP/1.1",
		"GET /s?q=[REDACTED:email]&n=0 HTTP/1.1", "percent");
	text_is("n=tim%252Er%2540example%252Ecom.", "n=[REDACTED:email].",
		"twice");
	text_is("u=https%3A%2F%2Fbob%3As3cr3t-Pw%40h.example.org%2Fx y",
		"u=https%3A%2F%2Fbob%3A[REDACTED:url-password]"
		"%40h.example.org%2Fx y",
		"only the password");
	text_is("100%25 of a%20b", "100%25 of a%20b", "nothing");
	text_is("secret=hunter2%d9", "secret=[REDACTED:secret]",
		"half a character at the end");
	text_is("to uni.code\\u0040example.com ok", "to [REDACTED:email] ok",
		"\\u");
	text_is("uni\\x2ecode\\u{40}example.com", "[REDACTED:email]",
		"\\x and \\u{}");
	text_is("\\Ufffffffe pass\\U00000077ord=hunter2",
		"\\Ufffffffe pass\\U00000077ord=[REDACTED:password]", "\\U");
	text_is(wv_printf(&arena, "b: %s", hex_of(TOKEN, "\\x%02x")),
		"b: [REDACTED:github-token]", "\\x");
	text_is(wv_printf(&arena, "b: '%s'", hex_of(TOKEN, "\\\\u%04x")),
		"b: '[REDACTED:github-token]'", "doubled backslashes");
	text_is("x \\ud83d\\ude00 y", "x \\ud83d\\ude00 y", "an emoji");
	text_is(wv_printf(
			&arena, "d=%s&n=1", hex_of(base64_of(TOKEN), "%%%02x")),
		"d=[REDACTED:github-token]&n=1", "base64 in percent");
}

/* What the vector code says is what the plain code says. */
static void
test_vectors(void)
{
	unsigned char s[200];
	unsigned seed = 1;
	int differ = 0;

	for (int i = 0; i < 20000; i++) {
		struct wv_code_masks a, b;
		size_t n = (size_t)i % sizeof(s);
		for (size_t k = 0; k < sizeof(s); k++) {
			seed = seed * 1103515245 + 12345;
			s[k] = (unsigned char)(i % 3 ? ' ' + (seed >> 16) % 95
						     : seed >> 16);
		}
		if (i % 3 == 1)
			s[seed % sizeof(s)] = (unsigned char)(seed >> 8);
		wv_code_masks_of((const char *)s, &a);
		masks_of(s, &b);
		differ += memcmp(&a, &b, sizeof(a)) != 0;
		differ += wv_plain_length((const char *)s, n) !=
			plain_words(s, n);
	}
	ok(differ == 0, "codes and plain bytes are the same everywhere");
}

static void
test_mail(void)
{
	text_is(wv_printf(&arena, "<b>%s</b>", hex_of(TOKEN, "&#x%02x;")),
		"<b>[REDACTED:github-token]</b>", "entities");
	text_is("to ann&#64;example&period;org &amp; co",
		"to [REDACTED:email] &amp; co", "decimal and named ones");
	text_is("{&quot;password&quot;: &quot;hunter2-x&quot;}",
		"{&quot;password&quot;: &quot;[REDACTED:password]&quot;}",
		"JSON in a page");
	text_is(base64_of(hex_of(TOKEN, "&amp;#x%02X;")),
		"[REDACTED:github-token]", "twice, in base64");
	text_is("a &lt; b &amp;&amp; c &#x1F600; &#xFFFFFFFF; &;",
		"a &lt; b &amp;&amp; c &#x1F600; &#xFFFFFFFF; &;", "nothing");
	text_is(wv_printf(&arena, "p: %s", hex_of(TOKEN, "=%02X")),
		"p: [REDACTED:github-token]", "quoted-printable");
	text_is("to ann=\n=2Eb@exam=\nple.org now", "to [REDACTED:email] now",
		"soft line breaks");
	text_is(wv_printf(&arena, "a=b&x=%s&c=d", hex_of(TOKEN, "=%02X")),
		"a=b&x=[REDACTED:github-token]&c=d", "beside other signs");
	text_is("f(a==b, c=1, to=3Dann=\n=2Eb@exam=\nple.org, d=40)",
		"f(a==b, c=1, to=3D[REDACTED:email], d=40)",
		"soft line breaks beside other signs");
	text_is("x=y&a=C3b&c=DEadbeef&d=40=&e=A9",
		"x=y&a=C3b&c=DEadbeef&d=40=&e=A9", "parameters");
	text_is("width=40px.example.com A=\nB=20 c=3d",
		"width=40px.example.com A=\nB=20 c=3d", "assignments");
}

static void
test_pairs(void)
{
	static const char *const formats[] = { "%02x ", "%02X:", "0x%02x,",
		"0x%02X, ", "0x%02x ", "%02x-", "%02x, " };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char *code = hex_of(TOKEN, formats[i]);
		size_t n = strlen(code);
		while (strchr(" ,:-", code[n - 1]) != NULL)
			code[--n] = '\0';
		text_is(wv_printf(&arena, "<%s>", code),
			"<[REDACTED:github-token]>", formats[i]);
	}
	size_t found = 0;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		for (int at = 1; at <= 70; at++) {
			const char *code = hex_of("q@xyz.de", formats[i]);
			const char *text =
				wv_printf(&arena, "%*s%s", at, "", code);
			found += strstr(redacted(text, strlen(text), NULL),
					 "[REDACTED:email]") != NULL;
		}
	ok(found == 7 * 70, "the fewest, wherever they begin");
	struct wv_str lines = { 0 };
	for (size_t i = 0; i < strlen(TOKEN); i++)
		wv_str_fmt(&lines, "0x%02x,%s", TOKEN[i],
			i % 12 == 11 ? "\n\t" : " ");
	text_is(wv_printf(&arena, "char k[] = { %s0 };", lines.s),
		"char k[] = { [REDACTED:github-token], 0 };", "over lines");
	wv_str_free(&lines);
	text_is(wv_printf(&arena, "00 7f %s00", hex_of(TOKEN, "%02x ")),
		"[REDACTED:github-token]", "between other bytes");
	text_is("43:51:43:61:75:7c:2b:37:0a:3a:a9:b1:0f:66:73:a8",
		"43:51:43:61:75:7c:2b:37:0a:3a:a9:b1:0f:66:73:a8",
		"a fingerprint");
	text_is("22 33 44 55 66 77 22 33 44 55",
		"22 33 44 55 66 77 22 33 44 55", "numbers");
}

static void
test_json(void)
{
	text_is(wv_printf(&arena, "{\"a\": [\"%s\", 1.10], \"b\": null}",
			base64_of(TOKEN)),
		"{\"a\":[\"[REDACTED:github-token]\",1.10],\"b\":null}",
		"in JSON");
	text_is("{\"q\":\"a%40b.example.org\"}", "{\"q\":\"[REDACTED:email]\"}",
		"percent in JSON");
}

/* JSON stays JSON of the same shape. */

static uint32_t
next_random(void)
{
	static uint32_t x = 20261130;

	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

static void
add_random_json(struct wv_str *out, int depth)
{
	static const char *const scalars[] = { "1.10", "null", "true",
		"4111111111111111", "1e400", "\"a.b@example.org\"",
		"\"" TOKEN "\"", "\"\\u202e\\u001b[1mx\"",
		"\"a%40b.example.org\"", "\"{\\\"token\\\":\\\"x-y-z\\\"}\"",
		"\"[1,\\\"\\\"]\"", "\"plain\"",
		"\"dG86IG1hcmsudHdhaW5AZXhhbXBsZS5vcmcK\"", "\"\\\"\\\\\"",
		"\"[REDACTED:x]\"", "\"\\u0000\"" };
	static const char *const names[] = { "a", "b.c@example.org", "token",
		"card", "\\u200bx", "", TOKEN, "n%40x.org" };
	uint32_t kind = depth == 0 ? 2 : next_random() % 4, n;

	if (kind >= 2) {
		wv_str_cat(out,
			scalars[next_random() %
				(sizeof(scalars) / sizeof(*scalars))]);
		return;
	}
	n = next_random() % 5;
	wv_str_cat(out, kind == 0 ? "[" : "{");
	for (uint32_t i = 0; i < n; i++) {
		wv_str_cat(out, i > 0 ? ", " : " ");
		/* Names differ before they are cleaned, at least. */
		if (kind == 1)
			wv_str_fmt(out, "\"%s%.*s\":",
				names[next_random() %
					(sizeof(names) / sizeof(*names))],
				(int)i, "-----");
		add_random_json(out, depth - 1);
	}
	wv_str_cat(out, kind == 0 ? "]" : "}");
}

/* What a name gives away goes whole. */
static bool
has_shape(const cJSON *a, const cJSON *b)
{
	if (wv_is_string(b) && strstr(b->valuestring, "[REDACTED:") != NULL)
		return true;
	if ((a->type & 0xff) != (b->type & 0xff) || wv_count(a) != wv_count(b))
		return false;
	const cJSON *y = b->child;
	wv_json_each(x, a) {
		if (!has_shape(x, y))
			return false;
		y = y->next;
	}
	return true;
}

static void
test_shapes(void)
{
	struct wv_str json = { 0 };
	size_t broken = 0;

	for (int i = 0; i < 5000; i++) {
		json.n = 0;
		add_random_json(&json, 6);
		memset(wv_str_room(&json, WV_JSON_SLACK), 0, WV_JSON_SLACK);
		char *out = redacted(json.s, json.n, NULL);
		size_t n = strlen(out);
		char *copy = wv_alloc_zero(&arena, n + WV_JSON_SLACK);
		memcpy(copy, out, n);
		const cJSON *a = wv_json_read(
			&arena, json.s, json.n, &wv_json_defaults, NULL);
		const cJSON *b =
			wv_json_read(&arena, copy, n, &wv_json_defaults, NULL);
		if (a == NULL || b == NULL || !has_shape(a, b)) {
			if (broken++ == 0)
				printf("# %s\n# %s\n", json.s, out);
		}
		if (i % 100 == 0)
			wv_arena_reset(&arena);
	}
	ok(broken == 0, "random JSON: %zu changed their shape", broken);
	wv_str_free(&json);
}

/* Known values */

static struct wv_rules *
rules_of(struct wv_known *known)
{
	struct wv_rules *rules = wv_rules_new(&arena);

	wv_rules_ready(rules);
	wv_known_ready(known);
	wv_rules_set_known(rules, known);
	return rules;
}

static void
known_is(const struct wv_rules *rules, const char *s, const char *want,
	const char *what)
{
	is(redacted(s, strlen(s), rules), want, "%s", what);
}

static void
test_known(void)
{
	static const char value[] = "tr\"ub/a dor+4";
	struct wv_known *known = wv_known_new();
	char *s;

	wv_known_add(known, value, strlen(value));
	wv_known_add(known, "short", 5);
	wv_known_add(known, "first line\nx\nsecond line\n", 24);
	struct wv_rules *rules = rules_of(known);
	known_is(rules, "a tr\"ub/a dor+4 b", "a [REDACTED:known-secret] b",
		"a known value");
	known_is(rules, "atr\"ub/a dor+4b short",
		"a[REDACTED:known-secret]b short", "within a word");
	known_is(rules, "tr\"ub/a dor+", "tr\"ub/a dor+", "a part is none");
	known_is(rules, "tr\\\"ub\\/a dor+4", "[REDACTED:known-secret]",
		"as in JSON");
	known_is(rules, "tr%22ub%2Fa%20dor%2B4", "[REDACTED:known-secret]",
		"percent");
	known_is(rules, "tr%22ub%2fa%20dor%2b4", "[REDACTED:known-secret]",
		"percent, lower case");
	known_is(rules, "tr%22ub%2Fa+dor%2B4", "[REDACTED:known-secret]",
		"of forms");
	known_is(rules, "tr%2522ub%252Fa%2520dor%252B4",
		"[REDACTED:known-secret]", "percent twice");
	known_is(
		rules, hex_of(value, "%02x"), "[REDACTED:known-secret]", "hex");
	known_is(
		rules, hex_of(value, "%02X"), "[REDACTED:known-secret]", "HEX");
	for (int before = 0; before < 6; before++)
		for (int behind = 0; behind < 3; behind++) {
			/* 0xFF: nothing would decode it by itself */
			s = base64_of(wv_printf(&arena, "%.*s%s%.*s", before,
				"\xff\xfe\xfd\xfc\xfb\xfa", value, behind,
				"\xff\xff"));
			s = redacted(s, strlen(s), rules);
			ok(strstr(s, "[REDACTED:known-secret]") != NULL &&
					strlen(s) < 23 + 12,
				"base64 behind %d bytes: %s", before, s);
		}
	s = base64_of(base64_of(value));
	s = redacted(s, strlen(s), rules);
	ok(strstr(s, "[REDACTED:known-secret]") != NULL, "base64 twice: %s", s);
	known_is(rules, "a first line\nx\nsecond line\n b",
		"a [REDACTED:known-secret]\n b", "several lines");
	known_is(rules, "a second line, first line",
		"a [REDACTED:known-secret], [REDACTED:known-secret]",
		"each of them");
	known_is(rules, "a\x1b[31mtr\"ub/a dor+4 \\nfirst line",
		"a[REDACTED:known-secret] \\n[REDACTED:known-secret]",
		"behind escape sequences");
	known_is(rules, "a\x1b[tr\"ub/a dor+4 \x1b[1;first line",
		"a[REDACTED:known-secret] [REDACTED:known-secret]",
		"behind one that eats its beginning");
	known_is(rules,
		"a\x1btr\"ub/a dor+4 \x1b(first line \xc2\x9b"
		"first line \x9b"
		"first line",
		"a[REDACTED:known-secret] [REDACTED:known-secret] "
		"[REDACTED:known-secret] [REDACTED:known-secret]",
		"whatever it is");
	known_is(rules, "{\"a\":\"\\n\\u001b[first line\"}",
		"{\"a\":\"\\n[REDACTED:known-secret]\"}", "and in JSON");
	known_is(rules, "{\"a\":\"tr\\\"ub/a dor+4\"}",
		"{\"a\":\"[REDACTED:known-secret]\"}", "in JSON");
	wv_known_free(known);
	wv_known_free(NULL);
}

static struct wv_str doubts;

static void
doubt(const struct wv_err *fault)
{
	wv_str_fmt(&doubts, "%zu: %.24s\n", fault->line, fault->text);
}

static int
read_known(
	struct wv_known *known, const char *text, size_t n, struct wv_err *err)
{
	char path[] = "/tmp/known-XXXXXX";
	int fd = mkstemp(path);

	ok(fd >= 0 && write(fd, text, n) == (ssize_t)n, "a file");
	close(fd);
	doubts.n = 0;
	int count = wv_known_add_file(known, path, doubt, err);
	unlink(path);
	return count;
}

static void
test_known_sources(void)
{
	static const char text[] =
		"\xEF\xBB\xBFplain-value-1\r\n# comment line\n\n"
		"export NAME=\"quoted-value-2\"\n"
		"OTHER=value-three\nZm9vYmFyYmF6cXV4=\n"
		"-----BEGIN PRIVATE KEY-----\nshort\nPIN_CODE=abc\n"
		"EMPTY_ONE=\nNO=abc\nOPEN='unclosed-value\n";
	struct wv_err err = WV_ERR_INIT;
	struct wv_known *known = wv_known_new();

	int count = read_known(known, text, strlen(text), &err);
	ok(count == 7, "values: %d, %s", count, err.text);
	is(doubts.s,
		"8: shorter than 8 bytes: it\n9: the value behind the nam\n"
		"11: shorter than 8 bytes: it\n12: a quote does not end in \n",
		"what is not looked for is told");
	ok(read_known(known, "v\0a\0l\0u\0e\0-\0X\0Y\0", 16, &err) == -1 &&
			strstr(err.text, "NUL") != NULL,
		"UTF-16: %s", err.text);
	wv_err_clear(&err);
	setenv("WV_TEST_D", "1234567", 1);
	ok(wv_known_add_env(known, "WV_TEST_D", &err) == -1 &&
			strstr(err.text, "shorter than 8 bytes") != NULL &&
			strstr(err.text, "1234567") == NULL,
		"a short one of the environment: %s", err.text);
	wv_err_clear(&err);
	setenv("WV_TEST_A", "environment-5", 1);
	setenv("WV_TEST_B", "env-6\nsix-line-two", 1);
	ok(wv_known_add_env(known, "WV_TEST_A, WV_TEST_B", &err) == 2,
		"two of the environment: %s", err.text);
	ok(wv_known_add_env(known, "WV_TEST_C", &err) == -1 &&
			strcmp(err.text,
				"WV_TEST_C is not in the environment") == 0,
		"one that is not there: %s", err.text);
	wv_err_clear(&err);
	ok(wv_known_add_file(known, "/nowhere/known", doubt, &err) == -1,
		"no file: %s", err.text);
	wv_str_free(&doubts);
	struct wv_rules *rules = rules_of(known);
	known_is(rules,
		"comment line plain-value-1 quoted-value-2 OTHER=value-three "
		"environment-5 six-line-two",
		"comment line [REDACTED:known-secret] [REDACTED:known-secret] "
		"OTHER=[REDACTED:known-secret] [REDACTED:known-secret] "
		"[REDACTED:known-secret]",
		"all of them");
	known_is(rules, "Zm9vYmFyYmF6cXV4= -----BEGIN PRIVATE KEY----- of it",
		"[REDACTED:known-secret] -----BEGIN PRIVATE KEY----- of it",
		"what looks like a name");
	wv_known_free(known);
}

/* Hidden text */

static void
show_is(const char *s, const char *want)
{
	struct wv_str out = { 0 };

	wv_show(&out, s, strlen(s));
	is(out.s, want, "shown");
	wv_str_free(&out);
}

static void
clean_is(const char *s, const char *want, const char *what)
{
	struct wv_str out = { 0 };
	struct wv_findings findings = { 0 };

	wv_clean(&out, s, strlen(s), &findings);
	is(out.s ? out.s : "", want, "%s", what);
	wv_str_free(&out);
}

static void
test_hidden(void)
{
	show_is("a\xe2\x80\xae"
		"b\x1b[2Jc\x1b]0;T\x07"
		"d\xff\r\ne",
		"a<U+202E>b<ESC[2J>c<ESC]0;T U+0007>d<0xFF>\ne");
	show_is("\xc2\x9b"
		"1m\xf3\xa0\x81\xa1 \xe2\x80\xa8x",
		"<CSI1m><U+E0061> <U+2028>\nx");
	clean_is("a\x9b"
		 "31mb",
		"ab", "CSI as one byte");
	clean_is("a\x9d"
		 "0;title\x07"
		 "b\x9d"
		 "0;t\x9c"
		 "c",
		"abc", "OSC as one byte");
	clean_is("caf\x9e is\nx", "caf\xef\xbf\xbd is\nx",
		"a letter of another set");
	clean_is("\x1b]0;\xe2\x9c\x93 done\x07"
		 "x",
		"x", "a byte of a character is no terminator");
	clean_is("\xe1\xa0\xa0\xe1\xa0\x8b"
		 "b\xe1\xa0\x8b",
		"\xe1\xa0\xa0\xe1\xa0\x8b"
		"b",
		"variants of Mongolian");
}

static void
test_map(void)
{
	static const char raw[] = "ab\x1b[1mcd\xe2\x80\x8b\r\nef\xffgh";
	struct wv_str out = { 0 };
	struct wv_clean_map map = { 0 }, none = { 0 };
	struct wv_findings findings = { 0 };
	size_t wrong = 0;

	wv_clean_mapped(&out, raw, strlen(raw), &findings, &map);
	for (size_t i = 0; i < out.n; i++)
		wrong += (unsigned char)out.s[i] < 0x80 &&
			raw[wv_clean_raw(&map, i)] != out.s[i];
	ok(wrong == 0 && map.count == 4, "places in the raw text: %zu",
		map.count);
	ok(wv_clean_raw(&none, 7) == 7, "nothing was removed");
	ok(wv_clean_raw(&map, 7) == 15 && wv_clean_raw(&map, 9) == 15,
		"what replaces a byte stands where that did: %zu",
		wv_clean_raw(&map, 9));
	wv_clean_map_free(&map);
	wv_str_free(&out);
}

static void
wide_is(const char *s, size_t n, const char *want, const char *what)
{
	is(redacted(s, n, NULL), want, "%s", what);
}

static void
test_wide(void)
{
	wide_is("\xff\xfeh\0i\0\n\0", 8, "hi\n", "UTF-16LE");
	wide_is("\xfe\xff\0h\0i\xd8\x3d\xde\0\0\n", 12, "hi\xf0\x9f\x98\x80\n",
		"UTF-16BE and an emoji");
	wide_is("h\0e\0l\0l\0o\0\n\0", 12, "hello\n", "without a mark");
	wide_is("\xff\xfe\0\0h\0\0\0i\0\0\0", 12, "hi", "UTF-32LE");
	wide_is("\0\0\xfe\xff\0\0\0h\0\0\0i", 12, "hi", "UTF-32BE");
	wide_is("\xff\xfe"
		"token=hunter2-xyz",
		19, "\xef\xbf\xbd\xef\xbf\xbdtoken=[REDACTED:token]",
		"a mark before bytes");
	wide_is("\xff\xfe\1\0\2\0\3\0\4\0\5\0\6\0\7\0\xe\0\xf\0\x10\0\x11\0"
		"\x12\0\x13\0\x14\0",
		30, "[WITHHELD:binary]\n", "no text");
}

/* Linear, whatever it is */

static size_t
steps_of(const char *piece, size_t n)
{
	size_t len = strlen(piece);
	char *text = malloc(n);
	struct wv_hits hits = { 0 };

	for (size_t i = 0; i < n; i++)
		text[i] = piece[i % len];
	wv_decode_steps = 0;
	wv_find_all(NULL, text, n, &hits);
	wv_hits_free(&hits);
	free(text);
	return wv_decode_steps;
}

static void
test_linear(void)
{
	const char *const pieces[] = { "A", "a", "Q", "7", "3", "%", "%41",
		"%2525", "\\", "\\u0041", "\\x41 ", "ISsrISsrISsr", "SUlJSUlJ",
		base64_of(base64_of(base64_of("some plain text! "))),
		"33333333g", "4141", base64_of("a@"), "QUFB", "UUVVUUVV", "&",
		"&#", "&#97;", "&amp;", "=", "=41", "=\n",
		"=3D: ", "a: ", "41 ", "41:42,", "0x41, ", "41\n        ",
		"4 1 ", "41 42 43 44 45 46 47 48 zz ",
		"0123456789abcdef0123456789abcdef0123456789abcdef\n",
		"SGVsbG8gd29ybGQhSGVsbG8gd29ybGQhSGVsbG8gd29ybGQh\n" };
	enum { SIZE = 1 << 18, MOST = 40 };

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		size_t once = steps_of(pieces[i], SIZE);
		size_t twice = steps_of(pieces[i], 2 * SIZE);
		ok(10 * twice <= 22 * once + 10000 && once <= MOST * SIZE,
			"%.20s: %zu steps, %zu for twice as much", pieces[i],
			once, twice);
	}
	size_t much = steps_of("A", 10 << 20);
	ok(much <= (size_t)MOST * (10 << 20), "10 MB of one letter: %zu", much);
}

int
main(void)
{
	test_base64();
	test_lines();
	test_values();
	test_hex();
	test_words();
	test_mail();
	test_vectors();
	test_pairs();
	test_json();
	test_shapes();
	test_known();
	test_known_sources();
	test_hidden();
	test_map();
	test_wide();
	test_linear();
	wv_arena_free(&arena);
	return done();
}
