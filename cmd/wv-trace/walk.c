/* SPDX-License-Identifier: Apache-2.0 */
#include "walk-internal.h"

#include "base/msg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which line is wrong, when this one does not follow. */
static void
pend_reason(struct walk *w, enum wv_follows why, const struct wv_chain *chain,
	const struct wv_link *link)
{
	uint64_t due = wv_chain_next(chain, &link->lost);

	if (w->is_first && w->verdict.files > 1 &&
		link->segment != w->segment + 1)
		walk_pend(w, 0,
			"begins after segment %" PRIu64
			", where one after %" PRIu64
			" belongs: one is missing, or their order is another",
			link->segment, w->segment + 1);
	else if (why == WV_FOLLOWS_NOT_PREV && w->before.line > 0 &&
		(chain->torn_lines == 0 || link->has_gap))
		walk_pend_before(w,
			"changed: line %" PRIu64 " holds another hash of it",
			w->at.line);
	else if (why == WV_FOLLOWS_NOT_PREV)
		walk_pend(w, 0, "its prev is not the hash of the line before");
	else if (why == WV_FOLLOWS_NOT_GAP)
		walk_pend(w, 0, "its gap is not what stands before it");
	else if (link->seq == due + chain->torn_lines)
		return; /* the lines between were changed, and told */
	else
		walk_pend(w, 0, "seq %" PRIu64 " where %" PRIu64 " belongs: %s",
			link->seq, due,
			link->seq > due ? "lines are missing before it"
					: "repeated, moved or inserted");
}

/* Lines that wv-trace recover took note of when they were gone; before is the
 * seq of the line before this one. */
static void
note_loss(struct walk *w, const struct wv_lost *lost, uint64_t before)
{
	w->verdict.losses++;
	if (lost->seq > before)
		walk_note(w,
			"lines %" PRIu64 " to %" PRIu64
			" are missing before it: they were lost, the last had "
			"the hash %s",
			before + 1, lost->seq, lost->hash);
	else
		walk_note(w,
			"another line %" PRIu64
			" was lost before it, with the hash %s",
			lost->seq, lost->hash);
	for (struct watch *watch = w->watches; watch; watch = watch->next)
		if (watch->lost != NULL)
			watch->lost(watch, lost->seq);
}

static void
see_other(struct walk *w, const struct wv_err *err)
{
	const struct wv_reader *in = &w->source->in;

	walk_pend(w, err->column, "%s", err->text);
	wv_chain_skip(&w->strict, in->line, in->len);
	if (w->is_loose)
		wv_chain_skip(&w->loose, in->line, in->len);
	wv_sha256_hex(w->verdict.last, in->line, in->len);
}

static void
watch_link(struct walk *w, uint64_t seq, const char *hash)
{
	for (struct watch *watch = w->watches; watch; watch = watch->next)
		if (watch->link != NULL)
			watch->link(watch, seq, hash);
}

/* The log begins in the middle, and says so. */
static void
note_given(struct walk *w, const struct wv_link *link)
{
	walk_note(w,
		"lines 1 to %" PRIu64 " stand in segments before it, which "
		"are not here",
		link->seq - 1);
	watch_link(
		w, link->seq - 1, link->has_gap ? link->gap_after : link->prev);
}

