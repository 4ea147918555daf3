/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cleaning beyond wv_clean(): in parts, with the way back to the raw bytes, and
 * what is hidden made visible instead.
 */
#ifndef WV_FIREWALL_CLEAN_H
#define WV_FIREWALL_CLEAN_H

#include "firewall/firewall.h"

/* Where clean text goes on after something was removed; {0} is an empty one,
 * which says that nothing was. */
struct wv_clean_map {
	struct wv_clean_place {
		size_t clean, raw; /* offsets */
	} * places;
	size_t count;
};
void wv_clean_mapped(struct wv_str *out, const char *s, size_t n,
	struct wv_findings *findings, struct wv_clean_map *map);
/* Where the byte at an offset of the clean text stood. */
size_t wv_clean_raw(const struct wv_clean_map *map, size_t clean_at);
void wv_clean_map_free(struct wv_clean_map *map);

/* wv_clean() of what more may follow: what the end leaves undecided is left
 * alone.  Returns how many bytes were taken; *before is the last character
 * that was kept, 0 at the start. */
size_t wv_clean_part(struct wv_str *out, const char *s, size_t n,
	uint32_t *before, struct wv_findings *findings);

/* Appends s with what wv_clean() would take away, or replace, made visible:
 * <U+202E>, <ESC[2J>, <0xFF>. */
void wv_show(struct wv_str *out, const char *s, size_t n);

/* Text of 16 or 32 bits a character, by its byte order mark or by its NULs. */
struct wv_wide {
	unsigned width; /* bytes of a unit; 0: it is none */
	bool big;       /* the first byte counts most */
	size_t mark;    /* bytes of the mark */
};
/* false: it is none, or no text. */
bool wv_wide_read(struct wv_wide *wide, const char *raw, size_t n);
/* Appends whole characters, but for a mark, as UTF-8; returns how many bytes
 * they had.  What is no character becomes U+FFFD. */
size_t wv_wide_decode(struct wv_str *out, const struct wv_wide *wide,
	const char *raw, size_t n, bool is_last, struct wv_findings *findings);

#endif
