/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/normal-internal.h"
#include "json/utf8.h"

#include <string.h>
#include <strings.h>

enum {
	TAG_IN_WORD = 128,  /* no room in a word's middle for a phrase */
	TAGS_IN_WORD = 192, /* bytes of a word in which there may be any */
};

/* What an ASCII character is read as; 0 for what ends a word. */
/* clang-format off */
const uint8_t wv_letters[256] = {
	['0'] = 'o', ['1'] = 'i', ['2'] = 'z', ['3'] = 'e', ['4'] = 'a',
	['5'] = 's', ['6'] = 'g', ['7'] = 't', ['8'] = 'b', ['9'] = 'g',
#define BOTH(c) [c] = c, [(c) - 0x20] = c
	BOTH('a'), BOTH('b'), BOTH('c'), BOTH('d'), BOTH('e'), BOTH('f'),
	BOTH('g'), BOTH('h'), BOTH('i'), BOTH('j'), BOTH('k'), BOTH('l'),
	BOTH('m'), BOTH('n'), BOTH('o'), BOTH('p'), BOTH('q'), BOTH('r'),
	BOTH('s'), BOTH('t'), BOTH('u'), BOTH('v'), BOTH('w'), BOTH('x'),
	BOTH('y'), BOTH('z'),
#undef BOTH
};
/* clang-format on */

