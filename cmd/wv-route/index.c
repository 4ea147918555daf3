/* SPDX-License-Identifier: Apache-2.0 */
#include "index.h"

#include "text/token.h"

#include <stdlib.h>
#include <string.h>

/* Words behind this many bytes of a field are not found: a text that long
 * describes nothing. */
enum { FIELD_MAX = 16384 };

/* A posting while they still stand in the order of the tools. */
struct entry {
	size_t term;
	struct posting posting;
};

struct builder {
	struct index *index;
	struct wv_arena scratch; /* of one tool */
	uint32_t tool;
	struct entry *entries;
	size_t count, cap;
	size_t tool_first; /* the tool's first entry */
	size_t *newest;    /* by term: its newest entry */
	size_t newest_cap;
};

static void
add_entry(struct builder *b, size_t term, uint32_t weight, bool telling)
{
	if (b->count == b->cap) {
		b->cap = b->cap ? b->cap * 2 : 1024;
		b->entries =
			wv_xrealloc(b->entries, b->cap * sizeof(*b->entries));
	}
	b->newest[term] = b->count;
	b->entries[b->count++] =
		(struct entry){ term, { b->tool, weight, telling } };
}

static void
add_word(struct builder *b, const char *word, uint32_t weight, bool telling)
{
	struct index *index = b->index;
	const size_t *number = wv_map_find(&index->numbers, word);
	size_t known = index->numbers.count;

	if (number != NULL && b->newest[*number] >= b->tool_first) {
		struct posting *p = &b->entries[b->newest[*number]].posting;
		p->weight += weight;
		p->telling |= telling;
		return;
	}
	if (number == NULL) {
		word = wv_dup(&index->arena, word);
		number = wv_map_add(&index->numbers, word, known);
		if (known == b->newest_cap) {
			b->newest_cap = known ? known * 2 : 1024;
			b->newest = wv_xrealloc(
				b->newest, b->newest_cap * sizeof(*b->newest));
		}
	}
	add_entry(b, *number, weight, telling);
}

static void
add_text(struct builder *b, const char *text, size_t n, uint32_t weight,
	bool telling)
{
	struct wv_tokens tokens = { 0 };

	if (n > FIELD_MAX)
		n = FIELD_MAX;
	wv_tokenize(&tokens, &b->scratch, text, n, false);
	if (tokens.count == 0 && telling)
		wv_tokenize(&tokens, &b->scratch, text, n, true);
	for (size_t i = 0; i < tokens.count; i++) {
		add_word(b, tokens.words[i], weight, telling);
		if (!tokens.spans[i].whole) /* its parts were counted */
			b->index->lengths[b->tool] += weight;
	}
}

static void
add_list(struct builder *b, const cJSON *list, uint32_t weight)
{
	wv_json_each(item, list)
		add_text(b, item->valuestring, (size_t)item->valueint, weight,
			true);
}

/* Both ways a tool can be called by: entries 2 * tool + 1 and + 2. */
static void
add_name(struct builder *b, const char *name, uint32_t entry)
{
	struct index *index = b->index;
	char *key = index_name(&index->arena, name);
	size_t *first = wv_map_add(&index->names, key, 0);

	index->next_named[entry] = (uint32_t)*first;
	*first = entry;
}

static void
add_tool(struct builder *b, const struct wv_capability *c)
{
	const char *dot = strrchr(c->id, '.');
	const char *last = dot != NULL && dot[1] != '\0' ? dot + 1 : c->id;
	const cJSON *properties = wv_get(c->input_schema, "properties");

	b->tool_first = b->count;
	add_text(b, c->name, strlen(c->name), 3, true);
	add_text(b, c->id, (size_t)(last - c->id), 1, false);
	add_text(b, last, strlen(last), 1, true);
	add_text(b, c->description, strlen(c->description), 1, false);
	add_list(b, c->tags, 2);
	add_list(b, c->examples, 1);
	wv_json_each(property, properties)
		add_text(b, property->string, strlen(property->string), 1,
			false);
	add_name(b, c->name, 2 * b->tool + 1);
	add_name(b, c->id, 2 * b->tool + 2);
}

/* Entries in the order of tools to postings in the order of terms. */
static void
sort_postings(struct builder *b)
{
	struct index *index = b->index;
	size_t n = index->numbers.count, at = 0;

	index->terms = wv_xcalloc(n + 1, sizeof(*index->terms));
	index->postings = wv_xcalloc(b->count + 1, sizeof(*index->postings));
	for (size_t i = 0; i < b->count; i++)
		index->terms[b->entries[i].term].count++;
	for (size_t i = 0; i < n; i++) {
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

void
index_build(struct index *index, const struct wv_catalog *catalog)
{
	struct builder b = { .index = index };
	uint64_t sum = 0;

	*index = (struct index){ .catalog = catalog };
	index->lengths =
		wv_xcalloc(catalog->count + 1, sizeof(*index->lengths));
	index->next_named =
		wv_xcalloc(2 * catalog->count + 3, sizeof(*index->next_named));
	for (size_t i = 0; i < catalog->count; i++) {
		b.tool = (uint32_t)i;
		add_tool(&b, &catalog->items[i]);
		sum += index->lengths[i];
		wv_arena_reset(&b.scratch);
	}
	index->average = sum > 0 ? (double)sum / (double)catalog->count : 1;
	sort_postings(&b);
	free(b.entries);
	free(b.newest);
	wv_arena_free(&b.scratch);
}

void
index_free(struct index *index)
{
	wv_map_free(&index->numbers);
	wv_map_free(&index->names);
	free(index->terms);
	free(index->postings);
	free(index->lengths);
	free(index->next_named);
	wv_arena_free(&index->arena);
}

char *
index_name(struct wv_arena *arena, const char *text)
{
	static const char space[] = " \t\r\n";
	size_t n;
	char *name;

	text += strspn(text, space);
	n = strlen(text);
	while (n > 0 && strchr(space, text[n - 1]) != NULL)
		n--;
	name = wv_dupn(arena, text, n);
	for (char *p = name; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p |= 0x20;
	return name;
}
