/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the stages: what the table gives, and that any two neighbours
 * the other way round give something else.
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
#include "base/msg.h"

#include <stdlib.h>

static struct intake intake;
static struct settings settings;

static void
add(const char *id, enum item_kind kind, enum level level, const char *parent,
	const char *text)
{
	struct raw_item item = { .parent_id = parent,
		.text = text,
		.len = strlen(text),
		.label = { .kind = kind, .level = level, .id = id } };

	intake_add(&intake, &item, NULL);
}

/* What only the middle of a long output holds. */
static char *
long_output(void)
{
	struct wv_str text = { 0 };

	for (int i = 0; i < 300; i++)
		wv_str_fmt(&text, "line %d%s\n", i, i == 150 ? " rhubarb" : "");
	return text.s;
}

static void
make_history(void)
{
	char *output = long_output();

	add("doc", KIND_DOC_SNIPPET, LEVEL_RESTRICTED, NULL, "hidden words");
	add("out", KIND_TOOL_RESULT, LEVEL_PUBLIC, NULL, output);
	add("call", KIND_TOOL_CALL, LEVEL_PUBLIC, "out", "look closer");
	add("secret", KIND_AGENT_MSG, LEVEL_CONFIDENTIAL, NULL, "veiled words");
	add("old", KIND_AGENT_MSG, LEVEL_PUBLIC, NULL, "we wait for the mail");
	add("new", KIND_AGENT_MSG, LEVEL_PUBLIC, NULL, "We wait for the mail.");
	add("ask", KIND_USER_TURN, LEVEL_PUBLIC, "doc", "where is the rhubarb");
	intake_link(&intake);
	free(output);
}

/* Text and scores. */
static char *
outcome(const struct build *b)
{
	struct wv_str out = { 0 };

	wv_str_add(&out, b->text.s ? b->text.s : "", b->text.n);
	for (size_t i = 0; i < b->item_count; i++)
		wv_str_fmt(&out, "%s %.6f\n", b->items[i].label.id,
			b->items[i].score);
	return out.s;
}

static const struct item *
item_of(const struct build *b, const char *id)
{
	for (size_t i = 0; i < b->item_count; i++)
		if (strcmp(b->items[i].label.id, id) == 0)
			return &b->items[i];
	return NULL;
}

static struct build
new_build(void)
{
	return (struct build){
		.settings = &settings, .intake = &intake, .last_turn = NOWHERE
	};
}

static char *
in_order(void)
{
	struct build b = new_build();
	const struct item *out, *ask;
	char *result;

	build_run(&b);
	result = outcome(&b);
	out = item_of(&b, "out");
	ask = item_of(&b, "ask");
	ok(out != NULL && out->label.is_closure,
		"C4: an ancestor of another kind joins, marked as closure");
	ok(out != NULL && strstr(out->data.s, "line 3") != NULL &&
			strstr(out->data.s, "line 150") == NULL,
		"C4: and is no less firewalled");
	ok(out != NULL && out->score > 0.3 && out->recency > 0,
		"an ancestor reached by closure alone is scored");
	ok(out != NULL && out->match == 0 && ask != NULL && ask->match > 0,
		"a word that is in raw text alone scores nothing");
	ok(strstr(result, "rhubarb") != NULL &&
			strstr(result, "hidden") == NULL,
		"an ancestor that joins is filtered");
	ok(strstr(result, "veiled") == NULL,
		"what is labelled too high is not "
		"there");
	ok(item_of(&b, "old")->reason == REASON_DUPLICATE &&
			is_shown(item_of(&b, "new")),
		"of two that say the same the better stays");
	ok(out != NULL && strcmp(out->artifact_ref, "artifact:out") == 0,
		"artifact_ref names the item");
	build_free(&b);
	return result;
}

static void
check_swapped(size_t at, const char *want)
{
	struct build b = new_build();
	char *got;

	for (size_t i = 0; i < STAGE_COUNT; i++) {
		size_t j = i == at ? at + 1 : i == at + 1 ? at : i;
		stages[j].run(&b);
	}
	got = outcome(&b);
	ok(strcmp(got, want) != 0, "%s before %s would be told",
		stages[at + 1].name, stages[at].name);
	free(got);
	build_free(&b);
}

static uint32_t state = 1;

static void
add_word(struct wv_str *text)
{
	wv_str_chr(text, ' ');
	for (int i = 0; i < 7; i++) {
		state = state * 1103515245 + 12345;
		wv_str_chr(text, (char)('a' + (state >> 16) % 26));
	}
}

/* Pairs of 40 words of which two differ: they overlap by 90 %. */
static void
check_recall(void)
{
	enum { PAIRS = 500 };
	struct build b = new_build();
	struct wv_str text = { 0 };
	char id[32];

	for (int i = 0; i < 2 * PAIRS; i++) {
		/* The words but the last two stay as they were. */
		if (i % 2 == 0)
			text.n = 0;
		else
			text.n -= 16;
		while (text.n < 40 * 8)
			add_word(&text);
		snprintf(id, sizeof(id), "pair-%d", i);
		add(id, KIND_AGENT_MSG, LEVEL_PUBLIC, NULL, text.s);
	}
	intake_link(&intake);
	build_run(&b);
	size_t merged = 0;
	for (size_t i = 0; i < b.drop_count; i++)
		merged += b.drops[i].reason == REASON_DUPLICATE;
	ok(merged >= PAIRS * 99 / 100 && merged <= PAIRS,
		"near duplicates are found: %zu of %d", merged, PAIRS);
	build_free(&b);
	wv_str_free(&text);
}

int
main(void)
{
	char *want;

	wv_quiet = true;
	settings = (struct settings){ .phase = PHASE_CALL,
		.budget = 2000,
		.counter = "approx",
		.count = wv_counter_find("approx"),
		.floor = LEVEL_CONFIDENTIAL,
		.weights = default_weights,
		.output = &output_text };
	make_history();
	want = in_order();
	for (size_t i = 0; i + 1 < STAGE_COUNT; i++)
		check_swapped(i, want);
	free(want);
	intake_free(&intake);
	intake = (struct intake){ 0 };
	check_recall();
	intake_free(&intake);
	return done();
}
