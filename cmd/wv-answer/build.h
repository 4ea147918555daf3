/* SPDX-License-Identifier: Apache-2.0 */
/* A build: what is asked for, and what the stages (stages.h) make of it. */
#ifndef WV_ANSWER_BUILD_H
#define WV_ANSWER_BUILD_H

#include "item.h"

#include "contract/catalog.h"
#include "json/lines.h"
#include "text/count.h"

enum phase {
	PHASE_ROUTE,
	PHASE_CALL,
	PHASE_INTERPRET,
	PHASE_ANSWER,
};
extern const char *const phase_names[]; /* NULL-terminated */
bool phase_allows(enum phase phase, enum item_kind kind);

enum history_format {
	HISTORY_ITEMS,
	HISTORY_OPENAI,
	HISTORY_ANTHROPIC,
};
extern const char *const history_formats[]; /* NULL-terminated */

/* What of the history is wanted, beyond the phase; a list that is NULL, or an
 * age of 0, wants all. */
struct wanted {
	const cJSON *kinds, *ids, *tags;
	int64_t age_ms;
};

struct weights {
	double recency, match, kind, cost;
	double kinds[KIND_COUNT]; /* how much a kind matters, 0 to 1 */
};
extern const struct weights default_weights;

struct output;

/* What a build is asked for. */
struct settings {
	enum phase phase;
	size_t budget;
	const char *counter;
	wv_counter *count;
	const char *query; /* NULL: what the user said last */
	enum level floor;
	bool redacts; /* at the floor, in place of dropping */
	struct wanted wanted;
	struct weights weights;
	const struct output *output;
	const cJSON *choices;             /* a RoutingDecision, or NULL */
	const struct wv_catalog *catalog; /* or NULL */
	const char *artifacts;            /* folder, or NULL */
};

/* An item that was dropped, in the order of stages. */
struct drop {
	const char *id;
	enum item_kind kind;
	enum reason reason;
};

/* The tool that is to be called, as it may be shown. */
struct tool {
	const char *id, *name, *description;
	const cJSON *schema; /* of its arguments; NULL: any object */
};

struct intake;
struct artifacts;
struct vocabulary;

struct build {
	const struct settings *settings;
	struct intake *intake;          /* raw.h: for stages 1 to 4 */
	struct wv_arena arena, scratch; /* for all of it; for a moment */
	struct artifacts *artifacts;    /* NULL: raw text is not kept */

	struct item *items; /* from stage 4 on, in the order of time */
	size_t item_count;
	ptrdiff_t last_turn; /* of the user, in items, or NOWHERE */
	const char *query;   /* from stage 5 on; NULL: none */
	struct vocabulary *words;
	const uint32_t *query_words;
	size_t query_count;

	struct wv_str header;    /* of the phase: the menu, the schema; text */
	const struct tool *tool; /* of the phase, for a member of its own */
	size_t base;             /* what is paid whatever is shown */
	size_t used;             /* of the budget */
	bool has[SECTION_EPISODES + 1]; /* sections that are paid for */
	bool has_handles, has_artifacts;
	size_t left_out;
	bool says_left_out;

	size_t by_phase, by_selection; /* not candidates */
	size_t candidates, closures;
	struct drop *drops;
	size_t drop_count;

	struct wv_str text; /* the outcome */
	int status;
};

void build_drop(
	struct build *build, const struct label *label, enum reason reason);
void build_free(struct build *build);

#endif
