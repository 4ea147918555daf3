/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a text may be in words, 64 at a time. */
#include "firewall/inject-filter.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(WV_NO_SIMD)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

enum class {
	LETTER = 1,
	UNDER = 2,
	SPACE = 4,
	HIGH = 8,
	AFTER = 16,
	COLON = 32,
	BEFORE = 64,
	OPEN = 128,
	CLOSE = 256,
	QUOTE = 512,
};

static const uint16_t classes[256] = {
	['0' ... '9'] = LETTER,
	['A' ... 'Z'] = LETTER,
	['a' ... 'z'] = LETTER,
	['_'] = UNDER,
	[' '] = SPACE,
	['\''] = AFTER,
	['*'] = AFTER,
	['~'] = AFTER,
	['@'] = AFTER,
	['<'] = AFTER | BEFORE | OPEN,
	['['] = BEFORE | OPEN,
	['#'] = BEFORE | OPEN,
	['&'] = BEFORE,
	['%'] = BEFORE,
	['\\'] = BEFORE,
	['|'] = OPEN,
	['/'] = OPEN,
	['!'] = OPEN,
	[':'] = COLON,
	['>'] = CLOSE,
	['"'] = QUOTE,
	[0x80 ... 0xff] = HIGH,
};

/* Where the processor can do no better. */
static void
masks(const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m)
{
	*m = (struct wv_raw_masks){ 0 };
	for (unsigned i = 0; i < 64; i++) {
		unsigned char c = s[i];
		uint64_t class = classes[c];
		letters[i] = c == '_' ? c : wv_letters[c];
		if (s[(ptrdiff_t)i - 1] == '\\' &&
			(c == 'n' || c == 't' || c == 'r'))
			class = letters[i] = 0;
		m->letter |= (class & 1) << i;
		if (class <= LETTER)
			continue;
		m->under |= (class >> 1 & 1) << i;
		m->space |= (class >> 2 & 1) << i;
		m->high |= (class >> 3 & 1) << i;
		m->after |= (class >> 4 & 1) << i;
		m->colon |= (class >> 5 & 1) << i;
		m->before |= (class >> 6 & 1) << i;
		m->open |= (class >> 7 & 1) << i;
		m->close |= (class >> 8 & 1) << i;
		m->quote |= class >> 9 << i;
	}
}

#if HAS_AVX2
#define AVX2 __attribute__((target("avx2")))
#define TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

AVX2 static inline uint32_t
bits(__m256i v)
{
	return (uint32_t)_mm256_movemask_epi8(v);
}

AVX2 static inline __m256i
up_to(__m256i v, char first, char last)
{
	__m256i off = _mm256_sub_epi8(v, _mm256_set1_epi8(first));

	return _mm256_cmpeq_epi8(off,
		_mm256_min_epu8(off, _mm256_set1_epi8((char)(last - first))));
}

/* Of a set: by the low half of a byte, the high halves of its members. */
AVX2 static inline uint32_t
members(__m256i set, __m256i low, __m256i high)
{
	return ~bits(_mm256_cmpeq_epi8(_mm256_setzero_si256(),
		_mm256_and_si256(_mm256_shuffle_epi8(set, low), high)));
}

/* What a half of the masks is. */
struct half {
	uint32_t letter, under, space, quote, high, after, colon, before, open,
		close;
};

/* Of 32 bytes. */
AVX2 static inline struct half
masks_avx2(const unsigned char *s, unsigned char *letters)
{
	const __m256i digits = TWICE('o', 'i', 'z', 'e', 'a', 's', 'g', 't',
		'b', 'g', 0, 0, 0, 0, 0, 0);
	const __m256i highs =
		TWICE(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m256i after =
		TWICE(16, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 8, 0, -128, 0);
	const __m256i before =
		TWICE(0, 0, 0, 4, 0, 4, 4, 0, 0, 0, 0, 32, 40, 0, 0, 0);
	const __m256i open =
		TWICE(0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 32, -120, 0, 0, 4);
	const __m256i half = _mm256_set1_epi8(15);
	__m256i v = _mm256_loadu_si256((const __m256i *)(s));
	__m256i prev = _mm256_loadu_si256((const __m256i *)(s - 1));
	__m256i small = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
	__m256i low = _mm256_and_si256(v, half);
	__m256i high = _mm256_shuffle_epi8(
		highs, _mm256_and_si256(_mm256_srli_epi16(v, 4), half));
	__m256i alpha = up_to(small, 'a', 'z'), digit = up_to(v, '0', '9');
	__m256i under = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('_'));
	__m256i slash = _mm256_cmpeq_epi8(prev, _mm256_set1_epi8('\\'));

	if (bits(slash) != 0)
		alpha = _mm256_andnot_si256(
			_mm256_and_si256(slash,
				_mm256_or_si256(_mm256_cmpeq_epi8(v,
							_mm256_set1_epi8('n')),
					_mm256_or_si256(
						_mm256_cmpeq_epi8(v,
							_mm256_set1_epi8('t')),
						_mm256_cmpeq_epi8(v,
							_mm256_set1_epi8(
								'r'))))),
			alpha);
	_mm256_storeu_si256((__m256i *)(letters),
		_mm256_or_si256(_mm256_and_si256(under, v),
			_mm256_or_si256(_mm256_and_si256(alpha, small),
				_mm256_and_si256(digit,
					_mm256_shuffle_epi8(digits, low)))));
	return (struct half){
		.letter = bits(_mm256_or_si256(alpha, digit)),
		.under = bits(under),
		.space = bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(' '))),
		.quote = bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"'))),
		.high = bits(v),
		.after = members(after, low, high),
		.colon = bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(':'))),
		.before = members(before, low, high),
		.open = members(open, low, high),
		.close = bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('>'))),
	};
}

AVX2 static void
both_avx2(
	const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m)
{
	struct half a = masks_avx2(s, letters);
	struct half b = masks_avx2(s + 32, letters + 32);

#define BOTH(mask) m->mask = a.mask | (uint64_t)b.mask << 32
	BOTH(letter);
	BOTH(under);
	BOTH(space);
	BOTH(quote);
	BOTH(high);
	BOTH(after);
	BOTH(colon);
	BOTH(before);
	BOTH(open);
	BOTH(close);
#undef BOTH
}
#endif

void
wv_raw_masks(
	const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m)
{
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2")) {
		both_avx2(s, letters, m);
		return;
	}
#endif
	masks(s, letters, m);
}
