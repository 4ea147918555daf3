/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of rules, and what is made of them before the first scan. */
#include "firewall/scan-internal.h"

#include <string.h>

/* A list in the arena with room for one more. */
static void *
room(struct wv_arena *arena, void *list, size_t count, size_t size)
{
	if (count != 0 && (count & (count - 1)) != 0)
		return list;
	void *larger = wv_alloc(arena, (count == 0 ? 1 : 2 * count) * size);
	if (count != 0)
		memcpy(larger, list, count * size);
	return larger;
}

struct wv_rules *
wv_rules_new(struct wv_arena *arena)
{
	struct wv_rules *rules = wv_alloc_zero(arena, sizeof(*rules));

	rules->arena = arena;
	for (size_t i = 0; i < wv_built_in_count; i++) {
		wv_rules_add(rules, &wv_built_in[i]);
		rules->rows[i].bucket = wv_filter_bucket(i);
	}
	return rules;
}

/* They are made when first needed. */
const struct wv_rules *
wv_rules_or_built_in(const struct wv_rules *rules)
{
	static struct wv_arena arena = WV_ARENA_INIT;
	static struct wv_rules *built_in;

	if (rules != NULL)
		return rules;
	if (built_in == NULL) {
		built_in = wv_rules_new(&arena);
		wv_rules_ready(built_in);
	}
	return built_in;
}

/* Anchors that are cut at a space are not seen as one word. */
static size_t
spaced(const struct wv_rule *row)
{
	return memchr(row->anchor, ' ', row->length - 1) ? row->length - 1 : 0;
}

void
wv_rules_add(struct wv_rules *rules, const struct wv_rule *row)
{
	unsigned char first[8] = { 0 }, mask[8] = { 0 }, fold[8] = { 0 };
	struct wv_rule *added;

	rules->rows = room(
		rules->arena, rules->rows, rules->count, sizeof(*rules->rows));
	added = &rules->rows[rules->count++];
	*added = *row;
	for (size_t i = 0; i < sizeof(first) && i < row->length; i++) {
		first[i] = (unsigned char)row->anchor[i];
		mask[i] = 0xFF;
		if (row->any_case && wv_is_letter(row->anchor[i]))
			fold[i] = 0x20;
	}
	memcpy(&added->first, first, sizeof(first));
	memcpy(&added->mask, mask, sizeof(mask));
	memcpy(&added->fold, fold, sizeof(fold));
	added->spaced = spaced(row);
}

void
wv_rules_name(struct wv_rules *rules, const char *name, const char *kind)
{
	const struct wv_rule row = { .anchor = name,
		.length = strlen(name),
		.any_case = true,
		.recognize = wv_assignment,
		.data = kind };

	wv_rules_add(rules, &row);
	rules->names++;
}

void
wv_rules_switch(struct wv_rules *rules, const char *name, bool on)
{
	const struct wv_kind *kind = wv_kind(name);
	size_t i = 0;

	if (kind == NULL)
		return;
	while (i < rules->switched_count && rules->switched[i] != kind)
		i++;
	bool is_switched = i < rules->switched_count;
	if (is_switched == (on == kind->is_off))
		return;
	if (is_switched) {
		rules->switched[i] = rules->switched[--rules->switched_count];
		return;
	}
	rules->switched = room(rules->arena, rules->switched,
		rules->switched_count, sizeof(*rules->switched));
	rules->switched[rules->switched_count++] = kind;
}

bool
wv_rules_has(const struct wv_rules *rules, const char *name)
{
	const struct wv_kind *kind = wv_kind(name);
	bool on = kind == NULL || !kind->is_off;

	for (size_t i = 0; i < rules->switched_count; i++)
		if (rules->switched[i] == kind)
			return !on;
	return on;
}

void
wv_rules_allow(struct wv_rules *rules, wv_allows *allows, const void *data)
{
	rules->allowed = room(rules->arena, rules->allowed,
		rules->allowed_count, sizeof(*rules->allowed));
	rules->allowed[rules->allowed_count].allows = allows;
	rules->allowed[rules->allowed_count++].data = data;
}

bool
wv_rules_allows(
	const struct wv_rules *rules, const char *kind, const char *s, size_t n)
{
	for (size_t i = 0; i < rules->allowed_count; i++)
		if (rules->allowed[i].allows(
			    rules->allowed[i].data, kind, s, n))
			return true;
	return false;
}

/* Rows of a slot keep their order: where two begin alike the first that is
 * confirmed wins. */
static void
sort_by_slot(struct wv_rules *rules)
{
	size_t next[WV_SLOTS] = { 0 }, kept = 0, n = 0;
	struct wv_rule *sorted;

	for (size_t i = 0; i < rules->count; i++) {
		const struct wv_rule *row = &rules->rows[i];
		if (row->kind == NULL || wv_rules_has(rules, row->kind))
			rules->rows[kept++] = *row;
	}
	rules->count = kept;
	for (size_t i = 0; i < kept; i++)
		next[wv_rule_slot(rules->rows[i].anchor)]++;
	for (size_t slot = 0; slot < WV_SLOTS; slot++) {
		size_t count = next[slot];
		rules->slots[slot] = (uint16_t)n;
		next[slot] = n;
		n += count;
	}
	rules->slots[WV_SLOTS] = (uint16_t)n;
	sorted = wv_alloc(rules->arena, (kept + 1) * sizeof(*sorted));
	for (size_t i = 0; i < kept; i++)
		sorted[next[wv_rule_slot(rules->rows[i].anchor)]++] =
			rules->rows[i];
	rules->rows = sorted;
}

void
wv_rules_ready(struct wv_rules *rules)
{
	if (rules->ready)
		return;
	rules->ready = true;
	rules->email = wv_rules_has(rules, "email");
	rules->iban = wv_rules_has(rules, "iban");
	rules->addresses = wv_rules_has(rules, "ip-address");
	rules->card = wv_rules_has(rules, "card");
	rules->phone = wv_rules_has(rules, "phone");
	rules->ssn = wv_rules_has(rules, "ssn");
	rules->filter.single[0] = '@';
	rules->filter.single[1] = rules->addresses ? ':' : '@';
	sort_by_slot(rules);
	wv_filter_heads(
		&rules->filter, rules->rows, rules->count, rules->arena);
	wv_filter_rows(&rules->filter, rules->rows, rules->count);
}
