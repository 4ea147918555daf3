/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/artifact.h"

#include "base/file.h"
#include "base/id.h"
#include "kernel/folder.h"
#include "kernel/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int
open_folder(const struct wv_state *state, struct wv_err *err)
{
	return wv_folder_at(
		state->dir, "artifacts", O_RDONLY | O_DIRECTORY, err);
}

/* The file in the folder of artifacts, or -1. */
static int
open_file(const struct wv_state *state, const char *name, int flags,
	struct wv_err *err)
{
	int folder = open_folder(state, err);
	int fd = folder < 0 ? -1 : wv_folder_at(folder, name, flags, err);

	if (folder >= 0)
		close(folder);
	return fd;
}

/* Bytes of all files; what cannot be looked at counts for nothing. */
static uint64_t
count_stored(const struct wv_state *state)
{
	int fd = open_folder(state, NULL);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	uint64_t bytes = 0;
	struct stat st;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(folder)) != NULL)
		if (fstatat(dirfd(folder), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(st.st_mode))
			bytes += (uint64_t)st.st_size;
	closedir(folder);
	return bytes;
}

bool
wv_artifact_has_room(struct wv_state *state, uint64_t bytes, struct wv_err *err)
{
	uint64_t quota = state->quota > 0 ? state->quota : WV_ARTIFACT_QUOTA;

	/* At first it is not known, and some may have gone since. */
	if (state->stored == 0 || state->stored > quota ||
		bytes > quota - state->stored)
		state->stored = count_stored(state);
	if (state->stored <= quota && bytes <= quota - state->stored)
		return true;
	wv_err_set(err, "stored output would exceed %ju bytes in all (--quota)",
		(uintmax_t)quota);
	return false;
}

int
wv_artifact_open(struct wv_state *state, struct wv_artifact *artifact,
	struct wv_err *err)
{
	wv_id_new(artifact->handle_id, "handle");
	wv_id_new(artifact->file, "artifact");
	artifact->size = 0;
	wv_sha256_start(&artifact->sha256);
	artifact->fd = open_file(
		state, artifact->file, O_WRONLY | O_CREAT | O_EXCL, err);
	return artifact->fd < 0 ? -1 : 0;
}

static int
fail(struct wv_state *state, struct wv_artifact *artifact, struct wv_err *err)
{
	wv_err_sys(err, "artifacts/%s", artifact->file);
	wv_artifact_drop(state, artifact);
	return -1;
}

int
wv_artifact_add(struct wv_state *state, struct wv_artifact *artifact,
	const void *p, size_t n, struct wv_err *err)
{
	if (!wv_artifact_has_room(state, n, err)) {
		wv_artifact_drop(state, artifact);
		return -1;
	}
	if (wv_write_all(artifact->fd, p, n) < 0)
		return fail(state, artifact, err);
	state->stored += n;
	wv_sha256_add(&artifact->sha256, p, n);
	artifact->size += n;
	return 0;
}

/* The folder too: a name that is lost is a file that is lost. */
int
wv_artifact_close(struct wv_state *state, struct wv_artifact *artifact,
	struct wv_err *err)
{
	unsigned char digest[WV_SHA256];
	int fd = artifact->fd;

	if (fsync(fd) < 0)
		return fail(state, artifact, err);
	artifact->fd = -1;
	if (close(fd) < 0)
		return fail(state, artifact, err);
	int folder = open_folder(state, err);
	if (folder < 0 || fsync(folder) < 0) {
		if (folder >= 0)
			close(folder);
		return fail(state, artifact, err);
	}
	close(folder);
	wv_sha256_end(&artifact->sha256, digest);
	wv_hex(artifact->digest, digest, sizeof(digest));
	return 0;
}

int
wv_artifact_record(struct wv_state *state, const struct wv_artifact *artifact,
	struct wv_err *err)
{
	struct wv_store_artifact record = {
		.handle_id = artifact->handle_id,
		.file = artifact->file,
		.capability_id = artifact->capability_id,
		.principal = artifact->principal,
		.decision_id = artifact->decision_id,
		.media_type = artifact->media_type,
		.digest = artifact->digest,
		.obligations = artifact->obligations,
		.arguments = artifact->arguments,
		.size = artifact->size,
		.expires_at = artifact->expires_at,
	};

	return wv_store_add_artifact(state->store, &record, err);
}

void
wv_artifact_drop(struct wv_state *state, struct wv_artifact *artifact)
{
	int folder = open_folder(state, NULL);

	if (artifact->fd >= 0)
		close(artifact->fd);
	artifact->fd = -1;
	if (folder < 0)
		return;
	unlinkat(folder, artifact->file, 0);
	close(folder);
}

/* Ids of our own fit. */
static void
keep_id(char to[64], const char *id)
{
	snprintf(to, 64, "%s", id);
}

int
wv_artifact_find(struct wv_state *state, struct wv_arena *arena,
	const char *handle_id, struct wv_time now, struct wv_artifact *artifact,
	struct wv_err *err)
{
	struct wv_store_artifact record;
	int found =
		wv_store_artifact(state->store, arena, handle_id, &record, err);

	if (found != 1)
		return found;
	if (record.expires_at.sec != 0 &&
		wv_time_cmp(now, record.expires_at) >= 0)
		return 0;
	*artifact = (struct wv_artifact){
		.capability_id = record.capability_id,
		.principal = record.principal,
		.decision_id = record.decision_id,
		.media_type = record.media_type,
		.obligations = record.obligations,
		.arguments = record.arguments,
		.size = record.size,
		.expires_at = record.expires_at,
		.fd = -1,
	};
	keep_id(artifact->handle_id, record.handle_id);
	keep_id(artifact->file, record.file);
	snprintf(artifact->digest, sizeof(artifact->digest), "%s",
		record.digest);
	return 1;
}

int
wv_artifact_read(struct wv_state *state, const struct wv_artifact *artifact,
	struct wv_err *err)
{
	int fd = open_file(state, artifact->file, O_RDONLY, err);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && (uint64_t)st.st_size == artifact->size)
		return fd;
	close(fd);
	return wv_err_set(err, "the stored output was changed");
}

int
wv_artifact_used(struct wv_state *state, const char *handle_id,
	const char *principal, struct wv_artifact_use *use, struct wv_err *err)
{
	return wv_store_shown(state->store, handle_id, principal, &use->rows,
		&use->bytes, err);
}

int
wv_artifact_add_use(struct wv_state *state, const char *handle_id,
	const char *principal, const struct wv_artifact_use *more,
	struct wv_err *err)
{
	return wv_store_add_shown(state->store, handle_id, principal,
		more->rows, more->bytes, err);
}
