/* SPDX-License-Identifier: Apache-2.0 */
/* What programs give to names of secrets: other names, calls, conditions. */
#include "firewall/assign-internal.h"

#include <string.h>

/* A call, or a member of what programs call their settings. */
static bool
is_call(const char *s, size_t n)
{
	static const struct wv_word roots[] = { WV_W("args."), WV_W("config."),
		WV_W("ctx."), WV_W("env."), WV_W("os."), WV_W("opts."),
		WV_W("options."), WV_W("params."), WV_W("process."),
		WV_W("req."), WV_W("request."), WV_W("self."),
		WV_W("settings."), WV_W("this."), WV_NO_WORD };
	size_t i = 0;

	for (const struct wv_word *root = roots; root->s != NULL; root++)
		if (n > root->n && memcmp(s, root->s, root->n) == 0)
			return true;
	while (i < n &&
		(wv_is_class(s[i], WV_WORD) || strchr(".:$", s[i]) != NULL))
		i++;
	return i > 0 && !wv_is_digit(s[0]) && i < n &&
		(s[i] == '(' || s[i] == '[');
}

/* Of what people make up, not machines: it may be words. */
static bool
is_made_up(const char *kind)
{
	return strcmp(kind, "password") == 0 || strcmp(kind, "secret") == 0;
}

/* A digit between letters and a joint: oauth2_client */
static bool
is_version(const char *s, size_t n, size_t i)
{
	return i > 0 && wv_is_digit(s[i]) && wv_is_letter(s[i - 1]) &&
		i + 1 < n && s[i + 1] == '_';
}

bool
wv_is_own_name(const char *s, size_t n, const char *kind)
{
	bool joins = strcmp(kind, "password") != 0;
	bool versions = joins && memchr(s, '.', n) != NULL;

	n -= s[n - 1] == '+';
	if (n > 2 && s[n - 2] == '$' && wv_is_digit(s[n - 1]))
		n -= 2;
	for (size_t i = 0; i < n; i++)
		if (!wv_is_letter(s[i]) && s[i] != '_' && s[i] != '.' &&
			!(versions && wv_is_digit(s[i])) &&
			!(joins && is_version(s, n, i)))
			return false;
	return wv_secret_name(s, n) != NULL;
}

/* camelCase, at most a digit behind it: no value that was drawn by lot. */
static bool
is_camel(const char *s, size_t n)
{
	size_t humps = 0, i = 0;

	n -= wv_is_digit(s[n - 1]);
	for (; i < n && wv_is_letter(s[i]); i++) {
		if ((s[i] & 0x20) != 0)
			continue;
		if (i + 1 >= n || (s[i + 1] & 0x20) == 0)
			return false;
		humps += i > 0;
	}
	return i == n && humps > 0;
}

/* old ? new : none, old && new, old === new, Text | None */
static bool
is_condition(struct wv_text *t, const struct wv_assigned *a)
{
	static const struct wv_word signs[] = { WV_W(" ? "), WV_W(" && "),
		WV_W(" || "), WV_W(" === "), WV_W(" !== "), WV_W(" | "),
		WV_NO_WORD };
	const struct wv_word *sign = signs;
	bool is_apart = a->start > t->from && t->s[a->start - 1] == ' ';

	for (size_t i = a->start; i < a->end; i++)
		if (!wv_is_letter(t->s[i]) && strchr("_$.", t->s[i]) == NULL)
			return false;
	while (sign->s != NULL && !wv_stands(t, a->end, sign->s, sign->n))
		sign++;
	return is_apart && sign->s != NULL;
}

/* The same after a minifier: fe?T:void */
static bool
is_short_condition(const char *s, size_t n)
{
	enum { SHORT = 4 };
	size_t i = 0;

	while (i < n && i < SHORT &&
		(wv_is_class(s[i], WV_WORD) || s[i] == '$'))
		i++;
	if (i == 0 || i == n || s[i] != '?')
		return false;
	for (i++; i < n && (wv_is_class(s[i], WV_WORD) || s[i] == '$');)
		i++;
	return i < n && s[i] == ':';
}

