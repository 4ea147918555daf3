/* SPDX-License-Identifier: Apache-2.0 */
/* Telephone numbers: with a country, of North America, or behind a word. */
#include "firewall/shapes-number.h"

#include <string.h>

/* Behind the first six it needs some form. */
static const struct wv_word phone_words[] = { WV_W("anruf"), WV_W("call"),
	WV_W("contact"), WV_W("handy"), WV_W("ring"), WV_W("sms"), WV_W("cell"),
	WV_W("cellphone"), WV_W("fax"), WV_W("hotline"), WV_W("mobil"),
	WV_W("mobile"), WV_W("phone"), WV_W("phones"), WV_W("rufnummer"),
	WV_W("tel"), WV_W("telefon"), WV_W("telefono"), WV_W("telefone"),
	WV_W("teléfono"), WV_W("telephone"), WV_W("tél"), WV_W("téléphone"),
	WV_W("whatsapp"), WV_W("电话"), WV_W("手机"), WV_W("電話"),
	WV_NO_WORD };
static const struct wv_word *const phone_names = phone_words + 6;

/* The digits of a country code (ITU E.164) that the number begins with, or
 * 0. */
static size_t
country_digits(const char *d)
{
	/* By first digit the second digits of codes of two and, of those of
	 * three, of whole tens. */
	static const char *const two[] = { "", "", "07", "0123469", "013456789",
		"12345678", "0123456", "", "1246", "0123458" };
	static const char *const ten[] = { "", "", "23456", "578", "", "09",
		"789", "", "0578", "679" };
	size_t first = (size_t)(d[0] - '0');

	if (d[0] == '1' || d[0] == '7')
		return 1;
	if (strchr(two[first], d[1]) != NULL)
		return 2;
	if (wv_number_prefix(d, 2) == 21)
		return strchr("12368", d[2]) != NULL ? 3 : 0;
	if (wv_number_prefix(d, 2) == 42)
		return strchr("013", d[2]) != NULL ? 3 : 0;
	if (wv_number_prefix(d, 2) == 29)
		return strchr("01789", d[2]) != NULL ? 3 : 0;
	return strchr(ten[first], d[1]) != NULL ? 3 : 0;
}

/* +COUNTRY and groups, 15 digits at most. */
static bool
international(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	enum { FEWEST = 8, FEWEST_BARE = 10, MOST = 15 };
	size_t plus = x->starts[0] - 1, count = 0, last = 0, i;
	size_t country = x->count > 3 ? country_digits(x->digits) : 0;
	if (country == 0)
		return false;
	for (i = 0; i < x->groups && count + wv_group_size(x, i) <= MOST; i++) {
		count += wv_group_size(x, i);
		last = i;
	}
	if (count < FEWEST || wv_number_goes_on(t, x->ends[last]) ||
		wv_group_size(x, last) < 2)
		return false;
	/* North America and Russia have ten digits behind theirs. */
	if (country == 1 && (count != 11 || x->digits[1] < '2'))
		return false;
	if (plus > t->from &&
		(wv_is_class(t->s[plus - 1], WV_TOKEN68) ||
			t->s[plus - 1] == ')'))
		return false;
	/* Added lines of a diff, and signs of numbers. */
	if (last == 0 &&
		(count < FEWEST_BARE ||
			(plus > t->from &&
				strchr("\n=:[", t->s[plus - 1]) != NULL)) &&
		!wv_word_before(t, plus, WV_NEAR, phone_words))
		return false;
	*hit = (struct wv_hit){ plus, x->ends[last], "phone" };
	return true;
}

/* (AAA) EEE-NNNN, AAA-EEE-NNNN, AAA.EEE.NNNN, with a 1 before it or not. */
static bool
north_american(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	size_t first = wv_group_size(x, 0) == 1 && x->digits[0] == '1';
	size_t at = x->starts[0];
	bool is_round = at > t->from && t->s[at - 1] == '(';

	if (wv_group_size(x, first) != 3 || wv_group_size(x, first + 1) != 3 ||
		wv_group_size(x, first + 2) != 4 || x->digits[first] < '2')
		return false;
	char a = x->separators[first + 1], b = x->separators[first + 2];
	is_round = (is_round || x->separators[first] == '(') && a == ')';
	if (!is_round && (a != b || (a != '-' && a != '.' && a != ' ')))
		return false;
	size_t start = is_round && first == 0 ? at - 1 : at;
	if (wv_number_goes_on(t, x->ends[first + 2]))
		return false;
	if (start > t->from &&
		(strchr("-./_#@+", t->s[start - 1]) != NULL ||
			wv_is_class(t->s[start - 1], WV_ALNUM)))
		return false;
	if (!is_round && a == ' ' &&
		!wv_word_before(t, start, WV_NEAR, phone_words))
		return false;
	*hit = (struct wv_hit){ start, x->ends[first + 2], "phone" };
	return true;
}

static bool
is_date(const struct wv_groups *x)
{
	return x->groups >= 3 &&
		((wv_group_size(x, 0) == 4 && wv_group_size(x, 1) == 2 &&
			 wv_group_size(x, 2) == 2) ||
			(wv_group_size(x, 0) == 2 && wv_group_size(x, 1) == 2 &&
				wv_group_size(x, 2) == 4));
}

/* Behind a word that says so: a 0 and some more, or nine in some form. */
static bool
national(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	enum { FEWEST = 8, FEWEST_BARE = 9, MOST = 13, ADJACENT = 12 };
	size_t at = x->starts[0], last = x->groups - 1;

	if (x->count < FEWEST || x->count > MOST || is_date(x) ||
		wv_number_goes_on(t, x->ends[last]))
		return false;
	if (x->count < FEWEST_BARE && x->digits[0] != '0')
		return false;
	if (at > t->from && strchr("-./_#@", t->s[at - 1]) != NULL)
		return false;
	bool formed = x->digits[0] == '0' || x->groups > 1;
	if (formed ? !wv_word_before(t, at, WV_NEAR, phone_words)
		   : !wv_word_before(t, at, ADJACENT, phone_names))
		return false;
	bool is_round = at > t->from && t->s[at - 1] == '(';
	*hit = (struct wv_hit){ at - is_round, x->ends[last], "phone" };
	return true;
}

bool
wv_phone(struct wv_text *t, const struct wv_groups *x, struct wv_hit *hit)
{
	size_t at = x->starts[0];

	if (at > t->from && t->s[at - 1] == '+')
		return international(t, x, hit);
	return north_american(t, x, hit) || national(t, x, hit);
}
