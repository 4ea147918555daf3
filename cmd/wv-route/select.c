/* SPDX-License-Identifier: Apache-2.0 */
#include "select.h"

#include "decision.h"
#include "contract/record.h"

#include <string.h>

/* The items of a decision whose member `key` is `value`. */
struct matches {
	const cJSON *item, *card; /* the first */
	size_t count;
};

static struct matches
find(const cJSON *decision, const char *key, const char *value)
{
	struct matches m = { 0 };

	wv_json_each(card, wv_get(decision, "choice_cards"))
		wv_json_each(item, wv_get(card, "items")) {
			const char *have = wv_get_string(item, key);
			if (have == NULL || strcmp(have, value) != 0)
				continue;
			if (m.count++ == 0) {
				m.item = item;
				m.card = card;
			}
		}
	return m;
}

/* NULL-terminated, in the arena: the values of key that could be chosen. */
static const char **
list(struct wv_arena *arena, const cJSON *decision, const char *key)
{
	const char **values;
	size_t n = 0;

	wv_json_each(card, wv_get(decision, "choice_cards"))
		n += wv_count(wv_get(card, "items"));
	values = wv_alloc(arena, (n + 1) * sizeof(*values));
	n = 0;
	wv_json_each(card, wv_get(decision, "choice_cards"))
		wv_json_each(item, wv_get(card, "items")) {
			const char *value = wv_get_string(item, key);
			if (value != NULL)
				values[n++] = value;
		}
	values[n] = NULL;
	return values;
}

static int
refuse(struct wv_arena *arena, const cJSON *decision, const char *key,
	const char *value, struct wv_err *err)
{
	const char **values = list(arena, decision, key);
	const char *near = wv_nearest(value, values);
	struct wv_str all = { 0 };

	if (near != NULL)
		return wv_err_set(err,
			"\"%s\" is not among the choices, did you mean \"%s\"?",
			value, near);
	for (size_t i = 0; values[i] != NULL && i < RANK_MAX; i++)
		wv_str_fmt(&all, "%s%s", i > 0 ? ", " : "", values[i]);
	wv_err_set(err, "\"%s\" is not among the choices: %s", value,
		all.n > 0 ? all.s : "there are none");
	wv_str_free(&all);
	return -1;
}

static int
select_by(struct wv_arena *arena, cJSON *decision, const char *key,
	const char *value, struct wv_err *err)
{
	struct matches m = find(decision, key, value);

	if (m.count == 0)
		return refuse(arena, decision, key, value, err);
	if (m.count > 1)
		return wv_err_set(err, "\"%s\" is ambiguous: %zu items have it",
			value, m.count);
	decision_select(arena, decision, wv_get_string(m.item, "id"),
		wv_get_string(m.card, "id"));
	return 0;
}

int
select_choose(struct wv_arena *arena, cJSON *decision, const char *choice,
	struct wv_err *err)
{
	static const char space[] = " \t\r\n";
	const cJSON *card = wv_get(decision, "choice_cards")->child;
	size_t n;

	choice += strspn(choice, space);
	n = strlen(choice);
	while (n > 0 && strchr(space, choice[n - 1]) != NULL)
		n--;
	choice = wv_dupn(arena, choice, n);
	if (strcmp(choice, "top") == 0) {
		struct matches named = find(decision, "id", choice);
		choice = wv_get_string(wv_get(card, "items")->child, "id");
		if (named.count > 0 && strcmp(choice, "top") != 0)
			return wv_err_set(err,
				"\"top\" is ambiguous: an item that is not "
				"the first is called so");
	}
	return select_by(arena, decision, "id", choice, err);
}

int
select_pin(struct wv_arena *arena, cJSON *decision, const char *capability_id,
	struct wv_err *err)
{
	return select_by(arena, decision, "capability_id", capability_id, err);
}

bool
select_is_no_match(const cJSON *decision)
{
	struct wv_selection selection;

	wv_selection_read(&selection, decision);
	return selection.end == WV_SELECTED_NO_MATCH;
}
