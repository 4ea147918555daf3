/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is nothing else: its first sentences, lines about errors, results
 * of tests. */
#include "firewall/summarize.h"

enum {
	LEAD_MAX = 240,
	RESULTS = 2,
	TALLY_LINES = 12, /* at the end, of which one may be a tally */
	FOLDED = 32,      /* letters, and what is none */
	SHORTEST = 4,     /* bytes of each word that is looked for */
};

static char
fold(char c)
{
	return wv_is_letter(c) ? c & 0x1F : 0;
}

/* Words that tell of trouble, and of results; the first letters of each are
 * found by skipping, like Wu and Manber. */
struct told {
	size_t errors, warnings;
	struct wv_line first;
	bool first_is_error;
	struct wv_line results[RESULTS];
	struct wv_line line, bare; /* that was looked at last */
	bool is_result;
	size_t result_count;
};

static const struct {
	const char *word;
	bool is_warning, is_result;
} words[] = { { "error", false, false }, { "fail", false, false },
	{ "fatal", false, false }, { "panic", false, false },
	{ "exception", false, false }, { "warn", true, false },
	{ "pass", false, true } };
enum { WORDS = sizeof(words) / sizeof(*words) };

static void
make_shifts(unsigned char shifts[FOLDED * FOLDED])
{
	memset(shifts, SHORTEST - 1, FOLDED * FOLDED);
	for (size_t w = 0; w < WORDS; w++)
		for (size_t i = 1; i < SHORTEST; i++) {
			size_t pair =
				(size_t)fold(words[w].word[i - 1]) * FOLDED +
				(size_t)fold(words[w].word[i]);
			unsigned char shift = (unsigned char)(SHORTEST - 1 - i);
			if (shift < shifts[pair])
				shifts[pair] = shift;
		}
}

/* Without the dashes and the like around a title. */
static struct wv_line
unruled(struct wv_line line)
{
	size_t n = 0;

	while (n < line.n && strchr("=-*_~#+", line.s[n]) != NULL)
		n++;
	if (n >= 3 && n < line.n)
		line = wv_trim(line.s + n, line.n - n);
	for (n = line.n; n > 0 && strchr("=-*_~#+", line.s[n - 1]) != NULL;)
		n--;
	return n > 0 && n + 3 <= line.n ? wv_trim(line.s, n) : line;
}

static bool
is_outcome(struct wv_line word)
{
	static const char *const outcomes[] = { "passed", "passing", "failed",
		"failing", "failures", "tests", "test" };

	while (word.n > 0 && !wv_is_letter(word.s[word.n - 1]))
		word.n--;
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(*outcomes); i++)
		if (word.n == strlen(outcomes[i]) &&
			memcmp(word.s, outcomes[i], word.n) == 0)
			return true;
	return false;
}

/* 3 failed, 12 passing, # pass 12, failures=1: a number beside a word; but
 * 0.0.0.0:80 failed is none. */
static bool
is_result(const struct wv_line *line)
{
	const char *s = line->s, *end = s + line->n;
	bool number = false;

	if (line->n > 200)
		return false;
	for (; s < end; s++) {
		if (!wv_is_digit(*s))
			continue;
		bool is_part = s > line->s && strchr(".:", s[-1]) != NULL;
		s += wv_digits(s, end);
		struct wv_line rest = { s, (size_t)(end - s) };
		struct wv_line word = wv_take_word(&rest);
		number = number ||
			(!is_part && word.s == s + 1 && is_outcome(word));
		if (s == end)
			break;
	}
	return number || wv_begins(line, "# pass ") ||
		wv_begins(line, "# fail ");
}

/* "0 errors", "no errors", "errors: 0" */
static bool
is_none(const struct wv_line *line, const char *word)
{
	const char *end = line->s + line->n, *after = word;

	if (word - line->s >= 2 && word[-1] == ' ' && word[-2] == '0' &&
		(word - line->s == 2 || !wv_is_digit(word[-3])))
		return true;
	if (word - line->s >= 3 && (word[-3] | 0x20) == 'n' &&
		(word[-2] | 0x20) == 'o' && word[-1] == ' ')
		return true;
	while (after < end && wv_is_letter(*after))
		after++;
	while (after < end && (*after == ':' || *after == '=' || *after == ' '))
		after++;
	return after < end && *after == '0' &&
		(after + 1 == end || !wv_is_digit(after[1]));
}

