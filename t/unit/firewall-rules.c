/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules from files: what they find and let through, what they are refused
 * for, what the lint says, and that scanning stays linear whatever they are.
 */
#include "tap.h"

#include "base/file.h"
#include "firewall/rules-internal.h"
#include "json/json.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct wv_arena arena = WV_ARENA_INIT;
static char folder[] = "/tmp/rules.XXXXXX";
static struct wv_str told; /* by the lint, a line a fault */

static const char *
put(const char *name, const char *text, size_t n)
{
	char *path = wv_printf(&arena, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	if (f == NULL || fwrite(text, 1, n, f) != n || fclose(f) != 0)
		abort();
	return path;
}

static struct wv_rules *
load(const char *text, struct wv_err *err)
{
	struct wv_rules *rules =
		wv_rules_load(put("r.yaml", text, strlen(text)), err);

	if (rules != NULL)
		wv_rules_ready(rules);
	return rules;
}

/* text with marks instead of what is found. */
static const char *
redacted(const struct wv_rules *rules, const char *text)
{
	size_t n = strlen(text), from = 0;
	struct wv_str out = { 0 };
	struct wv_hit hit;

	wv_str_cat(&out, "");
	for (; wv_scan(rules, text, n, from, &hit); from = hit.end) {
		wv_str_add(&out, text + from, hit.start - from);
		wv_str_fmt(&out, "[REDACTED:%s]", hit.kind);
	}
	wv_str_add(&out, text + from, n - from);
	char *copy = wv_dupn(&arena, out.s, out.n);
	wv_str_free(&out);
	return copy;
}

static const struct {
	const char *rules, *text, *want;
} finds[] = {
	/* An anchor is not enough, and a pattern begins at its anchor. */
	{ "add: [{kind: acme, anchor: acm_, pattern: 'acm_[0-9]{4}'}]",
		"acm_1234 acm_12 xacm_5678",
		"[REDACTED:acme] acm_12 "
		"x[REDACTED:acme]" },
	{ "add: [{kind: acme, anchor: acm_, pattern: '\\bacm_[0-9]{4}\\b'}]",
		"acm_1234 xacm_5678 acm_12345",
		"[REDACTED:acme] xacm_5678 "
		"acm_12345" },
	{ "add: [{kind: acme, anchor: acm_, pattern: '.acm_'}]", "xacm_ acm_",
		"xacm_ acm_" },
	{ "add: [{kind: acme, anchor: acm, pattern: '(?=acm)'}]", "acm",
		"acm" },
	{ "add: [{kind: acme, anchor: acm_, pattern: '^acm_'}]", "acm_ acm_",
		"[REDACTED:acme] acm_" },
	{ "add: [{kind: acme, anchor: acm_, pattern: 'acm_$'}]", "acm_ acm_",
		"acm_ [REDACTED:acme]" },
	{ "add: [{kind: acme, anchor: 'née ', pattern: 'née \\p{Lu}\\S*'}]",
		"née Émilie, née", "[REDACTED:acme] née" },
	/* The longest of those that begin there; then the first in the file. */
	{ "add: [{kind: long, anchor: abcd, pattern: 'abcd.'},"
	  "{kind: short, anchor: abc, pattern: 'abc'},"
	  "{kind: same, anchor: abc, pattern: 'abcd.'}]",
		"abcde abc abx", "[REDACTED:long] [REDACTED:short] abx" },
	{ "add: [{kind: b, anchor: abcx, pattern: 'abcx'},"
	  "{kind: a, anchor: abca, pattern: 'abca'},"
	  "{kind: c, anchor: 'abc\xc3\xa9', pattern: '.*'}]",
		"abcx abca abcb abc\xc3\xa9",
		"[REDACTED:b] [REDACTED:a] abcb "
		"[REDACTED:c]" },
	/* What is built in is there too, and more of its kinds. */
	{ "add: [{kind: github-token, anchor: 'gh!', pattern: 'gh![a-z]+'}]",
		"gh!abc mail a.b@example.org",
		"[REDACTED:github-token] mail "
		"[REDACTED:email]" },
	{ "disable: [email]", "a.b@example.org", "a.b@example.org" },
	{ "enable: [ip-address]", "from 203.0.113.77 on",
		"from [REDACTED:ip-address] on" },
	{ "disable: [acme]\n"
	  "add: [{kind: acme, anchor: acm_, pattern: 'acm_'},"
	  "{kind: acme-2, anchor: acm_, pattern: 'acm'}]",
		"acm_", "[REDACTED:acme-2]_" },
	/* Marks are marks. */
	{ "add: [{kind: acme, anchor: acme, pattern: 'acme.*'}]",
		"[REDACTED:acme] x", "[REDACTED:acme] x" },
	{ "add: [{kind: acme, anchor: '[RED', pattern: '.*'}]",
		"[REDACTED:acme] x", "[REDACTED:acme] x" },
	/* Let through: the whole value, of its kind. */
	{ "allow: [{value: a.b@example.org}]",
		"a.b@example.org aa.b@example.org",
		"a.b@example.org [REDACTED:email]" },
	{ "allow: [{value: a.b@example.org, kind: phone}]", "a.b@example.org",
		"[REDACTED:email]" },
	{ "allow: [{pattern: 'a|[a-z]+@example\\.org', kind: email}]",
		"x@example.org x1@example.org",
		"x@example.org [REDACTED:email]" },
	{ "allow: [{value: acm_1}, {value: acm_2}, {value: acm_2, kind: acme},"
	  "{value: acm_0}]\n"
	  "add: [{kind: acme, anchor: acm_, pattern: 'acm_[0-9]'}]",
		"acm_0 acm_1 acm_2 acm_3",
		"acm_0 acm_1 acm_2 "
		"[REDACTED:acme]" },
	/* Names, word by word, however they are put together. */
	{ "names: [{name: deploy phrase, kind: acme}, {name: pin, kind: pin}]",
		"deployPhrase=abcdefg1 my_deploy_phrase: abcdefg2 "
		"redeploy-phrase=abcdefg3 PIN=abcdefg4 spin=abcdefg5",
		"deployPhrase=[REDACTED:acme] my_deploy_phrase: "
		"[REDACTED:acme] redeploy-phrase=abcdefg3 "
		"PIN=[REDACTED:pin] spin=abcdefg5" },
};

static void
test_finds(void)
{
	for (size_t i = 0; i < sizeof finds / sizeof finds[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		const char *text =
			wv_printf(&arena, "version: 1\n%s\n", finds[i].rules);
		struct wv_rules *rules = load(text, &err);

		is(rules ? redacted(rules, finds[i].text) : err.text,
			finds[i].want, "finds %zu", i);
		wv_rules_free(rules);
	}
}

static const struct {
	const char *rules, *want;
} faults[] = {
	{ "version: 2", "1:10: /version: must be 1" },
	{ "{}", "1:1: needs version" },
	{ "version: 1\nad: []",
		"2:5: /ad: unknown member \"ad\" (did you mean \"add\"?)" },
	{ "version: 1\ndisable: [github-tokn]",
		"2:11: /disable/0: no such kind \"github-tokn\" (did you mean "
		"\"github-token\"?)" },
	{ "version: 1\nenable: [quite-unknown]",
		"2:10: /enable/0: no such kind \"quite-unknown\"" },
	{ "version: 1\nenable: [email]\ndisable: [phone, email]",
		"2:10: /enable/0: \"email\" is disabled too" },
	{ "version: 1\nallow: [{value: x, kind: emial}]",
		"2:26: /allow/0/kind: no such kind \"emial\" (did you mean "
		"\"email\"?)" },
	{ "version: 1\nallow: [{value: x}, {pattern: '['}]",
		"2:31: /allow/1/pattern: not a regular expression: no ] for a "
		"[ "
		"at character 2" },
	{ "version: 1\nallow: [{pattern: 'a)|(b'}]",
		"2:19: /allow/0/pattern: not a regular expression: unmatched "
		"bracket at character 2" },
	{ "version: 1\nadd: [{kind: a, anchor: ab, pattern: x}]",
		"2:25: /add/0/anchor: has 2 bytes: must have 3 to 64" },
	{ "version: 1\nadd: [{kind: a, anchor: '"
	  "0123456789012345678901234567890123456789012345678901234567890123x',"
	  " pattern: x}]",
		"2:25: /add/0/anchor: has 65 bytes: must have 3 to 64" },
	{ "version: 1\nadd: [{kind: a, anchor: abc, pattern: 'abc(?>x)'}]",
		"2:39: /add/0/pattern: not a regular expression: unknown "
		"kind of group at character 5" },
	{ "version: 1\nadd: [{kind: A_b, anchor: abc, pattern: x}]",
		"2:14: /add/0/kind: must match the pattern "
		"^(?!injection-)[a-z][a-z0-9]*(-[a-z0-9]+)*$" },
	{ "version: 1\nnames: [{name: Deploy key, kind: acme}]",
		"2:16: /names/0/name: must match the pattern "
		"^[a-z0-9]+( [a-z0-9]+){0,3}$" },
};

static const char *
place(const struct wv_err *err)
{
	return wv_printf(
		&arena, "%zu:%zu: %s", err->line, err->column, err->text);
}

static void
test_faults(void)
{
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		struct wv_rules *rules = load(faults[i].rules, &err);

		is(rules ? "is read" : place(&err), faults[i].want,
			"is refused: %zu", i);
		wv_rules_free(rules);
	}
	struct wv_err err = WV_ERR_INIT;
	ok(wv_rules_load("/nowhere/r.yaml", &err) == NULL && err.text[0],
		"no file is a fault");
}

static void
hear(const struct wv_err *fault)
{
	wv_str_fmt(&told, "%s\n", place(fault));
}

static const struct {
	const char *rules, *want;
} lints[] = {
	{ "add: [{kind: a, anchor: acm_, pattern: 'acm_[0-9]{4}', "
	  "examples: [acm_1234], not: [acm_12]}]",
		"" },
	{ "add: [{kind: a, anchor: acm_, pattern: 'acm_[0-9]{4}'}]",
		"2:7: /add/0: has no examples\n" },
	{ "add: [{kind: a, anchor: acm_, pattern: 'acm_[0-9]{4}', "
	  "examples: [acm_12, ghp_0123456789abcdefghijABCDEFGHIJ012345], "
	  "not: [x acm_1234]}]",
		"2:67: /add/0/examples/0: is not found\n"
		"2:75: /add/0/examples/1: is found as github-token\n"
		"2:124: /add/0/not/0: is found\n" },
	{ "add: [{kind: a, anchor: key, pattern: 'key-[0-9]+', "
	  "examples: [key-1]}]",
		"2:25: /add/0/anchor: is a part of ordinary text: each time "
		"the pattern is tried\n" },
	{ "add: [{kind: a, anchor: '\": \"', pattern: '\": \"k-[0-9]+', "
	  "examples: ['\": \"k-1']}]",
		"2:25: /add/0/anchor: is a part of ordinary text: each time "
		"the pattern is tried\n" },
	{ "add: [{kind: a, anchor: \"ac\\x1bm\", pattern: '.*'}]",
		"2:25: /add/0/anchor: never stands in text that is clean\n"
		"2:7: /add/0: has no examples\n" },
	{ "add: [{kind: a, anchor: acm_, pattern: 'key_[0-9]+'}]",
		"2:40: /add/0/pattern: never matches: nothing that it matches "
		"begins with the anchor\n"
		"2:7: /add/0: has no examples\n" },
	{ "add: [{kind: a, anchor: acm_, pattern: '^acm_[0-9]+', "
	  "examples: [acm_1]}]",
		"2:40: /add/0/pattern: matches only where a text begins, "
		"because of ^\n" },
	{ "add: [{kind: a, anchor: acm_, pattern: 'acm_[0-9]+', "
	  "examples: [acm_1]}]\ndisable: [a]",
		"2:14: /add/0/kind: \"a\" is disabled\n" },
	{ "add: [{kind: ip-address, anchor: ip-x, pattern: 'ip-x[0-9]+', "
	  "examples: [ip-x1]}]",
		"2:14: /add/0/kind: \"ip-address\" is off unless it is "
		"enabled\n" },
	{ "allow: [{pattern: '.*'}]",
		"2:19: /allow/0/pattern: lets nearly everything through\n" },
	{ "allow: [{pattern: '[^ ]+', kind: email}]",
		"2:19: /allow/0/pattern: lets nearly everything through: to "
		"disable email says so\n" },
	{ "allow: [{pattern: '.*@example\\.org'}, {value: x}]", "" },
	{ "names: [{name: db password, kind: a}, {name: id, kind: a}, "
	  "{name: deploy phrase, kind: password}]",
		"2:16: /names/0/name: is a name of password without this rule\n"
		"2:46: /names/1/name: is a name in ordinary text\n" },
};

static void
test_lints(void)
{
	for (size_t i = 0; i < sizeof lints / sizeof lints[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		const char *text =
			wv_printf(&arena, "version: 1\n%s\n", lints[i].rules);
		struct wv_rules *rules = load(text, &err);
		size_t count = 0;

		told.n = 0;
		wv_str_cat(&told, "");
		if (rules != NULL)
			count = wv_rules_lint(rules, hear);
		is(rules ? told.s : err.text, lints[i].want, "lint %zu", i);
		for (const char *s = told.s; *s != '\0'; s++)
			count -= *s == '\n';
		ok(count == 0, "and counts");
		wv_rules_free(rules);
	}
}

/* Rules of a form, as JSON: %1$zu is the number of each. */
static struct wv_rules *
many(size_t count, const char *list, const char *form, struct wv_err *err)
{
	struct wv_str json = { 0 };

	wv_str_fmt(&json, "{\"version\":1,\"%s\":[", list);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			wv_str_chr(&json, ',');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		wv_str_fmt(&json, form, i);
#pragma GCC diagnostic pop
	}
	wv_str_cat(&json, "]}");
	struct wv_rules *rules =
		wv_rules_load(put("r.json", json.s, json.n), err);
	wv_str_free(&json);
	if (rules != NULL)
		wv_rules_ready(rules);
	return rules;
}

static void
test_limits(void)
{
	static const struct {
		size_t count;
		const char *list, *form, *want;
	} limits[] = {
		{ 16, "add",
			"{\"kind\":\"a\",\"anchor\":\"acm_\",\"pattern\":"
			"\"acm_%zu\"}",
			NULL },
		{ 17, "add",
			"{\"kind\":\"a\",\"anchor\":\"acm_\",\"pattern\":"
			"\"acm_%zu\"}",
			"/add/16/anchor: more than 16 rules have this anchor: "
			"make one of several, or choose longer ones" },
		{ 100, "allow", "{\"pattern\":\"a%zu\"}", NULL },
		{ 101, "allow", "{\"pattern\":\"a%zu\"}",
			"/allow/100/pattern: more than 100 patterns: give "
			"values instead" },
		{ 10000, "allow", "{\"value\":\"a%zu\"}", NULL },
		{ 10001, "allow", "{\"value\":\"a%zu\"}",
			"/allow: must have at most 10000 items" },
		{ 10001, "add",
			"{\"kind\":\"a\",\"anchor\":\"a%05zu\","
			"\"pattern\":\"a\"}",
			"/add: must have at most 10000 items" },
		{ 101, "names", "{\"name\":\"x%zu\",\"kind\":\"a\"}",
			"/names: must have at most 100 items" },
	};

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		struct wv_err err = WV_ERR_INIT;
		struct wv_rules *rules = many(
			limits[i].count, limits[i].list, limits[i].form, &err);

		is(rules ? NULL : err.text, limits[i].want, "%zu of %s",
			limits[i].count, limits[i].list);
		wv_rules_free(rules);
	}
}

