/* SPDX-License-Identifier: Apache-2.0 */
/* Which words are anchors. */
#include "firewall/inject-anchor.h"
#include "firewall/inject-filter.h"

#include <stdlib.h>
#include <string.h>

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* What an element is used for. */
enum use {
	WITH_PLACE = 1, /* by rules that want a place behind it */
	ALONE = 2,
};

static bool
is_covered(const struct wv_anchor *anchor, const struct wv_anchor *by)
{
	return anchor->key == by->key && anchor->care == by->care &&
		(by->side == WV_ANY_SIDE ||
			(anchor->side == by->side &&
				anchor->beside == by->beside &&
				anchor->beside_care == by->beside_care)) &&
		(anchor->place || !by->place);
}

static void
add(struct wv_anchors *a, const struct wv_rule_word *word,
	enum wv_anchor_side side, const struct wv_rule_word *beside,
	unsigned use)
{
	uint64_t hash = wv_anchor_hash(word->key);
	uint16_t *slot = &a->slots[hash >> (64 - WV_ANCHOR_SLOT_BITS)];
	size_t bit = (size_t)(hash >> (64 - WV_ANCHOR_BITS));

	struct wv_anchor anchor = { .key = word->key,
		.beside = beside != NULL ? beside->key : 0,
		.next = *slot,
		.care = wv_rule_word_care(word),
		.beside_care = beside != NULL ? wv_rule_word_care(beside) : 0,
		.side = (uint8_t)side,
		.place = use == WITH_PLACE };

	for (size_t i = *slot; i != 0; i = a->at[i].next)
		if (is_covered(&anchor, &a->at[i]))
			return;
	/* a letter alone is passed over */
	must(word->n > 1 && a->count < WV_ANCHORS_MAX);
	a->at[a->count] = anchor;
	*slot = (uint16_t)a->count++;
	a->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void
add_shape(struct wv_anchors *a, const struct wv_rule_word *word)
{
	for (size_t i = 1; i < WV_SHAPES; i++)
		if (strlen(wv_shape_names[i]) == word->n &&
			memcmp(wv_shape_names[i], word->s, word->n) == 0)
			a->shapes[i] = true;
}

/* Of a phrase, the rarest word and the rarer of those beside it. */
static void
add_phrase(
	struct wv_anchors *a, const char *s, size_t n, char space, unsigned use)
{
	struct wv_rule_word words[WV_PHRASE_WORDS];
	size_t count = wv_inject_words(s, n, space, words), best = 0;
	size_t common[WV_PHRASE_WORDS + 1];

	if (s[0] == '<' || count == 1) {
		if (s[0] == '<')
			add_shape(a, &words[0]);
		else
			add(a, &words[0], WV_ANY_SIDE, NULL, use);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		common[i] = wv_inject_commonness(words[i].s, words[i].n);
		if (common[i] < common[best] ||
			(common[i] == common[best] &&
				words[i].n > words[best].n))
			best = i;
	}
	common[count] = SIZE_MAX;
	if (best == 0 || common[best + 1] < common[best - 1])
		add(a, &words[best], WV_BEHIND_IT, &words[best + 1], use);
	else
		add(a, &words[best], WV_BEFORE_IT, &words[best - 1], use);
}

static void
add_phrases(struct wv_anchors *a, const char *s, const char *end, char space,
	unsigned use, uint8_t *classes)
{
	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		if (*s == '$')
			classes[wv_inject_class(s + 1, (size_t)(b - s) - 1)] |=
				use;
		else
			add_phrase(a, s, (size_t)(b - s), space, use);
	}
}

static bool
is_place(const struct wv_element *e)
{
	static const char place[] = "<place>", link[] = "<place>|<link>";
	size_t n = (size_t)(e->end - e->s);

	return (n == strlen(place) && memcmp(e->s, place, n) == 0) ||
		(n == strlen(link) && memcmp(e->s, link, n) == 0);
}

static void
add_rule(struct wv_anchors *a, const struct wv_inject_rule *rule,
	uint8_t *classes)
{
	struct wv_element e[WV_ELEMENTS_MAX];
	size_t count = wv_inject_elements(rule->pattern, e);
	const struct wv_element *anchor = &e[rule->anchor - 1];
	unsigned use = ALONE;

	must(rule->anchor > 0 && rule->anchor <= count && !is_place(anchor));
	for (size_t i = rule->anchor; i < count; i++)
		if (is_place(&e[i]))
			use = WITH_PLACE;
	add_phrases(a, anchor->s, anchor->end, '+', use, classes);
}

const struct wv_anchors *
wv_inject_anchors(void)
{
	static struct wv_anchors a;
	static const char *const roles[] = { "system", "developer", "assistant",
		"human" };

	if (a.count > 0)
		return &a;
	uint8_t *classes = calloc(wv_inject_class_count, sizeof(*classes));
	must(classes != NULL);
	a.count = 1;
	for (size_t i = 0; i < wv_inject_rule_count; i++)
		add_rule(&a, &wv_inject_rules[i], classes);
	for (size_t i = 0; i < wv_inject_class_count; i++) {
		const char *words = wv_inject_classes[i].words;
		if (classes[i])
			add_phrases(&a, words, words + strlen(words), ' ',
				classes[i], classes);
	}
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		struct wv_rule_word word =
			wv_inject_word_of(roles[i], strlen(roles[i]));
		add(&a, &word, WV_COLON, NULL, ALONE);
	}
	free(classes);
	return &a;
}