/* The line that a hit is in, looked for once. */
static void
find_line(struct told *t, const char *begin, const char *hit, const char *end)
{
	const char *from, *lf;

	if (t->line.s != NULL && hit < t->line.s + t->line.n)
		return;
	if (t->line.s != NULL)
		begin = t->line.s + t->line.n;
	from = memrchr(begin, '\n', (size_t)(hit - begin));
	lf = memchr(hit, '\n', (size_t)(end - hit));
	from = from ? from + 1 : begin;
	lf = lf ? lf : end;
	WV_STEP(lf - begin);
	t->line = (struct wv_line){ from, (size_t)(lf - from) };
	t->bare = unruled(wv_trim(from, (size_t)(lf - from)));
	t->is_result = is_result(&t->bare);
}

/* A line counts once, for its first word that tells: true if it does. */
static bool
note_line(struct told *t, const char *hit, size_t w)
{
	if (t->is_result) {
		t->results[t->result_count++ % RESULTS] = t->bare;
		return true;
	}
	if (words[w].is_result || is_none(&t->line, hit))
		return false;
	t->errors += !words[w].is_warning;
	t->warnings += words[w].is_warning;
	if (t->first.n == 0 || (!t->first_is_error && !words[w].is_warning)) {
		t->first = t->bare;
		t->first_is_error = !words[w].is_warning;
	}
	return true;
}

/* src/error.o, on_error, fail-fast name something. */
static bool
is_in_name(const char *begin, const char *hit, const char *end)
{
	static const char joins[] = "/._-";
	const char *after = hit;

	if (hit > begin && strchr(joins, hit[-1]) != NULL)
		return true;
	while (after < end && wv_is_letter(*after))
		after++;
	return after + 1 < end && strchr(joins, *after) != NULL &&
		(wv_is_letter(after[1]) || wv_is_digit(after[1]));
}

static bool
matches(const char *s, const char *end, const char *word)
{
	for (; *word != '\0'; s++, word++)
		if (s == end || (*s | 0x20) != *word)
			return false;
	return true;
}

static void
read_told(struct told *t, const char *s, const char *end)
{
	unsigned char shifts[FOLDED * FOLDED];
	const char *p = s + SHORTEST - 1;

	make_shifts(shifts);
	while (p < end) {
		size_t shift =
			shifts[(size_t)fold(p[-1]) * FOLDED + (size_t)fold(*p)];
		const char *hit = p - (SHORTEST - 1);
		bool noted = false;
		WV_STEP(1);
		if (shift > 0) {
			p += shift;
			continue;
		}
		for (size_t w = 0; w < WORDS && !noted; w++) {
			if (!matches(hit, end, words[w].word) ||
				(hit > s && wv_is_letter(hit[-1]) &&
					!wv_is_upper(*hit)) ||
				is_in_name(s, hit, end))
				continue;
			find_line(t, s, hit, end);
			noted = note_line(t, hit, w);
		}
		p = noted ? t->line.s + t->line.n + SHORTEST : p + 1;
	}
}

/* The first or last line that is no rule of dashes and the like. */
static bool
says_something(const struct wv_line *line)
{
	for (size_t i = 0; i < line->n; i++)
		if (wv_is_letter(line->s[i]) || wv_is_digit(line->s[i]) ||
			(unsigned char)line->s[i] >= 0x80)
			return true;
	return false;
}

static struct wv_line
first_line(const char *s, const char *end)
{
	struct wv_line line, first = { 0 };

	for (size_t i = 0; i < WV_SAMPLE_LINES && wv_next_line(&s, end, &line);
		i++) {
		line = unruled(wv_trim(line.s, line.n));
		first = first.n == 0 ? line : first;
		if (says_something(&line))
			return line;
	}
	return first.n > 0 ? first : wv_trim(s, (size_t)(end - s));
}

static struct wv_line
last_line(const char *s, const char *end)
{
	struct wv_line all = wv_trim(s, (size_t)(end - s)), line = all;

	for (size_t i = 0; i < WV_SAMPLE_LINES && all.n > 0; i++) {
		const char *lf = memrchr(all.s, '\n', all.n);
		const char *from = lf ? lf + 1 : all.s;
		struct wv_line one =
			unruled(wv_trim(from, (size_t)(all.s + all.n - from)));
		line = i == 0 ? one : line;
		if (says_something(&one))
			return one;
		all.n = lf ? (size_t)(lf - all.s) : 0;
	}
	return line;
}

