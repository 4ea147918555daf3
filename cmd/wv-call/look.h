/* SPDX-License-Identifier: Apache-2.0 */
/* One look at the resources of a tool, for changes.c: all that there is. */
#ifndef WV_CALL_LOOK_H
#define WV_CALL_LOOK_H

#include "base/digest.h"
#include "json/json.h"

#include <sys/stat.h>

struct seen {
	size_t resource;  /* its place in the list */
	const char *path; /* within it; "": itself */
	struct stat st;
	unsigned char sum[WV_SHA256]; /* of a file, a link's target; else 0 */
	bool may_hide; /* that it is written to may not show in st */
};

struct look {
	struct wv_arena arena; /* of the paths */
	struct seen *items;    /* by resource, then by path */
	size_t count;
};

/* before: files that are certainly as they were then are not read again;
 * NULL: each resource must be of its kind, or not be there.  To be freed even
 * on failure. */
int look_at(struct look *look, const cJSON *resources,
	const struct look *before, struct wv_err *err);
int look_order(const struct seen *a, const struct seen *b);
void look_free(struct look *look);

#endif
