/* SPDX-License-Identifier: Apache-2.0 */
#include "card.h"

#include "card/menu.h"
#include "card/shown.h"
#include "firewall/normal.h"
#include "json/utf8.h"

#include <stdio.h>
#include <string.h>

/* Tokens that are kept for what comes after a long id. */
enum { LABEL_LEAST = 6, LABEL_MOST = 24, REST_LEAST = 8, TAGS_MOST = 16 };
enum { SEPARATORS = 3 }; /* tokens of " - ", ": " and "]" */

#define READ_ONLY "read-only"
#define DESTRUCTIVE "destructive"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* What of a budget is left, or a little in any case. */
static size_t
left_of(size_t budget, size_t used, size_t little)
{
	return used + little < budget ? budget - used : little;
}

static size_t
tokens_of(const cJSON *object, const char *name)
{
	const char *text = wv_get_string(object, name);

	return wv_shown_tokens(text, strlen(text));
}

/* Puts a text as it may be shown; false: nothing is left of it. */
static bool
put_shown(struct wv_arena *arena, cJSON *object, const char *name,
	const char *text, size_t max, size_t tokens)
{
	struct wv_str line = { 0 };
	bool is_there;

	wv_shown_text(&line, text, max, tokens);
	is_there = line.n > 0;
	if (is_there)
		wv_put_string(arena, object, name, line.s);
	wv_str_free(&line);
	return is_there;
}

/* Puts what fits beside the id and tags of so many tokens. */
static void
put_texts(struct wv_arena *arena, cJSON *item, const char *label,
	const char *description, size_t tags)
{
	size_t used = tokens_of(item, "id") + SEPARATORS + tags;
	size_t most = left_of(ITEM_TOKENS, used + REST_LEAST, LABEL_LEAST);

	if (!put_shown(arena, item, "label", label, WV_CARD_LABEL_MAX,
		    least(most, LABEL_MOST)))
		wv_put_string(arena, item, "label", "(no name)");
	used += tokens_of(item, "label");
	most = left_of(ITEM_TOKENS, used,
		least(REST_LEAST, left_of(ITEM_TOKENS_MAX, used, 1)));
	if (!put_shown(arena, item, "description", description,
		    WV_CARD_DESCRIPTION_MAX, most) &&
		!put_shown(arena, item, "description",
			wv_get_string(item, "label"), WV_CARD_LABEL_MAX, most))
		wv_put_string(arena, item, "description", "…");
}

cJSON *
card_item(struct wv_arena *arena, const char *id, const char *label,
	const char *description)
{
	cJSON *item = wv_json_object(arena);

	wv_put_string(arena, item, "id", id);
	put_texts(arena, item, label, description, 0);
	return item;
}

/* A tag of the catalogue's own, as it is shown, has a mark of ours in it, for
 * who reads the letters. */
static bool
is_reserved(const char *tag)
{
	const unsigned char *s = (const unsigned char *)tag;
	size_t n = strlen(tag);
	struct wv_str letters = { 0 };
	bool found;

	while (n > 0) {
		uint32_t cp, read[WV_FOLD_MAX];
		int count, bytes = wv_utf8_get(s, n, &cp);
		if (wv_normal_fold(cp, read, &count) == WV_FOLD_LETTER)
			for (int i = 0; i < count; i++)
				wv_str_chr(&letters,
					read[i] < 0x80 ? (char)read[i] : '?');
		s += bytes;
		n -= (size_t)bytes;
	}
	wv_str_cat(&letters, "");
	found = strstr(letters.s, "readonly") != NULL ||
		strstr(letters.s, DESTRUCTIVE) != NULL;
	wv_str_free(&letters);
	return found;
}

static bool
has_tag(const cJSON *tags, const char *tag)
{
	wv_json_each(other, tags)
		if (strcmp(other->valuestring, tag) == 0)
			return true;
	return false;
}

/* What is shown of them, and what that costs. */
static cJSON *
tags_of(struct wv_arena *arena, const struct wv_capability *tool, size_t budget,
	size_t *cost)
{
	const char *mark = NULL;
	cJSON *tags = wv_json_array(arena);

	if (tool->safety != NULL && strcmp(tool->safety, "read") == 0)
		mark = READ_ONLY;
	if (tool->safety != NULL && strcmp(tool->safety, "destructive") == 0)
		mark = DESTRUCTIVE;
	if (mark != NULL)
		wv_push(tags, wv_json_string(arena, mark));
	*cost = mark != NULL ? wv_shown_tokens(mark, strlen(mark)) + 1 : 0;
	wv_json_each(tag, tool->tags) {
		struct wv_str text = { 0 };
		size_t tokens;
		if (wv_count(tags) == WV_CARD_TAGS_MAX)
			break;
		wv_shown_text(&text, tag->valuestring, WV_CARD_TAG_MAX, budget);
		tokens = wv_shown_tokens(text.s, text.n) + 1;
		if (text.n > 0 && *cost + tokens <= budget &&
			!is_reserved(text.s) && !has_tag(tags, text.s)) {
			wv_push(tags, wv_json_string(arena, text.s));
			*cost += tokens;
		}
		wv_str_free(&text);
	}
	return tags;
}

