/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --artifacts DIR: the raw text of what the firewall has made a summary of.
 * artifact:ID is the file named by the SHA-256 of ID in lower-case hex, so
 * that no id is ever a path; a file is there whole or not at all, and is never
 * changed.  The folder is locked from open to close, by flock(2), which ends
 * with the process.  What goes wrong here ends the program with status 2.
 */
#ifndef WV_ANSWER_ARTIFACTS_H
#define WV_ANSWER_ARTIFACTS_H

#include <stddef.h>

struct artifacts;

/* NULL: there is no folder, and nothing is kept. */
struct artifacts *artifacts_open(const char *dir);
/* Refused is an id under which something else is kept. */
void artifacts_put(
	struct artifacts *artifacts, const char *id, const char *raw, size_t n);
void artifacts_close(struct artifacts *artifacts);

#endif
