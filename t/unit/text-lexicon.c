/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"

#include "text/lexicon.h"
#include "text/token.h"

#include <string.h>

static const struct wv_lexicon *lexicon;
static struct wv_arena arena = WV_ARENA_INIT;

static struct wv_meaning
meaning_of(const char *word)
{
	struct wv_tokens tokens = { 0 };

	wv_tokenize(&tokens, &arena, word, strlen(word), true);
	return wv_lexicon_find(lexicon, tokens.words[0]);
}

static bool
has_topic(const char *word, const char *topic)
{
	struct wv_meaning meaning = meaning_of(word);

	for (size_t i = 0; i < meaning.topic_count; i++)
		if (strcmp(lexicon->list[meaning.topics[i]].name, topic) == 0)
			return true;
	return false;
}

/* How many topics the word has that has the most. */
static size_t
most_topics(const char *const *topics)
{
	size_t most = 0;

	for (size_t i = 0; topics[i] != NULL; i++) {
		struct wv_tokens tokens = { 0 };
		wv_tokenize(
			&tokens, &arena, topics[i], strlen(topics[i]), true);
		for (size_t j = 0; j < tokens.count; j++) {
			size_t n = wv_lexicon_find(lexicon, tokens.words[j])
					   .topic_count;
			most = n > most ? n : most;
		}
	}
	return most;
}

int
main(void)
{
	lexicon = wv_lexicon();
	ok(has_topic("hotels", "travel") && has_topic("hotel", "lodging"),
		"a word has its subjects, in any form");
	ok(!has_topic("hotel", "weather"), "and no others");
	ok(has_topic("weather", "weather"), "a subject's name is its word");
	is(lexicon->list[meaning_of("shopping").topics[0]].stem, "shop",
		"it is known by its stem");
	ok(has_topic("erase", "delete"), "a word has its actions");
	ok(meaning_of("erase").subject_count == 0 &&
			meaning_of("hotel").subject_count == 2,
		"which are no subjects");
	ok(meaning_of("information").common, "common");
	ok(!meaning_of("hotel").common, "not common");
	ok(meaning_of("1998").common && !meaning_of("mp3").common,
		"numbers are common");
	ok(meaning_of("zebrafish").topic_count == 0, "unknown");
	ok(lexicon->topics < UINT8_MAX, "numbers of topics fit");
	ok(most_topics(wv_subjects) < WV_WORD_TOPICS &&
			most_topics(wv_actions) < WV_WORD_TOPICS,
		"no word has lost a topic");
	wv_arena_free(&arena);
	return done();
}
