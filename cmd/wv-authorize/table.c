/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy judged by a table of cases.  No state is opened: what only a state
 * knows (what is issued, revoked, spent or stopped, how many calls there were)
 * refuses nothing here.
 */
#include "case.h"

#include "base/msg.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

struct table {
	struct authorizer *a;
	struct wv_reports *reports; /* NULL: messages */
	struct wv_report_counts counts;
	struct wv_arena arena; /* of a case */
	bool *exercised;       /* of each rule of the policy */
	bool strict;
};

/* A case, and where what was found in it goes. */
struct trial_run {
	struct table *table;
	const struct policy_case *c;
	const struct wv_finding *first, **tail;
};

static void
tell(struct table *table, const struct wv_judged *judged)
{
	if (table->reports != NULL)
		wv_reports_record(table->reports, judged);
	else
		wv_report_tell(judged);
}

/* A case that cannot be read, or the whole file. */
static void
unread(void *arg, const struct wv_record *rec, const struct wv_err *err)
{
	struct table *table = arg;
	struct wv_finding finding = {
		.rule = rec != NULL ? "malformed" : "unreadable",
		.line = err->line,
		.column = err->column,
		.message = err->text,
	};
	struct wv_judged judged = {
		.source = err->source,
		.line = rec != NULL ? rec->line : 0,
		.verdict = WV_UNDECIDED,
		.findings = &finding,
	};

	table->counts.records += rec != NULL;
	table->counts.malformed += rec != NULL;
	tell(table, &judged);
	if (rec == NULL && table->reports != NULL)
		wv_warn_err(err);
}

/* Where a member of the case stands in the file. */
static void
place(struct wv_finding *finding, const struct policy_case *c)
{
	wv_doc_position(
		&c->doc, finding->instance, &finding->line, &finding->column);
	if (finding->line == 1)
		finding->column += c->record->column - 1;
	finding->line += c->record->line - 1;
}

__attribute__((format(printf, 3, 4))) static void
find(struct trial_run *run, const char *member, const char *fmt, ...)
{
	struct wv_arena *arena = &run->table->arena;
	struct wv_finding *finding = wv_alloc_zero(arena, sizeof *finding);
	struct wv_str text = { 0 };
	va_list ap;

	if (run->c->name != NULL)
		wv_str_fmt(&text, "case \"%s\": ", run->c->name);
	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	finding->rule = member;
	finding->instance = wv_printf(arena, "/expect/%s", member);
	finding->message = wv_dupn(arena, text.s, text.n);
	place(finding, run->c);
	*run->tail = finding;
	run->tail = &finding->next;
	wv_str_free(&text);
}

/* actual NULL: there is none. */
static void
compare_text(struct trial_run *run, const char *member, const char *actual,
	const char *reason)
{
	const cJSON *wanted = wv_get(run->c->expect, member);
	const char *text = wv_is_string(wanted) ? wanted->valuestring : NULL;

	if (wanted == NULL ||
		(text == NULL ? actual == NULL
			      : actual != NULL && strcmp(text, actual) == 0))
		return;
	find(run, member, "the %s is %s, not %s: %s", member,
		actual != NULL ? actual : "none", text != NULL ? text : "none",
		reason);
}

static void
compare_obligations(struct trial_run *run, const cJSON *actual)
{
	const cJSON *wanted = wv_get(run->c->expect, "obligations");
	struct wv_str text = { 0 };

	if (actual == NULL)
		actual = wv_json_object(&run->table->arena);
	if (wanted == NULL || wv_json_equal(wanted, actual))
		return;
	wv_json_write(&text, actual);
	wv_str_cat(&text, ", not ");
	wv_json_write(&text, wanted);
	find(run, "obligations", "the obligations are %s", text.s);
	wv_str_free(&text);
}

static void
compare(struct trial_run *run, const struct verdict *v)
{
	const char *part = wv_get_string(run->c->expect, "reason");
	bool is_allow = strcmp(v->code, "allowed") == 0;

	compare_text(run, "decision", is_allow ? "allow" : "deny", v->reason);
	compare_text(run, "code", v->code, v->reason);
	compare_text(run, "rule", v->answer.rule, v->reason);
	compare_obligations(run, is_allow ? v->answer.obligations : NULL);
	if (part != NULL && strstr(v->reason, part) == NULL)
		find(run, "reason", "the reason is \"%s\", without \"%s\"",
			v->reason, part);
	if (run->table->strict && wv_get(run->c->expect, "code") == NULL)
		find(run, "code", "no code is expected (--strict)");
}

/* A rule is exercised by a case that it allows or denies. */
static void
exercise(struct table *table, const struct verdict *v)
{
	const struct policy *policy = &table->a->policy;
	bool is_allow = strcmp(v->code, "allowed") == 0;
	bool is_deny = strcmp(v->code, "policy_deny") == 0;

	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		if (is_allow && !rule->is_deny)
			table->exercised[i] |=
				v->answer.outcomes[i].match == POLICY_YES;
		else if (is_deny && rule->is_deny)
			table->exercised[i] |=
				strcmp(rule->name, v->answer.rule) == 0;
	}
}

