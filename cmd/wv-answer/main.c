/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"

#include "base/msg.h"
#include "base/opt.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	OPT_BUDGET = 256,
	OPT_COUNTER,
	OPT_STATS,
	BUDGET = 2000,
	MAX_BUDGET = 1 << 30,
};

static const struct wv_opt opts_table[] = {
	{ OPT_BUDGET, "budget", "N", "the text costs at most so much (2000)" },
	{ OPT_COUNTER, "counter", "NAME",
		"what is counted: approx (tokens), words or bytes (approx)" },
	{ 'f', "format", "FORMAT", "text" },
	{ OPT_STATS, "stats", NULL, "tell on stderr what became of it all" },
	WV_LINES_OPTS,
	{ 0 },
};

static const char *const synopsis[] = { "[option...] [FILE...]", NULL };

static const struct wv_cmd cmd = {
	.tool = "wv-answer",
	.synopsis = synopsis,
	.about = "Reads Frames and denied PolicyDecisions and writes them as "
		 "text for a model's context, within a budget.",
	.opts = opts_table,
	.examples = "  df -h | wv-firewall | wv-answer --budget 200\n",
};

static const char *const formats[] = { "text", NULL };

/* Never reordered; dependency closure (2), sensitivity (3) and near
 * duplicates (6) are about conversation items, of which there are none. */
static void (*const stages[])(struct build *) = {
	candidates,
	firewall,
	score,
	select_items,
	render,
};

static void
take_option(struct build *b, bool *stats, const struct wv_opts *opts, int id)
{
	switch (id) {
	case OPT_BUDGET:
		b->budget = (size_t)wv_opt_int(
			opts, "--budget", opts->value, 1, MAX_BUDGET);
		break;
	case OPT_COUNTER:
		b->counter = wv_counter_names[wv_opt_choice(
			opts, "--counter", opts->value, wv_counter_names)];
		break;
	case 'f':
		wv_opt_choice(opts, "--format", opts->value, formats);
		break;
	case OPT_STATS:
		*stats = true;
		break;
	default:
		wv_lines_option(&b->lines, id, opts);
	}
}

static void
tell(const struct build *b)
{
	size_t forms[FORM_FULL + 1] = { 0 };

	for (size_t i = 0; i < b->item_count; i++)
		forms[b->items[i].form]++;
	wv_warn("%zu records: %zu whole, %zu cut, %zu without data, %zu left "
		"out; %zu of %zu by %s",
		b->item_count, forms[FORM_FULL], forms[FORM_CUT],
		forms[FORM_BRIEF], forms[FORM_LEFT_OUT],
		b->count(b->text.s ? b->text.s : "", b->text.n), b->budget,
		b->counter);
}

static void
free_build(struct build *b)
{
	for (size_t i = 0; i < b->item_count; i++) {
		wv_str_free(&b->items[i].summary);
		wv_str_free(&b->items[i].data);
		wv_str_free(&b->items[i].note);
	}
	free(b->items);
	wv_str_free(&b->text);
	wv_arena_free(&b->arena);
}

int
main(int argc, char **argv)
{
	struct build b = { .lines = WV_LINES_OPTIONS_INIT,
		.budget = BUDGET,
		.counter = wv_counter_names[0] };
	struct wv_opts opts;
	struct wv_out out;
	bool stats = false;
	int id;

	wv_opt_start(&opts, &cmd, argc, argv);
	while ((id = wv_opt_next(&opts)) != 0)
		take_option(&b, &stats, &opts, id);
	if (opts.operand_count == 0 && isatty(STDIN_FILENO))
		wv_usage_terminal(&opts);
	b.files = opts.operands;
	b.count = wv_counter_find(b.counter);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++)
		stages[i](&b);
	if (stats || wv_verbose > 0)
		tell(&b);
	wv_out_init(&out, STDOUT_FILENO, "standard output");
	wv_out_add(&out, b.text.s, b.text.n);
	int status = b.status;
	free_build(&b);
	wv_opt_end(&opts);
	wv_out_end(&out);
	return status;
}
