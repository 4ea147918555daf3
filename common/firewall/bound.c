/* SPDX-License-Identifier: Apache-2.0 */
/* Structured data within budgets: what is too much is left out and said. */
#include "firewall/internal.h"

#include "text/count.h"

#include <string.h>

enum {
	MAX_NOTED = 100,
	MAX_POINTERS = 2048, /* bytes of all that are noted */
};

enum cut_kind {
	CUT_ITEMS,
	CUT_MEMBERS,
	CUT_DEEP,
	CUT_STRING,
	CUT_KINDS,
};

struct cut {
	size_t count;
	const char *where; /* of the first */
	size_t kept, total;
};

struct bounds {
	size_t rows, fields, depth, bytes; /* bytes of a string */
};

/* One attempt to stay within the bounds.  It ends early once it is clear that
 * the budget does not suffice, so none costs much more than the budget. */
struct attempt {
	struct wv_arena *arena;
	struct bounds most;
	size_t left; /* bytes of the budget */
	bool full;
	struct cut cuts[CUT_KINDS];
	cJSON *noted; /* pointers to what was cut */
	size_t noted_count, noted_bytes;
};

static void
spend(struct attempt *a, size_t bytes)
{
	a->full = a->full || bytes > a->left;
	a->left -= a->full ? 0 : bytes;
}

/* True for the first of its kind, which is told in full. */
static bool
note(struct attempt *a, enum cut_kind kind, const struct wv_place *place)
{
	struct cut *cut = &a->cuts[kind];

	if (cut->count++ > 0 && a->noted_count == MAX_NOTED)
		return false;
	const char *pointer = wv_place_pointer(a->arena, place);
	a->noted_bytes += strlen(pointer);
	if (a->noted_bytes > MAX_POINTERS)
		a->noted_count = MAX_NOTED;
	if (a->noted_count < MAX_NOTED) {
		wv_push(a->noted, wv_json_string(a->arena, pointer));
		a->noted_count++;
	}
	if (cut->count > 1)
		return false;
	cut->where = pointer;
	return true;
}

static void
note_cut(struct attempt *a, enum cut_kind kind, const struct wv_place *place,
	size_t kept, size_t total)
{
	if (note(a, kind, place)) {
		a->cuts[kind].kept = kept;
		a->cuts[kind].total = total;
	}
}

/* The same for a container, counted only when that is told. */
static void
note_members(struct attempt *a, enum cut_kind kind,
	const struct wv_place *place, size_t kept, const cJSON *of)
{
	if (note(a, kind, place)) {
		a->cuts[kind].kept = kept;
		a->cuts[kind].total = wv_count(of);
	}
}

/* What of a text is left if it has more than the bytes allowed; else NULL. */
static const char *
bound_text(struct attempt *a, const char *s, size_t n, size_t *kept)
{
	*kept = n <= a->most.bytes ? n : wv_text_cut(s, n, a->most.bytes);
	spend(a, *kept + 2);
	return *kept == n ? NULL : wv_printf(a->arena, "%.*s…", (int)*kept, s);
}

/* A longer string cut, else NULL. */
static cJSON *
bound_string(struct attempt *a, const char *s, size_t n,
	const struct wv_place *place)
{
	size_t kept;
	const char *text = bound_text(a, s, n, &kept);

	if (text == NULL)
		return NULL;
	note_cut(a, CUT_STRING, place, kept, n);
	return wv_json_string(a->arena, text);
}

/* The same without its place; what it says is not copied. */
static cJSON *
share(struct attempt *a, const cJSON *from)
{
	cJSON *to = wv_alloc(a->arena, sizeof(*to));

	*to = *from;
	to->next = to->prev = NULL;
	to->string = NULL;
	return to;
}

static cJSON *bound_value(struct attempt *a, const cJSON *from,
	const struct wv_place *place, size_t depth);

static cJSON *
bound_array(struct attempt *a, const cJSON *from, const struct wv_place *place,
	size_t depth)
{
	cJSON *to = wv_json_array(a->arena);
	struct wv_place here = { place, NULL, 0 };

	wv_json_each(item, from) {
		if (here.index == a->most.rows) {
			note_members(a, CUT_ITEMS, place, here.index, from);
			break;
		}
		wv_push(to, bound_value(a, item, &here, depth + 1));
		if (a->full)
			break;
		here.index++;
	}
	return to;
}

static cJSON *
bound_object(struct attempt *a, const cJSON *from, const struct wv_place *place,
	size_t depth)
{
	cJSON *to = wv_json_object(a->arena);
	bool names_cut = false;
	size_t members = 0, kept;

	wv_json_each(member, from) {
		struct wv_place here = { place, member->string, 0 };
		size_t n = strlen(member->string);
		if (members++ == a->most.fields) {
			note_members(a, CUT_MEMBERS, place, members - 1, from);
			break;
		}
		cJSON *value = bound_value(a, member, &here, depth + 1);
		const char *name = bound_text(a, member->string, n, &kept);
		value->string = name ? (char *)name : member->string;
		if (name != NULL) {
			note_cut(a, CUT_STRING, &here, kept, n);
			names_cut = true;
		}
		wv_push(to, value);
		if (a->full)
			break;
	}
	if (names_cut)
		wv_separate_names(a->arena, to);
	return to;
}

