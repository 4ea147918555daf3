/* SPDX-License-Identifier: Apache-2.0 */
#include "text/lexicon.h"

#include "text/token.h"

#include <string.h>

/* A value of the map is eight bytes: topics by number + 1, subjects before
 * actions, then whether the word is common. */
enum { TOPIC_BITS = 8, COMMON_AT = WV_WORD_TOPICS * TOPIC_BITS };

static void
add_topic(size_t *value, size_t topic)
{
	for (size_t at = 0; at < COMMON_AT; at += TOPIC_BITS) {
		size_t there = *value >> at & 0xff;
		if (there == topic + 1)
			return; /* two of its words have one stem */
		if (there == 0) {
			*value |= (topic + 1) << at;
			return;
		}
	}
}

static void
add_words(struct wv_lexicon *lexicon, const struct wv_tokens *tokens,
	size_t topic)
{
	for (size_t i = 0; i < tokens->count; i++) {
		size_t *value =
			wv_map_add(&lexicon->words, tokens->words[i], 0);
		if (topic == lexicon->topics)
			*value |= (size_t)1 << COMMON_AT;
		else
			add_topic(value, topic);
	}
}

static struct wv_tokens
read_words(struct wv_lexicon *lexicon, const char *words)
{
	struct wv_tokens tokens = { 0 };

	wv_tokenize(&tokens, &lexicon->arena, words, strlen(words), true);
	return tokens;
}

static void
add_topics(struct wv_lexicon *lexicon, const char *const *topics)
{
	for (size_t i = 0; topics[i] != NULL; i++) {
		const char *words = topics[i];
		struct wv_tokens tokens = read_words(lexicon, words);
		size_t n = strcspn(words, " ");
		lexicon->list = wv_list_room(
			lexicon->list, lexicon->topics, sizeof(*lexicon->list));
		lexicon->list[lexicon->topics++] =
			(struct wv_topic){ wv_dupn(&lexicon->arena, words, n),
				tokens.words[0] };
		add_words(lexicon, &tokens, lexicon->topics - 1);
	}
}

const struct wv_lexicon *
wv_lexicon(void)
{
	static struct wv_lexicon lexicon;
	struct wv_tokens tokens;

	if (lexicon.topics > 0)
		return &lexicon;
	add_topics(&lexicon, wv_subjects);
	lexicon.subjects = lexicon.topics;
	add_topics(&lexicon, wv_actions);
	tokens = read_words(&lexicon, wv_common_words);
	add_words(&lexicon, &tokens, lexicon.topics);
	return &lexicon;
}

struct wv_meaning
wv_lexicon_find(const struct wv_lexicon *lexicon, const char *stem)
{
	const size_t *value = wv_map_find(&lexicon->words, stem);
	struct wv_meaning meaning = { 0 };
	size_t topics;

	meaning.common = stem[strspn(stem, "0123456789")] == '\0';
	if (value == NULL)
		return meaning;
	meaning.common |= *value >> COMMON_AT;
	topics = *value & (((size_t)1 << COMMON_AT) - 1);
	for (; topics != 0; topics >>= TOPIC_BITS) {
		size_t topic = (topics & 0xff) - 1;
		meaning.topics[meaning.topic_count++] = (uint8_t)topic;
		meaning.subject_count += topic < lexicon->subjects;
	}
	return meaning;
}
