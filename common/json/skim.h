/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strict reader's judgement of a text, value by value, without a tree:
 * for who needs to know that a record is good and nothing more.
 *
 * A place is a pointer into the text; functions take the place of something
 * and return the place behind it, or NULL.  A record that is read to its end
 * is one that wv_json_read() takes under the same limits.  NULL may mean that
 * it does not, or that its shape is one that skimming leaves to the reader:
 * deeper than WV_SKIM_LEVELS, an object of more than WV_SKIM_MEMBERS members,
 * more names than there is room for.  Nothing is allocated.
 *
 * The bracket that closes the record is the sentinel: every token ends in
 * front of it, so there are no other tests for the end.
 */
#ifndef WV_JSON_SKIM_H
#define WV_JSON_SKIM_H

#include "json/json.h"
#include "json/quotes.h"

enum {
	WV_SKIM_LEVELS = 256,
	WV_SKIM_MEMBERS = 128, /* compared one by one */
	WV_SKIM_NAMES = 512,   /* of all objects that are open */
	WV_SKIM_TEXT = 2048,   /* bytes of such names that have escapes */
	WV_SKIM_SCALAR = 256,  /* bytes of a record that is no container */
};

/* A string literal without its quotes. */
struct wv_skim_string {
	const char *s;
	size_t n;
	bool escaped; /* see wv_skim_look() */
};

struct wv_skim_name {
	const char *s;
	uint32_t n, hint;
};

struct wv_skim {
	const char *last; /* the bracket that closes the record */
	const char *end;  /* behind its value */
	size_t levels_left, values_left, max_digits;
	bool gave_up; /* NULL was not about what is in the values */
	uint32_t name_count;
	char *text; /* where the next name with escapes goes */
	struct wv_quotes quotes;
	char scalar[WV_SKIM_SCALAR + WV_JSON_SLACK];
	struct wv_skim_name names[WV_SKIM_NAMES];
	char texts[WV_SKIM_TEXT];
};

/* Of the names of one object. */
struct wv_skim_object {
	uint32_t first;
	char *text;
	uint64_t filter[4]; /* a bit for each name's hint */
};

/* The place of the record's value.  text[len … len+WV_JSON_SLACK) must be
 * readable. */
const char *wv_skim_begin(struct wv_skim *skim, const char *text, size_t len,
	const struct wv_json_limits *limits);
/* The record ends behind the value that ends at p. */
static inline bool
wv_skim_is_end(const struct wv_skim *skim, const char *p)
{
	return p == skim->end && !skim->gave_up;
}

/* Sets gave_up; NULL. */
const char *wv_skim_give_up(struct wv_skim *skim);

/* A value that is counted already and is no string. */
const char *wv_skim_other_value(struct wv_skim *skim, const char *p);
/* What the inline functions below leave over. */
const char *wv_skim_long_space(const char *p);
const char *wv_skim_long_number(
	struct wv_skim *skim, const char *p, bool *plain);
bool wv_skim_has_name(const struct wv_skim *skim,
	const struct wv_skim_object *object, const struct wv_skim_name *name);

/* Decodes a string that has escapes to `to`, where there must be room for
 * n + 1 bytes and WV_JSON_SLACK; returns its length.  As in a tree. */
size_t wv_skim_decode(const struct wv_skim_string *string, char *to);
/* The same of a name, to where it stays until its object is left; the
 * NUL-terminated name takes the place of *string. */
bool wv_skim_decode_name(struct wv_skim *skim, struct wv_skim_string *string);

/* The node that the reader would make of a number of n bytes; text has room
 * for n + 1. */
void wv_skim_number_node(cJSON *node, const char *p, size_t n, char *text);

static inline const char *
wv_skim_space(const char *p)
{
	if ((unsigned char)*p > ' ')
		return p;
	if (*p == ' ' && (unsigned char)p[1] > ' ')
		return p + 1;
	return wv_skim_long_space(p);
}

/* A string that nobody looks at. */
static inline const char *
wv_skim_pass_string(struct wv_skim *skim)
{
	const char *quote = wv_quotes_take(&skim->quotes);

	return quote != NULL ? quote + 1 : wv_skim_give_up(skim);
}

/* The rest of a string literal, from behind its opening quote. */
static inline const char *
wv_skim_string(
	struct wv_skim *skim, const char *p, struct wv_skim_string *string)
{
	const char *quote = wv_quotes_take(&skim->quotes);

	if (quote == NULL)
		return wv_skim_give_up(skim);
	*string = (struct wv_skim_string){ p, (size_t)(quote - p), false };
	return quote + 1;
}

/* To be asked for before what is in a string means anything. */
static inline bool
wv_skim_look(const struct wv_skim *skim, struct wv_skim_string *string)
{
	string->escaped = skim->quotes.escapes &&
		memchr(string->s, '\\', string->n) != NULL;
	return string->escaped;
}

