/* SPDX-License-Identifier: Apache-2.0 */
/* A journal, read back. */
#include "base/file.h"
#include "journal.h"
#include "json/num.h"
#include "kernel/folder.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 128 };

/* A run's id is a file's name here, so nothing else may be in it. */
static bool
is_run_id(const char *run)
{
	size_t n = strspn(run,
		"0123456789abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ-");

	return n > 0 && n < 64 && run[n] == '\0';
}

static int
open_file(
	struct wv_state *state, const char *run, int flags, struct wv_err *err)
{
	char name[NAME_MAX_BYTES];
	int dir, fd;

	if (!is_run_id(run))
		return wv_err_set(err, "\"%s\" is no id of a run", run);
	dir = wv_folder_at(state->dir, "flows", O_RDONLY | O_DIRECTORY, err);
	if (dir < 0)
		return -1;
	snprintf(name, sizeof(name), "%s.jsonl", run);
	fd = wv_folder_at(dir, name, flags, err);
	if (fd < 0 && errno == ENOENT) {
		wv_err_clear(err);
		wv_err_set(err, "there is no run %s", run);
	} else if (fd >= 0 && (flags & O_CREAT)) {
		fsync(dir); /* or the file is forgotten */
	}
	close(dir);
	return fd;
}

static struct journal *
journal_of(int fd)
{
	struct journal *journal = wv_xcalloc(1, sizeof(*journal));

	journal->fd = fd;
	return journal;
}

struct journal *
journal_new(struct wv_state *state, const char *run, struct wv_err *err)
{
	int fd = open_file(
		state, run, O_RDWR | O_APPEND | O_CREAT | O_EXCL, err);

	if (fd < 0)
		return NULL;
	flock(fd, LOCK_EX | LOCK_NB); /* nobody else knows of it */
	return journal_of(fd);
}

struct journal_entry *
journal_find(const struct journal *journal, const char *path)
{
	const size_t *i = journal ? wv_map_find(&journal->paths, path) : NULL;

	return i ? &journal->entries[*i] : NULL;
}

struct journal_entry *
journal_entry_of(struct journal *journal, const char *path)
{
	size_t i = *wv_map_add(&journal->paths, path, journal->count);

	if (i == journal->count) {
		journal->entries = wv_list_room(journal->entries,
			journal->count, sizeof(*journal->entries));
		journal->entries[journal->count++] =
			(struct journal_entry){ .path = path };
	}
	return &journal->entries[i];
}

static void
read_hashes(struct journal *journal, const cJSON *record)
{
	const char *flow = wv_get_string(record, "flow_sha256");
	const char *tools = wv_get_string(record, "tools_sha256");

	journal->flow_hash = flow ? flow : "";
	journal->tools_hash = tools ? tools : "";
}

static unsigned
attempt_of(const cJSON *record)
{
	int64_t n = 0;

	return wv_is_number(wv_get(record, "attempt")) &&
			wv_num_int64(wv_get(record, "attempt"), &n)
		? (unsigned)n
		: 0;
}

static void
read_task(struct journal *journal, const cJSON *record, const char *what,
	const char *path)
{
	struct journal_entry *entry = journal_entry_of(journal, path);

	entry->sent = NULL;
	if (strcmp(what, "begun") == 0) {
		entry->is_begun = true;
		return;
	}
	entry->attempt = attempt_of(record);
	if (strcmp(what, "sent") == 0)
		entry->sent = wv_get_string(record, "id");
	else if (strcmp(what, "again") == 0)
		entry->fell_back = wv_is_true(wv_get(record, "fallback"));
	else
		entry->done = record;
	entry->leg = journal->leg;
	if (strcmp(what, "sent") == 0)
		entry->done = NULL;
}

static void
read_leg(struct journal *journal, const cJSON *record)
{
	if (wv_is_number(wv_get(record, "leg")))
		wv_num_int64(wv_get(record, "leg"), &journal->leg);
	read_hashes(journal, record);
	journal->end = NULL;
	if (wv_is_true(wv_get(record, "retry_failed")))
		journal_retry_failed(journal);
	wv_json_each(path, wv_get(record, "rerun"))
		if (wv_is_string(path))
			journal_rerun(journal, path->valuestring);
}

