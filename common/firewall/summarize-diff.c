/* SPDX-License-Identifier: Apache-2.0 */
/* What version control says: unified diffs, histories. */
#include "firewall/summarize.h"

enum {
	FILES = 1024,  /* of a diff that are told apart */
	AUTHORS = 256, /* of a history */
	SUBJECTS = 3,  /* told */
	NAME_WIDTH = 60,
};

struct file {
	struct wv_line name;
	size_t added, removed;
};

struct diff {
	size_t files, hunks, added, removed, binaries;
	struct file told[8], *file;
	size_t old_left, new_left; /* lines of the hunk that are to come */
	struct wv_line old_name;
};

/* ",12" or nothing, which is 1; moves s behind it. */
static size_t
hunk_length(const char **s, const char *end)
{
	size_t n = 0;

	if (*s == end || **s != ',')
		return 1;
	for (++*s; *s < end && wv_is_digit(**s) && n < (size_t)1 << 40; ++*s)
		n = n * 10 + (size_t)(**s - '0');
	return n;
}

/* @@ -1,2 +1,3 @@ */
static bool
read_hunk(struct diff *d, const struct wv_line *line)
{
	const char *s = line->s + 4, *end = line->s + line->n;

	if (!wv_begins(line, "@@ -"))
		return false;
	s += wv_digits(s, end);
	d->old_left = hunk_length(&s, end);
	if (end - s < 3 || s[0] != ' ' || s[1] != '+')
		return false;
	s += 2;
	s += wv_digits(s, end);
	d->new_left = hunk_length(&s, end);
	d->hunks++;
	return true;
}

static struct wv_line
name_of(const struct wv_line *line)
{
	struct wv_line name = { line->s + 4, line->n - 4 };
	const char *tab = memchr(name.s, '\t', name.n);

	if (tab != NULL)
		name.n = (size_t)(tab - name.s);
	if (name.n > 2 && name.s[1] == '/' &&
		(*name.s == 'a' || *name.s == 'b')) {
		name.s += 2;
		name.n -= 2;
	}
	return name;
}

static void
begin_file(struct diff *d, struct wv_line name)
{
	if (wv_begins(&name, "/dev/null"))
		name = d->old_name;
	d->file = d->files < 8 ? &d->told[d->files] : NULL;
	if (d->file != NULL)
		*d->file = (struct file){ .name = name };
	d->files++;
}

/* A line of a hunk; false if none is to come. */
static bool
read_change(struct diff *d, const struct wv_line *line)
{
	char c = line->n > 0 ? *line->s : ' ';

	if (d->old_left + d->new_left == 0)
		return false;
	if (c == '+' && d->new_left > 0) {
		d->added++;
		d->new_left--;
		if (d->file != NULL)
			d->file->added++;
	} else if (c == '-' && d->old_left > 0) {
		d->removed++;
		d->old_left--;
		if (d->file != NULL)
			d->file->removed++;
	} else if (c == ' ') {
		d->old_left -= d->old_left > 0;
		d->new_left -= d->new_left > 0;
	} else if (c != '\\') {
		d->old_left = d->new_left = 0;
		return false;
	}
	return true;
}

static void
read_diff(struct diff *d, const char *s, const char *end)
{
	struct wv_line line;

	while (wv_next_line(&s, end, &line)) {
		if (read_change(d, &line) || read_hunk(d, &line))
			continue;
		if (wv_begins(&line, "--- "))
			d->old_name = name_of(&line);
		else if (wv_begins(&line, "+++ "))
			begin_file(d, name_of(&line));
		else
			d->binaries += wv_begins(&line, "Binary files ");
	}
}

bool
wv_is_diff(const struct wv_sample *sample)
{
	bool minus = false, plus = false;

	for (size_t i = 0; i < sample->count; i++) {
		const struct wv_line *line = &sample->lines[i];
		if (wv_begins(line, "+++ "))
			plus = minus;
		else if (plus && wv_begins(line, "@@ -"))
			return true;
		else
			minus = wv_begins(line, "--- ");
	}
	return false;
}

