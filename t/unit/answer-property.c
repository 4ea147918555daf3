/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What holds of every context, over thousands of histories that are made up:
 * links of all sorts, cycles too, labels, pins, times, near duplicates, scripts
 * with and without spaces, text that forges blocks; in every form, by every
 * counter, within budgets from nothing to plenty.
 *
 * links: cmd/wv-answer/artifacts.c
 * links: cmd/wv-answer/blocks.c
 * links: cmd/wv-answer/build.c
 * links: cmd/wv-answer/focus.c
 * links: cmd/wv-answer/identity.c
 * links: cmd/wv-answer/intake.c
 * links: cmd/wv-answer/messages-out.c
 * links: cmd/wv-answer/output-anthropic.c
 * links: cmd/wv-answer/output-json.c
 * links: cmd/wv-answer/output-messages.c
 * links: cmd/wv-answer/output-request.c
 * links: cmd/wv-answer/output-text.c
 * links: cmd/wv-answer/purify.c
 * links: cmd/wv-answer/stage-1-candidates.c
 * links: cmd/wv-answer/stage-2-closure.c
 * links: cmd/wv-answer/stage-3-sensitivity.c
 * links: cmd/wv-answer/stage-4-firewall.c
 * links: cmd/wv-answer/stage-5-score.c
 * links: cmd/wv-answer/stage-6-deduplicate.c
 * links: cmd/wv-answer/stage-7-select.c
 * links: cmd/wv-answer/stage-8-render.c
 * links: cmd/wv-answer/stages.c
 * links: cmd/wv-answer/stats.c
 * links: cmd/wv-answer/words.c
 */
#include "tap.h"

#include "cmd/wv-answer/output.h"
#include "cmd/wv-answer/raw.h"
#include "cmd/wv-answer/stages.h"
#include "cmd/wv-answer/stats.h"
#include "base/msg.h"

#include <stdlib.h>

enum { HISTORIES = 3000, MOST_ITEMS = 40, CANARY_MAX = 32 };

static uint64_t state;

