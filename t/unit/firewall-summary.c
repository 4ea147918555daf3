/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries: what each of t/data/summary says is in SUMMARIES beside it, for a
 * reader to judge; and what holds for any content. */
#include "base/file.h"
#include "firewall/summarize.h"
#include "json/utf8.h"

#include "tap.h"

#include <stdlib.h>

enum { MOST = 500 }; /* characters of a summary */

static struct wv_arena arena = WV_ARENA_INIT;

/* The summary of n bytes; it and what it is about live until the next. */
static const char *
summary_of(const char *s, size_t n)
{
	static struct wv_str out;
	struct wv_findings findings = { 0 };
	struct wv_content content;
	char *raw = malloc(n + 1 + WV_JSON_SLACK);

	if (n > 0)
		memcpy(raw, s, n);
	memset(raw + n, 0, 1 + WV_JSON_SLACK);
	wv_arena_reset(&arena);
	wv_content_read(&content, &arena, raw, n, &findings);
	out.n = 0;
	wv_summary_steps = 0;
	wv_summarize(&out, &content);
	wv_str_free(&content.text);
	free(raw);
	return out.s;
}

static const char *
summary(const char *s)
{
	return summary_of(s, strlen(s));
}

static void
test_data(void)
{
	const char *top = getenv("top_srcdir");
	struct wv_arena files = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct wv_line line;
	size_t n;

	if (top == NULL)
		top = ".";
	const char *s = wv_file_read(&files,
		wv_printf(&files, "%s/t/data/summary/SUMMARIES", top), 1 << 20,
		&n, &err);
	if (!ok(s != NULL, "what is expected: %s", err.text))
		return;
	for (const char *end = s + n; wv_next_line(&s, end, &line);) {
		const char *colon = wv_find(&line, ": ");
		const char *name =
			wv_dupn(&files, line.s, (size_t)(colon - line.s));
		const char *want = wv_dupn(&files, colon + 2,
			line.n - (size_t)(colon + 2 - line.s));
		const char *raw = wv_file_read(&files,
			wv_printf(&files, "%s/t/data/summary/%s", top, name),
			1 << 20, &n, &err);
		if (ok(raw != NULL, "%s is there: %s", name, err.text))
			is(summary_of(raw, n), want, "%s", name);
		err = (struct wv_err)WV_ERR_INIT;
	}
	wv_arena_free(&files);
}

/* What was got wrong elsewhere. */
static void
test_traps(void)
{
	is(summary("\n\n\nOK\n\nerror: disk full\nerror: disk full\n"),
		"text, 7 lines, 41 bytes; first line: OK; 2 lines with "
		"errors, first: error: disk full; last line: error: disk full",
		"blank lines first, and more behind the first paragraph");
	is(summary("[true,false,true]"),
		"JSON array of 3 booleans: 2 true, 1 false",
		"booleans are no numbers");
	is(summary("[{\"a\":1},5]"),
		"JSON array of 2 items: 1 number 5, 1 object (a)",
		"a mixed list");
	is(summary("[{\"a\":1e308},{\"a\":-1E-400}]"),
		"JSON array of 2 objects: a: -1E-400 to 1e308",
		"numbers are told as they are");
	is(summary("[{\"s\":\"x\"},{\"s\":null}]"),
		"JSON array of 2 objects: s: \"x\", 1 null", "null is counted");
	is(summary("[]"), "JSON array of 0 items", "an empty list");
	is(summary("{}"), "JSON object of 0 members", "an empty object");
	is(summary("[[],[]]"), "JSON array of 2 arrays: arrays of 0 items",
		"empty lists in a list");
	is(summary("no output"), "text, 1 line, 9 bytes: no output",
		"a text that speaks of itself");
	is(summary("attempt 3 / order 7\nattempt 4 / order 9\n"),
		"text, 2 lines, 40 bytes; first line: attempt 3 / order 7; "
		"last line: attempt 4 / order 9",
		"lines that differ in digits are two lines of a text");
	is(summary("a,b\n1,\"x\ny\"\n2,z\n\n3,\n"),
		"CSV, 3 rows of 2 columns, 20 bytes: a: 1 to 3; b: \"x y\", "
		"\"z\", 1 empty",
		"a line end within quotes, an empty line, an empty cell");
	is(summary("id,n\n007,1\n008,2\n"),
		"CSV, 2 rows of 2 columns, 17 bytes: id: \"007\", \"008\"; "
		"n: 1 to 2",
		"leading zeros are no number's");
	is(summary("Dear all, this is it.\nYours, the one, who wrote it "
		   "all.\n"),
		"text, 2 lines, 56 bytes; \"Yours, the one, who wrote it "
		"all.\"",
		"prose with commas is no table");
	is(summary("build done: 0 errors, no warnings\nerrors: 0\n"),
		"text, 2 lines, 44 bytes; first line: build done: 0 errors, "
		"no warnings; last line: errors: 0",
		"no errors are none");
	is(summary("2026-01-02 00:00:00 1a東京東京\n"
		   "2026-01-02 00:00:01 22a東京東京\n"),
		"log, 2 lines, 71 bytes; 2026-01-02 00:00:00 to 2026-01-02 "
		"00:00:01; 1 different message; 2× #a東京東京",
		"letters of any script, whole");
	is(summary("def f(x):\n    y = 1\n    z = 2\n    a = 3\n"),
		"text, 4 lines, 40 bytes; first line: def f(x):; last line: a "
		"= 3",
		"a program is no list of names and values");
	is(summary("[a]\nx = 1\ny = 2\n; no\n[b c]\nz =\n  w = 3\n"),
		"names and values, 7 lines, 39 bytes; [a] x = 1; y = 2; "
		"[b c] w = 3",
		"sections");
	is(summary("        used  free\nRAM:     1Gi   2Gi\nSwap:   2Mi\n"),
		"table, 2 rows of 3 columns, 50 bytes: RAM: used 1Gi, free "
		"2Gi; Swap: used 2Mi",
		"rows with names, columns with names");
	is(summary("1: lo: up\n  inet a\n    deep\n\n2: eth\n  inet b\n"
		   "  inet c\n"),
		"text, 7 lines, 54 bytes; 1: lo: up: inet a; 2: eth: inet b, "
		"inet c",
		"an outline");
	is(summary("x y\nPlan: 1 to add, 2 to change.\n"),
		"text, 2 lines, 33 bytes; first line: x y; result: Plan: 1 to "
		"add, 2 to change.",
		"a line of counts is a result");
	is(summary("<p>a</p><div>gh<b></b>p x</div><p>b</p>"),
		"HTML, 1 line, 39 bytes; text: a gh p x b",
		"tags separate words");
}

