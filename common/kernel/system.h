/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SYSCONFDIR/wv/wv.yaml, wv.yaml(5): what the administrator of a machine has
 * fixed for the tools of the kernel.  Flags and environment can then only
 * tighten it.  There need be none; one that cannot be read, that is not
 * root's, that others can write to, or that holds anything unknown ends the
 * tool with status 2.
 */
#ifndef WV_KERNEL_SYSTEM_H
#define WV_KERNEL_SYSTEM_H

#include "json/json.h"

struct wv_system {
	const char *path; /* NULL: there is no such file */
	const char *state, *policy, *keyring, *tools, *lock; /* NULL: free */
	const cJSON *catalog; /* an array of files; NULL: free */
	bool require_signed;
};

/* Read at the first call; lives as long as the process. */
const struct wv_system *wv_system(void);
/*
 * The file or folder that an option names: the fixed one, else what was
 * given, else what the environment says (NULL: no variable), else NULL.  A
 * given one or one of the environment that is not the fixed one ends the tool
 * with status 2.
 */
const char *wv_system_choose(const char *fixed, const char *option,
	const char *given, const char *variable);

#endif
