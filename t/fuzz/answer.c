/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever a history holds, in any of its forms: the context keeps its budget,
 * its account balances, and what is JSON can be read.  The first byte chooses
 * the form of the history, that of the context and the counter.
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

#include "base/msg.h"
#include "file.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check(const struct build *b)
{
	struct wv_arena arena = WV_ARENA_INIT;
	size_t included = 0;

	for (size_t i = 0; i < b->item_count; i++)
		included += is_shown(&b->items[i]);
	must(included + b->drop_count == b->candidates);
	must(b->text.n == 0 ||
		b->settings->count(b->text.s, b->text.n) <=
			b->settings->budget);
	if (b->settings->output->is_json && b->text.n > 0)
		must(wv_json_read(&arena, wv_dupn(&arena, b->text.s, b->text.n),
			     b->text.n, &wv_json_defaults, NULL) != NULL);
	wv_arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct wv_lines_options lines = WV_LINES_OPTIONS_INIT;
	struct intake intake = { 0 };
	struct settings settings = { .phase = PHASE_ANSWER,
		.floor = LEVEL_CONFIDENTIAL,
		.weights = default_weights };

	wv_quiet = true;
	if (size < 2)
		return 0;
	settings.budget = 1 + 8 * (size_t)data[1];
	settings.counter = wv_counter_names[data[0] / 18 % 3];
	settings.count = wv_counter_find(settings.counter);
	settings.output = output_of(data[0] / 3 % 6);
	read_history(&intake, file_of(data + 2, size - 2),
		(enum history_format)(data[0] % 3), &lines);
	intake_link(&intake);
	struct build b = {
		.settings = &settings, .intake = &intake, .last_turn = NOWHERE
	};
	build_run(&b);
	check(&b);
	build_free(&b);
	intake_free(&intake);
	return 0;
}
