/* SPDX-License-Identifier: Apache-2.0 */
/* Output from files and standard input: whole, line by line, or, of text that
 * goes on, as it comes. */
#include "check.h"
#include "pass.h"

#include "base/msg.h"
#include "json/source.h"

#include <string.h>

enum { SNIFF = 64 << 10 }; /* bytes that tell how it can be read */

struct reader {
	struct wv_source source;
	const struct settings *settings;
	struct batch *batch; /* or, under --check, NULL */
	struct check *check;
	size_t max, line; /* of the source */
	int status;
};

static void
take(struct reader *r, size_t line, const char *s, size_t n)
{
	if (r->check != NULL)
		check_add(r->check, r->source.name, line, s, n);
	else
		batch_add(r->batch, r->source.name, line, s, n);
}

static void
report(struct reader *r, struct wv_err *err)
{
	err->source = r->source.name;
	wv_warn_err(err);
	r->status = WV_TROUBLE;
	if (r->check != NULL)
		check_unread(r->check, r->source.name, err->text);
}

static void
too_long(struct reader *r, const char *what)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_set(
		&err, "%s longer than %zu bytes (--max-input)", what, r->max);
	report(r, &err);
}

/* False when the source ends here: there is no more, or it failed. */
static bool
read_on(struct reader *r)
{
	struct wv_err err = WV_ERR_INIT;

	if (r->source.eof)
		return false;
	if (wv_source_read(&r->source, r->max, &err) >= 0)
		return true;
	report(r, &err);
	return false;
}

static size_t
have(const struct reader *r)
{
	return r->source.end - r->source.start;
}

/* Lines that are not too long stay whole. */
static void
pass_on(struct reader *r)
{
	struct wv_source *source = &r->source;
	struct pass pass;

	pass_begin(&pass, r->batch);
	do {
		const char *s = source->buf + source->start;
		const char *lf = memrchr(s, '\n', have(r));
		size_t n = lf != NULL     ? (size_t)(lf + 1 - s)
			: have(r) < SNIFF ? 0
					  : have(r);
		pass_add(&pass, s, n, false);
		source->start += n;
	} while (read_on(r));
	pass_add(&pass, source->buf + source->start, have(r), true);
	pass_end(&pass);
}

/* What is binary by its beginning is so as a whole, unless it is JSON. */
static bool
starts_json(const char *s, size_t n)
{
	while (n > 0 && strchr(" \t\r\n", *s) != NULL && *s != '\0')
		s++, n--;
	return n > 0 && (*s == '{' || *s == '[' || *s == '"');
}

/* Nothing of it is shown: the beginning stands for it. */
static void
skip_binary(struct reader *r)
{
	struct wv_source *source = &r->source;
	struct wv_str first = { 0 };

	wv_str_add(&first, source->buf + source->start, SNIFF);
	memset(wv_str_room(&first, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	do
		source->start = source->end;
	while (read_on(r));
	if (r->status == WV_YES)
		take(r, 0, first.s, first.n);
	wv_str_free(&first);
}

/* By its beginning, once that is there; false: it is read whole. */
static bool
read_on_the_way(struct reader *r)
{
	const char *s = r->source.buf + r->source.start;

	if (r->batch == NULL || !pass_is_all(r->batch) || r->max < SNIFF)
		return false;
	switch (wv_firewall_readable(s, have(r))) {
	case WV_READ_LINES:
		if (!pass_may(r->batch))
			return false;
		pass_on(r);
		return true;
	case WV_READ_NONE:
		if (starts_json(s, have(r)))
			return false;
		skip_binary(r);
		return true;
	default:
		return false;
	}
}

static void
read_all(struct reader *r)
{
	bool is_known = false; /* how it can be read */

	while (have(r) <= r->max && read_on(r)) {
		if (is_known || have(r) < SNIFF)
			continue;
		is_known = true;
		if (read_on_the_way(r))
			return;
	}
	if (have(r) > r->max)
		too_long(r, "output");
	if (r->status == WV_YES) {
		r->source.buf[r->source.end] = '\0';
		take(r, 0, r->source.buf + r->source.start, have(r));
	}
}

static void
read_whole(struct reader *r)
{
	int before = r->status;

	r->status = WV_YES;
	read_all(r);
	r->status = wv_worse(before, r->status);
}

/* The NUL stands in place of its end, or behind what there is. */
static void
add_line(struct reader *r, size_t n)
{
	char *s = r->source.buf + r->source.start;

	if (n > 0 && s[n - 1] == '\r')
		n--;
	s[n] = '\0';
	take(r, r->line, s, n);
}

static void
read_lines(struct reader *r)
{
	struct wv_source *source = &r->source;
	size_t seen = 0; /* bytes without a line end */
	bool skipping = false;

	r->line = 1;
	for (;;) {
		const char *s = source->buf + source->start;
		const char *lf = memchr(s + seen, '\n', have(r) - seen);
		size_t n = lf ? (size_t)(lf - s) : have(r);
		if (n > r->max && !skipping)
			too_long(r, "line");
		else if (lf != NULL && !skipping)
			add_line(r, n);
		skipping = (skipping || n > r->max) && lf == NULL;
		r->line += lf != NULL;
		if (lf != NULL || skipping) {
			source->start += lf ? n + 1 : n;
			seen = 0;
			if (lf != NULL)
				continue;
		} else {
			seen = n;
		}
		if (r->batch != NULL && wv_source_waits(source))
			batch_commit(r->batch);
		if (!read_on(r))
			break;
	}
	if (have(r) > 0 && !skipping)
		add_line(r, have(r));
}

int
read_files(char *const *files, const struct settings *settings,
	struct batch *batch, struct check *check, struct wv_out *out)
{
	struct reader r = { .settings = settings,
		.batch = batch,
		.check = check,
		.max = settings->max_input };
	struct wv_err err = WV_ERR_INIT;
	int opened;

	wv_source_init(&r.source, files, out);
	while ((opened = wv_source_next(&r.source, &err)) != 0) {
		if (opened > 0 && r.source.folder)
			opened = wv_err_set(&err,
				"is a directory: --check looks into those");
		if (opened < 0) {
			report(&r, &err);
			wv_err_clear(&err);
		} else if (settings->lines) {
			read_lines(&r);
		} else {
			read_whole(&r);
		}
	}
	if (batch != NULL)
		batch_commit(batch);
	wv_source_free(&r.source);
	return r.status;
}
