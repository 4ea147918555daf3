/* SPDX-License-Identifier: Apache-2.0 */
#include "texts.h"

#include "base/mem.h"

#include <stdlib.h>

void
texts_begin(struct texts *texts, uint32_t tool, uint32_t example)
{
	texts->list =
		wv_list_room(texts->list, texts->count, sizeof(*texts->list));
	texts->list[texts->count++] = (struct text){ tool, example, 0 };
}

void
texts_add(struct texts *texts, size_t term)
{
	if (texts->word_count == texts->word_cap) {
		texts->word_cap = texts->word_cap ? texts->word_cap * 2 : 4096;
		texts->words = wv_xrealloc(
			texts->words, texts->word_cap * sizeof(*texts->words));
	}
	texts->words[texts->word_count++] = (struct text_word){ (uint32_t)term,
		(uint32_t)texts->count - 1 };
}

void
texts_finish(struct texts *texts, size_t term_count)
{
	size_t *first = wv_xcalloc(term_count + 3, sizeof(*first));

	texts->postings =
		wv_xcalloc(texts->word_count + 1, sizeof(*texts->postings));
	/* first[term + 2] counts the term's, then first[term + 1] is where its
	 * next one goes, and in the end where the next term's begin */
	for (size_t i = 0; i < texts->word_count; i++)
		first[texts->words[i].term + 2]++;
	for (size_t i = 1; i < term_count + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < texts->word_count; i++) {
		const struct text_word *word = &texts->words[i];
		texts->postings[first[word->term + 1]++] = word->text;
	}
	texts->first = first;
	free(texts->words);
	texts->words = NULL;
}

void
texts_free(struct texts *texts)
{
	free(texts->list);
	free(texts->postings);
	free(texts->first);
}
