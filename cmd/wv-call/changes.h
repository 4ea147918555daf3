/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources a tool is bound to, watched while it runs: what a read_write
 * one became is part of the trace, and that a read_only one was written to is
 * an error.  A file is known by its SHA-256, kind, owner and permissions;
 * links are not followed, they are their target's name.  Only one call that
 * is bound to resources runs at a time in a plan, so that a change is its own.
 * What lies within two resources is of both.
 */
#ifndef WV_CALL_CHANGES_H
#define WV_CALL_CHANGES_H

#include "json/json.h"

enum {
	CHANGES_FILES = 100000, /* most files and folders of all resources */
	CHANGES_DEPTH = 100,    /* of folders within folders */
	CHANGES_LISTED = 63,    /* most changes that are told apart: with
	                           what more there is, 64, which an event
	                           keeps */
};
/* Most bytes that are read at once: before the run, and after it. */
#define CHANGES_BYTES ((uint64_t)8 << 30)

struct changes;

/* resources: of the entry, not NULL, kept.  NULL: they cannot be read, are
 * not of the kind they are said to be, or are more than the limits.  A
 * resource that does not exist yet is empty. */
struct changes *changes_begin(const cJSON *resources, struct wv_err *err);
/*
 * After the run; frees.  list: [{resource, path, change: created | modified |
 * removed, before?, after?}], digests in hex (of a file, and of a link's
 * target; equal if only owner or permissions changed), path relative to the
 * resource's dir, "." itself, or the file's last name, in order of resource
 * and path; then {more: N} for what is beyond the limit; NULL if nothing
 * changed.  violated: the name of a read_only resource that changed,
 * or NULL.
 */
int changes_end(struct changes *changes, struct wv_arena *arena, cJSON **list,
	const char **violated, struct wv_err *err);
void changes_drop(struct changes *changes);

#endif
