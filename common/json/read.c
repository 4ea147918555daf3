/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The strict reader.  It is one loop over one record: a value is read and
 * appended to the innermost open container, and the containers that end
 * after it are closed.  Functions take a place in the text and return the
 * place after what they read, or NULL when the error is filled.
 *
 * Strings are copied to the arena 16 bytes at a time while they are checked.
 * A copy never outgrows its source, so one area as long as the record takes
 * all strings of the record.  It has a slack of its own: the last blocks
 * reach past it when nodes already stand behind.
 */
#include "json/internal.h"

#include "json/block.h"

#include <limits.h>
#include <string.h>

const struct wv_json_limits wv_json_defaults = WV_JSON_LIMITS_INIT;

enum {
	FEW_LEVELS = 16, /* nesting that needs no allocation */
	FEW_NAMES = 24,  /* members that are compared one by one */
	HINT_BITS = 8,
};

struct level {
	cJSON *node; /* the open object or array */
	cJSON *last; /* its newest child */
	char closer; /* the bracket that ends it */
	size_t children;
	uint64_t filter[(1 << HINT_BITS) / 64]; /* a bit for each name's hint */
	struct wv_names names; /* all of them, once they are many */
};

struct reader {
	const char *start, *end;
	char *text; /* where the next string goes */
	char *name; /* of the member whose value comes next */
	struct level *level;
	size_t depth, room;
	size_t values_left;
	size_t int_digits; /* integers of more keep their text */
	const struct wv_json_limits *limits;
	struct wv_arena *arena;
	struct wv_err *err;
	cJSON top; /* stands for an array around the record's value */
	struct level few[FEW_LEVELS];
};

static inline const char *
skip_space(const struct reader *r, const char *p)
{
	unsigned n;

	if ((unsigned char)*p > ' ')
		return p;
	do {
		n = wv_block_space(p);
		p += n;
	} while (n == WV_BLOCK && p < r->end);
	return p < r->end ? p : r->end;
}

/* The byte at p; NUL, which is never right, at the end. */
static inline char
peek(const struct reader *r, const char *p)
{
	return p < r->end ? *p : '\0';
}

static const char *
unexpected(const struct reader *r, const char *at, const char *what)
{
	wv_json_unexpected(r->err, r->start, at, r->end, what);
	return NULL;
}

static const char *
ends(const struct reader *r, const char *what)
{
	wv_json_ends(r->err, r->start, r->end, what);
	return NULL;
}

static const char *
read_long_string(struct reader *r, const char *p, char *to)
{
	p = wv_json_string_rest(r->start, p, r->end, &to, r->err);
	r->text = to;
	return p;
}

/* p is the opening quote.  The copy at r->text is NUL-terminated, r->text is
 * moved behind it.  Most strings are plain and end within a block. */
static inline const char *
read_string(struct reader *r, const char *p)
{
	char *to = r->text;
	unsigned plain = wv_block_copy_text(to, ++p);

	p += plain;
	to += plain;
	if (p >= r->end)
		return ends(r, "a string");
	if (plain == WV_BLOCK || *p != '"')
		return read_long_string(r, p, to);
	*to = '\0';
	r->text = to + 1;
	return p + 1;
}

/* A cheap guess at whether a name was there before: equal names have equal
 * hints, different ones mostly not.  What stands before s is the NUL of the
 * string before. */
static inline unsigned
name_hint(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t h = u[0] + (uint32_t)u[n / 2] * 0x101 + n * 0x10001;

	return (h ^ (uint32_t)(u + n)[-1] << 24) * 0x9e3779b1u >>
		(32 - HINT_BITS);
}

/* The members of an object read so far are put in its set of names. */
static void
gather_names(struct reader *r, struct level *level)
{
	wv_json_each(member, level->node)
		wv_names_add(&level->names, r->arena, member->string,
			strlen(member->string));
}

static bool
has_member(const struct level *level, const char *name)
{
	wv_json_each(member, level->node)
		if (strcmp(member->string, name) == 0)
			return true;
	return false;
}

static bool
name_is_new(struct reader *r, const char *name, size_t n)
{
	struct level *level = r->level;
	unsigned hint = name_hint(name, n);
	uint64_t *word = &level->filter[hint / 64];
	uint64_t bit = (uint64_t)1 << hint % 64;
	bool maybe = (*word & bit) != 0;

	*word |= bit;
	if (level->children < FEW_NAMES)
		return !maybe || !has_member(level, name);
	if (level->children == FEW_NAMES)
		gather_names(r, level);
	return wv_names_add(&level->names, r->arena, name, n);
}

static const char *
duplicate(const struct reader *r, const char *at, char *name, size_t n)
{
	enum { SHOWN = 64 };
	struct wv_str raw = { 0 }, quoted = { 0 };

	wv_json_bytes(
		&(cJSON){ .valuestring = name, .valueint = (int)n }, &raw);
	wv_str_foreign(&quoted, raw.s, raw.n, SHOWN);
	wv_json_fault(
		r->err, r->start, at, "duplicate member name \"%s\"", quoted.s);
	wv_str_free(&raw);
	wv_str_free(&quoted);
	return NULL;
}

/* A member's name and the colon; p is where the name should begin.  Returns
 * the place of the value. */
static const char *
read_name(struct reader *r, const char *p)
{
	const char *at = p;
	char *name = r->text;
	size_t n;

	if (peek(r, p) != '"')
		return unexpected(r, p, "a member name in double quotes");
	p = read_string(r, p);
	if (p == NULL)
		return NULL;
	n = (size_t)(r->text - name) - 1;
	if (!name_is_new(r, name, n))
		return duplicate(r, at, name, n);
	r->name = name;
	p = skip_space(r, p);
	if (peek(r, p) != ':')
		return unexpected(r, p, "a colon");
	return skip_space(r, p + 1);
}

