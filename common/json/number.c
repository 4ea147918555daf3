/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of numbers, RFC 8259 section 6, and its limits. */
#include "json/internal.h"

struct scan {
	const char *text, *end;
	struct wv_err *err;
};

/* One digit or more. */
static const char *
skip_digits(const struct scan *s, const char *p)
{
	const char *begin = p;

	while (p < s->end && wv_json_is_digit(*p))
		p++;
	if (p > begin)
		return p;
	if (p == s->end)
		wv_json_ends(s->err, s->text, s->end, "a number");
	else
		wv_json_unexpected(s->err, s->text, p, s->end, "a digit");
	return NULL;
}

static const char *
skip_whole(const struct scan *s, const char *p)
{
	const char *end = skip_digits(s, p);

	if (end == NULL || *p != '0' || end == p + 1)
		return end;
	wv_json_fault(s->err, s->text, p + 1, "a number cannot begin with 0");
	return NULL;
}

static const char *
skip_exponent(const struct scan *s, const char *p)
{
	const char *end;

	if (p < s->end && (*p == '+' || *p == '-'))
		p++;
	end = skip_digits(s, p);
	while (end != NULL && p < end && *p == '0')
		p++;
	if (end == NULL || end - p <= WV_JSON_EXPONENT_DIGITS)
		return end;
	wv_json_fault(s->err, s->text, p + WV_JSON_EXPONENT_DIGITS,
		"exponent has more than %d digits", WV_JSON_EXPONENT_DIGITS);
	return NULL;
}

/* Whether the digits from p to end keep to the limit; the first that does
 * not is the fault. */
static bool
are_few(const struct scan *s, const char *p, const char *end, size_t limit)
{
	size_t n = 0;

	if ((size_t)(end - p) <= limit)
		return true;
	for (; p < end; p++) {
		n += wv_json_is_digit(*p);
		if (n > limit) {
			wv_json_fault(s->err, s->text, p,
				"number has more than %zu digits", limit);
			return false;
		}
	}
	return true;
}

const char *
wv_json_number_end(const char *text, const char *p, const char *end,
	size_t max_digits, struct wv_err *err)
{
	struct scan s = { text, end, err };
	const char *begin = p;

	p = skip_whole(&s, p + (*p == '-'));
	if (p != NULL && p < end && *p == '.')
		p = skip_digits(&s, p + 1);
	if (p == NULL || !are_few(&s, begin, p, max_digits))
		return NULL;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = skip_exponent(&s, p + 1);
	return p;
}