static void
see_strict(struct walk *w, const struct wv_link *link, enum wv_follows how)
{
	const struct wv_reader *in = &w->source->in;

	if (how == WV_FOLLOWS_GAP) {
		/* A loss does not account for lines that were changed. */
		if (link->lost.seq == 0 || !w->is_loose)
			w->count = 0;
		walk_note(w,
			"%" PRIu64 " bytes before it are of a writer that "
			"died, and accounted for",
			w->strict.torn_bytes);
	}
	if (w->count > 0)
		walk_flush(w);
	if (w->strict.is_open && link->segment > 0 && link->log == NULL)
		note_given(w, link);
	w->is_loose = false;
	wv_chain_accept(&w->strict, link->seq, in->line, in->len);
	memcpy(w->verdict.last, w->strict.hash, WV_SHA256_HEX);
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
	memcpy(w->verdict.last, w->loose.hash, WV_SHA256_HEX);
	wv_chain_skip(&w->strict, in->line, in->len);
	w->is_loose = true;
	w->mark = w->count;
	if (w->strict.torn_lines > PENDING_MAX)
		walk_give_up(w);
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
	struct verdict *verdict = &w->verdict;
	uint64_t before = seq_now(w);

	if (how <= WV_FOLLOWS_GAP)
		see_strict(w, link, how);
	else
		how = see_loose(w, link, how);
	if (link->lost.seq > 0)
		note_loss(w, &link->lost, before);
	if (link->log != NULL && verdict->log[0] == '\0')
		snprintf(verdict->log, sizeof(verdict->log), "%s", link->log);
	if (verdict->first == 0)
		verdict->first = link->seq;
	if (link->segment > 0)
		w->segment = link->segment;
	w->is_first = false;
	w->before.name = w->at.name;
	w->before.line = w->at.line;
	w->before.offset = w->at.offset;
	if (w->watches != NULL)
		watch_link(w, link->seq, verdict->last);
	for (struct watch *watch = w->watches; watch; watch = watch->next)
		if (watch->line != NULL)
			watch->line(watch, in->line, in->len);
	return how <= WV_FOLLOWS_GAP;
}

/* Whether this is the line that the store recorded last, or stands for it. */
static void
check_head(struct walk *w, bool follows)
{
	const struct wv_head *head = &w->source->summit.head;
	const struct wv_reader *in = &w->source->in;
	uint64_t end = in->offset + in->len + in->ended;
	bool same = strcmp(w->verdict.last, head->hash) == 0;

	if (!same && !(follows && seq_now(w) == head->seq))
		return;
	w->head_seen = true;
	w->verdict.head_lines = w->verdict.lines;
	if (!same)
		walk_pend(w, 0,
			"changed: the store recorded another line %" PRIu64,
			head->seq);
	else if (end != head->end && w->count + w->verdict.faults == 0)
		walk_pend(w, 0,
			"ends at offset %" PRIu64
			", the store recorded %" PRIu64,
			end, head->end);
}

/* Without a tree: what a line of a known shape, or any once nothing more is
 * learned, says of the chain. */
static bool
skim(struct walk *w, struct wv_link *link)
{
	const struct wv_reader *in = &w->source->in;
	struct span values[SHAPE_VALUES];
	size_t len;
	bool is_json = shapes_find(w->shapes, in->line, in->line + in->len,
			       values, &len) != NULL;

	return (is_json || shapes_are_full(w->shapes)) &&
		wv_link_skim(link, is_json ? NULL : w->skim, in->line, in->len);
}

static void
read_link(struct walk *w, struct wv_link *link, struct wv_err *err)
{
	const struct wv_reader *in = &w->source->in;

	if (in->too_long) {
		wv_err_set(err, "longer than %d bytes", WALK_LINE_MAX);
		return;
	}
	if (skim(w, link))
		return;
	wv_arena_reset(&w->arena);
	if (wv_link_read(link, &w->arena, in->line, in->len, err) == 0)
		shapes_learn(w->shapes, in->line, in->len, link->event);
}

static void
see(struct walk *w)
{
	const struct wv_reader *in = &w->source->in;
	struct wv_err err = WV_ERR_INIT;
	struct wv_link link;
	bool follows = false;

	w->at.line = in->number;
	w->at.offset = in->offset;
	w->after_head += w->head_seen;
	read_link(w, &link, &err);
	if (wv_err_is_set(&err))
		see_other(w, &err);
	else
		follows = see_chained(w, &link);
	w->verdict.lines++;
	if (w->source->is_own && !w->head_seen)
		check_head(w, follows);
}

