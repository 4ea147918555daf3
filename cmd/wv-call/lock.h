/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock file: the digest of each tool as somebody has seen it, so that a
 * tools file that changes behind their back runs nothing.  Its form is
 * schemas/config/lock.schema.json.
 */
#ifndef WV_CALL_LOCK_H
#define WV_CALL_LOCK_H

#include "tools.h"

struct lock {
	struct wv_arena arena;
	struct wv_doc doc;
	const cJSON **pins;
	struct wv_map index; /* by capability, into pins */
	bool is_usable;      /* else it pins nothing */
};

/* -1: it is not usable, and err says why; its source is path. */
int lock_load(struct lock *lock, const char *path, struct wv_err *err);
void lock_free(struct lock *lock);
/* The tool is there, and as it was. */
bool lock_holds(const struct lock *lock, struct tool *tool);

/* --lock-write: adds the tools that the file lacks, and makes it if there is
 * none.  What is there stays as it is.  How many have changed since, or -1. */
int lock_write(const char *path, const struct tools *tools, struct wv_err *err);

#endif
