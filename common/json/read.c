/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strict reader.  It is one loop over one record: a value is read and
 * appended to the innermost open container, and the containers that end
 * after it are closed.  Functions take a place in the text and return the
 * place after what they read, or NULL when the error is filled.
 *
 * Names that come again in objects beside one another are held once.
 *
 * Strings are copied to the arena 16 bytes at a time while they are checked.
 * A copy never outgrows its source, so one area as long as the record takes
 * all strings of the record.  It has a slack of its own: the last blocks
 * reach past it when nodes already stand behind.
 */
#include "json/read-internal.h"

#include <limits.h>
#include <string.h>

const struct wv_json_limits wv_json_defaults = WV_JSON_LIMITS_INIT;

/* The name at p, if it is short and plain, and what the object before has
 * next: then it is not even copied.  Its closing quote, or NULL. */
static inline const char *
read_like_name(struct wv_read *r, const char *p)
{
	const cJSON *twin = r->level->twin;
	const char *name = p + 1;
	unsigned n;

	if (!r->level->is_like || twin == NULL)
		return NULL;
	n = wv_block_text(name);
	if (n == WV_BLOCK || name + n >= r->end || name[n] != '"' ||
		twin->string[n] != '\0' ||
		!wv_block_same(twin->string, name, n))
		return NULL;
	r->level->twin = twin->next;
	r->like = twin;
	r->name = twin->string;
	return name + n;
}

/* A member's name and the colon; p is where the name should begin.  Returns
 * the place of the value. */
static inline const char *
read_name(struct wv_read *r, const char *p)
{
	const char *quote;

	if (wv_read_peek(r, p) != '"')
		return wv_read_unexpected(
			r, p, "a member name in double quotes");
	quote = read_like_name(r, p);
	p = quote != NULL ? quote + 1 : wv_read_new_name(r, p);
	if (p == NULL)
		return NULL;
	p = wv_read_space(r, p);
	if (wv_read_peek(r, p) != ':')
		return wv_read_unexpected(r, p, "a colon");
	return wv_read_space(r, p + 1);
}

/* A new last child of the innermost container. */
static inline cJSON *
add_node(struct wv_read *r, int type)
{
	struct wv_read_level *level = r->level;
	cJSON *node = wv_alloc(r->arena, sizeof(*node));

	*node = (cJSON){ .prev = level->last, .type = type, .string = r->name };
	if (level->last != NULL)
		level->last->next = node;
	else
		level->node->child = node;
	level->last = node;
	level->children++;
	r->name = NULL;
	return node;
}

static const char *
bad_word(const struct wv_read *r, const char *p, const char *word)
{
	const char *at = p;

	while (p < r->end && *p == *word)
		p++, word++;
	return p == r->end ? wv_read_ends(r, "a word")
			   : wv_read_unexpected(r, at, "a value");
}

static inline const char *
read_word(
	struct wv_read *r, const char *p, const char *word, size_t n, int type)
{
	if ((size_t)(r->end - p) < n || memcmp(p, word, n) != 0)
		return bad_word(r, p, word);
	add_node(r, type);
	return p + n;
}

/* A number whose text, of n bytes, is kept; room is how many are copied. */
static inline const char *
keep_number(struct wv_read *r, const char *p, size_t n, size_t room)
{
	cJSON *node = add_node(r, cJSON_Number);

	node->valuestring = r->text;
	node->valueint = (int)n;
	memcpy(r->text, p, room);
	r->text[n] = '\0';
	r->text += n + 1;
	return p + n;
}

/* See WV_JSON_INT_DIGITS. */
static inline bool
is_int(const struct wv_read *r, const char *begin, size_t digits, bool negative)
{
	return digits <= r->int_digits && !(negative && *begin == '0');
}

static inline const char *
keep_int(struct wv_read *r, const char *begin, size_t digits, bool negative)
{
	int64_t value = 0;

	for (size_t i = 0; i < digits; i++)
		value = value * 10 + (begin[i] - '0');
	add_node(r, cJSON_Number)->valuedouble =
		(double)(negative ? -value : value);
	return begin + digits;
}

