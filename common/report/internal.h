/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of report/ share among themselves and with nobody else. */
#ifndef WV_REPORT_INTERNAL_H
#define WV_REPORT_INTERNAL_H

#include "report/report.h"

/* What every report of a run may want to know. */
struct wv_report_run {
	const char *tool, *version;
	/* Absolute and without dot segments; "" is the root folder. */
	char *cwd, *root; /* root: what names of files are relative to */
};

/* A format appends its text to out; state is its own, zeroed at first, and
 * freed after end().  start and end may be NULL. */
struct wv_report_format {
	const char *name;
	size_t state_size;
	void (*start)(struct wv_str *out);
	void (*record)(void *state, const struct wv_report_run *run,
		const struct wv_judged *judged, struct wv_str *out);
	void (*end)(void *state, const struct wv_report_run *run,
		const struct wv_report_counts *counts, struct wv_str *out);
};
extern const struct wv_report_format wv_report_text, wv_report_verdicts,
	wv_report_json, wv_report_junit, wv_report_tap, wv_report_sarif,
	wv_report_github;

/* Most of a pointer and of a message that people are shown. */
enum { WV_REPORT_POINTER = 200, WV_REPORT_MESSAGE = 1000 };

/* wv_str_foreign(), and U+FFFE and U+FFFF, which neither XML nor YAML has,
 * become U+FFFD. */
void wv_report_foreign(struct wv_str *out, const char *s, size_t max);
/* Its name among all rules: "schema/minLength", "invariant/I-06", "malformed";
 * clean. */
void wv_report_rule(struct wv_str *out, const struct wv_finding *finding);
/* The same as a JSON string. */
void wv_report_rule_string(
	struct wv_str *out, const struct wv_finding *finding);
/* 0: not known. */
size_t wv_report_line_of(
	const struct wv_judged *judged, const struct wv_finding *finding);
/* Appends a line or a column, if it is known, between two texts. */
void wv_report_number(struct wv_str *out, const char *before, size_t number,
	const char *after);
/* "error" or "warning". */
const char *wv_report_level(const struct wv_finding *finding);
/* "POINTER: message", clean. */
void wv_report_message(struct wv_str *out, const struct wv_finding *finding);

/* JSON strings: text for people, clean; and data, exact but for invalid
 * UTF-8 (NULL is ""), with escapes for what is not seen. */
void wv_report_clean(struct wv_str *out, const char *s, size_t max);
void wv_report_exact(struct wv_str *out, const char *s);
/* {"records":…} with every count. */
void wv_report_summary(
	struct wv_str *out, const struct wv_report_counts *counts);

void wv_report_folders(struct wv_report_run *run);
/* Appends the path of a source without dot segments: relative to run->root,
 * true; or absolute, false, if it is not in there. */
bool wv_report_path(struct wv_str *out, const struct wv_report_run *run,
	const char *source);
/* It has a path. */
bool wv_report_is_file(const struct wv_judged *judged);

#endif
