/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A number is taken apart into sign, significant digits and the power of ten
 * of the first of them; everything is decided on these.
 */
#include "json/internal.h"

#include "json/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decimal {
	bool negative;
	const char *digits; /* the first significant one, in the text */
	size_t n;           /* significant digits; none in 0 */
	size_t point;       /* how many stand before a decimal point that is
	                        among them; n if none is */
	int64_t power;      /* value = ±d.ddd × 10^power */
	char whole[24];     /* the text of a number that has none */
};

static bool
is_int(const cJSON *n)
{
	return n->valuestring == NULL;
}

static char
digit(const struct decimal *d, size_t i)
{
	return d->digits[i + (i >= d->point)];
}

/* The exponent that stands at p, "e" or the end. */
static int64_t
read_exponent(const char *p)
{
	return *p == '\0' ? 0 : strtoll(p + 1, NULL, 10);
}

static void
take_apart(struct decimal *d, const cJSON *n)
{
	const char *p = n->valuestring, *point, *end;

	if (is_int(n)) {
		snprintf(d->whole, sizeof(d->whole), "%.0f", n->valuedouble);
		p = d->whole;
	}
	d->negative = *p == '-';
	p += d->negative;
	end = p + strcspn(p, "eE");
	point = memchr(p, '.', (size_t)(end - p));
	d->power = (point ? point : end) - p - 1 + read_exponent(end);

	for (; p < end && (*p == '0' || *p == '.'); p++)
		d->power -= *p == '0';
	while (end > p && (end[-1] == '0' || end[-1] == '.'))
		end--;
	d->digits = p;
	d->n = (size_t)(end - p);
	d->point = d->n;
	if (point != NULL && point > p && point < end) {
		d->point = (size_t)(point - p);
		d->n--;
	}
}

static int
sign(const struct decimal *d)
{
	return d->n == 0 ? 0 : d->negative ? -1 : 1;
}

static int
compare_magnitude(const struct decimal *a, const struct decimal *b)
{
	if (a->power != b->power)
		return a->power < b->power ? -1 : 1;
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (digit(a, i) != digit(b, i))
			return digit(a, i) - digit(b, i);
	return (a->n > b->n) - (a->n < b->n);
}

int
wv_num_cmp(const cJSON *a, const cJSON *b)
{
	struct decimal x, y;

	if (is_int(a) && is_int(b))
		return (a->valuedouble > b->valuedouble) -
			(a->valuedouble < b->valuedouble);
	take_apart(&x, a);
	take_apart(&y, b);
	if (sign(&x) != sign(&y) || sign(&x) == 0)
		return sign(&x) - sign(&y);
	return sign(&x) * compare_magnitude(&x, &y);
}

/* The power of ten of the last significant digit. */
static int64_t
last_power(const struct decimal *d)
{
	return d->power - (int64_t)d->n + 1;
}

static bool
is_integer(const struct decimal *d)
{
	return d->n == 0 || last_power(d) >= 0;
}

bool
wv_num_is_integer(const cJSON *n)
{
	struct decimal d;

	if (is_int(n))
		return true;
	take_apart(&d, n);
	return is_integer(&d);
}

