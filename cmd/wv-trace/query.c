/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/file.h"
#include "base/msg.h"
#include "contract/contract.h"
#include "kernel/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_COUNT = 256 };

static const char *const synopsis[] = {
	"[filter...] [option...] [FILE...]",
	"append --foreign NAME [option...] [FILE...]",
	"verify [option...] [FILE...]",
	"recover [option...]",
	NULL,
};

static const struct wv_opt own_opts[] = {
	{ 'n', "limit", "N", "stop after so many" },
	{ OPT_COUNT, "count", NULL, "print how many, not which" },
	WV_STATE_OPT,
	{ WV_OPT_NOW, "now", "TIME", "what time it is" },
	WV_LINES_OPTS,
	{ 0 },
};

struct query {
	struct filter *filter;
	struct wv_lines_options lines;
	const char *state;
	uint64_t limit; /* UINT64_MAX: none */
	bool count;
	struct wv_out out;
	struct wv_arena arena;
	uint64_t seen, matched, malformed;
	struct wv_chain torn; /* what a dying writer may have left */
	int status;
};

/* One table of the filters and the rest, -m apart: a log is always lines. */
static struct wv_opt *
make_table(void)
{
	size_t n = 0, filters = 0;

	while (filter_opts[filters].help != NULL)
		filters++;
	struct wv_opt *table =
		wv_xcalloc(filters + sizeof(own_opts) / sizeof(own_opts[0]),
			sizeof(*table));
	for (; n < filters; n++)
		table[n] = filter_opts[n];
	for (size_t i = 0; own_opts[i].help != NULL; i++)
		if (own_opts[i].id != 'm')
			table[n++] = own_opts[i];
	return table;
}

static bool
is_blank(const char *line, size_t len)
{
	size_t i = 0;

	while (i < len && strchr(" \t\r", line[i]) != NULL && line[i] != '\0')
		i++;
	return i == len;
}

static void
tell(const struct source *source, struct wv_err *err)
{
	err->source = source->name;
	err->line = source->in.number;
	if (err->column == 0)
		err->column = 1;
	wv_warn_err(err);
}

static void
count_bad(struct query *q, uint64_t lines)
{
	q->malformed += lines;
	if (lines > 0)
		q->status = WV_TROUBLE;
}

/* Whether torn lines were malformed is for the line after them to say: it
 * accounts for what a dying writer left (design 6). */
static void
settle_torn(struct query *q, const cJSON *next)
{
	const cJSON *gap = wv_get(wv_get(next, "x_wv_chain"), "gap");
	const char *sha256 = wv_get_string(gap, "sha256");
	char torn[WV_SHA256_HEX];

	if (q->torn.torn_lines == 0)
		return;
	wv_chain_torn_hash(&q->torn, torn);
	if (sha256 == NULL || strcmp(sha256, torn) != 0)
		count_bad(q, q->torn.torn_lines);
	wv_chain_start(&q->torn, NULL);
}

static void
judge(struct query *q, const struct source *source, const char *line,
	size_t len)
{
	struct wv_err err = WV_ERR_INIT;
	const cJSON *event;

	wv_arena_reset(&q->arena);
	event = wv_json_read(&q->arena, line, len, &q->lines.json, &err);
	if (event == NULL) {
		bool is_cut = !source->in.ended && wv_json_incomplete(&err);
		struct wv_err last = WV_ERR_INIT;
		if (is_cut)
			wv_err_set(&last, "incomplete last line");
		tell(source, is_cut ? &last : &err);
		/* Our own log ends so when its writer died: the next group
		 * settles that. */
		if (!is_cut || !source->is_own)
			wv_chain_skip(&q->torn, line, len);
		return;
	}
	settle_torn(q, event);
	int match = wv_contract_require(WV_TRACE_EVENT, event, &err) < 0
		? -1
		: filter_match(q->filter, event, line, len, &err);
	if (match < 0) {
		tell(source, &err);
		count_bad(q, 1);
		return;
	}
	q->seen++;
	if (match == 0)
		return;
	q->matched++;
	if (!q->count)
		wv_out_line(&q->out, line, len);
}

