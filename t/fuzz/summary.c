/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary of any content: valid text on one line, within its budget, the
 * same every time, without bytes of binary data, and its work grows with the
 * content only.  What is a table has rows under different names.
 */
#include "firewall/summarize.h"
#include "json/utf8.h"

#include "must.h"

#include <stdlib.h>

enum {
	MAX_CHARS = 500,
	RAW_RUN = 32,       /* bytes of binary data in a row that tell */
	STEPS_A_BYTE = 400, /* at the very most */
	STEPS_AT_LEAST = 200000,
};

static struct wv_arena arena;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct wv_str *out, const struct wv_content *content,
	const char *raw, size_t size)
{
	must(out->n > 0 && wv_utf8_check(out->s, out->n) == out->n);
	must(wv_utf8_count(out->s) <= MAX_CHARS);
	for (size_t i = 0; i < out->n; i++)
		must((unsigned char)out->s[i] >= ' ');
	if (content->kind != WV_CONTENT_BINARY)
		return;
	/* Behind its type, which is from a list. */
	const char *s = strstr(out->s, content->media_type);
	must(s != NULL);
	s += strlen(content->media_type);
	size_t n = (size_t)(out->s + out->n - s);
	for (size_t i = 0; i + RAW_RUN <= size; i++)
		must(memmem(s, n, raw + i, RAW_RUN) == NULL);
}

static void
check_rows(const struct wv_content *content)
{
	const cJSON *data = wv_content_rows(&arena, content, 3);
	const cJSON *rows = wv_get(data, "rows");

	if (data == NULL)
		return;
	must(wv_count(rows) <= 3);
	wv_json_each(row, rows) {
		must(wv_count(row) == wv_count(rows->child));
		wv_json_each(cell, rows->child)
			must(wv_get(row, cell->string) != NULL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *raw = malloc(size + 1 + WV_JSON_SLACK);
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	struct wv_findings findings = { 0 };
	struct wv_str out = { 0 }, again = { 0 };
	struct wv_content content;

	memcpy(raw, data, size);
	memset(raw + size, 0, 1 + WV_JSON_SLACK);
	wv_content_read(&content, &arena, raw, size, &findings);
	wv_content_purify(&content, &arena, raw, size, &options, &findings);
	wv_summary_steps = 0;
	wv_summarize(&out, &content);
	must(wv_summary_steps <= STEPS_AT_LEAST + STEPS_A_BYTE * size);
	wv_summarize(&again, &content);
	must(out.n == again.n && memcmp(out.s, again.s, out.n) == 0);
	check(&out, &content, raw, size);
	check_rows(&content);
	wv_str_free(&out);
	wv_str_free(&again);
	wv_str_free(&content.text);
	free(raw);
	wv_arena_reset(&arena);
	return 0;
}
