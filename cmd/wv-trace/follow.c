/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/msg.h"

#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WAIT_MS = 1000, /* what the kernel tells nothing of is looked for */
	NO_WATCH_MS = 200,
};

struct follow {
	struct query *q;
	struct source *source;   /* that grows */
	struct source file;      /* it, if it is a FILE */
	struct sources *sources; /* it is of them, if it is our own */
	uint64_t segments;       /* of our own, that have been read */
	int watch;               /* inotify; -1: there is none */
};

/* The folder, so that a new file of the name is told of too. */
static int
watch_folder(const char *name)
{
	char *path = wv_xstrdup(name);
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (watch >= 0 &&
		inotify_add_watch(watch, dirname(path),
			IN_MODIFY | IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO |
				IN_DELETE | IN_ATTRIB) < 0) {
		close(watch);
		watch = -1;
	}
	free(path);
	return watch;
}

static void
grow(struct source *source)
{
	source->in.left = UINT64_MAX;
	source->in.grows = true;
}

/* Everything that is there now, up to what grows; false: that is enough. */
static bool
open_own(struct follow *f)
{
	struct query *q = f->q;

	f->sources =
		sources_open(NULL, q->state, WV_STATE_READ, q->lines.max_line);
	while ((f->source = sources_next(f->sources)) != NULL) {
		if (f->source->segment > 0 && f->source->segment <= f->segments)
			continue;
		if (f->source->is_own) {
			f->segments = f->source->summit.segment;
			grow(f->source);
			break;
		}
		if (q->kept != NULL)
			kept_source(q->kept, f->source);
		if (query_read(q, f->source) != 1)
			return false;
	}
	return f->source != NULL;
}

static void
close_source(struct follow *f)
{
	if (f->sources != NULL)
		f->q->counts.status = wv_worse(
			f->q->counts.status, sources_close(f->sources));
	else if (f->source != NULL)
		source_close(f->source);
	f->sources = NULL;
	f->source = NULL;
}

static bool
open_file(struct follow *f, const char *name)
{
	if (source_file(&f->file, name, f->q->lines.max_line) < 0) {
		f->q->counts.status = WV_TROUBLE;
		return false;
	}
	f->source = &f->file;
	grow(f->source);
	return true;
}

/* Reads what is there; false: no more is wanted, or possible. */
static bool
drain(struct follow *f)
{
	struct wv_err err = WV_ERR_INIT;
	bool goes_on = query_read(f->q, f->source) == 1;

	if (f->q->kept == NULL && wv_out_flush(&f->q->out, &err) < 0)
		wv_die_err(&err);
	return goes_on;
}

/* Another file has the name now.  Nobody, or one that cannot be seen: wait. */
static bool
is_replaced(const struct follow *f)
{
	struct stat now, ours;

	return stat(f->source->name, &now) == 0 &&
		fstat(f->source->in.fd, &ours) == 0 &&
		(now.st_ino != ours.st_ino || now.st_dev != ours.st_dev);
}

/* The file has become shorter than what was read of it: begin anew.  Where
 * no more than what is no line yet was taken back, go on from there. */
static void
mind_truncation(struct follow *f)
{
	struct wv_reader *in = &f->source->in;
	off_t at = lseek(in->fd, 0, SEEK_CUR);
	struct stat st;

	if (at < 0 || fstat(in->fd, &st) < 0 || st.st_size >= at)
		return;
	if ((uint64_t)st.st_size < in->next) {
		wv_warn("%s: it was cut off; reading it from its beginning",
			f->source->name);
		in->number = in->next = 0;
	}
	lseek(in->fd, (off_t)in->next, SEEK_SET);
	in->buf.n = in->start = in->seen = 0;
	in->dropped = 0;
}

static bool
is_file(const struct source *source)
{
	struct stat st;

	return fstat(source->in.fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* The last of the old file, whose end is final now, and on with the new. */
static bool
change_over(struct follow *f, const char *file)
{
	if (!drain(f))
		return false;
	mind_truncation(f);
	f->source->in.grows = false;
	if (!drain(f))
		return false;
	/* Within a rotation there is no live log: nothing was closed. */
	f->segments += is_file(f->source);
	close_source(f);
	return file != NULL ? open_file(f, file) : open_own(f);
}

/* Until something may have changed.  Who reads no more is noticed even while
 * there is nothing to write. */
static void
wait_for_more(struct follow *f)
{
	char events[4096];
	struct pollfd fds[] = {
		{ .fd = f->watch, .events = POLLIN },
		{ .fd = STDOUT_FILENO, .events = 0 },
	};

	if (poll(fds, 2, f->watch >= 0 ? WAIT_MS : NO_WATCH_MS) < 0 &&
		errno != EINTR)
		wv_die("poll: %s", strerror(errno));
	if ((fds[1].revents & (POLLERR | POLLHUP)) != 0) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	if (f->watch >= 0)
		while (read(f->watch, events, sizeof(events)) > 0)
			;
}

/* Of what was there at first, only the last is shown; a limit counts from
 * then on. */
static void
show_kept(struct follow *f, uint64_t limit)
{
	struct query *q = f->q;

	kept_show(q->kept, q);
	kept_free(q->kept);
	q->kept = NULL;
	if (limit != UINT64_MAX)
		q->limit = q->counts.matched + limit;
}

static bool
open_first(struct follow *f, const char *file)
{
	struct query *q = f->q;
	uint64_t limit = q->limit;
	bool goes_on;

	if (q->kept != NULL)
		q->limit = UINT64_MAX;
	goes_on = file != NULL ? open_file(f, file) : open_own(f);
	if (!goes_on)
		return false;
	f->watch = watch_folder(f->source->name);
	if (q->kept != NULL) {
		kept_source(q->kept, f->source);
		goes_on = query_read(q, f->source) == 1;
		show_kept(f, limit);
	} else {
		goes_on = drain(f);
	}
	wv_note("%s: waiting for more", f->source->name);
	return goes_on;
}

void
follow(struct query *q, char *const *files)
{
	struct follow f = { .q = q, .watch = -1 };
	const char *file = files[0];
	bool goes_on = open_first(&f, file);

	while (goes_on && (goes_on = drain(&f))) {
		if (is_replaced(&f))
			goes_on = change_over(&f, file);
		else
			mind_truncation(&f);
		if (goes_on && (goes_on = drain(&f)) && !is_replaced(&f))
			wait_for_more(&f);
	}
	close_source(&f);
	if (f.watch >= 0)
		close(f.watch);
}
