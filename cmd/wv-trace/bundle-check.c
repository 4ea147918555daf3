/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle.h"

#include "base/msg.h"
#include "contract/contract.h"
#include "contract/record.h"
#include "json/jcs.h"
#include "kernel/decision.h"

#include <string.h>

#define REQUEST "/metadata/x_wv_routing_decision_id"

static bool
equals(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static void
deny(struct bundle *b, const char *what, const char *id, const char *why)
{
	wv_warn("%s %s: %s", what, id, why);
	b->is_false = true;
}

void
bundle_miss(struct bundle *b, const char *fmt, ...)
{
	struct wv_str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	wv_str_vfmt(&text, fmt, ap);
	va_end(ap);
	wv_warn("missing: %s", text.s);
	wv_push(b->missing, wv_json_stringn(&b->arena, text.s, text.n));
	wv_str_free(&text);
}

cJSON *
bundle_record(const struct bundle *b, char kind, const char *id)
{
	struct wv_str key = { 0 };
	const size_t *at;

	wv_str_fmt(&key, "%c%s", kind, id);
	at = wv_map_find(&b->index, key.s);
	wv_str_free(&key);
	return at != NULL && *at > 0 ? b->records[*at - 1] : NULL;
}

/* The place of a record: 0 is one that an event names and no FILE has. */
static size_t *
place(struct bundle *b, char kind, const char *id)
{
	return wv_map_add(&b->index, wv_printf(&b->arena, "%c%s", kind, id), 0);
}

static void
expect(struct bundle *b, char kind, const char *id)
{
	if (id != NULL)
		place(b, kind, id);
}

static bool
is_expected(const struct bundle *b, char kind, const char *id)
{
	struct wv_str key = { 0 };

	wv_str_fmt(&key, "%c%s", kind, id);
	bool found = wv_map_find(&b->index, key.s) != NULL;
	wv_str_free(&key);
	return found;
}

static const struct {
	enum wv_contract type;
	char kind, logged; /* of the index: a record, and one that an event
			      tells of */
	const char *what, *id, *request;
} kinds[] = {
	{ WV_ROUTING_DECISION, 'r', 'R', "RoutingDecision", "id", "/id" },
	{ WV_POLICY_DECISION, 'd', 'D', "PolicyDecision", "decision_id",
		"/metadata/x_wv_invocation/routing_decision_id" },
	{ WV_FRAME, 'f', 'F', "Frame", "frame_id",
		"/metadata/x_wv_call/routing_decision_id" },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* As it was when it was logged: a flow adds to it where a step stands. */
static cJSON *
logged_form(struct wv_arena *arena, const cJSON *record)
{
	cJSON *copy = wv_json_copy(arena, record);

	wv_take(wv_get(copy, "metadata"), "x_wv_flow");
	return copy;
}

static void
keep(struct bundle *b, size_t i, const char *id, const cJSON *record)
{
	size_t *at = place(b, kinds[i].kind, id);
	cJSON *copy = logged_form(&b->arena, record);

	if (*at > 0) {
		if (!wv_json_equal(b->records[*at - 1], copy))
			deny(b, kinds[i].what, id,
				"two records that differ have this id");
		return;
	}
	b->records =
		wv_list_room(b->records, b->record_count, sizeof *b->records);
	b->records[b->record_count++] = copy;
	*at = b->record_count;
}

static void
take(struct bundle *b, struct wv_lines *in, const struct wv_record *rec)
{
	int type = wv_contract_guess(rec->tree);
	struct wv_err err = WV_ERR_INIT;
	size_t i = 0;

	while (i < KINDS && (int)kinds[i].type != type)
		i++;
	if (i == KINDS)
		return;
	const char *id = wv_get_string(rec->tree, kinds[i].id);
	if (id == NULL ||
		(!equals(story_text(rec->tree, kinds[i].request), b->request) &&
			!is_expected(b, kinds[i].kind, id)))
		return;
	if (wv_contract_require(kinds[i].type, rec->tree, &err) < 0)
		wv_lines_bad(in, rec, &err);
	else
		keep(b, i, id, rec->tree);
}

void
bundle_gather(struct bundle *b, char *const *files)
{
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_lines in;
	struct wv_record rec;

	expect(b, 'r', b->request);
	for (size_t i = 0; i < b->story.count; i++) {
		const cJSON *event = b->story.events[i].event;
		expect(b, 'd', wv_get_string(event, "decision_id"));
		expect(b, 'f', wv_get_string(event, "frame_id"));
	}
	wv_lines_open(&in, files, &b->lines, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		take(b, &in, &rec);
		wv_arena_reset(&arena);
	}
	b->has_bad = wv_lines_close(&in) != WV_YES;
	wv_arena_free(&arena);
}

static bool
is_type(const cJSON *event, const char *type)
{
	return strcmp(wv_get_string(event, "event_type"), type) == 0;
}

/* The event that says what was decided. */
static bool
is_verdict(const cJSON *event)
{
	return is_type(event, "capability_authorized") ||
		is_type(event, "capability_denied");
}

/* What the event says of it, too, must be so. */
static void
compare(struct bundle *b, const cJSON *event, const cJSON *decision,
	const char *id)
{
	bool allows = is_type(event, "capability_authorized");

	if (!equals(wv_get_string(decision, "decision"),
		    allows ? "allow" : "deny"))
		deny(b, "PolicyDecision", id, "the log says otherwise");
	if (!equals(wv_get_string(decision, "capability_id"),
		    wv_get_string(event, "capability_id")))
		deny(b, "PolicyDecision", id, "the log has another capability");
	if (!equals(story_text(decision, "/metadata/x_wv_code"),
		    story_text(event, "/metadata/x_wv_code")))
		deny(b, "PolicyDecision", id, "the log has another code");
	if (!equals(story_text(decision, kinds[1].request), b->request))
		deny(b, "PolicyDecision", id, "it is of another request");
}

static void
check_decision(struct bundle *b, const cJSON *event, const cJSON *decision,
	const char *id)
{
	struct wv_err err = WV_ERR_INIT;
	int known;

	compare(b, event, decision, id);
	/* The store keeps what can be executed. */
	if (!is_type(event, "capability_authorized"))
		return;
	known = wv_decision_look(b->state, decision, &err);
	if (known < 0)
		wv_die_err(&err);
	if (known == 0)
		bundle_miss(b,
			"the digest of PolicyDecision %s, which the "
			"store has forgotten",
			id);
	else if (known == WV_DECISION_OTHER)
		deny(b, "PolicyDecision", id,
			"it is not the one that was recorded");
}

cJSON *
bundle_decisions(struct bundle *b)
{
	cJSON *list = wv_json_array(&b->arena);
	struct wv_map done = { 0 };

	for (size_t i = 0; i < b->story.count; i++) {
		const cJSON *event = b->story.events[i].event;
		const char *id = wv_get_string(event, "decision_id");
		if (id == NULL || !is_verdict(event) ||
			*wv_map_add(&done, id, i) != i)
			continue;
		expect(b, 'D', id);
		cJSON *decision = bundle_record(b, 'd', id);
		if (decision == NULL) {
			bundle_miss(b, "PolicyDecision %s", id);
			continue;
		}
		check_decision(b, event, decision, id);
		wv_push(list, decision);
	}
	wv_map_free(&done);
	return list;
}

static void
check_frame(struct bundle *b, const cJSON *event, const cJSON *frame,
	const char *id)
{
	const char *logged = story_text(event, "/metadata/x_wv_frame_sha256");
	char sha256[WV_SHA256_HEX];

	if (logged == NULL) {
		bundle_miss(b, "the digest of Frame %s in the log", id);
		return;
	}
	wv_json_digest(sha256, frame);
	if (strcmp(sha256, logged) != 0)
		deny(b, "Frame", id, "it is not the one that was logged");
}

cJSON *
bundle_frames(struct bundle *b)
{
	cJSON *list = wv_json_array(&b->arena);

	for (size_t i = 0; i < b->story.count; i++) {
		const cJSON *event = b->story.events[i].event;
		const char *id = wv_get_string(event, "frame_id");
		if (id == NULL || !is_type(event, "capability_executed"))
			continue;
		expect(b, 'F', id);
		cJSON *frame = bundle_record(b, 'f', id);
		if (frame == NULL) {
			bundle_miss(b, "Frame %s", id);
			continue;
		}
		check_frame(b, event, frame, id);
		wv_push(list, frame);
	}
	return list;
}

/* The log has a digest of the arguments under the state's own key. */
static void
check_routing(struct bundle *b, const cJSON *event, const cJSON *routing)
{
	const char *logged =
		story_text(event, "/metadata/x_wv_arguments/keyed_digest");
	const cJSON *arguments =
		wv_pointer(routing, "/metadata/x_wv_arguments");
	const char *capability = wv_get_string(event, "capability_id");
	struct wv_selection selection;

	wv_selection_read(&selection, routing);
	if (capability != NULL && strcmp(capability, WV_NO_CAPABILITY) != 0 &&
		!equals(selection.capability_id, capability))
		deny(b, "RoutingDecision", b->request,
			"it selects another capability than the log has");
	if (logged == NULL)
		return;
	const cJSON *own = wv_state_arguments(b->state, &b->arena, arguments);
	if (!equals(wv_get_string(own, "keyed_digest"), logged))
		deny(b, "RoutingDecision", b->request,
			"the log has other arguments");
}

cJSON *
bundle_routing(struct bundle *b)
{
	cJSON *routing = bundle_record(b, 'r', b->request);

	if (routing == NULL) {
		bundle_miss(b, "RoutingDecision %s", b->request);
		return NULL;
	}
	for (size_t i = 0; i < b->story.count; i++) {
		const cJSON *event = b->story.events[i].event;
		if (is_verdict(event) &&
			story_text(event, "/metadata/x_wv_presented") == NULL)
			check_routing(b, event, routing);
	}
	return routing;
}

void
bundle_check_rest(struct bundle *b)
{
	for (size_t n = 0; n < b->record_count; n++) {
		for (size_t i = 1; i < KINDS; i++) {
			const char *id =
				wv_get_string(b->records[n], kinds[i].id);
			if (id != NULL &&
				bundle_record(b, kinds[i].kind, id) ==
					b->records[n] &&
				!is_expected(b, kinds[i].logged, id))
				deny(b, kinds[i].what, id,
					"no event of the log names it");
		}
	}
}
