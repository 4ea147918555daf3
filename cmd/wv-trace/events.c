/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include "base/file.h"
#include "base/msg.h"
#include "kernel/audit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reading {
	struct events *in;
	events_hear *hear;
	void *arg;
	const struct source *source;
	struct wv_arena arena;
	struct wv_chain torn; /* what a dying writer may have left */
	bool over;
};

void
events_option(struct events *in, int id, const struct wv_opts *opts)
{
	if (id == WV_OPT_NOW)
		wv_opt_now(opts);
	else if (!wv_state_option(&in->state, id, opts))
		wv_lines_option(&in->lines, id, opts);
}

static int
copy(int from, int to)
{
	char block[1 << 16];
	ssize_t n;

	do {
		n = read(from, block, sizeof block);
		if (n > 0 && wv_write_all(to, block, (size_t)n) < 0)
			return -1;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? -1 : 0;
}

/* A descriptor of a copy that is gone when it is closed. */
static int
copied(int fd, const char *name)
{
	FILE *file = tmpfile();
	int kept = file != NULL ? dup(fileno(file)) : -1;

	if (kept < 0 || copy(fd, kept) < 0 || lseek(kept, 0, SEEK_SET) < 0) {
		struct wv_err err = WV_ERR_INIT;
		wv_err_sys(&err, "%s: cannot keep a copy of it", name);
		wv_die_err(&err);
	}
	fclose(file);
	return kept;
}

static bool
is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static void
keep_stdin(struct events *in)
{
	if (in->stdin_kept)
		return;
	if (!is_regular(STDIN_FILENO)) {
		int fd = copied(STDIN_FILENO, "stdin");
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
	in->stdin_from = lseek(STDIN_FILENO, 0, SEEK_CUR);
	in->stdin_kept = true;
}

/* The name of a file that can be read again: itself, if it can be. */
static char *
keep_file(const char *name)
{
	struct wv_str path = { 0 };
	struct stat st;
	int fd;

	if (stat(name, &st) < 0 || !S_ISFIFO(st.st_mode))
		return wv_xstrdup(name);
	FILE *pipe = fopen(name, "re");
	if (pipe == NULL)
		return wv_xstrdup(name);
	fd = copied(fileno(pipe), name);
	fclose(pipe);
	wv_str_fmt(&path, "/dev/fd/%d", fd);
	return path.s;
}

void
events_keep(struct events *in)
{
	size_t n = 0;

	while (in->files[n] != NULL)
		n++;
	in->kept = wv_xcalloc(n + 1, sizeof *in->kept);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(in->files[i], "-") == 0) {
			keep_stdin(in);
			in->kept[i] = wv_xstrdup("-");
		} else {
			in->kept[i] = keep_file(in->files[i]);
		}
	}
	in->files = in->kept;
}

static void
tell(struct reading *r, struct wv_err *err)
{
	err->source = r->source->name;
	err->line = r->source->in.number;
	if (err->column == 0)
		err->column = 1;
	if (r->in->readings == 0)
		wv_warn_err(err);
}

static void
count_bad(struct reading *r, uint64_t lines)
{
	if (lines == 0)
		return;
	r->over = r->in->lines.fail_fast;
	if (r->in->readings > 0)
		return;
	r->in->malformed += lines;
	r->in->status = WV_TROUBLE;
}

void
events_bad(struct events *in, struct wv_err *err)
{
	tell(in->reading, err);
	count_bad(in->reading, 1);
}

/* Whether torn lines were malformed is for the line after them to say. */
static void
settle_torn(struct reading *r, const cJSON *next)
{
	const cJSON *gap = wv_get(wv_get(next, "x_wv_chain"), "gap");
	const char *sha256 = wv_get_string(gap, "sha256");
	char torn[WV_SHA256_HEX];

	if (r->torn.torn_lines == 0)
		return;
	wv_chain_torn_hash(&r->torn, torn);
	if (sha256 == NULL || strcmp(sha256, torn) != 0)
		count_bad(r, r->torn.torn_lines);
	wv_chain_start(&r->torn, NULL);
}

