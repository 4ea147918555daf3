/* SPDX-License-Identifier: Apache-2.0 */
/* TAP 13: what was found stands in YAML below its test. */
#include "internal.h"

struct tap {
	size_t count;
};

/* Descriptions: a # begins a directive. */
static void
add_escaped(struct wv_str *out, const char *s)
{
	struct wv_str clean = { 0 };

	wv_report_foreign(&clean, s, WV_REPORT_MESSAGE);
	for (size_t i = 0; i < clean.n; i++) {
		if (clean.s[i] == '#' || clean.s[i] == '\\')
			wv_str_chr(out, '\\');
		wv_str_chr(out, clean.s[i]);
	}
	wv_str_free(&clean);
}

static void
add_pointer(struct wv_str *out, const char *name, const char *pointer)
{
	if (pointer == NULL)
		return;
	wv_str_fmt(out, "      %s: ", name);
	wv_report_clean(out, pointer, WV_REPORT_POINTER);
	wv_str_chr(out, '\n');
}

static void
add_finding(struct wv_str *out, const struct wv_judged *judged,
	const struct wv_finding *f)
{
	wv_str_cat(out, "    - message: ");
	wv_report_clean(out, f->message, WV_REPORT_MESSAGE);
	wv_str_fmt(out, "\n      severity: %s\n      rule: ",
		f->warning ? "warning" : "fail");
	wv_report_rule_string(out, f);
	wv_str_chr(out, '\n');
	wv_report_number(
		out, "      line: ", wv_report_line_of(judged, f), "\n");
	wv_report_number(out, "      column: ", f->column, "\n");
	add_pointer(out, "instance", f->instance);
	add_pointer(out, "keyword", f->keyword);
}

static void
start(struct wv_str *out)
{
	wv_str_cat(out, "TAP version 13\n");
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	struct tap *tap = state;

	wv_str_fmt(out, "%sok %zu - ",
		judged->verdict == WV_VALID ? "" : "not ", ++tap->count);
	add_escaped(out, judged->source);
	wv_report_number(out, ":", judged->line, "");
	if (judged->name != NULL) {
		wv_str_cat(out, ": ");
		add_escaped(out, judged->name);
	}
	wv_str_chr(out, '\n');
	if (judged->findings == NULL)
		return;
	wv_str_cat(out, "  ---\n  findings:\n");
	for (const struct wv_finding *f = judged->findings; f; f = f->next)
		add_finding(out, judged, f);
	wv_str_cat(out, "  ...\n");
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	const struct tap *tap = state;

	wv_str_cat(out, "# ");
	wv_report_sum(out, counts);
	wv_str_fmt(out, "\n1..%zu\n", tap->count);
}

const struct wv_report_format wv_report_tap = {
	.name = "tap",
	.state_size = sizeof(struct tap),
	.start = start,
	.record = record,
	.end = end,
};
