/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "base/msg.h"
#include "kernel/audit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PENDING_MAX = 4096 };

/* A fault, unless a gap turns out to account for the line. */
struct pending {
	uint64_t line, offset;
	size_t column;
	char what[120];
};

/*
 * `strict` is the chain as it ought to be.  From the first line on that does
 * not follow it, `loose` goes on from that line, so that one fault is not
 * told again by every line after it; to the strict chain these lines are
 * torn bytes, for which a gap may still account.  That hope is given up when
 * they are more than a dying writer can leave.
 */
struct walk {
	struct source *source;
	struct verdict *verdict;
	struct wv_arena arena; /* of a line */
	struct wv_chain strict, loose;
	bool is_loose;
	uint64_t before, before_offset; /* the last chained line */
	struct pending *pending;
	size_t count, mark; /* of pending; as the last loose line left it */
	bool head_seen;     /* what follows is unknown to the store */
	uint64_t after_head;
};

static void
tell(struct walk *w, uint64_t line, size_t column, const char *text)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, w->source->name, line, column, "%s", text);
	wv_warn_err(&err);
}

__attribute__((format(printf, 3, 4))) static void
note(struct walk *w, uint64_t line, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	tell(w, line, 0, text);
	w->verdict->notes++;
}

static void
flush_pending(struct walk *w)
{
	char text[200];

	for (size_t i = 0; i < w->count; i++) {
		const struct pending *p = &w->pending[i];
		snprintf(text, sizeof(text), "offset %" PRIu64 ": %s",
			p->offset, p->what);
		tell(w, p->line, p->column, text);
	}
	w->verdict->faults += w->count;
	w->count = w->mark = 0;
}

static void
give_up(struct walk *w)
{
	flush_pending(w);
	if (w->is_loose)
		w->strict = w->loose;
	w->is_loose = false;
}

__attribute__((format(printf, 5, 6))) static void
pend(struct walk *w, uint64_t line, uint64_t offset, size_t column,
	const char *fmt, ...)
{
	va_list ap;

	if (w->count == PENDING_MAX)
		give_up(w);
	struct pending *p = &w->pending[w->count++];
	p->line = line;
	p->offset = offset;
	p->column = column;
	va_start(ap, fmt);
	vsnprintf(p->what, sizeof(p->what), fmt, ap);
	va_end(ap);
}

/* Which line is wrong, when this one does not follow. */
static void
pend_reason(struct walk *w, enum wv_follows why, const struct wv_chain *chain,
	const struct wv_link *link)
{
	const struct wv_reader *in = &w->source->in;
	uint64_t due = wv_chain_next(chain, &link->lost);

	if (why == WV_FOLLOWS_NOT_PREV && chain->torn_lines == 0 &&
		w->before > 0)
		pend(w, w->before, w->before_offset, 0,
			"changed: line %" PRIu64 " holds another hash of it",
			in->number);
	else if (why == WV_FOLLOWS_NOT_PREV)
		pend(w, in->number, in->offset, 0,
			"its prev is not the hash of the line before");
	else if (why == WV_FOLLOWS_NOT_GAP)
		pend(w, in->number, in->offset, 0,
			"its gap is not what stands before it");
	else if (link->seq == due + chain->torn_lines)
		return; /* the lines between were changed, and told */
	else
		pend(w, in->number, in->offset, 0,
			"seq %" PRIu64 " where %" PRIu64 " belongs: %s",
			link->seq, due,
			link->seq > due ? "lines are missing before it"
					: "repeated, moved or inserted");
}

/* Lines that wv-trace recover took note of when they were gone; before is the
 * seq of the line before this one. */
static void
note_loss(struct walk *w, const struct wv_lost *lost, uint64_t before,
	uint64_t line)
{
	w->verdict->losses++;
	if (lost->seq > before)
		note(w, line,
			"note: lines %" PRIu64 " to %" PRIu64
			" are missing before it: they were lost, the last had "
			"the hash %s",
			before + 1, lost->seq, lost->hash);
	else
		note(w, line,
			"note: another line %" PRIu64
			" was lost before it, with the hash %s",
			lost->seq, lost->hash);
}

static void
see_other(struct walk *w, const struct wv_err *err)
{
	const struct wv_reader *in = &w->source->in;

	pend(w, in->number, in->offset, err->column, "%s", err->text);
	wv_chain_skip(&w->strict, in->line, in->len);
	if (w->is_loose)
		wv_chain_skip(&w->loose, in->line, in->len);
	wv_sha256_hex(w->verdict->last, in->line, in->len);
}

static void
see_strict(struct walk *w, const struct wv_link *link, enum wv_follows how)
{
	const struct wv_reader *in = &w->source->in;

	if (how == WV_FOLLOWS_GAP) {
		/* A loss does not account for lines that were changed. */
		if (link->lost.seq == 0 || !w->is_loose)
			w->count = 0;
		note(w, in->number,
			"note: %" PRIu64 " bytes before it are of a writer "
			"that died, and accounted for",
			w->strict.torn_bytes);
	}
	flush_pending(w);
	w->is_loose = false;
	wv_chain_accept(&w->strict, link->seq, in->line, in->len);
	memcpy(w->verdict->last, w->strict.hash, WV_SHA256_HEX);
}

