/* SPDX-License-Identifier: Apache-2.0 */
#include "json/lines.h"

#include "base/msg.h"
#include "base/opt.h"
#include "json/cut.h"
#include "json/doc.h"
#include "json/form.h"
#include "json/internal.h"
#include "json/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct wv_lines_state {
	struct wv_source source;
	struct wv_cut cut;
	bool stopped; /* fail_fast has seen enough */
	bool ready;   /* wv_lines_ready() was true: no reading now */
	bool ended;   /* the record that was taken has an end of its own */
	bool barren;  /* a file of documents, and none has been found yet */

	/* Records after one that failed are tried here: what the caller never
	 * hears of must not pile up in its arena. */
	struct wv_arena trial;
};

void
wv_lines_open(struct wv_lines *in, char *const *files,
	const struct wv_lines_options *options, struct wv_out *out)
{
	struct wv_lines_state *s = wv_xcalloc(1, sizeof *s);

	*in = (struct wv_lines){ .options = *options, .state = s };
	wv_source_init(&s->source, files, out);
	s->source.first = options->first;
	s->source.last = options->last;
}

static void
report(struct wv_lines *in, const struct wv_record *rec,
	const struct wv_err *err)
{
	if (in->options.bad != NULL)
		in->options.bad(in->options.bad_arg, rec, err);
	else
		wv_warn_err(err);
	in->status = wv_worse(in->status, WV_TROUBLE);
}

void
wv_lines_bad(
	struct wv_lines *in, const struct wv_record *rec, struct wv_err *err)
{
	if (err->source == NULL) {
		err->source = rec->source;
		if (err->line <= 1)
			err->column = rec->column +
				(err->column > 0 ? err->column - 1 : 0);
		err->line = rec->line + (err->line > 0 ? err->line - 1 : 0);
	}
	report(in, rec, err);
	in->state->stopped = in->options.fail_fast;
}

static void
report_source(struct wv_lines *in, struct wv_err *err)
{
	err->source = in->state->source.name;
	report(in, NULL, err);
}

static void
start_cut(struct wv_lines *in)
{
	const struct wv_lines_options *options = &in->options;
	const struct wv_source *source = &in->state->source;
	struct wv_cut *cut = &in->state->cut;
	enum wv_form form = wv_form_of(source->name);

	if (source->is_stdin)
		form = options->multi ? WV_FORM_DOCUMENTS : WV_FORM_LINES;
	if (options->all_lines)
		form = WV_FORM_LINES;
	wv_cut_start(cut, form != WV_FORM_LINES);
	cut->whole_source = form == WV_FORM_YAML;
	in->state->barren = !source->is_stdin && !options->allow_empty &&
		(form == WV_FORM_DOCUMENTS || form == WV_FORM_YAML);
	/* Within a file there is no byte order mark. */
	cut->fresh = options->first == 0;
}

/* The longest record of this source. */
static size_t
longest(const struct wv_lines *in)
{
	return in->state->cut.whole_source ? wv_doc_yaml_limits()->max_bytes
					   : in->options.max_line;
}

/* A stream of lines may be empty; a document that is empty was lost. */
static void
report_barren(struct wv_lines *in)
{
	struct wv_lines_state *s = in->state;
	const struct wv_record rec = {
		.source = s->source.name,
		.line = 1,
		.column = 1,
		.text = s->source.buf,
	};
	struct wv_err err = WV_ERR_INIT;

	s->barren = false;
	in->counts.malformed++;
	wv_err_set(&err, "holds no value");
	wv_lines_bad(in, &rec, &err);
}

/* The next one that can be opened; false if there is none. */
static bool
next_source(struct wv_lines *in)
{
	struct wv_source *source = &in->state->source;
	struct wv_err err = WV_ERR_INIT;
	int opened;

	if (in->state->barren)
		report_barren(in);
	if (in->state->stopped)
		return false;
	while ((opened = wv_source_next(source, &err)) < 0) {
		report_source(in, &err);
		wv_err_clear(&err);
	}
	if (opened == 0)
		return false;
	start_cut(in);
	return true;
}

/* 1: there is more now, or a source has ended; 0: that was the last one. */
static int
read_on(struct wv_lines *in)
{
	struct wv_source *source = &in->state->source;
	struct wv_err err;
	int got;

	if ((source->fd < 0 || source->eof) && !next_source(in)) {
		in->counts.lines = in->state->cut.line - 1;
		return 0;
	}
	wv_err_clear(&err);
	got = wv_source_read(source, longest(in), &err);
	if (got < 0) {
		report_source(in, &err);
		/* What had been looked at is gone. */
		wv_cut_start(&in->state->cut, false);
		in->state->barren = false;
	}
	return got == 0 ? WV_LINES_WAIT : 1;
}

static bool
more_follows(const struct wv_source *source)
{
	size_t i = source->start;

	while (i < source->end && wv_json_is_space(source->buf[i]))
		i++;
	return i < source->end;
}

/* In the user's words, what is wrong with a record that was not read. */
static void
explain(const struct wv_lines *in, const struct wv_record *rec, bool ended,
	struct wv_err *err)
{
	bool documents = in->state->cut.documents;
	bool is_cut = wv_json_incomplete(err) || !wv_err_is_set(err);
	struct wv_err told = WV_ERR_INIT;

