/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

#include "base/msg.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REASONS = 5 };

struct expected {
	const char *path; /* clean */
	const char *rule; /* NULL: valid */
	bool seen;
};

struct expect {
	bool any_invalid;
	struct wv_arena arena;
	struct expected *list; /* by path */
	size_t count;
	char *source; /* of the last outcome, and what is expected of it */
	struct expected *found;
};

struct expect *
expect_any_invalid(void)
{
	struct expect *expect = wv_xcalloc(1, sizeof *expect);

	expect->any_invalid = true;
	return expect;
}

/* Without "./" at the start and "//" within. */
static char *
clean_path(struct wv_arena *arena, const char *path)
{
	char *clean, *to;

	while (path[0] == '.' && path[1] == '/')
		for (path += 2; *path == '/';)
			path++;
	to = clean = wv_dup(arena, path);
	for (; *path != '\0'; path++) {
		if (path[0] != '/' || path[1] != '/')
			*to++ = *path;
	}
	*to = '\0';
	return clean;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct expected *)a)->path,
		((const struct expected *)b)->path);
}

static int
add_entry(struct expect *expect, const cJSON *member, struct wv_err *err)
{
	bool is_rule = wv_is_string(member) && member->valuestring[0] != '\0';

	if (!is_rule && !wv_is_null(member))
		return wv_err_set(err,
			"\"%s\": what is expected is a keyword, an invariant "
			"or null",
			member->string);
	expect->list =
		wv_list_room(expect->list, expect->count, sizeof *expect->list);
	expect->list[expect->count++] = (struct expected){
		.path = clean_path(&expect->arena, member->string),
		.rule = is_rule ? wv_dup(&expect->arena, member->valuestring)
				: NULL,
	};
	return 0;
}

static int
add_object(struct expect *expect, const cJSON *object, struct wv_err *err)
{
	if (!wv_is_object(object))
		return wv_err_set(
			err, "must be an object of paths and what they break");
	wv_json_each(member, object) {
		if (add_entry(expect, member, err) < 0)
			return -1;
	}
	return 0;
}

static int
sort(struct expect *expect, struct wv_err *err)
{
	if (expect->count == 0)
		return wv_err_set(err, "expects nothing");
	qsort(expect->list, expect->count, sizeof *expect->list, by_path);
	for (size_t i = 1; i < expect->count; i++) {
		if (by_path(&expect->list[i - 1], &expect->list[i]) == 0)
			return wv_err_set(err, "expects \"%s\" twice",
				expect->list[i].path);
	}
	return 0;
}

/* The hook of a loop that has nothing to go on after. */
static void
keep_first(void *arg, const struct wv_record *rec, const struct wv_err *bad)
{
	struct wv_err *err = arg;

	wv_err_at(err, bad->source, bad->line, bad->column, "%s", bad->text);
}

static int
read_all(struct expect *expect, const char *path, struct wv_err *err)
{
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	char *files[] = { (char *)path, NULL };
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;

	options.allow_empty = true;
	options.bad = keep_first;
	options.bad_arg = err;
	wv_lines_open(&in, files, &options, NULL);
	while (!wv_err_is_set(err) && wv_lines_next(&in, &arena, &rec) == 1) {
		if (add_object(expect, rec.tree, err) < 0) {
			err->line = rec.line;
			err->column = rec.column;
		}
		wv_arena_reset(&arena);
	}
	wv_lines_close(&in);
	wv_arena_free(&arena);
	if (!wv_err_is_set(err))
		sort(expect, err);
	if (!wv_err_is_set(err))
		return 0;
	err->source = path;
	return -1;
}

struct expect *
expect_load(const char *path, struct wv_err *err)
{
	struct expect *expect = wv_xcalloc(1, sizeof *expect);

	if (read_all(expect, path, err) == 0)
		return expect;
	expect_free(expect);
	return NULL;
}

