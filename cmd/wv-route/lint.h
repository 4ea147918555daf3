/* SPDX-License-Identifier: Apache-2.0 */
/* --lint: what is wrong with a catalogue, as messages. */
#ifndef WV_ROUTE_LINT_H
#define WV_ROUTE_LINT_H

/* Judges the files (NULL-terminated) as one catalogue: 0 if there is nothing
 * to say, 1 if there is, 2 if one cannot be read. */
int lint_catalog(char *const *paths);

#endif
