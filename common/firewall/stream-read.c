/* SPDX-License-Identifier: Apache-2.0 */
/* What who reads in parts wants to know beside a redactor. */
#include "firewall/clean.h"
#include "firewall/internal.h"

#include <string.h>

enum { SNIFF = 64 << 10 }; /* bytes that tell how it can be read */

void
wv_firewall_flag(struct wv_arena *arena, const char *s, size_t n, bool is_raw,
	const struct wv_rules *rules, struct wv_findings *findings)
{
	const struct wv_firewall_options options = { .rules = rules };
	struct wv_str ignored = { 0 };

	if (n > 0 && !is_raw)
		wv_guard_text(&ignored, arena, s, n, &options, findings);
	else if (n > 0 && wv_plain_length(s, n) < n)
		wv_guard_raw(&ignored, arena, s, n, &options, findings);
	wv_str_free(&ignored);
}

enum wv_readable
wv_firewall_readable(const char *raw, size_t len)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_findings findings = { 0 };
	struct wv_err err = WV_ERR_INIT;
	struct wv_str narrow_text = { 0 }, clean_text = { 0 };
	struct wv_wide wide;

	if (len > SNIFF)
		len = SNIFF;
	if (wv_content_binary_type(raw, len) != NULL)
		return WV_READ_NONE;
	if (wv_wide_read(&wide, raw, len)) {
		wv_wide_decode(&narrow_text, &wide, raw + wide.mark,
			len - wide.mark, true, &findings);
		raw = narrow_text.s;
		len = narrow_text.n;
	}
	wv_clean(&clean_text, raw, len, &findings);
	memset(wv_str_room(&clean_text, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	bool more = clean_text.n > 0 &&
		wv_json_read(&arena, clean_text.s, clean_text.n,
			&wv_json_defaults, &err) == NULL &&
		wv_json_incomplete(&err);
	wv_str_free(&narrow_text);
	wv_str_free(&clean_text);
	wv_arena_free(&arena);
	return more ? WV_READ_WHOLE : WV_READ_LINES;
}
