/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of English words whatever the catalogue: the topics that they
 * belong to, which are everyday subjects (hotel: travel, lodging) and actions
 * (erase: delete), and whether texts of any subject are full of them.
 */
#ifndef WV_TEXT_LEXICON_H
#define WV_TEXT_LEXICON_H

#include "base/hash.h"
#include "base/mem.h"

#include <stdbool.h>

enum { WV_WORD_TOPICS = 7 }; /* of a word, at most */

struct wv_lexicon {
	struct wv_map words; /* by stem */
	struct wv_arena arena;
	struct wv_topic {
		const char *name, *stem;
	} * list;
	size_t topics;   /* how many there are */
	size_t subjects; /* the first of them; those behind are actions */
};

struct wv_meaning {
	bool common; /* numbers are, too */
	size_t topic_count;
	size_t subject_count;           /* of these, the first */
	uint8_t topics[WV_WORD_TOPICS]; /* numbers from 0 */
};

/* Made when it is first asked for, and kept. */
const struct wv_lexicon *wv_lexicon(void);
/* stem: a word as wv_tokenize() gives it. */
struct wv_meaning wv_lexicon_find(
	const struct wv_lexicon *lexicon, const char *stem);

/* The words of a topic, its name first; NULL-terminated. */
extern const char *const wv_subjects[], *const wv_actions[];
extern const char *const wv_common_words;

#endif
