/* SPDX-License-Identifier: Apache-2.0 */
#include "guess.h"

#include "contract/contract.h"

#include <string.h>

enum { MAX_NAMES = 64 << 10 };

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p;
}

/* Behind the closing quote of the string whose content begins at p. */
static const char *
skip_string(const char *p, const char *end)
{
	const char *start = p, *quote, *back;

	while ((quote = memchr(p, '"', (size_t)(end - p))) != NULL) {
		for (back = quote; back > start && back[-1] == '\\';)
			back--;
		if ((quote - back) % 2 == 0)
			return quote + 1;
		start = p = quote + 1;
	}
	return end;
}

/* The comma or closing brace behind the value at p. */
static const char *
skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	while (p < end) {
		switch (*p++) {
		case '"':
			p = skip_string(p, end);
			break;
		case '{':
		case '[':
			depth++;
			break;
		case '}':
		case ']':
			if (depth == 0)
				return p - 1;
			depth--;
			break;
		case ',':
			if (depth == 0)
				return p - 1;
			break;
		}
	}
	return end;
}

/* The content of the next name, whose length goes to *n, and p behind its
 * value; NULL at the end of the object, or of what is understood here. */
static const char *
next_name(const char **p, const char *end, size_t *n)
{
	const char *name, *after;

	after = skip_space(*p, end);
	if (after == end || (*after != '{' && *after != ','))
		return NULL;
	name = skip_space(after + 1, end);
	if (name == end || *name != '"')
		return NULL;
	after = skip_string(++name, end);
	if (after == end)
		return NULL;
	*n = (size_t)(after - 1 - name);
	*p = skip_value(after, end);
	return name;
}

/* The names are those of the last record, in the same order. */
static bool
same_names(const struct guess *guess, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *name;
	const char *known = guess->names.s, *last = known + guess->names.n;
	size_t n;

	if (guess->names.n == 0)
		return false;
	while ((name = next_name(&p, end, &n)) != NULL) {
		if ((size_t)(last - known) <= n || known[n] != '\0' ||
			memcmp(known, name, n) != 0)
			return false;
		known += n + 1;
	}
	return known == last;
}

/* False if they are too many, or one has an escape. */
static bool
collect_names(struct guess *guess, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *name;
	size_t n;

	guess->names.n = 0;
	while ((name = next_name(&p, end, &n)) != NULL) {
		if (memchr(name, '\\', n) != NULL ||
			memchr(name, '\0', n) != NULL ||
			guess->names.n + n > MAX_NAMES)
			return false;
		wv_str_add(&guess->names, name, n);
		wv_str_chr(&guess->names, '\0');
	}
	return true;
}

/* wv_contract_guess() asks for names only. */
static int
guess_by_names(const struct wv_str *names)
{
	struct wv_arena arena = WV_ARENA_INIT;
	cJSON *object = wv_json_object(&arena);
	int type;

	for (size_t i = 0; i < names->n; i += strlen(names->s + i) + 1) {
		cJSON *member = wv_json_null(&arena);
		member->string = names->s + i;
		wv_push(object, member);
	}
	type = wv_contract_guess(object);
	wv_arena_free(&arena);
	return type;
}

int
guess_type(struct guess *guess, const char *text, size_t len)
{
	if (same_names(guess, text, len))
		return guess->type;
	guess->type = -1;
	if (!collect_names(guess, text, len)) {
		guess->names.n = 0;
		return -1;
	}
	guess->type = guess_by_names(&guess->names);
	return guess->type;
}

void
guess_free(struct guess *guess)
{
	wv_str_free(&guess->names);
}
