/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-idna.h"

#include <string.h>

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700 };
enum { INITIAL_BIAS = 72, INITIAL_N = 128 };

static uint32_t
adapt(uint32_t delta, size_t count, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / (uint32_t)count;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias + T_MIN)
		return T_MIN;
	return k >= bias + T_MAX ? T_MAX : k - bias;
}

static uint32_t
digit_value(uint32_t c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : BASE;
}

static uint32_t
value_digit(uint32_t value)
{
	return value < 26 ? 'a' + value : '0' + value - 26;
}

/* A number of variable length; returns what follows it, or NULL. */
static const uint32_t *
read_number(
	const uint32_t *s, const uint32_t *end, uint32_t bias, uint32_t *value)
{
	uint32_t weight = 1, digit, part, t;

	*value = 0;
	for (uint32_t k = BASE;; k += BASE) {
		if (s == end || (digit = digit_value(*s++)) == BASE ||
			__builtin_mul_overflow(digit, weight, &part) ||
			__builtin_add_overflow(*value, part, value))
			return NULL;
		t = threshold(k, bias);
		if (digit < t)
			return s;
		if (__builtin_mul_overflow(weight, BASE - t, &weight))
			return NULL;
	}
}

int
wv_punycode_decode(uint32_t cp[WV_LABEL_MAX], const uint32_t *code, size_t n)
{
	uint32_t c = INITIAL_N, bias = INITIAL_BIAS, at = 0, delta;
	const uint32_t *s = code, *end = code + n;
	size_t count = 0;

	if (n > WV_LABEL_MAX)
		return -1;
	/* The last hyphen ends what is copied. */
	for (size_t i = 0; i < n; i++) {
		if (code[i] == '-')
			count = i;
	}
	memcpy(cp, code, count * sizeof *cp);
	s += count > 0 ? count + 1 : 0;
	for (; s < end; at++) {
		s = read_number(s, end, bias, &delta);
		if (s == NULL || __builtin_add_overflow(at, delta, &at))
			return -1;
		count++;
		bias = adapt(delta, count, at == delta);
		if (at / count > 0x10ffff - c)
			return -1;
		c += at / (uint32_t)count;
		at %= (uint32_t)count;
		memmove(cp + at + 1, cp + at, (count - 1 - at) * sizeof *cp);
		cp[at] = c;
	}
	return (int)count;
}

/* Returns how long the code is now, or -1. */
static int
write_number(uint32_t code[WV_LABEL_MAX], int n, uint32_t bias, uint32_t value)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		if (n == WV_LABEL_MAX)
			return -1;
		if (value < t) {
			code[n++] = value_digit(value);
			return n;
		}
		code[n++] = value_digit(t + (value - t) % (BASE - t));
		value = (value - t) / (BASE - t);
	}
}

/* The least code point that has not been written. */
static uint32_t
next_above(const uint32_t *cp, size_t n, uint32_t least)
{
	uint32_t next = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		if (cp[i] >= least && cp[i] < next)
			next = cp[i];
	}
	return next;
}

int
wv_punycode_encode(uint32_t code[WV_LABEL_MAX], const uint32_t *cp, size_t n)
{
	uint32_t c = INITIAL_N, bias = INITIAL_BIAS, delta = 0, next;
	size_t written, basic;
	int length = 0;

	if (n > WV_LABEL_MAX - 1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (cp[i] < INITIAL_N)
			code[length++] = cp[i];
	}
	written = basic = (size_t)length;
	if (basic > 0)
		code[length++] = '-';
	for (; written < n; delta++, c = next + 1) {
		next = next_above(cp, n, c);
		delta += (next - c) * (uint32_t)(written + 1);
		for (size_t i = 0; i < n; i++) {
			delta += cp[i] < next;
			if (cp[i] != next)
				continue;
			length = write_number(code, length, bias, delta);
			if (length < 0)
				return -1;
			written++;
			bias = adapt(delta, written, written == basic + 1);
			delta = 0;
		}
	}
	return length;
}
