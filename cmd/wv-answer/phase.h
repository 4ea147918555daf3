/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_PHASE_H
#define WV_ANSWER_PHASE_H

#include "build.h"

/*
 * What a phase needs beside the conversation, as a block or as a member: the
 * menu of --choices to route by; or the one tool that it selects, with its
 * schema, to call it by, which is the only place a schema appears.  -1 and an
 * error if it cannot be had.
 */
int phase_header(struct build *build, struct wv_err *err);

#endif