static int
digit_of(unsigned char c, unsigned base)
{
	int value = c >= '0' && c <= '9'                 ? c - '0'
		: (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
							 : 16;

	return value < (int)base ? value : -1;
}

/* Digits from at on, at most most of them; where they end. */
static size_t
number(const struct wv_normal *p, size_t at, unsigned base, size_t most,
	uint32_t *cp)
{
	size_t end = at;

	*cp = 0;
	for (int d; end < p->n && end - at < most &&
		(d = digit_of(p->s[end], base)) >= 0;
		end++)
		*cp = *cp * base + (uint32_t)d;
	return end;
}

size_t
wv_character(const struct wv_normal *p, size_t at, uint32_t *cp)
{
	size_t end;

	if (p->s[at] == '&') {
		bool hex = (wv_peek(p, at + 2) | 0x20) == 'x';
		if (wv_peek(p, at + 1) != '#')
			return 0;
		end = number(p, at + 2 + hex, hex ? 16 : 10, 7, cp);
		return wv_peek(p, end) == ';' ? end + 1 - at : 0;
	}
	if (p->s[at] == '%') {
		end = number(p, at + 1, 16, 2, cp);
		return end == at + 3 && *cp < 0x80 ? 3 : 0;
	}
	if (p->s[at] == '\\') {
		if (wv_peek(p, at + 1) != 'u')
			return 0;
		end = number(p, at + 2, 16, 4, cp);
		return end == at + 6 ? 6 : 0;
	}
	return (size_t)wv_utf8_get(p->s + at, p->n - at, cp);
}

/* A word that is being read. */
struct reading {
	struct wv_normal *p;
	struct wv_token *token;
	size_t at;
	size_t count; /* letters so far */
	uint16_t node;
	bool known; /* it may still be looked for */
	/* without words the key is read */
	uint64_t key;
	size_t pure; /* 0: up to the end */
};

static inline void
walk(struct reading *r, uint32_t cp)
{
	const struct wv_words *words = r->p->words;

	r->count++;
	if (!r->known)
		return;
	if (words == NULL) {
		r->key = wv_key_add(r->key, r->count - 1, cp);
		r->known = r->count < WV_KEY_LETTERS;
		return;
	}
	r->node = wv_words_step(words, r->node, cp);
	r->known = r->node != 0;
	wv_normal_add(r->token, words->nodes[r->node].beginning);
}

/* The length of marks in a word that do not part it. */
static size_t
marks(struct reading *r)
{
	const struct wv_normal *p = r->p;
	size_t end = r->at;

	switch (p->s[end]) {
	case '*':
	case '~':
		while (wv_peek(p, end) == '*' || wv_peek(p, end) == '~')
			end++;
		break;
	case '\'':
		end += r->count > 1; /* l'utilisateur */
		break;
	case '<':
		if (end - r->token->start >= TAGS_IN_WORD)
			break;
		end += wv_tag_within(p->s + end, p->n - end, TAG_IN_WORD);
		r->p->steps += TAG_IN_WORD / 8;
		break;
	case '_':
		if (wv_letters[wv_peek(p, end + 1)] != 0) {
			walk(r, '_');
			end++;
		}
		break;
	}
	return wv_may_be_letter(wv_peek(p, end)) ? end - r->at : 0;
}

/* Reads on over what is not an ASCII letter; false at the word's end. */
static bool
read_other(struct reading *r)
{
	uint32_t cp, out[WV_FOLD_MAX];
	unsigned char c = r->p->s[r->at];
	size_t len;
	int n;

	if (c < 0x80 && r->pure == 0)
		r->pure = r->at;
	if (c < 0x80 && c != '&' && c != '\\' && c != '%') {
		len = marks(r);
		r->at += len;
		return len > 0;
	}
	len = wv_character(r->p, r->at, &cp);
	if (len == 0)
		return false;
	if (cp == 0x2019 && r->count > 1 &&
		wv_may_be_letter(wv_peek(r->p, r->at + len))) {
		if (r->pure == 0)
			r->pure = r->at;
		r->at += len;
		return true;
	}
	switch (wv_normal_fold(cp, out, &n)) {
	case WV_FOLD_NONE:
		r->at += len;
		return true;
	case WV_FOLD_LETTER:
		for (int i = 0; i < n; i++)
			walk(r, out[i]);
		r->at += len;
		r->token->end = r->at;
		return true;
	default:
		return false;
	}
}

/* The first three letters at once: most words are none that is looked for. */
static void
read_start(struct reading *r)
{
	const struct wv_normal *p = r->p;
	const unsigned char *s = p->s + r->at;

	if (p->words == NULL || p->n - r->at < 3 || wv_letters[s[0]] == 0 ||
		wv_letters[s[1]] == 0 || wv_letters[s[2]] == 0)
		return;
	r->node = p->words->start[wv_words_start(
		wv_letters[s[0]], wv_letters[s[1]], wv_letters[s[2]])];
	r->known = r->node != 0;
	wv_normal_add(r->token, p->words->nodes[r->node].beginning);
	r->count = 3;
	r->at += 3;
	if (!r->known)
		while (wv_letters[wv_peek(p, r->at)] != 0)
			r->at++;
	r->token->end = r->at;
}

static void
read_word(struct reading *r)
{
	const struct wv_normal *p = r->p;

	read_start(r);
	while (r->at < p->n) {
		unsigned char c = wv_letters[p->s[r->at]];
		if (p->words == NULL && !r->known && r->pure != 0)
			break; /* what has marks is not read to its end */
		if (c == 0) {
			if (!read_other(r))
				break;
			continue;
		}
		walk(r, c);
		r->at++;
		while (!r->known && wv_letters[wv_peek(p, r->at)] != 0) {
			r->count++;
			r->at++;
		}
		r->token->end = r->at;
	}
	if (r->known && p->words != NULL)
		wv_normal_add(r->token, p->words->nodes[r->node].whole);
}

/* The letter at at is followed by none, nor by a mark and one: a word does
 * not end in the middle of what would be one. */
static bool
is_single(const struct wv_normal *p, size_t at, unsigned char between)
{
	unsigned char next = wv_peek(p, at + 1);

	return !wv_may_be_letter(next) && (next != '_' || between == '_');
}

/* i g n o r e: letters one by one, four at least, with the same between. */
static bool
is_spaced(const struct wv_normal *p, size_t at)
{
	unsigned char between = wv_peek(p, at + 1);

	if (wv_letters[between] != 0 || between == 0 ||
		strchr(" .-_*", between) == NULL ||
		!is_single(p, at + 6, between))
		return false;
	for (size_t i = 0; i < 7; i++) {
		unsigned char c = wv_peek(p, at + i);
		if (i % 2 ? c != between : wv_letters[c] == 0)
			return false;
	}
	return true;
}

static void
read_spaced(struct reading *r)
{
	const struct wv_normal *p = r->p;
	unsigned char between = p->s[r->at + 1];

	for (;;) {
		walk(r, wv_letters[p->s[r->at]]);
		r->at++;
		if ((p->words == NULL && !r->known) ||
			wv_peek(p, r->at) != between ||
			wv_letters[wv_peek(p, r->at + 1)] == 0 ||
			!is_single(p, r->at + 1, between))
			break;
		r->at++;
	}
	r->token->end = r->at;
	if (r->known && p->words != NULL)
		wv_normal_add(r->token, p->words->nodes[r->node].whole);
}

static void
set_shape(struct wv_token *token, enum wv_shape shape)
{
	token->count = 0;
	wv_normal_add(token, (uint16_t)shape);
}

/* scheme://…, name@host */
static void
read_place(struct wv_normal *p, struct wv_token *token)
{
	size_t at = token->end;

	if (at - token->start > WV_PLACE_NAME)
		return;
	if (p->n - at > 3 && memcmp(p->s + at, "://", 3) == 0) {
		size_t end = wv_url_end(p, at + 3);
		const unsigned char *url = p->s + at + 3;
		bool image = p->image != 0 &&
			token->start - p->image < WV_IMAGE_SPAN;
		set_shape(token, WV_SHAPE_PLACE);
		if (wv_url_carries(url, end - at - 3, image))
			wv_normal_add(
				token, image ? WV_SHAPE_IMAGE : WV_SHAPE_LINK);
		p->image = 0;
		p->at = token->end = end;
	} else if (wv_peek(p, at) == '@' &&
		wv_may_be_letter(wv_peek(p, at + 1))) {
		while (at < p->n &&
			(wv_may_be_letter(p->s[at]) ||
				strchr("@.-", p->s[at]) != NULL) &&
			p->s[at] != '\0')
			at++;
		while (p->s[at - 1] == '.' || p->s[at - 1] == '-')
			at--;
		set_shape(token, WV_SHAPE_PLACE);
		p->at = token->end = at;
	}
}

/* System: at the beginning of a line. */
static bool
is_role(const struct wv_normal *p, const struct wv_token *token)
{
	static const char *const roles[] = { "system", "developer", "assistant",
		"human" };
	size_t at = token->end, n = token->end - token->start;

	while (wv_peek(p, at) == '*')
		at++;
	if (wv_peek(p, at) != ':' || wv_peek(p, at + 1) == ':')
		return false;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strlen(roles[i]) == n &&
			strncasecmp((const char *)p->s + token->start, roles[i],
				n) == 0)
			return true;
	return false;
}

