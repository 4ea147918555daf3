/* SPDX-License-Identifier: Apache-2.0 */
#include "json/internal.h"

#include "json/skim.h"

#include <limits.h>

const char *
wv_skim_give_up(struct wv_skim *skim)
{
	skim->gave_up = true;
	return NULL;
}

/* A scalar has no bracket to end in front of: a copy is given one. */
static const char *
begin_scalar(struct wv_skim *skim, const char *p, size_t n)
{
	if (n > WV_SKIM_SCALAR - 1)
		return wv_skim_give_up(skim);
	memcpy(skim->scalar, p, n);
	memset(skim->scalar + n, '}', 1 + WV_JSON_SLACK);
	skim->last = skim->end = skim->scalar + n;
	return skim->scalar;
}

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

const char *
wv_skim_begin(struct wv_skim *skim, const char *text, size_t len,
	const struct wv_json_limits *limits)
{
	const char *end = text + len;

	skim->levels_left = smaller(limits->max_depth, WV_SKIM_LEVELS);
	skim->values_left = limits->max_values;
	skim->max_digits = limits->max_digits;
	skim->gave_up = false;
	skim->name_count = 0;
	skim->text = skim->texts;
	while (text < end && wv_json_is_space(*text))
		text++;
	while (text < end && wv_json_is_space(end[-1]))
		end--;
	if (text == end || len > INT_MAX)
		return wv_skim_give_up(skim);
	skim->end = end;
	skim->last = end - 1;
	if (*text != '{' && *text != '[')
		text = begin_scalar(skim, text, (size_t)(end - text));
	else if (*skim->last != '}' && *skim->last != ']')
		return wv_skim_give_up(skim);
	if (text != NULL)
		wv_quotes_begin(
			&skim->quotes, text, (size_t)(skim->last + 1 - text));
	return text;
}

const char *
wv_skim_long_space(const char *p)
{
	unsigned n;

	do {
		n = wv_block_space(p);
		p += n;
	} while (n == WV_BLOCK);
	return p;
}

size_t
wv_skim_decode(const struct wv_skim_string *string, char *to)
{
	const char *end = string->s + string->n + 1;
	char *copy = to;

	wv_json_string_rest(string->s, string->s, end, &copy, NULL);
	return (size_t)(copy - to) - 1;
}

bool
wv_skim_decode_name(struct wv_skim *skim, struct wv_skim_string *string)
{
	size_t room = (size_t)(skim->texts + WV_SKIM_TEXT - skim->text);

	if (string->n + 1 + WV_JSON_SLACK > room)
		return wv_skim_give_up(skim);
	string->n = wv_skim_decode(string, skim->text);
	string->s = skim->text;
	skim->text += string->n + 1;
	return true;
}

bool
wv_skim_has_name(const struct wv_skim *skim,
	const struct wv_skim_object *object, const struct wv_skim_name *name)
{
	for (uint32_t i = object->first; i < skim->name_count; i++) {
		const struct wv_skim_name *other = &skim->names[i];
		if (other->hint == name->hint && other->n == name->n &&
			memcmp(other->s, name->s, name->n) == 0)
			return true;
	}
	return false;
}

static bool
are_digits(const char *p, const char *end)
{
	while (p < end && wv_json_is_digit(*p))
		p++;
	return p == end;
}

const char *
wv_skim_long_number(struct wv_skim *skim, const char *p, bool *plain)
{
	const char *end =
		wv_json_number_end(p, p, skim->last, skim->max_digits, NULL);

	if (end == NULL)
		return wv_skim_give_up(skim);
	*plain = are_digits(p + (*p == '-'), end);
	return end;
}

void
wv_skim_number_node(cJSON *node, const char *p, size_t n, char *text)
{
	bool negative = *p == '-';
	const char *begin = p + negative, *end = p + n;
	int64_t value = 0;

	*node = (cJSON){ .type = cJSON_Number };
	if (end - begin > WV_JSON_INT_DIGITS || !are_digits(begin, end) ||
		(negative && *begin == '0')) {
		memcpy(text, p, n);
		text[n] = '\0';
		node->valuestring = text;
		node->valueint = (int)n;
		return;
	}
	for (; begin < end; begin++)
		value = value * 10 + (*begin - '0');
	node->valuedouble = (double)(negative ? -value : value);
}

static const char *
skim_array(struct wv_skim *skim, const char *p)
{
	p = wv_skim_enter(skim, p);
	while (p != NULL && *p != ']') {
		p = wv_skim_value(skim, p);
		if (p != NULL)
			p = wv_skim_next(skim, p, ']');
	}
	return p != NULL ? wv_skim_leave(skim, p) : NULL;
}

/* A name that must be new, and its colon. */
static inline const char *
skim_name(struct wv_skim *skim, struct wv_skim_object *object, const char *p)
{
	struct wv_skim_string name;

	if (*p != '"')
		return wv_skim_give_up(skim);
	p = wv_skim_string(skim, p + 1, &name);
	if (p == NULL || !wv_skim_plain_name(skim, &name) ||
		!wv_skim_add_name(skim, object, &name))
		return NULL;
	return wv_skim_colon(skim, p);
}

static const char *
skim_object(struct wv_skim *skim, const char *p)
{
	struct wv_skim_object object;

	wv_skim_open_names(skim, &object);
	p = wv_skim_enter(skim, p);
	while (p != NULL && *p != '}') {
		p = skim_name(skim, &object, p);
		if (p != NULL)
			p = wv_skim_value(skim, p);
		if (p != NULL)
			p = wv_skim_next(skim, p, '}');
	}
	wv_skim_close_names(skim, &object);
	return p != NULL ? wv_skim_leave(skim, p) : NULL;
}

const char *
wv_skim_other_value(struct wv_skim *skim, const char *p)
{
	bool plain;

	switch (*p) {
	case '{':
		return skim_object(skim, p);
	case '[':
		return skim_array(skim, p);
	case 't':
		return wv_skim_word(skim, p, "true", 4);
	case 'f':
		return wv_skim_word(skim, p, "false", 5);
	case 'n':
		return wv_skim_word(skim, p, "null", 4);
	default:
		return wv_skim_number(skim, p, &plain);
	}
}
