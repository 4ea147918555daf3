/* SPDX-License-Identifier: Apache-2.0 */
#include "text/token.h"

#include "json/utf8.h"
#include "text/fold.h"
#include "text/internal.h"

#include <string.h>

/* A placeholder longer than this is text. */
enum { PLACEHOLDER_MAX = 64 };

/*
 * A run is what stands between gaps (getHTTPResponse); words are its parts.
 * All text is built in one block, words one behind the other; the run's
 * letters are kept apart, since stems change the words in place.
 */
struct splitter {
	struct wv_tokens *tokens;
	struct wv_arena *arena;
	bool keep_stop_words;
	enum wv_char_kind kind; /* of the last letter; GAP: no run open */
	size_t end;             /* of the last letter, in the text */

	char *word, *next; /* the word being built */
	char *last;        /* its last letter */
	size_t word_at, last_at;
	size_t uppers; /* capitals at its end */

	char *run;
	size_t run_len, run_at, run_words;

	char before[4]; /* the last character of a script without spaces */
	int before_len;
	size_t before_at, pairs;
};

static void
make_room(struct wv_tokens *t, struct wv_arena *arena)
{
	const char **words = t->words;
	struct wv_span *spans = t->spans;

	t->cap = t->cap ? t->cap * 2 : 64;
	t->words = wv_alloc(arena, t->cap * sizeof(*words));
	t->spans = wv_alloc(arena, t->cap * sizeof(*spans));
	if (t->count > 0) {
		memcpy(t->words, words, t->count * sizeof(*words));
		memcpy(t->spans, spans, t->count * sizeof(*spans));
	}
}

static void
push(struct splitter *s, const char *word, size_t at, size_t end, bool whole)
{
	struct wv_tokens *t = s->tokens;

	if (t->count == t->cap)
		make_room(t, s->arena);
	t->words[t->count] = word;
	t->spans[t->count++] = (struct wv_span){ at, end - at, whole };
}

/* The word at s->word is complete; it stands for text from s->word_at. */
static void
take_word(struct splitter *s, size_t end)
{
	size_t n = (size_t)(s->next - s->word);

	if (n == 0)
		return;
	s->run_words++;
	*s->next = '\0';
	if (s->keep_stop_words || !wv_is_stop_word(s->word, n)) {
		n = wv_stem(s->word, n);
		push(s, s->word, s->word_at, end, false);
		s->word += n + 1;
	}
	s->next = s->last = s->word;
	s->uppers = 0;
}

/* XMLParser: the last of the capitals begins the next word. */
static void
split_before_last(struct splitter *s)
{
	char letter[4];
	size_t n = (size_t)(s->next - s->last), at = s->last_at;

	memcpy(letter, s->last, n);
	s->next = s->last;
	take_word(s, at);
	memcpy(s->word, letter, n);
	s->next = s->word + n;
	s->word_at = at;
}

static void
end_run(struct splitter *s)
{
	size_t n = s->run_len;

	if (s->kind == WV_CHAR_GAP)
		return;
	take_word(s, s->end);
	if (s->run_words > 1) {
		memcpy(s->word, s->run, n);
		s->word[n] = '\0';
		n = wv_stem(s->word, n);
		push(s, s->word, s->run_at, s->end, true);
		s->word += n + 1;
		s->next = s->last = s->word;
	}
	if (s->before_len > 0 && s->pairs == 0) {
		memcpy(s->word, s->before, (size_t)s->before_len);
		s->word[s->before_len] = '\0';
		push(s, s->word, s->before_at, s->end, false);
		s->word += s->before_len + 1;
		s->next = s->last = s->word;
	}
	s->before_len = 0;
	s->run_len = s->run_words = s->pairs = 0;
	s->kind = WV_CHAR_GAP;
}

static void
add_letter(struct splitter *s, enum wv_char_kind kind, const char letter[4],
	int n, size_t at)
{
	if (s->kind == WV_CHAR_GAP)
		s->run_at = at;
	else if ((s->kind == WV_CHAR_LOWER && kind == WV_CHAR_UPPER) ||
		(s->kind == WV_CHAR_DIGIT) != (kind == WV_CHAR_DIGIT))
		take_word(s, at);
	else if (kind == WV_CHAR_LOWER && s->uppers > 1)
		split_before_last(s);
	if (s->next == s->word)
		s->word_at = at;
	/* of n bytes; there is room */
	memcpy(s->next, letter, 4);
	memcpy(s->run + s->run_len, letter, 4);
	s->last = s->next;
	s->last_at = at;
	s->next += n;
	s->run_len += (size_t)n;
	s->uppers = kind == WV_CHAR_UPPER ? s->uppers + 1 : 0;
}

static void
add_unspaced(
	struct splitter *s, const char *letter, int n, size_t at, size_t end)
{
	if (s->before_len > 0) {
		memcpy(s->word, s->before, (size_t)s->before_len);
		memcpy(s->word + s->before_len, letter, (size_t)n);
		s->word[s->before_len + n] = '\0';
		push(s, s->word, s->before_at, end, false);
		s->word += s->before_len + n + 1;
		s->next = s->last = s->word;
		s->pairs++;
	}
	memcpy(s->before, letter, (size_t)n);
	s->before_len = n;
	s->before_at = at;
}

