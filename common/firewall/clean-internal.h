/* SPDX-License-Identifier: Apache-2.0 */
/* What the files clean*.c share. */
#ifndef WV_FIREWALL_CLEAN_INTERNAL_H
#define WV_FIREWALL_CLEAN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What happens to a character that is not shown as it is. */
enum wv_action {
	WV_KEEP,
	WV_DROP,
	WV_BREAK,    /* another kind of line end: becomes \n */
	WV_JOINER,   /* kept where a script or an emoji needs it */
	WV_SELECTOR, /* kept after an emoji */
	WV_VARIANT,  /* kept after a letter of Mongolian */
};
enum wv_action wv_action_of(uint32_t cp);
/* Of a script in which joiners change letters. */
bool wv_is_joining(uint32_t cp);
bool wv_is_emoji(uint32_t cp);
bool wv_is_mongolian(uint32_t cp);

/*
 * Lengths of control sequences (ECMA-48), from after their introducer; of an
 * escape with it.  A control string that is not terminated ends with its line,
 * so that no sequence can hide the lines after it.
 */
size_t wv_csi_length(const unsigned char *s, size_t n);
/* c1 is the C1 control that an introducer is, in either form. */
size_t wv_sequence_length(uint32_t c1, const unsigned char *s, size_t n);
size_t wv_escape_length(const unsigned char *s, size_t n);
/* An introducer as one byte of the 8-bit form.  It may as well be a letter of
 * another character set: then no terminator follows on its line. */
size_t wv_byte_sequence_length(const unsigned char *s, size_t n);

#endif