/* What patterns cost in a text that is made of a part, and that it is found
 * whenever nobody can say. */
static size_t
cost(const char *text, const char *part, size_t bytes, size_t *found)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = load(text, &err);
	struct wv_str s = { 0 };
	struct wv_hit hit;

	if (rules == NULL) {
		printf("# %s\n", err.text);
		return 0;
	}
	while (s.n < bytes)
		wv_str_cat(&s, part);
	*found = 0;
	for (size_t from = 0; wv_scan(rules, s.s, s.n, from, &hit);
		from = hit.end)
		*found += hit.end - hit.start;
	size_t spent = wv_rules_file(rules)->purse.spent;
	wv_str_free(&s);
	wv_rules_free(rules);
	return spent;
}

/* The same for 2n as for n twice, apart from what a purse has at first. */
static void
test_hostile(void)
{
	static const struct {
		const char *rules, *part;
		bool found;
	} cases[] = {
		{ "{kind: a, anchor: aaa, pattern: '(a+)+b'}", "a", true },
		{ "{kind: a, anchor: aaa, pattern: '(a|a)*?b'}", "a", true },
		{ "{kind: a, anchor: aaa, pattern: 'a.*b'}", "a", true },
		{ "{kind: a, anchor: aaa, pattern: 'a+'}", "a", true },
		{ "{kind: a, anchor: key, pattern: 'key(.*)*x'}", "key ",
			true },
		{ "{kind: a, anchor: key, pattern: 'key'}", "key ", true },
		{ "{kind: a, anchor: key, pattern: 'key[0-9]'}", "key ",
			false },
		{ "{kind: a, anchor: key, pattern: 'key [a-z]{50}'}",
			"key and some words ", false },
		{ "{kind: a, anchor: key, pattern: '(k)(?:.*\\1)+x'}", "key ",
			true },
		{ "{kind: a, anchor: key, pattern: 'key(?=.*x)'}", "key ",
			true },
	};
	enum { N = 1 << 21, FIRST = 1 << 20 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *text = wv_printf(
			&arena, "version: 1\nadd: [%s]\n", cases[i].rules);
		size_t found, one, two;
		one = cost(text, cases[i].part, N, &found);
		two = cost(text, cases[i].part, 2 * N, &found);
		ok(two <= 2 * one + one / 5 && one <= FIRST + 32 * N,
			"%s is linear: %zu, %zu", cases[i].rules, one, two);
		ok((found > 0) == cases[i].found, "and counts as a match: %zu",
			found);
	}
}