void
wv_tell_diff(struct wv_summary *sum)
{
	struct diff d = { 0 };
	struct wv_str *part;

	read_diff(&d, sum->s, sum->end);
	wv_sum_head(sum, "diff");
	part = wv_sum_begin(sum);
	wv_add_count(part, d.files, "file");
	wv_str_cat(part, ", ");
	wv_add_count(part, d.hunks, "hunk");
	wv_str_fmt(part, ", +%zu -%zu", d.added, d.removed);
	if (d.binaries > 0)
		wv_str_fmt(part, ", %zu binary", d.binaries);
	wv_sum_end(sum, NULL, 0);
	sum->unit = "file";
	for (size_t i = 0; i < d.files && i < 8; i++) {
		const struct file *file = &d.told[i];
		part = wv_sum_begin(sum);
		wv_add_inline(part, file->name.s, file->name.n, NAME_WIDTH);
		wv_str_fmt(part, " +%zu -%zu", file->added, file->removed);
		wv_sum_end(sum, file->name.s, file->name.n);
	}
	sum->left_out += d.files > 8 ? d.files - 8 : 0;
}

/* "commit " and 40 or 64 hexadecimal digits */
static bool
is_commit(const struct wv_line *line)
{
	size_t n = 7;

	if (!wv_begins(line, "commit "))
		return false;
	while (n < line->n && strchr("0123456789abcdef", line->s[n]) != NULL)
		n++;
	return n >= 7 + 7 && (n == line->n || line->s[n] == ' ');
}

bool
wv_is_git_log(const struct wv_sample *sample)
{
	size_t commits = 0, authors = 0;

	if (sample->count < 3 || !is_commit(&sample->lines[0]))
		return false;
	for (size_t i = 0; i < sample->count; i++) {
		commits += is_commit(&sample->lines[i]);
		authors += wv_begins(&sample->lines[i], "Author:");
	}
	return authors > 0 && authors <= commits;
}

/* "Author: Ann <ann@x.org>" is Ann. */
static struct wv_line
author_of(const struct wv_line *line)
{
	const char *angle = memchr(line->s, '<', line->n);
	size_t n = angle ? (size_t)(angle - line->s) : line->n;

	return wv_trim(line->s + 7, n - 7);
}

void
wv_tell_git_log(struct wv_summary *sum)
{
	struct wv_tally authors = { .max = AUTHORS };
	struct wv_line line, first = { 0 }, last = { 0 }, subjects[SUBJECTS];
	size_t commits = 0, told = 0;
	bool wants_subject = false;
	const char *s = sum->s;
	struct wv_str *part;

	while (wv_next_line(&s, sum->end, &line)) {
		if (is_commit(&line)) {
			commits++;
			wants_subject = told < SUBJECTS;
		} else if (wv_begins(&line, "Author:")) {
			struct wv_line name = author_of(&line);
			if (!wv_has_mark(name.s, name.n))
				wv_tally_add(
					&authors, &sum->arena, name.s, name.n);
		} else if (wv_begins(&line, "Date:")) {
			last = wv_trim(line.s + 5, line.n - 5);
			first = first.n == 0 ? last : first;
		} else if (wants_subject && wv_begins(&line, "    ")) {
			subjects[told++] = wv_trim(line.s, line.n);
			wants_subject = false;
		}
	}
	wv_sum_head(sum, "git log");
	part = wv_sum_begin(sum);
	wv_add_count(part, commits, "commit");
	if (first.n > 0) {
		wv_str_cat(part, ", newest ");
		wv_add_inline(part, first.s, first.n, 40);
		wv_str_cat(part, ", oldest ");
		wv_add_inline(part, last.s, last.n, 40);
	}
	wv_sum_end(sum, NULL, 0);
	part = wv_sum_begin(sum);
	wv_tally_sort(&authors);
	wv_tally_add_count(part, &authors);
	wv_str_cat(part, authors.count == 1 ? " author: " : " authors: ");
	wv_tally_add_top(part, &authors, 3, 40, false);
	wv_sum_end(sum, NULL, 0);
	for (size_t i = 0; i < told; i++)
		wv_sum_text(sum, i == 0 ? "newest: " : "", subjects[i].s,
			subjects[i].n, 80);
}
