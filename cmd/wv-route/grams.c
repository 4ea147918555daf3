/* SPDX-License-Identifier: Apache-2.0 */
#include "grams.h"

#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

static const double likeness_min = 0.55;
enum {
	TWO_ERRORS = 8,   /* letters of a word in which two errors may be */
	TYPED_MIN = 5,    /* letters of the longer one in which one may be */
	BEGINNING_MIN = 5 /* letters that a word may go on behind */
};

/* The letters of a word; 0: too few, too many, or not letters alone. */
static size_t
letters_of(const char *word, uint32_t letters[GRAMS_LETTERS])
{
	size_t n = strlen(word), count = 0;
	int len;

	for (size_t i = 0; i < n; i += (size_t)len) {
		len = wv_utf8_get((const unsigned char *)word + i, n - i,
			&letters[count]);
		if (len == 0 || ++count == GRAMS_LETTERS || word[i] == ' ' ||
			(word[i] >= '0' && word[i] <= '9'))
			return 0;
	}
	return count < GRAMS_LETTERS_MIN ? 0 : count;
}

/* A bit for each pair of letters, the first letter alone included. */
static uint64_t
signature_of(const uint32_t *letters, size_t n)
{
	uint64_t signature = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t before = i > 0 ? letters[i - 1] : 0;
		uint32_t hash = (before * 31 + letters[i]) * 0x9e3779b1u;
		signature |= (uint64_t)1 << (hash >> 26);
	}
	return signature;
}

static void
make_signatures(struct grams *grams)
{
	const struct index *index = grams->index;
	uint32_t letters[GRAMS_LETTERS];

	grams->signatures =
		wv_xcalloc(index->term_count + 1, sizeof(*grams->signatures));
	for (size_t i = index->lexicon->topics; i < index->term_count; i++) {
		size_t n = letters_of(index->terms[i].word, letters);
		grams->signatures[i] = signature_of(letters, n);
	}
}

/* Piece i of a word: three letters, the first two pieces padded. */
static bool
same_piece(const uint32_t *a, size_t i, const uint32_t *b, size_t j)
{
	for (size_t back = 0; back < 3; back++) {
		uint32_t x = i >= back ? a[i - back] : 0;
		uint32_t y = j >= back ? b[j - back] : 0;
		if (x != y)
			return false;
	}
	return true;
}

/* Dice's coefficient of the pieces. */
static double
shared_pieces(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	uint32_t used = 0; /* pieces of b */
	size_t shared = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			if ((used >> j & 1) == 0 && same_piece(a, i, b, j)) {
				used |= (uint32_t)1 << j;
				shared++;
				break;
			}
	return 2.0 * (double)shared / (double)(n + m);
}

static unsigned
min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Letters to change, drop, add or swap with the next. */
static unsigned
typing_errors(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	unsigned rows[3][GRAMS_LETTERS + 1];

	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3];
		unsigned *up2 = rows[(i + 1) % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = min3(up[j] + 1, row[j - 1] + 1,
				up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				a[i - 2] == b[j - 1])
				row[j] = min3(row[j], up2[j - 2] + 1, ~0u);
		}
	}
	return rows[n % 3][m];
}

/* Whether one word is the other as fingers may miss it; `same` letters at the
 * beginning are.  The first letter is rarely wrong (gmail is no email), more or
 * fewer at the end of a short word make another one (port, Porto), and so does
 * another letter in one of four (pain, paid), but two that changed places. */
static bool
is_typed(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t same,
	double *likeness)
{
	size_t least = n < m ? n : m, most = n < m ? m : n;
	unsigned errors;

	if (most - least > 2 || (a[0] != b[0] && a[0] != b[1]))
		return false;
	if (same == least && least < BEGINNING_MIN)
		return false;
	if (most < TYPED_MIN &&
		(n != m || same + 1 >= n || a[same] != b[same + 1]))
		return false;
	errors = typing_errors(a, n, b, m);
	*likeness = 1 - (double)errors / (double)most;
	return errors <= (least >= TWO_ERRORS ? 2 : 1);
}

static struct gram_match
compare(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	struct gram_match match = { 0 };
	size_t least = n < m ? n : m, same = 0;
	double pieces = shared_pieces(a, n, b, m);

	while (same < least && a[same] == b[same])
		same++;
	match.typed = is_typed(a, n, b, m, same, &match.likeness);
	if (!match.typed)
		match.likeness = same == least && least >= BEGINNING_MIN
			? likeness_min
			: 0;
	if (pieces > match.likeness)
		match.likeness = pieces;
	return match;
}

static void
insert(struct gram_match found[GRAMS_MAX], size_t *count,
	struct gram_match match, const struct index *index)
{
	size_t i = *count;
	const char *word = index->terms[match.term].word;

	while (i > 0 &&
		(found[i - 1].likeness < match.likeness ||
			(found[i - 1].likeness == match.likeness &&
				strcmp(index->terms[found[i - 1].term].word,
					word) > 0)))
		i--;
	if (i == GRAMS_MAX)
		return;
	if (*count < GRAMS_MAX)
		++*count;
	memmove(found + i + 1, found + i, (*count - i - 1) * sizeof(*found));
	found[i] = match;
}

size_t
grams_find(struct grams *grams, const char *word,
	struct gram_match found[GRAMS_MAX])
{
	const struct index *index = grams->index;
	uint32_t letters[GRAMS_LETTERS], other[GRAMS_LETTERS];
	size_t n = letters_of(word, letters), count = 0;
	uint64_t signature = signature_of(letters, n);
	/* of two words as like as that */
	int shared = n < 6 ? 1 : (int)n / 3;

	if (n == 0)
		return 0;
	if (grams->signatures == NULL)
		make_signatures(grams);
	for (size_t i = index->lexicon->topics; i < index->term_count; i++) {
		uint64_t both = grams->signatures[i] & signature;
		struct gram_match match;
		size_t m;
		if (__builtin_popcountll(both) < shared)
			continue;
		m = letters_of(index->terms[i].word, other);
		match = compare(letters, n, other, m);
		match.term = (uint32_t)i;
		if (match.likeness >= likeness_min)
			insert(found, &count, match, index);
	}
	return count;
}

void
grams_free(struct grams *grams)
{
	free(grams->signatures);
}