/* Whether it follows the loose chain, if there is one already. */
static enum wv_follows
see_loose(struct walk *w, const struct wv_link *link, enum wv_follows how)
{
	const struct wv_reader *in = &w->source->in;
	const struct wv_chain *chain = w->is_loose ? &w->loose : &w->strict;

	if (w->is_loose)
		how = wv_chain_follows(chain, link);
	if (w->is_loose && how == WV_FOLLOWS_GAP)
		w->count = w->mark;
	if (how > WV_FOLLOWS_GAP)
		pend_reason(w, how, chain, link);
	wv_chain_accept(&w->loose, link->seq, in->line, in->len);
	memcpy(w->verdict->last, w->loose.hash, WV_SHA256_HEX);
	wv_chain_skip(&w->strict, in->line, in->len);
	w->is_loose = true;
	w->mark = w->count;
	if (w->strict.torn_lines > PENDING_MAX)
		give_up(w);
	return how;
}

static uint64_t
seq_now(const struct walk *w)
{
	return w->is_loose ? w->loose.seq : w->strict.seq;
}

/* False: it follows neither chain. */
static bool
see_chained(struct walk *w, const struct wv_link *link)
{
	const struct wv_reader *in = &w->source->in;
	enum wv_follows how = wv_chain_follows(&w->strict, link);
	uint64_t before = seq_now(w);

	if (how <= WV_FOLLOWS_GAP)
		see_strict(w, link, how);
	else
		how = see_loose(w, link, how);
	if (link->lost.seq > 0)
		note_loss(w, &link->lost, before, in->number);
	if (link->log != NULL && w->verdict->log[0] == '\0')
		snprintf(w->verdict->log, sizeof(w->verdict->log), "%s",
			link->log);
	w->before = in->number;
	w->before_offset = in->offset;
	return how <= WV_FOLLOWS_GAP;
}

/* Whether this is the line that the store recorded last, or stands for it. */
static void
check_head(struct walk *w, bool follows)
{
	const struct wv_head *head = &w->source->summit.head;
	const struct wv_reader *in = &w->source->in;
	uint64_t end = in->offset + in->len + in->ended;
	bool same = strcmp(w->verdict->last, head->hash) == 0;

	if (!w->source->is_own || w->head_seen ||
		(!same && !(follows && seq_now(w) == head->seq)))
		return;
	w->head_seen = true;
	if (!same)
		pend(w, in->number, in->offset, 0,
			"changed: the store recorded another line %" PRIu64,
			head->seq);
	else if (end != head->end && w->count + w->verdict->faults == 0)
		pend(w, in->number, in->offset, 0,
			"ends at offset %" PRIu64
			", the store recorded %" PRIu64,
			end, head->end);
}

static void
see(struct walk *w)
{
	const struct wv_reader *in = &w->source->in;
	struct wv_err err = WV_ERR_INIT;
	struct wv_link link;
	bool follows = false;

	w->after_head += w->head_seen;
	wv_arena_reset(&w->arena);
	if (in->too_long)
		wv_err_set(&err, "longer than %d bytes", WALK_LINE_MAX);
	else
		wv_link_read(&link, &w->arena, in->line, in->len, &err);
	if (wv_err_is_set(&err))
		see_other(w, &err);
	else
		follows = see_chained(w, &link);
	w->verdict->lines++;
	check_head(w, follows);
}

static void
end_own(struct walk *w)
{
	const struct wv_reader *in = &w->source->in;
	const struct wv_head *head = &w->source->summit.head;
	uint64_t lines = w->verdict->lines;

	/* A line without LF after the head is what a writer died within. */
	if (w->count > 0 && !in->ended && in->offset >= head->end &&
		w->pending[w->count - 1].line == in->number)
		w->count--;
	if (!w->head_seen)
		pend(w, seq_now(w) < head->seq ? lines + 1 : lines,
			w->source->size, 0,
			"the log ends here without line %" PRIu64
			" as the store recorded it",
			head->seq);
	flush_pending(w);
	w->verdict->losses += w->source->summit.lost.seq > 0;
	if (w->source->summit.lost.seq > 0)
		note(w, lines,
			"note: lines after it were lost, up to %" PRIu64
			": the next one will say so",
			w->source->summit.lost.seq);
	if (w->after_head > 0 && w->verdict->faults == 0)
		note(w, lines,
			"note: %" PRIu64 " lines are unknown to the store: a "
			"writer died, the next will settle them",
			w->after_head);
}

static void
end_file(struct walk *w)
{
	const struct wv_reader *in = &w->source->in;

	if (w->verdict->lines > 0 && !in->ended)
		pend(w, in->number, in->offset, 0, "does not end with LF");
	flush_pending(w);
}

int
walk_log(struct source *source, struct verdict *verdict)
{
	struct walk w = { .source = source, .verdict = verdict };
	struct wv_err err = WV_ERR_INIT;
	int more;

	memset(verdict, 0, sizeof(*verdict));
	w.pending = wv_xcalloc(PENDING_MAX, sizeof(*w.pending));
	w.head_seen = source->is_own && source->summit.head.seq == 0;
	wv_chain_start(&w.strict, NULL);
	while ((more = wv_reader_next(&source->in, &err)) == 1)
		see(&w);
	if (source->is_own)
		end_own(&w);
	else
		end_file(&w);
	if (more < 0) {
		err.source = source->name;
		wv_warn_err(&err);
	}
	wv_arena_free(&w.arena);
	free(w.pending);
	return more;
}
