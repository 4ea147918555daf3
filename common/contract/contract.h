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
	WV_CONTRACT_COUNT,
};

/* Contract by `frame` or `Frame`; -1 if there is none of that name. */
int wv_contract_find(const char *name);
const char *wv_contract_name(enum wv_contract type);  /* "frame" */
const char *wv_contract_title(enum wv_contract type); /* "Frame" */
/* NULL-terminated list of the names, for messages and --list-types. */
const char *const *wv_contract_names(void);
/* The schema's text as installed. */
const char *wv_contract_schema(enum wv_contract type);

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

#endif
