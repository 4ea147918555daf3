/* SPDX-License-Identifier: Apache-2.0 */
/* What is not a word of plain letters. */
#include "firewall/inject-filter.h"

#include <string.h>

enum {
	REACH = WV_KEY_LETTERS, /* before a mark that belong to a key */
	QUIET = 192,            /* tags, marks, comments */
};

static void
see_shape(struct wv_filter *f, enum wv_shape shape)
{
	wv_rules_see(f->now, &f->keys->shapes[shape]);
}

/* Up to here words may be passed over. */
static void
quiet(struct wv_filter *f, size_t to)
{
	if (f->quiet < to)
		f->quiet = to;
}

static void
see_url(struct wv_filter *f, size_t at)
{
	size_t end = at;
	enum wv_shape shape = wv_url_shape(&f->normal, at, &end);

	quiet(f, end);

	see_shape(f, WV_SHAPE_PLACE);
	if (shape == WV_SHAPE_LINK)
		see_shape(f, WV_SHAPE_LINK);
	if (shape != WV_SHAPE_PLACE)
		see_shape(f, WV_SHAPE_IMAGE);
}

static bool
is_url(const struct wv_filter *f, size_t at)
{
	return wv_peek(&f->normal, at) == ':' &&
		wv_peek(&f->normal, at + 1) == '/' &&
		wv_peek(&f->normal, at + 2) == '/';
}

/* The word that begins at at, whatever is in it. */
static size_t
see_word(struct wv_filter *f, size_t at)
{
	struct wv_key_read read = wv_normal_key(&f->normal, at);

	const struct wv_keys *keys = f->keys;
	const struct wv_key_entry *e = wv_key_find(keys, read.key);

	wv_rules_see(f->now, &keys->sets[e->seen]);
	if (e->flags & WV_KEY_SECOND)
		wv_filter_second(f, read.key, at, f->now);
	if (e->flags & WV_KEY_FIRST)
		wv_filter_first(f, read.key, at);
	if (is_url(f, read.end))
		see_url(f, read.end);
	else if (wv_peek(&f->normal, read.end) == '@')
		see_shape(f, WV_SHAPE_PLACE);
	return read.pure;
}

/* The word whose plain letters end at at, if more of it may matter. */
static void
see_word_before(struct wv_filter *f, size_t at)
{
	const unsigned char *s = f->normal.s;
	size_t start = at;

	while (start > 0 && at - start < REACH) {
		unsigned char c = s[start - 1];
		if (wv_letters[c] == 0 &&
			(c != '_' || start < 2 ||
				wv_letters[s[start - 2]] == 0))
			break;
		if (start > 1 && s[start - 2] == '\\' &&
			(c == 'n' || c == 't' || c == 'r'))
			break;
		start--;
	}
	if (start < at && (at - start < REACH || at == 0))
		see_word(f, start);
}

/* What is not ASCII, or written in another way: a word may begin with it, or
 * after it. */
static void
see_odd(struct wv_filter *f, size_t at)
{
	struct wv_normal *p = &f->normal;
	uint32_t cp, out[WV_FOLD_MAX];
	int n;

	if (at < f->pure)
		return;
	if (at > 0 && wv_letters[p->s[at - 1]] != 0)
		see_word_before(f, at);
	size_t len = wv_character(p, at, &cp);
	if (len == 0)
		return;
	enum wv_folded folded = wv_normal_fold(cp, out, &n);
	if (folded == WV_FOLD_LETTER || folded == WV_FOLD_ALONE) {
		size_t pure = see_word(f, at);
		if (p->s[at] >= 0x80)
			f->pure = pure;
	} else if (p->s[at] < 0x80 && wv_letters[wv_peek(p, at + len)] != 0) {
		see_word(f, at + len);
	}
}

static void
see_mark(struct wv_filter *f, size_t at)
{
	const unsigned char *s = f->normal.s + at;
	size_t n = f->normal.n - at;
	enum wv_shape shape;
	bool ends;

	if ((*s == '#' || wv_shape_may_be(s, n)) &&
		wv_shape_mark(s, n, true, &shape, &ends) > 0)
		see_shape(f, shape);
}

/* System: is a mark where a line begins. */
void
wv_filter_role(struct wv_filter *f, size_t at, struct wv_rules_seen *seen)
{
	const struct wv_normal *p = &f->normal;

	while (wv_letters[wv_peek(p, at)] != 0)
		at++;
	while (wv_peek(p, at) == '*')
		at++;
	if (wv_peek(p, at) == ':')
		wv_rules_see(seen, &f->keys->shapes[WV_SHAPE_TURN]);
}

/* A mark at at, after a letter or before one. */
void
wv_filter_event(struct wv_filter *f, size_t at)
{
	const unsigned char *s = f->normal.s;
	bool letter = at > 0 && wv_letters[s[at - 1]] != 0;

	switch (s[at]) {
	case '*':
	case '\'':
	case '~':
		if (letter)
			see_word_before(f, at);
		break;
	case ':':
		if (is_url(f, at))
			see_url(f, at);
		break;
	case '@':
		see_shape(f, WV_SHAPE_PLACE);
		break;
	case '<':
		quiet(f, at + QUIET);
		if (letter)
			see_word_before(f, at);
		see_mark(f, at);
		break;
	case '[':
		quiet(f, at + QUIET);
		see_mark(f, at);
		break;
	case '#':
		quiet(f, at + QUIET);
		if (at == 0 || s[at - 1] != '#')
			see_mark(f, at);
		break;
	default:
		if (s[at] < 0x80 || s[at] >= 0xC0)
			see_odd(f, at);
	}
}

/* s p a c e d: where a letter stands alone and so do the next three. */
void
wv_filter_spaced(struct wv_filter *f, size_t at)
{
	const struct wv_normal *p = &f->normal;

	quiet(f, at + 8);
	see_word(f, at);
	if (wv_peek(p, at + 7) == '_' && wv_letters[wv_peek(p, at + 8)] != 0)
		see_word(f, at + 8);
}