/* Small letters that begin a word or go on with one: most of most texts.  How
 * many. */
static size_t
add_small(struct splitter *s, const char *text, size_t at, size_t end)
{
	char *next = s->next, *run = s->run + s->run_len;
	size_t n = 0;

	if (s->kind >= WV_CHAR_DIGIT || s->uppers > 1)
		return 0;
	for (; at + n < end && text[at + n] >= 'a' && text[at + n] <= 'z'; n++)
		next[n] = run[n] = text[at + n];
	if (n == 0)
		return 0;
	if (s->kind == WV_CHAR_GAP)
		s->run_at = s->word_at = at;
	s->kind = WV_CHAR_LOWER;
	s->next += n;
	s->run_len += n;
	s->last = s->next - 1;
	s->end = at + n;
	s->last_at = s->end - 1;
	s->uppers = 0;
	return n;
}

/* The length of <app_name> or </b> at s, or 0. */
static size_t
placeholder(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && i < PLACEHOLDER_MAX &&
		(((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z') ||
			(s[i] >= '0' && s[i] <= '9') || s[i] == '_' ||
			s[i] == '-' || s[i] == '/'))
		i++;
	return i > 1 && i < n && s[i] == '>' ? i + 1 : 0;
}

/* The length of 's, 'll, … at s, an apostrophe (of `mark` bytes) behind a
 * letter; 0 if a word goes on there (o'clock). */
static size_t
contraction(const char *s, size_t n, size_t mark)
{
	static const char *const tails[] = { "s", "t", "d", "m", "ll", "re",
		"ve", "S", "T", "D", "M", "LL", "RE", "VE" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		size_t len = mark + strlen(tails[i]);
		char folded[4];
		int width;
		if (n < len || memcmp(s + mark, tails[i], len - mark) != 0)
			continue;
		if (n == len ||
			wv_char_fold((unsigned char)s[len], folded, &width) ==
				WV_CHAR_GAP)
			return len;
	}
	return 0;
}

/* What stands at s and is no part of any word; 0 if it is a character. */
static size_t
skipped(const struct splitter *s, const char *text, size_t n)
{
	if (text[0] == '<')
		return placeholder(text, n);
	if (s->kind != WV_CHAR_LOWER && s->kind != WV_CHAR_UPPER)
		return 0;
	if (text[0] == '\'')
		return contraction(text, n, 1);
	if (n >= 3 && memcmp(text, "\xe2\x80\x99", 3) == 0)
		return contraction(text, n, 3);
	return 0;
}

static void
add_char(struct splitter *s, enum wv_char_kind kind, const char letter[4],
	int n, size_t at, size_t end)
{
	if (kind == WV_CHAR_NONE)
		return;
	if (kind == WV_CHAR_GAP) {
		end_run(s);
		return;
	}
	if ((kind == WV_CHAR_UNSPACED) != (s->kind == WV_CHAR_UNSPACED))
		end_run(s);
	if (kind == WV_CHAR_UNSPACED)
		add_unspaced(s, letter, n, at, end);
	else
		add_letter(s, kind, letter, n, at);
	s->kind = kind;
	s->end = end;
}

/* What stands at `at`; its length. */
static size_t
add_next(struct splitter *s, const char *text, size_t at, size_t end)
{
	unsigned char c = (unsigned char)text[at];
	char letter[4] = { 0 };
	enum wv_char_kind kind;
	int len = 1, width = 1;
	size_t skip = 0;
	uint32_t cp;

	if (c == '<' || c == '\'' || c == 0xe2)
		skip = skipped(s, text + at, end - at);
	if (skip > 0) {
		end_run(s);
		return skip;
	}
	if (c < 0x80) {
		kind = wv_ascii_fold(c, letter);
	} else {
		len = wv_utf8_get(
			(const unsigned char *)text + at, end - at, &cp);
		kind = len > 0 ? wv_char_fold(cp, letter, &width) : WV_CHAR_GAP;
		len += len == 0; /* not UTF-8 */
	}
	add_char(s, kind, letter, width, at, at + (size_t)len);
	return (size_t)len;
}

void
wv_tokenize(struct wv_tokens *tokens, struct wv_arena *arena, const char *s,
	size_t n, bool keep_stop_words)
{
	struct splitter split = { .tokens = tokens,
		.arena = arena,
		.keep_stop_words = keep_stop_words,
		.kind = WV_CHAR_GAP };

	/* "aB" gives a, b, ab: seven bytes with their NULs for two and a gap;
	 * a character of three bytes gives at most seven */
	split.word = split.next = split.last = wv_alloc(arena, n * 4 + 16);
	split.run = wv_alloc(arena, n + 16);
	for (size_t i = 0; i < n;) {
		i += add_small(&split, s, i, n);
		if (i < n)
			i += add_next(&split, s, i, n);
	}
	end_run(&split);
}
