/* SPDX-License-Identifier: Apache-2.0 */
/* What of a cleaned and redacted whole is asked for. */
#include "resolve.h"

#include <string.h>

static size_t
json_length(const cJSON *node)
{
	struct wv_str json = { 0 };

	wv_json_write(&json, node);
	size_t n = json.n;
	wv_str_free(&json);
	return n;
}

/* False: it is too much. */
static bool
add_item(struct selection *to, const struct selector *selector, cJSON *item)
{
	size_t bytes = json_length(item) + 1;

	if (to->count == selector->most ||
		(to->count > 0 && to->bytes + bytes > selector->most_bytes)) {
		to->is_complete = to->has_more = true;
		return false;
	}
	wv_push(to->items, item);
	to->bytes += bytes;
	to->count++;
	return true;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool
is_alike(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lower(a[i]) != lower(b[i]))
			return false;
	return true;
}

static bool
has_text(const struct selector *selector, const char *s, size_t n)
{
	size_t length = selector->text_length;

	if (!selector->ignore_case)
		return memmem(s, n, selector->text, length) != NULL;
	for (size_t i = 0; i + length <= n; i++)
		if (lower(s[i]) == lower(*selector->text) &&
			is_alike(s + i, selector->text, length))
			return true;
	return false;
}

static bool
is_selected(const struct selection *to, const struct selector *selector,
	const char *s, size_t n)
{
	return selector->what == SELECT_GREP ? has_text(selector, s, n)
					     : to->line >= selector->first;
}

static void
add_line(struct selection *to, const struct selector *selector, const char *s,
	size_t n)
{
	cJSON *text = wv_json_stringn(to->arena, s, n), *match;

	if (selector->what == SELECT_GREP) {
		match = wv_json_object(to->arena);
		wv_put(to->arena, match, "line",
			wv_json_int(to->arena, (int64_t)to->line));
		wv_put(to->arena, match, "text", text);
		text = match;
	}
	add_item(to, selector, text);
}

/* The longest array of objects among the members, else the first array. */
static cJSON *
rows_of(cJSON *tree)
{
	cJSON *best = NULL;
	size_t most = 0;

	if (wv_is_array(tree))
		return tree;
	wv_json_each(member, wv_is_object(tree) ? tree : NULL) {
		size_t rows =
			wv_is_object(member->child) ? wv_count(member) : 0;
		if (wv_is_array(member) && (best == NULL || rows > most)) {
			best = member;
			most = rows;
		}
	}
	return best;
}

static cJSON *
with_fields(struct wv_arena *arena, const cJSON *row, const cJSON *fields)
{
	cJSON *fewer = wv_json_object(arena);

	wv_json_each(field, fields) {
		const cJSON *value = wv_get(row, field->valuestring);
		if (value != NULL)
			wv_put(arena, fewer, field->valuestring,
				wv_json_copy(arena, value));
	}
	return fewer;
}

static cJSON *
make_row(struct wv_arena *arena, const struct selector *selector,
	const cJSON *row)
{
	const cJSON *fields = selector->fields;

	return fields != NULL && wv_is_object(row)
		? with_fields(arena, row, fields)
		: wv_json_copy(arena, row);
}

static int
no_json(struct wv_err *err)
{
	return wv_err_set(err,
		"the stored output is no JSON: it is selected by head, lines "
		"or grep");
}

int
refuse_json(struct wv_err *err)
{
	return wv_err_set(err,
		"the stored output is JSON whose rows or fields are limited: "
		"it is selected by rows or pointer");
}

static bool
is_json(const char *s, size_t n)
{
	struct wv_arena arena = WV_ARENA_INIT;
	bool is = n > 0 && (*s == '{' || *s == '[') &&
		wv_json_read(&arena, s, n, &wv_json_defaults, NULL) != NULL;

	wv_arena_free(&arena);
	return is;
}

/* A line of JSON lines; what was withheld stands for itself. */
static int
add_row(struct selection *to, const struct selector *selector, const char *s,
	size_t n, struct wv_err *err)
{
	static const char withheld[] = "[WITHHELD:";
	const cJSON *row;

	if (n == 0)
		return 0;
	if (*s != '{' && *s != '[')
		return no_json(err);
	if (++to->line < selector->first)
		return 0;
	if (n >= sizeof withheld - 1 &&
		memcmp(s, withheld, sizeof withheld - 1) == 0)
		row = wv_json_stringn(to->arena, s, n);
	else
		row = wv_json_read(to->arena, s, n, &wv_json_defaults, NULL);
	if (row == NULL)
		return no_json(err);
	add_item(to, selector, make_row(to->arena, selector, row));
	return 0;
}

