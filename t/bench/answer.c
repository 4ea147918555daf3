/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which budgets the answer to a question is still in the context, beside
 * two ways that are common: the last items that fit, and the best scored that
 * fit, each whole (scores with Jaccard's overlap as it is).  All three get
 * items that went through stages 1 to 6, and are counted as text.
 *
 *	answer FOLDER	(one with QUESTIONS, NAME<TAB>ANSWER, and NAME.jsonl)
 *
 * links: cmd/wv-answer/artifacts.c
 * links: cmd/wv-answer/blocks.c
 * links: cmd/wv-answer/build.c
 * links: cmd/wv-answer/focus.c
 * links: cmd/wv-answer/history-anthropic.c
 * links: cmd/wv-answer/history-openai.c
 * links: cmd/wv-answer/history.c
 * links: cmd/wv-answer/identity.c
 * links: cmd/wv-answer/intake.c
 * links: cmd/wv-answer/messages-out.c
 * links: cmd/wv-answer/messages.c
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
 * links: cmd/wv-answer/words.c
 */
#include "cmd/wv-answer/output.h"
#include "cmd/wv-answer/raw.h"
#include "cmd/wv-answer/stages.h"
#include "cmd/wv-answer/words.h"
#include "base/msg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4, PLENTY = 1 << 30 };

static struct settings settings;

static struct build
build(struct intake *intake, size_t budget)
{
	settings = (struct settings){ .phase = PHASE_ANSWER,
		.budget = budget,
		.counter = "approx",
		.count = wv_counter_find("approx"),
		.floor = LEVEL_CONFIDENTIAL,
		.weights = default_weights,
		.output = &output_text };
	struct build b = {
		.settings = &settings, .intake = intake, .last_turn = NOWHERE
	};
	build_run(&b);
	return b;
}

static bool
says(const struct wv_str *text, const char *answer)
{
	return text->n > 0 && strstr(text->s, answer) != NULL;
}

/* Takes an item whole if it fits; whether it holds the answer. */
static bool
take(const struct build *b, const struct item *item, size_t *left,
	const char *answer, bool *fits)
{
	struct wv_str text = { 0 };
	size_t cost;
	bool found;

	block_item(&text, b, item);
	cost = settings.count(text.s, text.n);
	*fits = cost <= *left;
	*left -= *fits ? cost : 0;
	found = *fits && says(&text, answer);
	wv_str_free(&text);
	return found;
}

static bool
keep_last(const struct build *b, size_t budget, const char *answer)
{
	bool found = false, fits = true;

	for (size_t i = b->item_count; fits && i-- > 0;)
		if (b->items[i].reason != REASON_DUPLICATE)
			found = take(b, &b->items[i], &budget, answer, &fits) ||
				found;
	return found;
}

static int
by_score(const void *a, const void *b)
{
	double x = (*(struct item *const *)a)->score;
	double y = (*(struct item *const *)b)->score;

	return (x < y) - (x > y);
}

/* Without the share of the best that stage 5 makes of it. */
static void
score_as_is(const struct build *b, struct item *item)
{
	size_t both = words_marked(b->words, item->words, item->word_count);
	size_t either = b->query_count + item->word_count - both;

	item->score += settings.weights.match *
		((either > 0 ? (double)both / (double)either : 0) -
			item->match);
}

static bool
score_order(struct build *b, size_t budget, const char *answer)
{
	struct item **order = wv_xmalloc(b->item_count * sizeof(*order));
	bool found = false, fits;

	for (size_t i = 0; i < b->item_count; i++)
		order[i] = &b->items[i];
	qsort(order, b->item_count, sizeof(*order), by_score);
	for (size_t i = 0; i < b->item_count; i++)
		if (order[i]->reason != REASON_DUPLICATE)
			found = take(b, order[i], &budget, answer, &fits) ||
				found;
	free(order);
	return found;
}

static void
row(const char *name, const char *way, const bool found[PARTS])
{
	printf("%-10s %-12s", name, way);
	for (int i = 0; i < PARTS; i++)
		printf(" %5s", found[i] ? "yes" : "-");
	putchar('\n');
}

static void
compare(const char *folder, const char *name, const char *answer)
{
	struct wv_lines_options lines = WV_LINES_OPTIONS_INIT;
	bool ours[PARTS], last[PARTS], scored[PARTS];
	struct intake intake = { 0 };
	char file[4096];
	size_t full = 0;

	snprintf(file, sizeof(file), "%s/%s.jsonl", folder, name);
	read_history(&intake, file, HISTORY_ITEMS, &lines);
	intake_link(&intake);
	struct build whole = build(&intake, PLENTY);
	words_mark(whole.words, whole.query_words, whole.query_count);
	for (size_t i = 0; i < whole.item_count; i++)
		score_as_is(&whole, &whole.items[i]);
	for (size_t i = 0; i < whole.item_count; i++)
		full += whole.items[i].cost;
	for (int i = 0; i < PARTS; i++) {
		size_t budget = full >> i;
		last[i] = keep_last(&whole, budget, answer);
		scored[i] = score_order(&whole, budget, answer);
		struct build b = build(&intake, budget);
		ours[i] = says(&b.text, answer);
		build_free(&b);
	}
	row(name, "wv-answer", ours);
	row("", "keep last", last);
	row("", "score order", scored);
	build_free(&whole);
	intake_free(&intake);
}

int
main(int argc, char **argv)
{
	char file[4096], name[64], answer[256];
	FILE *questions;

	wv_msg_tool("answer");
	if (argc != 2)
		wv_die("usage: answer FOLDER");
	snprintf(file, sizeof(file), "%s/QUESTIONS", argv[1]);
	questions = fopen(file, "r");
	if (questions == NULL)
		wv_die("%s: cannot be read", file);
	printf("%-10s %-12s %5s %5s %5s %5s\n", "", "", "full", "1/2", "1/4",
		"1/8");
	while (fscanf(questions, "%63[^\t]\t%255[^\n]\n", name, answer) == 2)
		compare(argv[1], name, answer);
	fclose(questions);
	return 0;
}
