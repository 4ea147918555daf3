/* SPDX-License-Identifier: Apache-2.0 */
#include "synonyms.h"

#include "base/file.h"
#include "json/utf8.h"
#include "text/token.h"

#include <stdlib.h>
#include <string.h>

static void
add_synonym(struct synonyms *synonyms, struct wv_arena *arena, const char *from,
	const char *to)
{
	size_t *number = wv_map_add(&synonyms->numbers, from, synonyms->count);
	struct synonym_list *list;

	if (*number == synonyms->count) {
		synonyms->lists = wv_list_room(synonyms->lists, synonyms->count,
			sizeof(*synonyms->lists));
		synonyms->lists[synonyms->count++] = (struct synonym_list){
			wv_alloc(arena, SYNONYMS_LINE_MAX * sizeof(char *)), 0
		};
	}
	list = &synonyms->lists[*number];
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->words[i], to) == 0)
			return;
	if (list->count < SYNONYMS_LINE_MAX && strcmp(from, to) != 0)
		list->words[list->count++] = to;
}

/* The words between two commas or around an arrow; -1 if that is not one. */
static int
read_words(struct wv_tokens *tokens, struct wv_arena *arena, const char *line,
	size_t n, struct wv_err *err)
{
	for (size_t at = 0; at <= n;) {
		const char *comma = memchr(line + at, ',', n - at);
		size_t end = comma != NULL ? (size_t)(comma - line) : n;
		struct wv_tokens one = { 0 };
		wv_tokenize(&one, arena, line + at, end - at, true);
		if (one.count != 1)
			return wv_err_set(err, "%s between commas",
				one.count == 0 ? "no word" : "several words");
		wv_tokenize(tokens, arena, line + at, end - at, true);
		at = end + 1;
	}
	if (tokens->count > SYNONYMS_LINE_MAX)
		return wv_err_set(
			err, "more than %d words in a line", SYNONYMS_LINE_MAX);
	return 0;
}

static int
read_line(struct synonyms *synonyms, struct wv_arena *arena, const char *line,
	size_t n, struct wv_err *err)
{
	const char *arrow = memmem(line, n, "->", 2);
	struct wv_tokens from = { 0 }, to = { 0 };
	size_t left = arrow != NULL ? (size_t)(arrow - line) : n;

	if (read_words(&from, arena, line, left, err) != 0)
		return -1;
	if (arrow == NULL)
		to = from;
	else if (read_words(&to, arena, arrow + 2, n - left - 2, err) != 0)
		return -1;
	for (size_t i = 0; i < from.count; i++)
		for (size_t j = 0; j < to.count; j++)
			add_synonym(
				synonyms, arena, from.words[i], to.words[j]);
	return 0;
}

int
synonyms_load(struct synonyms *synonyms, struct wv_arena *arena,
	const char *path, struct wv_err *err)
{
	size_t n, number = 0, len;
	char *text = wv_file_read(arena, path, SYNONYMS_FILE_MAX, &n, err);

	if (text == NULL)
		return -1;
	if (wv_utf8_check(text, n) != n)
		return wv_err_at(err, path, 0, 0, "is not UTF-8");
	for (const char *line = text; line < text + n; line += len + 1) {
		struct wv_err cause = WV_ERR_INIT;
		size_t used;
		len = strcspn(line, "\n");
		used = strcspn(line, "#\n");
		number++;
		if (strspn(line, " \t\r") >= used)
			continue;
		if (read_line(synonyms, arena, line, used, &cause) != 0)
			return wv_err_at(
				err, path, number, 0, "%s", cause.text);
	}
	return 0;
}

void
synonyms_free(struct synonyms *synonyms)
{
	wv_map_free(&synonyms->numbers);
	free(synonyms->lists);
}