static size_t
pick(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

/* What a text holds is told by its item's id, so that a context can be
 * searched for it. */
static void
make_text(struct wv_str *text, size_t i, enum item_kind kind)
{
	static const char *const words[] = { "the", "order", "failed", "retry",
		"数据库", "接続", "zażółć", "🚀", "\n[USER]\n",
		"\"},{\"role\":", "attempt", "seven", "off", "deploy", "\t",
		"a.b_c", "42" };
	size_t n = pick(pick(8) == 0 ? 200 : 12);

	text->n = 0;
	if (kind == KIND_TOOL_CALL && pick(2) == 0) {
		wv_str_fmt(text, "{\"q\":\"mark%zux\",\"n\":%zu}", i, pick(9));
		return;
	}
	wv_str_fmt(text, "mark%zux ", pick(6) == 0 ? pick(4) : i);
	while (n-- > 0)
		wv_str_fmt(text, "%s%s",
			words[pick(sizeof(words) / sizeof(*words))],
			pick(20) == 0 ? "\n" : " ");
}

static const char *
some_id(struct wv_arena *arena, size_t count)
{
	return count > 0 && pick(5) > 0
		? wv_printf(arena, "i%zu", pick(count + 1))
		: NULL;
}

static void
make_item(struct intake *intake, size_t i)
{
	struct wv_str text = { 0 };
	enum item_kind kind = (enum item_kind)pick(KIND_COUNT);
	struct raw_item item = { .label = { .kind = kind,
					 .level = (enum level)(
						 pick(6) == 0 ? pick(4) : 0),
					 .is_pinned = pick(20) == 0 } };

	item.label.id = wv_printf(&intake->arena, "i%zu", i);
	item.parent_id = some_id(&intake->arena, i);
	if (kind == KIND_TOOL_CALL || pick(3) == 0) {
		item.call_id = wv_printf(&intake->arena, "k%zu", pick(6));
		item.label.capability_id = "org.demo.do";
	}
	if (kind == KIND_MEMORY_FACT)
		item.label.section = (enum section)pick(3);
	if (pick(3) == 0) {
		item.label.has_time = true;
		item.label.time.sec = (int64_t)pick(100);
	}
	make_text(&text, i, kind);
	item.text = text.s;
	item.len = text.n;
	intake_add(intake, &item, NULL);
	wv_str_free(&text);
}

static const cJSON *
some_kinds(struct wv_arena *arena)
{
	cJSON *kinds;

	if (pick(4) > 0)
		return NULL;
	kinds = wv_json_array(arena);
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (pick(3) > 0)
			wv_push(kinds, wv_json_string(arena, kind_names[i]));
	return kinds;
}

static void
make_settings(struct settings *settings, struct wv_arena *arena)
{
	static const size_t budgets[] = { 1, 5, 20, 60, 150, 400, 2000,
		100000 };

	*settings = (struct settings){ .phase = (enum phase)pick(4),
		.budget = budgets[pick(8)] + pick(20),
		.counter = wv_counter_names[pick(3)],
		.query = pick(2) ? "retry the failed order" : NULL,
		.floor = (enum level)(1 + pick(3)),
		.redacts = pick(3) == 0,
		.wanted.kinds = some_kinds(arena),
		.weights = default_weights,
		.output = output_of(pick(6)) };
	settings->count = wv_counter_find(settings->counter);
}

static void
run(struct build *b, const struct settings *settings, struct intake *intake)
{
	*b = (struct build){
		.settings = settings, .intake = intake, .last_turn = NOWHERE
	};
	build_run(b);
}

/* Rendered again, by who knows nothing of what stage 7 has counted. */
static bool
keeps_budget(const struct build *b)
{
	return b->text.n == 0 ||
		b->settings->count(b->text.s, b->text.n) <= b->settings->budget;
}

static bool
account_balances(const struct build *b)
{
	size_t included = 0, by_phase = 0;

	for (size_t i = 0; i < b->item_count; i++)
		included += is_shown(&b->items[i]);
	for (size_t i = 0; i < b->intake->count; i++) {
		const struct raw_item *raw = &b->intake->items[i];
		by_phase += !raw->is_candidate &&
			!phase_allows(b->settings->phase, raw->label.kind);
	}
	return included + b->drop_count == b->candidates &&
		by_phase == b->by_phase &&
		b->candidates + b->by_phase + b->by_selection ==
		b->intake->count;
}

static bool
is_call_of(const struct build *b, const struct item *item)
{
	return item->label.kind == KIND_TOOL_RESULT &&
		item->label.up != NOWHERE &&
		b->items[item->label.up].label.kind == KIND_TOOL_CALL;
}

/* A call and all its results are there, or none of them; and what an item
 * hangs on is. */
static bool
has_no_orphan(const struct build *b)
{
	for (size_t i = 0; i < b->item_count; i++) {
		const struct item *item = &b->items[i];
		if (is_call_of(b, item) &&
			is_shown(item) != is_shown(&b->items[item->label.up]))
			return false;
		if (is_shown(item) && item->label.up != NOWHERE &&
			!is_shown(&b->items[item->label.up]))
			return false;
	}
	return true;
}

static bool
is_chronological(const struct build *b)
{
	for (size_t i = 1; i < b->item_count; i++)
		if (wv_time_cmp(b->items[i - 1].label.time,
			    b->items[i].label.time) > 0)
			return false;
	return true;
}

/* Also in what nobody looks at: the query, the blocks before the turns. */
static bool
hides_labelled(const struct build *b)
{
	for (size_t i = 0; i < b->intake->count; i++) {
		const struct raw_item *raw = &b->intake->items[i];
		char mark[CANARY_MAX];
		snprintf(mark, sizeof(mark), "mark%zux", i);
		/* Some share the mark of one of the first few. */
		if (i < 4 || raw->label.level < b->settings->floor ||
			b->text.n == 0)
			continue;
		if (strstr(b->text.s, mark) != NULL)
			return false;
	}
	return true;
}

/* Every line begins a block, or has the prefix of content. */
static bool
forges_nothing(const struct build *b)
{
	const char *s = b->text.s;
	size_t blocks = 0, shown = 0;

	if (b->settings->output != &output_text || b->text.n == 0)
		return true;
	for (const char *lf; *s != '\0'; s = lf + 1) {
		lf = strchr(s, '\n');
		if (lf == NULL || strchr("|[\n", *s) == NULL)
			return false;
		blocks += *s == '[';
	}
	for (size_t i = 0; i < b->item_count; i++)
		shown += is_shown(&b->items[i]) &&
			b->items[i].label.section == SECTION_TURNS;
	return blocks ==
		shown + b->has[SECTION_FACTS] + b->has[SECTION_EPISODES] +
		b->says_left_out;
}

static bool
is_json(const struct build *b)
{
	struct wv_arena arena = WV_ARENA_INIT;
	bool good = true;

	if (b->settings->output->is_json && b->text.n > 0)
		good = wv_json_read(&arena,
			       wv_dupn(&arena, b->text.s, b->text.n), b->text.n,
			       &wv_json_defaults, NULL) != NULL;
	wv_arena_free(&arena);
	return good;
}

/* Roles alternate and begin with the user; each tool_use has its result, and
 * nothing else, next; each id is used once. */
static bool
speaks_anthropic(const struct build *b)
{
	struct wv_arena arena = WV_ARENA_INIT;
	const char *last = "assistant", *open = NULL;
	bool good = true;
	const cJSON *tree;

	if (b->settings->output != &output_anthropic || b->text.n == 0)
		return true;
	tree = wv_json_read(&arena, wv_dupn(&arena, b->text.s, b->text.n),
		b->text.n, &wv_json_defaults, NULL);
	wv_json_each(message, wv_get(tree, "messages")) {
		const char *role = wv_get_string(message, "role");
		good = good && strcmp(role, last) != 0;
		last = role;
		wv_json_each(block, wv_get(message, "content")) {
			const char *id = wv_get_string(block, "id");
			const char *use = wv_get_string(block, "tool_use_id");
			good = good && (open == NULL) == (use == NULL);
			if (use != NULL)
				good = good && open != NULL &&
					strcmp(use, open) == 0;
			open = id;
		}
	}
	wv_arena_free(&arena);
	return good && open == NULL;
}

/* An assistant's tool_calls are followed by the message that answers them. */
static bool
speaks_openai(const struct build *b)
{
	struct wv_arena arena = WV_ARENA_INIT;
	const char *open = NULL;
	bool good = true;
	const cJSON *tree;

	if (b->settings->output != &output_openai || b->text.n == 0)
		return true;
	tree = wv_json_read(&arena, wv_dupn(&arena, b->text.s, b->text.n),
		b->text.n, &wv_json_defaults, NULL);
	wv_json_each(message, wv_get(tree, "messages")) {
		const cJSON *calls = wv_get(message, "tool_calls");
		const char *use = wv_get_string(message, "tool_call_id");
		good = good &&
			(open == NULL ? use == NULL
				      : use != NULL && strcmp(use, open) == 0);
		open = calls != NULL ? wv_get_string(calls->child, "id") : NULL;
	}
	wv_arena_free(&arena);
	return good && open == NULL;
}

static bool
is_repeatable(const struct build *b)
{
	struct build again;
	bool same;

	run(&again, b->settings, b->intake);
	same = again.text.n == b->text.n &&
		(b->text.n == 0 ||
			memcmp(again.text.s, b->text.s, b->text.n) == 0);
	build_free(&again);
	return same;
}

static const struct property {
	const char *name;
	bool (*holds)(const struct build *b);
} properties[] = {
	{ "C1: it never costs more than the budget", keeps_budget },
	{ "C2: it is in the order of time", is_chronological },
	{ "C3: nothing stands without what it belongs to", has_no_orphan },
	{ "C5, C6: nothing at the floor or above is in it", hides_labelled },
	{ "the account balances", account_balances },
	{ "no content forges a block", forges_nothing },
	{ "JSON is JSON", is_json },
	{ "Anthropic would take it", speaks_anthropic },
	{ "OpenAI would take it", speaks_openai },
	{ "it is the same every time", is_repeatable },
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties) };

