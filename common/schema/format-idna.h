/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of internationalized names: IDNA2008 (RFC 5890 to 5893) and
 * Punycode (RFC 3492).  The tables hold, of Unicode 14.0 and for code points
 * that are valid in a label only: which those are (PVALID of RFC 5892, with
 * its exceptions and without backward compatibility), their Bidi_Class,
 * Joining_Type and Canonical_Combining_Class, which are marks, the scripts
 * that contextual rules ask for, and the canonical pairs.
 */
#ifndef WV_SCHEMA_FORMAT_IDNA_H
#define WV_SCHEMA_FORMAT_IDNA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WV_LABEL_MAX = 63 }; /* octets; no label has more code points */

/* What Bidi asks of the labels of a name together; {0} before the first. */
struct wv_bidi {
	bool has_rtl;     /* a label holds right-to-left characters */
	bool has_breaker; /* a label does not follow the Bidi rule */
};

/* If cp is a U-label (whose A-label may still be too long). need_nfc: and in
 * Normalization Form C.  n is at most WV_LABEL_MAX. */
bool wv_idna_is_label(const uint32_t *cp, size_t n, bool need_nfc);
void wv_idna_note_bidi(struct wv_bidi *bidi, const uint32_t *cp, size_t n);

/* What stands after "xn--", in lower case. -1: not well-formed, or more than
 * WV_LABEL_MAX. */
int wv_punycode_decode(
	uint32_t cp[WV_LABEL_MAX], const uint32_t *code, size_t n);
int wv_punycode_encode(
	uint32_t code[WV_LABEL_MAX], const uint32_t *cp, size_t n);

enum {
	WV_BIDI_L,
	WV_BIDI_R,
	WV_BIDI_AL,
	WV_BIDI_AN,
	WV_BIDI_EN,
	WV_BIDI_ES,
	WV_BIDI_CS,
	WV_BIDI_ET,
	WV_BIDI_ON,
	WV_BIDI_BN,
	WV_BIDI_NSM,
	WV_BIDI = 0x0f,
	WV_JOIN_D = 0x10,
	WV_JOIN_L = 0x20,
	WV_JOIN_R = 0x30,
	WV_JOIN_T = 0x40,
	WV_JOIN = 0x70,
	WV_MARK = 0x80,
};

enum wv_script {
	WV_SCRIPT_OTHER,
	WV_SCRIPT_GREEK,
	WV_SCRIPT_HEBREW,
	WV_SCRIPT_JAPANESE /* Han, Hiragana or Katakana */
};

/* Tables in ascending order. */
struct wv_idna_valid {
	uint32_t first, last;
	uint8_t step;
};
struct wv_idna_facts {
	uint32_t first, last;
	uint8_t what, ccc;
};
struct wv_idna_script {
	uint32_t first, last;
	enum wv_script script;
};
struct wv_idna_pair {
	uint32_t whole, base, mark;
};
extern const struct wv_idna_valid wv_idna_valid[];
extern const struct wv_idna_facts wv_idna_facts[];
extern const struct wv_idna_script wv_idna_scripts[];
extern const struct wv_idna_pair wv_idna_pairs[];
extern const size_t wv_idna_valid_count, wv_idna_facts_count,
	wv_idna_scripts_count, wv_idna_pairs_count;

#endif
