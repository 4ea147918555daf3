/* SPDX-License-Identifier: Apache-2.0 */
#include "text/fold.h"
#include "json/utf8.h"

#include <string.h>

/* Two characters a letter; '.' is a letter that has no Latin base, '-' no
 * letter at all. */
static const char latin_c0[] =
	/* U+00C0 … U+017F */
	"A A A A A A AeC E E E E I I I I "
	"D N O O O O O --O U U U U Y Thss"
	"a a a a a a aec e e e e i i i i "
	"d n o o o o o --o u u u u y thy "
	"A a A a A a C c C c C c C c D d "
	"D d E e E e E e E e E e G g G g "
	"G g G g H h H h I i I i I i I i "
	"I i IjijJ j K k k L l L l L l L "
	"l L l N n N n N n n N n O o O o "
	"O o OeoeR r R r R r S s S s S s "
	"S s T t T t T t U u U u U u U u "
	"U u U u W w Y y Y Z z Z z Z z s "
	/* U+0180 … U+024F */
	"b B B b . . . C c . D D d . . . "
	". F f G . . . I K k l . . N n O "
	"O o . . P p . . . . . t T t T U "
	"u . V Y y Z z . . . . . . . . . "
	". . . . DzDzdzLjLjljNjNjnjA a I "
	"i O o U u U u U u U u U u . A a "
	"A a AeaeG g G g K k O o O o . . "
	"j DzDzdzG g . . N n A a AeaeO o "
	"A a A a E e E e I i I i O o O o "
	"R r R r U u U u S s T t . . H h "
	". . . . . . A a E e O o O o O o "
	"O o Y y . . . . . . . . . . . . "
	". . . . . . . . . . . . . . . . ";
static const char latin_1e00[] =
	/* U+1E00 … U+1EFF */
	"A a B b B b B b C c D d D d D d "
	"D d D d E e E e E e E e E e F f "
	"G g H h H h H h H h H h I i I i "
	"K k K k K k L l L l L l L l M m "
	"M m M m N n N n N n N n O o O o "
	"O o O o P p P p R r R r R r R r "
	"S s S s S s S s S s T t T t T t "
	"T t U u U u U u U u U u V v V v "
	"W w W w W w W w W w X x X x Y y "
	"Z z Z z Z z h t w y a s s s Ssd "
	"A a A a A a A a A a A a A a A a "
	"A a A a A a A a E e E e E e E e "
	"E e E e E e E e I i I i O o O o "
	"O o O o O o O o O o O o O o O o "
	"O o O o U u U u U u U u U u U u "
	"U u Y y Y y Y y Y y LlllV v Y y ";

struct range {
	uint32_t first, last;
	enum wv_char_kind kind;
};

/* What is no letter above U+00BF, and the scripts without spaces; sorted. */
static const struct range ranges[] = {
	{ 0x02b0, 0x02ff, WV_CHAR_NONE }, /* modifiers */
	{ 0x0300, 0x036f, WV_CHAR_NONE }, /* accents */
	{ 0x037e, 0x037e, WV_CHAR_GAP },  /* Greek question mark */
	{ 0x0387, 0x0387, WV_CHAR_GAP },
	{ 0x055a, 0x055f, WV_CHAR_GAP }, /* Armenian */
	{ 0x0589, 0x058a, WV_CHAR_GAP },
	{ 0x0591, 0x05c7, WV_CHAR_NONE }, /* Hebrew points */
	{ 0x060c, 0x060d, WV_CHAR_GAP },  /* Arabic */
	{ 0x061b, 0x061f, WV_CHAR_GAP }, { 0x0640, 0x0640, WV_CHAR_NONE },
	{ 0x064b, 0x065f, WV_CHAR_NONE },
	{ 0x0964, 0x0965, WV_CHAR_GAP },      /* danda */
	{ 0x0e00, 0x0eff, WV_CHAR_UNSPACED }, /* Thai, Lao */
	{ 0x1000, 0x109f, WV_CHAR_UNSPACED }, /* Myanmar */
	{ 0x1100, 0x11ff, WV_CHAR_UNSPACED }, /* Hangul */
	{ 0x1680, 0x1680, WV_CHAR_GAP },
	{ 0x1780, 0x17ff, WV_CHAR_UNSPACED }, /* Khmer */
	{ 0x180b, 0x180f, WV_CHAR_NONE }, { 0x1ab0, 0x1aff, WV_CHAR_NONE },
	{ 0x1dc0, 0x1dff, WV_CHAR_NONE },
	{ 0x2000, 0x200a, WV_CHAR_GAP },  /* spaces */
	{ 0x200b, 0x200f, WV_CHAR_NONE }, /* zero width, marks */
	{ 0x2010, 0x2029, WV_CHAR_GAP },  /* punctuation */
	{ 0x202a, 0x202e, WV_CHAR_NONE }, /* bidi */
	{ 0x202f, 0x205f, WV_CHAR_GAP }, { 0x2060, 0x206f, WV_CHAR_NONE },
	{ 0x2070, 0x20cf, WV_CHAR_GAP }, /* superscripts, currencies */
	{ 0x20d0, 0x20ff, WV_CHAR_NONE },
	{ 0x2100, 0x2bff, WV_CHAR_GAP }, /* symbols */
	{ 0x2e00, 0x2e7f, WV_CHAR_GAP },
	{ 0x2e80, 0x2fff, WV_CHAR_UNSPACED }, /* radicals */
	{ 0x3000, 0x3004, WV_CHAR_GAP }, { 0x3005, 0x3007, WV_CHAR_UNSPACED },
	{ 0x3008, 0x3040, WV_CHAR_GAP },
	{ 0x3041, 0x3098, WV_CHAR_UNSPACED }, /* kana */
	{ 0x3099, 0x309a, WV_CHAR_NONE }, { 0x309b, 0x309c, WV_CHAR_GAP },
	{ 0x309d, 0x30fa, WV_CHAR_UNSPACED }, { 0x30fb, 0x30fb, WV_CHAR_GAP },
	{ 0x30fc, 0x31ff, WV_CHAR_UNSPACED }, { 0x3200, 0x33ff, WV_CHAR_GAP },
	{ 0x3400, 0x9fff, WV_CHAR_UNSPACED }, /* Han */
	{ 0xac00, 0xd7ff, WV_CHAR_UNSPACED }, /* Hangul */
	{ 0xe000, 0xf8ff, WV_CHAR_GAP },      /* private use */
	{ 0xf900, 0xfaff, WV_CHAR_UNSPACED },
	{ 0xfe00, 0xfe0f, WV_CHAR_NONE }, /* variation selectors */
	{ 0xfe10, 0xfe6f, WV_CHAR_GAP }, { 0xfeff, 0xfeff, WV_CHAR_NONE },
	{ 0xff00, 0xff65, WV_CHAR_GAP }, /* but for letters, see fold */
	{ 0xff66, 0xffdf, WV_CHAR_UNSPACED }, { 0xffe0, 0xffff, WV_CHAR_GAP },
	{ 0x1d000, 0x1d3ff, WV_CHAR_GAP }, /* music, counting rods */
	{ 0x1f000, 0x1faff, WV_CHAR_GAP }, /* emoji */
	{ 0x20000, 0x3ffff, WV_CHAR_UNSPACED },
	{ 0xe0000, 0x10ffff, WV_CHAR_NONE }, /* tags, private use */
};