/* A new last child of the innermost container. */
static inline cJSON *
add_node(struct reader *r, int type)
{
	struct level *level = r->level;
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
bad_word(const struct reader *r, const char *p, const char *word)
{
	const char *at = p;

	while (p < r->end && *p == *word)
		p++, word++;
	return p == r->end ? ends(r, "a word") : unexpected(r, at, "a value");
}

static inline const char *
read_word(struct reader *r, const char *p, const char *word, size_t n, int type)
{
	if ((size_t)(r->end - p) < n || memcmp(p, word, n) != 0)
		return bad_word(r, p, word);
	add_node(r, type);
	return p + n;
}

/* A number whose text is kept. */
static const char *
read_decimal(struct reader *r, const char *p)
{
	const char *end = wv_json_number_end(
		r->start, p, r->end, r->limits->max_digits, r->err);
	cJSON *node;

	if (end == NULL)
		return NULL;
	node = add_node(r, cJSON_Number);
	node->valuestring = r->text;
	node->valueint = (int)(end - p);
	memcpy(r->text, p, (size_t)(end - p));
	r->text += end - p;
	*r->text++ = '\0';
	return end;
}

static inline const char *
read_number(struct reader *r, const char *p)
{
	bool negative = *p == '-';
	const char *begin = p + negative, *end = begin;
	int64_t value = 0;
	size_t digits;

	for (; end < r->end && wv_json_is_digit(*end) &&
		end - begin <= WV_JSON_INT_DIGITS;
		end++)
		value = value * 10 + (*end - '0');
	digits = (size_t)(end - begin);
	if (digits == 0 || digits > r->int_digits ||
		(*begin == '0' && (negative || digits > 1)) ||
		peek(r, end) == '.' || (peek(r, end) | 0x20) == 'e')
		return read_decimal(r, p);
	add_node(r, cJSON_Number)->valuedouble =
		(double)(negative ? -value : value);
	return end;
}

static inline const char *
read_scalar(struct reader *r, const char *p, char c)
{
	cJSON *node;

	switch (c) {
	case '"':
		node = add_node(r, cJSON_String);
		node->valuestring = r->text;
		p = read_string(r, p);
		node->valueint = (int)(r->text - node->valuestring - 1);
		return p;
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
		return unexpected(r, p, "a value");
	}
}

/* The bracket at p begins a container, which becomes the innermost. */
static const char *
open_level(struct reader *r, const char *p)
{
	bool object = *p == '{';
	cJSON *node = add_node(r, object ? cJSON_Object : cJSON_Array);

	if (r->depth == r->limits->max_depth) {
		wv_json_fault(r->err, r->start, p, "nesting deeper than %zu",
			r->limits->max_depth);
		return NULL;
	}
	if (++r->depth == r->room) {
		size_t size = r->room * sizeof(*r->level);
		struct level *more = wv_alloc(r->arena, 2 * size);

		memcpy(more, r->level + 1 - r->room, size);
		r->level = more + r->room - 1;
		r->room *= 2;
	}
	*++r->level =
		(struct level){ .node = node, .closer = object ? '}' : ']' };
	return p + 1;
}

static void
close_level(struct reader *r)
{
	struct level *level = r->level--;

	if (level->last != NULL)
		level->node->child->prev = level->last;
	r->depth--;
}

/* A scalar, or the beginning of a container. */
static inline const char *
read_value(struct reader *r, const char *p)
{
	char c = peek(r, p);

	if (r->values_left-- == 0) {
		wv_json_fault(r->err, r->start, p, "more than %zu values",
			r->limits->max_values);
		return NULL;
	}
	if (c == '{' || c == '[')
		return open_level(r, p);
	return read_scalar(r, p, c);
}

/* Behind a value or an opening bracket: closes what ends here and goes to
 * where the next value begins, or to the end of the text. */
static inline const char *
next_value(struct reader *r, const char *p)
{
	for (;;) {
		const struct level *level = r->level;
		char c;

		p = skip_space(r, p);
		if (r->depth == 0)
			return p == r->end ? p : unexpected(r, p, "the end");
		c = peek(r, p);
		if (c == level->closer) {
			close_level(r);
			p++;
			continue;
		}
		if (level->last != NULL) {
			if (c != ',')
				return unexpected(r, p,
					level->closer == '}' ? "a comma or }"
							     : "a comma or ]");
			p = skip_space(r, p + 1);
		}
		return level->closer == '}' ? read_name(r, p) : p;
	}
}

cJSON *
wv_json_read_strings(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_json_limits *limits, struct wv_json_strings *strings,
	struct wv_err *err)
{
	struct reader r;
	const char *p;
	char *copy;

	if (len > INT_MAX) {
		wv_err_set(err, "record longer than %d bytes", INT_MAX);
		return NULL;
	}
	r.start = text;
	r.end = text + len;
	copy = strings->s != NULL ? strings->s + strings->n
				  : wv_alloc(arena, len + 2 + WV_ARENA_SLACK);
	r.text = copy;
	*r.text++ = '\0'; /* see name_hint() */
	r.name = NULL;
	r.depth = 0;
	r.room = FEW_LEVELS;
	r.values_left = limits->max_values;
	r.int_digits = limits->max_digits < WV_JSON_INT_DIGITS
		? limits->max_digits
		: WV_JSON_INT_DIGITS;
	r.limits = limits;
	r.arena = arena;
	r.err = err;
	r.top = (cJSON){ .type = cJSON_Array };
	r.level = r.few;
	*r.level = (struct level){ .node = &r.top };

	p = skip_space(&r, text);
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
