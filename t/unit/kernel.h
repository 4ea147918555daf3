/* SPDX-License-Identifier: Apache-2.0 */
/* States for the unit tests of the kernel, each in a folder of its own. */
#ifndef WV_UNIT_KERNEL_H
#define WV_UNIT_KERNEL_H

#include "kernel/audit.h"
#include "kernel/reader.h"
#include "kernel/state.h"
#include "tap.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

static char root[4096], folder[4096];
static struct wv_err err;
static struct wv_arena arena;

/* What a test itself needs. */
static inline void
must(bool good)
{
	if (good)
		return;
	printf("Bail out! a test could not be prepared\n");
	exit(1);
}

static const char *
path_of(const char *name)
{
	return wv_printf(&arena, "%s/%s", folder, name);
}

static struct wv_state *
open_state(void)
{
	struct wv_state *state;

	wv_err_clear(&err);
	state = wv_state_open(folder, WV_STATE_WRITE, false, &err);
	if (state == NULL) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	return state;
}

/* A folder of its own for each group of tests. */
static void
place(const char *name)
{
	const char *tmp = getenv("TMPDIR");

	if (root[0] == '\0') {
		snprintf(root, sizeof(root), "%s/wv-unit-XXXXXX",
			tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
		if (mkdtemp(root) == NULL) {
			printf("Bail out! no scratch folder\n");
			exit(1);
		}
	}
	snprintf(folder, sizeof(folder), "%.4000s/%s", root, name);
}

static struct wv_state *
fresh(const char *name)
{
	place(name);
	return open_state();
}

__attribute__((unused)) static void
begin(struct wv_state *state)
{
	wv_err_clear(&err);
	if (!ok(wv_state_begin(state, &err) == 0, "a group begins"))
		printf("# %s\n", err.text);
}

__attribute__((unused)) static void
commit(struct wv_state *state)
{
	if (!ok(wv_state_commit(state, &err) == 0, "a group commits"))
		printf("# %s\n", err.text);
}

/* As if the writer had died after the log's fsync, before the store's. */
__attribute__((unused)) static void
die_before_commit(struct wv_state *state)
{
	ok(wv_audit_write(state->audit, &err) == 0, "the log is written");
	wv_state_rollback(state);
}

/* All lines of the log, each of which must follow; NULL-terminated. */
__attribute__((unused)) static struct wv_link *
read_log(size_t *count)
{
	struct wv_link *links = wv_alloc_zero(&arena, 64 * sizeof(*links));
	struct wv_reader in = { .fd = open(path_of("audit.jsonl"), O_RDONLY),
		.left = UINT64_MAX,
		.max_line = SIZE_MAX };
	struct wv_chain chain;
	bool good = true;

	*count = 0;
	wv_chain_start(&chain, NULL);
	while (wv_reader_next(&in, &err) == 1) {
		struct wv_link *link = &links[*count];
		if (wv_link_read(link, &arena, in.line, in.len, NULL) < 0 ||
			!in.ended) {
			wv_chain_skip(&chain, in.line, in.len);
			continue;
		}
		good = good && wv_chain_follows(&chain, link) <= WV_FOLLOWS_GAP;
		wv_chain_accept(&chain, link->seq, in.line, in.len);
		++*count;
	}
	ok(good && *count > 0 && chain.torn_lines == 0,
		"the log is chained to its end");
	close(in.fd);
	wv_reader_free(&in);
	return links;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int
end(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	wv_arena_free(&arena);
	return done();
}

#endif
