/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hunk is judged as it stands in the new file, with the lines around what
 * was added: a secret may begin in one of them.  Only what reaches into an
 * added line counts.
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

struct diff {
	struct judge *judge;
	const char *at, *end;
	size_t number; /* of the line at `at` */
	bool is_git, in_file, any;
	struct wv_str name;
	/* The hunk that is read. */
	struct wv_str text;
	bool *added;
	size_t lines, room;
	void (*take)(void *arg, const struct record *record);
	void *arg;
};

struct line {
	const char *s;
	size_t n;
};

static bool
next_line(struct diff *d, struct line *line)
{
	if (d->at == d->end)
		return false;
	const char *lf = memchr(d->at, '\n', (size_t)(d->end - d->at));
	line->s = d->at;
	line->n = (size_t)((lf != NULL ? lf : d->end) - d->at);
	d->at += line->n + (lf != NULL);
	d->number++;
	return true;
}

static bool
begins(const struct line *line, const char *with)
{
	size_t n = strlen(with);

	return line->n >= n && memcmp(line->s, with, n) == 0;
}

static void
end_file(struct diff *d)
{
	if (d->in_file)
		d->take(d->arg, judge_end(d->judge));
	d->in_file = false;
}

/* As git quotes names: "b/a\tb\303\251". */
static void
unquote(struct wv_str *name, const char *s, const char *end)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	const char *p;

	for (; s < end && *s != '"'; s++) {
		if (*s != '\\') {
			wv_str_chr(name, *s);
		} else if (++s == end) {
			return;
		} else if (end - s >= 3 && *s >= '0' && *s <= '3') {
			wv_str_chr(name,
				(char)((s[0] - '0') << 6 | (s[1] & 7) << 3 |
					(s[2] & 7)));
			s += 2;
		} else {
			p = memchr(from, *s, sizeof from - 1);
			wv_str_chr(name, p != NULL ? to[p - from] : *s);
		}
	}
}

/* The name after "+++ "; git puts a letter and a slash before it. */
static void
begin_file(struct diff *d, const struct line *line)
{
	const char *s = line->s + 4, *end = line->s + line->n;
	const char *tab = memchr(s, '\t', (size_t)(end - s));
	struct wv_str *name = &d->name;

	end_file(d);
	name->n = 0;
	wv_str_cat(name, "");
	if (s < end && *s == '"')
		unquote(name, s + 1, end);
	else
		wv_str_add(name, s, (size_t)((tab ? tab : end) - s));
	if (name->n > 0 && name->s[name->n - 1] == '\r')
		name->s[--name->n] = '\0';
	const char *shown = name->s;
	if (d->is_git && name->n > 2 && shown[1] == '/')
		shown += 2;
	judge_begin(d->judge, shown, 0);
	d->in_file = true;
}

/* "-12,3" or "+12": a place and how many lines. */
static bool
read_range(const char **at, const char *end, char sign, size_t *first,
	size_t *count)
{
	const char *p = *at;
	char *after;

	if (p == end || *p++ != sign || p == end || *p < '0' || *p > '9')
		return false;
	*first = strtoul(p, &after, 10);
	*count = 1;
	if (*after == ',')
		*count = strtoul(after + 1, &after, 10);
	*at = after;
	return *first <= INT32_MAX && *count <= INT32_MAX && after < end &&
		*after == ' ';
}

static void
add_line(struct diff *d, const char *s, size_t n, bool added)
{
	wv_str_add(&d->text, s, n);
	wv_str_chr(&d->text, '\n');
	if (d->lines == d->room) {
		d->room = d->room > 0 ? 2 * d->room : 64;
		d->added = wv_xrealloc(d->added, d->room * sizeof *d->added);
	}
	d->added[d->lines++] = added;
}

static void
judge_hunk(struct diff *d, size_t first)
{
	memset(wv_str_room(&d->text, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	const struct piece piece = { .raw = d->text.s,
		.len = d->text.n,
		.first_line = first,
		.as_text = true,
		.allows = true,
		.counted = d->added };
	if (d->lines > 0)
		judge_piece(d->judge, &piece);
}

static int
read_hunk(struct diff *d, const struct line *head, struct wv_err *err)
{
	const char *p = head->s + 3, *end = head->s + head->n;
	size_t old, olds, first, news;
	struct line line;

	if (!d->in_file || !read_range(&p, end, '-', &old, &olds) ||
		!read_range((p++, &p), end, '+', &first, &news))
		return wv_err_set(err, "is no head of a hunk");
	d->text.n = d->lines = 0;
	while (olds + news > 0 && next_line(d, &line)) {
		/* An empty line of context may have lost its space. */
		char sign = line.n > 0 ? *line.s : ' ';
		if (sign == '\\')
			continue;
		if (strchr(" +-\r", sign) == NULL ||
			(sign != '-' && news == 0) ||
			(sign != '+' && olds == 0))
			return wv_err_set(err, "is no line of a hunk");
		olds -= sign != '+';
		news -= sign != '-';
		if (sign != '-')
			add_line(d, line.s + (line.n > 0),
				line.n > 0 ? line.n - 1 : 0, sign == '+');
	}
	if (olds + news > 0)
		return wv_err_set(err, "the diff ends within a hunk");
	judge_hunk(d, first > 0 ? first : 1);
	return 0;
}

static int
read_lines(struct diff *d, struct wv_err *err)
{
	struct line line;

	while (next_line(d, &line)) {
		if (begins(&line, "diff --git ")) {
			d->is_git = d->any = true;
		} else if (begins(&line, "+++ ")) {
			begin_file(d, &line);
			d->any = true;
		} else if (begins(&line, "@@@")) {
			return wv_err_set(err,
				"a diff of several parents has no lines that "
				"are simply added");
		} else if (begins(&line, "@@ ")) {
			if (read_hunk(d, &line, err) < 0)
				return -1;
		} else if (begins(&line, "GIT binary patch") ||
			begins(&line, "Binary files ")) {
			d->judge->binary++;
			d->any = true;
		}
	}
	end_file(d);
	if (!d->any && d->number > 0)
		return wv_err_set(err, "is no unified diff");
	return 0;
}

int
diff_judge(struct judge *judge, const char *diff, size_t n,
	void (*take)(void *arg, const struct record *record), void *arg,
	struct wv_err *err)
{
	struct diff d = { .judge = judge,
		.at = diff,
		.end = diff + n,
		.take = take,
		.arg = arg };
	int status = read_lines(&d, err);

	if (status < 0)
		err->line = d.number;
	wv_str_free(&d.name);
	wv_str_free(&d.text);
	free(d.added);
	return status;
}
