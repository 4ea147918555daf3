/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known besides the query.  Signals reorder what the query found and
 * find nothing themselves; their points stand apart from those of the words.
 */
#ifndef WV_ROUTE_SIGNALS_H
#define WV_ROUTE_SIGNALS_H

#include <stddef.h>

struct signals {
	const char *
		*called; /* ids of capabilities that were called, in order */
	size_t called_count;
	const char *last_summary; /* of the last Frame, or NULL: untrusted */
};

#endif
