/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* Within what a pipe takes in one piece. */
enum { LINE_MAX_BYTES = 4000 };

#define CLEAR_LINE "\r\033[K"
enum { CALLS_A_LOOK = 1024, MS_A_SHOW = 200, MS_UNTIL_SHOWN = 1000 };

bool wv_quiet;
int wv_verbose;
static const char *tool = "wv";
static bool progress_shown;

void
wv_msg_tool(const char *name)
{
	tool = name;
}

const char *
wv_msg_tool_name(void)
{
	return tool;
}

/* A closed stderr must not kill the tool: a message never changes a status. */
static void
write_line(const struct wv_str *line)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;

	sigaction(SIGPIPE, &ignore, &old);
	(void)wv_write_all(STDERR_FILENO, line->s, line->n);
	sigaction(SIGPIPE, &old, NULL);
}

static void
say(const struct wv_str *text)
{
	struct wv_str line = { 0 };

	if (progress_shown)
		wv_str_cat(&line, CLEAR_LINE);
	progress_shown = false;
	wv_str_foreign(&line, text->s, text->n, LINE_MAX_BYTES);
	wv_str_chr(&line, '\n');
	write_line(&line);
	wv_str_free(&line);
}

__attribute__((format(printf, 1, 0))) static void
say_fmt(const char *fmt, va_list ap)
{
	struct wv_str text = { 0 };

	wv_str_fmt(&text, "%s: ", tool);
	wv_str_vfmt(&text, fmt, ap);
	say(&text);
	wv_str_free(&text);
}

void
wv_warn(const char *fmt, ...)
{
	va_list ap;

	if (wv_quiet)
		return;
	va_start(ap, fmt);
	say_fmt(fmt, ap);
	va_end(ap);
}

void
wv_warn_err(const struct wv_err *err)
{
	struct wv_str text = { 0 };

	if (wv_quiet)
		return;
	wv_str_fmt(&text, "%s: ", tool);
	if (err->source)
		wv_str_fmt(&text, "%s:", err->source);
	if (err->line)
		wv_str_fmt(
			&text, "%s%zu:", err->source ? "" : "line ", err->line);
	if (err->line && err->column)
		wv_str_fmt(&text, "%zu:", err->column);
	if (err->source || err->line)
		wv_str_chr(&text, ' ');
	wv_str_cat(&text, err->text);
	say(&text);
	wv_str_free(&text);
}

void
wv_note(const char *fmt, ...)
{
	va_list ap;

	if (wv_quiet || wv_verbose == 0)
		return;
	va_start(ap, fmt);
	say_fmt(fmt, ap);
	va_end(ap);
}

static void
show_progress(size_t records)
{
	struct wv_str line = { 0 };

	wv_str_fmt(&line, CLEAR_LINE "%s: %zu records", tool, records);
	write_line(&line);
	wv_str_free(&line);
	progress_shown = true;
}

void
wv_progress(size_t records)
{
	static unsigned calls;
	static int64_t next; /* when to show; 0: this is the first look */
	int64_t now;

	if (calls++ % CALLS_A_LOOK != 0 || wv_quiet || !isatty(STDERR_FILENO))
		return;
	now = wv_ticks();
	if (next == 0)
		next = now + MS_UNTIL_SHOWN;
	if (now < next)
		return;
	next = now + MS_A_SHOW;
	show_progress(records);
}

void
wv_die(const char *fmt, ...)
{
	va_list ap;

	if (!wv_quiet) {
		va_start(ap, fmt);
		say_fmt(fmt, ap);
		va_end(ap);
	}
	exit(WV_TROUBLE);
}

void
wv_die_err(const struct wv_err *err)
{
	wv_warn_err(err);
	exit(WV_TROUBLE);
}
