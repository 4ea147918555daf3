/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a rule that the filter looks for. */
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
	{ "of", 750 }, { "and", 640 }, { "this", 630 }, { "not", 590 },
	{ "name", 430 }, { "from", 420 }, { "or", 420 }, { "be", 400 },
	{ "request", 370 }, { "value", 370 }, { "with", 350 }, { "that", 310 },
	{ "as", 290 }, { "type", 275 }, { "response", 270 }, { "an", 250 },
	{ "it", 220 }, { "key", 205 }, { "list", 205 }, { "raise", 200 },
	{ "on", 195 }, { "data", 195 }, { "message", 190 }, { "file", 180 },
	{ "are", 180 }, { "get", 180 }, { "by", 175 }, { "set", 175 },
	{ "will", 170 }, { "default", 160 }, { "e", 150 },
	{ "credential", 150 }, { "credentials", 150 }, { "use", 147 },
	{ "any", 145 }, { "can", 140 }, { "d", 130 }, { "token", 130 },
	{ "you", 125 }, { "location", 115 }, { "function", 115 },
	{ "functions", 115 }, { "all", 115 }, { "used", 115 },
	{ "content", 115 }, { "only", 115 }, { "url", 110 }, { "no", 110 },
	{ "when", 100 }, { "should", 100 }, { "other", 98 }, { "append", 95 },
	{ "text", 95 }, { "result", 94 }, { "pass", 93 }, { "new", 90 },
	{ "code", 90 }, { "end", 90 }, { "must", 87 }, { "start", 84 },
	{ "have", 82 }, { "output", 78 }, { "input", 77 }, { "at", 76 },
	{ "n", 70 }, { "may", 70 }, { "re", 70 }, { "using", 70 },
	{ "user", 66 }, { "files", 66 }, { "has", 65 }, { "command", 60 },
	{ "read", 59 }, { "requests", 58 }, { "log", 55 }, { "then", 55 },
	{ "required", 55 }, { "given", 54 }, { "include", 52 }, { "write", 51 },
	{ "check", 51 }, { "call", 50 }, { "do", 48 }, { "print", 48 },
	{ "first", 47 }, { "while", 47 }, { "add", 45 }, { "copy", 45 },
	{ "without", 44 }, { "does", 44 }, { "ignore", 43 }, { "access", 42 },
	{ "run", 41 }, { "root", 41 }, { "query", 40 }, { "update", 39 },
	{ "link", 38 }, { "into", 37 }, { "up", 37 }, { "let", 36 },
	{ "address", 36 }, { "there", 36 }, { "open", 35 }, { "note", 35 },
	{ "l", 35 }, { "its", 34 }, { "after", 34 }, { "these", 34 } };

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

static size_t
commonness(const char *s, size_t n)
{
	enum { OTHERS = 3, COUNT = sizeof(counts) / sizeof(*counts) };
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

/* Of several words the least common one counts. */
static void
add_sizes(
	struct wv_element_sizes *to, const char *s, const char *end, char space)
{
	size_t words = 0, common = SIZE_MAX;

	for (const char *stop; s < end; s = stop + (stop < end)) {
		stop = memchr(s, space, (size_t)(end - s));
		stop = stop != NULL ? stop : end;
		size_t one = commonness(s, (size_t)(stop - s));
		common = one < common ? one : common;
		words++;
		for (const char *p = s + 1; p < stop; p++)
			words += (unsigned char)*p >= 0xe3;
	}
	to->common += words > 1 ? common / 2 : common;
	to->words = words > to->words ? words : to->words;
}

static struct wv_element_sizes
class_sizes(size_t class)
{
	static struct wv_element_sizes known[CLASSES_MAX];
	struct wv_element_sizes *sizes = &known[class];
	const char *s = wv_inject_classes[class].words, *end = s + strlen(s);

	must(class < CLASSES_MAX);
	if (sizes->words > 0)
		return *sizes;
	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		add_sizes(sizes, s, b, ' ');
	}
	return *sizes;
}

static struct wv_element_sizes
sizes_of(const char *s, const char *end)
{
	struct wv_element_sizes sizes = { 0, 0 };

	for (const char *b; s < end; s = b + 1) {
		b = wv_inject_bar(s, end);
		if (*s != '$') {
			add_sizes(&sizes, s, b, '+');
			continue;
		}
		struct wv_element_sizes class = class_sizes(
			wv_inject_class(s + 1, (size_t)(b - s) - 1));
		sizes.common += class.common;
		if (class.words > sizes.words)
			sizes.words = class.words;
	}
	return sizes;
}

static size_t
elements_of(const char *s, struct wv_element *e)
{
	size_t count = 0, gap = 0;

	for (size_t n; *s != '\0'; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		if (*s >= '0' && *s <= '9') {
			gap = (size_t)atoi(s);
			continue;
		}
		must(count < WV_ELEMENTS_MAX);
		bool order = *s == '^';
		struct wv_element_sizes sizes = sizes_of(s + order, s + n);
		e[count++] = (struct wv_element){ s + order, s + n, order,
			sizes, gap + sizes.words };
		gap = 0;
	}
	return count;
}

/* Drops the commonest until there is a stage for each; the first stays. */
static size_t
choose(struct wv_element *e, size_t count)
{
	for (; count > WV_STAGES; count--) {
		size_t worst = 1;
		for (size_t i = 2; i < count; i++)
			if (e[i].sizes.common > e[worst].sizes.common)
				worst = i;
		if (worst + 1 < count)
			e[worst + 1].before += e[worst].before;
		memmove(e + worst, e + worst + 1,
			(count - worst - 1) * sizeof(*e));
	}
	return count;
}

size_t
wv_inject_elements(const char *pattern, struct wv_element *e)
{
	return choose(e, elements_of(pattern, e));
}
