/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What JUnit readers take (Jenkins, GitLab, GitHub): a suite a source, which
 * wants its sums first and is therefore kept until it is whole.  A source of
 * very many faults goes on in a further suite of its name, so that no more
 * than LONGEST is ever kept.
 */
#include "internal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 };

struct junit {
	char *source; /* of the open suite; NULL: none is open */
	size_t records, plain, failures, errors;
	size_t line;        /* of its latest record */
	struct wv_str body; /* its test cases */
};

/* Clean text. */
static void
add_xml(struct wv_str *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '<')
			wv_str_cat(out, "&lt;");
		else if (s[i] == '>')
			wv_str_cat(out, "&gt;");
		else if (s[i] == '&')
			wv_str_cat(out, "&amp;");
		else if (s[i] == '"')
			wv_str_cat(out, "&quot;");
		else
			wv_str_chr(out, s[i]);
	}
}

static void
add_foreign(struct wv_str *out, const char *s)
{
	struct wv_str clean = { 0 };

	wv_report_foreign(&clean, s, WV_REPORT_MESSAGE);
	add_xml(out, clean.s, clean.n);
	wv_str_free(&clean);
}

static void
add_attribute(struct wv_str *out, const char *name, const struct wv_str *value)
{
	wv_str_fmt(out, " %s=\"", name);
	add_xml(out, value->s, value->n);
	wv_str_chr(out, '"');
}

static void
open_case(struct wv_str *out, const char *source)
{
	wv_str_cat(out, "<testcase classname=\"");
	add_foreign(out, source);
	wv_str_cat(out, "\" name=\"");
}

/* The records that there is nothing to say about.  The only record of a
 * source is called the same whether good or bad, so that it has a history. */
static void
add_plain(struct junit *junit)
{
	if (junit->plain == 0)
		return;
	open_case(&junit->body, junit->source);
	if (junit->records == 1)
		wv_str_fmt(&junit->body, "line %zu\"/>\n", junit->line);
	else
		wv_str_cat(&junit->body, "valid records\"/>\n");
}

static void
close_suite(struct junit *junit, struct wv_str *out)
{
	size_t tests = junit->records - junit->plain + (junit->plain > 0);

	if (junit->source == NULL)
		return;
	add_plain(junit);
	wv_str_cat(out, "<testsuite name=\"");
	add_foreign(out, junit->source);
	wv_str_fmt(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
		tests, junit->failures, junit->errors);
	wv_str_add(out, junit->body.s, junit->body.n);
	wv_str_cat(out, "</testsuite>\n");
	free(junit->source);
	wv_str_free(&junit->body);
	*junit = (struct junit){ 0 };
}

/* Every finding of a record, a line each. */
static void
add_lines(struct wv_str *out, const struct wv_judged *judged)
{
	struct wv_str line = { 0 };

	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		line.n = 0;
		wv_report_line(&line, judged, f);
		add_xml(out, line.s, line.n);
		if (f->next != NULL)
			wv_str_chr(out, '\n');
	}
	wv_str_free(&line);
}

static const struct wv_finding *
first_error(const struct wv_judged *judged)
{
	const struct wv_finding *f = judged->findings;

	while (f != NULL && f->warning)
		f = f->next;
	return f;
}

static void
add_fault(
	struct wv_str *out, const char *element, const struct wv_judged *judged)
{
	const struct wv_finding *first = first_error(judged);
	struct wv_str text = { 0 };

	wv_str_fmt(out, "<%s", element);
	if (first != NULL) {
		wv_report_message(&text, first);
		add_attribute(out, "message", &text);
		text.n = 0;
		wv_report_rule(&text, first);
		add_attribute(out, "type", &text);
	}
	wv_str_chr(out, '>');
	add_lines(out, judged);
	wv_str_fmt(out, "</%s>", element);
	wv_str_free(&text);
}

static void
add_case(struct junit *junit, const struct wv_judged *judged)
{
	struct wv_str *body = &junit->body;

	open_case(body, judged->source);
	if (judged->name != NULL)
		add_foreign(body, judged->name);
	else if (judged->line > 0)
		wv_str_fmt(body, "line %zu", judged->line);
	else
		wv_str_cat(body, "source");
	if (judged->findings == NULL && judged->verdict == WV_VALID) {
		wv_str_cat(body, "\"/>\n");
		return;
	}
	wv_str_cat(body, "\">\n");
	switch (judged->verdict) {
	case WV_VALID:
		wv_str_cat(body, "<system-out>");
		add_lines(body, judged);
		wv_str_cat(body, "</system-out>");
		break;
	case WV_INVALID:
		junit->failures++;
		add_fault(body, "failure", judged);
		break;
	case WV_UNDECIDED:
		junit->errors++;
		add_fault(body, "error", judged);
		break;
	}
	wv_str_cat(body, "\n</testcase>\n");
}

static void
start(struct wv_str *out)
{
	wv_str_cat(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites>\n");
}

static void
record(void *state, const struct wv_report_run *run,
	const struct wv_judged *judged, struct wv_str *out)
{
	struct junit *junit = state;

	if (junit->source != NULL &&
		(strcmp(junit->source, judged->source) != 0 ||
			junit->body.n >= LONGEST))
		close_suite(junit, out);
	if (junit->source == NULL)
		junit->source = wv_xstrdup(judged->source);
	junit->records++;
	junit->line = judged->line;
	if (judged->verdict == WV_VALID && judged->findings == NULL &&
		judged->name == NULL)
		junit->plain++;
	else
		add_case(junit, judged);
}

static void
end(void *state, const struct wv_report_run *run,
	const struct wv_report_counts *counts, struct wv_str *out)
{
	close_suite(state, out);
	wv_str_cat(out, "</testsuites>\n");
}

const struct wv_report_format wv_report_junit = {
	.name = "junit",
	.state_size = sizeof(struct junit),
	.start = start,
	.record = record,
	.end = end,
};
