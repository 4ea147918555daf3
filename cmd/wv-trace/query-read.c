/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/msg.h"
#include "summary.h"

#include <string.h>

void
query_tell(void *arg, struct wv_err *err)
{
	struct query *q = arg;

	if (q->turn != NULL)
		turn_wait(q);
	if (err->line > 0)
		err->line += q->base;
	wv_warn_err(err);
}

bool
query_is_over(const struct query *q)
{
	return q->counts.matched >= q->limit || scan_is_over(&q->scan);
}

static void
take(struct query *q, const struct source *source, const struct line *line)
{
	q->counts.matched++;
	if (q->sums)
		summary_add(q->summary, line);
	else if (q->kept != NULL)
		kept_add(q->kept, source, line);
	else if (!q->count)
		show_line(q, line);
}

static void
consider(struct query *q, const struct source *source, const struct line *line)
{
	int match = filter_match(q->filter, line, &q->err);

	if (match < 0) {
		scan_bad(&q->scan, source, &q->err);
		wv_err_clear(&q->err);
		return;
	}
	q->counts.seen++;
	if (match == 1)
		take(q, source, line);
}

static void
take_tree(struct query *q, struct span text, const cJSON *tree)
{
	const char *time = wv_get_string(tree, "timestamp");

	q->line.s = text.s;
	q->line.n = text.n;
	q->line.tree = tree;
	wv_time_parse(&q->line.time, time, strlen(time), NULL);
}

/* Of a line that the reader handed out. */
static void
judge(struct query *q, const struct source *source)
{
	struct span text;
	const cJSON *tree = scan_read(&q->scan, source, &text);

	if (tree == NULL)
		return;
	/* It is for the process before to say what was torn. */
	if (q->turn != NULL && q->is_fresh && scan_gap(tree) != NULL)
		turn_wait(q);
	q->is_fresh = false;
	if (!scan_event(&q->scan, source, tree))
		return;
	take_tree(q, text, tree);
	shapes_learn(q->shapes, text.s, text.n, tree);
	consider(q, source, &q->line);
}

static bool
by_shape(struct query *q, const char *s, const char *end)
{
	struct line *line = &q->line;

	line->shape = shapes_find(q->shapes, s, end, line->values, &line->n);
	line->s = s;
	line->tree = NULL;
	return line->shape != NULL && line->n <= q->lines.max_line &&
		line_is_event(line, &q->minute);
}

/* What was found is shown before waiting for more. */
static int
next(struct query *q, struct source *source, struct wv_err *err)
{
	if (!source->is_own && q->turn == NULL &&
		!wv_reader_ready(&source->in) && wv_out_flush(&q->out, err) < 0)
		wv_die_err(err);
	return wv_reader_next(&source->in, err);
}

int
query_read_until(struct query *q, struct source *source, uint64_t end)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reader *in = &source->in;
	int more = 0;

	while (!query_is_over(q) && in->next < end) {
		/* Whether a line accounts for torn ones is seen in its tree. */
		bool needs_tree = q->scan.torn.torn_lines > 0 || q->is_fresh;
		size_t left;
		const char *s = wv_reader_rest(in, &left);
		if (left > 0 && !needs_tree && by_shape(q, s, NULL)) {
			wv_reader_take(in, q->line.n);
			consider(q, source, &q->line);
			continue;
		}
		if ((more = next(q, source, &err)) != 1)
			break;
		if (!needs_tree && in->len >= left &&
			by_shape(q, in->line, in->line + in->len))
			consider(q, source, &q->line);
		else
			judge(q, source);
	}
	if (more < 0) {
		err.source = source->name;
		query_tell(q, &err);
		q->counts.status = WV_TROUBLE;
		return -1;
	}
	return !query_is_over(q);
}

int
query_read(struct query *q, struct source *source)
{
	return query_read_until(q, source, UINT64_MAX);
}

bool
query_reread(struct query *q, const char *s, size_t n)
{
	const cJSON *tree;

	if (by_shape(q, s, s + n))
		return true;
	wv_arena_reset(&q->scan.arena);
	tree = wv_json_read(&q->scan.arena, s, n, &q->lines.json, NULL);
	if (tree == NULL || wv_get_string(tree, "timestamp") == NULL)
		return false;
	take_tree(q, (struct span){ s, n }, tree);
	return true;
}