/* Anchors that are one, or begin alike. */
static void
test_same_anchors(void)
{
	struct wv_str text = { 0 };
	size_t found, one, two;

	wv_str_cat(&text, "version: 1\nadd:\n");
	for (int i = 0; i < 16; i++)
		wv_str_fmt(&text,
			"- {kind: a%d, anchor: key, pattern: "
			"'key[0-9]{4}%d'}\n",
			i, i);
	for (int i = 3; i <= 64; i++)
		wv_str_fmt(&text,
			"- {kind: b%d, anchor: '%.*s', pattern: "
			"'x{3}b*%d'}\n",
			i, i,
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
			"x"
			"xxxxxxxxx",
			i);
	one = cost(text.s, "key xxxxxxxxxxxxxxxxxxxx ", 1 << 20, &found);
	two = cost(text.s, "key xxxxxxxxxxxxxxxxxxxx ", 2 << 20, &found);
	ok(one > 0 && two <= 2 * one + one / 5, "anchors alike: %zu, %zu", one,
		two);
	wv_str_free(&text);
}

/* What is longer than a rule may see goes to its end, as a match. */
static void
test_long(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = load(
		"version: 1\nadd: [{kind: a, anchor: acm_, pattern: "
		"'acm_\\S+'}, {kind: b, anchor: bcm_, pattern: 'bcm_[^]*end'}]",
		&err);
	struct wv_str s = { 0 };
	struct wv_hit hit;

	wv_str_cat(&s, "x acm_");
	for (int i = 0; i < 40000; i++)
		wv_str_cat(&s, "\xc3\xa9");
	size_t end = s.n;
	wv_str_cat(&s, " bcm_");
	for (int i = 0; i < 10000; i++)
		wv_str_cat(&s, "word ");
	ok(wv_scan(rules, s.s, s.n, 0, &hit) && hit.start == 2 &&
			hit.end == end,
		"a long run goes whole");
	ok(wv_scan(rules, s.s, s.n, end, &hit) && hit.start == end + 1 &&
			hit.end - hit.start >= WV_MATCH_MOST &&
			hit.end - hit.start < WV_MATCH_MOST + 5,
		"what does not end goes as far as is seen");
	wv_str_free(&s);
	wv_rules_free(rules);
}