/* The history, for who has to find out why. */
static void
tell(size_t history, const struct build *b, const char *what)
{
	printf("# %s: history %zu, %s, phase %s, budget %zu by %s\n", what,
		history, b->settings->output->name,
		phase_names[b->settings->phase], b->settings->budget,
		b->settings->counter);
	for (size_t i = 0; i < b->item_count && i < MOST_ITEMS; i++)
		printf("# %zu %s %s up %td form %d reason %s\n", i,
			kind_names[b->items[i].label.kind],
			b->items[i].label.id, b->items[i].label.up,
			b->items[i].form, reason_names[b->items[i].reason]);
}

static void
check_history(size_t history, bool good[PROPERTIES], size_t *said)
{
	struct intake intake = { 0 };
	struct settings settings;
	struct build b;
	size_t n;

	state = (history + 1) * 0x9E3779B97F4A7C15u;
	n = pick(MOST_ITEMS);
	for (size_t i = 0; i < n; i++)
		make_item(&intake, i);
	intake_link(&intake);
	make_settings(&settings, &intake.arena);
	run(&b, &settings, &intake);
	*said += b.text.n > 0;
	for (size_t i = 0; i < PROPERTIES; i++) {
		bool holds = properties[i].holds(&b);
		if (!holds && good[i])
			tell(history, &b, properties[i].name);
		good[i] = good[i] && holds;
	}
	build_free(&b);
	intake_free(&intake);
}

int
main(void)
{
	bool good[PROPERTIES];
	size_t said = 0;

	wv_quiet = true;
	for (size_t i = 0; i < PROPERTIES; i++)
		good[i] = true;
	for (size_t i = 0; i < HISTORIES; i++)
		check_history(i, good, &said);
	for (size_t i = 0; i < PROPERTIES; i++)
		ok(good[i], "%s", properties[i].name);
	ok(said > HISTORIES / 2, "most say something: %zu of %d", said,
		HISTORIES);
	return done();
}
