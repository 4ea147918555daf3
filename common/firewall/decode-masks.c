/* SPDX-License-Identifier: Apache-2.0 */
/* Which of 64 bytes may be those of a code. */
#include "firewall/decode.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

/* A bit for each range of bytes that differ in their low halves only. */
enum {
	UPPER = 1 | 2 | 4, /* A-O, P-Z, a-f */
	ESCAPE = 8 | 16 | 32,
	BETWEEN = 64,
	DIGIT = 128,
};

/* By the low and the high half of a byte. */
static const uint8_t lows[16] = { 2 | BETWEEN, 1 | 2 | 4, 1 | 2 | 4 | DIGIT,
	1 | 2 | 4 | DIGIT, 1 | 2 | 4 | DIGIT, 1 | 2 | 4 | 8 | DIGIT,
	1 | 2 | 4 | 8 | DIGIT, 1 | 2 | DIGIT, 1 | 2, 1 | 2 | BETWEEN,
	1 | 2 | BETWEEN, 1 | BETWEEN, 1 | 16 | BETWEEN, 1 | 32 | BETWEEN, 1,
	1 };
static const uint8_t highs[16] = { [0] = BETWEEN,
	[2] = 8 | BETWEEN,
	[3] = 32 | BETWEEN | DIGIT,
	[4] = 1,
	[5] = 2 | 16,
	[6] = 4 };

static void
masks_of(const unsigned char *s, struct wv_code_masks *m)
{
	*m = (struct wv_code_masks){ 0 };
	for (int i = 0; i < 64; i++) {
		unsigned c = lows[s[i] & 15] & highs[s[i] >> 4];
		m->upper |= (uint64_t)((c & UPPER) != 0) << i;
		m->escape |= (uint64_t)((c & ESCAPE) != 0) << i;
		m->digit |= (uint64_t)((c & DIGIT) != 0) << i;
		m->between |= (uint64_t)((c & BETWEEN) != 0) << i;
	}
}

#if HAS_AVX2
#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i
classes_of(const unsigned char *s)
{
	__m256i v = _mm256_loadu_si256((const void *)s);
	__m256i half = _mm256_set1_epi8(15);
	__m256i low = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const void *)lows));
	__m256i high = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const void *)highs));

	return _mm256_and_si256(
		_mm256_shuffle_epi8(low, _mm256_and_si256(v, half)),
		_mm256_shuffle_epi8(
			high, _mm256_and_si256(_mm256_srli_epi16(v, 4), half)));
}

AVX2 static inline uint64_t
bits(__m256i low, __m256i high)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
		(uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* 0 where none of the classes is. */
AVX2 static inline __m256i
is_none(__m256i v, int classes)
{
	return _mm256_cmpeq_epi8(
		_mm256_and_si256(v, _mm256_set1_epi8((char)classes)),
		_mm256_setzero_si256());
}

AVX2 static void
masks_of_avx2(const unsigned char *s, struct wv_code_masks *m)
{
	__m256i a = classes_of(s), b = classes_of(s + 32);

	m->upper = ~bits(is_none(a, UPPER), is_none(b, UPPER));
	m->escape = ~bits(is_none(a, ESCAPE), is_none(b, ESCAPE));
	/* Their highest bits. */
	m->digit = bits(a, b);
	m->between = bits(_mm256_slli_epi16(a, 1), _mm256_slli_epi16(b, 1));
}
#endif

void
wv_code_masks_of(const char *s, struct wv_code_masks *masks)
{
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2")) {
		masks_of_avx2((const unsigned char *)s, masks);
		return;
	}
#endif
	masks_of((const unsigned char *)s, masks);
}
