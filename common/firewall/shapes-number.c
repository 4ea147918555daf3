/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of numbers about people: cards, SSNs, telephones. */
#include "firewall/shapes-number.h"

#include <string.h>

static const struct wv_word card_words[] = { WV_W("amex"), WV_W("card"),
	WV_W("cardnumber"), WV_W("cards"), WV_W("cc"), WV_W("ccnumber"),
	WV_W("credit"), WV_W("creditcard"), WV_W("debit"), WV_W("diners"),
	WV_W("discover"), WV_W("jcb"), WV_W("karte"), WV_W("kreditkarte"),
	WV_W("maestro"), WV_W("mastercard"), WV_W("pan"), WV_W("unionpay"),
	WV_W("visa"), WV_NO_WORD };
/* Of what has numbers with dots that are no cards. */
static const struct wv_word thing_words[] = { WV_W("build"), WV_W("firmware"),
	WV_W("model"), WV_W("n"), WV_W("part"), WV_W("serial"), WV_W("sn"),
	WV_W("version"), WV_NO_WORD };
static const struct wv_word ssn_words[] = { WV_W("ssn"), WV_W("social"),
	WV_W("ssns"), WV_NO_WORD };
/* The separator before the next group, or 0; *at becomes its end. */
static char
separator(struct wv_text *t, size_t *at)
{
	size_t i = *at, limit = t->n - i > 3 ? i + 3 : t->n;
	char found = 0;

	for (; i < limit; i++) {
		char c = t->s[i];
		if (c == '(' || c == ')')
			found = c;
		else if (c != ' ' && c != '-' && c != '.' && c != '/')
			break;
		else if (found == 0 || found == ' ')
			found = c;
		else if (c != ' ' && found != ')')
			return 0;
	}
	*at = i;
	return found;
}

static void
read_number(struct wv_text *t, size_t at, struct wv_groups *x)
{
	size_t start = at;
	char before = 0;

	x->groups = x->count = 0;
	while (x->groups < WV_GROUPS) {
		size_t end = at;
		while (end < t->n && wv_is_digit(t->s[end]) &&
			end - at <= WV_DIGITS)
			end++;
		if (end == at || x->count + end - at > WV_DIGITS)
			break;
		memcpy(x->digits + x->count, t->s + at, end - at);
		x->count += end - at;
		x->starts[x->groups] = at;
		x->ends[x->groups] = end;
		x->separators[x->groups++] = before;
		at = end;
		before = separator(t, &at);
		if (before == 0)
			break;
	}
	WV_STEPS(at - start + 1);
	t->open = t->open || at == t->n;
}

size_t
wv_group_size(const struct wv_groups *x, size_t group)
{
	return group < x->groups ? x->ends[group] - x->starts[group] : 0;
}

/* What stands behind the end makes it part of something longer. */
bool
wv_number_goes_on(struct wv_text *t, size_t end)
{
	int c = wv_byte(t, end);

	if (c >= 0 && (wv_is_class(c, WV_WORD) || c == '%'))
		return true;
	return (c == '-' || c == '.' || c == '/' || c == ':') &&
		wv_is_at(t, end + 1, WV_ALNUM);
}

static bool
is_luhn(const char *digits, size_t n)
{
	unsigned sum = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)(digits[n - 1 - i] - '0') << (i & 1);
		sum += d > 9 ? d - 9 : d;
	}
	return sum % 10 == 0;
}

unsigned
wv_number_prefix(const char *digits, size_t n)
{
	unsigned value = 0;

	while (n-- > 0)
		value = value * 10 + (unsigned)(*digits++ - '0');
	return value;
}

/* Whether an issuer gives such numbers: 1, or 2 if only a word makes sure. */
static int
issuer(const char *d, size_t n)
{
	unsigned two = wv_number_prefix(d, 2), three = wv_number_prefix(d, 3),
		 four = wv_number_prefix(d, 4);

	if (n == 15)
		return two == 34 || two == 37;
	if (n == 14)
		return two == 36 || two == 38 || (three >= 300 && three <= 305);
	if (n == 16 &&
		(d[0] == '4' || (two >= 51 && two <= 55) ||
			(four >= 2221 && four <= 2720) || four == 6011 ||
			(three >= 644 && three <= 659) || two == 62 ||
			two == 81 || (four >= 3528 && four <= 3589) ||
			(four >= 2200 && four <= 2204)))
		return 1;
	if ((n == 13 || n == 19) && d[0] == '4')
		return 2;
	return two == 50 || (two >= 56 && two <= 69) ? 2 : 0;
}

