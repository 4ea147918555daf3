/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		wv_report_line(out, judged, f);
		wv_str_chr(out, '\n');
	}
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	wv_report_sum(out, counts);
	wv_str_chr(out, '\n');
}

const struct wv_report_format wv_report_text = {
	.name = "text",
	.record = record,
	.end = end,
};
