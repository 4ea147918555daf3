/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "firewall/inject-internal.h"
#include "firewall/normal-internal.h"

#include <stdlib.h>
#include <string.h>

/* Room that is not used costs nothing. */
enum { CLASSES = 1024, PHRASES = 8192, LINKS = 8192 };

/* The rules are our own: a fault in them is found by the first test. */
static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
link_to(struct wv_inject_table *t, uint16_t *head, size_t what)
{
	must(what < UINT16_MAX && t->link_count < LINKS);
	t->links[t->link_count] =
		(struct wv_inject_link){ (uint16_t)what, *head };
	*head = (uint16_t)t->link_count++;
}

static uint16_t
shape_id(const char *name, size_t n)
{
	for (uint16_t i = 1; i < WV_SHAPES; i++)
		if (strlen(wv_shape_names[i]) == n &&
			memcmp(wv_shape_names[i], name, n) == 0)
			return i;
	abort();
}

/* The length of the first word of a phrase; a letter of a script without
 * spaces is one. */
static size_t
word_length(const char *s, size_t n, char space)
{
	size_t end = wv_alone_length(s, n);

	if (end > 0)
		return end;
	while (end < n && s[end] != space &&
		((unsigned char)s[end] < WV_ALONE_LEAST ||
			wv_alone_length(s + end, n - end) == 0))
		end++;
	return end;
}

/* Phrases are put aside until the number of words is known. */
static void
add_phrase(struct wv_inject_table *t, size_t class, const char *s, size_t n,
	char space)
{
	must(t->phrase_count < PHRASES);
	struct wv_inject_phrase *phrase = &t->phrases[t->phrase_count++];

	phrase->count = 0;
	phrase->class = (uint16_t) class;
	while (n > 0) {
		size_t len = word_length(s, n, space);
		must(len > 0 && phrase->count < WV_PHRASE_WORDS);
		phrase->words[phrase->count++] = s[0] == '<'
			? shape_id(s, len)
			: wv_words_add(t->words, s, len);
		len += len < n && s[len] == space;
		s += len;
		n -= len;
	}
	must(phrase->count > 0);
}

static void
add_phrases(
	struct wv_inject_table *t, size_t class, const char *words, char space)
{
	for (const char *s = words, *end; *s != '\0'; s = end + (*end == '|')) {
		end = strchrnul(s, '|');
		add_phrase(t, class, s, (size_t)(end - s), space);
	}
}

static size_t
class_named(const char *name, size_t n)
{
	for (size_t i = 0; i < wv_inject_class_count; i++)
		if (strlen(wv_inject_classes[i].name) == n &&
			memcmp(wv_inject_classes[i].name, name, n) == 0)
			return i;
	abort();
}

/* ALTERNATIVE|…: every class of it leads to the element, and so does one of
 * the words that are in none. */
static void
add_alternatives(struct wv_inject_table *t, const char *s, size_t n)
{
	size_t element = t->element_count - 1, own = 0;

	for (size_t at = 0, len; at < n; at += len + 1) {
		const char *bar = memchr(s + at, '|', n - at);
		len = bar ? (size_t)(bar - s) - at : n - at;
		if (s[at] == '$') {
			size_t class = class_named(s + at + 1, len - 1);
			link_to(t, &t->class_elements[class], element);
			continue;
		}
		if (own == 0) {
			own = t->class_count++;
			must(own < CLASSES);
			link_to(t, &t->class_elements[own], element);
		}
		add_phrase(t, own, s + at, len, '+');
	}
}

static void
add_rule(struct wv_inject_table *t, size_t rule)
{
	const char *s = wv_inject_rules[rule].pattern;
	struct wv_inject_element element = { .rule = (uint16_t)rule,
		.first = true };

	while (*s != '\0') {
		size_t n = strcspn(s, " ");
		if (*s >= '0' && *s <= '9') {
			element.gap = (uint8_t)atoi(s);
			must(element.gap < WV_GAP_MAX);
		} else {
			element.order = *s == '^';
			t->elements = wv_list_room(t->elements,
				t->element_count, sizeof(*t->elements));
			t->elements[t->element_count++] = element;
			add_alternatives(
				t, s + element.order, n - element.order);
			element.first = false;
			element.gap = 0;
		}
		s += n + (s[n] == ' ');
	}
	t->elements[t->element_count - 1].last = true;
}

static uint8_t
class_does(const struct wv_inject_table *t, size_t class)
{
	uint8_t does = 0;

	if (class == WV_CLASS_MUST || class == WV_CLASS_LEAD ||
		class == WV_CLASS_AND)
		return WV_DOES_BEGIN;
	if (class == WV_CLASS_BLOCK)
		return WV_DOES_BLOCK;
	for (uint16_t l = t->class_elements[class]; l != 0;
		l = t->links[l].next) {
		const struct wv_inject_element *element =
			&t->elements[t->links[l].what];
		if (element->first)
			does |= element->order ? WV_DOES_ORDER : WV_DOES_BEGIN;
	}
	return does;
}

static void
link_words(struct wv_inject_table *t)
{
	size_t words = wv_words_count(t->words) + 1u;

	t->word_does = wv_xcalloc(words, sizeof(*t->word_does));
	t->word_classes = wv_xcalloc(words, sizeof(uint16_t));
	t->word_phrases = wv_xcalloc(words, sizeof(uint16_t));
	for (size_t i = 0; i < t->phrase_count; i++) {
		const struct wv_inject_phrase *phrase = &t->phrases[i];
		uint16_t last = phrase->words[phrase->count - 1];
		uint8_t does = class_does(t, phrase->class);
		if (phrase->count > 1 && does & ~WV_DOES_BLOCK)
			does = WV_DOES_END;
		for (size_t k = 0; k + 1u < phrase->count; k++)
			t->word_does[phrase->words[k]] |= WV_DOES_PART;
		t->word_does[last] |= does;
		if (phrase->count == 1)
			link_to(t, &t->word_classes[last], phrase->class);
		else
			link_to(t, &t->word_phrases[last], i);
	}
}

const struct wv_inject_table *
wv_inject_table(void)
{
	static struct wv_inject_table t;
	uint16_t none = 0;

	if (t.words != NULL)
		return &t;
	t.words = wv_words_new();
	t.class_elements = wv_xcalloc(CLASSES, sizeof(uint16_t));
	t.phrases = wv_xmalloc(PHRASES * sizeof(*t.phrases));
	t.links = wv_xmalloc(LINKS * sizeof(*t.links));
	t.class_count = wv_inject_class_count;
	link_to(&t, &none, 0); /* 0 is none */
	for (size_t i = 0; i < wv_inject_class_count; i++)
		add_phrases(&t, i, wv_inject_classes[i].words, ' ');
	for (size_t i = 0; i < wv_inject_rule_count; i++)
		add_rule(&t, i);
	link_words(&t);
	return &t;
}
