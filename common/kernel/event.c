/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/state.h"

#include "base/id.h"
#include "contract/record.h"
#include "firewall/firewall.h"
#include "json/jcs.h"
#include "kernel/audit.h"

#include <stdlib.h>
#include <string.h>

/* What comes from outside must not decide how long a line of the log is. */
enum {
	MAX_TEXT = 1024,   /* bytes of a string */
	MAX_CHILDREN = 64, /* of an array or object of the metadata */
	MAX_DEPTH = 8,
};

/* The length of what is kept of n bytes: whole characters. */
static size_t
kept(const char *s, size_t n)
{
	if (n <= MAX_TEXT)
		return n;
	for (n = MAX_TEXT; ((unsigned char)s[n] & 0xc0) == 0x80; n--)
		;
	return n;
}

static void
bound(struct wv_arena *arena, cJSON *node, int depth)
{
	size_t count = 0;

	if (wv_is_string(node)) {
		size_t n = (size_t)node->valueint;
		if (kept(node->valuestring, n) < n) {
			node->valuestring = wv_printf(arena, "%.*s…",
				(int)kept(node->valuestring, n),
				node->valuestring);
			node->valueint = (int)strlen(node->valuestring);
		}
		return;
	}
	wv_json_each(item, node) {
		size_t n = strlen(item->string != NULL ? item->string : "");
		if (++count > MAX_CHILDREN || depth == MAX_DEPTH) {
			node->child->prev = item->prev;
			if (item == node->child)
				node->child = NULL;
			else
				item->prev->next = NULL;
			return;
		}
		if (n > MAX_TEXT)
			item->string[kept(item->string, n)] = '\0';
		bound(arena, item, depth + 1);
	}
}

/* Whatever a caller, a model or a tool put into it may hold a secret. */
static void
put(struct wv_arena *arena, cJSON *object, const char *name, const char *s,
	struct wv_str *clean)
{
	if (s == NULL)
		return;
	clean->n = 0;
	wv_redact(clean, s, strlen(s), arena, NULL);
	cJSON *text =
		wv_json_stringn(arena, clean->n ? clean->s : "", clean->n);
	bound(arena, text, 0);
	wv_put(arena, object, name, text);
}

static void
put_metadata(struct wv_arena *arena, cJSON *object,
	const struct wv_event *event, struct wv_str *clean)
{
	cJSON *metadata = wv_put_object(arena, object, "metadata");
	struct wv_findings findings = { 0 };

	put(arena, metadata, "x_wv_code", event->code, clean);
	put(arena, metadata, "x_wv_token_id", event->token_id, clean);
	wv_put(arena, metadata, "telemetry", wv_telemetry(arena, event->cause));
	if (event->metadata == NULL)
		return;
	wv_redact_tree(arena, event->metadata, &findings);
	bound(arena, event->metadata, 0);
	for (cJSON *item = event->metadata->child, *next; item != NULL;
		item = next) {
		next = item->next;
		wv_put(arena, metadata, item->string,
			wv_take(event->metadata, item->string));
	}
}

int
wv_state_event(struct wv_state *state, const struct wv_event *event,
	struct wv_err *err)
{
	struct wv_arena *arena = &state->arena;
	cJSON *object = wv_json_object(arena);
	struct wv_str clean = { 0 };
	char id[WV_ID_MAX];

	wv_id_new(id, "evt");
	wv_put_string(arena, object, "event_id", id);
	wv_put_string(arena, object, "event_type", event->type);
	wv_put(arena, object, "timestamp", wv_json_time(arena, state->now));
	put(arena, object, "capability_id", event->capability_id, &clean);
	put(arena, object, "principal", event->principal, &clean);
	put(arena, object, "decision_id", event->decision_id, &clean);
	put(arena, object, "frame_id", event->frame_id, &clean);
	put(arena, object, "handle_id", event->handle_id, &clean);
	put(arena, object, "outcome", event->outcome, &clean);
	put(arena, object, "error_message", event->error_message, &clean);
	put_metadata(arena, object, event, &clean);
	wv_str_free(&clean);
	wv_audit_add(state->audit, object);
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
