/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include "base/str.h"
#include "text/token.h"

#include <stdlib.h>

static struct wv_arena arena = WV_ARENA_INIT;

/* The words with blanks between them, wholes in parentheses. */
static const char *
words_of(const char *text, size_t n, bool keep)
{
	static struct wv_str line;
	struct wv_tokens tokens = { 0 };

	line.n = 0;
	wv_str_cat(&line, "");
	wv_arena_reset(&arena);
	wv_tokenize(&tokens, &arena, text, n, keep);
	for (size_t i = 0; i < tokens.count; i++)
		wv_str_fmt(&line, tokens.spans[i].whole ? "%s(%s)" : "%s%s",
			i > 0 ? " " : "", tokens.words[i]);
	return line.s;
}

static const char *
words(const char *text)
{
	return words_of(text, strlen(text), false);
}

static void
test_borders(void)
{
	is(words("XMLParser"), "xml pars (xmlpars)", "an acronym ends");
	is(words("getHTTPResponse"), "get http respons (gethttprespons)",
		"an acronym in the middle");
	is(words("s3_put-object"), "s 3 (s3) put object",
		"letters and digits, underscore, hyphen");
	is(words("org.app.searchDocs"), "org app search doc (searchdoc)",
		"dots and camel case");
	is(words("bitable_v1_appTableRecord_search"),
		"bitabl v 1 (v1) app tabl record (apptablerecord) search",
		"a long name");
	is(words("ABC"), "abc", "capitals alone are one word");
	is(words("a1B2"), "1 b 2 (a1b2)", "a stop word within a run goes");
	is(words(" ,.;:!?\t\n"), "", "nothing but gaps");
	is(words(""), "", "nothing");
}

static void
test_stems(void)
{
	is(words("query queries"), "queri queri", "-ies and -y meet");
	is(words("run running runs"), "run run run", "a doubled consonant");
	is(words("create creates created creating"), "creat creat creat creat",
		"-e, -es, -ed, -ing meet");
	is(words("address addresses"), "address address", "-ss stays");
	is(words("status bus analysis"), "status bus analysis",
		"-us and -is stay");
	is(words("convert converts converter"), "convert convert convert",
		"-er");
	is(words("translate translating translation translator"),
		"transl transl transl transl", "-ion and -or");
	is(words("version timezone"), "vers timezon",
		"a word is no part of another");
	is(words("the was is of"), "", "stop words go");
	is(words_of("the was", 7, true), "the was", "unless they are kept");
}

static void
test_apostrophes(void)
{
	is(words("what's John's o'clock"), "john o clock", "'s goes");
	is(words("don\xe2\x80\x99t"), "", "don't is a stop word");
	is(words("'quoted'"), "quot", "quotes are no apostrophes");
}

static void
test_placeholders(void)
{
	is(words("function app <function_app_name> here"), "funct app",
		"a placeholder is no word (cases F17)");
	is(words("a < b and c > d"), "b c d", "less and greater are not one");
	is(words("<unclosed"), "unclos", "nor is what does not close");
}

static void
test_utf8(void)
{
	is(words("\xc3\x89t\xc3\xa9 na\xc3\xafve Stra\xc3\x9f"
		 "e"),
		"ete naiv strass", "Latin accents are folded");
	is(words("e\xcc\x81te\xcc\x81"), "ete", "combining accents too");
	is(words("\xce\x9a\xce\xb1\xce\xbb\xce\xb7\xce\xbc\xce\xad\xcf\x81\xce"
		 "\xb1"),
		"\xce\xba\xce\xb1\xce\xbb\xce\xb7\xce\xbc\xce\xb5\xcf\x81\xce"
		"\xb1",
		"Greek: small, no tonos");
	is(words("\xd0\x81\xd0\x9b\xd0\x9a\xd0\x90"),
		"\xd0\xb5\xd0\xbb\xd0\xba\xd0\xb0",
		"Cyrillic: small, yo is ie");
	is(words("\xe6\x9d\xb1\xe4\xba\xac\xe9\x83\xbd"),
		"\xe6\x9d\xb1\xe4\xba\xac \xe4\xba\xac\xe9\x83\xbd",
		"Han gives bigrams");
	is(words("\xe6\x9d\xb1"), "\xe6\x9d\xb1", "a single one is itself");
	is(words("\xef\xbc\xa1\xef\xbc\xa2\xef\xbc\x91"), "ab 1 (ab1)",
		"full width is narrow");
	is(words("soft\xc2\xadhyphen zero\xe2\x80\x8bwidth"),
		"softhyphen zerowidth", "invisible characters are not there");
	is(words("\xf0\x9f\x94\xa7 fix"), "fix", "an emoji is a gap");
	is(words("a\xff"
		 "b\xc0\x80"
		 "c"),
		"b c", "what is no UTF-8 is a gap");
}

static void
test_spans(void)
{
	static const char text[] = "find  getHTTPResponse, \xc3\x89t\xc3\xa9";
	static const char *const want[] = { "find", "get", "HTTP", "Response",
		"getHTTPResponse", "\xc3\x89t\xc3\xa9" };
	struct wv_tokens tokens = { 0 };
	char got[64];

	wv_tokenize(&tokens, &arena, text, strlen(text), false);
	ok(tokens.count == 6, "%zu words", tokens.count);
	for (size_t i = 0; i < 6 && i < tokens.count; i++) {
		snprintf(got, sizeof(got), "%.*s", (int)tokens.spans[i].len,
			text + tokens.spans[i].at);
		is(got, want[i], "the span of word %zu", i);
	}
}

/* Texts that ask for the most memory a byte, at sizes around an arena's. */
static void
test_bounds(void)
{
	static const char *const units[] = { "aB", "a1", "ABc", "aB ",
		"\xe6\x9d\xb1", "\xf0\xa0\x80\x80",
		"\xc3\xa9"
		"1",
		"x'" };

	for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++) {
		size_t unit = strlen(units[u]), n = unit * 5000;
		char *text = malloc(n);
		struct wv_tokens tokens = { 0 };
		for (size_t i = 0; i < n; i++)
			text[i] = units[u][i % unit];
		wv_arena_reset(&arena);
		wv_tokenize(&tokens, &arena, text, n, true);
		ok(tokens.count > 0, "5000 times unit %zu", u);
		free(text);
	}
}

int
main(void)
{
	test_borders();
	test_stems();
	test_apostrophes();
	test_placeholders();
	test_utf8();
	test_spans();
	test_bounds();
	wv_arena_free(&arena);
	return done();
}