static void
tell_told(struct wv_summary *sum, const struct told *t)
{
	struct wv_str *part = wv_sum_begin(sum);
	size_t n = t->result_count < RESULTS ? t->result_count : RESULTS;

	for (size_t i = t->result_count - n; i < t->result_count; i++) {
		const struct wv_line *line = &t->results[i % RESULTS];
		wv_str_cat(part, part->n == 0 ? "result: " : " / ");
		wv_add_inline(part, line->s, line->n, 80);
	}
	wv_sum_end(sum, NULL, 0);
	if (t->errors + t->warnings == 0)
		return;
	part = wv_sum_begin(sum);
	if (t->errors > 0)
		wv_str_fmt(part, "%zu line%s with errors", t->errors,
			t->errors == 1 ? "" : "s");
	if (t->warnings > 0)
		wv_str_fmt(part, "%s%zu with warnings",
			t->errors > 0 ? ", " : "", t->warnings);
	wv_str_cat(part, ", first: ");
	wv_add_inline(part, t->first.s, t->first.n, WV_LINE_MAX);
	wv_sum_end(sum, NULL, 0);
}

/* "3 changed, 1 insertion(+)", "Plan: 1 to add, 2 to change": most of a line
 * is numbers with words behind them. */
static bool
is_tally(const struct wv_line *line)
{
	struct wv_line rest = *line, word;
	size_t count = 0, counts = 0;
	bool number = false;

	if (line->n > 160 || memchr(line->s, ',', line->n) == NULL)
		return false;
	while ((word = wv_take_word(&rest)).n > 0) {
		counts += number && wv_is_letter(*word.s);
		number = wv_digits(word.s + (*word.s == '('),
				 word.s + word.n) == word.n - (*word.s == '(');
		count++;
	}
	return counts >= 2 && count <= 4 * counts;
}

/* One of the last lines is the result if there is no other. */
static void
find_tally(struct told *t, const char *s, const char *end)
{
	struct wv_line all = wv_trim(s, (size_t)(end - s));

	for (size_t i = 0; t->result_count == 0 && i < TALLY_LINES && all.n > 0;
		i++) {
		const char *lf = memrchr(all.s, '\n', all.n);
		const char *from = lf ? lf + 1 : all.s;
		struct wv_line line =
			wv_trim(from, (size_t)(all.s + all.n - from));
		if (is_tally(&line))
			t->results[t->result_count++] = line;
		all.n = lf ? (size_t)(lf - all.s) : 0;
	}
}

void
wv_sum_trouble(struct wv_summary *sum)
{
	struct told told = { 0 };

	read_told(&told, sum->s, sum->end);
	find_tally(&told, sum->s, sum->end);
	tell_told(sum, &told);
}

bool
wv_is_plain(const struct wv_sample *sample)
{
	(void)sample;
	return true;
}

void
wv_tell_plain(struct wv_summary *sum)
{
	struct wv_line first = first_line(sum->s, sum->end), last;
	bool script = wv_begins(&first, "#!");
	struct wv_line lead = script ? (struct wv_line){ 0 }
				     : wv_lead(sum->s, sum->end, LEAD_MAX);
	bool whole = sum->content->seen == 0;
	struct told told = { 0 };
	struct wv_str *part;

	wv_sum_head(sum, script ? "script" : "text");
	last = last_line(sum->s, sum->end);
	if (whole && last.s == first.s && lead.n == 0) {
		sum->separator = ": ";
		wv_sum_text(sum, "", first.s, first.n, WV_LINE_MAX);
		return;
	}
	read_told(&told, sum->s, sum->end);
	find_tally(&told, sum->s, sum->end);
	for (size_t i = 0; i < RESULTS && i < told.result_count; i++)
		if (told.results[i].s == lead.s)
			lead.n = 0;
	part = wv_sum_begin(sum);
	if (lead.n > 0) {
		wv_add_quoted(part, lead.s, lead.n, LEAD_MAX);
	} else {
		wv_str_cat(part, "first line: ");
		wv_add_inline(part, first.s, first.n, WV_LINE_MAX);
	}
	wv_sum_end(sum, NULL, 0);
	tell_told(sum, &told);
	part = wv_sum_begin(sum);
	if (whole || told.errors > 0)
		wv_trace_find(part, sum->s, sum->end);
	wv_sum_end(sum, NULL, 0);
	if (whole && lead.n == 0 && told.result_count == 0)
		wv_sum_text(sum, "last line: ", last.s, last.n, WV_LINE_MAX);
}
