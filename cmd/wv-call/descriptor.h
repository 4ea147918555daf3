/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_CALL_DESCRIPTOR_H
#define WV_CALL_DESCRIPTOR_H

#include "tools.h"

/* Warns of what should not be in the description of a tool: in its entry and
 * in what it is beyond it (NULL: nothing). */
void descriptor_warn(const struct tool *tool, const cJSON *listed);

#endif
