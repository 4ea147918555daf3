/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/invariant.h"

#include "base/hash.h"

enum kind { DECISION, FRAME, HANDLE, EVENT, KIND_COUNT };

/* What a bundle holds, and the members by which its records refer to it. */
static const struct {
	const char *array, *id, *what;
} kinds[KIND_COUNT] = {
	[DECISION] = { "policy_decisions", "decision_id", "decision" },
	[FRAME] = { "frames", "frame_id", "Frame" },
	[HANDLE] = { "handles", "handle_id", "Handle" },
	[EVENT] = { "trace_events", "event_id", "event" },
};

struct bundle {
	struct wv_found *found;
	const cJSON *record;
	const struct wv_place *place;
	struct wv_map ids[KIND_COUNT];
};

/* An event without an id is the schema's to refuse. */
static void
collect(struct bundle *b, enum kind kind)
{
	struct wv_place at = { b->place, kinds[kind].array, 0 };

	wv_json_each(one, wv_get(b->record, kinds[kind].array)) {
		const char *id = wv_get_string(one, kinds[kind].id);
		struct wv_place member = { &at, kinds[kind].id, WV_NO_INDEX };
		if (id != NULL &&
			*wv_map_add(&b->ids[kind], id, at.index) != at.index)
			wv_found_add(b->found, WV_DOUBT, &member, "",
				"unique-ids",
				"two %ss of this bundle have the id \"%.*s\"",
				kinds[kind].what, WV_SHOWN_NAME, id);
		at.index++;
	}
}

/* The contract does not say that a bundle is whole but for I-02. */
static void
check_reference(struct bundle *b, enum kind kind, const cJSON *id,
	const struct wv_place *place)
{
	if (wv_is_string(id) &&
		wv_map_find(&b->ids[kind], id->valuestring) == NULL)
		wv_found_add(b->found, WV_DOUBT, place, "", "bundle-reference",
			"this bundle holds no %s \"%.*s\"", kinds[kind].what,
			WV_SHOWN_NAME, id->valuestring);
}

static void
check_events(struct bundle *b)
{
	struct wv_place at = { b->place, kinds[EVENT].array, 0 };

	wv_json_each(event, wv_get(b->record, kinds[EVENT].array)) {
		for (enum kind kind = DECISION; kind < EVENT; kind++) {
			const char *name = kinds[kind].id;
			struct wv_place member = { &at, name, WV_NO_INDEX };
			check_reference(b, kind, wv_get(event, name), &member);
		}
		at.index++;
	}
}

static void
check_handle_refs(struct bundle *b)
{
	struct wv_place at = { b->place, kinds[FRAME].array, 0 };

	wv_json_each(frame, wv_get(b->record, kinds[FRAME].array)) {
		struct wv_place ref = { &at, "handle_refs", 0 };
		wv_json_each(id, wv_get(frame, "handle_refs")) {
			check_reference(b, HANDLE, id, &ref);
			ref.index++;
		}
		at.index++;
	}
}

/* I-02: each decision, a deny too, is in the log. */
static void
check_traced(struct bundle *b)
{
	const char *name = kinds[DECISION].id;
	struct wv_place at = { b->place, kinds[DECISION].array, 0 };
	struct wv_map traced = { 0 };

	wv_json_each(event, wv_get(b->record, kinds[EVENT].array)) {
		const char *id = wv_get_string(event, name);
		if (id != NULL)
			wv_map_add(&traced, id, 0);
	}
	wv_json_each(decision, wv_get(b->record, kinds[DECISION].array)) {
		const char *id = wv_get_string(decision, name);
		struct wv_place member = { &at, name, WV_NO_INDEX };
		if (id != NULL && wv_map_find(&traced, id) == NULL)
			wv_found_add(b->found, WV_FAULT, &member, "", "I-02",
				"no event names the decision \"%.*s\"",
				WV_SHOWN_NAME, id);
		at.index++;
	}
	wv_map_free(&traced);
}

void
wv_bundle_invariants(struct wv_found *found, const cJSON *bundle,
	const struct wv_place *place)
{
	struct bundle b = { .found = found, .record = bundle, .place = place };

	check_traced(&b);
	for (enum kind kind = 0; kind < KIND_COUNT; kind++)
		collect(&b, kind);
	check_events(&b);
	check_handle_refs(&b);
	for (enum kind kind = 0; kind < KIND_COUNT; kind++)
		wv_map_free(&b.ids[kind]);
}
