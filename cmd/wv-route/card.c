/* SPDX-License-Identifier: Apache-2.0 */
#include "card.h"

#include "base/id.h"
#include "contract/record.h"
#include "firewall/firewall.h"
#include "json/utf8.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a text that are looked at for what a card shows of it. */
enum { LOOK_MAX = 8192 };
enum { UNMATCHED_MAX = 50 }; /* words that are listed */

#define CARD_ID "card-1"

/* The length of an address with a scheme (https://…) at s, or 0. */
static size_t
address(const char *s)
{
	size_t n = 0;

	while ((s[n] | 0x20) >= 'a' && (s[n] | 0x20) <= 'z')
		n++;
	if (n == 0 || strncmp(s + n, "://", 3) != 0)
		return 0;
	return n + strcspn(s + n, " \t\n");
}

/* A name and a colon stand in s: it is JSON or looks like it. */
static bool
has_member(const char *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		size_t j = i + 1;
		if (s[i] != '"' && s[i] != '\'')
			continue;
		while (j < n && s[j] == ' ')
			j++;
		if (j < n && s[j] == ':')
			return true;
	}
	return false;
}

/* The length of the braces at s, to the end if they do not close. */
static size_t
braces(const char *s)
{
	size_t depth = 0, n = 0;

	for (; s[n] != '\0'; n++) {
		depth += s[n] == '{';
		if (s[n] == '}' && --depth == 0)
			return n + 1;
	}
	return n;
}

/* Copies clean text, but for addresses and JSON. */
static void
strip(struct wv_str *out, const char *s)
{
	const char *no_json = s; /* known to hold none, up to here */
	bool in_word = false;

	while (*s != '\0') {
		size_t n = in_word ? 0 : address(s);
		if (*s == '{' && s >= no_json) {
			n = braces(s);
			if (!has_member(s, n)) {
				no_json = s + n;
				n = 0;
			}
		}
		if (n == 0)
			wv_str_chr(out, *s);
		in_word = (*s | 0x20) >= 'a' && (*s | 0x20) <= 'z';
		s += n > 0 ? n : 1;
	}
	wv_str_cat(out, "");
}

/* A line that is filled a character at a time, up to max of them. */
struct line {
	struct wv_str *out;
	size_t count, max;
	size_t cut; /* where it ends when another character must go */
};

static bool
line_add(struct line *line, const char *s, size_t n)
{
	if (line->count == line->max) {
		line->out->n = line->cut;
		wv_str_cat(line->out, "…");
		return false;
	}
	if (line->count + 1 == line->max)
		line->cut = line->out->n;
	wv_str_add(line->out, s, n);
	line->count++;
	return true;
}

/* Appends clean text on one line, white space folded. */
static void
fold(struct wv_str *out, const char *s, size_t max)
{
	struct line line = { .out = out, .max = max };
	bool gap = false;

	while (*s != '\0') {
		size_t n = 1;
		if (*s == ' ' || *s == '\n' || *s == '\t') {
			gap = line.count > 0;
			s++;
			continue;
		}
		while (((unsigned char)s[n] & 0xc0) == 0x80)
			n++;
		if (gap && !line_add(&line, " ", 1))
			return;
		if (!line_add(&line, s, n))
			return;
		gap = false;
		s += n;
	}
}

void
card_text(struct wv_str *out, const char *text, size_t max)
{
	struct wv_findings findings = { 0 };
	struct wv_str clean = { 0 }, bare = { 0 };
	size_t n = strnlen(text, LOOK_MAX);

	while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--; /* a whole character */
	wv_clean(&clean, text, n, &findings);
	wv_str_cat(&clean, "");
	strip(&bare, clean.s);
	fold(out, bare.s, max);
	wv_str_cat(out, "");
	wv_str_free(&clean);
	wv_str_free(&bare);
}

