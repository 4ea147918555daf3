/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall.h"
#include "judge.h"

#include "base/msg.h"
#include "json/jcs.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_ENTRIES = 1024,
	MAX_PIECES = 16 << 10,
	MAX_PENDING = 1 << 20, /* bytes that wait for what is to be logged */
	MAX_READY = 128 << 10, /* and of others */
	WORK_BLOCK = 1 << 20,
};

/* What the log will say of a piece. */
struct entry {
	bool kept;
	struct wv_artifact artifact; /* if kept */
	const char *frame_id;        /* NULL if no Frame is asked for */
	const char *frame_sha256;
	const cJSON *cause; /* a record with the Frame's telemetry */
	cJSON *found;       /* kinds and counts, or NULL */
};

static void
open_state(struct batch *b)
{
	if (b->state == NULL)
		b->state = wv_state_need(
			b->settings->state, WV_STATE_WRITE, false);
}

void
batch_open(struct batch *b, const struct settings *settings,
	struct sinks *sinks, struct tell *tell)
{
	*b = (struct batch){ .settings = settings,
		.sinks = sinks,
		.tell = tell,
		.work.block_size = WORK_BLOCK };
	b->last = &b->records;
	if (settings->keep)
		open_state(b);
}

/* What cannot be recorded is not kept either. */
_Noreturn static void
give_up(struct batch *b, const struct wv_err *err)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->entries[i].kept)
			wv_artifact_drop(b->state, &b->entries[i].artifact);
	wv_die_err(err);
}

static struct entry *
new_entry(struct batch *b)
{
	if (b->count == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 16;
		b->entries =
			wv_xrealloc(b->entries, b->cap * sizeof(*b->entries));
	}
	struct entry *entry = &b->entries[b->count++];
	*entry = (struct entry){ 0 };
	return entry;
}

static void
keep(struct batch *b, struct entry *entry, const char *raw, size_t len)
{
	struct wv_artifact *artifact = &entry->artifact;
	struct wv_err err = WV_ERR_INIT;

	*artifact = (struct wv_artifact){
		.capability_id = b->settings->capability_id,
		.media_type = b->settings->media_type != NULL
			? b->settings->media_type
			: wv_media_type(raw, len),
		.expires_at = wv_time_add_ms(wv_now(), WV_HANDLE_MS),
	};
	b->state->quota = b->settings->quota;
	if (wv_artifact_open(b->state, artifact, &err) < 0 ||
		wv_artifact_add(b->state, artifact, raw, len, &err) < 0 ||
		wv_artifact_close(b->state, artifact, &err) < 0)
		give_up(b, &err);
	entry->kept = true;
	wv_note("kept as %s", artifact->handle_id);
}

/* The Frame itself does not live until the commit. */
static void
remember_frame(struct batch *b, struct entry *entry, const cJSON *frame)
{
	cJSON *cause = wv_json_object(&b->arena);
	char hex[WV_SHA256_HEX];

	wv_json_digest(hex, frame);
	entry->frame_id = wv_dup(&b->arena, wv_get_string(frame, "frame_id"));
	entry->frame_sha256 = wv_dup(&b->arena, hex);
	wv_put(&b->arena, wv_put_object(&b->arena, cause, "metadata"),
		"telemetry",
		wv_json_copy(
			&b->arena, wv_pointer(frame, "/metadata/telemetry")));
	entry->cause = cause;
}

/* What there is to log of a piece, by whichever output it was found. */
struct seen {
	bool redacted, flagged;
	cJSON *found; /* of the first that found something */
};

static void
see(struct seen *seen, struct batch *b, const struct wv_findings *findings)
{
	seen->redacted |= findings->total > 0;
	seen->flagged |= findings->injection_count > 0;
	if (seen->found == NULL && (seen->redacted || seen->flagged))
		seen->found = wv_firewall_found(&b->arena, findings);
}

static void
see_record(struct seen *seen, struct batch *b, const struct record *record)
{
	struct wv_findings findings = { 0 };

	record_sum(record, &b->arena, &findings);
	see(seen, b, &findings);
}

static cJSON *
add_frame(struct batch *b, const struct entry *entry, const char *raw,
	size_t len, struct seen *seen)
{
	struct wv_findings findings = { 0 };
	const struct wv_firewall_input input = {
		.raw = raw,
		.len = len,
		.media_type = b->settings->media_type,
		.capability_id = b->settings->capability_id,
		.handle_id = entry->kept ? entry->artifact.handle_id : NULL,
	};
	cJSON *frame = wv_firewall_frame(
		&b->work, &input, &b->settings->options, &findings);

	see(seen, b, &findings);
	b->met |= findings.met;
	wv_json_write(&b->frames, frame);
	wv_str_chr(&b->frames, '\n');
	return frame;
}

static void
add_text(struct batch *b, const char *raw, size_t len, struct seen *seen)
{
	const struct settings *settings = b->settings;
	struct wv_findings findings = { 0 };

	if (settings->show)
		see_record(seen, b,
			show_text(&b->text, &b->work, raw, len,
				&settings->options, &findings));
	else
		wv_firewall_text(&b->text, &b->work, raw, len,
			&settings->options, &findings);
	see(seen, b, &findings);
	if (settings->lines)
		wv_str_chr(&b->text, '\n');
}

