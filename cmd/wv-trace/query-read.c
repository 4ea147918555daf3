/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "summary.h"

#include <string.h>

static bool
is_blank(const char *line, size_t len)
{
	size_t i = 0;

	while (i < len && strchr(" \t\r", line[i]) != NULL && line[i] != '\0')
		i++;
	return i == len;
}

void
query_tell(struct query *q, const struct source *source, uint64_t line,
	struct wv_err *err)
{
	if (q->turn != NULL)
		turn_wait(q);
	err->source = source->name;
	err->line = line > 0 ? q->base + line : 0;
	if (line > 0 && err->column == 0)
		err->column = 1;
	wv_warn_err(err);
}

static void
count_bad(struct query *q, uint64_t lines)
{
	q->counts.malformed += lines;
	if (lines > 0)
		q->counts.status = WV_TROUBLE;
}

/* Whether torn lines were malformed is for the line after them to say: it
 * accounts for what a dying writer left (design 6). */
static void
settle(struct query *q, const cJSON *next)
{
	const cJSON *gap = wv_get(wv_get(next, "x_wv_chain"), "gap");
	const char *sha256 = wv_get_string(gap, "sha256");
	char torn[WV_SHA256_HEX];

	if (q->turn != NULL && q->is_fresh && gap != NULL)
		turn_wait(q);
	q->is_fresh = false;
	if (q->torn.torn_lines == 0)
		return;
	wv_chain_torn_hash(&q->torn, torn);
	if (sha256 == NULL || strcmp(sha256, torn) != 0)
		count_bad(q, q->torn.torn_lines);
	wv_chain_start(&q->torn, NULL);
}

void
query_settle(struct query *q)
{
	settle(q, NULL);
}

bool
query_is_over(const struct query *q)
{
	return q->counts.matched >= q->limit ||
		(q->counts.malformed + q->torn.torn_lines > 0 &&
			q->lines.fail_fast);
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
		query_tell(q, source, source->in.number, &q->err);
		wv_err_clear(&q->err);
		count_bad(q, 1);
		return;
	}
	q->counts.seen++;
	if (match == 1)
		take(q, source, line);
}

/* The tree, or NULL and an error. */
static const cJSON *
read_tree(struct query *q, const char *s, size_t n, struct wv_err *err)
{
	wv_arena_reset(&q->arena);
	return wv_json_read(&q->arena, s, n, &q->lines.json, err);
}

static void
take_tree(struct query *q, const char *s, size_t n, const cJSON *tree)
{
	const char *time = wv_get_string(tree, "timestamp");

	q->line.s = s;
	q->line.n = n;
	q->line.tree = tree;
	wv_time_parse(&q->line.time, time, strlen(time), NULL);
}

static void
judge(struct query *q, const struct source *source, const char *s, size_t n)
{
	struct wv_err err = WV_ERR_INIT;
	uint64_t number = source->in.number;
	const cJSON *tree = read_tree(q, s, n, &err);

	if (tree == NULL) {
		bool is_cut = !source->in.ended && wv_json_incomplete(&err);
		struct wv_err last = WV_ERR_INIT;
		if (is_cut)
			wv_err_set(&last, "incomplete last line");
		query_tell(q, source, number, is_cut ? &last : &err);
		/* Our own log ends so when its writer died: the next group
		 * settles that. */
		if (!is_cut || !source->is_own)
			wv_chain_skip(&q->torn, s, n);
		return;
	}
	settle(q, tree);
	if (wv_contract_require(WV_TRACE_EVENT, tree, &err) < 0) {
		query_tell(q, source, number, &err);
		count_bad(q, 1);
		return;
	}
	take_tree(q, s, n, tree);
	shapes_learn(q->shapes, s, n, tree);
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

/* Of a line that the reader handed out. */
static void
take_line(struct query *q, struct source *source, bool try_shape)
{
	const struct wv_reader *in = &source->in;
	struct wv_err err = WV_ERR_INIT;
	const char *s = in->line;
	size_t n = in->len;

	if (in->too_long) {
		wv_err_set(&err, "line longer than %zu bytes (--max-line)",
			q->lines.max_line);
		query_tell(q, source, in->number, &err);
		count_bad(q, 1);
		return;
	}
	if (in->offset == 0 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (try_shape && by_shape(q, s, s + n))
		consider(q, source, &q->line);
	else if (!is_blank(s, n))
		judge(q, source, s, n);
}

int
query_read_until(struct query *q, struct source *source, uint64_t end)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reader *in = &source->in;
	int more = 0;

	while (!query_is_over(q) && in->next < end) {
		/* Whether a line accounts for torn ones is seen in its tree. */
		bool needs_tree = q->torn.torn_lines > 0 || q->is_fresh;
		size_t left;
		const char *s = wv_reader_rest(in, &left);
		if (left > 0 && !needs_tree && by_shape(q, s, NULL)) {
			wv_reader_take(in, q->line.n);
			consider(q, source, &q->line);
			continue;
		}
		if ((more = next(q, source, &err)) != 1)
			break;
		take_line(q, source, !needs_tree && in->len >= left);
	}
	if (more < 0) {
		query_tell(q, source, 0, &err);
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
	tree = read_tree(q, s, n, NULL);
	if (tree == NULL || wv_get_string(tree, "timestamp") == NULL)
		return false;
	take_tree(q, s, n, tree);
	return true;
}
