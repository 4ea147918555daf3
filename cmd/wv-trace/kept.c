/* SPDX-License-Identifier: Apache-2.0 */
#include "query.h"

#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1024 }; /* places that are read at once */

/* Where a line stands. */
struct spot {
	uint64_t offset, len;
	size_t file; /* of the list; NO_FILE: it is in copy */
	char *copy;
};
#define NO_FILE SIZE_MAX

struct file {
	int fd;
	char *name;
};

/*
 * Memory does not grow with the log: lines of files stay where they are, and
 * their places are in a ring if it is known how many are wanted, else in a
 * file without a name.  Lines of pipes and of compressed files are kept: in
 * the ring, or in another such file.
 */
struct kept {
	bool reverse;
	uint64_t most;  /* UINT64_MAX: all */
	uint64_t count; /* of all that were added */
	struct spot *ring;
	size_t room; /* of the ring */
	FILE *spots, *lines;
	uint64_t lines_end;
	struct file *files;
	size_t file_count;
	bool by_copy;  /* of the current source */
	uint64_t base; /* offset of its beginning */

	struct spot block[BLOCK]; /* of the spots */
	uint64_t block_first;
	size_t block_count;
};

static FILE *
nameless(void)
{
	FILE *file = tmpfile();

	if (file == NULL)
		wv_die("cannot make a temporary file: %s", strerror(errno));
	return file;
}

struct kept *
kept_new(const struct query *q)
{
	struct kept *kept = wv_xcalloc(1, sizeof(*kept));

	kept->reverse = q->reverse;
	kept->most = q->tail;
	if (kept->most > KEPT_RING_MAX)
		kept->spots = nameless();
	return kept;
}

static size_t
add_file(struct kept *kept, int fd, const char *name)
{
	kept->files = wv_list_room(
		kept->files, kept->file_count, sizeof(*kept->files));
	kept->files[kept->file_count] =
		(struct file){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
			.name = wv_xstrdup(name) };
	if (kept->files[kept->file_count].fd < 0)
		wv_die("%s: %s", name, strerror(errno));
	return kept->file_count++;
}

void
kept_source(struct kept *kept, const struct source *source)
{
	struct stat st;
	off_t at = lseek(source->in.fd, 0, SEEK_CUR);

	kept->by_copy = at < 0 || source->in.gz != NULL ||
		fstat(source->in.fd, &st) < 0 || !S_ISREG(st.st_mode);
	if (!kept->by_copy) {
		kept->base = (uint64_t)at;
		add_file(kept, source->in.fd, source->name);
	} else if (kept->ring == NULL && kept->spots != NULL &&
		kept->lines == NULL) {
		kept->lines = nameless();
	}
}

static struct spot *
ring_spot(struct kept *kept)
{
	if (kept->room < kept->most && kept->count == kept->room) {
		size_t room = 2 * kept->room + 16;
		if (room > kept->most)
			room = (size_t)kept->most;
		kept->ring =
			wv_xrealloc(kept->ring, room * sizeof(*kept->ring));
		memset(kept->ring + kept->room, 0,
			(room - kept->room) * sizeof(*kept->ring));
		kept->room = room;
	}
	struct spot *spot = &kept->ring[kept->count % kept->room];
	free(spot->copy);
	spot->copy = NULL;
	return spot;
}

static void
write_some(FILE *file, const void *p, size_t n)
{
	if (fwrite(p, 1, n, file) != n)
		wv_die("cannot write a temporary file: %s", strerror(errno));
}

void
kept_add(
	struct kept *kept, const struct source *source, const struct line *line)
{
	struct spot spot = { .len = line->n, .file = NO_FILE };

	if (kept->most == 0)
		return;
	if (!kept->by_copy) {
		spot.file = kept->file_count - 1;
		spot.offset = kept->base + source->in.offset +
			(uint64_t)(line->s - source->in.line);
	} else if (kept->lines != NULL) {
		spot.offset = kept->lines_end;
		write_some(kept->lines, line->s, line->n);
		kept->lines_end += line->n;
	} else {
		spot.copy = wv_xmalloc(line->n + WV_JSON_SLACK);
		memcpy(spot.copy, line->s, line->n);
		memset(spot.copy + line->n, 0, WV_JSON_SLACK);
	}
	if (kept->spots != NULL)
		write_some(kept->spots, &spot, sizeof(spot));
	else
		*ring_spot(kept) = spot;
	kept->count++;
}

static void
read_some(int fd, const char *name, void *to, size_t n, uint64_t offset)
{
	char *p = to;

	while (n > 0) {
		ssize_t got = pread(fd, p, n, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			wv_die("%s: cannot read it: %s", name, strerror(errno));
		if (got == 0)
			wv_die("%s: it was cut off meanwhile", name);
		p += got;
		n -= (size_t)got;
		offset += (uint64_t)got;
	}
}

/* The i-th of those that were added. */
static const struct spot *
get_spot(struct kept *kept, uint64_t i)
{
	if (kept->spots == NULL)
		return &kept->ring[i % kept->room];
	if (i < kept->block_first ||
		i >= kept->block_first + kept->block_count) {
		kept->block_first = i / BLOCK * BLOCK;
		uint64_t left = kept->count - kept->block_first;
		kept->block_count = left < BLOCK ? (size_t)left : BLOCK;
		read_some(fileno(kept->spots), "a temporary file", kept->block,
			kept->block_count * sizeof(*kept->block),
			kept->block_first * sizeof(*kept->block));
	}
	return &kept->block[i - kept->block_first];
}

static void
show_spot(struct kept *kept, struct query *q, const struct spot *spot,
	struct wv_str *text)
{
	const char *s = spot->copy;

	if (s == NULL) {
		bool is_line = spot->file == NO_FILE;
		text->n = 0;
		char *to = wv_str_room(text, spot->len + WV_JSON_SLACK);
		read_some(is_line ? fileno(kept->lines)
				  : kept->files[spot->file].fd,
			is_line ? "a temporary file"
				: kept->files[spot->file].name,
			to, spot->len, spot->offset);
		memset(to + spot->len, 0, WV_JSON_SLACK);
		s = to;
	}
	if (q->format == FORMAT_LINES)
		wv_out_line(&q->out, s, spot->len);
	else if (query_reread(q, s, spot->len))
		show_line(q, &q->line);
}

void
kept_show(struct kept *kept, struct query *q)
{
	uint64_t first =
		kept->count > kept->most ? kept->count - kept->most : 0;
	struct wv_str text = { 0 };

	if ((kept->spots != NULL && fflush(kept->spots) != 0) ||
		(kept->lines != NULL && fflush(kept->lines) != 0))
		wv_die("cannot write a temporary file: %s", strerror(errno));
	for (uint64_t i = first; i < kept->count; i++)
		show_spot(kept, q,
			get_spot(kept,
				kept->reverse ? kept->count - 1 - (i - first)
					      : i),
			&text);
	wv_str_free(&text);
}

void
kept_free(struct kept *kept)
{
	if (kept == NULL)
		return;
	for (size_t i = 0; i < kept->room; i++)
		free(kept->ring[i].copy);
	for (size_t i = 0; i < kept->file_count; i++) {
		close(kept->files[i].fd);
		free(kept->files[i].name);
	}
	if (kept->spots != NULL)
		fclose(kept->spots);
	if (kept->lines != NULL)
		fclose(kept->lines);
	free(kept->files);
	free(kept->ring);
	free(kept);
}
