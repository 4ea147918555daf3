/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall.h"

#include "base/msg.h"
#include "json/jcs.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_ENTRIES = 1024,
	MAX_PENDING = 1 << 20, /* bytes */
	WORK_BLOCK = 1 << 20,
};

/* What the log will say of a piece. */
struct entry {
	bool kept;
	struct wv_artifact artifact; /* if kept */
	const char *frame_id;        /* NULL under -f text */
	const char *frame_sha256;
	const cJSON *cause; /* a record with the Frame's telemetry */
};

static void
open_state(struct batch *b)
{
	if (b->state == NULL)
		b->state = wv_state_need(
			b->settings->state, WV_STATE_WRITE, false);
}

void
batch_open(struct batch *b, const struct settings *settings, struct wv_out *out)
{
	*b = (struct batch){
		.settings = settings, .out = out, .work.block_size = WORK_BLOCK
	};
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
		.media_type = wv_media_type(raw, len),
		.expires_at = wv_time_add_ms(wv_now(), WV_HANDLE_MS),
	};
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

static void
add_frame(struct batch *b, struct entry *entry, const char *raw, size_t len,
	struct wv_findings *findings)
{
	const struct wv_firewall_input input = {
		.raw = raw,
		.len = len,
		.capability_id = b->settings->capability_id,
		.handle_id = entry->kept ? entry->artifact.handle_id : NULL,
	};
	cJSON *frame = wv_firewall_frame(
		&b->work, &input, &b->settings->options, findings);

	wv_json_write(&b->pending, frame);
	wv_str_chr(&b->pending, '\n');
	remember_frame(b, entry, frame);
}

void
batch_add(struct batch *b, const char *raw, size_t len)
{
	struct wv_findings findings = { 0 };
	struct entry *entry = new_entry(b);

	if (b->settings->keep)
		keep(b, entry, raw, len);
	if (b->settings->format == FORMAT_FRAME)
		add_frame(b, entry, raw, len, &findings);
	else
		wv_firewall_text(&b->pending, &b->work, raw, len, &findings);
	if (b->settings->format == FORMAT_TEXT && b->settings->lines)
		wv_str_chr(&b->pending, '\n');
	b->pieces++;
	b->redacted += findings.total > 0;
	b->kept += entry->kept;
	if (findings.total == 0 && !entry->kept)
		b->count--;
	wv_arena_reset(&b->work);
	if (b->count == MAX_ENTRIES || b->pending.n > MAX_PENDING)
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
	event.metadata = NULL;
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

void
batch_commit(struct batch *b)
{
	struct wv_err err = WV_ERR_INIT;

	if (b->count > 0) {
		open_state(b);
		if (log_entries(b, &err) < 0)
			give_up(b, &err);
	}
	wv_out_add(b->out, b->pending.s, b->pending.n);
	wv_out_mark(b->out);
	b->pending.n = 0;
	b->count = 0;
	wv_arena_reset(&b->arena);
}

void
batch_close(struct batch *b)
{
	wv_state_close(b->state);
	wv_arena_free(&b->work);
	wv_arena_free(&b->arena);
	wv_str_free(&b->pending);
	free(b->entries);
}
