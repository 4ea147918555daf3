/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "base/clock.h"
#include "base/msg.h"

#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

enum { MS_UNTIL_SHOWN = 1000, MS_A_SHOW = 200, NAMES_MAX = 4 };

static bool is_shown;

static void
write_line(const struct wv_str *line)
{
	(void)wv_write_all(STDERR_FILENO, line->s, line->n);
}

static void
show(const struct run *run)
{
	const struct level *root = run->root;
	struct wv_str line = { 0 };

	wv_str_fmt(&line, CLEAR_LINE "%s: %zu of %zu steps", wv_msg_tool_name(),
		root->flow->count - root->left - root->finals,
		root->flow->count);
	for (size_t i = 0; i < run->flying_count && i < NAMES_MAX; i++)
		wv_str_fmt(&line, "%s %s",
			i ? "," : ", under way:", task_path(run->flying[i]));
	if (run->flying_count > NAMES_MAX)
		wv_str_fmt(
			&line, " and %zu more", run->flying_count - NAMES_MAX);
	write_line(&line);
	wv_str_free(&line);
	is_shown = true;
}

int64_t
progress_show(const struct run *run)
{
	static int64_t next; /* 0: this is the first look */
	int64_t now;

	if (wv_quiet || run->is_quiet || !isatty(STDERR_FILENO))
		return INT64_MAX;
	now = wv_ticks();
	if (next == 0)
		next = now + MS_UNTIL_SHOWN;
	if (now >= next) {
		show(run);
		next = now + MS_A_SHOW;
	}
	return next;
}

void
progress_clear(void)
{
	struct wv_str line = { 0 };

	if (!is_shown)
		return;
	wv_str_cat(&line, CLEAR_LINE);
	write_line(&line);
	wv_str_free(&line);
	is_shown = false;
}
