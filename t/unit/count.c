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

/* A cut at every byte: the pieces never cost less than the whole. */
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
					counter(text,
						a) + counter(text + a, b - a) +
							counter(text + b,
								n - b) >=
						counter(text, n);
		ok(good, "%s: pieces of '%s' cost no less", wv_counter_names[i],
			text);
	}
}

int
main(void)
{
	check("", 0, 0, "nothing costs nothing");
	check("a", 1, 1, "one character is rounded up");
	check("four", 1, 1, "four characters are one");
	check("five5", 2, 1, "five are two");
	check("two words", 3, 2, "words are counted");
	check("  \t\n a \n", 2, 1, "white space is no word");
	/* reference C7: CJK was counted at a quarter of its cost */
	check("日本語", 3, 1, "a wide character is one");
	check("日本語abc", 4, 1, "wide and narrow add up");
	check("zażółć", 2, 1, "narrow characters of two bytes are one each");
	check("🚀🚀", 2, 1, "an emoji is one");
	check("\xff\xfe", 2, 1, "what is no character is one");
	check_pieces("a日b本 cd語🚀x y");
	check_pieces("zażółć gęślą");
	ok(wv_counter_find("tokens") == NULL, "an unknown counter");
	ok(wv_text_cut("añb", 4, 2) == 1, "a cut never splits a character");
	ok(wv_text_cut("añb", 4, 3) == 3, "nor takes too little");
	ok(wv_text_cut("añb", 4, 9) == 4, "and leaves what fits");
	return done();
}
