/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a rule that the filter looks for. */
#include "firewall/inject-filter.h"

#include <stdlib.h>
#include <string.h>

enum {
	COMMON = 3, /* most letters of words that are everywhere */
	FEW = 3,    /* elements of a rule that are enough */
	CLASSES_MAX = 64,
};

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

static void
add_sizes(
	struct wv_element_sizes *to, const char *s, const char *end, char space)
{
	size_t words = 1;

	to->common += (size_t)(end - s) <= COMMON && *s != '<';
	for (; s < end; s++)
		words += *s == space || (unsigned char)*s >= 0xe3;
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

/* Drops the commonest until there is a stage for each, and common ones until
 * there are few; the first stays. */
static size_t
choose(struct wv_element *e, size_t count)
{
	while (count > FEW) {
		size_t worst = 1;
		for (size_t i = 2; i < count; i++)
			if (e[i].sizes.common > e[worst].sizes.common)
				worst = i;
		if (count <= WV_STAGES && e[worst].sizes.common == 0)
			break;
		if (worst + 1 < count)
			e[worst + 1].before += e[worst].before;
		memmove(e + worst, e + worst + 1,
			(count - worst - 1) * sizeof(*e));
		count--;
	}
	return count;
}

size_t
wv_inject_elements(const char *pattern, struct wv_element *e)
{
	return choose(e, elements_of(pattern, e));
}