void
wv_normal_begin(struct wv_normal *p, struct wv_token *token)
{
	if (p->stop)
		p->sentence = p->number + 1;
	*token = (struct wv_token){ .start = p->at,
		.end = p->at,
		.number = ++p->number,
		.clause = p->clause,
		.soft = p->soft,
		.sentence = p->stop };
	p->clause = p->soft = p->stop = false;
}

bool
wv_normal_is_number(const struct wv_normal *p, size_t start, size_t end)
{
	size_t at = start;

	while (at < end && p->s[at] >= '0' && p->s[at] <= '9')
		at++;
	return at == end && end - start > 1;
}

void
wv_normal_word(struct wv_normal *p, struct wv_token *token)
{
	struct reading r = {
		.p = p, .token = token, .at = p->at, .known = true
	};
	bool line = p->line;

	wv_normal_begin(p, token);
	p->line = false;
	if (wv_letters[p->s[p->at]] != 0 && is_spaced(p, p->at))
		read_spaced(&r);
	else
		read_word(&r);
	p->at = r.at;
	if (token->count > 0 &&
		wv_normal_is_number(p, token->start, token->end))
		token->count = 0;
	if (wv_peek(p, token->end) == ':' || wv_peek(p, token->end) == '@')
		read_place(p, token);
	if (line && is_role(p, token))
		set_shape(token, WV_SHAPE_TURN);
}

struct wv_key_read
wv_normal_key(struct wv_normal *p, size_t at)
{
	struct wv_token token = { .start = at, .end = at };
	struct reading r = { .p = p, .token = &token, .at = at, .known = true };
	size_t alone = wv_alone_length((const char *)p->s + at, p->n - at);
	uint32_t cp;

	if (alone > 0) {
		wv_character(p, at, &cp);
		return (struct wv_key_read){ WV_KEY_ALONE | cp, at + alone,
			at + alone };
	}
	if (wv_letters[p->s[at]] != 0 && is_spaced(p, at))
		read_spaced(&r);
	else
		read_word(&r);
	return (struct wv_key_read){ r.key, token.end, r.pure ? r.pure : r.at };
}
