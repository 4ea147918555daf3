/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a text within budgets. */
#include "firewall/bound-internal.h"

#include <string.h>

/* Appends up to `most` lines that begin at *s to an array. */
static void
push_lines(struct wv_attempt *a, cJSON *lines, const struct wv_place *place,
	const char *s, const char *end, size_t most)
{
	struct wv_place here = { place, NULL, 0 };

	for (; s < end && here.index < most && !a->full; here.index++) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf ? lf : end;
		size_t n = (size_t)(stop - s);
		cJSON *line = wv_bound_string(a, s, n, &here);
		wv_push(lines, line ? line : wv_json_stringn(a->arena, s, n));
		s = lf ? lf + 1 : end;
	}
}

static const char *
last_lines(const char *s, const char *end, size_t count)
{
	if (end > s && end[-1] == '\n')
		end--;
	while (count-- > 0 && end != NULL && end > s)
		end = memrchr(s, '\n', (size_t)(end - s));
	return end != NULL ? end + 1 : s;
}

static cJSON *
make_text(struct wv_attempt *a, const void *from)
{
	const struct wv_content *content = from;
	const char *s = content->text.s ? content->text.s : "";
	const char *end = s + content->text.n;
	cJSON *to = wv_json_object(a->arena);
	struct wv_place root = { 0 }, head = { &root, "lines", 0 },
			tail = { &root, "last_lines", 0 };
	size_t count = wv_line_count(s, content->text.n), rows = a->most.rows;
	bool is_whole = content->seen == 0;
	size_t last = is_whole && count > rows ? rows / 2 : 0;
	size_t first = count < rows ? count : rows - last;
	cJSON *lines = wv_put(a->arena, to, "lines", wv_json_array(a->arena));

	wv_bound_meet(&a->met.rows, count < rows ? count : rows);
	push_lines(a, lines, &head, s, end, first);
	wv_put(a->arena, to, "line_count",
		wv_json_int(a->arena, (int64_t)(is_whole ? count : first)));
	if (count <= rows)
		return to;
	wv_bound_note(a, WV_CUT_ITEMS, &head, rows, count);
	if (!is_whole)
		return to;
	lines = wv_put(a->arena, to, "last_lines", wv_json_array(a->arena));
	push_lines(a, lines, &tail, last_lines(s, end, last), end, last);
	return to;
}

static void
note_beginning(struct wv_arena *arena, const struct wv_content *content,
	struct wv_findings *findings)
{
	wv_bound_add_cut(arena, findings,
		wv_printf(arena,
			"output: only the first %zu of %zu bytes were looked "
			"at",
			content->seen, content->size));
}

cJSON *
wv_bound_text(struct wv_arena *arena, const struct wv_content *content,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers)
{
	if (content->seen > 0)
		note_beginning(arena, content, findings);
	return wv_bound(
		arena, make_text, content, options, findings, cut_pointers);
}

size_t
wv_line_count(const char *s, size_t n)
{
	size_t lines = 0;

	for (const char *end = s + n; s < end; lines++) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		s = lf ? lf + 1 : end;
	}
	return lines;
}