static void
take_torn(struct reading *r, const char *line, size_t len, struct wv_err *err)
{
	bool is_cut = !r->source->in.ended && wv_json_incomplete(err);
	struct wv_err last = WV_ERR_INIT;

	if (is_cut)
		wv_err_set(&last, "incomplete last line");
	tell(r, is_cut ? &last : err);
	/* A live log ends so when its writer died or is not done. */
	if (!is_cut || !r->source->is_own)
		wv_chain_skip(&r->torn, line, len);
}

static void
take_line(struct reading *r, const char *line, size_t len)
{
	static const char *const needed[] = { "event_id", "event_type",
		"timestamp" };
	struct wv_err err = WV_ERR_INIT;
	cJSON *event;

	wv_arena_reset(&r->arena);
	event = wv_json_read(&r->arena, line, len, &r->in->lines.json, &err);
	if (event == NULL) {
		take_torn(r, line, len, &err);
		return;
	}
	settle_torn(r, event);
	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (wv_get_string(event, needed[i]) == NULL)
			wv_err_set(&err, "not a TraceEvent: no %s", needed[i]);
	if (wv_err_is_set(&err)) {
		tell(r, &err);
		count_bad(r, 1);
		return;
	}
	if (r->in->readings == 0)
		r->in->seen++;
	if (!r->hear(r->arg, event))
		r->over = true;
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
take(struct reading *r, const struct wv_reader *in)
{
	const char *line = in->line;
	size_t len = in->len;

	if (in->too_long) {
		struct wv_err err = WV_ERR_INIT;
		wv_err_set(&err, "line longer than %zu bytes (--max-line)",
			r->in->lines.max_line);
		tell(r, &err);
		count_bad(r, 1);
		return;
	}
	if (in->number == 1 && len >= 3 &&
		memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		len -= 3;
	}
	if (!is_blank(line, len))
		take_line(r, line, len);
}

static int
next_line(struct reading *r, struct source *source, struct wv_err *err)
{
	if (r->in->idle != NULL && !source->is_own &&
		!wv_reader_ready(&source->in))
		r->in->idle(r->in->idle_arg);
	return wv_reader_next(&source->in, err);
}

static void
read_source(struct reading *r, struct source *source)
{
	struct wv_err err = WV_ERR_INIT;
	int more = 0;

	r->source = source;
	while (!r->over && (more = next_line(r, source, &err)) == 1) {
		take(r, &source->in);
		if (r->in->readings == 0)
			wv_progress(r->in->seen);
	}
	if (source->segment == 0)
		settle_torn(r, NULL);
	if (more < 0) {
		err.source = source->name;
		wv_warn_err(&err);
		r->in->status = WV_TROUBLE;
	}
}

void
events_read(struct events *in, events_hear *hear, void *arg)
{
	struct reading r = { .in = in, .hear = hear, .arg = arg };
	struct sources *sources;
	struct source *source;

	if (in->stdin_kept)
		lseek(STDIN_FILENO, in->stdin_from, SEEK_SET);
	sources = sources_open(
		in->files, in->state, WV_STATE_READ, in->lines.max_line);
	wv_chain_start(&r.torn, NULL);
	in->reading = &r;
	while (!r.over && (source = sources_next(sources)) != NULL)
		read_source(&r, source);
	in->reading = NULL;
	in->status = wv_worse(in->status, sources_close(sources));
	in->readings++;
	wv_arena_free(&r.arena);
}

int
events_end(struct events *in)
{
	if (in->malformed > 0)
		wv_warn("%" PRIu64 " events, %" PRIu64 " lines malformed",
			in->seen, in->malformed);
	if (in->seen + in->malformed == 0 && !in->lines.allow_empty) {
		wv_warn("no records");
		in->status = WV_TROUBLE;
	}
	for (char **kept = in->kept; kept != NULL && *kept != NULL; kept++)
		free(*kept);
	free(in->kept);
	in->kept = NULL;
	return in->status;
}
