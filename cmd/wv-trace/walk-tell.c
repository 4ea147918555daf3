/* SPDX-License-Identifier: Apache-2.0 */
#include "walk-internal.h"

#include "base/msg.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void
tell(const struct pending *at, size_t column, const char *text)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, at->name, at->line, column, "%s", text);
	wv_warn_err(&err);
}

void
walk_note(struct walk *w, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	size_t n = (size_t)snprintf(text, sizeof(text), "note: ");
	vsnprintf(text + n, sizeof(text) - n, fmt, ap);
	va_end(ap);
	tell(&w->at, 0, text);
	w->verdict.notes++;
}

void
walk_flush(struct walk *w)
{
	char text[200];

	for (size_t i = 0; i < w->count; i++) {
		const struct pending *p = &w->pending[i];
		snprintf(text, sizeof(text), "offset %" PRIu64 ": %s",
			p->offset, p->what);
		tell(p, p->column, text);
	}
	w->verdict.faults += w->count;
	w->count = w->mark = 0;
}

void
walk_give_up(struct walk *w)
{
	walk_flush(w);
	if (w->is_loose)
		w->strict = w->loose;
	w->is_loose = false;
}

static void
pend_at(struct walk *w, const struct pending *at, size_t column,
	const char *fmt, va_list ap)
{
	if (w->count == PENDING_MAX)
		walk_give_up(w);
	struct pending *p = &w->pending[w->count++];
	*p = *at;
	p->column = column;
	vsnprintf(p->what, sizeof(p->what), fmt, ap);
}

void
walk_pend(struct walk *w, size_t column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	pend_at(w, &w->at, column, fmt, ap);
	va_end(ap);
}

void
walk_pend_before(struct walk *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	pend_at(w, &w->before, 0, fmt, ap);
	va_end(ap);
}

void
walk_fault(struct walk *w, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	tell(&w->at, 0, text);
	w->verdict.faults++;
}
