/* SPDX-License-Identifier: Apache-2.0 */
#include "base/msg.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line is within what a pipe takes in one piece. */
enum { LINE_MAX_BYTES = 4000, FILE_BYTES = 64 << 10 };

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

/* What is said at once. */
struct speech {
	struct wv_out out;
	struct sigaction old;
};

/* A closed stderr must not kill the tool: a message never changes a status. */
static void
begin(struct speech *speech)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct stat st;
	bool is_file = fstat(STDERR_FILENO, &st) == 0 && S_ISREG(st.st_mode);

	speech->out = (struct wv_out){ .fd = STDERR_FILENO,
		.name = "standard error",
		.block = is_file ? FILE_BYTES : PIPE_BUF };
	sigaction(SIGPIPE, &ignore, &speech->old);
}

static void
end(struct speech *speech)
{
	(void)wv_out_close(&speech->out, NULL);
	sigaction(SIGPIPE, &speech->old, NULL);
}

static void
add_line(struct speech *speech, const char *text, size_t n)
{
	struct wv_str *buf = &speech->out.buf;

	if (progress_shown)
		wv_str_cat(buf, CLEAR_LINE);
	progress_shown = false;
	wv_str_foreign(buf, text, n, LINE_MAX_BYTES);
	wv_out_line(&speech->out, "", 0);
}

static void
say(const struct wv_str *text)
{
	struct speech speech;

	begin(&speech);
	add_line(&speech, text->s, text->n);
	end(&speech);
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
wv_warn_lines(const struct wv_str *lines)
{
	struct speech speech;
	struct wv_str text = { 0 };
	const char *s = lines->s, *end_of = s + lines->n, *lf;

	if (wv_quiet)
		return;
	begin(&speech);
	for (; s < end_of; s = lf + 1) {
		lf = memchr(s, '\n', (size_t)(end_of - s));
		text.n = 0;
		wv_str_cat(&text, tool);
		wv_str_cat(&text, ": ");
		wv_str_add(&text, s, (size_t)(lf - s));
		add_line(&speech, text.s, text.n);
	}
	end(&speech);
	wv_str_free(&text);
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
	struct speech speech;

	begin(&speech);
	wv_str_fmt(
		&speech.out.buf, CLEAR_LINE "%s: %zu records", tool, records);
	end(&speech);
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
