/* SPDX-License-Identifier: Apache-2.0 */
#include "argv.h"

#include <string.h>

struct words {
	struct wv_arena *arena;
	char **words;
	size_t count, cap;
	bool dash_ended; /* a literal -- went before */
};

static void
push(struct words *w, const char *s, size_t n)
{
	if (w->count + 2 > w->cap) {
		size_t cap = w->cap > 0 ? 2 * w->cap : 16;
		char **grown = wv_alloc(w->arena, cap * sizeof *grown);
		if (w->count > 0)
			memcpy(grown, w->words, w->count * sizeof *grown);
		w->words = grown;
		w->cap = cap;
	}
	w->words[w->count++] = wv_dupn(w->arena, s, n);
	w->words[w->count] = NULL;
}

/* The name within `{name}`, in the arena, or NULL. */
static const char *
placeholder(struct wv_arena *arena, const char *word)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_.-";
	size_t n = word[0] == '{' ? strspn(word + 1, name) : 0;

	if (n == 0 || strcmp(word + 1 + n, "}") != 0)
		return NULL;
	return wv_dupn(arena, word + 1, n);
}

static bool
has_name(const cJSON *names, const char *name)
{
	wv_json_each(item, names) {
		if (strcmp(item->valuestring, name) == 0)
			return true;
	}
	return false;
}

static int
push_value(struct words *w, const char *name, const cJSON *value, bool may_dash,
	struct wv_err *err)
{
	struct wv_str text = { 0 };
	bool has_nul = false;
	int result = 0;

	if (wv_is_null(value))
		return 0;
	if (wv_is_string(value))
		has_nul = wv_json_bytes(value, &text);
	else
		wv_json_write(&text, value);
	if (has_nul)
		result = wv_err_set(err,
			"argument \"%s\" holds U+0000, which no command line "
			"can carry",
			name);
	else if (text.n > 0 && text.s[0] == '-' && !w->dash_ended && !may_dash)
		result = wv_err_set(err,
			"argument \"%s\" begins with \"-\": the command could "
			"take it for an option",
			name);
	else
		push(w, text.n > 0 ? text.s : "", text.n);
	wv_str_free(&text);
	return result;
}

static int
push_argument(struct words *w, const char *name, const cJSON *value,
	bool may_dash, struct wv_err *err)
{
	if (value == NULL)
		return 0;
	if (!wv_is_array(value))
		return push_value(w, name, value, may_dash, err);
	wv_json_each(item, value) {
		if (push_value(w, name, item, may_dash, err) < 0)
			return -1;
	}
	return 0;
}

char **
argv_make(struct wv_arena *arena, const cJSON *command, const cJSON *arguments,
	const cJSON *allow_dash, struct wv_err *err)
{
	struct words w = { .arena = arena };

	wv_json_each(word, command) {
		const char *name = w.count > 0
			? placeholder(arena, word->valuestring)
			: NULL;
		if (name == NULL) {
			push(&w, word->valuestring, strlen(word->valuestring));
			if (strcmp(word->valuestring, "--") == 0)
				w.dash_ended = true;
		} else if (push_argument(&w, name, wv_get(arguments, name),
				   has_name(allow_dash, name), err) < 0) {
			return NULL;
		}
	}
	return w.words;
}
