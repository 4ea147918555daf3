/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/msg.h"
#include "summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_COUNT = 256,
	OPT_SUMMARY,
	OPT_TAIL,
	OPT_REVERSE,
};

static const char *const synopsis[] = {
	"[filter...] [option...] [FILE...]",
	"append --foreign NAME [option...] [FILE...]",
	"verify [option...] [FILE...]",
	"seal | rotate | recover [option...]",
	"explain ID [option...] [FILE...]",
	"bundle ID [option...] [FILE...]",
	"otel [option...] [FILE...]",
	NULL,
};

static const struct wv_opt own_opts[] = {
	{ 'n', "limit", "N", "stop after so many" },
	{ OPT_TAIL, "tail", "N", "only the last so many" },
	{ OPT_REVERSE, "reverse", NULL, "the last first" },
	{ OPT_COUNT, "count", NULL, "print how many, not which" },
	{ OPT_SUMMARY, "summary", NULL, "count them by what they say" },
	{ 'f', "format", "FORMAT", "jsonl, table or csv" },
	{ 'F', "follow", NULL, "wait for more" },
	{ 'j', "jobs", "N", "read files with N processes (1)" },
	WV_STATE_OPT,
	{ WV_OPT_NOW, "now", "TIME", "what time it is" },
	WV_LINES_OPTS,
	{ 0 },
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

static void
read_logs(struct query *q, char *const *files)
{
	struct sources *sources =
		sources_open(files, q->state, WV_STATE_READ, q->lines.max_line);
	struct source *source;

	while (!query_is_over(q) && (source = sources_next(sources)) != NULL) {
		if (q->kept != NULL)
			kept_source(q->kept, source);
		if (jobs_can(q, source))
			jobs_read(q, source);
		else
			query_read(q, source);
	}
	scan_settle(&q->scan, NULL);
	q->counts.status = wv_worse(q->counts.status, sources_close(sources));
	if (q->kept != NULL)
		kept_show(q->kept, q);
}

static void
show_summary(struct query *q)
{
	if (!q->has_format || q->format == FORMAT_TABLE)
		summary_text(q->summary, &q->out);
	else if (q->format == FORMAT_CSV)
		summary_csv(q->summary, &q->out);
	else
		summary_lines(q->summary, &q->out);
}

static int
finish(struct query *q)
{
	const struct counts *counts = &q->counts;
	char text[32];

	if (q->count) {
		int n = snprintf(
			text, sizeof(text), "%" PRIu64, counts->matched);
		wv_out_line(&q->out, text, (size_t)n);
	}
	if (q->sums)
		show_summary(q);
	wv_out_end(&q->out);
	if (counts->malformed > 0 || wv_verbose > 0)
		wv_warn("%" PRIu64 " events, %" PRIu64 " matched, %" PRIu64
			" lines malformed",
			counts->seen, counts->matched, counts->malformed);
	if (counts->seen + counts->malformed == 0 && !q->lines.allow_empty) {
		if (counts->status == WV_YES)
			wv_warn("no records");
		return WV_TROUBLE;
	}
	bool none = counts->matched == 0 && counts->seen > 0;
	int status = counts->malformed > 0 ? WV_TROUBLE : counts->status;
	return wv_worse(status, none ? WV_NO : WV_YES);
}

static void
take_format(struct query *q, const struct wv_opts *opts)
{
	static const char *const names[] = { "jsonl", "table", "csv", NULL };

	q->format = (enum format)wv_opt_choice(
		opts, "--format", opts->value, names);
	q->has_format = true;
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
	case OPT_TAIL:
		q->tail = (uint64_t)wv_opt_int(
			opts, "--tail", opts->value, 0, KEPT_RING_MAX);
		break;
	case 'j':
		q->jobs = (size_t)wv_opt_int(
			opts, "--jobs", opts->value, 1, JOBS_MAX);
		break;
	case 'f':
		take_format(q, opts);
		break;
	case 'F':
		q->follow = true;
		break;
	case OPT_REVERSE:
		q->reverse = true;
		break;
	case OPT_COUNT:
		q->count = true;
		break;
	case OPT_SUMMARY:
		q->sums = true;
		break;
	default:
		if (!wv_state_option(&q->state, id, opts))
			wv_lines_option(&q->lines, id, opts);
	}
}

