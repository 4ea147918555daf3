/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a text is plain: most of it, mostly. */
#include "firewall/internal.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

enum { WORD = 8, LANE = 32 };

static bool
is_plain(unsigned char c)
{
	return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

/* All eight bytes are printable ASCII. */
static bool
is_plain_word(const unsigned char *s)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t w;

	memcpy(&w, s, WORD);
	uint64_t del = w ^ (ones * 0x7F);
	uint64_t bad = w | ((w - ones * 0x20) & ~w) | ((del - ones) & ~del);
	return (bad & (ones * 0x80)) == 0;
}

static size_t
plain_words(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n) {
		while (n - i >= WORD && is_plain_word(s + i))
			i += WORD;
		if (n >= WORD && n - i < WORD && is_plain_word(s + n - WORD))
			return n;
		size_t end = n - i < WORD ? n : i + WORD;
		while (i < end && is_plain(s[i]))
			i++;
		if (i < end)
			break;
	}
	return i;
}

#if HAS_AVX2
/* A bit for each of 32 bytes that is not. */
__attribute__((target("avx2"))) static inline uint32_t
odd_bytes(const unsigned char *s)
{
	__m256i v = _mm256_loadu_si256((const void *)s);
	/* Beyond 0x7E it is negative, or 0. */
	__m256i next = _mm256_add_epi8(v, _mm256_set1_epi8(1));
	__m256i good = _mm256_cmpgt_epi8(next, _mm256_set1_epi8(0x20));

	good = _mm256_or_si256(
		good, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')));
	good = _mm256_or_si256(
		good, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\t')));
	return ~(uint32_t)_mm256_movemask_epi8(good);
}

/* The last lane begins within the one before. */
__attribute__((target("avx2"))) static size_t
plain_lanes(const unsigned char *s, size_t n)
{
	for (size_t i = 0; i < n; i += LANE) {
		size_t at = n - i < LANE ? n - LANE : i;
		uint32_t odd = odd_bytes(s + at);
		if (odd != 0)
			return at + (size_t)__builtin_ctz(odd);
	}
	return n;
}
#endif

size_t
wv_plain_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	if (n == 0 || !is_plain(*s))
		return 0;
#if HAS_AVX2
	if (n >= LANE && __builtin_cpu_supports("avx2"))
		return plain_lanes(s, n);
#endif
	return plain_words(s, n);
}
