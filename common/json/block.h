/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings and white space 16 bytes at a time.  All 16 are read, and written
 * where there is a copy: that is what the slack of input and arena is for.
 */
#ifndef WV_JSON_BLOCK_H
#define WV_JSON_BLOCK_H

#include <stdbool.h>
#include <string.h>

#if defined(__SSE2__) && !defined(WV_NO_SIMD)
#include <emmintrin.h>
#define WV_JSON_SSE2 1
#endif

enum { WV_BLOCK = 16 };

#ifdef WV_JSON_SSE2

static inline __m128i
wv_block_is(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

/* How many bytes come before the first that is marked. */
static inline unsigned
wv_block_before(__m128i marked)
{
	unsigned mask = (unsigned)_mm_movemask_epi8(marked);

	return (unsigned)__builtin_ctz(mask | 1u << WV_BLOCK);
}

/* Marks what ends a run in a string: controls, quote, backslash. */
static inline __m128i
wv_block_odd(__m128i v)
{
	__m128i control =
		_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ' - 1)), v);

	return _mm_or_si128(control,
		_mm_or_si128(wv_block_is(v, '"'), wv_block_is(v, '\\')));
}

/* Counts the leading bytes that a string of JSON text may hold and that need
 * no other look: ASCII but controls, quote, backslash. */
static inline unsigned
wv_block_text(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);

	/* The comparison is signed: bytes past 0x7f are below space too. */
	return wv_block_before(_mm_or_si128(
		_mm_cmplt_epi8(v, _mm_set1_epi8(' ')),
		_mm_or_si128(wv_block_is(v, '"'), wv_block_is(v, '\\'))));
}

/* The same, and copies. */
static inline unsigned
wv_block_copy_text(char *to, const char *p)
{
	_mm_storeu_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)p));
	return wv_block_text(p);
}

/* The same for twice as many, of which *wide says whether any is past ASCII:
 * those count too. */
static inline unsigned
wv_block_copy_pair(char *to, const char *p, int *wide)
{
	__m128i low = _mm_loadu_si128((const __m128i *)p);
	__m128i high = _mm_loadu_si128((const __m128i *)(p + WV_BLOCK));
	unsigned marked = (unsigned)_mm_movemask_epi8(wv_block_odd(low)) |
		(unsigned)_mm_movemask_epi8(wv_block_odd(high)) << WV_BLOCK;

	_mm_storeu_si128((__m128i *)to, low);
	_mm_storeu_si128((__m128i *)(to + WV_BLOCK), high);
	*wide |= _mm_movemask_epi8(_mm_or_si128(low, high));
	return marked != 0 ? (unsigned)__builtin_ctz(marked) : 2 * WV_BLOCK;
}

/* Whether the first n bytes are the same, at most WV_BLOCK. */
static inline bool
wv_block_same(const char *a, const char *b, unsigned n)
{
	__m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)a),
		_mm_loadu_si128((const __m128i *)b));

	return ((~(unsigned)_mm_movemask_epi8(same)) & ((1u << n) - 1)) == 0;
}

/* How many bytes of ASCII lead. */
static inline unsigned
wv_block_ascii(const char *p)
{
	return wv_block_before(_mm_loadu_si128((const __m128i *)p));
}

/* Copies, and counts the leading bytes of a tree's string that are written
 * as they are: all but controls, quote, backslash and C0 (U+0000). */
static inline unsigned
wv_block_copy_tree(char *to, const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);

	_mm_storeu_si128((__m128i *)to, v);
	return wv_block_before(
		_mm_or_si128(wv_block_odd(v), wv_block_is(v, (char)0xc0)));
}

static inline unsigned
wv_block_space(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	__m128i space = _mm_or_si128(
		_mm_or_si128(wv_block_is(v, ' '), wv_block_is(v, '\n')),
		_mm_or_si128(wv_block_is(v, '\t'), wv_block_is(v, '\r')));

	return wv_block_before(_mm_xor_si128(space, _mm_set1_epi8(-1)));
}

#else

static inline unsigned
wv_block_text(const char *p)
{
	unsigned n = 0;

	while (n < WV_BLOCK && (signed char)p[n] >= ' ' && p[n] != '"' &&
		p[n] != '\\')
		n++;
	return n;
}

static inline unsigned
wv_block_copy_text(char *to, const char *p)
{
	unsigned n = wv_block_text(p);

	memmove(to, p, WV_BLOCK);
	return n;
}

static inline unsigned
wv_block_copy_pair(char *to, const char *p, int *wide)
{
	char block[2 * WV_BLOCK];
	unsigned n = 0;

	memcpy(block, p, sizeof block);
	memcpy(to, block, sizeof block);
	while (n < sizeof block && (unsigned char)block[n] >= ' ' &&
		block[n] != '"' && block[n] != '\\')
		*wide |= (signed char)block[n++] < 0;
	return n;
}

static inline bool
wv_block_same(const char *a, const char *b, unsigned n)
{
	return memcmp(a, b, n) == 0;
}

static inline unsigned
wv_block_ascii(const char *p)
{
	unsigned n = 0;

	while (n < WV_BLOCK && (signed char)p[n] >= 0)
		n++;
	return n;
}

static inline unsigned
wv_block_copy_tree(char *to, const char *p)
{
	char block[WV_BLOCK]; /* what is copied and where to may overlap */
	unsigned n = 0;

	memcpy(block, p, sizeof block);
	memcpy(to, block, sizeof block);
	while (n < WV_BLOCK && (unsigned char)block[n] >= ' ' &&
		block[n] != '"' && block[n] != '\\' &&
		(unsigned char)block[n] != 0xc0)
		n++;
	return n;
}

static inline unsigned
wv_block_space(const char *p)
{
	unsigned n = 0;

	while (n < WV_BLOCK &&
		(p[n] == ' ' || p[n] == '\n' || p[n] == '\t' || p[n] == '\r'))
		n++;
	return n;
}

#endif

#endif