/* Our live log begins; what the store recorded last may be the end of a
 * segment. */
static void
begin_own(struct walk *w)
{
	const struct wv_summit *summit = &w->source->summit;
	const struct wv_head *head = &summit->head;

	w->verdict.is_own = true;
	w->verdict.summit = *summit;
	w->head_seen = head->end == 0;
	w->verdict.head_lines = w->verdict.lines;
	if (head->end > 0 || head->seq == 0)
		return;
	if (w->verdict.lines == 0) {
		/* The segments are not here. */
		wv_chain_start(&w->strict, head);
		memcpy(w->verdict.last, head->hash, WV_SHA256_HEX);
		watch_link(w, head->seq, head->hash);
	} else if (strcmp(w->verdict.last, head->hash) != 0) {
		walk_pend_before(w,
			"the last segment does not end with line %" PRIu64
			" as the store recorded it",
			head->seq);
	}
}

static void
end_own(struct walk *w, struct source *source)
{
	const struct wv_reader *in = &source->in;
	const struct wv_head *head = &source->summit.head;

	/* A line without LF after the head is what a writer died within. */
	if (w->count > 0 && !in->ended && in->number > 0 &&
		in->offset >= head->end &&
		w->pending[w->count - 1].name == w->name &&
		w->pending[w->count - 1].line == in->number)
		w->count--;
	if (!w->head_seen) {
		w->at.line = in->number + (seq_now(w) < head->seq);
		w->at.offset = source->size;
		walk_pend(w, 0,
			"the log ends here without line %" PRIu64
			" as the store recorded it",
			head->seq);
	}
	walk_flush(w);
	w->at.line = in->number;
	if (source->summit.lost.seq > 0) {
		w->verdict.losses++;
		walk_note(w,
			"lines after it were lost, up to %" PRIu64
			": the next one will say so",
			source->summit.lost.seq);
	}
	if (w->after_head > 0 && w->verdict.faults == 0)
		walk_note(w,
			"%" PRIu64 " lines are unknown to the store: a writer "
			"died, the next will settle them",
			w->after_head);
}

struct walk *
walk_new(struct watch *watches)
{
	struct walk *w = wv_xcalloc(1, sizeof(*w));

	w->watches = watches;
	w->pending = wv_xcalloc(PENDING_MAX, sizeof(*w->pending));
	w->skim = wv_xcalloc(1, sizeof(*w->skim));
	places_init(&w->places);
	w->shapes = shapes_new(&w->places, &wv_json_defaults);
	wv_chain_start(&w->strict, NULL);
	w->strict.is_open = true;
	return w;
}

int
walk_file(struct walk *w, struct source *source)
{
	struct wv_reader *in = &source->in;
	struct wv_err err = WV_ERR_INIT;
	int more;

	w->source = source;
	w->name = w->at.name = wv_dup(&w->names, source->name);
	w->at.line = w->at.offset = 0;
	w->verdict.files++;
	w->is_first = true;
	if (source->is_own)
		begin_own(w);
	while ((more = wv_reader_next(in, &err)) == 1)
		see(w);
	if (more < 0) {
		err.source = source->name;
		wv_warn_err(&err);
	}
	if (source->is_own)
		end_own(w, source);
	else if (in->number > 0 && !in->ended)
		walk_pend(w, 0, "does not end with LF");
	else if (in->number == 0 && source->segment > 0)
		walk_pend(w, 0, "a segment without a line");
	w->source = NULL;
	return more;
}

void
walk_end(struct walk *w, struct verdict *verdict)
{
	walk_flush(w);
	w->verdict.seq = seq_now(w);
	*verdict = w->verdict;
	wv_arena_free(&w->arena);
	wv_arena_free(&w->names);
	shapes_free(w->shapes);
	free(w->skim);
	free(w->pending);
	free(w);
}
