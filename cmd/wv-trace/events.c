/* SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include "base/file.h"
#include "base/msg.h"
#include "firewall/firewall.h"
#include "scan.h"

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
	struct scan scan;
	uint64_t malformed;
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
tell(void *arg, struct wv_err *err)
{
	const struct reading *r = arg;

	if (r->in->readings == 0)
		wv_warn_err(err);
}

void
events_bad(struct events *in, struct wv_err *err)
{
	scan_bad(&in->reading->scan, in->reading->source, err);
}

static void
take(struct reading *r, const struct source *source)
{
	struct span text;
	cJSON *event = scan_read(&r->scan, source, &text);

	if (event == NULL || !scan_event(&r->scan, source, event))
		return;
	if (r->in->readings == 0)
		r->in->seen++;
	if (!r->hear(r->arg, event))
		r->over = true;
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
	while (!r->over && !scan_is_over(&r->scan) &&
		(more = next_line(r, source, &err)) == 1) {
		take(r, source);
		if (r->in->readings == 0)
			wv_progress(r->in->seen);
	}
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
	r.scan = (struct scan){ .lines = &in->lines,
		.malformed = &r.malformed,
		.tell = tell,
		.arg = &r };
	scan_start(&r.scan);
	in->reading = &r;
	while (!r.over && !scan_is_over(&r.scan) &&
		(source = sources_next(sources)) != NULL)
		read_source(&r, source);
	in->reading = NULL;
	scan_settle(&r.scan, NULL);
	if (in->readings == 0 && r.malformed > 0) {
		in->malformed = r.malformed;
		in->status = WV_TROUBLE;
	}
	in->status = wv_worse(in->status, sources_close(sources));
	in->readings++;
	scan_free(&r.scan);
}

void
events_redact(struct wv_arena *arena, cJSON *record)
{
	const char *principal = wv_get_string(record, "principal");
	struct wv_findings findings = { 0 };

	wv_redact_tree(arena, record, &findings);
	if (principal != NULL)
		wv_put_string(arena, record, "principal", principal);
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
