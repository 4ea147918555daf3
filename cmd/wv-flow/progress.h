/* SPDX-License-Identifier: Apache-2.0 */
/* How far a run has come, for who sits before it: on a line of stderr that is
 * overwritten, if that is a terminal, from the second second on. */
#ifndef WV_FLOW_PROGRESS_H
#define WV_FLOW_PROGRESS_H

#include "run.h"

/* Shows it if it is time; when to look again, INT64_MAX: never. */
int64_t progress_show(const struct run *run);
/* Before anything else is written to a terminal. */
void progress_clear(void);

#endif
