/* SPDX-License-Identifier: Apache-2.0 */
/* What tools-check.c and tools-wrapped.c share. */
#ifndef WV_CONTRACT_TOOLS_CHECK_H
#define WV_CONTRACT_TOOLS_CHECK_H

#include "contract/catalog-internal.h"

/* An entry being checked. */
struct wv_tool_check {
	const struct wv_doc *doc;
	struct wv_err *err;
	const cJSON *entry;
	size_t index;
};

/* Fills the error, with the place of what the pointer names in the entry. */
__attribute__((format(printf, 3, 4))) int wv_tool_fault(
	const struct wv_tool_check *c, const char *below, const char *fmt, ...);

/* That it changes nothing, and what says so: "read_only"; NULL: nothing. */
const char *wv_tool_harmless(const cJSON *entry);
/* That it changes something, as declared. */
bool wv_tool_writes(const cJSON *entry);

int wv_tools_check_wrapped(const struct wv_doc *doc, struct wv_err *err);

#endif
