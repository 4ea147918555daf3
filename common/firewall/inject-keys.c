/* SPDX-License-Identifier: Apache-2.0 */
/* The words the filter looks for, chosen from the rules. */
#include "base/mem.h"
#include "firewall/inject-filter.h"

#include <stdlib.h>
#include <string.h>

/* What the words of an element, or a class, are good for. */
struct use {
	struct wv_rules_seen first; /* where a phrase begins */
	struct wv_rules_seen any;   /* anywhere in it */
};

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* Words that begin with the letters of one that ends with * become one with
 * it: such words come first. */
static size_t
add_key(struct wv_keys *keys, uint64_t key, uint64_t care, uint8_t flags)
{
	size_t at = (size_t)(wv_key_find(keys, key) - keys->entries);

	if (at == 0) {
		bool open = ~care != 0;
		uint64_t hash = open ? wv_key_open_hash(key) : wv_key_hash(key);
		uint16_t *slot =
			&(open ? keys->open : keys->slots)[wv_key_slot(hash)];
		size_t bit = wv_key_bit(hash);
		must(keys->count < WV_KEYS_MAX);
		at = keys->count++;
		keys->entries[at] = (struct wv_key_entry){
			.key = key, .care = care, .next = *slot
		};
		*slot = (uint16_t)at;
		(open ? keys->open_bits : keys->bits)[bit / 32] |= UINT32_C(1)
			<< bit % 32;
	}
	keys->entries[at].flags |= flags;
	return at;
}

/* Where a set is, of those that are equal: few differ. */
static uint16_t
place_of(struct wv_keys *keys, const struct wv_rules_seen *set)
{
	enum { SLOTS = 2 * WV_KEY_SETS };
	static uint16_t slots[SLOTS], last;
	uint64_t words[sizeof(*set) / sizeof(uint64_t)], hash = 0;

	if (memcmp(&keys->sets[last], set, sizeof(*set)) == 0)
		return last; /* the words of an element come together */
	memcpy(words, set, sizeof(*set));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		hash = (hash ^ words[i] ^ hash >> 32) *
			UINT64_C(0x9E3779B97F4A7C15);
	size_t at = (size_t)(hash >> 32);
	for (; (last = slots[at % SLOTS]) != 0; at++)
		if (memcmp(&keys->sets[last], set, sizeof(*set)) == 0)
			return last;
	must(keys->set_count < WV_KEY_SETS);
	last = slots[at % SLOTS] = (uint16_t)keys->set_count++;
	keys->sets[last] = *set;
	return last;
}

/* Into the set that *at is the place of, if there is one. */
static void
add_seen(struct wv_keys *keys, uint16_t *at, const struct wv_rules_seen *seen)
{
	struct wv_rules_seen both = keys->sets[*at];

	wv_rules_see(&both, seen);
	*at = place_of(keys, &both);
}

static size_t
add_word(struct wv_keys *keys, const struct wv_rule_word *word, uint8_t flags)
{
	return add_key(keys, word->key, wv_rule_word_care(word), flags);
}

static void
add_shape(struct wv_keys *keys, const struct wv_rule_word *word,
	const struct wv_rules_seen *seen)
{
	for (size_t i = 1; i < WV_SHAPES; i++)
		if (strlen(wv_shape_names[i]) == word->n &&
			memcmp(wv_shape_names[i], word->s, word->n) == 0)
			wv_rules_see(&keys->shapes[i], seen);
}

static void
add_single(struct wv_keys *keys, const struct wv_rule_word *word,
	const struct wv_rules_seen *seen)
{
	if (word->s[0] == '<')
		add_shape(keys, word, seen);
	else
		add_seen(keys, &keys->entries[add_word(keys, word, 0)].seen,
			seen);
}

static void
add_pair(struct wv_keys *keys, const struct wv_rule_word *first,
	const struct wv_rule_word *second, bool within,
	const struct wv_rules_seen *seen)
{
	uint64_t key = wv_key_of_pair(first->key, second->key);
	struct wv_key_pair *pair = &keys->pairs[wv_key_find_pair(keys, key)];

	keys->pair_count += pair->key == 0;
	must(keys->pair_count < WV_KEY_PAIRS - WV_KEY_PAIRS / 4);
	pair->key = key;
	add_seen(keys, within ? &pair->within : &pair->seen, seen);
	add_word(keys, first, WV_KEY_FIRST);
	struct wv_key_entry *to =
		&keys->entries[add_word(keys, second, WV_KEY_SECOND)];
	add_seen(keys, &to->tail, seen);
}

static bool
is_used(const struct wv_rules_seen *seen)
{
	static const struct wv_rules_seen none;

	return memcmp(seen, &none, sizeof(none)) != 0;
}

static bool
is_alone(const struct wv_rule_word *word)
{
	return wv_key_is_alone(word->key);
}

static bool
is_pair(const struct wv_rule_word *first, const struct wv_rule_word *second)
{
	return first->care == WV_KEY_LETTERS &&
		second->care == WV_KEY_LETTERS && !is_alone(first) &&
		!is_alone(second);
}

