/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-filter.h"

bool
wv_inject_pieces(const char *s, size_t n, struct wv_piece *piece)
{
	struct wv_anchor_look look;
	struct wv_filter filter;
	size_t at, from, to;

	wv_anchor_start(&look, s, n, piece->end);
	look.parted = true;
	while (wv_anchor_next(&look, &at)) {
		wv_piece_at(piece, s, n, at);
		wv_filter_start(&filter, s + piece->start,
			piece->end - piece->start, at - piece->start);
		if (wv_filter_next(&filter, &from, &to))
			return true;
		wv_anchor_skip(&look, piece->end);
	}
	return false;
}
