/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "base/msg.h"
#include "kernel/audit.h"
#include "kernel/segment.h"
#include "kernel/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_EXPECT_HEAD = 256,
	OPT_EXPECT_COUNT,
	OPT_CHECKPOINT,
	OPT_KEYRING,
	OPT_MAX_AGE,
	OPT_LIFECYCLE,
};

static const char *const synopsis[] = { "verify [option...] [FILE...]", NULL };

static const struct wv_opt table[] = {
	{ OPT_EXPECT_HEAD, "expect-head", "HASH",
		"SHA-256 of the last line, kept elsewhere" },
	{ OPT_EXPECT_COUNT, "expect-count", "N", "how many lines there were" },
	{ OPT_CHECKPOINT, "checkpoint", "FILE",
		"signed heads (wv-trace seal), kept elsewhere" },
	{ OPT_KEYRING, "keyring", "FILE",
		"whose signatures count (WV_KEYRING)" },
	{ OPT_MAX_AGE, "max-age", "D",
		"the last event, or checkpoint, is not older" },
	{ OPT_LIFECYCLE, "lifecycle", NULL,
		"check that the events fit together, too" },
	WV_STATE_OPT,
	{ WV_OPT_NOW, "now", "TIME", "what time it is" },
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Tells whether a log is as it was written: the state's own "
		 "by what its store recorded, a FILE by itself.",
	.opts = table,
	.examples = "  wv-trace verify\n"
		    "  wv-trace verify audit.jsonl.1.gz audit.jsonl.2\n"
		    "  wv-trace verify --checkpoint kept.jsonl "
		    "--keyring keyring.json\n"
		    "  head -n 1000 audit.jsonl |\n"
		    "    wv-trace verify --expect-head HASH -\n",
};

static void
see_last(struct watch *watch, const char *line, size_t len)
{
	struct last *last = (struct last *)watch;

	last->line.n = 0;
	wv_str_add(&last->line, line, len);
}

static void
begin_checkpoints(struct verify *v)
{
	struct checkpoints *c = &v->checkpoints;
	struct wv_err err = WV_ERR_INIT;

	*c = (struct checkpoints){ .name = v->checkpoint,
		.keyring = v->keyring };
	c->in.fd = open(v->checkpoint, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (c->in.fd < 0) {
		wv_err_sys(&err, "cannot open it");
		err.source = v->checkpoint;
		wv_die_err(&err);
	}
	checkpoints_start(c);
	if (c->count == 0)
		wv_die("%s: there is no checkpoint in it", v->checkpoint);
}

static void
begin(struct verify *v)
{
	struct watch *watches = NULL;

	v->status = WV_YES;
	if (v->checkpoint != NULL) {
		begin_checkpoints(v);
		watches = &v->checkpoints.watch;
	}
	if (v->max_age_ms >= 0) {
		v->last.line.n = 0;
		v->last.watch =
			(struct watch){ .line = see_last, .next = watches };
		watches = &v->last.watch;
	}
	if (v->wants_lifecycle) {
		v->lifecycle = lifecycle_new();
		lifecycle_watch(v->lifecycle)->next = watches;
		watches = lifecycle_watch(v->lifecycle);
	}
	v->walk = walk_new(watches);
	v->checkpoints.walk = v->walk;
	if (v->lifecycle != NULL)
		lifecycle_on(v->lifecycle, v->walk);
}

/* The end of a log, if one was begun. */
static int
end(struct verify *v)
{
	struct verdict verdict;

	if (v->walk == NULL)
		return WV_YES;
	if (v->lifecycle != NULL && !lifecycle_end(v->lifecycle))
		v->status = WV_TROUBLE;
	if (v->checkpoint != NULL) {
		checkpoints_end(&v->checkpoints, NULL);
		v->status = wv_worse(v->status, v->checkpoints.status);
		close(v->checkpoints.in.fd);
	}
	walk_end(v->walk, &verdict);
	verdict.faults += v->checkpoints.faults;
	v->walk = NULL;
	int status = v->status == WV_TROUBLE && verdict.lines == 0
		? WV_TROUBLE
		: verify_judge(v, &verdict);
	checkpoints_free(&v->checkpoints);
	lifecycle_free(v->lifecycle);
	v->lifecycle = NULL;
	free(v->name);
	v->name = NULL;
	return status;
}

static void
walk(struct verify *v, struct source *source)
{
	free(v->name);
	v->name = wv_xstrdup(source->name);
	if (walk_file(v->walk, source) < 0)
		v->status = WV_TROUBLE;
}

/* A segment of which the store knows nothing: nobody has to look at a copy of
 * what is known, but what goes on beyond it was forgotten. */
static void
check_newer(struct verify *v, int dir, const struct wv_segment *segment,
	uint64_t known)
{
	uint64_t seq = wv_segment_seq(dir, segment);
	char name[WV_SEGMENT_NAME];

	wv_segment_name(name, segment);
	if (seq > known)
		walk_fault(v->walk,
			"%s goes on to line %" PRIu64 ", and the store knows "
			"of none after line %" PRIu64 ": an older state was "
			"put back, or a new one made",
			name, seq, known);
}

/* What is there before the log is opened, which another may rotate. */
static int
list_segments(struct verify *v, struct wv_segments *all)
{
	struct wv_state *state =
		wv_state_need(v->state, WV_STATE_VERIFY, false);
	struct wv_err err = WV_ERR_INIT;
	int dir = fcntl(state->dir, F_DUPFD_CLOEXEC, 0);

	if (dir < 0)
		wv_die("%s: %s", state->path, strerror(errno));
	if (wv_segments_read(all, dir, UINT64_MAX, &err) < 0)
		wv_die_err(&err);
	wv_state_close(state);
	return dir;
}

static int
verify_own(struct verify *v)
{
	struct wv_segments all;
	int dir = list_segments(v, &all);
	struct sources *sources =
		sources_open(NULL, v->state, WV_STATE_VERIFY, WALK_LINE_MAX);
	struct wv_summit summit = { .segment = UINT64_MAX };
	struct source *source;

	begin(v);
	while ((source = sources_next(sources)) != NULL) {
		summit = source->is_own ? source->summit : summit;
		walk(v, source);
	}
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i].number > summit.segment)
			check_newer(v, dir, &all.list[i], summit.head.seq);
	wv_segments_free(&all);
	close(dir);
	int status = end(v);
	int trouble = sources_close(sources);
	/* That a segment is missing is a fault already. */
	return status == WV_YES ? trouble : status;
}

