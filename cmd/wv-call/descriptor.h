/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What should not be in the description of a tool, which a model reads: text
 * that people do not see, and text that tells the model what to do.
 */
#ifndef WV_CALL_DESCRIPTOR_H
#define WV_CALL_DESCRIPTOR_H

#include "tools.h"

/* pointer: of the text, in node; what: "hides 12 characters", … */
typedef void descriptor_hear(void *arg, const char *pointer, const char *what);

/* Of every text and name in a tree. */
void descriptor_check(const cJSON *node, descriptor_hear *hear, void *arg);
/* Warns of a tool: of its entry and of what it is beyond it (NULL: nothing). */
void descriptor_warn(const struct tool *tool, const cJSON *listed);

#endif
