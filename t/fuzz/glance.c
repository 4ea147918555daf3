/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever JSON a tool puts out: what the firewall makes of it, and what it
 * tells of it, is the same whether all strings were looked at together or one
 * by one.  What is no JSON becomes strings of it: a line each, every other one
 * a name; and JSON lines.
 */
#include "../unit/glance.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
add_lines(struct wv_str *out, const char *s, size_t n)
{
	const char *end = s + n;

	wv_str_chr(out, '[');
	for (size_t i = 0; s < end; i++) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t length = (size_t)((lf ? lf : end) - s);
		if (i > 0)
			wv_str_chr(out, ',');
		if (i % 2 != 0)
			wv_str_chr(out, '{');
		wv_json_write_string(out, s, length);
		if (i % 2 != 0) {
			wv_str_chr(out, ':');
			wv_json_write_string(out, s, length / 2);
			wv_str_chr(out, '}');
		}
		s += length + 1;
	}
	wv_str_chr(out, ']');
}

static void
add_json_lines(struct wv_str *out, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t length = (size_t)((lf ? lf : end) - s);
		wv_str_chr(out, '[');
		wv_json_write_string(out, s, length);
		wv_str_cat(out, ",1.5]\n");
		s += length + 1;
	}
}

static void
check(struct wv_str *raw, const struct wv_firewall_options *options)
{
	struct wv_str said = { 0 };

	memset(wv_str_room(raw, 1 + WV_JSON_SLACK), 0, 1 + WV_JSON_SLACK);
	if (!is_same(&said, raw->s, raw->n, options))
		abort();
	wv_str_free(&said);
	wv_arena_reset(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	struct wv_str raw = { 0 };

	if (size < 2)
		return 0;
	options.injection =
		data[0] & 1 ? WV_INJECTION_WITHHOLD : WV_INJECTION_FLAG;
	options.is_marked = data[0] & 2;
	wv_str_add(&raw, data + 1, size - 1);
	check(&raw, &options);
	raw.n = 0;
	add_lines(&raw, (const char *)data + 1, size - 1);
	check(&raw, &options);
	raw.n = 0;
	add_json_lines(&raw, (const char *)data + 1, size - 1);
	check(&raw, &options);
	wv_str_free(&raw);
	return 0;
}
