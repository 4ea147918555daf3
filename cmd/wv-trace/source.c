/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
source_own(struct source *source, const char *state_path, enum wv_state_use use,
	size_t max_line)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_str name = { 0 };

	memset(source, 0, sizeof(*source));
	struct wv_state *state = wv_state_need(state_path, use, false);
	int fd = wv_state_log(state, &source->summit, &source->size, &err);

	if (fd < 0)
		wv_die_err(&err);
	wv_str_fmt(&name, "%s/audit.jsonl", state->path);
	wv_state_close(state);
	source->name = name.s;
	source->is_own = true;
	source->in.fd = fd;
	source->in.max_line = max_line;
	source->in.left = source->size;
}

int
source_file(struct source *source, const char *file, size_t max_line)
{
	struct wv_err err = WV_ERR_INIT;
	struct stat st;

	memset(source, 0, sizeof(*source));
	source->in.max_line = max_line;
	source->in.left = UINT64_MAX;
	if (strcmp(file, "-") == 0) {
		source->name = wv_xstrdup("stdin");
		source->in.fd = STDIN_FILENO;
		return 0;
	}
	source->name = wv_xstrdup(file);
	source->in.fd = open(file, O_RDONLY | O_CLOEXEC);
	if (source->in.fd >= 0 && fstat(source->in.fd, &st) == 0) {
		if (!S_ISDIR(st.st_mode))
			return 0;
		errno = EISDIR;
	}
	wv_err_sys(&err, "cannot open it");
	err.source = file;
	wv_warn_err(&err);
	source_close(source);
	return -1;
}

void
source_close(struct source *source)
{
	wv_reader_free(&source->in);
	if (source->in.fd > STDIN_FILENO)
		close(source->in.fd);
	free(source->name);
	source->name = NULL;
}