static void
add_phrase(struct wv_keys *keys, const char *s, size_t n, char space,
	const struct use *use)
{
	struct wv_rule_word words[WV_PHRASE_WORDS];
	size_t count = wv_inject_words(s, n, space, words);
	size_t best = 0, most = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		size_t letters = words[i].n + words[i + 1].n;
		if (letters >= most && is_pair(&words[i], &words[i + 1])) {
			most = letters;
			best = i;
		}
	}
	bool first = is_used(&use->first), any = is_used(&use->any);
	if (first && most > 0)
		add_pair(keys, &words[best], &words[best + 1], best > 0,
			&use->first);
	else if (first)
		add_single(keys, &words[0], &use->first);
	if (any && most > 0)
		add_pair(keys, &words[best], &words[best + 1], true, &use->any);
	else if (any)
		add_single(keys, &words[0], &use->any);
}

static void
add_phrases(struct wv_keys *keys, const char *s, const char *end, char space,
	const struct use *use)
{
	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		if (*s != '$')
			add_phrase(keys, s, (size_t)(b - s), space, use);
	}
}

/* classes: their uses so far. */
static void
use_element(struct wv_keys *keys, const struct wv_element *e, size_t stage,
	size_t rule, struct use *classes)
{
	struct use use = { 0 };
	bool order = e->order && stage == 0;

	wv_rules_mark(
		order ? &use.first.stage[stage] : &use.any.stage[stage], rule);
	for (const char *s = e->s, *b; s < e->end; s = b + 1) {
		b = wv_inject_bar(s, e->end);
		if (*s != '$')
			continue;
		struct use *to =
			&classes[wv_inject_class(s + 1, (size_t)(b - s) - 1)];
		wv_rules_see(&to->first, &use.first);
		wv_rules_see(&to->any, &use.any);
	}
	add_phrases(keys, e->s, e->end, '+', &use);
}

static void
use_rule(struct wv_keys *keys, size_t rule, struct use *classes)
{
	struct wv_element e[WV_ELEMENTS_MAX];
	size_t count = wv_inject_stages(
		e, wv_inject_elements(wv_inject_rules[rule].pattern, e));

	if (e[0].order)
		wv_rules_mark(&keys->ordered, rule);
	if (wv_inject_rules[rule].weight != WV_INJECT_WEAK)
		wv_rules_mark(&keys->strong, rule);
	for (size_t stage = 0; stage < count; stage++)
		use_element(keys, &e[stage], stage, rule, classes);
	wv_rules_mark(&keys->last.stage[count - 1], rule);
}

/* The words that end with * and have less letters than a key. */
static void
add_open(struct wv_keys *keys, const char *words)
{
	for (const char *s = words, *star; (star = strchr(s, '*')) != NULL;
		s = star + 1) {
		const char *start = star;
		while (start > s && strchr("| +^$", start[-1]) == NULL)
			start--;
		struct wv_rule_word word =
			wv_inject_word_of(start, (size_t)(star + 1 - start));
		if (word.care < WV_KEY_LETTERS)
			add_word(keys, &word, 0);
	}
}

/* The words after which an order may come. */
static void
add_flags(struct wv_keys *keys, size_t class)
{
	uint8_t flag = class == WV_CLASS_LEAD ? WV_KEY_LEAD : WV_KEY_MUST;
	const char *s = wv_inject_classes[class].words;
	const char *end = s + strlen(s);

	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		const char *last = memrchr(s, ' ', (size_t)(b - s));
		struct wv_rule_word word =
			wv_inject_word_of(last ? last + 1 : s,
				(size_t)(b - (last ? last + 1 : s)));
		add_word(keys, &word, last ? WV_KEY_LAST : flag);
		if (last == NULL)
			continue;
		const char *part = memrchr(s, ' ', (size_t)(last - s));
		part = part ? part + 1 : s;
		word = wv_inject_word_of(part, (size_t)(last - part));
		add_word(keys, &word, WV_KEY_PART);
	}
}

const struct wv_keys *
wv_inject_keys(void)
{
	static struct wv_keys keys;

	if (keys.count > 0)
		return &keys;
	struct use *classes =
		wv_xcalloc(wv_inject_class_count, sizeof(*classes));
	keys.count = keys.set_count = 1;
	for (size_t i = WV_CLASS_FIXED; i < wv_inject_class_count; i++)
		add_open(&keys, wv_inject_classes[i].words);
	for (size_t i = 0; i < wv_inject_rule_count; i++)
		add_open(&keys, wv_inject_rules[i].pattern);
	for (size_t i = 0; i < wv_inject_rule_count; i++)
		use_rule(&keys, i, classes);
	for (size_t i = 0; i < wv_inject_class_count; i++) {
		const char *words = wv_inject_classes[i].words;
		if (is_used(&classes[i].first) || is_used(&classes[i].any))
			add_phrases(&keys, words, words + strlen(words), ' ',
				&classes[i]);
	}
	static const char *const roles[] = { "system", "developer", "assistant",
		"human" };
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		struct wv_rule_word word =
			wv_inject_word_of(roles[i], strlen(roles[i]));
		add_word(&keys, &word, WV_KEY_ROLE);
	}
	add_flags(&keys, WV_CLASS_MUST);
	add_flags(&keys, WV_CLASS_LEAD);
	add_flags(&keys, WV_CLASS_AND);
	free(classes);
	return &keys;
}
