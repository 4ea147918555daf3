/* SPDX-License-Identifier: Apache-2.0 */
/* What all formats say of a finding. */
#include "internal.h"

#include "base/msg.h"
#include "json/json.h"
#include "json/utf8.h"

#include <string.h>

enum { ENOUGH = 64 << 10 }; /* bytes of messages that are written together */

void
wv_report_foreign(struct wv_str *out, const char *s, size_t max)
{
	size_t start = out->n;

	wv_str_foreign(out, s, strlen(s), max);
	for (char *p = out->s + start; (p = strstr(p, "\xef\xbf")) != NULL;
		p += 3) {
		if ((unsigned char)p[2] > 0xbd)
			p[2] = (char)0xbd;
	}
}

/* "I-06" */
static bool
is_invariant(const char *rule)
{
	return strncmp(rule, "I-", 2) == 0 && rule[2] != '\0' &&
		rule[2 + strspn(rule + 2, "0123456789")] == '\0';
}

/* Not the name of a rule: a pointer, which may be "". */
static bool
is_pointer(const char *keyword)
{
	return keyword != NULL && (keyword[0] == '/' || keyword[0] == '\0');
}

void
wv_report_rule(struct wv_str *out, const struct wv_finding *finding)
{
	if (is_invariant(finding->rule))
		wv_str_cat(out, "invariant/");
	else if (is_pointer(finding->keyword))
		wv_str_cat(out, "schema/");
	wv_report_foreign(out, finding->rule, WV_REPORT_POINTER);
}

void
wv_report_rule_string(struct wv_str *out, const struct wv_finding *finding)
{
	struct wv_str rule = { 0 };

	wv_report_rule(&rule, finding);
	wv_json_write_string(out, rule.s, rule.n);
	wv_str_free(&rule);
}

size_t
wv_report_line_of(
	const struct wv_judged *judged, const struct wv_finding *finding)
{
	return finding->line > 0 ? finding->line : judged->line;
}

void
wv_report_number(struct wv_str *out, const char *before, size_t number,
	const char *after)
{
	if (number == 0)
		return;
	wv_str_cat(out, before);
	wv_str_num(out, number);
	wv_str_cat(out, after);
}

const char *
wv_report_level(const struct wv_finding *finding)
{
	return finding->warning ? "warning" : "error";
}

static bool
is_said(const char *s)
{
	return s != NULL && s[0] != '\0';
}

void
wv_report_message(struct wv_str *out, const struct wv_finding *finding)
{
	if (is_said(finding->instance)) {
		wv_report_foreign(out, finding->instance, WV_REPORT_POINTER);
		wv_str_cat(out, ": ");
	}
	wv_report_foreign(out, finding->message, WV_REPORT_MESSAGE);
}

void
wv_report_line(struct wv_str *out, const struct wv_judged *judged,
	const struct wv_finding *finding)
{
	const char *keyword = finding->keyword;

	wv_report_foreign(out, judged->source, WV_REPORT_MESSAGE);
	wv_str_chr(out, ':');
	wv_report_number(out, "", wv_report_line_of(judged, finding), ":");
	wv_report_number(out, "", finding->column, ":");
	wv_str_cat(out, finding->warning ? " warning: " : " ");
	wv_report_message(out, finding);
	if (!is_said(keyword))
		return;
	wv_str_cat(out, keyword[0] == '/' ? " (schema " : " (");
	wv_report_foreign(out, keyword, WV_REPORT_POINTER);
	wv_str_chr(out, ')');
}

void
wv_report_tell(const struct wv_judged *judged)
{
	struct wv_str lines = { 0 };

	for (const struct wv_finding *f = judged->findings; f; f = f->next) {
		wv_report_line(&lines, judged, f);
		wv_str_chr(&lines, '\n');
		if (lines.n < ENOUGH && f->next != NULL)
			continue;
		wv_warn_lines(&lines);
		lines.n = 0;
	}
	wv_str_free(&lines);
}

void
wv_report_sum(struct wv_str *out, const struct wv_report_counts *counts)
{
	wv_str_fmt(out,
		"%zu record%s: %zu valid, %zu invalid, %zu malformed, "
		"%zu undecided, %zu warning%s",
		counts->records, counts->records == 1 ? "" : "s", counts->valid,
		counts->invalid, counts->malformed, counts->undecided,
		counts->warnings, counts->warnings == 1 ? "" : "s");
}

void
wv_report_clean(struct wv_str *out, const char *s, size_t max)
{
	struct wv_str clean = { 0 };

	wv_report_foreign(&clean, s, max);
	wv_json_write_string(out, clean.s, clean.n);
	wv_str_free(&clean);
}

static void
put_escape(struct wv_str *out, uint32_t cp)
{
	if (cp > 0xffff) {
		wv_str_fmt(out, "\\u%04x", 0xd7c0 + (unsigned)(cp >> 10));
		cp = 0xdc00 | (cp & 0x3ff);
	}
	wv_str_fmt(out, "\\u%04x", (unsigned)cp);
}

/* JSON may hold what is not seen as it is; a terminal should not. */
static void
put_seen(struct wv_str *out, const struct wv_str *json)
{
	const char *p = json->s, *end = p + json->n;
	uint32_t cp;
	int len;

	for (; p < end; p += len) {
		len = wv_utf8_get(
			(const unsigned char *)p, (size_t)(end - p), &cp);
		if (wv_is_unseen(cp))
			put_escape(out, cp);
		else
			wv_str_add(out, p, (size_t)len);
	}
}

void
wv_report_exact(struct wv_str *out, const char *s)
{
	struct wv_str bytes = { 0 }, json = { 0 };
	const char *nul;

	if (s == NULL)
		s = "";
	/* A tree's U+0000, see json.h. */
	for (; (nul = strstr(s, "\xc0\x80")) != NULL; s = nul + 2) {
		wv_str_add(&bytes, s, (size_t)(nul - s));
		wv_str_chr(&bytes, '\0');
	}
	wv_str_cat(&bytes, s);
	wv_json_write_string(&json, bytes.s, bytes.n);
	put_seen(out, &json);
	wv_str_free(&json);
	wv_str_free(&bytes);
}

void
wv_report_summary(struct wv_str *out, const struct wv_report_counts *counts)
{
	wv_str_fmt(out,
		"{\"records\":%zu,\"valid\":%zu,\"invalid\":%zu,"
		"\"malformed\":%zu,\"undecided\":%zu,\"warnings\":%zu}",
		counts->records, counts->valid, counts->invalid,
		counts->malformed, counts->undecided, counts->warnings);
}
