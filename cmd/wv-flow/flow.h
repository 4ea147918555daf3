/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow files: wv-flow(5).  A flow that is loaded has been checked: ids are
 * unique, needs exist and have no cycle, every reference is to a value that
 * may be there, and it says nothing that this version does not do.  From then
 * on it does not change; a file that several steps name is loaded once.
 */
#ifndef WV_FLOW_FLOW_H
#define WV_FLOW_FLOW_H

#include "base/digest.h"
#include "base/hash.h"
#include "contract/catalog.h"
#include "json/doc.h"
#include "report/report.h"
#include "schema/schema.h"

enum flow_run_when { /* what has become of what a step needs */
	FLOW_ALL_SUCCESS,
	FLOW_ALL_DONE,
	FLOW_ANY_SUCCESS,
	FLOW_NONE_FAILED,
	FLOW_ALWAYS,
};

enum flow_on_error {
	FLOW_FAIL,
	FLOW_CONTINUE,
	FLOW_FALLBACK,
};

/* A value that has to satisfy a schema, or must not. */
struct flow_condition {
	const cJSON *value; /* {from, default?}, as map_resolve() takes it */
	const struct wv_schema *schema;
	bool negate;
};

struct flow_retry {
	unsigned max; /* attempts after the first; 0: none */
	int64_t backoff_ms, max_backoff_ms; /* 0: none, no limit */
	double factor;       /* of each backoff after the first */
	const cJSON *errors; /* the only classes that are retried, or NULL */
};

struct flow_step {
	const char *id;
	const char *capability;  /* that of the sub-flow, if it is one */
	const struct flow *flow; /* sub-flow; NULL: a capability is called */
	const cJSON *arguments;  /* as written; NULL: none */
	bool has_handle;         /* {handle: …} in them */
	size_t index;            /* of its declaration */
	size_t place;            /* in the flow's order */
	size_t level;            /* 0, or one above the highest it needs */
	size_t *needs;           /* indices of declarations */
	size_t need_count;
	size_t first, last; /* of a walk along needs: what it has between these
	                       numbers comes before the step; not all has */
	bool is_needed;     /* by another step */
	size_t *uses; /* indices, ascending: steps whose values it cannot do
	                 without, as its references to them have no default */
	size_t use_count;
	struct flow_condition *conditions; /* all have to hold */
	size_t condition_count;
	enum flow_run_when run_when;
	enum flow_on_error on_error;
	const char *fallback; /* capability, of FLOW_FALLBACK */
	struct flow_retry retry;
	int64_t timeout_ms;  /* of an attempt; 0: the tool's */
	int64_t deadline_ms; /* of all attempts and what is between; 0: none */
	const cJSON *for_each; /* {from, default?}: the array; NULL: once */
	size_t max_parallel;   /* of its items; 0: as many as may be */
	bool fail_fast;        /* no more items once one has failed */
	bool finally;
	int idempotent; /* 1, 0; -1: it does not say and the tool is unknown */
	const struct wv_capability *tool; /* flow_bind(); NULL: unknown */
};

struct flow {
	struct wv_doc doc;
	const char *name, *capability;
	const char *revision; /* of what it promises; "1" */
	const struct wv_schema *input_schema, *output_schema; /* NULL: any */
	struct wv_schema_set *schemas;
	struct flow_step *steps; /* as declared */
	size_t count;
	size_t total;         /* steps, those of sub-flows included */
	size_t height;        /* flows within flows, itself included */
	size_t *order;        /* indices, by level and then by id, whatever the
	                         order of declaration; finally steps last */
	struct wv_map ids;    /* id of a step to its index */
	const char **id_list; /* as declared, NULL-terminated */
	const cJSON *outputs; /* as written, or NULL */
	int64_t deadline_ms;  /* of a run; 0: none */
	char hash[WV_SHA256_HEX]; /* of what it says, sub-flows included */
	struct flow_faults {
		struct wv_arena *arena;
		const struct wv_finding *first; /* in the order of the file */
		size_t count, errors;           /* of them no warnings */
	} faults;
	struct flow *next; /* the other files of the load */
};

/* Limits of a load, each an option with its arm. */
struct flow_limits {
	size_t steps; /* of a flow, sub-flows included: 10,000 */
	size_t bytes; /* of all its files: 16 MiB */
	size_t depth; /* flows within flows, itself included: 8 */
};
/* clang-format off */
#define FLOW_LIMITS_INIT { 10000, 16 << 20, 8 }
#define FLOW_LIMIT_OPTS \
	{ FLOW_OPT_STEPS, "max-steps", "N", "most steps of a flow (10000)" }, \
	{ FLOW_OPT_BYTES, "max-flow", "BYTES", "most bytes of its files (16M)" }, \
	{ FLOW_OPT_DEPTH, "max-flow-depth", "N", "most flows within flows (8)" }
/* clang-format on */
enum { FLOW_OPT_STEPS = 1400, FLOW_OPT_BYTES, FLOW_OPT_DEPTH };
struct wv_opts;
bool flow_limit_option(
	struct flow_limits *limits, int id, const struct wv_opts *opts);

/* Everything lives in the arena but what flow_free() frees.  Every error is
 * told as a message: 0 none, 1 some, 2 a file cannot be read. */
int flow_load(struct flow *flow, struct wv_arena *arena, const char *path,
	const struct flow_limits *limits);
/* The same; what is wrong is in flow->faults and in those of what ->next
 * leads to, untold, or in the error of a file that cannot be read. */
int flow_read(struct flow *flow, struct wv_arena *arena, const char *path,
	const struct flow_limits *limits, struct wv_err *err);
void flow_free(struct flow *flow);

/* Has every step, those of sub-flows too, know its tool, and whether it is
 * idempotent if it does not say: it is if the tool is read-only. */
void flow_bind(struct flow *flow, const struct wv_catalog *tools);

/* What a step has arguments for: the sub-flow's input, or the tool's; NULL:
 * that is not known. */
const cJSON *flow_step_schema(const struct flow_step *step);

/* support.c: what the format knows and this version does not do, as faults of
 * each step.  Who has a feature run takes its line out there. */
void flow_check_supported(struct flow *flow, const struct flow_step *step);
/* The pointer of a member of a step, in the arena. */
const char *flow_at(const struct flow *flow, size_t step, const char *member);

enum { FLOW_FAULTS_MAX = 100 }; /* that are kept of a file */
/* A fault at a pointer of the flow's file. */
void flow_fault(struct flow *flow, const char *pointer, const char *rule,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void flow_doubt(struct flow *flow, const char *pointer, const char *rule,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* ", did you mean "x"?" or "", in the arena. */
const char *flow_nearest(
	const struct flow *flow, const char *word, const char *const *list);
/* What was found in its file, as messages. */
void flow_tell(const struct flow *flow);
/* Doubts become faults. */
void flow_harden(struct flow *flow);

/* graph.c: fills order, levels and places; a cycle is told, and there is no
 * order. */
void flow_sort(struct flow *flow, struct wv_arena *arena);

#endif
