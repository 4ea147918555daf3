/* SPDX-License-Identifier: Apache-2.0 */
#include "shape-internal.h"

#include <stdlib.h>
#include <string.h>

enum {
	EDGES_MAX = 4096, /* of all shapes; what is beyond is not learned */
	SIBLINGS_MAX = 32,
	TEXT_MAX = 4096, /* of one edge */
	DIGITS_MAX = 18,
	VAIN_MAX = 1024, /* lessons of which nothing was learned */
};

void
places_init(struct places *places)
{
	static const char *const fixed[PLACES_FIXED] = {
		[PLACE_TIME] = "/timestamp",
		[PLACE_ID] = "/event_id",
		[PLACE_TYPE] = "/event_type",
		[PLACE_OUTCOME] = "/outcome",
	};

	memcpy(places->pointers, fixed, sizeof(fixed));
	places->count = PLACES_FIXED;
}

int
places_add(struct places *places, const char *pointer)
{
	for (size_t i = 0; i < places->count; i++)
		if (strcmp(places->pointers[i], pointer) == 0)
			return (int)i;
	if (places->count == PLACES_MAX)
		return -1;
	places->pointers[places->count] = pointer;
	return (int)places->count++;
}

struct shapes *
shapes_new(const struct places *places, const struct wv_json_limits *limits)
{
	struct shapes *shapes = wv_xcalloc(1, sizeof(*shapes));

	shapes->places = places;
	shapes->max_digits = limits->max_digits < DIGITS_MAX
		? limits->max_digits
		: DIGITS_MAX;
	return shapes;
}

void
shapes_free(struct shapes *shapes)
{
	wv_arena_free(&shapes->arena);
	free(shapes);
}

/* What is learned of a line: edges that are there already are gone along. */
struct lesson {
	struct shapes *shapes;
	struct edge **at;          /* where the next text belongs */
	size_t places[PLACES_MAX]; /* in the line; its length: nowhere */
	struct place found[PLACES_MAX];
	size_t values;
};

static struct edge *
find_edge(struct edge *edge, const char *text, size_t n, enum ends ends,
	size_t *siblings)
{
	for (*siblings = 0; edge != NULL; edge = edge->next, ++*siblings)
		if (edge->n == n && edge->ends == ends &&
			memcmp(edge->text, text, n) == 0)
			return edge;
	return NULL;
}

/* False if there is no room for it. */
static bool
go_along(struct lesson *lesson, const char *text, size_t n, enum ends ends)
{
	struct shapes *shapes = lesson->shapes;
	size_t siblings;
	struct edge *edge = find_edge(*lesson->at, text, n, ends, &siblings);

	if (edge == NULL) {
		if (siblings == SIBLINGS_MAX || n > TEXT_MAX ||
			shapes->edge_count == EDGES_MAX)
			return false;
		edge = wv_alloc_zero(
			&shapes->arena, sizeof(*edge) + n + WV_JSON_SLACK);
		memcpy(edge->text, text, n);
		edge->n = (uint32_t)n;
		edge->ends = ends;
		while (*lesson->at != NULL)
			lesson->at = &(*lesson->at)->next;
		*lesson->at = shapes->last = edge;
		shapes->edge_count++;
	}
	lesson->at = &edge->after;
	return true;
}

/* The places that lead to a value; whether it is one of those whose value
 * belongs to the text. */
static bool
note_value(struct lesson *lesson, size_t offset, bool is_number)
{
	bool is_word = false;

	for (size_t i = 0; i < lesson->shapes->places->count; i++) {
		if (lesson->places[i] != offset)
			continue;
		is_word |= i == PLACE_TYPE || i == PLACE_OUTCOME;
		if (!is_word)
			lesson->found[i] = (struct place){
				.value = (int)lesson->values,
				.is_number = is_number,
			};
	}
	return is_word;
}

/* A value at an offset, from text on; *text is then where it ends. */
static bool
add_value(struct lesson *lesson, const char *line, size_t offset, size_t end,
	size_t *text, bool is_number)
{
	bool is_word = note_value(lesson, offset, is_number);
	size_t begin = offset + !is_number;
	enum ends ends = is_word ? ENDS_WORD
		: is_number      ? ENDS_NUMBER
				 : ENDS_STRING;

	if ((!is_word && lesson->values++ == SHAPE_VALUES) ||
		!go_along(lesson, line + *text, begin - *text, ends))
		return false;
	*text = is_word ? begin : end;
	return true;
}

static size_t
number_length(const char *p)
{
	return strspn(p, "+-.0123456789eE");
}

static bool
add_line(struct lesson *lesson, const char *line, size_t len)
{
	size_t text = 0, i = 0;

	while (i < len) {
		size_t end = i + 1;
		if (line[i] == '"') {
			end = (size_t)((char *)memchr(
					       line + end, '"', len - end) -
				line);
			size_t behind = end + 1;
			behind += strspn(line + behind, " \t\r");
			if (line[behind] != ':' &&
				!add_value(lesson, line, i, end, &text, false))
				return false;
			end++;
		} else if (strchr("-0123456789", line[i]) != NULL) {
			end = i + number_length(line + i);
			if (!add_value(lesson, line, i, end, &text, true))
				return false;
		}
		i = end;
	}
	return go_along(lesson, line + text, len - text, ENDS_LINE);
}

/* What is there and is no value of its own in lines of the shape. */
static bool
know_places(
	struct lesson *lesson, const char *line, size_t len, const cJSON *event)
{
	const struct places *places = lesson->shapes->places;

	wv_json_locate_all(
		line, len, places->pointers, places->count, lesson->places);
	for (size_t i = 0; i < places->count; i++) {
		const cJSON *node = wv_pointer(event, places->pointers[i]);
		if (wv_is_object(node) || wv_is_array(node))
			return false;
		if (node == NULL)
			lesson->places[i] = len;
		lesson->found[i] = (struct place){
			.value = node == NULL ? VALUE_NONE : VALUE_NODE,
			.node = node,
		};
	}
	return true;
}

static struct shape *
make_shape(struct lesson *lesson)
{
	struct wv_arena *arena = &lesson->shapes->arena;
	size_t count = lesson->shapes->places->count;
	struct shape *shape =
		wv_alloc(arena, sizeof(*shape) + count * sizeof(struct place));

	shape->count = count;
	memcpy(shape->places, lesson->found, count * sizeof(struct place));
	for (size_t i = 0; i < count; i++)
		if (shape->places[i].value == VALUE_NODE)
			shape->places[i].node =
				wv_json_copy(arena, shape->places[i].node);
	return shape;
}

bool
shapes_are_full(const struct shapes *shapes)
{
	return shapes->vain == VAIN_MAX;
}

void
shapes_learn(
	struct shapes *shapes, const char *line, size_t len, const cJSON *event)
{
	struct lesson lesson = { .shapes = shapes, .at = &shapes->first };
	size_t before = shapes->edge_count;

	if (shapes_are_full(shapes) || memchr(line, '\\', len) != NULL ||
		!know_places(&lesson, line, len, event) ||
		!add_line(&lesson, line, len) || shapes->edge_count == before) {
		shapes->vain += shapes->vain < VAIN_MAX;
		return;
	}
	shapes->last->shape = make_shape(&lesson);
}
