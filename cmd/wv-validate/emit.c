/* SPDX-License-Identifier: Apache-2.0 */
#include "emit.h"

#include "base/msg.h"

#include <string.h>
#include <unistd.h>

static void
worse(struct emit *emit, int status)
{
	emit->status = wv_worse(emit->status, status);
}

static void
count(struct emit *emit, const struct outcome *outcome)
{
	struct wv_report_counts *counts = &emit->counts;

	if (outcome->kind == OUTCOME_SOURCE)
		return;
	counts->records++;
	if (outcome->kind == OUTCOME_MALFORMED)
		counts->malformed++;
	else if (outcome->judged.verdict == WV_VALID)
		counts->valid++;
	else if (outcome->judged.verdict == WV_INVALID)
		counts->invalid++;
	else
		counts->undecided++;
	for (const struct wv_finding *f = outcome->judged.findings; f;
		f = f->next)
		counts->warnings += f->warning;
}

static void
compare_fingerprint(struct emit *emit, struct outcome *outcome)
{
	const char *line = outcome->fingerprint;
	struct wv_err why = WV_ERR_INIT;
	cJSON *actual;

	actual = wv_json_read(&emit->arena, wv_dup(&emit->arena, line),
		strlen(line), &wv_json_defaults, &why);
	if (fingerprints_compare(emit->fingerprint_of, emit->counts.records,
		    actual, &why) < 0)
		finding_fail(&emit->arena, &outcome->judged, "fingerprint",
			wv_dup(&emit->arena, why.text));
}

/* A source that cannot be read is told even when reports say the rest: there
 * is no record to look for. */
static void
tell_source(const struct wv_judged *judged)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, judged->source, 0, 0, "%s", judged->findings->message);
	wv_warn_err(&err);
}

static void
tell_outcome(struct emit *emit, const struct outcome *outcome)
{
	if (outcome->kind == OUTCOME_SOURCE)
		tell_source(&outcome->judged);
	else if (emit->reports == NULL)
		wv_report_tell(&outcome->judged);
	if (emit->reports != NULL)
		wv_reports_record(emit->reports, &outcome->judged);
}

/* The text of a document may have the line feed at its end. */
static void
keep_reject(struct wv_out *rejects, const struct wv_record *rec)
{
	size_t n = rec->len;

	if (n > 0 && rec->text[n - 1] == '\n')
		n--;
	wv_out_line(rejects, rec->text, n);
}

static void
write_outcome(struct emit *emit, const struct outcome *outcome, bool is_valid)
{
	const struct wv_record *rec = outcome->record;

	if (is_valid && emit->fingerprints && outcome->fingerprint != NULL)
		wv_out_line(&emit->out, outcome->fingerprint,
			strlen(outcome->fingerprint));
	if (is_valid && emit->records)
		wv_lines_pass(rec, &emit->out);
	if (!is_valid && emit->rejects != NULL && rec != NULL)
		keep_reject(emit->rejects, rec);
}

bool
emit_outcome(void *arg, struct outcome *outcome)
{
	struct wv_judged *judged = &outcome->judged;
	struct emit *emit = arg;

	if (emit->fingerprint_of != NULL && outcome->fingerprint != NULL)
		compare_fingerprint(emit, outcome);
	count(emit, outcome);
	if (emit->progress)
		wv_progress(emit->counts.records);
	write_outcome(emit, outcome, judged->verdict == WV_VALID);
	if (emit->expect != NULL)
		expect_apply(emit->expect, &emit->arena, outcome);
	emit->passed +=
		outcome->kind != OUTCOME_SOURCE && judged->verdict == WV_VALID;
	if (judged->findings != NULL || emit->reports != NULL)
		tell_outcome(emit, outcome);
	if (judged->verdict == WV_INVALID)
		worse(emit, WV_NO);
	else if (judged->verdict == WV_UNDECIDED)
		worse(emit, WV_TROUBLE);
	wv_arena_reset(&emit->arena);
	emit->enough = emit->fail_fast && judged->verdict != WV_VALID;
	return !emit->enough;
}

void
emit_valid(struct emit *emit, size_t count_valid)
{
	emit->counts.records += count_valid;
	emit->counts.valid += count_valid;
	emit->passed += count_valid;
	if (emit->progress)
		wv_progress(emit->counts.records);
}

bool
emit_wants_all(const struct emit *emit)
{
	return emit->records || emit->reports != NULL || emit->expect != NULL ||
		emit->fingerprints || emit->fingerprint_of != NULL;
}

static void
check_fingerprints(struct emit *emit)
{
	struct wv_err why = WV_ERR_INIT;

	if (emit->fingerprint_of == NULL ||
		fingerprints_missing(
			emit->fingerprint_of, emit->counts.records, &why) == 0)
		return;
	wv_warn_err(&why);
	worse(emit, WV_NO);
}

static void
summarize(const struct emit *emit)
{
	struct wv_str line = { 0 };

	wv_report_sum(&line, &emit->counts);
	if (emit->expect != NULL)
		wv_str_fmt(&line, ", %zu as expected", emit->passed);
	wv_warn("%s", line.s);
	wv_str_free(&line);
}

static void
close_reports(struct emit *emit)
{
	struct wv_err err = WV_ERR_INIT;

	if (emit->reports != NULL &&
		wv_reports_close(emit->reports, &emit->counts, &err) < 0) {
		wv_warn_err(&err);
		worse(emit, WV_TROUBLE);
	}
}

static void
close_out(struct emit *emit, struct wv_out *out)
{
	struct wv_err err = WV_ERR_INIT;

	if (out == NULL)
		return;
	if (wv_out_close(out, &err) < 0) {
		wv_warn_err(&err);
		worse(emit, WV_TROUBLE);
	}
}

int
emit_end(struct emit *emit, bool allow_empty)
{
	if (emit->counts.records == 0 && !allow_empty) {
		if (emit->status < WV_TROUBLE)
			wv_warn("no records");
		worse(emit, WV_TROUBLE);
	}
	if (emit->expect != NULL && expect_tell_unseen(emit->expect) > 0)
		worse(emit, WV_TROUBLE);
	check_fingerprints(emit);
	close_reports(emit);
	close_out(emit, emit->rejects);
	close_out(emit, &emit->out);
	summarize(emit);
	wv_arena_free(&emit->arena);
	return emit->status;
}
