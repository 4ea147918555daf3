/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a rule that the filter looks for, and their words. */
#include "firewall/inject-filter.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES_MAX = 64 };

/* Of 100,000 words of texts and programs. */
static const struct {
	const char *word;
	unsigned count;
} counts[] = { { "the", 2300 }, { "if", 1300 }, { "a", 1100 }, { "to", 1000 },
	{ "return", 890 }, { "is", 840 }, { "in", 820 }, { "for", 780 },
	{ "of", 750 }, { "and", 640 }, { "this", 630 }, { "i", 600 },
	{ "not", 590 }, { "name", 430 }, { "from", 420 }, { "or", 420 },
	{ "be", 400 }, { "request", 370 }, { "value", 370 }, { "with", 350 },
	{ "that", 310 }, { "as", 290 }, { "type", 275 }, { "response", 270 },
	{ "an", 250 }, { "it", 220 }, { "key", 205 }, { "list", 205 },
	{ "raise", 200 }, { "example", 200 }, { "test", 200 }, { "on", 195 },
	{ "data", 195 }, { "message", 190 }, { "path", 190 }, { "file", 180 },
	{ "are", 180 }, { "get", 180 }, { "by", 175 }, { "set", 175 },
	{ "will", 170 }, { "which", 170 }, { "when", 165 }, { "default", 160 },
	{ "e", 150 }, { "credential", 150 }, { "credentials", 150 },
	{ "was", 150 }, { "use", 147 }, { "has", 147 }, { "any", 145 },
	{ "can", 140 }, { "d", 130 }, { "token", 130 }, { "string", 130 },
	{ "user", 130 }, { "you", 125 }, { "location", 115 },
	{ "function", 115 }, { "functions", 115 }, { "all", 115 },
	{ "used", 115 }, { "content", 115 }, { "only", 115 }, { "url", 110 },
	{ "no", 110 }, { "we", 105 }, { "should", 100 }, { "none", 100 },
	{ "out", 100 }, { "server", 100 }, { "but", 100 }, { "error", 100 },
	{ "warning", 100 }, { "report", 100 }, { "warn", 100 }, { "other", 98 },
	{ "append", 95 }, { "text", 95 }, { "result", 94 }, { "pass", 93 },
	{ "new", 90 }, { "code", 90 }, { "end", 90 }, { "must", 87 },
	{ "start", 84 }, { "have", 82 }, { "order", 80 }, { "page", 80 },
	{ "output", 78 }, { "input", 77 }, { "at", 76 }, { "so", 71 },
	{ "n", 70 }, { "may", 70 }, { "re", 70 }, { "using", 70 },
	{ "files", 66 }, { "command", 60 }, { "customer", 60 }, { "mail", 60 },
	{ "policy", 60 }, { "account", 60 }, { "debug", 60 }, { "config", 60 },
	{ "label", 60 }, { "memory", 60 }, { "void", 60 }, { "state", 60 },
	{ "email", 60 }, { "system", 60 }, { "status", 60 }, { "before", 60 },
	{ "image", 60 }, { "read", 59 }, { "requests", 58 }, { "what", 58 },
	{ "log", 55 }, { "then", 55 }, { "required", 55 }, { "given", 54 },
	{ "next", 54 }, { "include", 52 }, { "write", 51 }, { "check", 51 },
	{ "call", 50 }, { "summary", 50 }, { "ok", 50 }, { "thread", 50 },
	{ "metadata", 50 }, { "tool", 49 }, { "do", 48 }, { "print", 48 },
	{ "first", 47 }, { "while", 47 }, { "now", 47 }, { "add", 45 },
	{ "copy", 45 }, { "without", 44 }, { "does", 44 }, { "last", 44 },
	{ "ignore", 43 }, { "access", 42 }, { "run", 41 }, { "root", 41 },
	{ "query", 40 }, { "payment", 40 }, { "internal", 40 }, { "they", 40 },
	{ "make", 40 }, { "issue", 40 }, { "your", 40 }, { "update", 39 },
	{ "api", 39 }, { "link", 38 }, { "into", 37 }, { "up", 37 },
	{ "let", 36 }, { "address", 36 }, { "there", 36 }, { "keys", 36 },
	{ "open", 35 }, { "note", 35 }, { "l", 35 }, { "its", 34 },
	{ "after", 34 }, { "these", 34 }, { "remove", 34 }, { "continue", 33 },
	{ "rules", 31 }, { "words", 30 }, { "word", 30 }, { "issues", 30 },
	{ "session", 30 }, { "about", 30 }, { "click", 30 },
	{ "directory", 30 }, { "like", 30 }, { "delete", 30 }, { "place", 29 },
	{ "work", 28 }, { "ai", 28 }, { "mode", 27 }, { "strings", 25 },
	{ "search", 25 }, { "find", 25 }, { "block", 25 }, { "field", 25 },
	{ "password", 25 }, { "instead", 25 }, { "here", 25 }, { "them", 25 },
	{ "security", 25 }, { "store", 25 }, { "parameter", 25 },
	{ "allow", 25 }, { "body", 25 }, { "variable", 25 }, { "model", 25 },
	{ "invalid", 24 }, { "free", 24 }, { "information", 24 },
	{ "tools", 23 }, { "score", 20 }, { "filter", 20 }, { "filters", 20 },
	{ "header", 20 }, { "comment", 20 }, { "step", 20 }, { "would", 20 },
	{ "document", 20 }, { "because", 20 }, { "updated", 20 },
	{ "context", 20 }, { "post", 20 }, { "operator", 20 },
	{ "available", 20 }, { "character", 20 }, { "just", 20 },
	{ "already", 20 }, { "history", 20 }, { "script", 20 }, { "send", 20 },
	{ "users", 20 }, { "skip", 19 }, { "always", 17 }, { "alert", 15 },
	{ "execute", 15 }, { "enable", 15 }, { "agent", 15 }, { "done", 15 },
	{ "admin", 12 }, { "perform", 10 }, { "final", 10 }, { "disable", 10 },
	{ "override", 10 }, { "never", 10 }, { "models", 10 },
	{ "assistant", 10 }, { "instructions", 10 }, { "prompt", 10 },
	{ "upload", 10 }, { "fetch", 10 }, { "dont", 8 }, { "transfer", 5 },
	{ "forward", 5 }, { "visit", 3 } };

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* The end of the alternative at s. */
const char *
wv_inject_bar(const char *s, const char *end)
{
	const char *found = memchr(s, '|', (size_t)(end - s));

	return found ? found : end;
}