/* A variable that a variable is given: old.one, !!old.one */
static bool
is_copied(const char *s, size_t n, bool is_apart)
{
	if (is_apart && s[0] == '!')
		return true;
	while (n > 1 && s[0] == '!') {
		s++;
		n--;
	}
	return wv_is_joined(s, n, ".", true) ||
		(is_apart && wv_is_joined(s, n, "._", true));
}

/* &one, &one(x), &state->one, of which the value ends at the > */
static bool
is_address(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && (wv_is_letter(s[i]) || s[i] == '_'))
		i++;
	return s[0] == '&' && i > 1 &&
		(i == n || strchr("(.[", s[i]) != NULL ||
			(i + 1 == n && s[i] == '-'));
}

/* TK_UTF8, ID_12: words in capitals, joined, with a number or two behind */
static bool
is_enumerator(const char *s, size_t n)
{
	enum { MOST_DIGITS = 3 };
	size_t joints = 0, digits = 0;

	for (size_t i = 0; i < n; i++) {
		bool is_behind = i > 0 && wv_is_digit(s[i - 1]);
		joints += s[i] == '_';
		digits += wv_is_digit(s[i]);
		if (s[i] != '_' && !wv_is_digit(s[i]) &&
			(s[i] < 'A' || s[i] > 'Z' || is_behind))
			return false;
	}
	return joints > 0 && digits <= MOST_DIGITS && !wv_is_digit(s[0]);
}

/* 0x000C, 0x1F04UL: a number of 32 bits is too short for a secret that was
 * drawn by lot. */
static bool
is_short_hex(const char *s, size_t n)
{
	enum { LONGEST = 8 };
	size_t i = 2;

	if (n < 3 || s[0] != '0' || (s[1] | 0x20) != 'x')
		return false;
	while (i < n &&
		(wv_is_digit(s[i]) ||
			((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'f')))
		i++;
	size_t digits = i - 2;
	while (i < n && strchr("uUlL", s[i]) != NULL)
		i++;
	return i == n && digits > 0 && digits <= LONGEST;
}

/* What an enumerator, or a constant of a program, is given: 65536L, 100000; */
static bool
is_count(struct wv_text *t, const struct wv_assigned *a, bool is_apart)
{
	enum { LONGEST = 7 };
	size_t i = a->start;

	while (i < a->end && wv_is_digit(t->s[i]))
		i++;
	if (!is_apart || i == a->start || i - a->start > LONGEST)
		return false;
	bool is_typed = i < a->end;
	while (i < a->end && strchr("uUlL", t->s[i]) != NULL)
		i++;
	int next = wv_byte(t, a->end);
	return i == a->end && (is_typed || next == ',' || next == ';');
}

/* The last word of the name: TITLE_TOKEN, kTitleToken */
static bool
is_constant(const struct wv_text *t, const struct wv_assigned *a)
{
	size_t at = a->name_end;
	bool is_small = false;

	for (; at > a->name && !wv_is_blank(t->s[at - 1]); at--)
		is_small = is_small ||
			(t->s[at - 1] >= 'a' && t->s[at - 1] <= 'z');
	return !is_small ||
		(a->name_end - at > 1 && t->s[at] == 'k' &&
			t->s[at + 1] >= 'A' && t->s[at + 1] <= 'Z');
}

/* What a constant of a program is given, not a code that is used once. */
static bool
is_number(struct wv_text *t, const struct wv_assigned *a, bool is_apart)
{
	return is_constant(t, a) &&
		(is_short_hex(t->s + a->start, a->end - a->start) ||
			is_count(t, a, is_apart));
}

bool
wv_is_code(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	size_t n = a->end - a->start;
	bool is_apart = a->sign == '=' && a->start > t->from &&
		t->s[a->start - 1] == ' ';

	return is_call(s, n) || wv_is_own_name(s, n, a->kind) ||
		is_copied(s, n, is_apart) || (is_apart && is_address(s, n)) ||
		is_condition(t, a) || (n > 2 && memcmp(s, "/*", 2) == 0) ||
		(!is_made_up(a->kind) && is_number(t, a, is_apart)) ||
		(wv_is_random_kind(a->kind) &&
			(is_camel(s, n) || is_enumerator(s, n) ||
				is_short_condition(s, n)));
}
