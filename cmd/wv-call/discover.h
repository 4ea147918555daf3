/* SPDX-License-Identifier: Apache-2.0 */
/* What needs no plan: the capabilities of the tools, and what is odd in their
 * file.  main.c chooses; each returns the status. */
#ifndef WV_CALL_DISCOVER_H
#define WV_CALL_DISCOVER_H

#include "tools.h"

/* --discover: a Capability a line.  refresh: each source is asked what the
 * tool is beyond its entry, in a process of its own that belongs to no plan;
 * one that does not answer is told, and makes the status 1. */
int discover(const struct tools *tools, bool refresh);
/* --lint FILE: findings on stderr; 0 none, 1 some, 2 it cannot be used. */
int lint(const char *path);

#endif
