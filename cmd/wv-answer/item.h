/* SPDX-License-Identifier: Apache-2.0 */
/* Items as stages 5 to 8 see them: clean, redacted, bounded. */
#ifndef WV_ANSWER_ITEM_H
#define WV_ANSWER_ITEM_H

#include "base/clock.h"
#include "json/json.h"

enum item_kind {
	KIND_USER_TURN,
	KIND_AGENT_MSG,
	KIND_TOOL_CALL,
	KIND_TOOL_RESULT,
	KIND_DOC_SNIPPET,
	KIND_RETRIEVED_DOC,
	KIND_MEMORY_FACT,
	KIND_PLAN_STATE,
	KIND_POLICY,
	KIND_COUNT,
};
extern const char *const kind_names[]; /* NULL-terminated */

enum level {
	LEVEL_PUBLIC,
	LEVEL_INTERNAL,
	LEVEL_CONFIDENTIAL,
	LEVEL_RESTRICTED,
};
extern const char *const level_names[]; /* NULL-terminated */

/* Of a result. */
enum outcome {
	OUTCOME_FINE,
	OUTCOME_ERROR,
	OUTCOME_DENIED,
};

/* Where it is shown: among the turns or in a block before them. */
enum section {
	SECTION_TURNS,
	SECTION_FACTS,
	SECTION_EPISODES,
};

enum { NOWHERE = -1 };

/* What is said of an item beside its text; the firewall hands it on. */
struct label {
	enum item_kind kind;
	enum level level;
	enum outcome outcome;
	enum section section;
	const char *id;
	const char *capability_id; /* NULL: not known */
	struct wv_time time;       /* its own, or of what stood before it */
	bool has_time;             /* its own */
	bool is_pinned;
	bool is_now;      /* it came on standard input, as part of this turn */
	bool is_closure;  /* it joined in stage 2 */
	bool is_redacted; /* in stage 3 */
	size_t order;     /* of input */
	/* What it cannot stand without, as an index among its like: a result
	 * its call, all but turns their parent; or NOWHERE. */
	ptrdiff_t up;
	/* From stage 4 on: of a call its first result, of a result the next one
	 * of its call; or NOWHERE. */
	ptrdiff_t result;
};

/* How much of an item is shown. */
enum form {
	FORM_LEFT_OUT,
	FORM_BRIEF, /* without its data */
	FORM_FOCUS, /* with those lines that the query is about */
	FORM_CUT,   /* with the first `shown` bytes of them */
	FORM_FULL,
};

/* Why one was dropped. */
enum reason {
	REASON_NONE,
	REASON_SENSITIVITY,
	REASON_PAIR, /* what it belongs to was */
	REASON_DUPLICATE,
	REASON_LIMIT, /* of a header block */
	REASON_BUDGET,
	REASON_COUNT,
};
extern const char *const reason_names[];

struct item {
	struct label label;
	const char *artifact_ref; /* NULL: none */
	const cJSON *handles;     /* array of strings, or NULL */
	struct wv_str summary;    /* shown whole, or not at all */
	struct wv_str data;       /* what may be cut */
	struct wv_str note;       /* on what was redacted or cut */
	struct wv_str focus;      /* of data: see focus.h */

	/* Stage 5. */
	const uint32_t *words; /* its distinct words */
	size_t word_count;
	double recency, match, priority, thrift, score;

	/* Stages 6 and 7. */
	enum reason reason;
	enum form form;
	size_t shown;
	size_t cost;
	size_t least; /* it can cost; 0: not known yet */
};

#endif