/* Whether a file says that it goes on from another.  Of standard input that
 * cannot be known beforehand. */
static bool
goes_on(const char *file)
{
	enum { LOOK = 64 };
	struct wv_arena arena = WV_ARENA_INIT;
	struct source source;
	struct wv_link link = { 0 };
	bool found = false;

	if (strcmp(file, "-") == 0 ||
		source_file(&source, file, WALK_LINE_MAX) < 0)
		return false;
	for (int i = 0; i < LOOK && !found; i++) {
		wv_arena_reset(&arena);
		if (wv_reader_next(&source.in, NULL) != 1)
			break;
		found = wv_link_read(&link, &arena, source.in.line,
				source.in.len, NULL) == 0;
	}
	source_close(&source);
	wv_arena_free(&arena);
	return found && link.segment > 0;
}

static int
verify_files(struct verify *v, char *const *files)
{
	struct source source;
	int status = WV_YES;

	for (char *const *file = files; *file != NULL; file++) {
		if (file > files && access(*file, R_OK) == 0 && !goes_on(*file))
			status = wv_worse(status, end(v));
		if (source_file(&source, *file, WALK_LINE_MAX) < 0) {
			status = WV_TROUBLE;
			continue;
		}
		if (v->walk == NULL)
			begin(v);
		walk(v, &source);
		source_close(&source);
	}
	return wv_worse(status, end(v));
}

static void
read_option(struct verify *v, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_EXPECT_HEAD:
		v->head = opts->value;
		break;
	case OPT_EXPECT_COUNT:
		v->count = wv_opt_int(
			opts, "--expect-count", opts->value, 0, INT64_MAX);
		break;
	case OPT_CHECKPOINT:
		v->checkpoint = opts->value;
		break;
	case OPT_KEYRING:
		v->keyring_path = opts->value;
		break;
	case OPT_MAX_AGE:
		v->max_age_ms = wv_opt_duration(opts, "--max-age", opts->value);
		break;
	case OPT_LIFECYCLE:
		v->wants_lifecycle = true;
		break;
	default:
		wv_state_option(&v->state, id, opts);
	}
}

static void
check_options(struct verify *v, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	if (v->head != NULL && !wv_is_sha256_hex(v->head))
		wv_usage(opts, "--expect-head: not 64 lower-case hex digits");
	if (v->checkpoint == NULL)
		return;
	v->keyring_path = wv_system_choose(wv_system()->keyring, "--keyring",
		v->keyring_path, "WV_KEYRING");
	if (v->keyring_path == NULL)
		wv_usage(opts,
			"--checkpoint: whose signatures count? give --keyring "
			"FILE");
	v->keyring = wv_keyring_load(v->keyring_path, &err);
	if (v->keyring == NULL)
		wv_die_err(&err);
}

int
verify_main(int argc, char **argv)
{
	struct verify v = { .count = -1, .max_age_ms = -1 };
	struct wv_opts opts;
	int id, status;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		read_option(&v, &opts, id);
	check_options(&v, &opts);
	wv_out_init(&v.out, STDOUT_FILENO, "standard output");
	status = opts.operands[0] == NULL ? verify_own(&v)
					  : verify_files(&v, opts.operands);
	wv_out_end(&v.out);
	wv_str_free(&v.last.line);
	wv_keyring_free(v.keyring);
	wv_opt_end(&opts);
	return status;
}
