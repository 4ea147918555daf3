/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of IBANs (ISO 13616): a country's length and check digits. */
#include "firewall/scan-internal.h"

#include <string.h>

/* Countries and how many characters their IBANs have. */
static const char lengths[] =
	"AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24"
	"DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27"
	"GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20"
	"LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28"
	"PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28"
	"TL23TN24TR26UA29VA22VG24XK20YE30";

static size_t
length_of(const char *country)
{
	for (const char *p = lengths; *p != '\0'; p += 4)
		if (p[0] == country[0] && p[1] == country[1])
			return (size_t)((p[2] - '0') * 10 + p[3] - '0');
	return 0;
}

/* ISO 7064: the first four characters behind the rest, letters as 10 to 35,
 * leave 1 when divided by 97. */
static bool
is_checked(const char *s, size_t n)
{
	unsigned rest = 0;

	for (size_t i = 0; i < n; i++) {
		char c = s[(i + 4) % n];
		unsigned value = wv_is_digit(c) ? (unsigned)(c - '0')
						: (unsigned)(c - 'A') + 10;
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest == 1;
}

bool
wv_iban(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	enum { LONGEST = 34 };
	size_t want = length_of(t->s + at), n = 0, i = at;
	char iban[LONGEST];

	(void)rule;
	if (want == 0 || !wv_word_starts(t, at, WV_BASE64URL))
		return false;
	for (; n < want; i++) {
		int c = wv_byte(t, i);
		if (c >= 0 && wv_is_class(c, WV_UPPER_DIGIT))
			iban[n++] = (char)c;
		else if ((c != ' ' && c != '-') || n % 4 != 0)
			return false;
	}
	if (wv_is_at(t, i, WV_WORD) || !is_checked(iban, want))
		return false;
	*hit = (struct wv_hit){ at, i, "iban" };
	return true;
}
