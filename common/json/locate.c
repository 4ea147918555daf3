/* SPDX-License-Identifier: Apache-2.0 */
/* Finds places in text that the reader accepted, so nothing is checked. */
#include "json/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && wv_json_is_space(*p))
		p++;
	return p;
}

/* p is behind the opening quote; the closing one, or the end. */
static const char *
string_end(const char *p, const char *end)
{
	const char *quote = p;

	while ((quote = memchr(quote, '"', (size_t)(end - quote))) != NULL) {
		const char *back = quote;
		while (back > p && back[-1] == '\\')
			back--;
		if ((quote - back) % 2 == 0)
			return quote;
		quote++;
	}
	return end;
}

/* p is the opening quote. */
static const char *
skip_string(const char *p, const char *end)
{
	p = string_end(p + 1, end);
	return p < end ? p + 1 : end;
}

/* p is the opening bracket. */
static const char *
skip_container(const char *p, const char *end)
{
	size_t depth = 0;

	while (p < end) {
		if (*p == '"') {
			p = skip_string(p, end);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if ((*p == '}' || *p == ']') && --depth == 0)
			return p + 1;
		p++;
	}
	return p;
}

/* What follows the value at p: a comma or a closing bracket, or the end. */
static const char *
skip_value(const char *p, const char *end)
{
	if (p < end && *p == '"')
		p = skip_string(p, end);
	else if (p < end && (*p == '{' || *p == '['))
		p = skip_container(p, end);
	while (p < end && *p != ',' && *p != '}' && *p != ']')
		p++;
	return p;
}

/* The string literal at p, as it would stand in a tree. */
static void
decode(struct wv_str *out, const char *p, const char *end)
{
	const char *stop = string_end(++p, end), *back;
	char bytes[4];
	size_t n;

	out->n = 0;
	while ((back = memchr(p, '\\', (size_t)(stop - p))) != NULL) {
		wv_str_add(out, p, (size_t)(back - p));
		p = back + wv_json_unescape(back, end, bytes, &n);
		wv_str_add(out, bytes, n);
	}
	wv_str_add(out, p, (size_t)(stop - p));
}

/* p is behind the opening brace; the place of the member's value or NULL. */
static const char *
find_member(const char *p, const char *end, const struct wv_step *token)
{
	struct wv_str name = { 0 };
	const char *found = NULL;

	p = skip_space(p, end);
	while (found == NULL && p < end && *p == '"') {
		decode(&name, p, end);
		p = skip_space(skip_string(p, end), end);
		p = skip_space(p + 1, end);
		if (wv_step_is(token, name.s))
			found = p;
		else
			p = skip_space(skip_value(p, end) + 1, end);
	}
	wv_str_free(&name);
	return found;
}

/* p is behind the opening bracket; the place of the element or NULL. */
static const char *
find_element(const char *p, const char *end, const struct wv_step *token)
{
	size_t index = wv_step_index(token);

	p = skip_space(p, end);
	if (p < end && *p == ']')
		return NULL;
	for (; index > 0; index--) {
		p = skip_value(p, end);
		if (p == end || *p != ',')
			return NULL;
		p = skip_space(p + 1, end);
	}
	return p;
}

size_t
wv_json_locate(const char *text, size_t len, const char *pointer)
{
	const char *end = text + len, *p = skip_space(text, end);
	struct wv_step token;

	while (p != NULL && wv_step_next(&token, &pointer)) {
		if (*p == '{')
			p = find_member(p + 1, end, &token);
		else if (*p == '[')
			p = find_element(p + 1, end, &token);
		else
			p = NULL;
	}
	return p != NULL && *pointer == '\0' ? (size_t)(p - text) : len;
}

struct wanted {
	const char *pointer;
	size_t *place;
};

struct search {
	const char *text, *end;
	const struct wanted *wanted; /* sorted */
	struct wv_str name, escaped;
};

/* Pointers that lead to a value, or into it: they share their first bytes. */
struct range {
	size_t from, end, shared;
};

/* So that what leads into a value comes right behind what leads to it. */
static int
rank(char c)
{
	return c == '\0' ? 0 : c == '/' ? 1 : (unsigned char)c + 1;
}

static int
by_pointer(const void *a, const void *b)
{
	const char *s = ((const struct wanted *)a)->pointer;
	const char *t = ((const struct wanted *)b)->pointer;

	while (*s == *t && *s != '\0')
		s++, t++;
	return rank(*s) - rank(*t);
}

/* How what a pointer begins with compares with a token. */
static int
compare(const char *pointer, const struct wv_step *token)
{
	size_t i = 0;

	while (i < token->n && pointer[i] == token->s[i])
		i++;
	if (i < token->n)
		return rank(pointer[i]) - rank(token->s[i]);
	return pointer[i] != '\0' && pointer[i] != '/';
}

/* The first pointer of a range whose next token is at least this one, or past
 * it. */
static size_t
first_from(const struct search *s, const struct range *range,
	const struct wv_step *token, bool past)
{
	size_t low = range->from, high = range->end;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const char *pointer = s->wanted[mid].pointer;
		if (compare(pointer + range->shared + 1, token) < past)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct range
narrow(const struct search *s, struct range range, const struct wv_step *token)
{
	const char *pointer;

	range.from = first_from(s, &range, token, false);
	if (range.from == range.end)
		return range;
	/* Most names lead nowhere. */
	pointer = s->wanted[range.from].pointer + range.shared + 1;
	if (compare(pointer, token) != 0)
		range.end = range.from;
	else
		range.end = first_from(s, &range, token, true);
	range.shared += 1 + token->n;
	return range;
}

/* The value at p, where these lead; those that lead on are left. */
static void
take_place(struct search *s, const char *p, struct range *range)
{
	for (size_t i = range->from; i < range->end; i++) {
		*s->wanted[i].place = (size_t)(p - s->text);
		if (s->wanted[i].pointer[range->shared] == '\0')
			range->from = i + 1;
	}
}

/* The name at *p, escaped as in a pointer; *p is where its value begins. */
static struct wv_step
name_token(struct search *s, const char **p)
{
	const char *begin = *p, *name = begin + 1, *at = name;
	const char *stop = string_end(name, s->end);

	*p = skip_space(stop < s->end ? stop + 1 : stop, s->end);
	*p = skip_space(*p + 1, s->end);
	while (at < stop && *at != '\\' && *at != '~' && *at != '/')
		at++;
	if (at == stop)
		return (struct wv_step){ name, (size_t)(stop - name) };
	decode(&s->name, begin, s->end);
	s->escaped.n = 0;
	wv_pointer_add(&s->escaped, s->name.s);
	return (struct wv_step){ s->escaped.s + 1, s->escaped.n - 1 };
}

static struct wv_step
index_token(size_t index, char *end)
{
	char *p = end;

	do
		*--p = (char)('0' + index % 10);
	while ((index /= 10) != 0);
	return (struct wv_step){ p, (size_t)(end - p) };
}

static const char *search_value(
	struct search *s, const char *p, struct range range);

/* p is behind the opening bracket; what follows the closing one. */
static const char *
search_members(
	struct search *s, const char *p, bool is_object, struct range range)
{
	char index[24];
	struct wv_step token;

	p = skip_space(p, s->end);
	for (size_t i = 0; p < s->end && *p != ']' && *p != '}'; i++) {
		token = is_object ? name_token(s, &p)
				  : index_token(i, index + sizeof(index));
		p = search_value(s, p, narrow(s, range, &token));
		p = skip_space(p, s->end);
		if (p < s->end && *p == ',')
			p = skip_space(p + 1, s->end);
	}
	return p < s->end ? p + 1 : p;
}

/* As deep as the reader went. */
static const char *
search_value(struct search *s, const char *p, struct range range)
{
	if (p < s->end)
		take_place(s, p, &range);
	if (p == s->end || range.from == range.end || (*p != '{' && *p != '['))
		return skip_value(p, s->end);
	return search_members(s, p + 1, *p == '{', range);
}

/* What begins with neither is no pointer. */
static struct range
pointers_of(const struct search *s, size_t count)
{
	while (count > 0 && rank(s->wanted[count - 1].pointer[0]) > 1)
		count--;
	return (struct range){ 0, count, 0 };
}

void
wv_json_locate_all(const char *text, size_t len, const char *const *pointers,
	size_t count, size_t *places)
{
	struct wanted *wanted = wv_xcalloc(count, sizeof(*wanted));
	struct search s = { .text = text, .end = text + len, .wanted = wanted };

	for (size_t i = 0; i < count; i++) {
		wanted[i] = (struct wanted){ pointers[i], &places[i] };
		places[i] = 0;
	}
	qsort(wanted, count, sizeof(*wanted), by_pointer);
	search_value(&s, skip_space(text, s.end), pointers_of(&s, count));
	wv_str_free(&s.name);
	wv_str_free(&s.escaped);
	free(wanted);
}
