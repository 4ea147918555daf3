/* SPDX-License-Identifier: Apache-2.0 */
/* Letters of all scripts without case and Latin accents. */
#ifndef WV_TEXT_FOLD_H
#define WV_TEXT_FOLD_H

#include <stdint.h>

enum wv_char_kind {
	WV_CHAR_GAP,   /* ends a word */
	WV_CHAR_NONE,  /* is not there: accents, invisible characters */
	WV_CHAR_LOWER, /* also letters of scripts without case */
	WV_CHAR_UPPER,
	WV_CHAR_DIGIT,
	WV_CHAR_UNSPACED, /* of a script without spaces */
};

/* What a character is; its lower case, without Latin accents, is written to
 * out: *n bytes, never more than its UTF-8 takes. */
enum wv_char_kind wv_char_fold(uint32_t cp, char out[4], int *n);

/* The same of an ASCII character: one byte. */
static inline enum wv_char_kind
wv_ascii_fold(unsigned char c, char out[1])
{
	out[0] = (char)c;
	if (c >= 'a' && c <= 'z')
		return WV_CHAR_LOWER;
	if (c >= '0' && c <= '9')
		return WV_CHAR_DIGIT;
	if (c < 'A' || c > 'Z')
		return WV_CHAR_GAP;
	out[0] |= 0x20;
	return WV_CHAR_UPPER;
}

#endif
