/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/segment.h"

#include "base/file.h"
#include "base/mem.h"
#include "kernel/audit.h"
#include "kernel/folder.h"
#include "kernel/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIVE "audit.jsonl"
#define NEXT "audit.jsonl.next"

void
wv_segment_name(char name[WV_SEGMENT_NAME], const struct wv_segment *segment)
{
	snprintf(name, WV_SEGMENT_NAME, LIVE ".%" PRIu64 "%s", segment->number,
		segment->gz ? ".gz" : "");
}

int
wv_segment_open(int dir, const struct wv_segment *segment, struct wv_err *err)
{
	char name[WV_SEGMENT_NAME];

	wv_segment_name(name, segment);
	return wv_folder_at(dir, name, O_RDONLY, err);
}

/* Whether a file is one: its name is what we would give it. */
static bool
is_segment(struct wv_segment *segment, const char *file)
{
	char name[WV_SEGMENT_NAME];
	char *end;

	if (strncmp(file, LIVE ".", sizeof(LIVE)) != 0)
		return false;
	segment->number = strtoull(file + sizeof(LIVE), &end, 10);
	segment->gz = strcmp(end, ".gz") == 0;
	wv_segment_name(name, segment);
	return segment->number > 0 && strcmp(name, file) == 0;
}

/* One that is being compressed has both names: the plain one is whole. */
static int
by_number(const void *p, const void *q)
{
	const struct wv_segment *a = p, *b = q;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (int)a->gz - (int)b->gz;
}

static void
sort(struct wv_segments *segments)
{
	struct wv_segment *list = segments->list;
	size_t count = 0;

	if (segments->count == 0)
		return;
	qsort(list, segments->count, sizeof(*list), by_number);
	for (size_t i = 0; i < segments->count; i++)
		if (count == 0 || list[count - 1].number != list[i].number)
			list[count++] = list[i];
	segments->count = count;
}

int
wv_segments_read(struct wv_segments *segments, int dir, uint64_t last,
	struct wv_err *err)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct wv_segment segment;
	size_t room = 0;

	segments->list = NULL;
	segments->count = 0;
	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return wv_err_sys(err, "the segments of the log");
	}
	while (last > 0 && (errno = 0, entry = readdir(folder)) != NULL) {
		if (!is_segment(&segment, entry->d_name) ||
			segment.number > last)
			continue;
		if (segments->count == room) {
			room = 2 * room + 16;
			segments->list = wv_xrealloc(
				segments->list, room * sizeof(*segments->list));
		}
		segments->list[segments->count++] = segment;
	}
	int error = last > 0 ? errno : 0;
	closedir(folder);
	sort(segments);
	errno = error;
	return error == 0 ? 0 : wv_err_sys(err, "the segments of the log");
}

void
wv_segments_free(struct wv_segments *segments)
{
	free(segments->list);
	segments->list = NULL;
	segments->count = 0;
}

static uint64_t
last_seq(struct wv_reader *in)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_link link;
	uint64_t seq = 0;

	while (wv_reader_next(in, NULL) == 1) {
		wv_arena_reset(&arena);
		if (wv_link_read(&link, &arena, in->line, in->len, NULL) == 0)
			seq = link.seq;
	}
	wv_arena_free(&arena);
	return seq;
}

uint64_t
wv_segment_seq(int dir, const struct wv_segment *segment)
{
	enum { LOOK = 2 * WV_EVENT_MAX };
	struct wv_reader in = { .left = UINT64_MAX, .max_line = LOOK };
	struct wv_err none = WV_ERR_INIT;
	uint64_t seq = 0;

	in.fd = wv_segment_open(dir, segment, &none);
	if (in.fd < 0)
		return 0;
	if (!segment->gz)
		lseek(in.fd, -LOOK, SEEK_END); /* or it is shorter */
	if (!segment->gz || (in.gz = wv_gz_new(in.fd, &none)) != NULL)
		seq = last_seq(&in);
	wv_reader_free(&in);
	wv_gz_free(in.gz);
	close(in.fd);
	return seq;
}

/* The new live log, with what a dead writer left of the old one, may have
 * been made; it is empty else. */
static int
put_next(int dir, struct wv_err *err)
{
	if (renameat(dir, NEXT, dir, LIVE) < 0) {
		int fd = errno == ENOENT
			? wv_folder_at(dir, LIVE, O_RDWR | O_CREAT, err)
			: -1;
		if (fd < 0)
			return wv_err_sys(err, LIVE);
		close(fd);
	}
	return fsync(dir) < 0 ? wv_err_sys(err, LIVE) : 0;
}

