/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/normal-internal.h"

#include <string.h>
#include <strings.h>

enum {
	TAG_IN_GAP = 32, /* attributes may hold text */
	COMMENT_IN_GAP = 28,
};

void
wv_normal_start(struct wv_normal *p, const struct wv_words *words,
	const char *s, size_t n)
{
	*p = (struct wv_normal){ .words = words,
		.s = (const unsigned char *)s,
		.n = n,
		.clause = true,
		.stop = true,
		.line = true };
}

bool
wv_normal_is_word(const char *s, size_t n, size_t at)
{
	return n - at >= 2 && wv_letters[(unsigned char)s[at]] != 0 &&
		wv_letters[(unsigned char)s[at + 1]] != 0;
}

bool
wv_normal_is_quoted(const char *s, size_t n, size_t at)
{
	if (at == 0 || s[at - 1] != '"')
		return false;
	while (at < n &&
		(wv_letters[(unsigned char)s[at]] != 0 || s[at] == '_'))
		at++;
	return at < n && s[at] == '"';
}

static void
line_end(struct wv_normal *p)
{
	if (p->line)
		p->clause = true;
	p->soft = p->line = true;
	p->image = 0;
}

/* &name; parts nothing but words. */
static void
entity(struct wv_normal *p)
{
	size_t end = p->at + 1;

	while (end - p->at < 9 && wv_letters[wv_peek(p, end)] != 0)
		end++;
	p->at = wv_peek(p, end) == ';' ? end + 1 : p->at + 1;
}

static void
backslash(struct wv_normal *p)
{
	switch (wv_peek(p, p->at + 1)) {
	case 'n':
		line_end(p);
		p->at += 2;
		break;
	case 't':
	case 'r':
		p->at += 2;
		break;
	default:
		p->at++;
	}
}

/* Whether a turn begins before at, marked anywhere.  What was looked at is
 * not looked at again. */
static bool
is_opened(struct wv_normal *p, size_t at)
{
	enum wv_shape shape;
	bool ends;

	for (; p->opened < at; p->opened++) {
		const unsigned char *s = p->s + p->opened;
		p->steps++;
		if (*s != '<' && *s != '[' && *s != '#')
			continue;
		p->steps += WV_MARK_MAX / 8;
		bool line = p->opened == 0 || s[-1] == '\n';
		if (wv_shape_mark(s, p->n - p->opened, line, &shape, &ends) >
				0 &&
			shape == WV_SHAPE_TURN)
			return true;
	}
	return false;
}

/* A mark of a template at p->at becomes the token. */
static bool
mark(struct wv_normal *p, struct wv_token *token)
{
	enum wv_shape shape;
	bool ends;
	size_t len = wv_shape_mark(
		p->s + p->at, p->n - p->at, p->line, &shape, &ends);

	p->steps += WV_MARK_MAX / 8;
	if (len == 0)
		return false;
	p->clause |= shape != WV_SHAPE_PLACE;
	wv_normal_begin(p, token);
	p->at = token->end = token->start + len;
	if (!ends || !is_opened(p, token->start))
		wv_normal_add(token, (uint16_t)shape);
	p->clause = shape != WV_SHAPE_PLACE;
	return true;
}

static void
tag(struct wv_normal *p)
{
	const unsigned char *s = p->s + p->at;
	size_t n = p->n - p->at, most = TAG_IN_GAP;

	if (n > 4 && memcmp(s, "<!--", 4) == 0)
		most = COMMENT_IN_GAP;
	p->steps += most / 8;
	size_t len = wv_tag_within(s, n, most);
	if (len > 0) {
		p->at += len;
		return;
	}
	p->clause = true;
	p->at++;
	if (most == COMMENT_IN_GAP || wv_peek(p, p->at) == '/') {
		p->at++;
		p->stop = most == COMMENT_IN_GAP;
	}
	if (n > 4 && strncasecmp((const char *)s, "<img", 4) == 0)
		p->image = p->at;
	while (wv_letters[wv_peek(p, p->at)] != 0 || wv_peek(p, p->at) == '_')
		p->at++;
}

static void
stop(struct wv_normal *p)
{
	unsigned char next = wv_peek(p, p->at + 1);

	if (!wv_may_be_letter(next))
		p->stop = p->clause = true;
	p->at++;
	if (p->s[p->at - 1] == '!' && next == '[')
		p->image = p->at;
}

/* What begins no word and is not ASCII; false: it does begin one. */
static bool
other_gap(struct wv_normal *p)
{
	uint32_t cp, out[WV_FOLD_MAX];
	int n;
	size_t len = wv_character(p, p->at, &cp);

	if (len == 0) {
		if (p->s[p->at] == '&')
			entity(p);
		else if (p->s[p->at] == '\\')
			backslash(p);
		else
			p->at++;
		return true;
	}
	switch (wv_normal_fold(cp, out, &n)) {
	case WV_FOLD_LETTER:
	case WV_FOLD_ALONE:
		return false;
	case WV_FOLD_NONE:
		break;
	case WV_FOLD_GAP:
		if (cp == 0x3002 || cp == 0xff01 || cp == 0xff1f ||
			cp == 0xff61)
			p->stop = p->clause = true;
		else if (cp == 0xff0c || cp == 0x3001)
			p->soft = true;
		else if (cp != 0xa0 && cp != 0x3000 &&
			(cp < 0x2000 || cp > 0x200a))
			p->clause = true;
	}
	p->at += len;
	return true;
}

