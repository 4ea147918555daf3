/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* Words behind this many bytes of a field are not found: a text that
	 * long describes nothing. */
	FIELD_MAX_BYTES = 16384,
	ARGUMENTS_MAX = 200, /* of a tool */
	ARGUMENTS_DEPTH = 4,
};

const char *const index_fields[FIELD_COUNT] = { "name", "id", "namespace",
	"tags", "description", "arguments", "examples" };

/* What a word in a field weighs.  In a field that is longer than usual, in
 * words, each weighs less: all of it (b 1) or nothing (b 0). */
static const struct field_rule {
	double weight, b, usual;
} field_rules[FIELD_COUNT] = {
	[FIELD_NAME] = { 3.75, 0, 1 },
	[FIELD_ID] = { 0.5, 0, 1 },
	[FIELD_NAMESPACE] = { 0.5, 0, 1 },
	[FIELD_TAG] = { 1, 0, 1 },
	[FIELD_DESCRIPTION] = { 1, 0.05, 10 },
	[FIELD_ARGUMENT] = { 0.3, 0.3, 10 },
	[FIELD_EXAMPLE] = { 0.25, 0.25, 100 },
};
/* What a topic weighs beside the word that belongs to it, in an example. */
static const double example_topic = 0.5;

/* A posting while they still stand in the order of the tools. */
struct entry {
	size_t term;
	struct posting posting;
};

struct builder {
	struct index *index;
	struct wv_arena scratch; /* of one tool */
	struct wv_tokens tokens; /* of one field */
	uint32_t tool;
	struct entry *entries;
	size_t count, cap;
	size_t tool_first; /* the tool's first entry */
	struct growing {
		size_t newest; /* entry */
		size_t text;   /* the last one that has it, from 1 */
	} * growing;           /* by term */
	size_t term_cap;
	size_t *examples; /* the first tokens of the tool's */
	size_t example_count;
};

static size_t
add_term(struct builder *b, const char *word, struct wv_meaning meaning)
{
	struct index *index = b->index;
	size_t n = index->term_count++;

	if (n == b->term_cap) {
		b->term_cap = n > 0 ? n * 2 : 4096;
		b->growing = wv_xrealloc(
			b->growing, b->term_cap * sizeof(*b->growing));
		index->terms = wv_xrealloc(
			index->terms, b->term_cap * sizeof(*index->terms));
	}
	b->growing[n] = (struct growing){ SIZE_MAX, 0 };
	index->terms[n] = (struct term){ .word = word, .meaning = meaning };
	return n;
}

static void
add_to(struct builder *b, size_t term, uint32_t fields, double weight)
{
	struct growing *growing = &b->growing[term];
	struct posting *p;

	if (growing->newest == SIZE_MAX || growing->newest < b->tool_first) {
		if (b->count == b->cap) {
			b->cap = b->cap ? b->cap * 2 : 4096;
			b->entries = wv_xrealloc(
				b->entries, b->cap * sizeof(*b->entries));
		}
		growing->newest = b->count;
		b->entries[b->count++] =
			(struct entry){ term, { .tool = b->tool } };
	}
	p = &b->entries[growing->newest].posting;
	p->fields |= fields;
	p->weight += (float)weight;
}

static size_t
new_term(struct builder *b, const char *word)
{
	struct index *index = b->index;
	const char *copy = wv_dup(&index->arena, word);
	size_t term = add_term(b, copy, wv_lexicon_find(index->lexicon, copy));

	index->terms[term].distinctive =
		copy[1] != '\0' && copy[strcspn(copy, "0123456789 ")] == '\0';
	wv_map_add(&index->numbers, copy, term);
	return term;
}

/* How clearly a word in a field says that it is about a topic of its. */
static uint32_t
clarity(const struct index *index, const struct term *term, size_t topic,
	enum field field)
{
	if (topic >= index->lexicon->subjects || (1 << field & NAMING) == 0)
		return 0;
	if (strcmp(term->word, index->lexicon->list[topic].stem) == 0)
		return SUBJECT_CLEAR | SUBJECT_NAMED;
	return term->meaning.subject_count > 1 || term->meaning.common
		? 0
		: SUBJECT_CLEAR;
}