size_t
wv_inject_class(const char *name, size_t n)
{
	for (size_t i = WV_CLASS_FIXED; i < wv_inject_class_count; i++)
		if (strncmp(wv_inject_classes[i].name, name, n) == 0 &&
			wv_inject_classes[i].name[n] == '\0')
			return i;
	abort();
}

/* Where a word stands in counts, from 1 on, or would be noted. */
static uint8_t *
slot_of(const char *s, size_t n)
{
	enum { SLOTS = 512 };
	static uint8_t slots[SLOTS];
	size_t at = (unsigned char)s[0] * 31 + (unsigned char)s[n - 1] * 7 +
		(unsigned char)s[n / 2] * 3 + n * 101;

	for (;; at++) {
		uint8_t *slot = &slots[at % SLOTS];
		const char *word = *slot > 0 ? counts[*slot - 1].word : NULL;
		if (word == NULL ||
			(strncmp(word, s, n) == 0 && word[n] == '\0'))
			return slot;
	}
}

size_t
wv_inject_commonness(const char *s, size_t n)
{
	enum { OTHERS = 1, COUNT = sizeof(counts) / sizeof(*counts) };
	static bool is_noted;

	_Static_assert(COUNT < UINT8_MAX, "a slot holds a place in counts");
	if (n == 0 || *s == '<' || (unsigned char)*s >= 0x80)
		return 0;
	for (size_t i = 0; i < COUNT && !is_noted; i++)
		*slot_of(counts[i].word, strlen(counts[i].word)) =
			(uint8_t)(i + 1);
	is_noted = true;
	uint8_t found = *slot_of(s, n);
	return found > 0 ? counts[found - 1].count : OTHERS;
}