/* A name as it is, or decoded. */
static inline bool
wv_skim_plain_name(struct wv_skim *skim, struct wv_skim_string *name)
{
	return !wv_skim_look(skim, name) || wv_skim_decode_name(skim, name);
}

/* *plain: it is a whole number without an exponent. */
static inline const char *
wv_skim_number(struct wv_skim *skim, const char *p, bool *plain)
{
	const char *begin = p + (*p == '-');
	uint64_t others, end = (uint64_t)1 << WV_DIGIT_MASK;
	unsigned n;

	if (skim->last - begin < WV_DIGIT_MASK - 1 - WV_JSON_SLACK)
		return wv_skim_long_number(skim, p, plain);
	others = wv_mask_no_digits(begin);
	n = wv_mask_before(others | end);
	*plain = true;
	if (n == 0 || (n > 1 && *begin == '0'))
		return wv_skim_give_up(skim);
	if (begin[n] == '.') {
		unsigned point = n;
		others &= others - 1;
		n = wv_mask_before(others | end);
		if (n == point + 1)
			return wv_skim_give_up(skim);
		*plain = false;
	}
	if (n == WV_DIGIT_MASK || (begin[n] | 0x20) == 'e' ||
		n > skim->max_digits)
		return wv_skim_long_number(skim, p, plain);
	return begin + n;
}

static inline const char *
wv_skim_word(struct wv_skim *skim, const char *p, const char *word, size_t n)
{
	return memcmp(p, word, n) == 0 ? p + n : wv_skim_give_up(skim);
}

/* A value begins. */
static inline bool
wv_skim_count(struct wv_skim *skim)
{
	return skim->values_left-- != 0 || wv_skim_give_up(skim);
}

/* Any value.  Most are strings. */
static inline const char *
wv_skim_value(struct wv_skim *skim, const char *p)
{
	if (!wv_skim_count(skim))
		return NULL;
	return *p == '"' ? wv_skim_pass_string(skim)
			 : wv_skim_other_value(skim, p);
}

/* An opening bracket at p; where the first value or name begins, or the
 * closing bracket stands. */
static inline const char *
wv_skim_enter(struct wv_skim *skim, const char *p)
{
	if (skim->levels_left == 0)
		return wv_skim_give_up(skim);
	skim->levels_left--;
	return wv_skim_space(p + 1);
}

/* Its closing bracket at p. */
static inline const char *
wv_skim_leave(struct wv_skim *skim, const char *p)
{
	skim->levels_left++;
	return p + 1;
}

/* Behind an item or a member: the place of the next, or of the bracket.  If
 * that item took the last bracket, none is left for what it stands in. */
static inline const char *
wv_skim_next(struct wv_skim *skim, const char *p, char closer)
{
	if (p > skim->last)
		return wv_skim_give_up(skim);
	p = wv_skim_space(p);
	if (*p == ',') {
		p = wv_skim_space(p + 1);
		return *p != closer ? p : wv_skim_give_up(skim);
	}
	return *p == closer ? p : wv_skim_give_up(skim);
}

static inline const char *
wv_skim_colon(struct wv_skim *skim, const char *p)
{
	p = wv_skim_space(p);
	return *p == ':' ? wv_skim_space(p + 1) : wv_skim_give_up(skim);
}

static inline void
wv_skim_open_names(struct wv_skim *skim, struct wv_skim_object *object)
{
	object->first = skim->name_count;
	object->text = skim->text;
	memset(object->filter, 0, sizeof(object->filter));
}

static inline void
wv_skim_close_names(struct wv_skim *skim, const struct wv_skim_object *object)
{
	skim->name_count = object->first;
	skim->text = object->text;
}

/* Equal names have equal hints, different ones mostly not. */
static inline uint32_t
wv_skim_hint(const char *s, size_t n)
{
	uint64_t head, end = 0;

	memcpy(&head, s, sizeof(head));
	if (n < sizeof(head))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		head &= ~(UINT64_MAX >> 8 * n);
#else
		head &= ~(UINT64_MAX << 8 * n);
#endif
	else
		memcpy(&end, s + n - sizeof(end), sizeof(end));
	head = (head ^ (end << 23 | end >> 41)) + n;
	return (uint32_t)(head * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* A name, decoded if it has escapes, that must be new to its object. */
static inline bool
wv_skim_add_name(struct wv_skim *skim, struct wv_skim_object *object,
	const struct wv_skim_string *string)
{
	struct wv_skim_name name = { string->s, (uint32_t)string->n,
		wv_skim_hint(string->s, string->n) };
	uint64_t *word = &object->filter[name.hint >> 30];
	uint64_t bit = (uint64_t)1 << (name.hint >> 24 & 63);

	if ((*word & bit) != 0 && wv_skim_has_name(skim, object, &name))
		return wv_skim_give_up(skim);
	*word |= bit;
	if (skim->name_count == WV_SKIM_NAMES ||
		skim->name_count - object->first == WV_SKIM_MEMBERS)
		return wv_skim_give_up(skim);
	skim->names[skim->name_count++] = name;
	return true;
}

#endif