/* Returns its term. */
static size_t
add_word(struct builder *b, const char *word, enum field field, double weight)
{
	struct index *index = b->index;
	const size_t *number = wv_map_find(&index->numbers, word);
	size_t n = number != NULL ? *number : new_term(b, word);
	const struct term *term = &index->terms[n];

	add_to(b, n, 1u << field, weight);
	if (field == FIELD_EXAMPLE)
		weight *= example_topic;
	for (size_t i = 0; i < term->meaning.topic_count; i++) {
		size_t topic = term->meaning.topics[i];
		add_to(b, topic,
			1u << field | clarity(index, term, topic, field),
			weight);
	}
	return n;
}

/* To the text that was begun last. */
static void
add_to_text(struct builder *b, size_t term)
{
	struct texts *texts = &b->index->texts;

	if (b->growing[term].text == texts->count)
		return;
	b->growing[term].text = texts->count;
	texts_add(texts, term);
}

static void
read_text(struct builder *b, const char *text, size_t n, bool keep_stop_words)
{
	wv_tokenize(&b->tokens, &b->scratch, text,
		n < FIELD_MAX_BYTES ? n : FIELD_MAX_BYTES, keep_stop_words);
}

static double
weight_of(const struct wv_tokens *tokens, enum field field)
{
	const struct field_rule *rule = &field_rules[field];
	double length = 0;

	for (size_t i = 0; i < tokens->count; i++)
		length += !tokens->spans[i].whole; /* its parts are counted */
	return rule->weight / (1 - rule->b + rule->b * length / rule->usual);
}

/* All that was read is one field.  in_text: of the text begun last, too. */
static void
end_field(struct builder *b, enum field field, bool in_text)
{
	const struct wv_tokens *tokens = &b->tokens;
	double weight = weight_of(tokens, field);

	for (size_t i = 0; i < tokens->count; i++) {
		size_t term = add_word(b, tokens->words[i], field, weight);
		if (in_text)
			add_to_text(b, term);
	}
	b->tokens.count = 0;
}

/* Each is a text of its own, and no pair is of two. */
static void
end_examples(struct builder *b)
{
	const struct wv_tokens *tokens = &b->tokens;
	double weight = weight_of(tokens, FIELD_EXAMPLE);
	uint32_t begun = 0;

	for (size_t i = 0; i < tokens->count; i++) {
		const char *word = tokens->words[i], *pair;
		while (begun < b->example_count && b->examples[begun] == i)
			texts_begin(&b->index->texts, b->tool, ++begun);
		add_to_text(b, add_word(b, word, FIELD_EXAMPLE, weight));
		if (begun < b->example_count && b->examples[begun] == i + 1)
			continue;
		pair = index_pair(&b->scratch, tokens, i);
		if (pair != NULL)
			add_word(b, pair, FIELD_EXAMPLE, weight);
	}
	b->tokens.count = b->example_count = 0;
}

static void
add_text(struct builder *b, const char *text, size_t n, enum field field,
	bool in_text)
{
	read_text(b, text, n, false);
	if (b->tokens.count == 0 && (1 << field & TELLING) != 0)
		read_text(b, text, n, true);
	end_field(b, field, in_text);
}

static void
add_tags(struct builder *b, const cJSON *tags)
{
	wv_json_each(tag, tags)
		read_text(b, tag->valuestring, (size_t)tag->valueint, false);
	end_field(b, FIELD_TAG, false);
}

static void
add_examples(struct builder *b, const cJSON *examples)
{
	wv_json_each(example, examples) {
		b->examples = wv_list_room(
			b->examples, b->example_count, sizeof(*b->examples));
		b->examples[b->example_count++] = b->tokens.count;
		read_text(b, example->valuestring, (size_t)example->valueint,
			false);
	}
	end_examples(b);
}

static void
read_arguments(
	struct builder *b, const cJSON *schema, size_t depth, size_t *left)
{
	if (depth == ARGUMENTS_DEPTH)
		return;
	wv_json_each(property, wv_get(schema, "properties")) {
		const char *text = wv_get_string(property, "description");
		if (*left == 0)
			return;
		--*left;
		read_text(b, property->string, strlen(property->string), false);
		if (text != NULL)
			read_text(b, text, strlen(text), false);
		read_arguments(b, property, depth + 1, left);
		read_arguments(b, wv_get(property, "items"), depth + 1, left);
	}
}

static void
add_arguments(struct builder *b, const cJSON *schema)
{
	size_t left = ARGUMENTS_MAX;

	read_arguments(b, schema, 0, &left);
	end_field(b, FIELD_ARGUMENT, false);
}

