/* SPDX-License-Identifier: Apache-2.0 */
#include "text/count.h"

#include "tap.h"

static size_t
count(const char *counter, const char *text)
{
	return wv_counter_find(counter)(text, strlen(text));
}

static void
check(const char *text, size_t approx, size_t words, const char *what)
{
	size_t a = count("approx", text), w = count("words", text);

	if (!ok(a == approx && w == words &&
			    count("bytes", text) == strlen(text),
		    "%s", what))
		printf("# approx %zu, words %zu\n", a, w);
}

static bool
is_between_blanks(const char *text, size_t at)
{
	return at > 0 && text[at - 1] == ' ' && text[at] == ' ';
}

static bool
costs_no_less(wv_counter *counter, const char *text, size_t a, size_t b)
{
	size_t n = strlen(text);

	return is_between_blanks(text, a) || is_between_blanks(text, b) ||
		counter(text, a) + counter(text + a, b - a) +
			counter(text + b, n - b) >=
		counter(text, n);
}

/* A cut at every byte, but between blanks: the pieces never cost less than
 * the whole. */
static void
check_pieces(const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; wv_counter_names[i] != NULL; i++) {
		wv_counter *counter = wv_counter_find(wv_counter_names[i]);
		bool good = true;
		for (size_t a = 0; a <= n; a++)
			for (size_t b = a; b <= n; b++)
				good = good &&
					costs_no_less(counter, text, a, b);
		ok(good, "%s: pieces of '%s' cost no less", wv_counter_names[i],
			text);
	}
}

int
main(void)
{
	check("", 0, 0, "nothing costs nothing");
	check("a", 1, 1, "one character is rounded up");
	check("possible", 1, 1, "a word of eight letters is one");
	check("possibles", 2, 1, "one of nine is two");
	check("five5", 2, 1, "a letter and a digit are two");
	check("Two words", 2, 2, "blanks are free, a capital begins a word");
	check("ABCD 1234", 4, 2, "three capitals are one, three digits too");
	check("{\"a\":", 3, 1, "so are three signs");
	check("\t\n a \n", 4, 1, "a tab or a line end is one");
	check("a  b    c", 5, 3, "blanks in a row are one");
	check("\n  a\n", 4, 1, "so is what a line is indented by");
	/* reference C7: CJK was counted at a quarter of its cost */
	check("日本語", 3, 1, "a wide character is one");
	check("日本語abc", 4, 1, "wide and narrow add up");
	check("zażółć", 3, 1, "two letters beyond ASCII are one");
	check("🚀🚀", 4, 1, "an emoji is two");
	check("\xff\xfe", 2, 1, "what is no character is one");
	check_pieces("a日b本 cd語🚀x y");
	check_pieces("zażółć gęślą");
	check_pieces("ABc  D12345 {\"a\":1}\t\nWord 1a🚀");
	ok(wv_counter_find("tokens") == NULL, "an unknown counter");
	ok(wv_text_cut("añb", 4, 2) == 1, "a cut never splits a character");
	ok(wv_text_cut("añb", 4, 3) == 3, "nor takes too little");
	ok(wv_text_cut("añb", 4, 9) == 4, "and leaves what fits");
	return done();
}
