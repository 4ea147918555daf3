/* SPDX-License-Identifier: Apache-2.0 */
/* Which of 64 bytes may begin an anchor, and which are digits and letters. */
#include "firewall/scan-internal.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

enum { DIGIT = 1, SMALL = 2, CAPITAL = 4, BETWEEN = 8 };

static const uint8_t classes[256] = {
	['0' ... '9'] = DIGIT,
	['a' ... 'z'] = SMALL,
	['A' ... 'Z'] = CAPITAL,
	[' '] = BETWEEN,
	['('] = BETWEEN,
	[')'] = BETWEEN,
	['-'] = BETWEEN,
	['.'] = BETWEEN,
	['/'] = BETWEEN,
};

static void
masks_of(const struct wv_prefilter *f, const unsigned char *s,
	struct wv_masks *m)
{
	*m = (struct wv_masks){ 0 };
	for (int i = 0; i < 64; i++) {
		unsigned c = classes[s[i]];
		uint64_t any = 0;
		if ((f->passes[0][s[i]] & f->passes[1][s[i + 1]] &
			    f->passes[2][s[i + 2]] & f->passes[3][s[i + 3]]) ||
			s[i] == f->single[0] || s[i] == f->single[1])
			any = 1;
		m->anchors |= any << i;
		m->digits |= (uint64_t)(c & DIGIT) << i;
		m->letters |= (uint64_t)((c & (SMALL | CAPITAL)) != 0) << i;
		m->capitals |= (uint64_t)((c & CAPITAL) != 0) << i;
		m->between |= (uint64_t)((c & BETWEEN) != 0) << i;
	}
}

#if HAS_AVX2
#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i
load(const void *s)
{
	return _mm256_loadu_si256(s);
}

AVX2 static inline uint64_t
bits(__m256i low, __m256i high)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
		(uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* The bytes from first to last. */
AVX2 static inline __m256i
within(__m256i v, char first, char last)
{
	__m256i off = _mm256_sub_epi8(v, _mm256_set1_epi8(first));

	return _mm256_cmpeq_epi8(off,
		_mm256_min_epu8(off, _mm256_set1_epi8((char)(last - first))));
}

AVX2 static inline __m256i
table(const uint8_t *bytes)
{
	return _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const void *)bytes));
}

/* The halves of 32 bytes. */
struct halves {
	__m256i low, high;
};

AVX2 static inline struct halves
split(__m256i v)
{
	__m256i half = _mm256_set1_epi8(15);

	return (struct halves){ _mm256_and_si256(v, half),
		_mm256_and_si256(_mm256_srli_epi16(v, 4), half) };
}

AVX2 static inline __m256i
passing(__m256i low, __m256i high, struct halves v)
{
	return _mm256_and_si256(_mm256_shuffle_epi8(low, v.low),
		_mm256_shuffle_epi8(high, v.high));
}

AVX2 static inline __m256i
is_single(const struct wv_prefilter *f, __m256i v)
{
	return _mm256_or_si256(
		_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)f->single[0])),
		_mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)f->single[1])));
}

/* The buckets that pass 64 bytes at each place, of both sets. */
struct buckets {
	__m256i low[2], high[2];
};

AVX2 static inline void
pass(struct buckets *b, const struct wv_prefilter *f, int k,
	const unsigned char *s)
{
	struct halves low = split(load(s + k)), high = split(load(s + k + 32));

	for (int set = 0; set < 2; set++) {
		__m256i x = table(f->low[set][k]), y = table(f->high[set][k]);
		b->low[set] = _mm256_and_si256(b->low[set], passing(x, y, low));
		b->high[set] =
			_mm256_and_si256(b->high[set], passing(x, y, high));
	}
}

AVX2 static inline uint64_t
anchors_of(const struct wv_prefilter *f, const unsigned char *s)
{
	__m256i all = _mm256_set1_epi8(-1), none = _mm256_setzero_si256();
	struct buckets b = { { all, all }, { all, all } };

	pass(&b, f, 0, s);
	pass(&b, f, 1, s);
	pass(&b, f, 2, s);
	pass(&b, f, 3, s);
	__m256i low = _mm256_or_si256(b.low[0], b.low[1]);
	__m256i high = _mm256_or_si256(b.high[0], b.high[1]);
	low = _mm256_or_si256(low, is_single(f, load(s)));
	high = _mm256_or_si256(high, is_single(f, load(s + 32)));
	return ~bits(
		_mm256_cmpeq_epi8(low, none), _mm256_cmpeq_epi8(high, none));
}

/* Space ( ) - . /, by where they stand among the bytes 0x20 to 0x2F; those
 * beyond have bit 7 when added to. */
AVX2 static inline __m256i
between(__m256i v)
{
	__m256i marks = _mm256_broadcastsi128_si256(_mm_setr_epi8(
		-1, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, -1, -1, -1));

	v = _mm256_xor_si256(v, _mm256_set1_epi8(0x20));
	return _mm256_shuffle_epi8(
		marks, _mm256_adds_epu8(v, _mm256_set1_epi8(0x70)));
}

AVX2 static void
masks_of_avx2(const struct wv_prefilter *f, const unsigned char *s,
	struct wv_masks *m)
{
	__m256i a = load(s), b = load(s + 32);
	__m256i space = _mm256_set1_epi8(0x20);

	m->anchors = anchors_of(f, s);
	m->digits = bits(within(a, '0', '9'), within(b, '0', '9'));
	m->letters = bits(within(_mm256_or_si256(a, space), 'a', 'z'),
		within(_mm256_or_si256(b, space), 'a', 'z'));
	m->capitals = bits(within(a, 'A', 'Z'), within(b, 'A', 'Z'));
	m->between = bits(between(a), between(b));
}
#endif

static uint64_t
heads_of(const struct wv_prefilter *f, const unsigned char *s)
{
	uint64_t found = 0;

	for (int i = 0; i < 64; i++) {
		uint32_t h = wv_head_hash(f, s + i);
		found |= (f->heads[h / 64] >> h % 64 & 1) << i;
	}
	return found;
}

void
wv_masks_of(const struct wv_prefilter *filter, const unsigned char *s,
	struct wv_masks *masks)
{
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2"))
		masks_of_avx2(filter, s, masks);
	else
#endif
		masks_of(filter, s, masks);
	if (filter->heads != NULL)
		masks->anchors |= heads_of(filter, s);
}
