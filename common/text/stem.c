/* SPDX-License-Identifier: Apache-2.0 */
#include "text/internal.h"

#include <string.h>

enum { SUFFIXES_MAX = 3 }; /* of a word: promot-ion-al-ly */

static bool
has_vowel(const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr("aeiouy", word[i]) != NULL)
			return true;
	return false;
}

static bool
ends(const char *word, size_t n, const char *suffix)
{
	size_t len = strlen(suffix);

	return n >= len && memcmp(word + n - len, suffix, len) == 0;
}

static size_t
drop_plural(char *word, size_t n)
{
	static const char *const es[] = { "sses", "xes", "ches", "shes", "zes",
		NULL };

	if (n < 4 || word[n - 1] != 's')
		return n;
	if (ends(word, n, "ies") && n > 4) {
		word[n - 3] = 'y';
		return n - 2;
	}
	for (size_t i = 0; es[i] != NULL; i++)
		if (ends(word, n, es[i]))
			return n - 2;
	return strchr("siu", word[n - 2]) == NULL ? n - 1 : n;
}

/* What is left of a verb without -ing or -ed: a doubled consonant is single
 * again (running), unless words end in two of it (call, pass, buzz). */
static size_t
drop_verb(char *word, size_t n)
{
	size_t stem;

	if (ends(word, n, "ing"))
		stem = n - 3;
	else if (ends(word, n, "ed"))
		stem = n - 2;
	else
		return n;
	if (stem < 3 || !has_vowel(word, stem))
		return n;
	if (word[stem - 1] == word[stem - 2] &&
		strchr("aeiouylsz", word[stem - 1]) == NULL)
		stem--;
	return stem;
}

/* What goes, and how much must stay, by the last letter; an e behind it is
 * gone. */
static const struct suffix {
	char s[8];
	unsigned char n, keep;
} suffixes[26][7] = {
	['c' - 'a'] = { { "anc", 3, 4 }, { "enc", 3, 4 }, { "ic", 2, 5 } },
	['l' - 'a'] = { { "abl", 3, 4 }, { "ibl", 3, 4 }, { "abil", 4, 4 },
		{ "ibil", 4, 4 }, { "ful", 3, 4 }, { "al", 2, 5 } },
	['m' - 'a'] = { { "ism", 3, 4 } },
	['n' - 'a'] = { { "ization", 7, 3 }, { "isation", 7, 3 },
		{ "ation", 5, 4 }, { "ion", 3, 4 } },
	['r' - 'a'] = { { "er", 2, 4 }, { "or", 2, 4 } },
	['s' - 'a'] = { { "ness", 4, 3 }, { "ous", 3, 4 } },
	['t' - 'a'] = { { "ement", 5, 4 }, { "ment", 4, 4 }, { "ant", 3, 5 },
		{ "ent", 3, 5 }, { "ist", 3, 4 }, { "at", 2, 4 } },
	['v' - 'a'] = { { "iv", 2, 4 } },
	['y' - 'a'] = { { "ity", 3, 4 }, { "ably", 4, 4 }, { "ibly", 4, 4 },
		{ "ately", 5, 4 }, { "ely", 3, 4 }, { "ly", 2, 4 } },
	['z' - 'a'] = { { "iz", 2, 4 } },
};

static size_t
drop_suffix(const char *word, size_t n)
{
	const struct suffix *suffix = suffixes[word[n - 1] - 'a'];

	for (; suffix->n != 0; suffix++)
		if (n >= (size_t)suffix->n + suffix->keep &&
			memcmp(word + n - suffix->n, suffix->s, suffix->n) == 0)
			return n - suffix->n;
	return n;
}

size_t
wv_stem(char *word, size_t n)
{
	if (n < 4)
		return n;
	for (size_t i = n; i-- > 0;) /* digits are mostly at the end */
		if (word[i] < 'a' || word[i] > 'z')
			return n;
	n = drop_plural(word, n);
	n = drop_verb(word, n);
	if (n > 3 && word[n - 1] == 'e')
		n--;
	for (int i = 0; i < SUFFIXES_MAX && n > 4; i++)
		n = drop_suffix(word, n);
	if (n > 3 && word[n - 1] == 'y')
		word[n - 1] = 'i';
	word[n] = '\0';
	return n;
}