bool
wv_num_int64(const cJSON *n, int64_t *value)
{
	struct decimal d;
	uint64_t v = 0;

	if (is_int(n)) {
		*value = (int64_t)n->valuedouble;
		return true;
	}
	take_apart(&d, n);
	if (!is_integer(&d) || (d.n > 0 && d.power > 18))
		return false;
	for (size_t i = 0; d.n > 0 && i <= (size_t)d.power; i++)
		v = v * 10 + (i < d.n ? (uint64_t)(digit(&d, i) - '0') : 0);
	if (v > (uint64_t)INT64_MAX + d.negative)
		return false;
	*value = d.negative ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

double
wv_num_double(const cJSON *n)
{
	return is_int(n) ? n->valuedouble : strtod(n->valuestring, NULL);
}

/*
 * Whole multiples.  a / b with a = A × 10^i and b = B × 10^j, where neither
 * A nor B ends in 0, is whole only if i >= j and B divides A × 10^(i - j).
 * B has fewer factors 2, and fewer factors 5, than four times its digits, so
 * more zeros than that change nothing.  The division goes from the left in
 * base 10^9 and keeps the remainder only.
 */
enum { LIMB = 1000000000, LIMB_DIGITS = 9 };

/* A followed by zeros, cut into limbs from the right; limb 0 is leftmost. */
struct dividend {
	const struct decimal *d;
	size_t digits;
};

static size_t
limbs(size_t digits)
{
	return (digits + LIMB_DIGITS - 1) / LIMB_DIGITS;
}

static uint32_t
limb(const struct dividend *a, size_t i)
{
	size_t end = a->digits - (limbs(a->digits) - 1 - i) * LIMB_DIGITS;
	size_t begin = end > LIMB_DIGITS ? end - LIMB_DIGITS : 0;
	uint32_t v = 0;

	for (size_t k = begin; k < end; k++)
		v = v * 10 +
			(k < a->d->n ? (uint32_t)(digit(a->d, k) - '0') : 0);
	return v;
}

static bool
divides_small(const struct dividend *a, uint32_t b)
{
	uint64_t rest = 0;

	for (size_t i = 0; i < limbs(a->digits); i++)
		rest = (rest * LIMB + limb(a, i)) % b;
	return rest == 0;
}

/* rest -= times × b, which is not more; rest has a limb more than b. */
static void
subtract(uint32_t *rest, const uint32_t *b, size_t n, int64_t times)
{
	int64_t carry = 0;

	for (size_t i = n; i > 0; i--) {
		carry += rest[i] - times * b[i - 1];
		int64_t low = carry % LIMB;
		carry = carry / LIMB - (low < 0);
		rest[i] = (uint32_t)(low < 0 ? low + LIMB : low);
	}
	rest[0] = (uint32_t)(rest[0] + carry);
}

static bool
at_least(const uint32_t *rest, const uint32_t *b, size_t n)
{
	size_t i = 0;

	if (rest[0] != 0)
		return true;
	while (i < n - 1 && rest[i + 1] == b[i])
		i++;
	return rest[i + 1] >= b[i];
}

/* rest %= b, for a rest below b × LIMB.  The leading limbs give the quotient
 * to within one. */
static void
reduce(uint32_t *rest, const uint32_t *b, size_t n)
{
	double top = (rest[0] * 1e9 + rest[1]) * 1e9 + rest[2];
	double by = b[0] * 1e9 + b[1] + (n > 2 ? b[2] / 1e9 : 0);
	int64_t times = (int64_t)(top / by) - 1;

	if (times > 0)
		subtract(rest, b, n, times);
	while (at_least(rest, b, n))
		subtract(rest, b, n, 1);
}

static bool
divides_large(const struct dividend *a, const struct dividend *by)
{
	size_t n = limbs(by->digits);
	uint32_t *b = wv_xcalloc(2 * n + 1, sizeof(*b)), *rest = b + n;
	bool divides = true;

	for (size_t i = 0; i < n; i++)
		b[i] = limb(by, i);
	for (size_t i = 0; i < limbs(a->digits); i++) {
		memmove(rest, rest + 1, n * sizeof(*rest));
		rest[n] = limb(a, i);
		reduce(rest, b, n);
	}
	for (size_t i = 1; i <= n; i++)
		divides = divides && rest[i] == 0;
	free(b);
	return divides;
}

bool
wv_num_multiple_of(const cJSON *a, const cJSON *b)
{
	struct decimal x, y;
	struct dividend dividend, divisor;
	int64_t zeros;

	if (is_int(a) && is_int(b))
		return (int64_t)a->valuedouble % (int64_t)b->valuedouble == 0;
	take_apart(&x, a);
	take_apart(&y, b);
	if (x.n == 0)
		return true;
	zeros = last_power(&x) - last_power(&y);
	if (zeros < 0)
		return false;
	if (zeros > 4 * (int64_t)y.n)
		zeros = 4 * (int64_t)y.n;
	dividend = (struct dividend){ &x, x.n + (size_t)zeros };
	divisor = (struct dividend){ &y, y.n };
	if (limbs(y.n) == 1)
		return divides_small(&dividend, limb(&divisor, 0));
	return divides_large(&dividend, &divisor);
}

/* ECMAScript's Number::toString: from 1e-6 to below 1e21 in full. */
enum { FULL_MIN = -6, FULL_MAX = 20 };

static void
add_digits(struct wv_str *out, const struct decimal *d, size_t begin, size_t n)
{
	char *to = wv_str_room(out, n);

	for (size_t i = 0; i < n; i++)
		to[i] = begin + i < d->n ? digit(d, begin + i) : '0';
	to[n] = '\0';
	out->n += n;
}

static void
add_rest(struct wv_str *out, const struct decimal *d, size_t begin)
{
	if (begin < d->n) {
		wv_str_chr(out, '.');
		add_digits(out, d, begin, d->n - begin);
	}
}

void
wv_num_canonical(struct wv_str *out, const cJSON *n)
{
	struct decimal d;

	take_apart(&d, n);
	if (d.n == 0) {
		wv_str_chr(out, '0');
		return;
	}
	if (d.negative)
		wv_str_chr(out, '-');
	if (d.power < FULL_MIN || d.power > FULL_MAX) {
		add_digits(out, &d, 0, 1);
		add_rest(out, &d, 1);
		wv_str_fmt(out, "e%+lld", (long long)d.power);
	} else if (d.power < 0) {
		wv_str_fmt(out, "0.%.*s", (int)(-d.power - 1), "000000");
		add_digits(out, &d, 0, d.n);
	} else {
		add_digits(out, &d, 0, (size_t)d.power + 1);
		add_rest(out, &d, (size_t)d.power + 1);
	}
}

/* Any so many digits are told apart by doubles of ordinary size, so they are
 * the shortest that name theirs; no double needs more than the latter. */
enum { SAFE_DIGITS = 15, MOST_DIGITS = 17, SAFE_POWER = 307 };

/* Adds one to the last digit of d.ddde±x; there is one that is not 9. */
static void
next_digits(char *text)
{
	char *p = strchr(text, 'e') - 1;

	for (; *p == '9' || *p == '.'; p--)
		if (*p == '9')
			*p = '0';
	++*p;
}

/*
 * The shortest decimal that reads back as value, and of these the nearest,
 * as ECMAScript wants it.  The gap above a power of two is twice that below,
 * so the nearest decimal of a length may read back as another double while
 * the next one up is right.
 */
static void
shortest(char text[32], double value)
{
	for (int n = 0; n < MOST_DIGITS; n++) {
		snprintf(text, 32, "%.*e", n, value);
		if (strtod(text, NULL) == value)
			return;
		if (text[0] == '9' && strspn(text, "9.") == strcspn(text, "e"))
			continue;
		next_digits(text);
		if (strtod(text, NULL) == value)
			return;
	}
}

bool
wv_num_is_double(const cJSON *n)
{
	struct decimal d, nearest;
	char text[32];
	double value;

	if (is_int(n))
		return true;
	take_apart(&d, n);
	if (d.n <= SAFE_DIGITS && llabs(d.power) <= SAFE_POWER)
		return true;
	value = fabs(wv_num_double(n));
	if (d.n > MOST_DIGITS || value == 0 || isinf(value))
		return d.n == 0;
	shortest(text, value);
	take_apart(&nearest, &(cJSON){ .valuestring = text });
	return compare_magnitude(&d, &nearest) == 0;
}
