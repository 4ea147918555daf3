/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock file: the digest of each tool as somebody has seen it, so that a
 * tool that changes behind their back runs nothing.  Its form is
 * schemas/config/lock.schema.json.  A tool is its entry in the tools file and
 * what its source lists: the descriptor on its server, the files of a skill.
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

#define LOCK_CHANGED "is not as the lock file pins it"

/* -1: it is not usable, and err says why; its source is path. */
int lock_load(struct lock *lock, const char *path, struct wv_err *err);
void lock_free(struct lock *lock);
/* The tool is pinned, and its entry is as it was: known before a decision is
 * consumed.  NULL, or why it is not, for the name of the tool to stand before
 * it. */
const char *lock_misses(const struct lock *lock, struct tool *tool);
/* Once tool->listed is known: all of it is as it was. */
bool lock_holds(const struct lock *lock, struct tool *tool);

/*
 * --lock-write: adds the tools that the file lacks, and makes it if there is
 * none.  What is there stays as it is, but for the capabilities in approved
 * (--lock-approve, NULL-terminated; NULL: none), each of which must be a tool.  How many
 * others have changed since or could not be asked, or -1.  Descriptors that
 * hide text or speak to the model are told.
 */
int lock_write(const char *path, const struct tools *tools,
	const char *const *approved, struct wv_err *err);

#endif