static const char *
read_any_number(struct wv_read *r, const char *p)
{
	const char *end = wv_json_number_end(
		r->start, p, r->end, r->limits->max_digits, r->err);
	bool negative = *p == '-';
	const char *begin = p + negative, *stop = begin;

	if (end == NULL)
		return NULL;
	while (stop < end && wv_json_is_digit(*stop))
		stop++;
	if (stop == end && is_int(r, begin, (size_t)(end - begin), negative))
		return keep_int(r, begin, (size_t)(end - begin), negative);
	return keep_number(r, p, (size_t)(end - p), (size_t)(end - p));
}

/* All but the numbers that are long, bad, have an exponent or stand near the
 * end of the text are seen as a mask. */
static inline const char *
read_number(struct wv_read *r, const char *p)
{
	bool negative = *p == '-', whole = true;
	const char *begin = p + negative;
	uint64_t others, end = (uint64_t)1 << WV_DIGIT_MASK;
	unsigned n;

	if (r->end - begin <= WV_DIGIT_MASK)
		return read_any_number(r, p);
	others = wv_mask_no_digits(begin) | end;
	n = wv_mask_before(others);
	if (n == 0 || (n > 1 && *begin == '0'))
		return read_any_number(r, p);
	if (begin[n] == '.') {
		unsigned point = n;
		others = (others & (others - 1)) | end;
		n = wv_mask_before(others);
		if (n == point + 1)
			return read_any_number(r, p);
		whole = false;
	}
	if (n + negative >= WV_DIGIT_MASK || n > r->limits->max_digits ||
		(begin[n] | 0x20) == 'e')
		return read_any_number(r, p);
	if (whole && is_int(r, begin, n, negative))
		return keep_int(r, begin, n, negative);
	return keep_number(r, p, n + negative, WV_DIGIT_MASK);
}

static inline const char *
read_text(struct wv_read *r, const char *p)
{
	cJSON *node = add_node(r, cJSON_String);

	node->valuestring = r->text;
	p = wv_read_string(r, p);
	node->valueint = (int)(r->text - node->valuestring - 1);
	return p;
}

/* Neither a string nor a container. */
static inline const char *
read_other(struct wv_read *r, const char *p, char c)
{
	switch (c) {
	case 't':
		return read_word(r, p, "true", 4, cJSON_True);
	case 'f':
		return read_word(r, p, "false", 5, cJSON_False);
	case 'n':
		return read_word(r, p, "null", 4, cJSON_NULL);
	case '+':
	case '.':
		wv_json_fault(r->err, r->start, p,
			"a number cannot begin with %c", c);
		return NULL;
	default:
		if (c == '-' || wv_json_is_digit(c))
			return read_number(r, p);
		return wv_read_unexpected(r, p, "a value");
	}
}

/* The first child of what may be like this container: what has the same name
 * in the object before, or what stands before it in an array, or at the same
 * place in the array before. */
static const cJSON *
twin_of(const struct wv_read *r, const cJSON *node)
{
	const cJSON *like = r->like;

	if (node->string == NULL)
		like = node->prev ? node->prev : r->level->twin;
	return like != NULL && like->type == node->type ? like->child : NULL;
}

/* The bracket at p begins a container, which becomes the innermost. */
static const char *
open_level(struct wv_read *r, const char *p)
{
	bool object = *p == '{';
	cJSON *node = add_node(r, object ? cJSON_Object : cJSON_Array);
	const cJSON *twin = twin_of(r, node);

	if (r->depth == r->limits->max_depth) {
		wv_json_fault(r->err, r->start, p, "nesting deeper than %zu",
			r->limits->max_depth);
		return NULL;
	}
	if (++r->depth == r->room) {
		size_t size = r->room * sizeof(*r->level);
		struct wv_read_level *more = wv_alloc(r->arena, 2 * size);

		memcpy(more, r->level + 1 - r->room, size);
		r->level = more + r->room - 1;
		r->room *= 2;
	}
	*++r->level = (struct wv_read_level){
		.node = node,
		.closer = object ? '}' : ']',
		.is_like = object && twin != NULL,
		.twin = twin,
	};
	return p + 1;
}

