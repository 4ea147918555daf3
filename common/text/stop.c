/* SPDX-License-Identifier: Apache-2.0 */
#include "text/internal.h"

#include <stdint.h>
#include <string.h>

/* By first letter, each with a blank behind it: articles, pronouns,
 * auxiliaries, prepositions, question words, politeness. */
static const char *const stop_words[26] = {
	['a' - 'a'] = "a about above across after again all also am an and any "
		      "are aren around as at ",
	['b' - 'a'] = "be because been before being below between both but by ",
	['c' - 'a'] = "can cannot could couldn ",
	['d' - 'a'] = "did didn do does doesn doing don down during ",
	['e' - 'a'] = "each etc ",
	['f' - 'a'] = "for from ",
	['h' - 'a'] = "had hadn has hasn have haven having he hello her here "
		      "hers hey hi him his how ",
	['i' - 'a'] = "i if in into is isn it its ",
	['j' - 'a'] = "just ",
	['k' - 'a'] = "kindly ",
	['l' - 'a'] = "let like ",
	['m' - 'a'] = "may me might mine more most must my myself ",
	['n' - 'a'] = "need no nor not ",
	['o' - 'a'] = "of off on once only or other our ours out over own ",
	['p' - 'a'] = "please ",
	['s' - 'a'] = "same shall she should shouldn so some such ",
	['t' - 'a'] = "than thank thanks that the their theirs them then there "
		      "these they this those through to too ",
	['u' - 'a'] = "under until up us use used using ",
	['v' - 'a'] = "very via ",
	['w' - 'a'] = "want was wasn we were weren what when where which while "
		      "who whom whose why will with without would wouldn ",
	['y' - 'a'] = "you your yours yourself ",
};

/* Which of 64 shapes, by length and second letter, a word has. */
static uint64_t
shape_of(const char *word, size_t n)
{
	return UINT64_C(1) << (29 * n + (n > 1 ? (size_t)word[1] : 0)) % 64;
}

/* The next word of a list, or NULL. */
static const char *
next_word(const char **list, size_t *n)
{
	const char *word = *list, *end = strchr(word, ' ');

	if (end == NULL)
		return NULL;
	*n = (size_t)(end - word);
	*list = end + 1;
	return word;
}

/* The shapes of the words of each letter: most words have none of those. */
static void
learn_shapes(uint64_t shapes[26])
{
	for (size_t i = 0; i < 26; i++) {
		const char *list = stop_words[i], *word;
		size_t n;
		while (list != NULL && (word = next_word(&list, &n)) != NULL)
			shapes[i] |= shape_of(word, n);
	}
}

static bool
is_listed(const char *list, const char *word, size_t n)
{
	const char *other;
	size_t length;

	while ((other = next_word(&list, &length)) != NULL)
		if (length == n && memcmp(other, word, n) == 0)
			return true;
	return false;
}

bool
wv_is_stop_word(const char *word, size_t n)
{
	static uint64_t shapes[26];

	if (word[0] < 'a' || word[0] > 'z')
		return false;
	if (shapes[0] == 0)
		learn_shapes(shapes);
	return (shapes[word[0] - 'a'] & shape_of(word, n)) != 0 &&
		is_listed(stop_words[word[0] - 'a'], word, n);
}