/* Puts a text as a card shows it; what is left empty is `otherwise`. */
static void
put_text(struct wv_arena *arena, cJSON *object, const char *name,
	const char *text, size_t max, const char *otherwise)
{
	struct wv_str line = { 0 };

	card_text(&line, text, max);
	wv_put_string(arena, object, name, line.n > 0 ? line.s : otherwise);
	wv_str_free(&line);
}

static cJSON *
item_of(struct wv_arena *arena, const char *id, const char *label,
	const char *description)
{
	cJSON *item = wv_json_object(arena);

	wv_put_string(arena, item, "id", id);
	put_text(arena, item, "label", label, CARD_LABEL_MAX, id);
	put_text(arena, item, "description", description, CARD_DESCRIPTION_MAX,
		wv_get_string(item, "label"));
	return item;
}

static cJSON *
item_of_tool(struct wv_arena *arena, const struct wv_capability *tool)
{
	cJSON *item = item_of(arena, tool->id, tool->name, tool->description);

	wv_put_string(arena, item, "capability_id", tool->id);
	return item;
}

static cJSON *
card_of(struct wv_arena *arena, const char *id, cJSON *items)
{
	cJSON *card = wv_json_object(arena);

	wv_put_string(arena, card, "id", id);
	wv_put(arena, card, "items", items);
	return card;
}

static void
put_extras(struct wv_arena *arena, cJSON *metadata, const struct origin *origin)
{
	if (origin->arguments != NULL)
		wv_put(arena, metadata, "x_wv_arguments",
			wv_json_copy(arena, origin->arguments));
	if (origin->justification != NULL)
		wv_put_string(arena, metadata, "x_wv_justification",
			origin->justification);
}

/* A decision of one card, but for its selection and telemetry. */
static cJSON *
decision_of(struct wv_arena *arena, const struct origin *origin, cJSON *card,
	const char *summary)
{
	cJSON *decision = wv_json_object(arena), *cards = wv_json_array(arena);
	char id[WV_ID_MAX];

	wv_push(cards, card);
	if (origin->id == NULL)
		wv_id_new(id, "rd");
	wv_put_string(arena, decision, "id", origin->id ? origin->id : id);
	wv_put(arena, decision, "choice_cards", cards);
	wv_put(arena, decision, "timestamp", wv_json_time(arena, wv_now()));
	wv_put_string(arena, decision, "context_summary", summary);
	put_extras(arena, wv_put_object(arena, decision, "metadata"), origin);
	return decision;
}

static void
put_telemetry(struct wv_arena *arena, cJSON *decision, const cJSON *cause)
{
	wv_put(arena, wv_put_object(arena, decision, "metadata"), "telemetry",
		wv_telemetry(arena, cause));
}

/* How well the words of the query did. */
static void
put_quality(struct wv_arena *arena, cJSON *decision,
	const struct rank_result *result)
{
	cJSON *metadata = wv_get(decision, "metadata");
	cJSON *unmatched = wv_json_array(arena);
	size_t n = result->unmatched_count;
	char margin[32];

	for (size_t i = 0; i < n && i < UNMATCHED_MAX; i++) {
		struct wv_str word = { 0 };
		card_text(&word, result->unmatched[i], CARD_LABEL_MAX);
		wv_push(unmatched, wv_json_string(arena, word.s));
		wv_str_free(&word);
	}
	if (n > 0)
		wv_put(arena, metadata, "x_wv_unmatched", unmatched);
	if (result->count == 0)
		return;
	snprintf(margin, sizeof(margin), "%.4f", result->margin);
	wv_put(arena, metadata, "x_wv_margin", wv_json_number(arena, margin));
}

static cJSON *
no_match(struct wv_arena *arena, const struct origin *origin, const char *query)
{
	cJSON *items = wv_json_array(arena), *decision;

	wv_push(items,
		item_of(arena, WV_NO_MATCH, "No match",
			"No capability matches the query."));
	decision =
		decision_of(arena, origin, card_of(arena, WV_NO_MATCH, items),
			wv_printf(arena, "no capability matches: %s", query));
	decision_select(arena, decision, WV_NO_MATCH, WV_NO_MATCH);
	return decision;
}

