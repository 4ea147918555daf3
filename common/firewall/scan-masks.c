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
masks_of(const struct wv_prefilter *f, const unsigned char *s, size_t n,
	struct wv_masks *m)
{
	for (size_t i = 0; i < n; i++) {
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
/* Of the bytes from first to last. */
__attribute__((target("avx2"))) static uint64_t
in_range(__m128i v, char first, char last)
{
	__m128i off = _mm_sub_epi8(v, _mm_set1_epi8(first));
	__m128i low = _mm_min_epu8(off, _mm_set1_epi8((char)(last - first)));

	return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(off, low));
}

/* The tables of both sets, one in each half. */
struct tables {
	__m256i low[WV_WINDOW], high[WV_WINDOW];
};

__attribute__((target("avx2"))) static void
load_tables(struct tables *t, const struct wv_prefilter *f)
{
	for (int k = 0; k < WV_WINDOW; k++) {
		t->low[k] = _mm256_loadu2_m128i((const __m128i *)f->low[1][k],
			(const __m128i *)f->low[0][k]);
		t->high[k] = _mm256_loadu2_m128i((const __m128i *)f->high[1][k],
			(const __m128i *)f->high[0][k]);
	}
}

/* The buckets that pass each of 16 places. */
__attribute__((target("avx2"))) static inline __m128i
buckets(const struct tables *t, const unsigned char *s)
{
	__m256i half = _mm256_set1_epi8(15), all = _mm256_set1_epi8(-1);

	for (int k = 0; k < WV_WINDOW; k++) {
		__m256i v = _mm256_broadcastsi128_si256(
			_mm_loadu_si128((const __m128i *)(s + k)));
		__m256i a = _mm256_shuffle_epi8(
			t->low[k], _mm256_and_si256(v, half));
		__m256i b = _mm256_shuffle_epi8(t->high[k],
			_mm256_and_si256(_mm256_srli_epi16(v, 4), half));
		all = _mm256_and_si256(all, _mm256_and_si256(a, b));
	}
	return _mm_or_si128(
		_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

__attribute__((target("avx2"))) static void
masks_of_avx2(const struct wv_prefilter *f, const unsigned char *s, size_t n,
	struct wv_masks *m)
{
	__m128i one = _mm_set1_epi8((char)f->single[0]);
	__m128i two = _mm_set1_epi8((char)f->single[1]);
	__m128i space = _mm_set1_epi8(0x20), over = _mm_set1_epi8(0x70);
	/* Of the bytes 0x20 to 0x2F; those beyond have bit 7 when added to. */
	__m128i marks = _mm_setr_epi8(
		-1, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, -1, -1, -1);

	struct tables tables;

	load_tables(&tables, f);
	for (size_t i = 0; i < n; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(s + i));
		__m128i none = _mm_cmpeq_epi8(
			buckets(&tables, s + i), _mm_setzero_si128());
		__m128i single = _mm_or_si128(
			_mm_cmpeq_epi8(v, one), _mm_cmpeq_epi8(v, two));
		m->anchors |= (uint64_t)((~_mm_movemask_epi8(none) & 0xFFFF) |
				      _mm_movemask_epi8(single))
			<< i;
		m->digits |= in_range(v, '0', '9') << i;
		m->letters |= in_range(_mm_or_si128(v, space), 'a', 'z') << i;
		m->capitals |= in_range(v, 'A', 'Z') << i;
		m->between |=
			(uint64_t)_mm_movemask_epi8(_mm_shuffle_epi8(marks,
				_mm_adds_epu8(_mm_xor_si128(v, space), over)))
			<< i;
	}
}
#endif

static uint64_t
heads_of(const struct wv_prefilter *f, const unsigned char *s, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t h = wv_head_hash(f, s + i);
		found |= (f->heads[h / 64] >> h % 64 & 1) << i;
	}
	return found;
}

void
wv_masks_of(const struct wv_prefilter *filter, const unsigned char *s, size_t n,
	struct wv_masks *masks)
{
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2"))
		masks_of_avx2(filter, s, n, masks);
	else
#endif
		masks_of(filter, s, n, masks);
	if (filter->heads != NULL)
		masks->anchors |= heads_of(filter, s, n);
}
