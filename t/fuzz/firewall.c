/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever a tool puts out: its Frame is valid and within its budget in every
 * mode; cleaning twice is doing it once, and redacting again is safe; JSON stays
 * JSON.
 */
#include "contract/contract.h"
#include "firewall/firewall.h"
#include "json/utf8.h"

#include "must.h"

#include <stdlib.h>
#include <string.h>

static struct wv_arena arena;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As the firewall wants it: NUL and slack behind the end. */
static char *
raw_copy(const char *s, size_t n)
{
	char *copy = malloc(n + 1 + WV_JSON_SLACK);

	memcpy(copy, s, n);
	memset(copy + n, 0, 1 + WV_JSON_SLACK);
	return copy;
}

static void
must_equal(const struct wv_str *a, const struct wv_str *b)
{
	must(a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0));
}

static void
check_twice(const char *s, size_t n)
{
	struct wv_str clean = { 0 }, again = { 0 }, safe = { 0 };
	struct wv_findings f = { 0 }, none = { 0 };

	wv_clean(&clean, s, n, &f);
	must(wv_utf8_check(clean.s, clean.n) == clean.n);
	for (size_t i = 0; i < clean.n; i++)
		must((unsigned char)clean.s[i] >= ' ' || clean.s[i] == '\n' ||
			clean.s[i] == '\t');
	wv_clean(&again, clean.s, clean.n, &none);
	must_equal(&again, &clean);
	must(none.cleaned == 0 && none.invalid == 0);
	wv_redact(&safe, clean.s, clean.n, &arena, &f);
	again.n = 0;
	/* What stands beside a mark may look more like a secret than it did
	 * beside what the mark is for. */
	wv_redact(&again, safe.s ? safe.s : "", safe.n, &arena, &none);
	must(wv_utf8_check(again.s ? again.s : "", again.n) == again.n);
	must(none.total > 0 ||
		(again.n == safe.n &&
			(safe.n == 0 || memcmp(again.s, safe.s, safe.n) == 0)));
	wv_str_free(&clean);
	wv_str_free(&again);
	wv_str_free(&safe);
}

static void
check_tree(const char *raw, size_t n)
{
	cJSON *tree = wv_json_read(&arena, raw, n, &wv_json_defaults, NULL);
	struct wv_str once = { 0 }, twice = { 0 };
	struct wv_findings f = { 0 };

	if (tree == NULL)
		return;
	wv_redact_tree(&arena, tree, &f);
	wv_json_write(&once, tree);
	f = (struct wv_findings){ 0 };
	wv_redact_tree(&arena, tree, &f);
	wv_json_write(&twice, tree);
	if (f.total == 0)
		must_equal(&once, &twice);
	wv_str_free(&twice);
	/* Names still differ, strings are still strings. */
	memset(wv_str_room(&once, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	must(wv_json_read(&arena, once.s, once.n, &wv_json_defaults, NULL) !=
		NULL);
	wv_str_free(&once);
}

static void
check_text(const char *raw, size_t n)
{
	bool is_json =
		wv_json_read(&arena, raw, n, &wv_json_defaults, NULL) != NULL;
	struct wv_findings f = { 0 };
	struct wv_str out = { 0 };

	wv_firewall_text(&out, &arena, raw, n, NULL, &f);
	memset(wv_str_room(&out, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	if (is_json)
		must(wv_json_read(&arena, out.s, out.n, &wv_json_defaults,
			     NULL) != NULL);
	wv_str_free(&out);
}

static void
check_frame(
	const char *raw, size_t n, const struct wv_firewall_options *options)
{
	const struct wv_firewall_input input = { .raw = raw, .len = n };
	struct wv_findings f = { 0 };
	struct wv_str out = { 0 };
	const cJSON *frame = wv_firewall_frame(&arena, &input, options, &f);

	must(wv_contract_require(WV_FRAME, frame, NULL) == 0);
	must(wv_utf8_count(wv_get_string(frame, "summary")) <= 500);
	wv_json_write(&out, wv_get(frame, "structured_data"));
	must(out.n <= options->max_bytes);
	out.n = 0;
	wv_json_write(&out, frame);
	memset(wv_str_room(&out, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	must(wv_json_read(&arena, out.s, out.n, &wv_json_defaults, NULL) !=
		NULL);
	wv_str_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	char *raw;

	if (size < 2)
		return 0;
	options.mode = (enum wv_firewall_mode)(data[0] % 3);
	options.max_bytes = 2 + 8 * (size_t)data[1];
	options.max_rows = data[0] / 8;
	data += 2;
	size -= 2;
	raw = raw_copy((const char *)data, size);
	check_twice(raw, size);
	check_tree(raw, size);
	check_text(raw, size);
	check_frame(raw, size, &options);
	free(raw);
	wv_arena_reset(&arena);
	return 0;
}
