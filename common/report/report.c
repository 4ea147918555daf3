/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct wv_report_format *const formats[] = {
	&wv_report_text,
	&wv_report_verdicts,
	&wv_report_json,
	&wv_report_junit,
	&wv_report_tap,
	&wv_report_sarif,
	&wv_report_github,
};
enum { COUNT = sizeof formats / sizeof *formats };

struct report {
	struct report *next;
	const struct wv_report_format *format;
	void *state;
	struct wv_out out;
};

struct wv_reports {
	struct wv_report_run run;
	struct report *list, **last; /* in the order they were added */
	struct wv_str text;          /* what is about to be written */
};

struct wv_reports *
wv_reports_new(const char *tool, const char *version)
{
	struct wv_reports *reports = wv_xcalloc(1, sizeof *reports);

	reports->run.tool = tool;
	reports->run.version = version;
	wv_report_folders(&reports->run);
	reports->last = &reports->list;
	return reports;
}

static void
unknown_format(const char *name, size_t n, struct wv_err *err)
{
	const char *names[COUNT + 1] = { NULL }, *near;
	struct wv_str valid = { 0 }, word = { 0 };

	for (int i = 0; i < COUNT; i++) {
		names[i] = formats[i]->name;
		wv_str_fmt(&valid, "%s%s", i ? ", " : "", names[i]);
	}
	wv_str_add(&word, name, n);
	near = wv_nearest(word.s, names);
	wv_err_set(err, "report '%s' is none of %s%s%s%s", word.s, valid.s,
		near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	wv_str_free(&valid);
	wv_str_free(&word);
}

static const struct wv_report_format *
find_format(const char *name, size_t n, struct wv_err *err)
{
	for (int i = 0; i < COUNT; i++) {
		const char *known = formats[i]->name;
		if (strlen(known) == n && memcmp(known, name, n) == 0)
			return formats[i];
	}
	unknown_format(name, n, err);
	return NULL;
}

static bool
same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && S_ISREG(x.st_mode) &&
		x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int
check_format(const struct wv_reports *reports,
	const struct wv_report_format *format, struct wv_err *err)
{
	for (struct report *r = reports->list; r != NULL; r = r->next) {
		if (r->format == format)
			return wv_err_set(
				err, "report %s is given twice", format->name);
	}
	return 0;
}

static int
check_file(const struct wv_reports *reports,
	const struct wv_report_format *format, const struct wv_out *out,
	struct wv_err *err)
{
	for (struct report *r = reports->list; r != NULL; r = r->next) {
		if (r->out.fd == out->fd || same_file(r->out.fd, out->fd))
			return wv_err_set(err,
				"reports %s and %s cannot both go to %s",
				r->format->name, format->name, out->name);
	}
	return 0;
}

int
wv_report_open(struct wv_out *out, const char *spec, struct wv_err *err)
{
	const char *file = strchr(spec, '=');

	if (file == NULL || strcmp(file, "=-") == 0) {
		wv_out_init(out, STDOUT_FILENO, "standard output");
		return 0;
	}
	if (*++file == '\0')
		return wv_err_set(err, "a report's file has no name");
	if (wv_out_create(out, file, NULL) < 0)
		return wv_err_sys(err, "cannot open %s", file);
	return 0;
}

static void
flush_text(struct wv_reports *reports, struct report *r)
{
	struct wv_str *text = &reports->text;

	if (text->n == 0)
		return;
	wv_out_add(&r->out, text->s, text->n);
	wv_out_mark(&r->out);
	text->n = 0;
}

static void
append(struct wv_reports *reports, const struct wv_report_format *format,
	const struct wv_out *out)
{
	struct report *r = wv_xcalloc(1, sizeof *r);

	r->format = format;
	r->state = wv_xcalloc(1, format->state_size);
	r->out = *out;
	*reports->last = r;
	reports->last = &r->next;
	if (format->start != NULL)
		format->start(&reports->text);
	flush_text(reports, r);
}

int
wv_reports_add(struct wv_reports *reports, const char *spec, struct wv_err *err)
{
	size_t n = strcspn(spec, "=");
	const struct wv_report_format *format = find_format(spec, n, err);
	struct wv_out out;

	if (format == NULL || check_format(reports, format, err) < 0 ||
		wv_report_open(&out, spec, err) < 0)
		return -1;
	if (check_file(reports, format, &out, err) < 0) {
		if (out.fd != STDOUT_FILENO)
			wv_out_close(&out, NULL);
		return -1;
	}
	append(reports, format, &out);
	return 0;
}

struct wv_out *
wv_reports_stdout(const struct wv_reports *reports)
{
	for (struct report *r = reports->list; r != NULL; r = r->next) {
		if (r->out.fd == STDOUT_FILENO)
			return &r->out;
	}
	return NULL;
}

void
wv_reports_record(struct wv_reports *reports, const struct wv_judged *judged)
{
	for (struct report *r = reports->list; r != NULL; r = r->next) {
		r->format->record(
			r->state, &reports->run, judged, &reports->text);
		flush_text(reports, r);
	}
}

static int
close_report(struct report *r, struct wv_err *err)
{
	int status = wv_out_close(&r->out, err);

	free(r->state);
	free(r);
	return status;
}

int
wv_reports_close(struct wv_reports *reports,
	const struct wv_report_counts *counts, struct wv_err *err)
{
	int status = 0;

	for (struct report *r = reports->list, *next; r != NULL; r = next) {
		next = r->next;
		if (r->format->end != NULL)
			r->format->end(r->state, &reports->run, counts,
				&reports->text);
		flush_text(reports, r);
		if (close_report(r, err) < 0)
			status = -1;
	}
	wv_str_free(&reports->text);
	free(reports->run.cwd);
	free(reports->run.root);
	free(reports);
	return status;
}
