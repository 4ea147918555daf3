/* SPDX-License-Identifier: Apache-2.0 */
#include "outcome.h"

#include "json/yaml.h"

#include <string.h>

/* Bytes that are looked at for the places of a record's findings: a long one
 * with many must not take minutes.  Those beyond have no place. */
enum { LOOK = 256 << 20 };

/* The schemas below these are named by the user, not by the draft. */
static bool
holds_names(const char *keyword, size_t n)
{
	static const char *const words[] = { "properties", "patternProperties",
		"dependentSchemas", "dependencies", "$defs", "definitions" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strlen(words[i]) == n && memcmp(words[i], keyword, n) == 0)
			return true;
	}
	return false;
}

/*
 * "/properties/id/minLength" is "minLength".  A schema that is just false has
 * no keyword: what it is called, or its number, would be no stable rule.
 */
static const char *
rule_of(const char *keyword)
{
	const char *last = strrchr(keyword, '/'), *before;

	if (last == NULL)
		return keyword[0] != '\0' ? keyword : "false";
	if (last[1 + strspn(last + 1, "0123456789")] == '\0')
		return "false";
	for (before = last; before > keyword && before[-1] != '/';)
		before--;
	if (before > keyword && holds_names(before, (size_t)(last - before)))
		return "false";
	return last + 1;
}

static size_t
characters(const char *text, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

/* The column in characters of a place in the text of the record; 0 if that is
 * not in there. */
static size_t
character_of(const struct wv_record *rec, size_t at_line, size_t column)
{
	const char *line = rec->text, *end = line + rec->len;
	size_t before = at_line == rec->line ? rec->column - 1 : 0;

	for (size_t n = rec->line; n < at_line && line != NULL; n++) {
		line = memchr(line, '\n', (size_t)(end - line));
		line += line != NULL;
	}
	if (line == NULL || column <= before ||
		(size_t)(end - line) < column - 1 - before)
		return 0;
	return 1 + before + characters(line, column - 1 - before);
}

/* Line and column of the value at a pointer in the text of its record. */
static void
position(const struct wv_record *rec, const char *pointer, size_t *line,
	size_t *column)
{
	const cJSON *node = rec->yaml ? wv_pointer(rec->tree, pointer) : NULL;

	if (rec->yaml)
		wv_yaml_position(node != NULL ? node : rec->tree, line, column);
	else
		wv_json_position(rec->text,
			wv_json_locate(rec->text, rec->len, pointer), line,
			column);
}

static void
place(struct wv_finding *finding, const struct wv_record *rec,
	const char *pointer)
{
	size_t line, column;

	position(rec, pointer, &line, &column);
	if (line == 1)
		column += rec->column - 1;
	finding->line = rec->line + line - 1;
	finding->column = column;
	finding->character = character_of(rec, finding->line, column);
}

static struct wv_finding *
finding_of(struct wv_arena *arena, const struct wv_record *rec,
	const struct wv_schema_error *error, size_t *look)
{
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);

	finding->warning = error->warning;
	finding->rule = rule_of(error->keyword);
	finding->instance = error->instance;
	finding->keyword = error->keyword;
	finding->message = error->message;
	if (*look >= rec->len) {
		place(finding, rec, error->instance);
		*look -= rec->len;
	}
	return finding;
}

/* How many of each kind are told: errors come first in line. */
struct room {
	size_t errors, warnings;
};

static struct room
share(const struct wv_schema_error *errors, size_t max)
{
	struct room room = { 0, 0 };

	for (; errors != NULL; errors = errors->next)
		(*(errors->warning ? &room.warnings : &room.errors))++;
	if (room.errors > max)
		room.errors = max;
	if (room.warnings > max - room.errors)
		room.warnings = max - room.errors;
	return room;
}

const struct wv_finding *
findings_of(struct wv_arena *arena, const struct wv_record *rec, int verdict,
	const struct wv_schema_error *errors, size_t max)
{
	const struct wv_finding *first = NULL, **tail = &first;
	struct room room = share(errors, max);
	size_t look = LOOK;

	if (verdict < 0)
		return finding_undecided(arena, rec, errors->message);
	for (; errors != NULL; errors = errors->next) {
		size_t *left = errors->warning ? &room.warnings : &room.errors;
		if (*left == 0)
			continue;
		(*left)--;
		struct wv_finding *finding =
			finding_of(arena, rec, errors, &look);
		*tail = finding;
		tail = &finding->next;
	}
	return first;
}

struct wv_finding *
finding_undecided(
	struct wv_arena *arena, const struct wv_record *rec, const char *why)
{
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);

	finding->rule = "undecided";
	finding->message = why;
	place(finding, rec, "");
	return finding;
}

struct wv_finding *
finding_unread(struct wv_arena *arena, const struct wv_record *rec,
	const struct wv_err *err)
{
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);

	finding->rule = rec != NULL ? "malformed" : "unreadable";
	finding->line = err->line;
	finding->column = err->column;
	if (rec != NULL && err->line > 0)
		finding->character = character_of(rec, err->line, err->column);
	finding->message = wv_dup(arena, err->text);
	return finding;
}

void
finding_fail(struct wv_arena *arena, struct wv_judged *judged, const char *rule,
	const char *message)
{
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);

	finding->rule = rule;
	finding->line = judged->line;
	finding->message = message;
	finding->next = judged->findings;
	judged->findings = finding;
	judged->verdict = WV_INVALID;
}
