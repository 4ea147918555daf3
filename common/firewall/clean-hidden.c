/* SPDX-License-Identifier: Apache-2.0 */
/* Characters that are not seen. */
#include "firewall/clean-internal.h"

struct range {
	uint32_t first, last;
	enum wv_action action;
};

/* Sorted.  Format controls, fillers and other characters without a glyph
 * (Unicode's Default_Ignorable_Code_Point), and the line ends beyond ASCII. */
static const struct range hidden[] = {
	{ 0x85, 0x85, WV_BREAK },
	{ 0xAD, 0xAD, WV_DROP },
	{ 0x34F, 0x34F, WV_DROP },
	{ 0x61C, 0x61C, WV_DROP },
	{ 0x115F, 0x1160, WV_DROP },
	{ 0x17B4, 0x17B5, WV_DROP },
	{ 0x180B, 0x180D, WV_VARIANT },
	{ 0x180E, 0x180E, WV_DROP },
	{ 0x180F, 0x180F, WV_VARIANT },
	{ 0x200B, 0x200B, WV_DROP },
	{ 0x200C, 0x200D, WV_JOINER },
	{ 0x200E, 0x200F, WV_DROP },
	{ 0x2028, 0x2029, WV_BREAK },
	{ 0x202A, 0x202E, WV_DROP },
	{ 0x2060, 0x206F, WV_DROP },
	{ 0x3164, 0x3164, WV_DROP },
	{ 0xFE00, 0xFE0D, WV_DROP },
	{ 0xFE0E, 0xFE0F, WV_SELECTOR },
	{ 0xFEFF, 0xFEFF, WV_DROP },
	{ 0xFFA0, 0xFFA0, WV_DROP },
	{ 0xFFF0, 0xFFFB, WV_DROP },
	{ 0x1BCA0, 0x1BCA3, WV_DROP },
	{ 0x1D173, 0x1D17A, WV_DROP },
	{ 0xE0000, 0xE0FFF, WV_DROP },
};

/* Sorted.  Blocks of scripts in which ZWJ and ZWNJ change letters. */
static const struct range joining[] = {
	{ 0x600, 0x7FF, WV_KEEP },   /* Arabic, Syriac, Thaana, N'Ko */
	{ 0x840, 0xFFF, WV_KEEP },   /* Mandaic, Arabic, Indic, Thai, Tibetan */
	{ 0x1000, 0x109F, WV_KEEP }, /* Myanmar */
	{ 0x1780, 0x18AF, WV_KEEP }, /* Khmer, Mongolian */
	{ 0xA840, 0xA8FF, WV_KEEP }, /* Phags-pa, Saurashtra, Devanagari */
	{ 0xFB50, 0xFDFF, WV_KEEP }, /* Arabic forms */
	{ 0xFE70, 0xFEFC, WV_KEEP },
	{ 0x11000, 0x11FFF, WV_KEEP }, /* Brahmi and its family */
};

static const struct range emoji[] = {
	{ 0xA9, 0xA9, WV_KEEP },
	{ 0xAE, 0xAE, WV_KEEP },
	{ 0x203C, 0x203C, WV_KEEP },
	{ 0x2049, 0x2049, WV_KEEP },
	{ 0x2122, 0x2122, WV_KEEP },
	{ 0x2139, 0x2139, WV_KEEP },
	{ 0x2190, 0x2BFF, WV_KEEP },
	{ 0x3030, 0x3030, WV_KEEP },
	{ 0x303D, 0x303D, WV_KEEP },
	{ 0x3297, 0x3299, WV_KEEP },
	{ 0x1F000, 0x1FAFF, WV_KEEP },
};

static const struct range mongolian[] = {
	{ 0x1820, 0x1878, WV_KEEP },
	{ 0x1880, 0x18AA, WV_KEEP },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct range *
range_of(const struct range *ranges, size_t count, uint32_t cp)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (cp > ranges[mid].last)
			low = mid + 1;
		else if (cp < ranges[mid].first)
			high = mid;
		else
			return &ranges[mid];
	}
	return NULL;
}

enum wv_action
wv_action_of(uint32_t cp)
{
	const struct range *range = range_of(hidden, COUNT(hidden), cp);

	return range != NULL ? range->action : WV_KEEP;
}

bool
wv_is_joining(uint32_t cp)
{
	return range_of(joining, COUNT(joining), cp) != NULL;
}

bool
wv_is_emoji(uint32_t cp)
{
	return range_of(emoji, COUNT(emoji), cp) != NULL;
}

bool
wv_is_mongolian(uint32_t cp)
{
	return range_of(mongolian, COUNT(mongolian), cp) != NULL;
}
