/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/normal.h"
#include "json/utf8.h"
#include "text/fold.h"

#include <string.h>

/* What looks like a Latin letter, after case was folded: the letter of
 * letters[] at the same place.  Words of Russian change too, in rules as in
 * texts, so that they still match. */
struct alike {
	uint16_t cp;
	char letter;
};

/* Sorted. */
static const struct alike alikes[] = {
	{ 0x0131, 'i' },
	{ 0x0251, 'a' },
	{ 0x0261, 'g' },
	{ 0x0262, 'g' },
	{ 0x0269, 'i' },
	{ 0x026a, 'i' },
	{ 0x0274, 'n' },
	{ 0x0280, 'r' },
	{ 0x028f, 'y' },
	{ 0x0299, 'b' },
	{ 0x029c, 'h' },
	{ 0x029f, 'l' },
	{ 0x03b1, 'a' },
	{ 0x03b5, 'e' },
	{ 0x03b9, 'i' },
	{ 0x03ba, 'k' },
	{ 0x03bd, 'v' },
	{ 0x03bf, 'o' },
	{ 0x03c1, 'p' },
	{ 0x03c4, 't' },
	{ 0x03c5, 'u' },
	{ 0x03c7, 'x' },
	{ 0x03f2, 'c' },
	{ 0x0430, 'a' },
	{ 0x0432, 'b' },
	{ 0x0435, 'e' },
	{ 0x0439, 'u' },
	{ 0x043a, 'k' },
	{ 0x043c, 'm' },
	{ 0x043d, 'h' },
	{ 0x043e, 'o' },
	{ 0x0440, 'p' },
	{ 0x0441, 'c' },
	{ 0x0442, 't' },
	{ 0x0443, 'y' },
	{ 0x0445, 'x' },
	{ 0x0455, 's' },
	{ 0x0456, 'i' },
	{ 0x0457, 'i' },
	{ 0x0458, 'j' },
	{ 0x04bb, 'h' },
	{ 0x04cf, 'l' },
	{ 0x0501, 'd' },
	{ 0x051b, 'q' },
	{ 0x051d, 'w' },
	{ 0x0570, 'h' },
	{ 0x0578, 'n' },
	{ 0x057d, 'u' },
	{ 0x0585, 'o' },
	{ 0x1d00, 'a' },
	{ 0x1d04, 'c' },
	{ 0x1d05, 'd' },
	{ 0x1d07, 'e' },
	{ 0x1d0a, 'j' },
	{ 0x1d0b, 'k' },
	{ 0x1d0d, 'm' },
	{ 0x1d0f, 'o' },
	{ 0x1d18, 'p' },
	{ 0x1d1b, 't' },
	{ 0x1d1c, 'u' },
	{ 0x1d20, 'v' },
	{ 0x1d21, 'w' },
	{ 0x1d22, 'z' },
	{ 0x2102, 'c' },
	{ 0x210a, 'g' },
	{ 0x210b, 'h' },
	{ 0x210c, 'h' },
	{ 0x210d, 'h' },
	{ 0x210e, 'h' },
	{ 0x2110, 'i' },
	{ 0x2111, 'i' },
	{ 0x2112, 'l' },
	{ 0x2113, 'l' },
	{ 0x2115, 'n' },
	{ 0x2118, 'p' },
	{ 0x2119, 'p' },
	{ 0x211a, 'q' },
	{ 0x211b, 'r' },
	{ 0x211c, 'r' },
	{ 0x211d, 'r' },
	{ 0x2124, 'z' },
	{ 0x2128, 'z' },
	{ 0x212c, 'b' },
	{ 0x212d, 'c' },
	{ 0x212f, 'e' },
	{ 0x2130, 'e' },
	{ 0x2131, 'f' },
	{ 0x2133, 'm' },
	{ 0x2134, 'o' },
	{ 0x2139, 'i' },
	{ 0xa730, 'f' },
	{ 0xa731, 's' },
};

/* Runs of the alphabet, once or more. */
static const struct {
	uint32_t first, last;
} alphabets[] = {
	{ 0x249c, 0x24b5 },   /* in brackets */
	{ 0x24b6, 0x24e9 },   /* in circles */
	{ 0x1d400, 0x1d6a3 }, /* mathematical */
	{ 0x1f110, 0x1f129 }, /* in brackets, squares, black ones */
	{ 0x1f130, 0x1f149 }, { 0x1f150, 0x1f169 }, { 0x1f170, 0x1f189 },
	{ 0x1f1e6, 0x1f1ff }, /* of flags */
};

static char
alike(uint32_t cp)
{
	size_t low = 0, high = sizeof(alikes) / sizeof(*alikes);

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (cp > alikes[middle].cp)
			low = middle + 1;
		else if (cp < alikes[middle].cp)
			high = middle;
		else
			return alikes[middle].letter;
	}
	return 0;
}

static char
of_alphabet(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(alphabets) / sizeof(*alphabets); i++)
		if (cp >= alphabets[i].first && cp <= alphabets[i].last)
			return (char)('a' + (cp - alphabets[i].first) % 26);
	return 0;
}

/* 1gn0re: digits are read as letters, in rules as in texts. */
static uint32_t
letter_of(uint32_t cp)
{
	static const char digits[] = "oizeasgtbg";

	return cp >= '0' && cp <= '9' ? (uint32_t)digits[cp - '0'] : cp;
}

/* The letters of what wv_char_fold() wrote. */
static int
split(const char *s, int n, uint32_t out[WV_FOLD_MAX])
{
	int count = 0;

	for (int i = 0, len; i < n && count < WV_FOLD_MAX; i += len) {
		uint32_t cp;
		len = wv_utf8_get(
			(const unsigned char *)s + i, (size_t)(n - i), &cp);
		if (len == 0)
			break;
		char letter = alike(cp);
		out[count++] = letter ? (uint32_t)letter : letter_of(cp);
	}
	return count;
}

static enum wv_folded
fold(uint32_t cp, uint32_t out[WV_FOLD_MAX], int *n)
{
	char folded[4];
	char letter = alike(cp);

	if (letter == 0)
		letter = of_alphabet(cp);
	*n = 1;
	if (letter != 0) {
		out[0] = (uint32_t)letter;
		return WV_FOLD_LETTER;
	}
	if (cp >= 0x1d7ce && cp <= 0x1d7ff) /* mathematical digits */
		cp = '0' + (cp - 0x1d7ce) % 10;
	switch (wv_char_fold(cp, folded, n)) {
	case WV_CHAR_GAP:
		return WV_FOLD_GAP;
	case WV_CHAR_NONE:
		return WV_FOLD_NONE;
	case WV_CHAR_UNSPACED:
		out[0] = cp;
		*n = 1;
		return WV_FOLD_ALONE;
	default:
		*n = split(folded, *n, out);
		return *n > 0 ? WV_FOLD_LETTER : WV_FOLD_GAP;
	}
}

enum wv_folded
wv_normal_fold(uint32_t cp, uint32_t out[WV_FOLD_MAX], int *n)
{
	/* The last of many, as texts have few characters again and again. */
	static struct {
		uint32_t next; /* the character and 1 */
		uint8_t folded, n;
		uint32_t out[WV_FOLD_MAX];
	} known[256], *k;

	k = &known[(cp ^ cp >> 8) % 256];
	if (k->next != cp + 1) {
		int count;
		k->folded = (uint8_t)fold(cp, k->out, &count);
		k->n = (uint8_t)count;
		k->next = cp + 1;
	}
	*n = k->n;
	memcpy(out, k->out, sizeof(k->out));
	return k->folded;
}