/* A string of many. */
static char *
repeated(const char *head, const char *unit, size_t size)
{
	size_t at = strlen(head), n = strlen(unit);
	char *s = malloc(at + size + n + 1);

	memcpy(s, head, at);
	for (size_t i = 0; i < size; i++)
		s[at + i] = unit[i % n];
	s[at + size] = '\0';
	return s;
}

static bool
holds(const char *s)
{
	size_t n = strlen(s);
	bool one_line = n > 0;

	for (size_t i = 0; i < n; i++)
		one_line = one_line && (unsigned char)s[i] >= ' ';
	return one_line && wv_utf8_check(s, n) == n && wv_utf8_count(s) <= MOST;
}

/* Twice as much is at most 2.2 times as much work; a step a byte more for what
 * is looked for at the ends only. */
static void
test_linear(void)
{
	static const char *const cases[][2] = {
		{ "<p>", "<a \"" },
		{ "<html>", "<script>" },
		{ "<html>", "<!--" },
		{ "<html>", "<" },
		{ "<html>", "<title>" },
		{ "<html>", "&amp;" },
		{ "<html>", "<p hidden>" },
		{ "<?xml ", "<![CDATA[" },
		{ "<?xml ", "<a b='" },
		{ "", "no error " },
		{ "", "0 failed " },
		{ "", "error: x\n" },
		{ "", "errorerror" },
		{ "", "\n" },
		{ "", "----\n" },
		{ "", "7" },
		{ "", "A" },
		{ "a,b\n1,2\n", "\"\"\"x,1\n" },
		{ "a,b\n1,2\n", "\"" },
		{ "a,b\n1,2\n", "1,2,3,4," },
		{ "a,b\n1,2\n", "-0.00000001e9,x\n" },
		{ "a\tb\n1\t2\n", "\t" },
		{ "A  B\n1  2\n", "x  y\n" },
		{ "2026-01-01T00:00:00Z ERROR x\n2026-01-01T00:00:00Z y ",
			"\"a'b" },
		{ "", "2026-01-01T00:00:00Z INFO a1b2 c\n" },
		{ "Traceback (most recent call last):\n",
			"  File \"a\", line 1, in f\n" },
		{ "x Error\n", "\tat a.b(c.java:1)\n" },
		{ "--- a\n+++ b\n@@ -1 +1 @@\n", "@@ -1,9 +1,9 @@\n-x\n+y\n" },
		{ "# a\n\n## b\n", "# [a](b)\n" },
		{ "a: 1\nb: 2\n", "c:\n  d: 3\n" },
		{ "", "a/b.c:1:2: error: x\n" },
		{ "", "1 a, 2 b\n" },
		{ "[a]\nb=1\n", "c = d\n" },
		{ "", "Long name: x\n" },
		{ "a b\n", "  c d\ne f\n" },
		{ "  a  b\nx  1  2\n", "y  3  4\n" },
		{ "a:\n", "  b: 1\n" },
	};
	enum { SIZE = 1000000 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *once = repeated(cases[i][0], cases[i][1], SIZE);
		char *twice = repeated(cases[i][0], cases[i][1], 2 * SIZE);
		bool good = holds(summary(once));
		size_t steps = wv_summary_steps;
		good = good && holds(summary(twice));
		ok(good && wv_summary_steps * 10 <= steps * 22 + 10 * SIZE,
			"%.20s%.20s: %zu steps, %zu for twice as much",
			cases[i][0], cases[i][1][0] == '\n' ? "" : cases[i][1],
			steps, wv_summary_steps);
		free(once);
		free(twice);
	}
}

