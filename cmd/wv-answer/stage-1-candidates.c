/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 1: what the phase has a use for, and --select lets in. */
#include "raw.h"
#include "stages.h"

/* Lists may be long, and are looked into for every item. */
struct names {
	struct wv_map kinds, ids, tags;
};

static void
add_names(struct wv_map *map, const cJSON *list)
{
	wv_json_each(entry, list)
		wv_map_add(map, entry->valuestring, 0);
}

static bool
has_tag(const struct wv_map *names, const char *const *tags)
{
	for (; tags != NULL && *tags != NULL; tags++)
		if (wv_map_find(names, *tags) != NULL)
			return true;
	return false;
}

/* What has no time cannot be known to be young. */
static bool
is_wanted(const struct wanted *wanted, const struct names *names,
	const struct raw_item *item, struct wv_time oldest)
{
	const struct label *label = &item->label;

	if (wanted->kinds != NULL &&
		wv_map_find(&names->kinds, kind_names[label->kind]) == NULL)
		return false;
	if (wanted->ids != NULL && wv_map_find(&names->ids, label->id) == NULL)
		return false;
	if (wanted->tags != NULL && !has_tag(&names->tags, item->tags))
		return false;
	return wanted->age_ms == 0 ||
		(label->has_time && wv_time_cmp(label->time, oldest) >= 0);
}

void
stage_candidates(struct build *b)
{
	const struct settings *settings = b->settings;
	const struct wanted *wanted = &settings->wanted;
	struct wv_time oldest = wv_time_add_ms(wv_now(), -wanted->age_ms);
	struct names names = { 0 };

	add_names(&names.kinds, wanted->kinds);
	add_names(&names.ids, wanted->ids);
	add_names(&names.tags, wanted->tags);
	for (size_t i = 0; i < b->intake->count; i++) {
		struct raw_item *item = &b->intake->items[i];
		item->is_candidate = item->is_dropped = false;
		item->label.is_closure = item->label.is_redacted = false;
		if (!phase_allows(settings->phase, item->label.kind))
			b->by_phase++;
		else if (!is_wanted(wanted, &names, item, oldest))
			b->by_selection++;
		else
			item->is_candidate = true;
		b->candidates += item->is_candidate;
	}
	wv_map_free(&names.kinds);
	wv_map_free(&names.ids);
	wv_map_free(&names.tags);
}
