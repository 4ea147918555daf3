/* SPDX-License-Identifier: Apache-2.0 */
/* What is not a word of plain letters. */
#include "firewall/inject-raw.h"

#include <string.h>

enum {
	REACH = WV_KEY_LETTERS, /* before a mark that belong to a key */
	FAR = 64,               /* to where they begin */
};

static void
see_url(struct wv_events *e, size_t at)
{
	size_t end = at;
	enum wv_shape shape = wv_url_shape(&e->normal, at, &end);

	e->shape(e, WV_SHAPE_PLACE);
	if (shape == WV_SHAPE_LINK)
		e->shape(e, WV_SHAPE_LINK);
	if (shape != WV_SHAPE_PLACE)
		e->shape(e, WV_SHAPE_IMAGE);
}

static bool
is_url(const struct wv_events *e, size_t at)
{
	return wv_peek(&e->normal, at) == ':' &&
		wv_peek(&e->normal, at + 1) == '/' &&
		wv_peek(&e->normal, at + 2) == '/';
}

/* The word at at, of which so much was read. */
static void
see_read(struct wv_events *e, size_t at, const struct wv_key_read *read)
{
	e->word(e, read->key, at);
	if (is_url(e, read->end))
		see_url(e, read->end);
	else if (wv_peek(&e->normal, read->end) == '@')
		e->shape(e, WV_SHAPE_PLACE);
}

/* The word that begins at at, whatever is in it. */
static size_t
see_word(struct wv_events *e, size_t at)
{
	struct wv_key_read read = wv_normal_key(&e->normal, at);

	see_read(e, at, &read);
	return read.pure;
}

bool
wv_begins_word(unsigned char c)
{
	return !wv_may_be_letter(c) &&
		(c == '\0' || strchr("<&%\\/_*~'", c) == NULL);
}

/*
 * The word whose plain letters end at at, if more of it may matter.  True: they
 * are its beginning, what stands at at is not.
 */
static bool
see_word_before(struct wv_events *e, size_t at)
{
	const unsigned char *s = e->normal.s;
	size_t start = at;

	while (start > 0 && at - start < FAR) {
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
	bool sure = start == 0 || wv_begins_word(s[start - 1]);
	if (start < at && at - start < REACH) {
		size_t pure = see_word(e, start);
		if (sure && s[at] >= 0x80)
			e->pure = pure;
	}
	return sure;
}

/* What is not ASCII, or written in another way: a word may begin with it, or
 * after it. */
static void
see_odd(struct wv_events *e, size_t at)
{
	struct wv_normal *p = &e->normal;
	uint32_t cp, out[WV_FOLD_MAX];
	int n;

	if (at < e->pure)
		return;
	bool within = at > 0 && wv_letters[p->s[at - 1]] != 0 &&
		see_word_before(e, at);
	size_t len = wv_character(p, at, &cp);
	if (len == 0)
		return;
	enum wv_folded folded = wv_normal_fold(cp, out, &n);
	if (folded == WV_FOLD_ALONE && p->s[at] >= 0x80) {
		e->pure = at + len;
		see_read(e, at,
			&(struct wv_key_read){
				WV_KEY_ALONE | cp, e->pure, e->pure });
	} else if (folded == WV_FOLD_ALONE ||
		(folded == WV_FOLD_LETTER && (!within || p->s[at] < 0x80))) {
		size_t pure = see_word(e, at);
		if (p->s[at] >= 0x80)
			e->pure = pure;
	} else if (p->s[at] < 0x80) {
		for (at += len; wv_peek(p, at) == '_';)
			at++;
		if (wv_letters[wv_peek(p, at)] != 0)
			see_word(e, at);
	}
}

static void
see_mark(struct wv_events *e, size_t at)
{
	const unsigned char *s = e->normal.s + at;
	size_t n = e->normal.n - at;
	enum wv_shape shape;
	bool ends;

	if ((*s == '#' || wv_shape_may_be(s, n)) &&
		wv_shape_mark(s, n, true, &shape, &ends) > 0)
		e->shape(e, shape);
}

/* System: is a mark where a line begins. */
void
wv_event_role(struct wv_events *e, size_t at)
{
	const struct wv_normal *p = &e->normal;

	while (wv_letters[wv_peek(p, at)] != 0)
		at++;
	while (wv_peek(p, at) == '*')
		at++;
	if (wv_peek(p, at) == ':')
		e->shape(e, WV_SHAPE_TURN);
}

/* A mark at at, after a letter or before one. */
void
wv_event(struct wv_events *e, size_t at)
{
	const unsigned char *s = e->normal.s;
	bool letter = at > 0 && wv_letters[s[at - 1]] != 0;

	switch (s[at]) {
	case '*':
	case '\'':
	case '~':
		if (letter)
			see_word_before(e, at);
		break;
	case ':':
		if (is_url(e, at))
			see_url(e, at);
		break;
	case '@':
		e->shape(e, WV_SHAPE_PLACE);
		break;
	case '<':
		if (letter)
			see_word_before(e, at);
		see_mark(e, at);
		break;
	case '[':
		see_mark(e, at);
		break;
	case '#':
		if (at == 0 || s[at - 1] != '#')
			see_mark(e, at);
		break;
	default:
		if (s[at] < 0x80 || s[at] >= 0xC0)
			see_odd(e, at);
	}
}

/* s p a c e d: where a letter stands alone and so do the next three. */
void
wv_event_spaced(struct wv_events *e, size_t at)
{
	const struct wv_normal *p = &e->normal;

	see_word(e, at);
	if (wv_peek(p, at + 7) == '_' && wv_letters[wv_peek(p, at + 8)] != 0)
		see_word(e, at + 8);
}
