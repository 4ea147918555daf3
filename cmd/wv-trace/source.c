/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/msg.h"
#include "kernel/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
init(struct source *source, size_t max_line)
{
	memset(source, 0, sizeof(*source));
	source->in.fd = -1;
	source->in.max_line = max_line;
	source->in.left = UINT64_MAX;
}

static void
own(struct source *source, struct wv_state *state, size_t max_line)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str name = { 0 };

	init(source, max_line);
	source->in.fd =
		wv_state_log(state, &source->summit, &source->size, &err);
	if (source->in.fd < 0)
		wv_die_err(&err);
	wv_str_fmt(&name, "%s/audit.jsonl", state->path);
	source->name = name.s;
	source->is_own = true;
	source->in.left = source->size;
}

void
source_own(struct source *source, const char *state_path, enum wv_state_use use,
	size_t max_line)
{
	struct wv_state *state = wv_state_need(state_path, use, false);

	own(source, state, max_line);
	wv_state_close(state);
}

/* What is read of an open file; -1 if it is nothing that can be. */
static int
prepare(struct source *source, struct wv_err *err)
{
	struct wv_reader *in = &source->in;
	struct stat st;

	if (in->fd < 0 || fstat(in->fd, &st) < 0)
		return wv_err_sys(err, "cannot open it");
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return wv_err_sys(err, "cannot open it");
	}
	if (!wv_ends_with(source->name, strlen(source->name), ".gz"))
		return 0;
	in->gz = wv_gz_new(in->fd, err);
	return in->gz != NULL ? 0 : -1;
}

static int
give_up(struct source *source, struct wv_err *err)
{
	err->source = source->name;
	wv_warn_err(err);
	source_close(source);
	return -1;
}

int
source_file(struct source *source, const char *file, size_t max_line)
{
	struct wv_err err = WV_ERR_INIT;

	init(source, max_line);
	if (strcmp(file, "-") == 0) {
		source->name = wv_xstrdup("stdin");
		source->in.fd = STDIN_FILENO;
		return 0;
	}
	source->name = wv_xstrdup(file);
	source->in.fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return prepare(source, &err) < 0 ? give_up(source, &err) : 0;
}

void
source_close(struct source *source)
{
	wv_reader_free(&source->in);
	wv_gz_free(source->in.gz);
	source->in.gz = NULL;
	if (source->in.fd > STDIN_FILENO)
		close(source->in.fd);
	source->in.fd = -1;
	free(source->name);
	source->name = NULL;
}

struct sources {
	size_t max_line;
	int status;
	bool is_open; /* source is */
	struct source source;
	char *const *files; /* the next; NULL: the state's own */

	struct source live;
	bool live_left; /* to be read */
	char *path;     /* of the state */
	int dir;
	struct wv_segments segments;
	size_t next; /* of them */
};

static void
open_own(struct sources *sources, const char *path, enum wv_state_use use)
{
	struct wv_state *state = wv_state_need(path, use, false);
	struct wv_err err = WV_ERR_INIT;

	own(&sources->live, state, sources->max_line);
	sources->live_left = true;
	sources->path = wv_xstrdup(state->path);
	sources->dir = fcntl(state->dir, F_DUPFD_CLOEXEC, 0);
	if (sources->dir < 0)
		wv_die("%s: %s", state->path, strerror(errno));
	if (wv_segments_read(&sources->segments, sources->dir,
		    sources->live.summit.segment, &err) < 0) {
		err.source = sources->path;
		wv_die_err(&err);
	}
	wv_state_close(state);
}

struct sources *
sources_open(char *const *files, const char *state, enum wv_state_use use,
	size_t max_line)
{
	struct sources *sources = wv_xcalloc(1, sizeof(*sources));

	sources->max_line = max_line;
	sources->dir = -1;
	if (files != NULL && files[0] != NULL)
		sources->files = files;
	else
		open_own(sources, state, use);
	return sources;
}

/* Between two that are there. */
static void
tell_missing(struct sources *sources, uint64_t from, uint64_t to)
{
	if (from > to)
		return;
	wv_warn("%s: audit.jsonl.%" PRIu64 " is missing%s", sources->path, from,
		from < to ? ", and others after it" : "");
	sources->status = WV_TROUBLE;
}

static int
open_segment(struct sources *sources, struct wv_segment segment)
{
	struct source *source = &sources->source;
	struct wv_err err = WV_ERR_INIT;
	struct wv_str name = { 0 };
	char file[WV_SEGMENT_NAME];

	init(source, sources->max_line);
	source->segment = segment.number;
	source->in.fd = wv_segment_open(sources->dir, &segment, &err);
	if (source->in.fd < 0 && errno == ENOENT && !segment.gz) {
		/* It has been compressed meanwhile. */
		wv_err_clear(&err);
		segment.gz = true;
		source->in.fd = wv_segment_open(sources->dir, &segment, &err);
	}
	wv_segment_name(file, &segment);
	wv_str_fmt(&name, "%s/%s", sources->path, file);
	source->name = name.s;
	return prepare(source, &err) < 0 ? give_up(source, &err) : 0;
}

/* 1 it is open, 0 there is none, -1 it cannot be opened. */
static int
open_next_own(struct sources *sources)
{
	const struct wv_segments *segments = &sources->segments;

	if (sources->next < segments->count) {
		struct wv_segment segment = segments->list[sources->next++];
		if (sources->next > 1)
			tell_missing(sources,
				segments->list[sources->next - 2].number + 1,
				segment.number - 1);
		return open_segment(sources, segment) < 0 ? -1 : 1;
	}
	if (!sources->live_left)
		return 0;
	if (segments->count > 0)
		tell_missing(sources,
			segments->list[segments->count - 1].number + 1,
			sources->live.summit.segment);
	sources->live_left = false;
	sources->source = sources->live;
	return 1;
}

static int
open_next(struct sources *sources)
{
	if (sources->files == NULL)
		return open_next_own(sources);
	if (*sources->files == NULL)
		return 0;
	return source_file(&sources->source, *sources->files++,
		       sources->max_line) < 0
		? -1
		: 1;
}

struct source *
sources_next(struct sources *sources)
{
	int got;

	if (sources->is_open)
		source_close(&sources->source);
	sources->is_open = false;
	while ((got = open_next(sources)) < 0)
		sources->status = WV_TROUBLE;
	sources->is_open = got == 1;
	return got == 1 ? &sources->source : NULL;
}

int
sources_close(struct sources *sources)
{
	int status = sources->status;

	if (sources->is_open)
		source_close(&sources->source);
	if (sources->live_left)
		source_close(&sources->live);
	wv_segments_free(&sources->segments);
	if (sources->dir >= 0)
		close(sources->dir);
	free(sources->path);
	free(sources);
	return status;
}