/* What wv-authorize would say, but for what takes a state. */
static const struct verdict *
decide(struct table *table, struct policy_case *c)
{
	struct authorizer *a = table->a;
	struct wv_err err = WV_ERR_INIT;

	a->tokens = &c->token;
	a->token_count = c->has_token;
	a->now = c->now;
	if (check_request(a, &c->request, &table->arena, &err) < 0)
		wv_die_err(&err);
	a->tokens = NULL;
	a->token_count = 0;
	if (c->request.passed != NULL)
		c->request.verdict = *c->request.passed;
	return &c->request.verdict;
}

static enum wv_status
judge(struct table *table, struct policy_case *c)
{
	struct trial_run run = { .table = table, .c = c, .tail = &run.first };
	struct wv_judged judged = {
		.source = c->record->source,
		.line = c->record->line,
		.name = c->name,
		.verdict = WV_VALID,
	};

	if (c->request.selection.end == WV_SELECTED_NO_MATCH) {
		find(&run, "decision", "nothing matched, so there is none");
	} else {
		const struct verdict *v = decide(table, c);
		explain(table->a, &c->request, "%s: %s", v->code, v->reason);
		exercise(table, v);
		compare(&run, v);
	}
	if (run.first != NULL)
		judged.verdict = WV_INVALID;
	judged.findings = run.first;
	table->counts.records++;
	table->counts.valid += run.first == NULL;
	table->counts.invalid += run.first != NULL;
	tell(table, &judged);
	return run.first == NULL ? WV_YES : WV_NO;
}

static int
judge_all(struct table *table, struct wv_lines *in)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_record rec;
	struct policy_case c;
	int status = WV_YES;

	while (wv_lines_next(in, &table->arena, &rec) == 1) {
		if (case_read(table->a, &c, &rec, &table->arena, &err) < 0) {
			wv_lines_bad(in, &rec, &err);
			wv_err_clear(&err);
		} else {
			status = wv_worse(status, judge(table, &c));
		}
		wv_arena_reset(&table->arena);
		if (in->options.fail_fast && status != WV_YES)
			break;
	}
	return status;
}

/* A rule that was never asked could as well say something else. */
static int
judge_rules(struct table *table)
{
	const struct policy *policy = &table->a->policy;
	struct wv_judged judged = {
		.source = policy->doc.source,
		.verdict = WV_INVALID,
	};
	int status = WV_YES;

	for (size_t i = 0; i < policy->count; i++) {
		const struct policy_rule *rule = &policy->rules[i];
		struct wv_finding finding = { .rule = "strict" };
		if (table->exercised[i])
			continue;
		finding.instance =
			wv_printf(&table->arena, "/rules/%zu", rule->index);
		finding.message = wv_printf(&table->arena,
			"no case is %s by rule \"%s\"",
			rule->is_deny ? "denied" : "allowed", rule->name);
		wv_doc_position(&policy->doc, finding.instance, &finding.line,
			&finding.column);
		judged.line = finding.line;
		judged.findings = &finding;
		table->counts.records++;
		table->counts.invalid++;
		tell(table, &judged);
		status = WV_NO;
	}
	return status;
}

static int
finish(struct table *table, int status)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str line = { 0 };

	wv_report_sum(&line, &table->counts);
	if (table->reports != NULL &&
		wv_reports_close(table->reports, &table->counts, &err) < 0) {
		wv_warn_err(&err);
		status = WV_TROUBLE;
	}
	wv_warn("%s", line.s);
	wv_str_free(&line);
	wv_arena_free(&table->arena);
	free(table->exercised);
	return status;
}

int
table_run(struct authorizer *a, const char *path,
	const struct wv_lines_options *options, struct wv_reports *reports,
	bool strict)
{
	struct table table = {
		.a = a,
		.reports = reports,
		.strict = strict,
		.exercised =
			wv_xcalloc(a->policy.count, sizeof *table.exercised),
	};
	struct wv_lines_options with_hook = *options;
	char *const files[] = { (char *)path, NULL };
	struct wv_lines in;

	with_hook.bad = unread;
	with_hook.bad_arg = &table;
	wv_lines_open(&in, files, &with_hook,
		reports != NULL ? wv_reports_stdout(reports) : NULL);
	int status = judge_all(&table, &in);
	status = wv_worse(status, wv_lines_close(&in));
	if (table.counts.records == 0 && !options->allow_empty) {
		if (status < WV_TROUBLE)
			wv_warn("no cases");
		status = WV_TROUBLE;
	}
	if (strict && status < WV_TROUBLE)
		status = wv_worse(status, judge_rules(&table));
	return finish(&table, status);
}
