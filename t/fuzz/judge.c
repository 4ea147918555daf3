/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is found in files, shown text and diffs: places are within the bytes,
 * and as many marks come out as were made.
 * links: cmd/wv-firewall/judge.c
 * links: cmd/wv-firewall/place.c
 * links: cmd/wv-firewall/show.c
 * links: cmd/wv-firewall/diff.c
 * links: cmd/wv-firewall/baseline.c
 */
#include "cmd/wv-firewall/baseline.h"
#include "cmd/wv-firewall/diff.h"
#include "cmd/wv-firewall/firewall.h"
#include "cmd/wv-firewall/judge.h"

#include "must.h"

#include <stdlib.h>
#include <string.h>

static struct wv_arena arena;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
count_marks(const struct wv_str *text)
{
	size_t count = 0;
	const char *s = text->s, *end = s + text->n;

	while (s < end && (s = memchr(s, '[', (size_t)(end - s))) != NULL) {
		count += end - s >= 10 &&
			(memcmp(s, "[REDACTED:", 10) == 0 ||
				memcmp(s, "[WITHHELD:", 10) == 0);
		s++;
	}
	return count;
}

static void
check_record(const struct record *record, size_t line)
{
	for (const struct finding *f = record->findings; f; f = f->next) {
		must(f->line >= 1 && f->column >= 1 && f->character >= 1);
		must(f->last_line >= f->line && f->line >= line);
		must(f->offset < f->end);
		line = line > 0 ? f->line : 0;
	}
}

static void
take(void *arg, const struct record *record)
{
	(void)arg; /* hunks may be in any order */
	check_record(record, 0);
}

static void
check_text(const char *raw, size_t n, const struct wv_firewall_options *options)
{
	struct wv_findings f = { 0 };
	struct wv_str out = { 0 };

	wv_firewall_text(&out, &arena, raw, n, options, &f);
	must(out.n == 0 || count_marks(&out) <= f.total + f.withheld ||
		strcmp(out.s, "[WITHHELD:binary]\n") == 0);
	out.n = 0;
	show_text(&out, &arena, raw, n, options, &f);
	wv_str_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_firewall_options options = WV_FIREWALL_OPTIONS_INIT;
	struct judge judge = { .options = &options, .arena = &arena };
	struct wv_err err = WV_ERR_INIT;
	char *raw;

	if (size < 1)
		return 0;
	options.injection = (enum wv_injection_mode)(data[0] & 1);
	raw = calloc(1, size + WV_JSON_SLACK);
	memcpy(raw, data + 1, --size);
	const struct piece piece = { .raw = raw,
		.len = size,
		.first_line = 1,
		.allows = true,
		.as_text = data[0] & 2 };
	judge_begin(&judge, "x", 0);
	judge_piece(&judge, &piece);
	check_record(judge_end(&judge), 1);
	diff_judge(&judge, raw, size, take, NULL, &err);
	check_text(raw, size, &options);
	judge_free(&judge);
	free(raw);
	wv_arena_reset(&arena);
	return 0;
}
