/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contracts: a registry of their names and schemas.  Schemas are
 * compiled into the program, so there is no file to find and none to swap;
 * each is compiled to a program on first use.  `format` is asserted.
 */
#ifndef WV_CONTRACT_CONTRACT_H
#define WV_CONTRACT_CONTRACT_H

#include "schema/schema.h"

enum wv_contract {
	WV_CAPABILITY,
	WV_CAPABILITY_TOKEN,
	WV_CHOICE_CARD,
	WV_FRAME,
	WV_HANDLE,
	WV_POLICY_DECISION,
	WV_ROUTING_DECISION,
	WV_SELECTABLE_ITEM,
	WV_TRACE_EVENT,
	/* Extended */
	WV_ARTIFACT_SAFETY_GATE_REQUEST,
	WV_ARTIFACT_SAFETY_REPORT,
	WV_CAPABILITY_TOKEN_SIGNATURE,
	WV_COMPILED_FLOW,
	WV_CONFORMANCE_RESULT,
	WV_EVALUATION_ARTIFACT,
	WV_EXECUTION_CANDIDATE,
	WV_EXECUTION_FEEDBACK,
	WV_EXECUTION_ROUTING_DECISION,
	WV_EXTENDED_FRAME_METADATA,
	WV_EXTENDED_SELECTABLE_ITEM_METADATA,
	WV_FAILURE_CASE_ARTIFACT,
	WV_LESSON_CARD,
	WV_MEMORY_ARTIFACT,
	WV_OTEL_TRACE_MAPPING,
	WV_REDACTION_POLICY,
	WV_REVIEW_ARTIFACT,
	WV_RISK_ASSESSMENT,
	WV_SCHEMA_FINGERPRINT,
	WV_SESSION_HANDOFF,
	WV_SKILL_CARD,
	WV_TELEMETRY_HINT,
	WV_TRACE_BUNDLE,
	WV_UI_HINT,
	WV_CONTRACT_COUNT,
	WV_CORE_COUNT = WV_TRACE_EVENT + 1,
};

/* Of the contracts that are built in: "0.9.0". */
#define WV_CONTRACT_VERSION "0.9.0"

/* Contract by `frame` or `Frame`; -1 if there is none of that name. */
int wv_contract_find(const char *name);
const char *wv_contract_name(enum wv_contract type);  /* "frame" */
const char *wv_contract_title(enum wv_contract type); /* "Frame" */
/* NULL-terminated list of the names, for messages and --list-types. */
const char *const *wv_contract_names(void);
/* The schema's text as installed; its $id; its first example, in the arena. */
const char *wv_contract_schema(enum wv_contract type);
const char *wv_contract_id(enum wv_contract type);
const cJSON *wv_contract_example(enum wv_contract type, struct wv_arena *arena);
/* The tree of the contract with that $id, so that other schemas may refer to
 * it; not to be changed.  NULL if there is none. */
const cJSON *wv_contract_document(const char *uri);

/* The type of a record by the members it has (design 7, wv-validate), or -1:
 * it does not guess. */
int wv_contract_guess(const cJSON *value);

/*
 * Judges schema and invariants; *errors lists what is wrong, in the arena.
 * 1 valid, 0 not, -1 could not tell.
 */
int wv_contract_check(enum wv_contract type, const cJSON *value,
	struct wv_arena *arena, struct wv_schema_error **errors);
/*
 * The same, for CI, with what no contract forbids but is probably wrong:
 * Extended objects where contracts attach them (Frame.metadata,
 * SelectableItem.metadata, metadata.telemetry and x_weaver_signature of any
 * record and of any within it), references to what a TraceBundle does not
 * hold, ids that name two things.  Each is a warning, or with strict an error.
 */
struct wv_contract_rules {
	bool schema_only; /* none of it, and no invariants */
	bool strict;
	size_t max; /* most errors listed of the schema's, and of all else each;
		       0: 100 */
	enum wv_schema_branches branches;
	bool near_misses; /* also tell of members that look like a mistyped one
			     of the contract; never below metadata */
};
int wv_contract_judge(enum wv_contract type, const cJSON *value,
	const struct wv_contract_rules *rules, struct wv_arena *arena,
	struct wv_schema_error **errors);
/*
 * From the text of a record, without a tree: true if wv_contract_judge() would
 * say valid and list nothing.  False says nothing.  See wv_schema_scan().
 */
bool wv_contract_scan(enum wv_contract type,
	const struct wv_contract_rules *rules, const char *text, size_t len,
	const struct wv_json_limits *limits);

/*
 * The same for a tool that needs a record of one type: 0, or -1 and
 * "not a Frame: /summary: …" in err, without a line: it is about the record.
 */
int wv_contract_require(
	enum wv_contract type, const cJSON *value, struct wv_err *err);

/*
 * A configuration file against schemas/config/KIND (policy, tools, flow, …):
 * -1 with source, line and column of the first fault.  Unknown members are
 * told with the nearest valid name.
 */
int wv_config_check(
	const struct wv_doc *doc, const char *kind, struct wv_err *err);
/* The same, with all that is wrong: 1, 0, -1 as a schema's verdict. */
int wv_config_errors(const struct wv_doc *doc, const char *kind,
	struct wv_arena *arena, struct wv_schema_error **errors);

#endif
