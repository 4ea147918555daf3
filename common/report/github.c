/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workflow commands: what GitHub Actions shows beside the lines of a change.
 * It shows ten of a step, so there is no sense in more; warnings wait for the
 * end, lest they take the place of errors.
 */
#include "internal.h"

#include <string.h>

enum { MOST = 10 };

struct github {
	size_t errors, warnings;
	struct wv_str held; /* the first MOST warnings, a line each */
};

/* `%` and line breaks, and in a property also what ends it. */
static void
add_escaped(struct wv_str *out, const struct wv_str *text, const char *special)
{
	for (size_t i = 0; i < text->n; i++) {
		char c = text->s[i];
		if (strchr(special, c) != NULL)
			wv_str_fmt(out, "%%%02X", (unsigned char)c);
		else
			wv_str_chr(out, c);
	}
}

static void
add_property(struct wv_str *out, const char *name, const struct wv_str *value)
{
	wv_str_fmt(out, "%s=", name);
	add_escaped(out, value, "%\r\n:,");
}

static void
add_place(struct wv_str *out, const struct wv_report_run *run,
	const struct wv_judged *judged, const struct wv_finding *f)
{
	struct wv_str path = { 0 }, clean = { 0 };

	wv_report_path(&path, run, judged->source);
	wv_report_foreign(&clean, path.s, WV_REPORT_MESSAGE);
	add_property(out, "file", &clean);
	wv_str_chr(out, ',');
	wv_report_number(out, "line=", wv_report_line_of(judged, f), ",");
	wv_report_number(out, "col=", f->character, ",");
	wv_str_free(&path);
	wv_str_free(&clean);
}

static void
annotate(struct wv_str *out, const struct wv_report_run *run,
	const struct wv_judged *judged, const struct wv_finding *f)
{
	struct wv_str rule = { 0 }, message = { 0 };

	wv_str_fmt(out, "::%s ", wv_report_level(f));
	if (wv_report_is_file(judged)) {
		add_place(out, run, judged, f);
		wv_report_message(&message, f);
	} else {
		wv_report_line(&message, judged, f);
	}
	wv_report_rule(&rule, f);
	add_property(out, "title", &rule);
	wv_str_cat(out, "::");
	add_escaped(out, &message, "%\r\n");
	wv_str_chr(out, '\n');
	wv_str_free(&rule);
	wv_str_free(&message);
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	struct github *github = state;

	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		if (f->warning && github->warnings++ < MOST)
			annotate(&github->held, run, judged, f);
		else if (!f->warning && github->errors++ < MOST)
			annotate(out, run, judged, f);
	}
}

/* How many of the warnings that wait are told, at most `most`. */
static size_t
add_held(struct wv_str *out, const struct wv_str *held, size_t most)
{
	size_t told = 0, n = 0;

	for (; told < most && n < held->n; told++)
		n = (size_t)(strchr(held->s + n, '\n') - held->s) + 1;
	wv_str_add(out, held->s, n);
	return told;
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	struct github *github = state;
	size_t told = github->errors < MOST ? github->errors : MOST;
	size_t all = github->errors + github->warnings;

	told += add_held(out, &github->held, MOST - told);
	if (all > told) {
		wv_str_fmt(out,
			"::notice title=%s::%zu more not shown: ", run->tool,
			all - told);
		wv_report_sum(out, counts);
		wv_str_chr(out, '\n');
	}
	wv_str_free(&github->held);
}

const struct wv_report_format wv_report_github = {
	.name = "github",
	.state_size = sizeof(struct github),
	.record = record,
	.end = end,
};
