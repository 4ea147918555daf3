/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "output.h"

#include "base/msg.h"
#include "base/opt.h"
#include "contract/contract.h"

#include <string.h>
#include <unistd.h>

enum {
	OPT_BUDGET = 256,
	OPT_COUNTER,
	OPT_PHASE,
	OPT_HISTORY,
	OPT_HISTORY_FORMAT,
	OPT_FACTS,
	OPT_EPISODES,
	OPT_FLOOR,
	OPT_SENSITIVE,
	OPT_SELECT,
	OPT_WEIGHT,
	OPT_WEIGHTS,
	OPT_CHOICES,
	OPT_ARTIFACTS,
	OPT_REQUESTS,
	OPT_STATS,
	OPT_STATS_FILE,
	OPT_EXPLAIN,
	OPT_NOW,
	MAX_BUDGET = 1 << 30,
};

/* The names a floor has: public would let nothing through. */
#define FLOORS (level_names + 1)

static const struct wv_opt opts_table[] = {
	{ OPT_BUDGET, "budget", "N",
		"the output costs at most so much (2000)" },
	{ OPT_COUNTER, "counter", "NAME",
		"what is counted: approx (tokens), words or bytes (approx)" },
	{ 'e', "query", "TEXT", "what it is about (the last user turn)" },
	{ OPT_PHASE, "phase", "NAME",
		"route, call, interpret or answer (answer)" },
	{ OPT_HISTORY, "history", "FILE", "the conversation so far" },
	{ OPT_HISTORY_FORMAT, "history-format", "FORMAT",
		"items, openai or anthropic (items)" },
	{ OPT_FACTS, "facts", "FILE", "what is known: {key, value} lines" },
	{ OPT_EPISODES, "episodes", "FILE", "what was before: {text} lines" },
	{ OPT_FLOOR, "floor", "LEVEL",
		"from here on nothing is shown (confidential)" },
	{ OPT_SENSITIVE, "sensitive", "HOW", "drop it or redact it (drop)" },
	{ OPT_SELECT, "select", "FILE", "kinds, ids, tags and age to look at" },
	{ OPT_WEIGHT, "weight", "NAME=VALUE", "one weight of a score" },
	{ OPT_WEIGHTS, "weights", "FILE", "weights of a score" },
	{ OPT_CHOICES, "choices", "FILE", "the RoutingDecision of the turn" },
	{ 'c', "catalog", "FILE", "where the chosen tool's schema is" },
	{ OPT_ARTIFACTS, "artifacts", "DIR", "keep raw results there" },
	{ OPT_REQUESTS, "requests", "FILE", "a context for each line of it" },
	{ 'f', "format", "FORMAT",
		"text, messages, openai, anthropic, json or request (text)" },
	{ OPT_STATS, "stats", NULL, "tell on stderr what became of it all" },
	{ OPT_STATS_FILE, "stats-file", "FILE", "the same as JSON, to a file" },
	{ OPT_EXPLAIN, "explain", NULL, "tell on stderr every item's score" },
	{ OPT_NOW, "now", "TIME", "the time that ages are counted from" },
	WV_LINES_OPTS,
	WV_DOC_OPTS,
	{ 0 },
};

static const char *const synopsis[] = { "[option...] [FILE...]", NULL };

static const struct wv_cmd cmd = {
	.tool = "wv-answer",
	.synopsis = synopsis,
	.about = "Compiles Frames, denials and a conversation into the context "
		 "of a model's next turn, within a budget.",
	.opts = opts_table,
	.examples =
		"  df -h | wv-firewall | wv-answer --budget 200\n"
		"  wv-answer --history talk.jsonl --budget 4000 frames.jsonl\n",
};

enum level
floor_of(const char *name)
{
	int i = 0;

	while (strcmp(level_names[i], name) != 0)
		i++;
	return (enum level)i;
}

static const cJSON *
load_choices(struct wv_arena *arena, const char *path, struct wv_err *err)
{
	struct wv_doc doc;

	if (wv_doc_load(&doc, arena, path, err) < 0)
		return NULL;
	err->source = doc.source;
	if (wv_contract_require(WV_ROUTING_DECISION, doc.root, err) < 0)
		return NULL;
	err->source = NULL;
	return doc.root;
}

/* Options that are kept as they are. */
static bool
take_name(struct options *o, const struct wv_opts *opts, int id)
{
	const struct {
		int id;
		const char **name;
	} names[] = {
		{ 'e', &o->settings.query },
		{ OPT_HISTORY, &o->history },
		{ OPT_FACTS, &o->facts },
		{ OPT_EPISODES, &o->episodes },
		{ OPT_ARTIFACTS, &o->settings.artifacts },
		{ OPT_REQUESTS, &o->requests },
		{ OPT_STATS_FILE, &o->stats_file },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].id == id) {
			*names[i].name = opts->value;
			return true;
		}
	return false;
}

