/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about files: what ls -l, grep -n and compilers say. */
#include "firewall/summarize.h"

enum {
	FILES = 1024, /* that are told apart */
	TOLD = 4,
	NAME_WIDTH = 60,
};

struct entry {
	char type;
	struct wv_line name;
	uint64_t size;
};

/* drwxr-xr-x 2 root root 4096 Jan  1 00:00 name */
static bool
parse_entry(struct entry *e, const struct wv_line *line)
{
	struct wv_line rest = *line, word = wv_take_word(&rest);
	const char *before;

	if (word.n < 10 || word.n > 11 || !strchr("-dlbcps", *word.s))
		return false;
	for (size_t i = 1; i < 10; i++)
		if (strchr("-rwxsStT", word.s[i]) == NULL)
			return false;
	e->type = *word.s;
	for (int i = 0; i < 3; i++)
		wv_take_word(&rest);
	word = wv_take_word(&rest);
	e->size = 0;
	if (word.n < 16 && wv_digits(word.s, word.s + word.n) == word.n)
		for (size_t i = 0; i < word.n; i++)
			e->size = e->size * 10 + (uint64_t)(word.s[i] - '0');
	/* Jan  1 00:00, or 2026-01-01 00:00 with or without a zone */
	word = wv_take_word(&rest);
	wv_take_word(&rest);
	if (word.n < 10)
		wv_take_word(&rest);
	before = rest.s;
	word = wv_take_word(&rest);
	if (word.n == 5 && (*word.s == '+' || *word.s == '-') &&
		wv_digits(word.s + 1, word.s + 5) == 4)
		before = rest.s;
	e->name = wv_trim(before, (size_t)(line->s + line->n - before));
	return e->name.n > 0;
}

bool
wv_is_listing(const struct wv_sample *sample)
{
	struct entry entry;
	size_t entries = 0;

	for (size_t i = 0; i < sample->count; i++)
		entries += parse_entry(&entry, &sample->lines[i]);
	return entries > 0 && entries * 10 >= (sample->count - 1) * 8;
}

void
wv_tell_listing(struct wv_summary *sum)
{
	size_t files = 0, folders = 0, links = 0, others = 0, named = 0;
	struct wv_line line, names[8];
	struct entry e, largest = { 0 };
	uint64_t bytes = 0;
	const char *s = sum->s;
	struct wv_str *part;

	while (wv_next_line(&s, sum->end, &line)) {
		if (!parse_entry(&e, &line))
			continue;
		bool dots = (e.name.n == 1 && *e.name.s == '.') ||
			(e.name.n == 2 && memcmp(e.name.s, "..", 2) == 0);
		if (dots)
			continue;
		files += e.type == '-';
		folders += e.type == 'd';
		links += e.type == 'l';
		others += strchr("-dl", e.type) == NULL;
		if (named < 8)
			names[named++] = e.name;
		if (e.type != '-')
			continue;
		bytes += e.size;
		if (largest.name.n == 0 || e.size > largest.size)
			largest = e;
	}
	wv_sum_head(sum, "directory listing");
	part = wv_sum_begin(sum);
	wv_add_count(part, files, "file");
	wv_str_fmt(part, " (%llu bytes), ", (unsigned long long)bytes);
	wv_str_fmt(part, "%zu director%s", folders, folders == 1 ? "y" : "ies");
	if (links > 0)
		wv_str_cat(part, ", ");
	if (links > 0)
		wv_add_count(part, links, "link");
	if (others > 0)
		wv_str_fmt(part, ", %zu other", others);
	wv_sum_end(sum, NULL, 0);
	if (files > 1) {
		part = wv_sum_begin(sum);
		wv_str_cat(part, "largest ");
		wv_add_inline(part, largest.name.s, largest.name.n, NAME_WIDTH);
		wv_str_fmt(part, " %llu", (unsigned long long)largest.size);
		wv_sum_end(sum, NULL, 0);
	}
	part = wv_sum_begin(sum);
	for (size_t i = 0; i < named; i++) {
		wv_str_cat(part, i > 0 ? ", " : "names: ");
		wv_add_inline(part, names[i].s, names[i].n, 40);
	}
	if (files + folders + links + others > named)
		wv_str_fmt(part, " and %zu more",
			files + folders + links + others - named);
	wv_sum_end(sum, NULL, 0);
}