static cJSON *
choices(struct wv_arena *arena, const struct origin *origin, const char *query,
	const struct rank_result *result)
{
	cJSON *items = wv_json_array(arena);

	for (size_t i = 0; i < result->count; i++)
		wv_push(items, item_of_tool(arena, result->hits[i].tool));
	return decision_of(arena, origin, card_of(arena, CARD_ID, items),
		wv_printf(arena, "%zu of %zu matches: %s", result->count,
			result->found, query));
}

cJSON *
decision_ranked(struct wv_arena *arena, const struct origin *origin,
	const char *query, const struct rank_result *result)
{
	struct wv_str text = { 0 };
	cJSON *decision;

	card_text(&text, query, CARD_DESCRIPTION_MAX);
	decision = result->count > 0 ? choices(arena, origin, text.s, result)
				     : no_match(arena, origin, text.s);
	wv_str_free(&text);
	put_quality(arena, decision, result);
	put_telemetry(arena, decision, origin->cause);
	return decision;
}

cJSON *
decision_pinned(struct wv_arena *arena, const struct origin *origin,
	const char *capability_id, const struct wv_capability *tool)
{
	cJSON *items = wv_json_array(arena), *item, *decision;
	const char *dot = strrchr(capability_id, '.');

	if (tool != NULL) {
		item = item_of_tool(arena, tool);
	} else {
		item = item_of(arena, capability_id,
			dot != NULL ? dot + 1 : capability_id, capability_id);
		wv_put_string(arena, item, "capability_id", capability_id);
	}
	wv_push(items, item);
	decision = decision_of(arena, origin, card_of(arena, CARD_ID, items),
		wv_printf(arena, "pinned: %s", capability_id));
	decision_select(arena, decision, capability_id, CARD_ID);
	put_telemetry(arena, decision, origin->cause);
	return decision;
}

void
decision_select(struct wv_arena *arena, cJSON *decision, const char *item_id,
	const char *card_id)
{
	/* what stands behind the selection */
	static const char *const rest[] = { "timestamp", "context_summary",
		"metadata" };

	wv_take(decision, "selected_item_id");
	wv_take(decision, "selected_card_id");
	wv_put_string(arena, decision, "selected_item_id", item_id);
	wv_put_string(arena, decision, "selected_card_id", card_id);
	for (size_t i = 0; i < 3; i++) {
		cJSON *value = wv_take(decision, rest[i]);
		if (value != NULL)
			wv_put(arena, decision, rest[i], value);
	}
}

void
decision_add(
	struct wv_arena *arena, cJSON *decision, const struct origin *origin)
{
	cJSON *metadata = wv_put_object(arena, decision, "metadata");

	put_extras(arena, metadata, origin);
	if (wv_get(metadata, "telemetry") == NULL)
		put_telemetry(arena, decision, decision);
}

void
decision_menu(struct wv_str *out, const cJSON *decision)
{
	size_t i = 0, n = 0;

	wv_json_each(card, wv_get(decision, "choice_cards"))
		n += wv_count(wv_get(card, "items"));
	wv_json_each(card, wv_get(decision, "choice_cards"))
		wv_json_each(item, wv_get(card, "items")) {
			const char *id = wv_get_string(item, "id");
			wv_str_fmt(out, "[%zu/%zu] ", ++i, n);
			wv_str_foreign(out, id, strlen(id), SIZE_MAX);
			wv_str_cat(out, " - ");
			card_text(out, wv_get_string(item, "label"),
				CARD_LABEL_MAX);
			wv_str_cat(out, ": ");
			card_text(out, wv_get_string(item, "description"),
				CARD_DESCRIPTION_MAX);
			wv_str_chr(out, '\n');
		}
}