int
select_lines(struct selection *to, const struct selector *selector,
	const char *s, size_t n, struct wv_err *err)
{
	const char *end = s + n;

	while (s < end && !to->is_complete) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t length = (size_t)((lf ? lf : end) - s);
		if (selector->what == SELECT_ROWS) {
			if (add_row(to, selector, s, length, err) < 0)
				return -1;
		} else if (++to->line == 1 && selector->is_limited &&
			is_json(s, length)) {
			return refuse_json(err);
		} else if (to->line > selector->last) {
			to->is_complete = to->has_more = true;
		} else if (is_selected(to, selector, s, length)) {
			add_line(to, selector, s, length);
		}
		s += length + (lf != NULL);
	}
	return 0;
}

static void
add_elements(struct selection *to, const struct selector *selector,
	const cJSON *array)
{
	uint64_t skip = selector->what == SELECT_ROWS ? selector->first - 1 : 0;

	to->total = wv_count(array);
	to->has_total = true;
	wv_json_each(row, array) {
		if (skip > 0) {
			skip--;
			continue;
		}
		if (!add_item(to, selector, make_row(to->arena, selector, row)))
			return;
	}
}

int
select_tree(struct selection *to, const struct selector *selector, cJSON *tree,
	struct wv_err *err)
{
	cJSON *found;

	if (tree == NULL)
		return selector->what == SELECT_ROWS
			? no_json(err)
			: wv_err_set(err,
				  "the stored output is no JSON that can be "
				  "held: it is selected by head, lines or "
				  "grep, and JSON lines by rows");
	if (selector->what == SELECT_ROWS) {
		found = rows_of(tree);
		if (found == NULL)
			return wv_err_set(err,
				"the stored output has no rows: it is no "
				"array, nor has it one");
	} else {
		found = wv_pointer(tree, selector->pointer);
		if (found == NULL)
			return wv_err_set(err,
				"the stored output has nothing at that "
				"pointer");
	}
	if (wv_is_array(found))
		add_elements(to, selector, found);
	else
		to->value = wv_json_copy(to->arena, found);
	return 0;
}

void
selection_cut(struct selection *selection, size_t most)
{
	cJSON *kept;

	if (selection->count <= most)
		return;
	kept = wv_json_array(selection->arena);
	for (cJSON *item = selection->items->child, *next;
		item != NULL && most > 0; item = next, most--) {
		next = item->next;
		wv_push(kept, item);
	}
	selection->items = kept;
	selection->count = wv_count(kept);
	selection->has_more = true;
}

static void
put_count(const struct selection *s, cJSON *object, const char *name,
	uint64_t count)
{
	wv_put(s->arena, object, name, wv_json_int(s->arena, (int64_t)count));
}

/* What was asked for comes first: members may be cut. */
cJSON *
selection_object(const struct selection *s, const struct selector *selector)
{
	static const char *const names[] = { [SELECT_LINES] = "lines",
		[SELECT_GREP] = "matches",
		[SELECT_ROWS] = "rows",
		[SELECT_POINTER] = "items" };
	cJSON *object = wv_json_object(s->arena);

	if (s->value != NULL) {
		wv_put(s->arena, object, "value", s->value);
		return object;
	}
	wv_put(s->arena, object, names[selector->what], s->items);
	if (selector->what == SELECT_LINES)
		put_count(s, object, "first_line", selector->first);
	if (selector->what == SELECT_ROWS)
		put_count(s, object, "first_row", selector->first);
	if (s->has_total)
		put_count(s, object, "total", s->total);
	wv_put(s->arena, object, "more", wv_json_bool(s->arena, s->has_more));
	return object;
}

size_t
selection_bytes(const struct selection *s, const struct selector *selector)
{
	return json_length(selection_object(s, selector));
}

/* As deep as the reader lets a record be. */
static uint64_t
elements(const cJSON *value, size_t cap)
{
	uint64_t count = 0;
	size_t i = 0;

	wv_json_each(child, value) {
		uint64_t within = elements(child, cap);
		if (wv_is_array(value) && i++ == cap)
			break;
		count += wv_is_array(value) && within == 0 ? 1 : within;
	}
	return count;
}

uint64_t
selection_rows(const struct selection *selection, size_t cap)
{
	uint64_t rows = elements(
		selection->value != NULL ? selection->value : selection->items,
		cap);

	return rows > 0 ? rows : 1;
}
