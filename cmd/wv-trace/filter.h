/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events: conditions of one kind are alternatives, those of different
 * kinds must all hold, and those after --not must not.
 */
#ifndef WV_TRACE_FILTER_H
#define WV_TRACE_FILTER_H

#include "line.h"
#include "trace.h"

struct filter;
extern const struct wv_opt filter_opts[]; /* ends with {0} */
enum { OPT_FILTER = 512, OPT_FILTER_END = 600 };

/* What it looks at becomes places. */
struct filter *filter_new(struct places *places);
/* Takes an option of the table. */
void filter_add(struct filter *filter, const struct wv_opts *opts, int id);
/* All options are read, --now too. */
void filter_ready(struct filter *filter, const struct wv_opts *opts);
/* 1: it is asked for; 0: it is not; -1: that cannot be told (a pattern that
 * takes too long), and an error. */
int filter_match(
	struct filter *filter, const struct line *line, struct wv_err *err);
void filter_free(struct filter *filter);

#endif