static enum wv_char_kind
kind_of(uint32_t cp)
{
	size_t low = 0, high = sizeof(ranges) / sizeof(*ranges);

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (cp > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < sizeof(ranges) / sizeof(*ranges) && cp >= ranges[low].first)
		return ranges[low].kind;
	return WV_CHAR_LOWER;
}

/* cell is a table's two characters for a letter. */
static enum wv_char_kind
fold_latin(const char *cell, uint32_t cp, char out[4], int *n)
{
	enum wv_char_kind kind;

	if (cell[0] == '-')
		return WV_CHAR_GAP;
	if (cell[0] == '.') {
		*n = wv_utf8_put(out, cp);
		return WV_CHAR_LOWER;
	}
	kind = wv_ascii_fold((unsigned char)cell[0], out);
	*n = 1;
	if (cell[1] != ' ')
		out[(*n)++] = cell[1];
	return kind;
}

/* Small letters of Greek without tonos and diaeresis, of Cyrillic with yo as
 * ie; cp itself if it is one. */
static uint32_t
lower(uint32_t cp)
{
	/* pairs of code points */
	static const uint16_t odd[] = { 0x386, 0x3b1, 0x388, 0x3b5, 0x389,
		0x3b7, 0x38a, 0x3b9, 0x38c, 0x3bf, 0x38e, 0x3c5, 0x38f, 0x3c9,
		0x390, 0x3b9, 0x3aa, 0x3b9, 0x3ab, 0x3c5, 0x3ac, 0x3b1, 0x3ad,
		0x3b5, 0x3ae, 0x3b7, 0x3af, 0x3b9, 0x3b0, 0x3c5, 0x3c2, 0x3c3,
		0x3ca, 0x3b9, 0x3cb, 0x3c5, 0x3cc, 0x3bf, 0x3cd, 0x3c5, 0x3ce,
		0x3c9, 0x401, 0x435, 0x451, 0x435 };

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i += 2)
		if (odd[i] == cp)
			return odd[i + 1];
	if (cp >= 0x391 && cp <= 0x3a9)
		return cp + 0x20;
	if (cp >= 0x410 && cp <= 0x42f)
		return cp + 0x20;
	if (cp >= 0x400 && cp <= 0x40f)
		return cp + 0x50;
	if (cp >= 0x460 && cp <= 0x4ff && (cp < 0x482 || cp > 0x48a) &&
		(cp < 0x4c0 || cp > 0x4cf))
		return cp | 1;
	return cp;
}

enum wv_char_kind
wv_char_fold(uint32_t cp, char out[4], int *n)
{
	uint32_t small;

	*n = 1;
	if (cp < 0x80)
		return wv_ascii_fold((unsigned char)cp, out);
	if (cp >= 0xff01 && cp <= 0xff5e) /* full width */
		return wv_ascii_fold((unsigned char)(cp - 0xff01 + '!'), out);
	*n = 0;
	if (cp == 0xad) /* soft hyphen */
		return WV_CHAR_NONE;
	if (cp < 0xc0)
		return WV_CHAR_GAP;
	if (cp < 0x250)
		return fold_latin(latin_c0 + (cp - 0xc0) * 2, cp, out, n);
	if (cp >= 0x1e00 && cp < 0x1f00)
		return fold_latin(latin_1e00 + (cp - 0x1e00) * 2, cp, out, n);
	if (cp >= 0x430 && cp < 0x450) { /* most of Cyrillic text */
		*n = wv_utf8_put(out, cp);
		return WV_CHAR_LOWER;
	}
	if (cp >= 0x370 && cp < 0x500) {
		small = lower(cp);
		*n = wv_utf8_put(out, small);
		if (small != cp && (cp < 0x3ac || cp > 0x3ce) && cp != 0x451)
			return WV_CHAR_UPPER;
		return kind_of(cp);
	}
	*n = wv_utf8_put(out, cp);
	return kind_of(cp);
}