static void
add_tool(struct builder *b, const struct wv_capability *c)
{
	const char *dot = strrchr(c->id, '.');
	const char *last = dot != NULL && dot[1] != '\0' ? dot + 1 : c->id;
	size_t namespace = (size_t)(last - c->id);
	bool bare = wv_count(c->examples) == 0;

	b->tool_first = b->count;
	if (bare)
		texts_begin(&b->index->texts, b->tool, 0);
	add_text(b, c->name, strlen(c->name), FIELD_NAME, bare);
	add_text(b, c->description, strlen(c->description), FIELD_DESCRIPTION,
		bare);
	add_text(b, c->id, namespace, FIELD_NAMESPACE, false);
	add_text(b, last, strlen(last), FIELD_ID, false);
	add_tags(b, c->tags);
	add_examples(b, c->examples);
	add_arguments(b, c->input_schema);
	names_add(&b->index->names, b->tool, c->name, c->id);
}

/* Entries in the order of tools to postings in the order of terms. */
static void
sort_postings(struct builder *b)
{
	struct index *index = b->index;
	size_t at = 0;

	index->postings = wv_xcalloc(b->count + 1, sizeof(*index->postings));
	for (size_t i = 0; i < b->count; i++)
		index->terms[b->entries[i].term].count++;
	for (size_t i = 0; i < index->term_count; i++) {
		index->terms[i].first = at;
		at += index->terms[i].count;
		index->terms[i].count = 0;
	}
	for (size_t i = 0; i < b->count; i++) {
		struct term *term = &index->terms[b->entries[i].term];
		index->postings[term->first + term->count++] =
			b->entries[i].posting;
	}
}

/* A word of a name or a description that tells tools apart. */
static bool
is_distinctive(const struct index *index, const struct entry *entry)
{
	return (entry->posting.fields &
		       (1 << FIELD_NAME | 1 << FIELD_DESCRIPTION)) != 0 &&
		index->terms[entry->term].distinctive;
}

static bool
rarer(const void *arg, uint32_t a, uint32_t b)
{
	const struct term *terms = arg;

	if (terms[a].count != terms[b].count)
		return terms[a].count < terms[b].count;
	return strcmp(terms[a].word, terms[b].word) < 0;
}

static void
find_similar(struct builder *b)
{
	struct index *index = b->index;
	size_t tools = index->catalog->count, n = 0, tool = 0;
	struct similar_words words = {
		.words = wv_xcalloc(b->count + 1, sizeof(*words.words)),
		.first = wv_xcalloc(tools + 1, sizeof(*words.first)),
		.count = index->term_count,
		.rarer = rarer,
		.arg = index->terms,
	};

	for (size_t i = 0; i < b->count; i++) {
		const struct entry *entry = &b->entries[i];
		while (tool < entry->posting.tool)
			words.first[++tool] = n;
		if (is_distinctive(index, entry))
			words.words[n++] = (uint32_t)entry->term;
	}
	while (tool < tools)
		words.first[++tool] = n;
	similar_build(&index->similar, index->catalog, &words);
	free(words.words);
	free(words.first);
}

void
index_build(struct index *index, const struct wv_catalog *catalog)
{
	struct builder b = { .index = index };

	*index = (struct index){ .catalog = catalog, .lexicon = wv_lexicon() };
	for (size_t i = 0; i < index->lexicon->topics; i++)
		add_term(&b, NULL, (struct wv_meaning){ 0 });
	names_init(&index->names, catalog->count);
	for (size_t i = 0; i < catalog->count; i++) {
		b.tool = (uint32_t)i;
		add_tool(&b, &catalog->items[i]);
		wv_arena_reset(&b.scratch);
		b.tokens = (struct wv_tokens){ 0 };
	}
	sort_postings(&b);
	texts_finish(&index->texts, index->term_count);
	index_weigh(index);
	find_similar(&b);
	free(b.entries);
	free(b.growing);
	free(b.examples);
	wv_arena_free(&b.scratch);
}

void
index_free(struct index *index)
{
	wv_map_free(&index->numbers);
	names_free(&index->names);
	texts_free(&index->texts);
	free(index->terms);
	free(index->postings);
	similar_free(&index->similar);
	wv_arena_free(&index->arena);
}
