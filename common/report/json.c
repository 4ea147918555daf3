/* SPDX-License-Identifier: Apache-2.0 */
/* One object; findings and summary are there whatever was found. */
#include "internal.h"

struct json {
	bool some; /* a finding has been written */
};

static void
add_finding(struct wv_str *out, const struct wv_judged *judged,
	const struct wv_finding *f)
{
	wv_str_cat(out, "{\"source\":");
	wv_report_exact(out, judged->source);
	wv_report_number(out, ",\"line\":", wv_report_line_of(judged, f), "");
	wv_report_number(out, ",\"column\":", f->column, "");
	wv_str_fmt(out, ",\"level\":\"%s\",\"rule\":", wv_report_level(f));
	wv_report_rule_string(out, f);
	wv_str_cat(out, ",\"instanceLocation\":");
	wv_report_exact(out, f->instance);
	wv_str_cat(out, ",\"keywordLocation\":");
	wv_report_exact(out, f->keyword ? f->keyword : f->rule);
	wv_str_cat(out, ",\"message\":");
	wv_report_clean(out, f->message, WV_REPORT_MESSAGE);
	wv_str_chr(out, '}');
}

static void
start(struct wv_str *out)
{
	wv_str_cat(out, "{\"findings\":[");
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	struct json *json = state;

	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		wv_str_cat(out, json->some ? ",\n" : "\n");
		add_finding(out, judged, f);
		json->some = true;
	}
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	const struct json *json = state;

	wv_str_cat(out, json->some ? "\n],\"summary\":" : "],\"summary\":");
	wv_report_summary(out, counts);
	wv_str_cat(out, "}\n");
}

const struct wv_report_format wv_report_json = {
	.name = "json",
	.state_size = sizeof(struct json),
	.start = start,
	.record = record,
	.end = end,
};