/* Options that name a file which is read at once. */
static bool
take_file(struct options *o, const struct wv_opts *opts, int id)
{
	struct wv_err err = WV_ERR_INIT;
	struct settings *settings = &o->settings;
	struct wv_arena *arena = &o->arena;
	const char *file = opts->value;
	int done;

	switch (id) {
	case OPT_SELECT:
		done = wanted_load(&settings->wanted, arena, file, &err);
		break;
	case OPT_WEIGHTS:
		done = weights_load(&settings->weights, arena, file, &err);
		break;
	case OPT_CHOICES:
		settings->choices = load_choices(arena, file, &err);
		done = settings->choices != NULL ? 0 : -1;
		break;
	case 'c':
		done = wv_catalog_load(&o->catalog, arena, file, &err);
		break;
	default:
		return false;
	}
	if (done < 0)
		wv_die_err(&err);
	return true;
}

/* Options that are one of a few words. */
static bool
take_choice(struct options *o, const struct wv_opts *opts, int id)
{
	static const char *const sensitive[] = { "drop", "redact", NULL };
	static const struct {
		int id;
		const char *name;
		const char *const *words;
	} choices[] = {
		{ OPT_COUNTER, "--counter", wv_counter_names },
		{ OPT_PHASE, "--phase", phase_names },
		{ OPT_HISTORY_FORMAT, "--history-format", history_formats },
		{ OPT_FLOOR, "--floor", FLOORS },
		{ OPT_SENSITIVE, "--sensitive", sensitive },
		{ 'f', "--format", output_names },
	};
	struct settings *settings = &o->settings;
	size_t i = 0;
	int chosen;

	while (choices[i].id != id)
		if (++i == sizeof(choices) / sizeof(*choices))
			return false;
	chosen = wv_opt_choice(
		opts, choices[i].name, opts->value, choices[i].words);
	if (id == OPT_COUNTER)
		settings->counter = wv_counter_names[chosen];
	else if (id == OPT_PHASE)
		settings->phase = (enum phase)chosen;
	else if (id == OPT_HISTORY_FORMAT)
		o->history_format = (enum history_format)chosen;
	else if (id == OPT_FLOOR)
		settings->floor = (enum level)(chosen + 1);
	else if (id == OPT_SENSITIVE)
		settings->redacts = chosen == 1;
	else
		settings->output = output_of((size_t)chosen);
	return true;
}

static void
take_weight(struct options *o, const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;

	if (weights_set(&o->settings.weights, opts->value, &err) < 0)
		wv_usage(opts, "--weight: %s", err.text);
}

static void
take_option(struct options *o, const struct wv_opts *opts, int id)
{
	if (take_name(o, opts, id) || take_file(o, opts, id) ||
		take_choice(o, opts, id) || wv_doc_option(id, opts))
		return;
	switch (id) {
	case OPT_BUDGET:
		o->settings.budget = (size_t)wv_opt_int(
			opts, "--budget", opts->value, 1, MAX_BUDGET);
		break;
	case OPT_WEIGHT:
		take_weight(o, opts);
		break;
	case OPT_STATS:
		o->tells_stats = true;
		break;
	case OPT_EXPLAIN:
		o->explains = true;
		break;
	case OPT_NOW:
		wv_opt_now(opts);
		break;
	default:
		wv_lines_option(&o->lines, id, opts);
	}
}

static bool
is_stdin(const char *file)
{
	return file != NULL && strcmp(file, "-") == 0;
}

/* Standard input holds records unless another option reads it; what is said
 * and known is enough to answer, so nobody waits at a terminal for more. */
static void
settle_input(struct options *o, const struct wv_opts *opts)
{
	const char *others[] = { o->history, o->facts, o->episodes,
		o->requests };
	bool is_enough =
		o->history != NULL || o->facts != NULL || o->episodes != NULL;
	bool is_taken = false;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		is_taken = is_taken || is_stdin(others[i]);
	o->files = opts->operands;
	o->reads_records = true;
	if (is_enough)
		o->lines.allow_empty = true;
	if (opts->operand_count > 0)
		return;
	if (is_taken || (is_enough && isatty(STDIN_FILENO)))
		o->reads_records = false;
	else if (isatty(STDIN_FILENO))
		wv_usage_terminal(opts);
}

void
options_read(struct options *o, struct wv_opts *opts, int argc, char **argv)
{
	int id;

	*o = (struct options){ .lines = WV_LINES_OPTIONS_INIT,
		.settings = { .phase = PHASE_ANSWER,
			.budget = 2000,
			.counter = wv_counter_names[0],
			.floor = LEVEL_CONFIDENTIAL,
			.weights = default_weights,
			.output = &output_text } };
	wv_opt_start(opts, &cmd, argc, argv);
	while ((id = wv_opt_next(opts)) != 0)
		take_option(o, opts, id);
	o->settings.count = wv_counter_find(o->settings.counter);
	o->settings.catalog = &o->catalog;
	if (o->settings.query != NULL && *o->settings.query == '\0')
		wv_usage(opts, "--query: is empty");
	settle_input(o, opts);
}

void
options_free(struct options *o)
{
	wv_catalog_free(&o->catalog);
	wv_arena_free(&o->arena);
}