/* What excludes what. */
static void
check_options(struct query *q, const struct wv_opts *opts)
{
	bool keeps = q->tail != UINT64_MAX || q->reverse;
	const char *file = opts->operands[0];

	if (q->count && q->sums)
		wv_usage(opts, "--count or --summary, not both");
	if ((q->count || q->sums) && (keeps || q->follow))
		wv_usage(opts,
			"--%s is of all events: not with --tail, --reverse, "
			"--follow",
			q->count ? "count" : "summary");
	if (q->tail != UINT64_MAX && q->limit != UINT64_MAX && !q->follow)
		wv_usage(opts, "--tail or --limit, not both");
	if (q->follow && q->reverse)
		wv_usage(opts, "--follow has no last event to --reverse from");
	if (q->follow && opts->operand_count > 1)
		wv_usage(opts, "--follow: one FILE only");
	if (q->follow && file != NULL &&
		(strcmp(file, "-") == 0 ||
			wv_ends_with(file, strlen(file), ".gz")))
		wv_usage(opts, "--follow: %s does not grow", file);
	for (char *const *f = opts->operands; *f != NULL; f++)
		if (strcmp(*f, "-") == 0 && isatty(STDIN_FILENO))
			wv_usage_terminal(opts);
}

static void
prepare(struct query *q)
{
	/* Of the last first the first n are the last n. */
	if (q->reverse && q->tail == UINT64_MAX) {
		q->tail = q->limit;
		q->limit = UINT64_MAX;
	}
	if (q->reverse || q->tail != UINT64_MAX)
		q->kept = kept_new(q);
	if (q->sums)
		q->summary = summary_new(&q->places);
	show_init(q);
	q->line.places = &q->places;
	q->shapes = shapes_new(&q->places, &q->lines.json);
	q->scan = (struct scan){ .lines = &q->lines,
		.malformed = &q->counts.malformed,
		.tell = query_tell,
		.arg = q };
	scan_start(&q->scan);
	wv_out_init(&q->out, STDOUT_FILENO, "standard output");
	if (!q->count && !q->sums)
		show_heading(q);
}

static void
clean_up(struct query *q)
{
	filter_free(q->filter);
	shapes_free(q->shapes);
	if (q->summary != NULL)
		summary_free(q->summary);
	kept_free(q->kept);
	scan_free(&q->scan);
}

int
query_main(int argc, char **argv)
{
	struct wv_opt *table = make_table();
	const struct wv_cmd cmd = {
		.tool = "wv-trace",
		.synopsis = synopsis,
		.about = "Prints events of the audit log; its subcommands "
			 "append to it, verify and seal it, and tell what "
			 "happened.",
		.opts = table,
		.examples = "  wv-trace --event denied --since 24h\n"
			    "  wv-trace --summary --since today\n",
	};
	struct query q = {
		.lines = WV_LINES_OPTIONS_INIT,
		.limit = UINT64_MAX,
		.tail = UINT64_MAX,
		.jobs = 1,
	};
	struct wv_opts opts;
	int id;

	places_init(&q.places);
	q.filter = filter_new(&q.places);
	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&q, &opts, id);
	filter_ready(q.filter, &opts);
	check_options(&q, &opts);
	prepare(&q);
	if (q.follow)
		follow(&q, opts.operands);
	else
		read_logs(&q, opts.operands);
	int status = finish(&q);
	clean_up(&q);
	wv_opt_end(&opts);
	free(table);
	return status;
}