/* The file of this number ends with the head. */
static bool
ends_with(int dir, uint64_t number, const struct wv_head *head)
{
	const struct wv_segment segment = { .number = number };
	struct wv_err none = WV_ERR_INIT;
	struct stat st;
	int fd = wv_segment_open(dir, &segment, &none);
	bool ends = fd >= 0 && fstat(fd, &st) == 0 &&
		(uint64_t)st.st_size == head->end &&
		wv_audit_holds(fd, head, NULL) == 1;

	if (fd >= 0)
		close(fd);
	return ends;
}

int
wv_segment_live(
	int dir, int flags, struct wv_summit *summit, struct wv_err *err)
{
	struct wv_head *head = &summit->head;
	struct wv_err absent = WV_ERR_INIT;
	int fd = wv_folder_at(dir, LIVE, flags, &absent);

	if (fd < 0 && errno != ENOENT)
		return wv_err_set(err, "%s", absent.text);
	if (head->end == 0 || wv_audit_holds(fd, head, NULL) != 0 ||
		!ends_with(dir, summit->segment + 1, head)) {
		if (fd >= 0)
			return fd;
		errno = ENOENT;
		return wv_err_set(err, "%s", absent.text);
	}
	summit->segment++;
	head->end = head->len = 0;
	if (fd >= 0)
		return fd;
	if ((flags & O_ACCMODE) == O_RDONLY)
		/* Whoever only reads finds it empty. */
		return open("/dev/null", flags | O_CLOEXEC);
	return put_next(dir, err) < 0 ? -1
				      : wv_folder_at(dir, LIVE, flags, err);
}

/* n bytes at offset, of one file to the end of another. */
static int
copy(int to, int from, uint64_t offset, uint64_t n)
{
	char block[16 << 10];

	while (n > 0) {
		size_t want = n < sizeof(block) ? (size_t)n : sizeof(block);
		ssize_t got = pread(from, block, want, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EIO;
		if (got <= 0 || wv_write_all(to, block, (size_t)got) < 0)
			return -1;
		offset += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return 0;
}

/*
 * What a dead writer left of a line is moved: it is safe in the new file
 * before the old one loses it.
 */
static int
make_next(struct wv_state *state, struct wv_err *err)
{
	const struct wv_audit *audit = state->audit;
	uint64_t end = audit->head.end, torn = audit->size - end;
	int fd = wv_folder_at(state->dir, NEXT, O_RDWR | O_CREAT, err);

	if (fd < 0)
		return -1;
	bool good = ftruncate(fd, 0) == 0 &&
		copy(fd, audit->fd, end, torn) == 0 && fsync(fd) == 0 &&
		fsync(state->dir) == 0;
	if (good && torn > 0)
		good = ftruncate(audit->fd, (off_t)end) == 0 &&
			fsync(audit->fd) == 0;
	if (!good)
		wv_err_sys(err, NEXT);
	close(fd);
	return good ? 0 : -1;
}

/* In each step there is one file that ends with the head: the live one, or
 * the next segment. */
static int
swap(struct wv_state *state, uint64_t number, struct wv_err *err)
{
	const struct wv_segment segment = { .number = number };
	char name[WV_SEGMENT_NAME];
	struct stat st;

	wv_segment_name(name, &segment);
	if (fstatat(state->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return wv_err_set(err, "%s is there already", name);
	if (make_next(state, err) < 0)
		return -1;
	if (renameat(state->dir, LIVE, state->dir, name) < 0 ||
		fsync(state->dir) < 0)
		return wv_err_sys(err, "%s", name);
	return put_next(state->dir, err);
}

static int
rotate(struct wv_state *state, uint64_t *number, struct wv_err *err)
{
	struct wv_summit summit;

	if (wv_store_summit(state->store, &summit, err) < 0)
		return -1;
	summit.head = state->audit->head;
	*number = state->audit->segment;
	if (summit.head.end == 0)
		return 0;
	if (swap(state, ++*number, err) < 0)
		return -1;
	summit.segment = *number;
	summit.head.end = summit.head.len = 0;
	summit.newest = state->now;
	return wv_store_set_summit(state->store, &summit, err) < 0 ||
			wv_store_commit(state->store, err) < 0
		? -1
		: 1;
}

/* Only a log of which all is recorded is closed: what has to be settled first
 * is a group of its own. */
int
wv_state_rotate(struct wv_state *state, uint64_t *number, struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int status;

	for (;;) {
		if (wv_state_begin(state, err) < 0)
			return -1;
		if (!wv_audit_is_ahead(state->audit))
			break;
		if (wv_state_commit(state, err) < 0)
			return -1;
	}
	status = rotate(state, number, &inner);
	wv_state_rollback(state);
	return status < 0 ? wv_err_set(err, "%s: %s", state->path, inner.text)
			  : status;
}
