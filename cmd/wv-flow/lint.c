/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/msg.h"
#include "json/lines.h"
#include "linter.h"

#include <stdlib.h>
#include <string.h>

/* One run of --lint. */
struct judge {
	const struct flow_lint_options *options;
	struct linter linter;
	struct wv_report_counts counts;
	int status;
};

static int
load_tools(struct linter *l, const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	size_t count;

	if (path == NULL)
		return 0;
	if (wv_catalog_load(&l->tools, l->arena, path, &err) != 0) {
		wv_warn_err(&err);
		return -1;
	}
	count = l->tools.count;
	l->tool_ids =
		wv_alloc_zero(l->arena, (count + 1) * sizeof(*l->tool_ids));
	for (size_t i = 0; i < count; i++)
		l->tool_ids[i] = l->tools.items[i].id;
	l->has_tools = true;
	return 0;
}

/* As wv-authorize reads them; what they are worth is its matter. */
static int
load_tokens(struct linter *l, const char *path)
{
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	char *const files[] = { (char *)path, NULL };
	struct wv_record rec;
	struct wv_lines in;

	if (path == NULL)
		return 0;
	options.allow_empty = true;
	l->tokens = wv_json_array(l->arena);
	l->has_tokens = true;
	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, l->arena, &rec) == 1) {
		if (!wv_is_array(rec.tree)) {
			wv_push(l->tokens, rec.tree);
			continue;
		}
		wv_json_each(token, rec.tree)
			wv_push(l->tokens, wv_json_copy(l->arena, token));
	}
	return wv_lines_close(&in) == WV_YES ? 0 : -1;
}

static void
tell(struct judge *j, const struct wv_judged *judged)
{
	if (j->options->reports != NULL)
		wv_reports_record(j->options->reports, judged);
	else
		wv_report_tell(judged);
}

static void
tell_unreadable(struct judge *j, const char *path, const struct wv_err *err)
{
	const struct wv_finding finding = { .rule = "unreadable",
		.line = err->line,
		.column = err->column,
		.message = err->text };
	const struct wv_judged judged = {
		.source = path, .verdict = WV_UNDECIDED, .findings = &finding
	};

	j->counts.records++;
	j->counts.malformed++;
	j->status = WV_TROUBLE;
	tell(j, &judged);
}

static void
report(struct judge *j, struct flow *flow)
{
	struct wv_report_counts *counts = &j->counts;
	bool is_wrong;
	struct wv_judged judged = {
		.source = flow->doc.source, .line = 1, .name = flow->name
	};

	if (j->options->strict)
		flow_harden(flow);
	is_wrong = flow->faults.errors > 0;
	judged.verdict = is_wrong ? WV_INVALID : WV_VALID;
	judged.findings = flow->faults.first;
	counts->records++;
	counts->valid += !is_wrong;
	counts->invalid += is_wrong;
	counts->warnings += flow->faults.count - flow->faults.errors;
	if (is_wrong)
		j->status = wv_worse(j->status, WV_NO);
	if (j->options->reports != NULL)
		wv_reports_record(j->options->reports, &judged);
	else
		flow_tell(flow);
}

/* What makes sense of a flow whose graph is right. */
static void
lint_flow(struct linter *l, struct flow *flow)
{
	if (flow->order == NULL)
		return;
	lint_steps(l, flow);
	lint_arguments(l, flow);
	lint_reach(l, flow);
}

static void
lint_path(struct judge *j, const char *path)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err err = WV_ERR_INIT;
	struct flow flow;
	int status = flow_read(&flow, &arena, path, &j->options->limits, &err);

	if (status == WV_TROUBLE) {
		tell_unreadable(j, path, &err);
	} else {
		flow_bind(&flow, &j->linter.tools);
		for (struct flow *f = &flow; f != NULL; f = f->next)
			lint_flow(&j->linter, f);
		if (status == WV_YES)
			lint_tokens(&j->linter, &flow);
		for (struct flow *f = &flow; f != NULL; f = f->next)
			report(j, f);
	}
	flow_free(&flow);
	wv_arena_free(&arena);
}

static void
finish(struct judge *j)
{
	struct wv_err err = WV_ERR_INIT;

	if (j->options->reports != NULL &&
		wv_reports_close(j->options->reports, &j->counts, &err) < 0) {
		wv_warn_err(&err);
		j->status = WV_TROUBLE;
	}
	wv_catalog_free(&j->linter.tools);
	wv_map_free(&j->linter.programs);
	wv_schema_set_free(j->linter.set);
	free(j->linter.compiled);
}

int
flow_lint(char *const *paths, const struct flow_lint_options *options)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct judge j = { .options = options,
		.linter = { .arena = &arena, .set = wv_schema_set_new(NULL) } };

	if (load_tools(&j.linter, options->tools) == 0 &&
		load_tokens(&j.linter, options->tokens) == 0)
		for (; *paths != NULL; paths++)
			lint_path(&j, *paths);
	else
		j.status = WV_TROUBLE;
	finish(&j);
	wv_arena_free(&arena);
	return j.status;
}
