/* SPDX-License-Identifier: Apache-2.0 */
#include "filter-internal.h"

#include "json/num.h"
#include "schema/regex.h"

#include <string.h>

/* The length of the pointer: up to an operator.  ~0 and ~1 are a pointer's. */
static size_t
pointer_length(const char *s)
{
	size_t n = 0;

	for (;;) {
		n += strcspn(s + n, "=<>~");
		if (s[n] != '~' || (s[n + 1] != '0' && s[n + 1] != '1'))
			return n;
		n += 2;
	}
}

/* A copy with what the reader of JSON wants behind it. */
static const char *
copy_value(struct filter *filter, const char *s, size_t n)
{
	char *value = wv_alloc_zero(&filter->arena, n + WV_JSON_SLACK);

	return memcpy(value, s, n);
}

static void
compile(struct condition *c, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	c->regex = wv_regex_compile(c->value, c->n, &err);
	if (c->regex == NULL)
		wv_usage(opts, "--where: %s", err.text);
}

const char *
where_read(
	struct filter *filter, struct condition *c, const struct wv_opts *opts)
{
	static const enum kind kinds[] = {
		['='] = EQUAL, ['~'] = MATCHES, ['<'] = BELOW, ['>'] = ABOVE
	};
	const char *s = opts->value;
	size_t n = pointer_length(s);
	const char *value = s + n + 1;

	if (*s != '/' || s[n] == '\0')
		wv_usage(opts,
			"--where: give /POINTER=VALUE, ~REGEX, >N, >=N, <N or "
			"<=N");
	c->kind = kinds[(unsigned char)s[n]];
	c->or_equal = (c->kind == BELOW || c->kind == ABOVE) && *value == '=';
	value += c->or_equal;
	c->n = strlen(value);
	c->value = copy_value(filter, value, c->n);
	if (c->kind == MATCHES)
		compile(c, opts);
	else
		c->json = wv_json_read(&filter->arena, c->value, c->n,
			&wv_json_defaults, NULL);
	if ((c->kind == BELOW || c->kind == ABOVE) && !wv_is_number(c->json))
		wv_usage(opts, "--where: %s is not a number", value);
	return wv_dupn(&filter->arena, s, n);
}

static int
matches(struct filter *filter, const struct condition *c,
	const struct found *found)
{
	struct wv_str *text = &filter->text;

	if (found->kind != FOUND_STRING)
		return false;
	if (found->node == NULL)
		return wv_regex_find(c->regex, found->text.s, found->text.n);
	text->n = 0;
	wv_json_bytes(found->node, text);
	return wv_regex_find(c->regex, text->n > 0 ? text->s : "", text->n);
}

static bool
equals(const struct condition *c, const struct found *found,
	const cJSON *number)
{
	if (found->kind == FOUND_STRING)
		return (found->text.n == c->n &&
			       memcmp(found->text.s, c->value, c->n) == 0) ||
			(wv_is_string(c->json) &&
				found->text.n == (size_t)c->json->valueint &&
				memcmp(found->text.s, c->json->valuestring,
					found->text.n) == 0);
	const cJSON *node = number != NULL ? number : found->node;
	return node != NULL && c->json != NULL && wv_json_equal(node, c->json);
}

int
where_holds(struct filter *filter, const struct condition *c,
	const struct found *found)
{
	char text[LINE_NUMBER];
	cJSON room;

	if (c->kind == MATCHES)
		return matches(filter, c, found);
	const cJSON *number = line_number(found, &room, text);
	if (c->kind == EQUAL)
		return equals(c, found, number);
	if (number == NULL)
		return false;
	int order = wv_num_cmp(number, c->json);
	return (order == 0 && c->or_equal) ||
		(c->kind == BELOW ? order < 0 : order > 0);
}
