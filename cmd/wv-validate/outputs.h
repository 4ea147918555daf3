/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are written, before anything is: none may be one that is read,
 * which would be lost, and each takes one output.  Regular files, by what
 * they are, not by their names.
 */
#ifndef WV_VALIDATE_OUTPUTS_H
#define WV_VALIDATE_OUTPUTS_H

#include "run.h"
#include "schemas.h"

/* to_stdout: records or fingerprints are written there. */
void outputs_check_read(const struct settings *settings,
	const struct wv_opts *opts, const struct schemas *schemas,
	bool to_stdout);
/* Of those that are there by now; reports see to it among themselves. */
void outputs_check_twice(const struct settings *settings,
	const struct wv_opts *opts, bool to_stdout);

#endif