/* Whatever it is about, and the same each time. */
static void
test_any(void)
{
	static const char *const pieces[] = { "{", "}", "[", "]", "\"", ":",
		",", "<p>", "</p>", "\n", "\t", "  ", "é", "東京", "1",
		"-2.5e3", "true", "null", "error", "[REDACTED:email]",
		"2026-01-01", "T10:00:00Z ", "INFO ", "a", "word ", ". ",
		"diff ", "@@ -1 ", "+++ ", "--- ", "# ", "- ", "key: ", "\x80",
		"\xff", "|", ";", "\"\"", "<script>", "&amp;", "at a (b:1:2)",
		"\x1b[0m" };
	enum { COUNT = sizeof(pieces) / sizeof(*pieces), TRIES = 3000 };
	uint32_t random = 1;
	bool good = true, same = true;
	struct wv_str s = { 0 };

	for (int i = 0; i < TRIES; i++) {
		size_t count = (size_t)(i % 300);
		s.n = 0;
		for (size_t k = 0; k < count; k++) {
			random = random * 1664525 + 1013904223;
			wv_str_cat(&s, pieces[(random >> 16) % COUNT]);
		}
		char *first = strdup(summary_of(s.s ? s.s : "", s.n));
		good = good && holds(first);
		same = same &&
			strcmp(first, summary_of(s.s ? s.s : "", s.n)) == 0;
		free(first);
	}
	wv_str_free(&s);
	ok(good, "one line of at most 500 valid characters");
	ok(same, "the same each time");
}

static void
test_binary(void)
{
	static const char *const magics[] = { "\x89PNG\r\n\x1a\n",
		"\xff\xd8\xff", "%PDF-1.7\n", "PK\x03\x04", "\x1f\x8b\x08",
		"\x7f"
		"ELF\2",
		"MZ\x90\x01", "ID3\x03", "SQLite format 3",
		"\x28\xb5\x2f\xfd" };
	char raw[4096];
	bool clean = true, named = true;
	uint32_t random = 7;

	for (size_t m = 0; m < sizeof(magics) / sizeof(*magics); m++) {
		for (size_t i = 0; i < sizeof(raw); i++) {
			random = random * 1664525 + 1013904223;
			raw[i] = (char)(random >> 24);
		}
		memset(raw, 0, 32);
		memcpy(raw, magics[m], strlen(magics[m]));
		const char *s = summary_of(raw, sizeof(raw));
		named = named && strstr(s, "binary data, ") == s &&
			!strstr(s, "octet-stream");
		for (size_t i = 0; i + 32 <= sizeof(raw); i++)
			clean = clean && !memmem(s, strlen(s), raw + i, 32);
	}
	ok(clean, "no bytes of binary data are in a summary");
	ok(named, "its type is");
	memset(raw, 0x81, sizeof(raw));
	is(summary_of(raw, sizeof(raw)),
		"binary data, application/octet-stream, 4096 bytes",
		"unless it is unknown");
}

static void
rows_are(const char *s, size_t max, const char *want)
{
	struct wv_content content = { .kind = WV_CONTENT_TEXT,
		.size = strlen(s) };
	struct wv_str json = { 0 };

	wv_str_cat(&content.text, s);
	const cJSON *rows = wv_content_rows(&arena, &content, max);
	if (rows != NULL)
		wv_json_write(&json, rows);
	is(json.s, want, "rows of %.12s", s);
	wv_str_free(&content.text);
	wv_str_free(&json);
}