/* The higher of what is stated and what the safety stands for; NULL: neither
 * is known. */
static const char *
risk_of(const struct wv_capability *tool, const char **reason)
{
	static const char *const levels[] = { "low", "medium", "high",
		"critical" };
	static const struct {
		const char *safety, *reason;
		size_t level;
	} safeties[] = { { "read", NULL, 0 },
		{ "write", "changes something", 1 },
		{ DESTRUCTIVE, "cannot be undone", 2 } };
	size_t level = 0;
	bool is_known = false;

	*reason = NULL;
	for (size_t i = 0; i < 4; i++)
		if (tool->risk != NULL && strcmp(tool->risk, levels[i]) == 0) {
			level = i;
			is_known = true;
		}
	for (size_t i = 0; i < 3; i++) {
		if (tool->safety == NULL ||
			strcmp(tool->safety, safeties[i].safety) != 0)
			continue;
		*reason = safeties[i].reason;
		if (level < safeties[i].level)
			level = safeties[i].level;
		is_known = true;
	}
	return is_known ? levels[level] : NULL;
}

static void
put_risk(struct wv_arena *arena, cJSON *metadata,
	const struct wv_capability *tool)
{
	const char *reason, *level = risk_of(tool, &reason);
	cJSON *risk;

	if (level == NULL)
		return;
	risk = wv_put_object(arena, metadata, "risk_assessment");
	wv_put_string(arena, risk, "risk_level", level);
	if (reason != NULL) {
		cJSON *reasons = wv_json_array(arena);
		wv_push(reasons, wv_json_string(arena, reason));
		wv_put(arena, risk, "risk_reasons", reasons);
	}
	if (strcmp(level, "high") == 0 || strcmp(level, "critical") == 0)
		wv_put(arena, metadata, "requires_confirmation",
			wv_json_bool(arena, true));
}

size_t
card_namespace_length(const char *id)
{
	const char *dot = strrchr(id, '.');

	return dot != NULL ? (size_t)(dot - id) : 0;
}

static void
put_group(struct wv_arena *arena, cJSON *metadata, const char *id)
{
	size_t n = card_namespace_length(id);
	struct wv_str group = { 0 };

	wv_shown_text(
		&group, wv_dupn(arena, id, n), WV_CARD_LABEL_MAX, SIZE_MAX);
	if (group.n > 0)
		wv_put_string(arena, wv_put_object(arena, metadata, "ui_hint"),
			"group", group.s);
	wv_str_free(&group);
}

cJSON *
card_item_of(struct wv_arena *arena, const struct wv_capability *tool)
{
	cJSON *item = wv_json_object(arena), *tags;
	cJSON *metadata = wv_json_object(arena);
	size_t cost;

	wv_put_string(arena, item, "id", tool->id);
	tags = tags_of(arena, tool,
		tokens_of(item, "id") < ITEM_TOKENS / 2 ? TAGS_MOST : 0, &cost);
	put_texts(arena, item, tool->name, tool->description, cost);
	wv_put_string(arena, item, "capability_id", tool->id);
	put_group(arena, metadata, tool->id);
	put_risk(arena, metadata, tool);
	if (tags->child != NULL)
		wv_put(arena, metadata, "x_wv_tags", tags);
	if (metadata->child != NULL)
		wv_put(arena, item, "metadata", metadata);
	return item;
}

cJSON *
card_item_of_hit(struct wv_arena *arena, const struct rank_hit *hit)
{
	cJSON *item = card_item_of(arena, hit->tool);
	cJSON *metadata = wv_put_object(arena, item, "metadata");
	cJSON *similar = wv_json_array(arena);
	char score[32];

	snprintf(score, sizeof(score), "%.4f", hit->score);
	wv_put(arena, metadata, "x_wv_score", wv_json_number(arena, score));
	if (hit->similar_count == 0)
		return item;
	for (size_t i = 0; i < hit->similar_count && i < RANK_MAX; i++)
		wv_push(similar, wv_json_string(arena, hit->similar[i]->id));
	wv_put(arena, metadata, "x_wv_similar", similar);
	wv_put(arena, metadata, "x_wv_similar_count",
		wv_json_int(arena, (int64_t)hit->similar_count));
	return item;
}

cJSON *
card_new(struct wv_arena *arena, const char *id, cJSON *items)
{
	cJSON *card = wv_json_object(arena);

	wv_put_string(arena, card, "id", id);
	wv_put(arena, card, "items", items);
	return card;
}
