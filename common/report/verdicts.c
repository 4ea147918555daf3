/* SPDX-License-Identifier: Apache-2.0 */
/* A line a record, for programs: names and pointers are exact. */
#include "internal.h"

static void
add_findings(struct wv_str *out, const struct wv_judged *judged, bool warnings)
{
	const char *comma = "";

	wv_str_chr(out, '[');
	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		if (f->warning != warnings)
			continue;
		wv_str_fmt(out, "%s{\"instanceLocation\":", comma);
		wv_report_exact(out, f->instance);
		wv_str_cat(out, ",\"keywordLocation\":");
		wv_report_exact(out, f->keyword ? f->keyword : f->rule);
		wv_str_cat(out, ",\"error\":");
		wv_report_clean(out, f->message, WV_REPORT_MESSAGE);
		wv_str_chr(out, '}');
		comma = ",";
	}
	wv_str_chr(out, ']');
}

static bool
has_warnings(const struct wv_judged *judged)
{
	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		if (f->warning)
			return true;
	}
	return false;
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	static const char *const valid[] = {
		[WV_VALID] = "true",
		[WV_INVALID] = "false",
		[WV_UNDECIDED] = "null",
	};

	wv_str_cat(out, "{\"source\":");
	wv_report_exact(out, judged->source);
	wv_report_number(out, ",\"line\":", judged->line, "");
	wv_str_fmt(out, ",\"valid\":%s,\"errors\":", valid[judged->verdict]);
	add_findings(out, judged, false);
	if (has_warnings(judged)) {
		wv_str_cat(out, ",\"warnings\":");
		add_findings(out, judged, true);
	}
	wv_str_cat(out, "}\n");
}

const struct wv_report_format wv_report_verdicts = {
	.name = "verdicts",
	.record = record,
};