/* What was found is shown before waiting for more. */
static int
next(struct query *q, struct source *source, struct wv_err *err)
{
	if (!source->is_own && !wv_reader_ready(&source->in) &&
		wv_out_flush(&q->out, err) < 0)
		wv_die_err(err);
	return wv_reader_next(&source->in, err);
}

static bool
is_over(const struct query *q)
{
	return q->matched >= q->limit ||
		(q->malformed + q->torn.torn_lines > 0 && q->lines.fail_fast);
}

static void
read_log(struct query *q, struct source *source)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_reader *in = &source->in;
	int more = 0;

	while (!is_over(q) && (more = next(q, source, &err)) == 1) {
		size_t bom = in->number == 1 && in->len >= 3 &&
				memcmp(in->line, "\xef\xbb\xbf", 3) == 0
			? 3
			: 0;
		if (in->too_long) {
			wv_err_set(&err,
				"line longer than %zu bytes "
				"(--max-line)",
				q->lines.max_line);
			tell(source, &err);
			count_bad(q, 1);
		} else if (!is_blank(in->line + bom, in->len - bom))
			judge(q, source, in->line + bom, in->len - bom);
		wv_err_clear(&err);
	}
	settle_torn(q, NULL);
	if (more < 0) {
		err.source = source->name;
		wv_warn_err(&err);
		q->status = WV_TROUBLE;
	}
}

static void
read_logs(struct query *q, char *const *files)
{
	struct source source;

	if (files[0] == NULL) {
		source_own(&source, q->state, WV_STATE_READ, q->lines.max_line);
		read_log(q, &source);
		source_close(&source);
	}
	for (; *files != NULL && !is_over(q); files++) {
		if (source_file(&source, *files, q->lines.max_line) < 0) {
			q->status = WV_TROUBLE;
			continue;
		}
		read_log(q, &source);
		source_close(&source);
	}
}

static int
finish(struct query *q)
{
	char text[32];

	if (q->count) {
		int n = snprintf(text, sizeof(text), "%" PRIu64, q->matched);
		wv_out_line(&q->out, text, (size_t)n);
	}
	wv_out_end(&q->out);
	if (q->malformed > 0 || wv_verbose > 0)
		wv_warn("%" PRIu64 " events, %" PRIu64 " matched, %" PRIu64
			" lines malformed",
			q->seen, q->matched, q->malformed);
	if (q->seen + q->malformed == 0 && !q->lines.allow_empty) {
		wv_warn("no records");
		return WV_TROUBLE;
	}
	bool none = q->matched == 0 && q->seen > 0;
	return wv_worse(q->status, none ? WV_NO : WV_YES);
}

static void
take_option(struct query *q, const struct wv_opts *opts, int id)
{
	if (id >= OPT_FILTER && id < OPT_FILTER_END) {
		filter_add(q->filter, opts, id);
		return;
	}
	switch (id) {
	case 'n':
		q->limit = (uint64_t)wv_opt_int(
			opts, "--limit", opts->value, 1, INT64_MAX);
		break;
	case OPT_COUNT:
		q->count = true;
		break;
	default:
		if (!wv_state_option(&q->state, id, opts))
			wv_lines_option(&q->lines, id, opts);
	}
}

int
query_main(int argc, char **argv)
{
	struct wv_opt *table = make_table();
	const struct wv_cmd cmd = {
		.tool = "wv-trace",
		.synopsis = synopsis,
		.about = "Prints events of the audit log, appends to it, "
			 "verifies it, and recovers from its loss.",
		.opts = table,
		.examples = "  wv-trace --event denied --since 24h\n",
	};
	struct query q = {
		.filter = filter_new(),
		.lines = WV_LINES_OPTIONS_INIT,
		.limit = UINT64_MAX,
	};
	struct wv_opts opts;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&q, &opts, id);
	filter_ready(q.filter, &opts);
	for (char *const *f = opts.operands; *f != NULL; f++)
		if (strcmp(*f, "-") == 0 && isatty(STDIN_FILENO))
			wv_usage_terminal(&opts);
	wv_out_init(&q.out, STDOUT_FILENO, "standard output");
	read_logs(&q, opts.operands);
	int status = finish(&q);
	filter_free(q.filter);
	wv_arena_free(&q.arena);
	wv_opt_end(&opts);
	free(table);
	return status;
}