/* Whether it has what the others rely on: it may have been edited. */
static bool
is_sound(const cJSON *record)
{
	const cJSON *error = wv_get(record, "error");
	const cJSON *answer = wv_get(record, "answer");
	const cJSON *frame = wv_get(record, "frame");
	const char *end = wv_get_string(record, "end");

	if (error != NULL &&
		(wv_get_string(error, "class") == NULL ||
			wv_get_string(error, "message") == NULL))
		return false;
	if ((answer != NULL && !wv_is_object(answer)) ||
		(frame != NULL && !wv_is_object(frame)))
		return false;
	if (wv_get(record, "sent") != NULL)
		return wv_get_string(record, "id") != NULL;
	if (end == NULL)
		return wv_get(record, "step") == NULL && frame == NULL;
	return error != NULL || wv_get(record, "step") == NULL ||
		(strcmp(end, "failed") != 0 && strcmp(end, "tolerated") != 0);
}

static int
read_record(struct journal *journal, const cJSON *record, struct wv_err *err)
{
	static const char *const tasks[] = { "begun", "sent", "again", "item",
		"step" };

	if (!is_sound(record))
		return wv_err_set(err, "it is damaged");
	if (journal->first == NULL) {
		if (wv_get_string(record, "run") == NULL ||
			!wv_is_object(wv_get(record, "input")))
			return wv_err_set(err, "it is no journal");
		journal->first = record;
		read_hashes(journal, record);
		return 0;
	}
	if (wv_get(record, "leg") != NULL) {
		read_leg(journal, record);
	} else if (wv_get(record, "kernel") != NULL) {
		journal->kernel = wv_get(record, "kernel");
	}
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		const char *path = wv_get_string(record, tasks[i]);
		if (path == NULL)
			continue;
		read_task(journal, record, tasks[i], path);
		return 0;
	}
	if (wv_get(record, "frame") != NULL)
		journal->end = record;
	return 0;
}

/* Whole lines; a torn one is cut off, or the next would be torn too. */
static int
read_all(struct journal *journal, bool to_write, struct wv_err *err)
{
	const struct wv_json_limits limits = { .max_depth = 1024,
		.max_values = (size_t)1 << 24,
		.max_digits = 4096 };
	struct stat st;
	char *text, *line, *end;
	ssize_t n = 0, got = 1;

	if (fstat(journal->fd, &st) != 0)
		return wv_err_sys(err, "it cannot be read");
	text = wv_alloc(&journal->arena, (size_t)st.st_size + WV_JSON_SLACK);
	for (; n < st.st_size && got > 0; n += got > 0 ? got : 0)
		got = pread(journal->fd, text + n, (size_t)(st.st_size - n), n);
	for (line = text;; line = end + 1) {
		const cJSON *record;
		end = memchr(line, '\n', (size_t)(text + n - line));
		if (end == NULL)
			break;
		record = wv_json_read(&journal->arena, line,
			(size_t)(end - line), &limits, err);
		if (record == NULL || read_record(journal, record, err) != 0)
			return -1;
	}
	if (journal->first == NULL)
		return wv_err_set(err, "it never began");
	if (to_write && line < text + n &&
		ftruncate(journal->fd, line - text) != 0)
		return wv_err_sys(err, "it cannot be written");
	return 0;
}

/* A process of the kernel that was about to start when its leg was killed has
 * the journal open until it is what it is to be. */
static bool
lock(int fd)
{
	enum { TRIES = 25, PAUSE_MS = 20 };

	for (int i = 0; i < TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		stop_poll(NULL, 0, PAUSE_MS);
	}
	return false;
}

struct journal *
journal_open(struct wv_state *state, const char *run, bool to_write,
	struct wv_err *err)
{
	struct wv_err inner = WV_ERR_INIT;
	int fd = open_file(
		state, run, to_write ? O_RDWR | O_APPEND : O_RDONLY, err);
	struct journal *journal;

	if (fd < 0)
		return NULL;
	journal = journal_of(fd);
	if (to_write && !lock(fd))
		wv_err_set(&inner, "it is being run");
	else if (read_all(journal, to_write, &inner) == 0)
		return journal;
	wv_err_set(err, "run %s: %s", run, inner.text);
	journal_free(journal);
	return NULL;
}

void
journal_free(struct journal *journal)
{
	if (journal == NULL)
		return;
	close(journal->fd);
	wv_str_free(&journal->buf);
	wv_map_free(&journal->paths);
	free(journal->entries);
	wv_arena_free(&journal->arena);
	free(journal);
}