static cJSON *
bound_value(struct attempt *a, const cJSON *from, const struct wv_place *place,
	size_t depth)
{
	bool is_object = wv_is_object(from);
	cJSON *cut = NULL;

	if (wv_is_string(from))
		cut = bound_string(
			a, from->valuestring, (size_t)from->valueint, place);
	if (!is_object && !wv_is_array(from)) {
		spend(a, !wv_is_string(from));
		return cut != NULL ? cut : share(a, from);
	}
	spend(a, 2);
	if (depth < a->most.depth)
		return is_object ? bound_object(a, from, place, depth)
				 : bound_array(a, from, place, depth);
	note_members(a, CUT_DEEP, place, 0, from);
	return wv_json_string(a->arena,
		wv_printf(a->arena, "[CUT:%s of %zu]",
			is_object ? "object" : "array", wv_count(from)));
}

/* Tightens what costs most and tells least; false when nothing is left. */
static bool
tighten(struct bounds *b)
{
	if (b->bytes > 1024)
		b->bytes = 1024;
	else if (b->rows > 8)
		b->rows = b->rows * 3 / 4;
	else if (b->bytes > 128)
		b->bytes /= 2;
	else if (b->fields > 8)
		b->fields = b->fields * 3 / 4;
	else if (b->rows > 1)
		b->rows--;
	else if (b->bytes > 8)
		b->bytes /= 2;
	else if (b->depth > 2)
		b->depth--;
	else if (b->fields > 1)
		b->fields--;
	else
		return false;
	return true;
}

static void
add_cut(struct wv_arena *arena, struct wv_findings *f, const char *text)
{
	/* One more: that the output was only a beginning. */
	if (f->cut == NULL)
		f->cut = wv_alloc(arena, (CUT_KINDS + 1) * sizeof(*f->cut));
	f->cut[f->cut_count++] = text;
}

static void
report(const struct attempt *a, struct wv_findings *f)
{
	static const char *const units[CUT_KINDS] = {
		[CUT_ITEMS] = "items",
		[CUT_MEMBERS] = "members",
		[CUT_DEEP] = "values at the deepest level",
		[CUT_STRING] = "bytes",
	};

	for (int kind = 0; kind < CUT_KINDS; kind++) {
		const struct cut *cut = &a->cuts[kind];
		struct wv_str text = { 0 };
		if (cut->count == 0)
			continue;
		wv_str_fmt(&text, "%s: %zu of %zu %s kept",
			*cut->where ? cut->where : "(top)", cut->kept,
			cut->total, units[kind]);
		if (cut->count > 1)
			wv_str_fmt(&text, " (and %zu more)", cut->count - 1);
		add_cut(a->arena, f, wv_dupn(a->arena, text.s, text.n));
		wv_str_free(&text);
	}
}

/* Makes data of `from` (a cJSON or a content) within a->most and a->left. */
typedef cJSON *maker(struct attempt *a, const void *from);

static cJSON *
bound(struct wv_arena *arena, maker *make, const void *from,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers)
{
	struct bounds most = { options->max_rows, options->max_fields,
		options->max_depth, options->max_bytes };
	struct wv_str json = { 0 };

	do {
		struct attempt a = { .arena = arena,
			.most = most,
			.left = options->max_bytes,
			.noted = wv_json_array(arena) };
		cJSON *made = make(&a, from);
		json.n = 0;
		if (!a.full)
			wv_json_write(&json, made);
		if (a.full || json.n > options->max_bytes)
			continue;
		wv_str_free(&json);
		report(&a, findings);
		*cut_pointers = a.noted;
		return made;
	} while (tighten(&most));
	wv_str_free(&json);
	add_cut(arena, findings, "(top): nothing fits the budget");
	*cut_pointers = wv_json_array(arena);
	wv_push(*cut_pointers, wv_json_string(arena, ""));
	return wv_json_object(arena);
}

static cJSON *
make_tree(struct attempt *a, const void *from)
{
	struct wv_place root = { 0 };

	return bound_value(a, from, &root, 0);
}

cJSON *
wv_bound_tree(struct wv_arena *arena, const cJSON *object,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	cJSON **cut_pointers)
{
	return bound(arena, make_tree, object, options, findings, cut_pointers);
}

/* Appends up to `most` lines that begin at *s to an array. */
static void
push_lines(struct attempt *a, cJSON *lines, const struct wv_place *place,
	const char *s, const char *end, size_t most)
{
	struct wv_place here = { place, NULL, 0 };

	for (; s < end && here.index < most && !a->full; here.index++) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		const char *stop = lf ? lf : end;
		size_t n = (size_t)(stop - s);
		cJSON *line = bound_string(a, s, n, &here);
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
make_text(struct attempt *a, const void *from)
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

	push_lines(a, lines, &head, s, end, first);
	wv_put(a->arena, to, "line_count",
		wv_json_int(a->arena, (int64_t)(is_whole ? count : first)));
	if (count <= rows)
		return to;
	note_cut(a, CUT_ITEMS, &head, rows, count);
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
	add_cut(arena, findings,
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
	return bound(
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
