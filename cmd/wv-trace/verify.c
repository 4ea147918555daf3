/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"
#include "walk.h"

#include "base/file.h"
#include "base/msg.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { OPT_EXPECT_HEAD = 256, OPT_EXPECT_COUNT };

static const char *const synopsis[] = { "verify [option...] [FILE...]", NULL };

static const struct wv_opt table[] = {
	{ OPT_EXPECT_HEAD, "expect-head", "HASH",
		"SHA-256 of the last line, kept elsewhere" },
	{ OPT_EXPECT_COUNT, "expect-count", "N", "how many lines there were" },
	WV_STATE_OPT,
	{ 0 },
};

static const struct wv_cmd cmd = {
	.tool = "wv-trace",
	.synopsis = synopsis,
	.about = "Tells whether a log is as it was written: the state's own "
		 "by what its store recorded, a FILE by itself.",
	.opts = table,
	.examples = "  wv-trace verify\n"
		    "  head -n 1000 audit.jsonl |\n"
		    "    wv-trace verify --expect-head HASH -\n",
};

/* What somebody kept elsewhere. */
struct anchors {
	const char *head;
	int64_t count; /* -1: not known */
};

static void
say(const struct source *source, const char *text)
{
	wv_warn("%s: %s", source->name, text);
}

static int
check_anchors(const struct source *source, const struct anchors *anchors,
	struct verdict *verdict)
{
	bool is_more = source->is_own
		? source->summit.head.seq + source->summit.lost.seq > 0
		: anchors->head != NULL || anchors->count > 0;

	if (verdict->lines == 0 && !is_more) {
		say(source, "empty: there is nothing to verify");
		return WV_TROUBLE;
	}
	if (anchors->count >= 0 && (uint64_t)anchors->count != verdict->lines) {
		wv_warn("%s: %" PRIu64 " lines, %" PRId64 " were expected",
			source->name, verdict->lines, anchors->count);
		verdict->faults++;
	}
	if (anchors->count >= 0 && anchors->head == NULL &&
		verdict->losses > 0) {
		say(source,
			"lines of it were lost, so that a count alone cannot "
			"tell: give the head too");
		verdict->faults++;
	}
	if (anchors->head != NULL &&
		strcmp(anchors->head, verdict->last) != 0) {
		say(source, "its last line is not the one that was expected");
		verdict->faults++;
	}
	if (!source->is_own && anchors->head == NULL && anchors->count < 0)
		say(source,
			"no anchor: lines that were cut off at the end, or a "
			"change of the last one, cannot be seen");
	return verdict->faults > 0 ? WV_NO : WV_YES;
}

static void
report(const struct source *source, const struct verdict *verdict,
	struct wv_out *out)
{
	struct wv_str line = { 0 };

	wv_str_cat(&line, "{\"source\":");
	wv_json_write_string(&line, source->name, strlen(source->name));
	if (verdict->log[0] != '\0') {
		wv_str_cat(&line, ",\"log\":");
		wv_json_write_string(&line, verdict->log, strlen(verdict->log));
	}
	wv_str_fmt(&line, ",\"lines\":%" PRIu64, verdict->lines);
	if (verdict->last[0] != '\0')
		wv_str_fmt(&line, ",\"head\":\"%s\"", verdict->last);
	if (verdict->losses > 0)
		wv_str_fmt(&line, ",\"losses\":%" PRIu64, verdict->losses);
	wv_str_fmt(&line, ",\"faults\":%" PRIu64 ",\"notes\":%" PRIu64 "}",
		verdict->faults, verdict->notes);
	wv_out_line(out, line.s, line.n);
	wv_str_free(&line);
}

static int
verify(struct source *source, const struct anchors *anchors, struct wv_out *out)
{
	struct verdict verdict;

	if (walk_log(source, &verdict) < 0)
		return WV_TROUBLE;
	int status = check_anchors(source, anchors, &verdict);
	if (status == WV_TROUBLE)
		return status;
	report(source, &verdict, out);
	wv_warn("%s: %s: %" PRIu64 " lines, %" PRIu64 " faults, %" PRIu64
		" notes",
		source->name,
		status != WV_YES             ? "tampered with"
			: verdict.losses > 0 ? "whole but for what was lost"
					     : "whole",
		verdict.lines, verdict.faults, verdict.notes);
	return status;
}

static int
verify_all(char *const *files, const char *state, const struct anchors *anchors,
	struct wv_out *out)
{
	struct source source;
	int status = WV_YES;

	if (files[0] == NULL) {
		source_own(&source, state, WV_STATE_VERIFY, WALK_LINE_MAX);
		status = verify(&source, anchors, out);
		source_close(&source);
	}
	for (; *files != NULL; files++) {
		if (source_file(&source, *files, WALK_LINE_MAX) < 0) {
			status = WV_TROUBLE;
			continue;
		}
		status = wv_worse(status, verify(&source, anchors, out));
		source_close(&source);
	}
	return status;
}

int
verify_main(int argc, char **argv)
{
	struct anchors anchors = { NULL, -1 };
	const char *state = NULL;
	struct wv_opts opts;
	struct wv_out out;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0) {
		if (id == OPT_EXPECT_HEAD)
			anchors.head = opts.value;
		else if (id == OPT_EXPECT_COUNT)
			anchors.count = wv_opt_int(&opts, "--expect-count",
				opts.value, 0, INT64_MAX);
		else
			wv_state_option(&state, id, &opts);
	}
	if (anchors.head != NULL && !wv_is_sha256_hex(anchors.head))
		wv_usage(&opts, "--expect-head: not 64 lower-case hex digits");
	if ((anchors.head != NULL || anchors.count >= 0) &&
		opts.operand_count > 1)
		wv_usage(&opts, "an anchor is for one log");
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	int status = verify_all(opts.operands, state, &anchors, &out);
	wv_out_end(&out);
	wv_opt_end(&opts);
	return status;
}
