/* SPDX-License-Identifier: Apache-2.0 */
/* From pointers, and offsets in clean text, to lines and columns. */
#include "judge.h"

#include "firewall/clean.h"
#include "json/utf8.h"

#include <stdlib.h>
#include <string.h>

/* The text that offsets and pointers are about. */
struct view {
	const char *s;
	size_t n;
	struct wv_str clean;
	struct wv_clean_map map;
};

static void
open_view(struct view *v, const struct piece *piece, bool is_cleaned)
{
	struct wv_findings ignored = { 0 };

	*v = (struct view){ .s = piece->raw, .n = piece->len };
	if (!is_cleaned)
		return;
	wv_clean_mapped(&v->clean, piece->raw, piece->len, &ignored, &v->map);
	memset(wv_str_room(&v->clean, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	v->s = v->clean.s;
	v->n = v->clean.n;
}

static void
close_view(struct view *v)
{
	wv_str_free(&v->clean);
	wv_clean_map_free(&v->map);
}

/* Those of one document, which begins at an offset of the view. */
static void
locate(struct finding **found, size_t count, const struct view *v, size_t from,
	size_t n)
{
	const char **pointers = wv_xcalloc(count, sizeof *pointers);
	size_t *places = wv_xcalloc(count, sizeof *places);

	for (size_t i = 0; i < count; i++)
		pointers[i] = found[i]->pointer;
	wv_json_locate_all(v->s + from, n, pointers, count, places);
	for (size_t i = 0; i < count; i++) {
		found[i]->offset = from + places[i];
		found[i]->end = found[i]->offset + 1;
	}
	free(pointers);
	free(places);
}

/* The number of the line of JSON lines, which the pointer is rid of. */
static size_t
take_index(struct finding *f)
{
	char *end = NULL;
	size_t index = 0;

	if (f->pointer[0] == '/') {
		index = strtoul(f->pointer + 1, &end, 10);
		f->pointer = end;
	}
	return index;
}

static int
by_offset(const void *a, const void *b)
{
	const struct finding *x = *(struct finding *const *)a;
	const struct finding *y = *(struct finding *const *)b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return strcmp(x->kind, y->kind);
}

static void
sort(struct finding **found, size_t count)
{
	qsort(found, count, sizeof *found, by_offset);
}

/* Blank lines are not counted by pointers. */
static void
locate_in_lines(struct finding **found, size_t count, const struct view *v)
{
	size_t at = 0, index = 0, i = 0;

	for (size_t k = 0; k < count; k++)
		found[k]->offset = take_index(found[k]);
	sort(found, count);
	while (at < v->n && i < count) {
		const char *s = v->s + at;
		const char *lf = memchr(s, '\n', v->n - at);
		size_t n = lf != NULL ? (size_t)(lf - s) : v->n - at, end = i;
		if (n > 0) {
			while (end < count && found[end]->offset == index)
				end++;
			if (end > i)
				locate(found + i, end - i, v, at, n);
			i = end;
			index++;
		}
		at += n + (lf != NULL);
	}
}

static void
to_raw(struct finding **found, size_t count, const struct view *v)
{
	for (size_t i = 0; i < count; i++) {
		struct finding *f = found[i];
		size_t last = f->end > f->offset ? f->end - 1 : f->offset;
		f->offset = wv_clean_raw(&v->map, f->offset);
		f->end = wv_clean_raw(&v->map, last) + 1;
	}
}

/* What a mark stands for may be shorter than it, so that a place within one is
 * behind the end. */
static void
clamp(struct finding *f, size_t n)
{
	if (f->offset >= n)
		f->offset = n > 0 ? n - 1 : 0;
	if (f->end <= f->offset || f->end > n)
		f->end = f->offset + 1;
}

static size_t
count_lines(const char *s, const char *end)
{
	size_t lines = 0;

	while (s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		lines++;
		s++;
	}
	return lines;
}

/* One pass over the text, since they are sorted. */
static void
count_places(struct finding **found, size_t count, const struct piece *piece)
{
	const char *s = piece->raw, *line = s, *at = s;
	size_t number = piece->first_line, character = 1;

	for (size_t i = 0; i < count; i++) {
		struct finding *f = found[i];
		const char *to = s + f->offset;
		size_t lines = count_lines(at, to);
		if (lines > 0) {
			number += lines;
			line = (const char *)memrchr(s, '\n', f->offset) + 1;
			at = line;
			character = 1;
		}
		character += wv_utf8_count_n(at, (size_t)(to - at));
		at = to;
		f->line = number;
		f->column = (size_t)(to - line) + 1;
		f->character = character;
		f->last_line = number + count_lines(to, s + f->end - 1);
	}
}

void
place_findings(struct finding **found, size_t count, const struct piece *piece,
	enum wv_form form, bool is_cleaned)
{
	size_t seen = 0; /* in the view; the others in the raw bytes alone */
	struct view v;

	for (size_t i = 0; i < count; i++) {
		struct finding *f = found[i];
		if (f->is_raw)
			continue;
		found[i] = found[seen];
		found[seen++] = f;
	}
	open_view(&v, piece, is_cleaned);
	if (form == WV_FORM_JSON && seen > 0)
		locate(found, seen, &v, 0, v.n);
	else if (form == WV_FORM_JSON_LINES)
		locate_in_lines(found, seen, &v);
	to_raw(found, seen, &v);
	close_view(&v);
	for (size_t i = 0; i < count; i++)
		clamp(found[i], piece->len);
	sort(found, count);
	count_places(found, count, piece);
}
