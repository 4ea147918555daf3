/* SPDX-License-Identifier: Apache-2.0 */
#include "text/internal.h"

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

bool
wv_is_stop_word(const char *word)
{
	size_t n = strlen(word);
	const char *list, *end;

	if (word[0] < 'a' || word[0] > 'z')
		return false;
	list = stop_words[word[0] - 'a'];
	if (list == NULL)
		return false;
	for (; *list != '\0'; list = end + 1) {
		end = strchr(list, ' ');
		if ((size_t)(end - list) == n && memcmp(list, word, n) == 0)
			return true;
	}
	return false;
}