static void
close_level(struct wv_read *r)
{
	struct wv_read_level *level = r->level--;

	if (level->last != NULL)
		level->node->child->prev = level->last;
	r->depth--;
}

/* A scalar, or the beginning of a container. */
static inline const char *
read_value(struct wv_read *r, const char *p)
{
	char c = wv_read_peek(r, p);

	if (r->values_left-- == 0) {
		wv_json_fault(r->err, r->start, p, "more than %zu values",
			r->limits->max_values);
		return NULL;
	}
	if (c == '"')
		return read_text(r, p);
	if (c == '{' || c == '[')
		return open_level(r, p);
	return read_other(r, p, c);
}

/* Behind a value or an opening bracket: closes what ends here and goes to
 * where the next value or name begins, or to the end of the text.  Most text
 * has no white space there. */
static inline const char *
next_place(struct wv_read *r, const char *p)
{
	if (*p == ',' && r->end - p > 1 && (unsigned char)p[1] > ' ' &&
		r->level->last != NULL && r->depth > 0)
		return p + 1;
	for (;;) {
		const struct wv_read_level *level = r->level;
		char c;

		p = wv_read_space(r, p);
		if (r->depth == 0)
			return p == r->end
				? p
				: wv_read_unexpected(r, p, "the end");
		c = wv_read_peek(r, p);
		if (c == level->closer) {
			close_level(r);
			p++;
			continue;
		}
		if (level->last == NULL)
			return p;
		if (c != ',')
			return wv_read_unexpected(r, p,
				level->closer == '}' ? "a comma or }"
						     : "a comma or ]");
		return wv_read_space(r, p + 1);
	}
}

static inline const char *
next_value(struct wv_read *r, const char *p)
{
	p = next_place(r, p);
	return p != NULL && r->level->closer == '}' ? read_name(r, p) : p;
}

/* What is no JSON is mostly known by its first byte. */
static bool
may_begin(const char *text, size_t len)
{
	return len == 0 || (unsigned char)*text <= ' ' ||
		strchr("{[\"-0123456789tfn", *text) != NULL;
}

cJSON *
wv_json_read_strings(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_json_limits *limits, struct wv_json_strings *strings,
	struct wv_err *err)
{
	struct wv_read r;
	const char *p;
	char *copy;

	if (len > INT_MAX) {
		wv_err_set(err, "record longer than %d bytes", INT_MAX);
		return NULL;
	}
	if (err == NULL && !may_begin(text, len))
		return NULL;
	r.start = text;
	r.end = text + len;
	copy = strings->s != NULL ? strings->s + strings->n
				  : wv_alloc(arena, len + 2 + WV_ARENA_SLACK);
	r.text = copy;
	*r.text++ = '\0'; /* see name_hint() */
	r.name = NULL;
	r.like = NULL;
	r.depth = 0;
	r.room = WV_READ_FEW_LEVELS;
	r.values_left = limits->max_values;
	r.int_digits = limits->max_digits < WV_JSON_INT_DIGITS
		? limits->max_digits
		: WV_JSON_INT_DIGITS;
	r.limits = limits;
	r.arena = arena;
	r.err = err;
	r.top = (cJSON){ .type = cJSON_Array };
	r.level = r.few;
	*r.level = (struct wv_read_level){ .node = &r.top };

	p = wv_read_space(&r, text);
	do {
		p = read_value(&r, p);
		if (p != NULL)
			p = next_value(&r, p);
	} while (p != NULL && r.depth > 0);
	if (p == NULL)
		return NULL;
	strings->s = strings->s != NULL ? strings->s : copy;
	strings->n = (size_t)(r.text - strings->s);
	return r.top.child;
}

cJSON *
wv_json_read(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_json_limits *limits, struct wv_err *err)
{
	struct wv_json_strings strings = { 0 };

	return wv_json_read_strings(arena, text, len, limits, &strings, err);
}