	if (rec->len > in->options.max_line && is_cut)
		wv_err_set(&told, "%s longer than %zu bytes (--max-line)",
			documents ? "document" : "line", in->options.max_line);
	else if (documents && more_follows(&in->state->source))
		wv_err_at(&told, NULL, err->line, err->column,
			"%s; the rest of this source is not read", err->text);
	else if (!documents && !ended)
		wv_err_at(&told, NULL, err->line, err->column,
			"incomplete last line%s%s", is_cut ? "" : ": ",
			is_cut ? "" : err->text);
	else
		return;
	*err = told;
}

/* Of a document that is too long as much as may be: a quote too many is
 * perhaps why, and then that is what the user has to know. */
static cJSON *
parse(const struct wv_lines *in, struct wv_arena *arena,
	const struct wv_record *rec, struct wv_err *err)
{
	size_t max = in->options.max_line;

	if (rec->yaml)
		return wv_yaml_read(
			arena, rec->text, rec->len, wv_doc_yaml_limits(), err);
	return wv_json_read(arena, rec->text, rec->len < max ? rec->len : max,
		&in->options.json, err);
}

/* The tree of the record that was taken: true, or it is bad and reported. */
static bool
read_tree(struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec)
{
	struct wv_lines_state *s = in->state;
	size_t max = longest(in);
	struct wv_err err;

	wv_err_clear(&err);
	if (rec->len <= max || s->cut.documents)
		rec->tree = parse(in, arena, rec, &err);
	if (rec->tree != NULL && rec->len <= max) {
		in->counts.records++;
		return true;
	}
	explain(in, rec, s->ended, &err);
	in->counts.malformed++;
	wv_lines_bad(in, rec, &err);
	/* Where the next document begins is anyone's guess now. */
	if (s->cut.documents) {
		s->source.start = s->source.end;
		s->source.eof = true;
	}
	return false;
}

/* The next record of the buffer: true, or it was bad and is reported. */
static bool
read_record(struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec)
{
	struct wv_lines_state *s = in->state;

	s->ended = wv_cut_take(&s->cut, &s->source, rec);
	s->barren = false;
	if (!in->options.no_trees || s->cut.documents ||
		rec->len > in->options.max_line)
		return read_tree(in, arena, rec);
	in->counts.records++;
	return true;
}

bool
wv_lines_tree(
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec)
{
	in->counts.records--;
	return read_tree(in, arena, rec);
}

static bool
find_record(struct wv_lines *in)
{
	struct wv_lines_state *s = in->state;

	return !s->stopped && s->source.fd >= 0 &&
		wv_cut_find(&s->cut, &s->source, longest(in));
}

int
wv_lines_next(
	struct wv_lines *in, struct wv_arena *arena, struct wv_record *rec)
{
	struct wv_lines_state *s = in->state;
	struct wv_arena *trial = NULL;
	bool may_read = !s->ready;
	int got;

	s->ready = false;
	while (!s->stopped) {
		if (!find_record(in)) {
			if (!may_read)
				return WV_LINES_WAIT;
			got = read_on(in);
			if (got != 1)
				return got;
		} else if (read_record(in, trial ? trial : arena, rec)) {
			if (trial != NULL && rec->tree != NULL)
				rec->tree = parse(in, arena, rec, NULL);
			return 1;
		} else {
			trial = &s->trial;
			wv_arena_reset(trial);
		}
	}
	return 0;
}

bool
wv_lines_ready(struct wv_lines *in)
{
	in->state->ready = find_record(in);
	return in->state->ready;
}

int
wv_lines_nonblocking(struct wv_lines *in)
{
	struct wv_source *source = &in->state->source;

	wv_source_no_wait(source);
	if (in->state->stopped)
		return -1;
	if ((source->fd < 0 || source->eof) && !find_record(in) &&
		!next_source(in))
		return -1;
	return source->fd;
}

int
wv_lines_close(struct wv_lines *in)
{
	struct wv_lines_state *s = in->state;

	if (in->counts.records == 0 && !in->options.allow_empty &&
		in->options.bad == NULL) {
		if (in->status < WV_TROUBLE)
			wv_warn("no records");
		in->status = WV_TROUBLE;
	}
	wv_arena_free(&s->trial);
	wv_source_free(&s->source);
	free(s);
	in->state = NULL;
	return in->status;
}

void
wv_lines_pass(const struct wv_record *rec, struct wv_out *out)
{
	struct wv_str text = { 0 };

	if (rec->one_line) {
		wv_out_line(out, rec->text, rec->len);
		return;
	}
	wv_json_write(&text, rec->tree);
	wv_out_line(out, text.s, text.n);
	wv_str_free(&text);
}

bool
wv_lines_option(
	struct wv_lines_options *options, int id, const struct wv_opts *opts)
{
	const char *value = opts->value;

	switch (id) {
	case 'm':
		options->multi = true;
		return true;
	case WV_OPT_FAIL_FAST:
		options->fail_fast = true;
		return true;
	case WV_OPT_ALLOW_EMPTY:
		options->allow_empty = true;
		return true;
	case WV_OPT_MAX_LINE:
		options->max_line =
			(size_t)wv_opt_size(opts, "max-line", value);
		return true;
	case WV_OPT_MAX_DEPTH:
		options->json.max_depth = (size_t)wv_opt_int(
			opts, "max-depth", value, 1, INT_MAX);
		return true;
	case WV_OPT_MAX_VALUES:
		options->json.max_values = (size_t)wv_opt_int(
			opts, "max-values", value, 1, INT_MAX);
		return true;
	case WV_OPT_MAX_DIGITS:
		options->json.max_digits = (size_t)wv_opt_int(
			opts, "max-digits", value, 1, INT_MAX);
		return true;
	default:
		return false;
	}
}
