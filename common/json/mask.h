/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as masks of a bit for each byte, the first byte the lowest bit.
 * For json/quotes, json/skim and who builds on it.
 */
#ifndef WV_JSON_MASK_H
#define WV_JSON_MASK_H

#include "json/block.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	WV_MASK = 64,       /* bytes that are looked at for strings */
	WV_DIGIT_MASK = 32, /* and for numbers */
};

/* How many bytes come before the first that is marked; mask is not 0. */
static inline unsigned
wv_mask_before(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

static inline unsigned
wv_mask_count(uint64_t mask)
{
	mask -= mask >> 1 & UINT64_C(0x5555555555555555);
	mask = (mask & UINT64_C(0x3333333333333333)) +
		(mask >> 2 & UINT64_C(0x3333333333333333));
	mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(mask * UINT64_C(0x0101010101010101) >> 56);
}

/* Each bit the parity of itself and those below. */
static inline uint64_t
wv_mask_parity(uint64_t mask)
{
	for (unsigned n = 1; n < WV_MASK; n *= 2)
		mask ^= mask << n;
	return mask;
}

#ifdef WV_JSON_SSE2

static inline __m128i
wv_mask_load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

static inline uint64_t
wv_mask_bits(__m128i v)
{
	return (uint32_t)_mm_movemask_epi8(v);
}

/* WV_MASK bytes as four vectors, and what is marked in them. */
struct wv_mask_block {
	__m128i a, b, c, d;
};

static inline struct wv_mask_block
wv_mask_block(const char *p)
{
	return (struct wv_mask_block){ wv_mask_load(p),
		wv_mask_load(p + WV_BLOCK), wv_mask_load(p + 2 * WV_BLOCK),
		wv_mask_load(p + 3 * WV_BLOCK) };
}

static inline uint64_t
wv_mask_join(__m128i a, __m128i b, __m128i c, __m128i d)
{
	return wv_mask_bits(a) | wv_mask_bits(b) << 16 | wv_mask_bits(c) << 32 |
		wv_mask_bits(d) << 48;
}

static inline __m128i
wv_mask_most(__m128i v, char most)
{
	return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(most)), v);
}

static inline uint64_t
wv_mask_is(const char *p, char c)
{
	struct wv_mask_block v = wv_mask_block(p);

	return wv_mask_join(wv_block_is(v.a, c), wv_block_is(v.b, c),
		wv_block_is(v.c, c), wv_block_is(v.d, c));
}

static inline uint64_t
wv_mask_controls(const char *p)
{
	struct wv_mask_block v = wv_mask_block(p);
	char most = ' ' - 1;

	return wv_mask_join(wv_mask_most(v.a, most), wv_mask_most(v.b, most),
		wv_mask_most(v.c, most), wv_mask_most(v.d, most));
}

static inline uint64_t
wv_mask_wide(const char *p)
{
	struct wv_mask_block v = wv_mask_block(p);

	return wv_mask_join(v.a, v.b, v.c, v.d);
}

/* In the topmost bit of each byte. */
static inline __m128i
wv_mask_odd(__m128i v)
{
	return _mm_or_si128(v,
		_mm_or_si128(wv_block_is(v, '\\'), wv_mask_most(v, ' ' - 1)));
}

/* Whether any byte is a control, a backslash or past ASCII. */
static inline bool
wv_mask_is_odd(const char *p)
{
	struct wv_mask_block v = wv_mask_block(p);
	__m128i low = _mm_or_si128(wv_mask_odd(v.a), wv_mask_odd(v.b));
	__m128i high = _mm_or_si128(wv_mask_odd(v.c), wv_mask_odd(v.d));

	return _mm_movemask_epi8(_mm_or_si128(low, high)) != 0;
}

/* Marks all but decimal digits in WV_DIGIT_MASK bytes. */
static inline uint32_t
wv_mask_no_digits(const char *p)
{
	__m128i zero = _mm_set1_epi8('0');
	__m128i low = _mm_sub_epi8(wv_mask_load(p), zero);
	__m128i high = _mm_sub_epi8(wv_mask_load(p + WV_BLOCK), zero);

	return ~(uint32_t)(wv_mask_bits(wv_mask_most(low, 9)) |
		wv_mask_bits(wv_mask_most(high, 9)) << WV_BLOCK);
}

#else

#define WV_MASK_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t
wv_mask_load(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* The topmost bits of eight bytes, side by side. */
static inline uint64_t
wv_mask_bits(uint64_t w)
{
	w = w >> 7 & WV_MASK_EACH(1);
	return w * UINT64_C(0x0102040810204080) >> 56;
}

/* The topmost bit of each byte that is not zero, and nothing else. */
static inline uint64_t
wv_mask_nonzero(uint64_t w)
{
	return (((w & WV_MASK_EACH(0x7f)) + WV_MASK_EACH(0x7f)) | w) &
		WV_MASK_EACH(0x80);
}

static inline uint64_t
wv_mask_is(const char *p, char c)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < WV_MASK; i += 8)
		mask |= wv_mask_bits(wv_mask_nonzero(wv_mask_load(p + i) ^
				WV_MASK_EACH((unsigned char)c)))
			<< i;
	return ~mask;
}

static inline uint64_t
wv_mask_controls(const char *p)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < WV_MASK; i += 8)
		mask |= wv_mask_bits(wv_mask_nonzero(
				wv_mask_load(p + i) & WV_MASK_EACH(0xe0)))
			<< i;
	return ~mask;
}

static inline uint64_t
wv_mask_wide(const char *p)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < WV_MASK; i += 8)
		mask |= wv_mask_bits(wv_mask_load(p + i)) << i;
	return mask;
}

static inline bool
wv_mask_is_odd(const char *p)
{
	uint64_t odd = 0;

	for (unsigned i = 0; i < WV_MASK; i += 8) {
		uint64_t w = wv_mask_load(p + i);
		odd |= w | ~wv_mask_nonzero(w & WV_MASK_EACH(0xe0)) |
			~wv_mask_nonzero(w ^ WV_MASK_EACH('\\'));
	}
	return (odd & WV_MASK_EACH(0x80)) != 0;
}

static inline uint32_t
wv_mask_no_digits(const char *p)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < WV_DIGIT_MASK; i += 8) {
		uint64_t w = wv_mask_load(p + i) ^ WV_MASK_EACH('0');
		uint64_t low = w & WV_MASK_EACH(0x7f);
		mask |= wv_mask_bits((low + WV_MASK_EACH(0x80 - 10)) | w) << i;
	}
	return (uint32_t)mask;
}

#endif

#endif
