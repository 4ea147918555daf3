/* SPDX-License-Identifier: Apache-2.0 */
/* What a flow would send: nothing is run, and nothing is written but that. */
#ifndef WV_FLOW_NEXT_H
#define WV_FLOW_NEXT_H

#include "run.h"

/* The RoutingDecisions of every step whose arguments come from the input alone,
 * in the run's order; of the others a message says what they wait for. */
int next_all(struct runner *runner, struct wv_arena *arena, const cJSON *input,
	const cJSON *cause);

#endif