/* What is told of it when the group has committed. */
static void
add_record(struct batch *b, const char *source, size_t line, const char *raw,
	size_t len, struct seen *seen)
{
	struct judge judge = { .options = &b->settings->options,
		.arena = &b->arena,
		.has_fingerprints = b->tell->has_safety };
	const struct piece piece = {
		.raw = raw, .len = len, .first_line = line > 0 ? line : 1
	};

	judge_begin(&judge, source, line);
	judge_piece(&judge, &piece);
	*b->last = judge_end(&judge);
	see_record(seen, b, *b->last);
	b->last = &(*b->last)->next;
	judge_free(&judge);
}

/* A group is the fewer, the more there is in it. */
static bool
is_full(const struct batch *b)
{
	return b->count == MAX_ENTRIES || b->waiting == MAX_PIECES ||
		b->frames.n + b->text.n >
		(b->count > 0 ? MAX_PENDING : MAX_READY);
}

void
batch_add(struct batch *b, const char *source, size_t line, const char *raw,
	size_t len)
{
	struct entry *entry = new_entry(b);
	struct seen seen = { 0 };
	cJSON *frame = NULL;

	if (b->settings->keep)
		keep(b, entry, raw, len);
	if (b->sinks->frames != NULL)
		frame = add_frame(b, entry, raw, len, &seen);
	if (b->sinks->text != NULL)
		add_text(b, raw, len, &seen);
	if (b->tell != NULL)
		add_record(b, source, line, raw, len, &seen);
	b->pieces++;
	b->waiting++;
	b->redacted += seen.redacted;
	b->flagged += seen.flagged;
	b->kept += entry->kept;
	entry->found = seen.found;
	if (!seen.redacted && !seen.flagged && !entry->kept)
		b->count--;
	else if (frame != NULL)
		remember_frame(b, entry, frame);
	wv_arena_reset(&b->work);
	if (is_full(b))
		batch_commit(b);
}

void
batch_pass(struct batch *b, const char *text, size_t n,
	const struct wv_findings *findings)
{
	struct seen seen = { 0 };

	see(&seen, b, findings);
	if (seen.redacted || seen.flagged)
		new_entry(b)->found = seen.found;
	wv_str_add(&b->text, text, n);
	batch_commit(b);
}

static int
log_entry(struct batch *b, const struct entry *entry, struct wv_err *err)
{
	const struct settings *settings = b->settings;
	struct wv_event event = {
		.type = "firewall_applied",
		.capability_id = settings->capability_id,
		.frame_id = entry->frame_id,
		.handle_id = entry->kept ? entry->artifact.handle_id : NULL,
		.outcome = "success",
		.cause = entry->cause,
		.found = entry->found,
	};

	if (entry->frame_sha256 != NULL) {
		event.metadata = wv_json_object(&b->state->arena);
		wv_put_string(&b->state->arena, event.metadata,
			"x_wv_frame_sha256", entry->frame_sha256);
	}
	if (wv_state_event(b->state, &event, err) < 0)
		return -1;
	if (!entry->kept)
		return 0;
	event.type = "handle_created";
	event.metadata = event.found = NULL;
	if (wv_artifact_record(b->state, &entry->artifact, err) < 0)
		return -1;
	return wv_state_event(b->state, &event, err);
}

static int
log_entries(struct batch *b, struct wv_err *err)
{
	if (wv_state_begin(b->state, err) < 0)
		return -1;
	for (size_t i = 0; i < b->count; i++) {
		if (log_entry(b, &b->entries[i], err) < 0) {
			wv_state_rollback(b->state);
			return -1;
		}
	}
	return wv_state_commit(b->state, err);
}

static void
write_out(struct wv_out *out, struct wv_str *pending)
{
	struct wv_str empty;

	if (out == NULL)
		return;
	if (out->buf.n == 0) {
		empty = out->buf;
		out->buf = *pending;
		*pending = empty;
	} else {
		wv_out_add(out, pending->s, pending->n);
		pending->n = 0;
	}
	wv_out_mark(out);
}

void
batch_commit(struct batch *b)
{
	struct wv_err err = WV_ERR_INIT;

	if (b->count > 0) {
		open_state(b);
		if (log_entries(b, &err) < 0)
			give_up(b, &err);
	}
	write_out(b->sinks->frames, &b->frames);
	write_out(b->sinks->text, &b->text);
	for (const struct record *r = b->records; r != NULL; r = r->next)
		tell_record(b->tell, r);
	b->records = NULL;
	b->last = &b->records;
	b->count = b->waiting = 0;
	wv_arena_reset(&b->arena);
}

void
batch_close(struct batch *b)
{
	wv_state_close(b->state);
	wv_arena_free(&b->work);
	wv_arena_free(&b->arena);
	wv_str_free(&b->frames);
	wv_str_free(&b->text);
	free(b->entries);
}
