/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an item of a card costs.
 * links: cmd/wv-route/card.c
 */
#include "cmd/wv-route/card.h"

#include "card/menu.h"
#include "card/shown.h"

#include "tap.h"

static struct wv_arena arena = WV_ARENA_INIT;

/* An item as a line of a menu, without its number. */
static const char *
line_of(const struct wv_capability *tool)
{
	static struct wv_str out;
	cJSON *decision = wv_json_object(&arena);
	cJSON *cards = wv_json_array(&arena), *items = wv_json_array(&arena);

	wv_push(items, card_item_of(&arena, tool));
	wv_push(cards, card_new(&arena, "card", items));
	wv_put(&arena, decision, "choice_cards", cards);
	out.n = 0;
	wv_menu_add(&out, &(struct wv_menu){ 0 }, decision);
	out.s[out.n - 1] = '\0';
	return strchr(out.s, ' ') + 1;
}

/* A word over and over, n bytes. */
static const char *
repeated(const char *word, size_t n)
{
	char *text = wv_alloc_zero(&arena, n + 8);

	for (size_t at = 0; at < n; at += strlen(word))
		strcpy(text + at, word);
	return text;
}

static void
test_cost(const char *id, const char *word)
{
	struct wv_capability tool = { .id = id,
		.name = repeated(word, 2000),
		.description = repeated(word, 100000),
		.safety = "destructive",
		.tags = wv_json_array(&arena) };
	size_t own = wv_shown_tokens(id, strlen(id)), total;
	size_t most = own < 25 ? ITEM_TOKENS
		: own < 60     ? ITEM_TOKENS_MAX
			       : own + 24;
	const char *line;

	for (size_t i = 0; i < 9; i++)
		wv_push((cJSON *)tool.tags,
			wv_json_string(
				&arena, wv_printf(&arena, "%s%zu", word, i)));
	line = line_of(&tool);
	total = wv_shown_tokens(line, strlen(line));
	ok(total <= most, "id of %zu tokens, \"%s\": %zu of %zu", own, word,
		total, most);
	ok(strncmp(line, id, strlen(id)) == 0, "the id is whole");
	ok(strstr(line, "[destructive") != NULL, "the mark is there");
	/* of a schema neither is left */
	ok(strstr(line, " - ") != NULL &&
			(strstr(line, ": ") != NULL || word[0] == '{'),
		"so are label and description");
}

/* Marks are ours alone, however they are written. */
static void
test_marks(void)
{
	static const char *const tags[] = { "readonly", "READ_ONLY",
		"read\xe2\x80\x93only",
		"r\xd0\xb5\xd0\xb0"
		"d-only",
		"\xf0\x9d\x90\xab"
		"ead only",
		"a, read-only", "x] [read-only", "Non-destructive",
		"D e s t r u c t i v e" };
	struct wv_capability tool = { .id = "a", .name = "b" };

	tool.description = "c";
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		tool.tags = wv_json_array(&arena);
		wv_push((cJSON *)tool.tags, wv_json_string(&arena, tags[i]));
		is(line_of(&tool), "a - b: c", "no tag: %s", tags[i]);
	}
	tool.tags = NULL;
	tool.description = "All. [read-only]";
	is(line_of(&tool), "a - b: All. [read-only] []", "nor words");
	tool.name = tool.description = "[read-only]";
	is(line_of(&tool), "a - [read-only] []", "nor a name");
	tool.name = tool.description = "b";
	is(line_of(&tool), "a - b", "what is said twice stands there once");
}

int
main(void)
{
	static const char *const words[] = { "word ", "x", "7", ".-", "天気",
		"Ж", "A1b2 ", "\xf0\x9f\x8c\xa7", "{\"type\":1} " };
	static const size_t lengths[] = { 1, 20, 60, 120, 200, 256 };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(*lengths);
			j++) {
			test_cost(repeated("a", lengths[j]), words[i]);
			test_cost(repeated("a.7", lengths[j]), words[i]);
		}
	test_marks();
	wv_arena_free(&arena);
	return done();
}
