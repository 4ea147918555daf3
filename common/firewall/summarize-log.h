/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of logs. */
#ifndef WV_FIREWALL_SUMMARIZE_LOG_H
#define WV_FIREWALL_SUMMARIZE_LOG_H

#include "firewall/summarize.h"

enum wv_log_level {
	WV_LOG_FATAL,
	WV_LOG_ERROR,
	WV_LOG_WARNING,
	WV_LOG_NOTICE,
	WV_LOG_INFO,
	WV_LOG_DEBUG,
	WV_LOG_TRACE,
	WV_LOG_LEVELS, /* none */
};
extern const char *const wv_log_levels[];

struct wv_log_entry {
	struct wv_line time; /* n 0: none */
	enum wv_log_level level;
	struct wv_line message;
};
/* False if a line begins no entry: with neither a time nor a level. */
bool wv_log_parse(struct wv_log_entry *entry, const struct wv_line *line);

/* A message of which what differs from one to the next (numbers, ids, what is
 * quoted) has become #; cut.  Returns its length. */
enum { WV_LOG_PATTERN = 160 };
size_t wv_log_pattern(char out[WV_LOG_PATTERN], const struct wv_line *message);

#endif
