/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever bytes a dying writer left, lines are read as they stand, and a
 * group that is written after them leaves a log that is chained to its end:
 * every line follows, or a gap accounts for it.
 */
#include "base/file.h"
#include "json/skim.h"
#include "kernel/audit.h"
#include "kernel/reader.h"

#include "must.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct wv_arena arena;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
file_of(const void *p, size_t n)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	must(fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0);
	must(wv_write_all(fd, p, n) == 0);
	return fd;
}

/* The lines make up the file again; long ones are passed by whole. */
static void
check_reader(const uint8_t *data, size_t size, size_t max_line)
{
	struct wv_reader in = { .fd = file_of(data, size),
		.left = UINT64_MAX,
		.max_line = max_line };
	uint64_t offset = 0, number = 0;

	must(lseek(in.fd, 0, SEEK_SET) == 0);
	while (wv_reader_next(&in, NULL) == 1) {
		must(in.number == ++number && in.offset == offset);
		must(in.too_long ||
			memcmp(in.line, data + offset, in.len) == 0);
		offset = in.next;
		must(!in.ended || data[offset - 1] == '\n');
		must(in.ended || offset == size);
	}
	must(offset == size);
	close(in.fd);
	wv_reader_free(&in);
}

static int
each(void *arg, const struct wv_link *link, struct wv_err *err)
{
	must(link->event != NULL && link->seq > 0);
	++*(uint64_t *)arg;
	wv_arena_reset(&arena);
	return 0;
}

/* Appends an event to what is there, as a group after a crash does. */
static void
append(int fd, const struct wv_head *head, struct wv_head *last)
{
	struct wv_audit audit = { .fd = -1 };
	const struct wv_summit summit = { .head = *head };
	static const char event[] = "{\"event_id\":\"evt-1\"}";
	uint64_t followed = 0;

	must(wv_audit_begin(&audit, dup(fd), &summit, NULL) == 0);
	must(wv_audit_tail(&audit, &arena, each, &followed, NULL) == 0);
	must(audit.last.seq == head->seq + followed);
	must(wv_audit_is_ahead(&audit) == (followed > 0));
	wv_audit_add(&audit, event, sizeof(event) - 1);
	must(wv_audit_write(&audit, NULL) == 0);
	*last = audit.last;
	wv_audit_free(&audit);
}

/* What is read without a tree is the same; skim NULL: of a line that is JSON. */
static void
check_skim(const struct wv_link *link, bool good, struct wv_skim *skim,
	const struct wv_reader *in)
{
	struct wv_link quick;

	if (!wv_link_skim(&quick, skim, in->line, in->len))
		return;
	must(good && quick.seq == link->seq && quick.base == link->base &&
		strcmp(quick.prev, link->prev) == 0);
	must(!link->has_gap && link->lost.seq == 0 && link->segment == 0 &&
		link->log == NULL);
}

static void
check_chained(int fd, const struct wv_head *last)
{
	struct wv_reader in = {
		.fd = fd, .left = UINT64_MAX, .max_line = SIZE_MAX
	};
	static struct wv_skim skim;
	struct wv_chain chain;
	struct wv_link link;

	must(lseek(fd, 0, SEEK_SET) == 0);
	wv_chain_start(&chain, NULL);
	while (wv_reader_next(&in, NULL) == 1) {
		wv_arena_reset(&arena);
		int status = wv_link_read(&link, &arena, in.line, in.len, NULL);
		check_skim(&link, status == 0, &skim, &in);
		if (status == 0)
			check_skim(&link, true, NULL, &in);
		if (status < 0 ||
			wv_chain_follows(&chain, &link) > WV_FOLLOWS_GAP)
			wv_chain_skip(&chain, in.line, in.len);
		else
			wv_chain_accept(&chain, link.seq, in.line, in.len);
	}
	must(chain.torn_lines == 0 && chain.seq == last->seq &&
		strcmp(chain.hash, last->hash) == 0 && in.next == last->end);
	wv_reader_free(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wv_head none = { 0 }, first, second;

	check_reader(data, size, SIZE_MAX);
	check_reader(data, size, 20);
	/* A log that begins with these bytes, one that goes on with them. */
	int fd = file_of(data, size);
	append(fd, &none, &first);
	check_chained(fd, &first);
	must(wv_write_all(fd, data, size) == 0);
	append(fd, &first, &second);
	check_chained(fd, &second);
	close(fd);
	wv_arena_reset(&arena);
	return 0;
}
