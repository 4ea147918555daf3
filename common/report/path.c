/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files as CI wants them: relative to what was checked out. */
#include "internal.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Appends the segments of a path to an absolute one, which dot segments
 * shorten. */
static void
add_segments(struct wv_str *path, const char *p)
{
	while (*p != '\0') {
		size_t n = strcspn(p, "/");
		if (n == 2 && p[0] == '.' && p[1] == '.') {
			while (path->n > 0 && path->s[path->n - 1] != '/')
				path->n--;
			if (path->n > 0)
				path->n--;
		} else if (n > 1 || (n == 1 && p[0] != '.')) {
			wv_str_chr(path, '/');
			wv_str_add(path, p, n);
		}
		p += n;
		p += *p == '/';
	}
}

/* What path has behind a folder that it is in, else NULL. */
static const char *
below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	return strncmp(folder, path, n) == 0 && path[n] == '/' ? path + n + 1
							       : NULL;
}

static char *
normal(const char *absolute)
{
	struct wv_str path = { 0 };

	wv_str_cat(&path, "");
	add_segments(&path, absolute);
	path.s[path.n] = '\0';
	return path.s;
}

void
wv_report_folders(struct wv_report_run *run)
{
	char *cwd = getcwd(NULL, 0);
	const char *workspace = getenv("GITHUB_WORKSPACE");

	run->cwd = normal(cwd != NULL ? cwd : "");
	free(cwd);
	run->root = normal(workspace != NULL ? workspace : "");
	if (workspace == NULL || workspace[0] != '/' ||
		below(run->root, run->cwd) == NULL) {
		free(run->root);
		run->root = wv_xstrdup(run->cwd);
	}
}

bool
wv_report_path(
	struct wv_str *out, const struct wv_report_run *run, const char *source)
{
	struct wv_str path = { 0 };
	const char *relative;

	wv_str_cat(&path, source[0] == '/' ? "" : run->cwd);
	add_segments(&path, source);
	path.s[path.n] = '\0';
	relative = below(run->root, path.s);
	wv_str_cat(out, relative != NULL ? relative : path.s);
	wv_str_free(&path);
	return relative != NULL;
}

bool
wv_report_is_file(const struct wv_judged *judged)
{
	return strcmp(judged->source, "stdin") != 0;
}