static bool
same(const struct wv_hit *a, const struct wv_hit *b)
{
	return a->start == b->start && a->end == b->end &&
		strcmp(a->kind, b->kind) == 0;
}

/* Wherever a text is parted, what is found is what the whole has. */
static void
test_parts(void)
{
	static const char s[] =
		"one acm_1234 acm_1234567 two acme key: 55 bcd_xx end bcd_"
		" deploy_key=abcdefgh abcd abcde acm_1234";
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = load(
		"version: 1\nadd:\n"
		"- {kind: a, anchor: acm_, pattern: 'acm_[0-9]{4,6}'}\n"
		"- {kind: b, anchor: 'acme key: ', pattern: 'acme key: \\d+'}\n"
		"- {kind: c, anchor: bcd_, pattern: 'bcd_.*?end'}\n"
		"- {kind: d, anchor: abcd, pattern: 'abcd(?!e)'}\n"
		"- {kind: e, anchor: abcde, pattern: 'abcde( acm_12)?'}\n"
		"names: [{name: deploy key, kind: m}]\n",
		&err);
	size_t n = sizeof s - 1, count = 0, wrong = 0;
	struct wv_hit whole[16], hit;

	for (size_t from = 0;
		count < 16 && wv_scan(rules, s, n, from, &whole[count]);
		from = whole[count++].end)
		;
	ok(count == 7, "%zu in the whole%s", count, err.text);
	for (size_t i = 1; i < n; i++) {
		size_t from = 0, live = 0, k = 0;
		for (; wv_scan_more(rules, s, i, from, &hit, &live);
			from = hit.end)
			wrong += k == count || !same(&hit, &whole[k++]);
		for (; wv_scan_last(rules, s, n, from, &hit, live);
			from = hit.end)
			wrong += k == count || !same(&hit, &whole[k++]);
		if (wrong > 0 || k != count) {
			printf("# parted at %zu: %zu of %zu\n", i, k, count);
			wrong++;
		}
	}
	ok(wrong == 0, "the same in parts");
	wv_rules_free(rules);
}

/* So many rules that the scanner has another filter for them. */
static void
test_many(void)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = many(10000, "add",
		"{\"kind\":\"a\",\"anchor\":\"%05zu_k\",\"pattern\":\"[0-9]{5}_"
		"k[a-z]{4}\"}",
		&err);

	is(rules ? redacted(rules,
			   "07123_kabcd 7123_kabcd 09999_kabcd "
			   "07123_kabc 12345_xabcd 00000_kabcd")
		 : err.text,
		"[REDACTED:a] 7123_kabcd [REDACTED:a] 07123_kabc 12345_xabcd "
		"[REDACTED:a]",
		"10000 rules");
	wv_rules_free(rules);
}

int
main(void)
{
	if (mkdtemp(folder) == NULL)
		return 1;
	test_finds();
	test_faults();
	test_lints();
	test_limits();
	test_hostile();
	test_same_anchors();
	test_long();
	test_parts();
	test_many();
	wv_str_free(&told);
	return done();
}