static void
test_rows(void)
{
	rows_are("id,name\n1,\"a, \"\"b\"\"\"\n007,\n", 9,
		"{\"rows\":["
		"{\"id\":\"1\",\"name\":\"a, \\\"b\\\"\"},"
		"{\"id\":\"007\",\"name\":\"\"}],\"row_count\":2}");
	rows_are("a\tb\n1\t2\n3\t4\n", 1,
		"{\"rows\":[{\"a\":\"1\",\"b\":"
		"\"2\"}],\"row_count\":2}");
	rows_are("1,1\n2,3\n", 1,
		"{\"rows\":[{"
		"\"column 1\":\"1\",\"column 2\":\"1\"}],\"row_count\":2}");
	rows_are("NAME   AGE\npod a  3d\n", 5,
		"{\"rows\":[{\"NAME\":\"pod a\","
		"\"AGE\":\"3d\"}],\"row_count\":1}");
	rows_are("just a line\nand another\n", 5, NULL);
	rows_are("", 5, NULL);
}

/* The structured data of a Frame under mode table. */
static void
table_is(const char *s, size_t max_rows, const char *want)
{
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	struct wv_findings findings = { 0 };
	struct wv_str raw = { 0 }, json = { 0 };

	wv_str_cat(&raw, s);
	memset(wv_str_room(&raw, 1 + WV_JSON_SLACK), 0, 1 + WV_JSON_SLACK);
	options.mode = WV_MODE_TABLE;
	options.max_rows = max_rows;
	options.max_fields = 2;
	const cJSON *frame = wv_firewall_frame(&arena,
		&(struct wv_firewall_input){ .raw = raw.s, .len = raw.n },
		&options, &findings);
	wv_json_write(&json, wv_get(frame, "structured_data"));
	is(json.s, want, "table of %.12s", s);
	wv_str_free(&raw);
	wv_str_free(&json);
}

static void
test_table(void)
{
	table_is("id,mail,n\n1,ann@b.example,2\n3,,4\n5,x,6\n", 2,
		"{\"rows\":[{\"id\":\"1\",\"mail\":\"[REDACTED:email]\"},"
		"{\"id\":\"3\",\"mail\":\"\"}],\"row_count\":3}");
	table_is("NAME   AGE\npod a  3d\n", 9,
		"{\"rows\":[{\"NAME\":\"pod a\",\"AGE\":\"3d\"}],"
		"\"row_count\":1}");
	table_is("[{\"a\":1}]", 9, "{\"rows\":[{\"a\":1}],\"row_count\":1}");
	table_is(
		"no table\n", 9, "{\"lines\":[\"no table\"],\"line_count\":1}");
}

/* What is not all the output says so. */
static void
test_beginning(void)
{
	struct wv_content content = {
		.kind = WV_CONTENT_TEXT, .size = (size_t)1 << 30, .seen = 24
	};
	struct wv_str out = { 0 };

	wv_str_cat(&content.text, "a,b\n1,x\n2,y\n3,z\n");
	wv_summarize(&out, &content);
	is(out.s,
		"CSV, 1073741824 bytes, of which the first 24 were looked at; "
		"3 rows of 2 columns: a: 1 to 3; b: \"x\", \"y\", \"z\"",
		"the beginning of a table");
	wv_str_free(&out);
	wv_str_free(&content.text);
}

/* More values than are told apart. */
static void
test_bounds(void)
{
	struct wv_str s = { 0 };

	wv_str_cat(&s, "id,x\n");
	for (int i = 0; i < 1000; i++)
		wv_str_fmt(&s, "v%d,%d\n", i, i);
	is(summary(s.s),
		"CSV, 1000 rows of 2 columns, 8785 bytes: id: more than 256 "
		"different, first \"v0\"; x: 0 to 999",
		"how many different values are told");
	s.n = 0;
	wv_str_cat(&s, "[{");
	for (int i = 0; i < 100; i++)
		wv_str_fmt(&s, "%s\"k%d\":%d", i ? "," : "", i, i);
	wv_str_cat(&s, "}]");
	ok(strstr(summary(s.s), "more than 64 names; k0: 0; k1: 1; ") &&
			strstr(summary(s.s), " more columns"),
		"how many columns are: %s", summary(s.s));
	/* a tag that is too long to be one ends between letters */
	for (int i = 0; i < 2; i++) {
		s.n = 0;
		wv_str_cat(&s,
			i == 0 ? "<p>\n</p><div>\n<b a=\""
			       : "<p>\n</p><div>\n<b aa=\"");
		while (s.n < 5000)
			wv_str_cat(&s, "é");
		wv_str_cat(&s, " text</p><div>a</div>");
		ok(holds(summary(s.s)), "a long tag: %s", summary(s.s));
	}
	wv_str_free(&s);
}

int
main(void)
{
	test_data();
	test_traps();
	test_any();
	test_binary();
	test_rows();
	test_table();
	test_beginning();
	test_bounds();
	test_linear();
	wv_arena_free(&arena);
	return done();
}