/* Of several words the least common one counts, a little. */
static size_t
common_words(const char *s, const char *end, char space)
{
	enum { SEVERAL = 8 };
	size_t words = 0, least = SIZE_MAX;

	for (const char *stop; s < end; s = stop + (stop < end)) {
		stop = memchr(s, space, (size_t)(end - s));
		stop = stop != NULL ? stop : end;
		size_t one = wv_inject_commonness(s, (size_t)(stop - s));
		least = one < least ? one : least;
		words++;
	}
	return words > 1 ? least / SEVERAL : least;
}

/* Of all alternatives. */
static size_t
common(const char *s, const char *end, char space)
{
	static size_t known[CLASSES_MAX]; /* of classes */
	size_t all = 0;

	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		if (*s != '$') {
			all += common_words(s, b, space);
			continue;
		}
		size_t i = wv_inject_class(s + 1, (size_t)(b - s) - 1);
		const char *words = wv_inject_classes[i].words;
		must(i < CLASSES_MAX);
		if (known[i] == 0)
			known[i] = common(words, words + strlen(words), ' ');
		all += known[i];
	}
	return all;
}

size_t
wv_inject_elements(const char *s, struct wv_element *e)
{
	size_t count = 0;

	for (size_t n; *s != '\0'; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		if (*s >= '0' && *s <= '9') /* a gap */
			continue;
		must(count < WV_ELEMENTS_MAX);
		bool order = *s == '^';
		e[count++] = (struct wv_element){ s + order, s + n, order };
	}
	return count;
}

size_t
wv_inject_stages(struct wv_element *e, size_t count)
{
	for (; count > WV_STAGES; count--) {
		size_t worst = 1, most = 0;
		for (size_t i = 1; i < count; i++) {
			size_t one = common(e[i].s, e[i].end, '+');
			worst = one > most ? i : worst;
			most = one > most ? one : most;
		}
		memmove(e + worst, e + worst + 1,
			(count - worst - 1) * sizeof(*e));
	}
	return count;
}

struct wv_rule_word
wv_inject_word_of(const char *s, size_t n)
{
	bool beginning = n > 0 && s[n - 1] == '*';
	struct wv_rule_word word = { s, n, 0, WV_KEY_LETTERS };
	size_t letters;

	if (n == 0 || s[0] == '<')
		return word;
	word.key = wv_word_key(s, n - beginning, &letters);
	must(!beginning || letters >= WV_KEY_OPEN);
	if (beginning && letters < WV_KEY_LETTERS)
		word.care = letters;
	return word;
}

static size_t
word_end(const char *s, size_t n, char space)
{
	size_t end = 0;

	if ((unsigned char)s[0] >= 0x80) {
		size_t len = wv_alone_length(s, n);
		if (len > 0)
			return len;
	}
	while (end < n && s[end] != space &&
		(end == 0 || (unsigned char)s[end] < 0xe2 ||
			wv_alone_length(s + end, n - end) == 0))
		end++;
	return end;
}

size_t
wv_inject_words(const char *s, size_t n, char space, struct wv_rule_word *words)
{
	size_t count = 0;

	for (size_t at = 0, len; at < n; at += len + (s[at + len] == space)) {
		must(count < WV_PHRASE_WORDS);
		len = word_end(s + at, n - at, space);
		words[count++] = wv_inject_word_of(s + at, len);
	}
	return count;
}
