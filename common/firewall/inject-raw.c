/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a text may be in words, 64 at a time. */
#include "firewall/inject-raw.h"

#include <stddef.h>
#include <string.h>

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
	LEAD = 1024,
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
	[0x80 ... 0xbf] = HIGH,
	[0xc0 ... 0xff] = HIGH | LEAD,
};

/* No letters: n, t and r behind a backslash. */
static void
drop_escaped(
	const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m)
{
	uint64_t slashes = m->before << 1 | (s[-1] == '\\');

	for (; slashes != 0; slashes &= slashes - 1) {
		unsigned at = (unsigned)__builtin_ctzll(slashes);
		unsigned char c = s[at];
		if (s[(ptrdiff_t)at - 1] != '\\' ||
			(c != 'n' && c != 't' && c != 'r'))
			continue;
		m->letter &= ~(UINT64_C(1) << at);
		letters[at] = 0;
	}
}

/* Where the processor can do no better. */
static void
masks(const unsigned char *s, unsigned char *letters, struct wv_raw_masks *m)
{
	*m = (struct wv_raw_masks){ 0 };
	for (unsigned i = 0; i < 64; i++) {
		unsigned char c = s[i];
		uint64_t class = classes[c];
		letters[i] = c == '_' ? c : wv_letters[c];
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
		m->quote |= (class >> 9 & 1) << i;
		m->lead |= class >> 10 << i;
	}
	drop_escaped(s, letters, m);
}

#if HAS_AVX2
#define AVX2 __attribute__((target("avx2")))
#define TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

AVX2 static inline uint64_t
bits(__m256i a, __m256i b)
{
	return (uint32_t)_mm256_movemask_epi8(a) |
		(uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

AVX2 static inline __m256i
up_to(__m256i v, char first, char last)
{
	__m256i off = _mm256_sub_epi8(v, _mm256_set1_epi8(first));

	return _mm256_cmpeq_epi8(off,
		_mm256_min_epu8(off, _mm256_set1_epi8((char)(last - first))));
}

/* The bit of its high half, of ASCII. */
AVX2 static inline __m256i
row(__m256i v)
{
	return _mm256_shuffle_epi8(
		TWICE(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0),
		_mm256_and_si256(
			_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15)));
}

/* Not in a set: by the low half of a byte, the rows of its members. */
AVX2 static inline __m256i
others(__m256i set, __m256i v)
{
	return _mm256_cmpeq_epi8(_mm256_setzero_si256(),
		_mm256_and_si256(_mm256_shuffle_epi8(set, v), row(v)));
}

AVX2 static inline uint64_t
equal(__m256i a, __m256i b, char c)
{
	__m256i to = _mm256_set1_epi8(c);

	return bits(_mm256_cmpeq_epi8(a, to), _mm256_cmpeq_epi8(b, to));
}

/* The letters of 32 bytes; what is one, 0 for all else. */
AVX2 static inline __m256i
letters_avx2(__m256i v, unsigned char *letters)
{
	const __m256i digits = TWICE('o', 'i', 'z', 'e', 'a', 's', 'g', 't',
		'b', 'g', 0, 0, 0, 0, 0, 0);
	__m256i small = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
	__m256i alpha = up_to(small, 'a', 'z'), digit = up_to(v, '0', '9');
	__m256i under = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('_'));

	_mm256_storeu_si256((__m256i *)letters,
		_mm256_or_si256(_mm256_and_si256(under, v),
			_mm256_or_si256(_mm256_and_si256(alpha, small),
				_mm256_and_si256(digit,
					_mm256_shuffle_epi8(digits, v)))));
	return _mm256_or_si256(alpha, digit);
}

/* Those that are seldom. */
AVX2 static void
marks_avx2(__m256i a, __m256i b, struct wv_raw_masks *m)
{
	const __m256i after =
		TWICE(16, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 8, 0, -128, 0);
	const __m256i before =
		TWICE(0, 0, 0, 4, 0, 4, 4, 0, 0, 0, 0, 32, 40, 0, 0, 0);
	const __m256i open =
		TWICE(0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 32, -120, 0, 0, 4);

	m->after = ~bits(others(after, a), others(after, b));
	m->before = ~bits(others(before, a), others(before, b));
	m->open = ~bits(others(open, a), others(open, b));
	m->lead = bits(_mm256_and_si256(a, _mm256_slli_epi16(a, 1)),
		_mm256_and_si256(b, _mm256_slli_epi16(b, 1)));
}

AVX2 static void
masks_avx2(const unsigned char *s, unsigned char *letters, bool all,
	struct wv_raw_masks *m)
{
	/* after, before, _ and / */
	const __m256i any =
		TWICE(16, 0, 0, 4, 0, 4, 4, 4, 0, 0, 4, 32, 40, 0, -128, 36);
	__m256i a = _mm256_loadu_si256((const __m256i *)s);
	__m256i b = _mm256_loadu_si256((const __m256i *)(s + 32));

	/* one by one: of them all the compiler makes a slow loop */
	m->under = m->space = m->quote = m->close = 0;
	m->after = m->colon = m->before = m->open = m->lead = 0;
	m->letter =
		bits(letters_avx2(a, letters), letters_avx2(b, letters + 32));
	m->high = bits(a, b);
	if (all) {
		m->space = equal(a, b, ' ');
		m->quote = equal(a, b, '"');
		m->close = equal(a, b, '>');
	}
	uint64_t rare = ~bits(others(any, a), others(any, b)) | m->high;
	bool behind = (classes[s[-1]] & BEFORE) != 0;
	if (rare != 0)
		m->under = equal(a, b, '_');
	if ((rare & ~m->under) != 0 || behind) {
		m->colon = equal(a, b, ':');
		marks_avx2(a, b, m);
		drop_escaped(s, letters, m);
	}
	m->colon |= (uint64_t)(s[WV_CHUNK - 1] == ':') << 63;
}
#endif

static inline void
read_masks(const unsigned char *s, unsigned char *letters, bool all,
	struct wv_raw_masks *m)
{
#if HAS_AVX2
	if (__builtin_cpu_supports("avx2"))
		masks_avx2(s, letters, all, m);
	else
#endif
		masks(s, letters, m);
}

/* Where less than that can be read around it. */
static void __attribute__((noinline)) read_copy(const struct wv_normal *text,
	size_t at, unsigned char *letters, bool all, struct wv_raw_masks *m)
{
	unsigned char copy[1 + WV_CHUNK] = { 0 };
	size_t left = text->n - at, before = at > 0;

	left = left < WV_CHUNK ? left : WV_CHUNK;
	memcpy(copy + 1 - before, text->s + at - before, left + before);
	read_masks(copy + 1, letters, all, m);
}

void
wv_raw_read(const struct wv_normal *text, size_t at, unsigned char *letters,
	bool all, struct wv_raw_masks *m)
{
	if (at > 0 && at + WV_CHUNK <= text->n) {
		read_masks(text->s + at, letters, all, m);
	} else if (at < text->n) {
		read_copy(text, at, letters, all, m);
	} else {
		memset(letters, 0, WV_CHUNK);
		*m = (struct wv_raw_masks){ 0 };
	}
}
