/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/artifact.h"

#include "base/file.h"
#include "base/id.h"
#include "kernel/folder.h"
#include "kernel/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int
open_folder(const struct wv_state *state, struct wv_err *err)
{
	return wv_folder_at(
		state->dir, "artifacts", O_RDONLY | O_DIRECTORY, err);
}

/* The folder too: a name that is lost is a file that is lost. */
static int
write_file(int folder, const char *name, const void *p, size_t n,
	struct wv_err *err)
{
	int fd = wv_folder_at(folder, name, O_WRONLY | O_CREAT | O_EXCL, err);

	if (fd < 0)
		return -1;
	if (wv_write_all(fd, p, n) == 0 && fsync(fd) == 0 && close(fd) == 0) {
		if (fsync(folder) == 0)
			return 0;
		wv_err_sys(err, "artifacts");
	} else {
		wv_err_sys(err, "artifacts/%s", name);
		close(fd);
	}
	unlinkat(folder, name, 0);
	return -1;
}

int
wv_artifact_write(struct wv_state *state, struct wv_artifact *artifact,
	const void *p, size_t n, struct wv_err *err)
{
	int folder = open_folder(state, err);

	if (folder < 0)
		return -1;
	wv_id_new(artifact->handle_id, "handle");
	wv_id_new(artifact->file, "artifact");
	artifact->size = n;
	wv_sha256_hex(artifact->digest, p, n);
	int status = write_file(folder, artifact->file, p, n, err);
	close(folder);
	return status;
}

int
wv_artifact_record(struct wv_state *state, const struct wv_artifact *artifact,
	const cJSON *obligations, struct wv_err *err)
{
	struct wv_str json = { 0 };

	if (obligations != NULL)
		wv_json_write(&json, obligations);
	struct wv_store_artifact record = {
		.handle_id = artifact->handle_id,
		.file = artifact->file,
		.capability_id = artifact->capability_id,
		.principal = artifact->principal,
		.decision_id = artifact->decision_id,
		.media_type = artifact->media_type,
		.digest = artifact->digest,
		.obligations = json.s,
		.size = artifact->size,
		.expires_at = artifact->expires_at,
	};
	int status = wv_store_add_artifact(state->store, &record, err);
	wv_str_free(&json);
	return status;
}

void
wv_artifact_drop(struct wv_state *state, struct wv_artifact *artifact)
{
	int folder = open_folder(state, NULL);

	if (folder < 0)
		return;
	unlinkat(folder, artifact->file, 0);
	close(folder);
}