struct place {
	struct wv_line file, text;
	size_t numbers; /* behind the file: a line, a column */
};

/* file:12:3: text */
static bool
parse_place(struct place *p, const struct wv_line *line)
{
	const char *end = line->s + line->n, *colon, *s;
	size_t n;

	colon = memchr(line->s, ':', line->n < 256 ? line->n : 256);
	if (colon == NULL || colon == line->s || wv_is_digit(*line->s) ||
		wv_is_blank(*line->s))
		return false;
	p->file = (struct wv_line){ line->s, (size_t)(colon - line->s) };
	p->numbers = 0;
	for (s = colon; s < end && *s == ':' && p->numbers < 2;
		p->numbers++, s += 1 + n)
		if ((n = wv_digits(s + 1, end)) == 0 || n > 9)
			break;
	if (p->numbers == 0 || (s < end && *s != ':' && *s != '-'))
		return false;
	s += s < end;
	p->text = wv_trim(s, (size_t)(end - s));
	return memchr(p->file.s, ' ', p->file.n) == NULL;
}

bool
wv_is_places(const struct wv_sample *sample)
{
	struct place place;
	size_t places = 0, said = 0;

	for (size_t i = 0; i < sample->count; i++) {
		if (!parse_place(&place, &sample->lines[i]))
			continue;
		places++;
		said += wv_begins(&place.text, "error") ||
			wv_begins(&place.text, "warning");
	}
	/* Compilers also show the lines that they speak of. */
	return places >= 2 &&
		(places * 10 >= sample->count * 8 ||
			(said > 0 && places * 6 >= sample->count));
}

void
wv_tell_places(struct wv_summary *sum)
{
	struct wv_tally files = { .max = FILES };
	size_t errors = 0, warnings = 0, notes = 0, places = 0;
	struct wv_line line, first = { 0 };
	struct place p;
	const char *s = sum->s;
	struct wv_str *part;
	bool first_is_error = false;

	while (wv_next_line(&s, sum->end, &line)) {
		if (!parse_place(&p, &line))
			continue;
		bool error = wv_begins(&p.text, "error") ||
			wv_begins(&p.text, "fatal error");
		bool warning = wv_begins(&p.text, "warning");
		places++;
		errors += error;
		warnings += warning;
		notes += wv_begins(&p.text, "note:");
		if ((error && !first_is_error) || (warning && first.n == 0)) {
			first = line;
			first_is_error = error;
		}
		wv_tally_add(&files, &sum->arena, p.file.s, p.file.n);
	}
	wv_sum_head(
		sum, errors + warnings > 0 ? "compiler messages" : "matches");
	part = wv_sum_begin(sum);
	if (errors + warnings > 0) {
		wv_add_count(part, errors, "error");
		wv_str_cat(part, ", ");
		wv_add_count(part, warnings, "warning");
		if (notes > 0)
			wv_str_cat(part, ", ");
		if (notes > 0)
			wv_add_count(part, notes, "note");
	} else {
		wv_str_fmt(
			part, "%zu match%s", places, places == 1 ? "" : "es");
	}
	wv_str_fmt(part, " in %s%zu file%s", files.more ? "more than " : "",
		files.count, files.count == 1 ? "" : "s");
	wv_sum_end(sum, NULL, 0);
	if (first.n > 0)
		wv_sum_text(sum, "first: ", first.s, first.n, 160);
	part = wv_sum_begin(sum);
	wv_tally_sort(&files);
	wv_str_cat(part, files.count > TOLD ? "most in " : "in ");
	wv_tally_add_top(part, &files, TOLD, NAME_WIDTH, false);
	wv_sum_end(sum, NULL, 0);
}
