/* SPDX-License-Identifier: Apache-2.0 */
/* --lint: what is wrong with a catalogue, as messages. */
#ifndef WV_ROUTE_LINT_H
#define WV_ROUTE_LINT_H

#include <stddef.h>

/* A file of a catalogue and the --prefix before it, or NULL. */
struct catalog_file {
	const char *path, *prefix;
};

/* Judges the files as one catalogue: 0 if there is nothing to say, 1 if there
 * is, 2 if one cannot be read. */
int lint_catalog(const struct catalog_file *files, size_t count);

#endif
