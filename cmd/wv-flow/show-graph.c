/* SPDX-License-Identifier: Apache-2.0 */
/* What needs what, for people; in the flow's order, so that a flow is the same
 * text however it is declared.  Ids and capabilities need no quoting anywhere:
 * the schema of flows bounds their characters. */
#include "lint.h"

#include "base/file.h"
#include "base/msg.h"

#include <unistd.h>

struct drawing {
	const char *before, *after; /* the name */
	const char *tail;
	void (*step)(struct wv_str *out, const struct flow *flow,
		const struct flow_step *step);
};

/* What is special in a step, each behind `before` or a comma. */
static void
add_marks(struct wv_str *out, const struct flow_step *step, const char *before,
	const char *after)
{
	static const char *const joins[] = { NULL, "all done", "any success",
		"none failed", "always" };
	const char *const marks[] = { step->condition_count > 0 ? "if" : NULL,
		joins[step->run_when], step->for_each ? "for each" : NULL,
		step->retry.max > 0 ? "retry" : NULL,
		step->on_error == FLOW_CONTINUE ? "may fail" : NULL,
		step->fallback ? "fallback" : NULL,
		step->finally ? "finally" : NULL };
	size_t n = 0;

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (marks[i] != NULL)
			wv_str_fmt(
				out, "%s%s", n++ > 0 ? ", " : before, marks[i]);
	if (n > 0)
		wv_str_cat(out, after);
}

static void
text_step(struct wv_str *out, const struct flow *flow,
	const struct flow_step *step)
{
	wv_str_fmt(out, "%s: %s", step->id, step->capability);
	add_marks(out, step, " (", ")");
	for (size_t i = 0; i < step->need_count; i++)
		wv_str_fmt(out, "%s%s", i > 0 ? ", " : " <- ",
			flow->steps[step->needs[i]].id);
	wv_str_chr(out, '\n');
}

static void
dot_step(struct wv_str *out, const struct flow *flow,
	const struct flow_step *step)
{
	wv_str_fmt(out, "    \"%s\" [label=\"%s\\n%s", step->id, step->id,
		step->capability);
	add_marks(out, step, "\\n(", ")");
	wv_str_fmt(out, "\"%s%s];\n", step->flow ? ", peripheries=2" : "",
		step->condition_count > 0 ? ", style=dashed" : "");
	for (size_t i = 0; i < step->need_count; i++)
		wv_str_fmt(out, "    \"%s\" -> \"%s\";\n",
			flow->steps[step->needs[i]].id, step->id);
}

/* Words such as end are no ids there: steps have their places. */
static void
mermaid_step(struct wv_str *out, const struct flow *flow,
	const struct flow_step *step)
{
	bool nested = step->flow != NULL;

	wv_str_fmt(out, "    s%zu%s\"%s<br>%s", step->place,
		nested ? "[[" : "[", step->id, step->capability);
	add_marks(out, step, "<br>(", ")");
	wv_str_fmt(out, "\"%s\n", nested ? "]]" : "]");
	for (size_t i = 0; i < step->need_count; i++)
		wv_str_fmt(out, "    s%zu --> s%zu\n",
			flow->steps[step->needs[i]].place, step->place);
}

static const struct drawing drawings[] = {
	[FLOW_GRAPH_TEXT] = { "flow ", "\n", "", text_step },
	[FLOW_GRAPH_DOT] = { "digraph \"", "\" {\n    node [shape=box];\n",
		"}\n", dot_step },
	[FLOW_GRAPH_MERMAID] = { "%% flow ", "\nflowchart TD\n", "",
		mermaid_step },
};

static int
draw(const struct flow *flow, const struct drawing *drawing)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str text = { 0 };
	struct wv_out out;

	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_str_fmt(
		&text, "%s%s%s", drawing->before, flow->name, drawing->after);
	for (size_t i = 0; i < flow->count; i++)
		drawing->step(&text, flow, &flow->steps[flow->order[i]]);
	wv_str_cat(&text, drawing->tail);
	wv_out_add(&out, text.s, text.n);
	wv_str_free(&text);
	if (wv_out_close(&out, &err) == 0)
		return WV_YES;
	wv_warn_err(&err);
	return WV_TROUBLE;
}

int
flow_graph(const char *path, const struct flow_limits *limits,
	enum flow_graph_format format)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct flow flow;
	int status = flow_load(&flow, &arena, path, limits);

	if (status == WV_YES)
		status = draw(&flow, &drawings[format]);
	flow_free(&flow);
	wv_arena_free(&arena);
	return status;
}
