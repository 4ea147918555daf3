/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a log holds, counted: by event, principal, capability, outcome, code
 * and hour, and how long capabilities took (metadata.x_wv_trace).  Memory has
 * a bound: values that are first seen beyond it are counted together.
 */
#ifndef WV_TRACE_SUMMARY_H
#define WV_TRACE_SUMMARY_H

#include "line.h"

struct summary;
struct summary *summary_new(struct places *places);
void summary_free(struct summary *summary);
void summary_add(struct summary *summary, const struct line *line);

/* For people: the most frequent of each; or every one, as JSON lines or as
 * CSV. */
struct wv_out;
void summary_text(struct summary *summary, struct wv_out *out);
void summary_lines(struct summary *summary, struct wv_out *out);
void summary_csv(struct summary *summary, struct wv_out *out);

/* All of it as bytes, and adding what another process counted; false if that
 * is cut short. */
void summary_pack(const struct summary *summary, struct wv_str *to);
bool summary_unpack(struct summary *summary, const char *p, size_t n);

#endif
