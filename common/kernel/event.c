/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/state.h"

#include "base/id.h"
#include "contract/record.h"
#include "firewall/firewall.h"
#include "json/jcs.h"
#include "kernel/audit.h"

#include <stdlib.h>
#include <string.h>

/*
 * What comes from outside must not decide how long a line of the log is, and
 * a control character is written as six bytes.  The first that makes it short
 * enough is taken; the last one always does, and leaves code, token and
 * telemetry.
 */
static const struct cut {
	size_t text;     /* bytes of a string or number */
	size_t children; /* of the metadata, or an array or object in it */
	int depth;       /* of the metadata */
} cuts[] = { { 1024, 64, 8 }, { 256, 16, 4 }, { 64, 3, 2 } };

enum { TEXT_MAX = WV_EVENT_MAX - WV_CHAIN_MAX };

/* The length of what is kept of more than max bytes: whole characters. */
static size_t
kept(const char *s, size_t max)
{
	while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
		max--;
	return max;
}

/* Whether something had to go. */
static bool
cut_text(struct wv_arena *arena, cJSON *string, size_t max)
{
	const char *s = string->valuestring;

	if ((size_t)string->valueint <= max)
		return false;
	string->valuestring = wv_printf(arena, "%.*s…", (int)kept(s, max), s);
	string->valueint = (int)strlen(string->valuestring);
	return true;
}

static bool
must_go(const cJSON *item, const struct cut *cut)
{
	return (item->string != NULL && strlen(item->string) > cut->text) ||
		(wv_is_number(item) && item->valuestring != NULL &&
			(size_t)item->valueint > cut->text);
}

static void
unlink_item(cJSON *parent, cJSON *item)
{
	if (item == parent->child)
		parent->child = item->next;
	else
		item->prev->next = item->next;
	if (item->next != NULL)
		item->next->prev = item->prev;
	else if (parent->child != NULL)
		parent->child->prev = item->prev;
}

static bool
cut_tree(struct wv_arena *arena, cJSON *node, const struct cut *cut, int depth)
{
	bool was_cut = false;
	size_t count = 0;

	if (wv_is_string(node))
		return cut_text(arena, node, cut->text);
	for (cJSON *item = node->child, *next; item != NULL; item = next) {
		next = item->next;
		if (count == cut->children || depth == cut->depth ||
			must_go(item, cut)) {
			unlink_item(node, item);
			was_cut = true;
		} else {
			was_cut |= cut_tree(arena, item, cut, depth + 1);
			count++;
		}
	}
	return was_cut;
}

static bool
cut_event(struct wv_arena *arena, cJSON *event, const struct cut *cut)
{
	bool was_cut = false;

	wv_json_each(item, event)
		was_cut |= cut_tree(arena, item, cut, 0);
	return was_cut;
}

/* The line of an event, without its chain. */
static void
write_event(struct wv_arena *arena, struct wv_str *line, cJSON *event)
{
	size_t i = 0;

	do {
		line->n = 0;
		if (cut_event(arena, event, &cuts[i]))
			wv_put(arena, wv_get(event, "metadata"), "x_wv_cut",
				wv_json_bool(arena, true));
		wv_json_write(line, event);
	} while (line->n > TEXT_MAX && ++i < sizeof(cuts) / sizeof(cuts[0]));
}

/* Whatever a caller, a model or a tool put into it may hold a secret. */
static void
put(struct wv_arena *arena, cJSON *object, const char *name, const char *s)
{
	struct wv_str clean = { 0 }, safe = { 0 };
	struct wv_findings findings = { 0 };

	if (s == NULL)
		return;
	wv_clean(&clean, s, strlen(s), &findings);
	wv_redact(&safe, clean.n ? clean.s : "", clean.n, arena, NULL);
	wv_put(arena, object, name,
		wv_json_stringn(arena, safe.n ? safe.s : "", safe.n));
	wv_str_free(&clean);
	wv_str_free(&safe);
}

/* An address is who it was, and not what was said: without it nobody could
 * tell whose denial this is (cases E47). */
static void
put_principal(struct wv_arena *arena, cJSON *event, const char *principal)
{
	struct wv_findings findings = { 0 };
	struct wv_str safe = { 0 };

	if (principal != NULL && wv_id_is_kernel(principal))
		wv_redact(
			&safe, principal, strlen(principal), arena, &findings);
	wv_str_free(&safe);
	if (findings.kind_count == 1 && strcmp(findings.kinds[0], "email") == 0)
		wv_put_string(arena, event, "principal", principal);
	else
		put(arena, event, "principal", principal);
}

static void
move_members(struct wv_arena *arena, cJSON *to, cJSON *from)
{
	for (cJSON *item = from->child, *next; item != NULL; item = next) {
		next = item->next;
		wv_put(arena, to, item->string, wv_take(from, item->string));
	}
}

static void
put_metadata(
	struct wv_arena *arena, cJSON *object, const struct wv_event *event)
{
	cJSON *metadata = wv_put_object(arena, object, "metadata");
	struct wv_findings findings = { 0 };

	put(arena, metadata, "x_wv_code", event->code);
	put(arena, metadata, "x_wv_token_id", event->token_id);
	wv_put(arena, metadata, "telemetry", wv_telemetry(arena, event->cause));
	if (event->metadata != NULL) {
		wv_redact_tree(arena, event->metadata, &findings);
		move_members(arena, metadata, event->metadata);
	}
	if (event->found != NULL)
		wv_put(arena, metadata, "x_wv_found", event->found);
}

int
wv_state_event(struct wv_state *state, const struct wv_event *event,
	struct wv_err *err)
{
	struct wv_arena *arena = &state->arena;
	cJSON *object = wv_json_object(arena);
	struct wv_str line = { 0 };
	char id[WV_ID_MAX];

	wv_id_new(id, "evt");
	wv_put_string(arena, object, "event_id", id);
	wv_put_string(arena, object, "event_type", event->type);
	wv_put(arena, object, "timestamp", wv_json_time(arena, state->now));
	put(arena, object, "capability_id", event->capability_id);
	put_principal(arena, object, event->principal);
	put(arena, object, "decision_id", event->decision_id);
	put(arena, object, "frame_id", event->frame_id);
	put(arena, object, "handle_id", event->handle_id);
	put(arena, object, "outcome", event->outcome);
	put(arena, object, "error_message", event->error_message);
	put_metadata(arena, object, event);
	write_event(arena, &line, object);
	wv_audit_add(state->audit, line.s, line.n);
	wv_str_free(&line);
	return 0;
}

void
wv_state_keyed_digest(const struct wv_state *state, char hex[WV_SHA256_HEX],
	const void *p, size_t n)
{
	wv_hmac_hex(hex, state->digest_key, sizeof(state->digest_key), p, n);
}

cJSON *
wv_state_arguments(const struct wv_state *state, struct wv_arena *arena,
	const cJSON *arguments)
{
	cJSON *object = wv_json_object(arena), *names = wv_json_array(arena);
	struct wv_str canonical = { 0 };
	char hex[WV_SHA256_HEX];

	if (arguments == NULL)
		arguments = wv_json_object(arena);
	wv_json_each(item, arguments)
		wv_push(names, wv_json_string(arena, item->string));
	wv_json_canonical(&canonical, arguments);
	wv_state_keyed_digest(state, hex, canonical.s, canonical.n);
	wv_str_free(&canonical);
	wv_put(arena, object, "names", names);
	wv_put_string(arena, object, "keyed_digest", hex);
	return object;
}