/* ASCII that is no letter; true: it was a mark, which is the token. */
static bool
ascii_gap(struct wv_normal *p, struct wv_token *token)
{
	unsigned char c = p->s[p->at];

	switch (c) {
	case ' ':
	case '\t':
	case '~':
	case '_':
	case '/':
	case '@':
	case '+':
		break;
	case '\n':
		line_end(p);
		break;
	case ',':
		p->soft = true;
		break;
	case '*':
	case '-':
		if (p->line && wv_peek(p, p->at + 1) == ' ') /* of a list */
			p->stop = p->clause = true;
		if (c == '-')
			p->clause |= wv_letters[wv_peek(p, p->at + 1)] == 0;
		break;
	case '\'':
		p->clause |= p->at == 0 || wv_letters[p->s[p->at - 1]] == 0;
		break;
	case '.':
	case '!':
	case '?':
		stop(p);
		return false;
	case '<':
	case '[':
	case '#':
		if (mark(p, token))
			return true;
		if (c == '<') {
			tag(p);
			return false;
		}
		p->clause = true;
		break;
	case '>':
		p->clause |= !p->line;
		break;
	default:
		p->clause = true;
	}
	p->at++;
	return false;
}

/* A letter of a script without spaces. */
static void
alone(struct wv_normal *p, struct wv_token *token, uint32_t cp, size_t len)
{
	wv_normal_begin(p, token);
	p->line = false;
	p->at = token->end = token->start + len;
	wv_normal_add(
		token, p->words->nodes[wv_words_step(p->words, 0, cp)].whole);
}

/* The token that begins here, if one does. */
static bool
other(struct wv_normal *p, struct wv_token *token)
{
	uint32_t cp, out[WV_FOLD_MAX];
	int n;

	if (other_gap(p))
		return false;
	size_t len = wv_character(p, p->at, &cp);
	if (wv_normal_fold(cp, out, &n) == WV_FOLD_ALONE)
		alone(p, token, cp, len);
	else
		wv_normal_word(p, token);
	return true;
}

/* What may stand in a word, or make it a place. */
static const bool joint[256] = { ['*'] = true,
	['~'] = true,
	['\''] = true,
	['<'] = true,
	['_'] = true,
	['&'] = true,
	['\\'] = true,
	['%'] = true,
	[':'] = true,
	['@'] = true,
	[0x80 ... 0xff] = true };

/* A word that begins with three letters, or is two, may be looked for. */
static inline bool
is_known(const struct wv_words *words, size_t start, unsigned char fourth)
{
	const struct wv_word_node *node = &words->nodes[words->start[start]];

	if (node == words->nodes)
		return false;
	return fourth == 0 ? node->whole != 0 || node->beginning != 0
			   : node->beginning != 0 ||
			(words->fourth[start] >> fourth % 8 & 1) != 0;
}

/* Passes over plain words that are not looked for: most of a text. */
static void
skip(struct wv_normal *p)
{
	const struct wv_words *words = p->words;
	const unsigned char *s = p->s;
	size_t at = p->at, count = 0;

	while (p->n - at > 3) {
		unsigned char a = wv_letters[s[at]], b, c;
		if (s[at] == ' ') {
			at++;
			continue;
		}
		if (a == 0 || (b = wv_letters[s[at + 1]]) == 0)
			break;
		c = wv_letters[s[at + 2]];
		size_t end = at + 2 + (c != 0);
		if (is_known(words, wv_words_start(a, b, c ? c : '`'),
			    c ? wv_letters[wv_peek(p, end)] : 0))
			break;
		while (c != 0 && end < p->n && wv_letters[s[end]] != 0)
			end++;
		if (end < p->n && joint[s[end]])
			break;
		at = end;
		count++;
	}
	p->at = at;
	if (count == 0)
		return;
	if (p->stop)
		p->sentence = p->number + 1;
	p->number += count;
	p->clause = p->soft = p->stop = p->line = false;
}

/* The commonest words have two letters or three and nothing about them. */
static bool
short_word(struct wv_normal *p, struct wv_token *token)
{
	const unsigned char *s = p->s + p->at;

	if (p->n - p->at < 4 || wv_letters[s[1]] == 0)
		return false;
	unsigned char third = wv_letters[s[2]];
	size_t len = 2 + (third != 0);
	if (wv_letters[s[len]] != 0 || joint[s[len]])
		return false;
	uint16_t node = p->words->start[wv_words_start(
		wv_letters[s[0]], wv_letters[s[1]], third ? third : '`')];
	if (p->words->nodes[node].whole == 0 ||
		p->words->nodes[node].beginning != 0 ||
		wv_normal_is_number(p, p->at, p->at + len))
		return false;
	wv_normal_begin(p, token);
	wv_normal_add(token, p->words->nodes[node].whole);
	p->line = false;
	p->at = token->end = token->start + len;
	return true;
}

static bool
next(struct wv_normal *p, struct wv_token *token)
{
	while (p->at < p->n) {
		if (!p->all)
			skip(p);
		if (p->at == p->n)
			break;
		unsigned char c = p->s[p->at];
		if (wv_letters[c] != 0) {
			if (!short_word(p, token))
				wv_normal_word(p, token);
			return true;
		}
		if (c >= 0x80 || c == '&' || c == '\\' || c == '%') {
			if (other(p, token))
				return true;
		} else if (ascii_gap(p, token)) {
			return true;
		}
	}
	return false;
}

bool
wv_normal_next(struct wv_normal *p, struct wv_token *token)
{
	size_t before = p->at;
	bool found;

	do
		found = next(p, token);
	while (found && token->count == 0 && !p->all);
	p->steps += p->at - before;
	return found;
}