/* What is expected of a file; the same as of the record before, mostly. */
static struct expected *
find(struct expect *expect, const char *source)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct expected key;

	if (expect->source != NULL && strcmp(expect->source, source) == 0)
		return expect->found;
	free(expect->source);
	expect->source = wv_xstrdup(source);
	key.path = clean_path(&arena, source);
	expect->found = expect->count == 0
		? NULL
		: bsearch(&key, expect->list, expect->count,
			  sizeof *expect->list, by_path);
	wv_arena_free(&arena);
	return expect->found;
}

/* One of the keywords that apply subschemas: what is told then is mostly what
 * one of those said. */
static bool
is_applicator(const char *rule)
{
	static const char *const words[] = { "allOf", "anyOf", "oneOf", "not",
		"if", "then", "else", "contains", "dependentSchemas",
		"propertyNames" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(words[i], rule) == 0)
			return true;
	}
	return false;
}

static bool
stands_in(const char *pointer, const char *rule)
{
	size_t n = strlen(rule);

	for (const char *at = pointer; (at = strchr(at, '/')) != NULL;) {
		at++;
		if (strncmp(at, rule, n) == 0 &&
			(at[n] == '/' || at[n] == '\0'))
			return true;
	}
	return false;
}

static bool
breaks(const struct wv_judged *judged, const char *rule)
{
	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		if (f->warning)
			continue;
		if (strcmp(f->rule, rule) == 0)
			return true;
		if (is_applicator(rule) && f->keyword != NULL &&
			stands_in(f->keyword, rule))
			return true;
	}
	return false;
}

static bool
is_repeated(const struct wv_finding *first, const struct wv_finding *f)
{
	for (; first != f; first = first->next) {
		if (!first->warning && strcmp(first->rule, f->rule) == 0)
			return true;
	}
	return false;
}

/* "was expected to break minItems, but breaks required" */
static const char *
mismatch(struct wv_arena *arena, const struct wv_judged *judged,
	const char *rule)
{
	struct wv_str text = { 0 };
	size_t n = 0;
	char *message;

	wv_str_cat(&text, "was expected to ");
	wv_str_cat(&text, rule != NULL ? "break " : "be invalid");
	if (rule != NULL)
		wv_str_foreign(&text, rule, strlen(rule), 100);
	wv_str_cat(&text, ", but ");
	if (judged->verdict == WV_VALID)
		wv_str_cat(&text, "is valid");
	for (const struct wv_finding *f = judged->findings;
		f != NULL && n < MAX_REASONS; f = f->next) {
		if (f->warning || is_repeated(judged->findings, f))
			continue;
		wv_str_fmt(&text, "%s%s", n++ == 0 ? "breaks " : ", ", f->rule);
	}
	message = wv_dup(arena, text.s);
	wv_str_free(&text);
	return message;
}

static void
pass(struct outcome *outcome)
{
	outcome->judged.verdict = WV_VALID;
	outcome->judged.findings = NULL;
}

void
expect_apply(
	struct expect *expect, struct wv_arena *arena, struct outcome *outcome)
{
	struct wv_judged *judged = &outcome->judged;
	struct expected *expected = find(expect, judged->source);
	const char *rule = expected != NULL ? expected->rule : NULL;

	if (outcome->kind == OUTCOME_SOURCE)
		return;
	if (expected != NULL)
		expected->seen = true;
	if (rule == NULL && !expect->any_invalid)
		return;
	if (rule != NULL && breaks(judged, rule))
		pass(outcome);
	else if (judged->verdict == WV_UNDECIDED)
		return;
	else if (rule == NULL && judged->verdict == WV_INVALID)
		pass(outcome);
	else
		finding_fail(
			arena, judged, "expect", mismatch(arena, judged, rule));
}

size_t
expect_tell_unseen(const struct expect *expect)
{
	size_t unseen = 0;

	for (size_t i = 0; i < expect->count; i++) {
		if (expect->list[i].seen)
			continue;
		wv_warn("%s: expected, but it was not judged",
			expect->list[i].path);
		unseen++;
	}
	return unseen;
}

void
expect_free(struct expect *expect)
{
	if (expect == NULL)
		return;
	free(expect->list);
	free(expect->source);
	wv_arena_free(&expect->arena);
	free(expect);
}
