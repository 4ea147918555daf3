/* SPDX-License-Identifier: Apache-2.0 */
#include "piece.h"

#include "finding.h"

struct reading {
	struct wv_arena arena; /* of a record */
	outcome_take *take;
	void *arg;
	bool enough;
	struct wv_lines in;
};

/* What wv_lines_next() could not hand out. */
static void
hear(void *arg, const struct wv_record *rec, const struct wv_err *err)
{
	struct reading *r = arg;
	struct outcome outcome = {
		.kind = rec != NULL ? OUTCOME_MALFORMED : OUTCOME_SOURCE,
		.record = rec,
		.judged = {
			.source = err->source,
			.line = rec != NULL ? rec->line : 1,
			.verdict = WV_UNDECIDED,
			.findings = finding_unread(&r->arena, rec, err),
		},
	};

	if (!r->enough)
		r->enough = !r->take(r->arg, &outcome);
	/* Without another read, which may wait. */
	r->in.options.fail_fast = r->enough;
}

size_t
piece_judge(const struct piece *piece, struct judge *judge,
	const struct wv_lines_options *options, struct wv_out *out,
	outcome_take *take, void *arg)
{
	char *files[] = { (char *)piece->file, NULL };
	struct reading r = { .take = take, .arg = arg };
	struct wv_lines_options how = *options;
	struct wv_record rec;
	struct outcome outcome;
	size_t lines;

	how.no_trees = true;
	how.allow_empty = true;
	how.fail_fast = false;
	how.first = piece->first;
	how.last = piece->last;
	how.bad = hear;
	how.bad_arg = &r;
	wv_lines_open(&r.in, files, &how, out);
	while (!r.enough && wv_lines_next(&r.in, &r.arena, &rec) == 1) {
		if (judge_record(judge, piece->target, &r.in, &r.arena, &rec,
			    &outcome))
			r.enough = !take(arg, &outcome);
		wv_arena_reset(&r.arena);
	}
	lines = r.in.counts.lines;
	wv_lines_close(&r.in);
	wv_arena_free(&r.arena);
	return lines;
}