/* How many groups a card takes: 4-4-4-4, 4-6-5, 4-6-4 or one; else 0. */
static size_t
card_groups(const struct wv_groups *x)
{
	char c = x->separators[1];

	if (wv_group_size(x, 0) >= 12)
		return 1;
	if (wv_group_size(x, 0) != 4 || x->groups < 3 ||
		x->separators[2] != c || (c != ' ' && c != '-' && c != '.'))
		return 0;
	if (wv_group_size(x, 1) == 6)
		return wv_group_size(x, 2) == 5 || wv_group_size(x, 2) == 4 ? 3
									    : 0;
	return wv_group_size(x, 1) == 4 && wv_group_size(x, 2) == 4 &&
			wv_group_size(x, 3) == 4 && x->separators[3] == c
		? 4
		: 0;
}

/* A number of JSON, or one that is assigned to a name. */
static bool
is_named(const struct wv_text *t, size_t at)
{
	while (at > t->from && wv_is_blank(t->s[at - 1]))
		at--;
	return at > t->from && strchr(":=[", t->s[at - 1]) != NULL;
}

static bool
card(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	size_t groups = card_groups(x), at = x->starts[0], n;

	if (groups == 0)
		return false;
	n = groups == 1       ? wv_group_size(x, 0)
		: groups == 4 ? 16
			      : 10 + wv_group_size(x, 2);
	int known = issuer(x->digits, n);
	if (known == 0 || !is_luhn(x->digits, n))
		return false;
	/* The middle of a longer one, or a fraction. */
	if (at - t->from >= 2 && wv_is_digit(t->s[at - 2]) &&
		t->s[at - 1] == (groups > 1 ? x->separators[1] : '.'))
		return false;
	/* Behind a name that does not say so, a number is that of an order; of
	 * two or three digits only, it is none of a person; with dots, it may
	 * be that of a thing. */
	bool is_sure = groups == 1
		? !is_named(t, at) && !wv_is_dull(x->digits, n)
		: x->separators[1] != '.' ||
			!wv_word_before(t, at, WV_NEAR, thing_words);
	if ((known == 2 || !is_sure) &&
		!wv_word_before(t, at, WV_NEAR, card_words))
		return false;
	size_t end = x->ends[groups - 1];
	if (wv_number_goes_on(t, end))
		return false;
	*hit = (struct wv_hit){ at, end, "card" };
	return true;
}

static bool
is_ssn(const char *d)
{
	unsigned area = wv_number_prefix(d, 3);

	return area != 0 && area != 666 && area < 900 &&
		wv_number_prefix(d + 3, 2) != 0 &&
		wv_number_prefix(d + 5, 4) != 0;
}

static bool
ssn(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	size_t at = x->starts[0], last;
	char c = x->separators[1];

	if (wv_group_size(x, 0) == 9) {
		last = 0;
	} else {
		if (wv_group_size(x, 0) != 3 || wv_group_size(x, 1) != 2 ||
			wv_group_size(x, 2) != 4 || x->separators[2] != c)
			return false;
		last = 2;
	}
	if (!is_ssn(x->digits) || wv_number_goes_on(t, x->ends[last]))
		return false;
	if (at > t->from && strchr("-./", t->s[at - 1]) != NULL)
		return false;
	if ((last == 0 || c != '-') &&
		!wv_word_before(t, at, WV_NEAR, ssn_words))
		return false;
	*hit = (struct wv_hit){ at, x->ends[last], "ssn" };
	return true;
}

bool
wv_number(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	struct wv_groups x;

	(void)rule;
	if (at > t->from) {
		char c = t->s[at - 1];
		if (wv_is_class(c, WV_WORD) || c == '%' || c == '$')
			return false;
		if (c == '+' || c == '(')
			t->low = at - 1;
	}
	if (t->n - at > 10 && t->s[at + 4] == '-' && t->s[at + 7] == '-' &&
		!wv_is_digit(t->s[at + 10])) /* 2026-03-01 */
		return false;
	read_number(t, at, &x);
	if (x.groups == 0)
		return false;
	return (t->rules->card && card(t, &x, hit)) ||
		(t->rules->ssn && ssn(t, &x, hit)) ||
		(t->rules->phone && wv_phone(t, &x, hit));
}

/* The digits of a value that has little else; their number, or 0. */
static size_t
digits_of(const char *s, size_t n, char *digits)
{
	enum { LONGEST = 32 };
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (n > LONGEST || !strchr("0123456789 +-.()/", s[i]) ||
			(wv_is_digit(s[i]) && count == WV_DIGITS))
			return 0;
		if (wv_is_digit(s[i]))
			digits[count++] = s[i];
	}
	return count;
}

bool
wv_is_number_of(const char *kind, const char *s, size_t n)
{
	char d[WV_DIGITS];
	size_t count = digits_of(s, n, d);

	if (strcmp(kind, "card") == 0)
		return count >= 12 && is_luhn(d, count);
	if (strcmp(kind, "cvv") == 0)
		return (count == 3 || count == 4) && count == n;
	if (strcmp(kind, "ssn") == 0)
		return count == 9 && is_ssn(d);
	return strcmp(kind, "phone") == 0 && count >= 7 && count <= 15;
}
