/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state folder as a place nobody else can reach into.  It is walked to
 * from the root, one folder at a time and never through a link that a
 * stranger could have made, and then used only as a descriptor.
 */
#ifndef WV_KERNEL_FOLDER_H
#define WV_KERNEL_FOLDER_H

#include "base/err.h"
#include "base/str.h"

#include <sys/types.h>

/*
 * Which folder: given, else $WV_STATE, $XDG_STATE_HOME/wv,
 * $HOME/.local/state/wv; free it.  Empty is unset.
 */
char *wv_folder_name(const char *given, struct wv_err *err);

/*
 * Opens it, and with make creates it and its missing parents (0700).  real
 * receives its path without links.  -1: there is none, it is a link, not
 * ours or open to others, or an ancestor lets others replace it.
 */
int wv_folder_open(
	const char *path, bool make, struct wv_str *real, struct wv_err *err);

/*
 * A file (O_RDONLY, O_RDWR, with O_CREAT: made 0600 whatever the umask) or a
 * folder (O_DIRECTORY; O_CREAT makes it, 0700) within.  Refuses links, what
 * is not ours, what is open to others.  errno is ENOENT where it is absent.
 */
int wv_folder_at(int dir, const char *name, int flags, struct wv_err *err);
/* The same judgement of a file that another library opens: 1 it is there,
 * 0 it is not, -1. */
int wv_folder_check(int dir, const char *name, struct wv_err *err);

#endif
