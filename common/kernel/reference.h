/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References: within the arguments of a call, an object whose only member is
 * x_wv_handle, a string, stands for the text that is stored behind the Handle
 * of that id.  Whoever writes it never sees the text: wv-authorize judges it as
 * a reading of the Handle, and wv-call puts the text in its place.
 */
#ifndef WV_KERNEL_REFERENCE_H
#define WV_KERNEL_REFERENCE_H

#include "json/json.h"

/* The capability that reads what is behind a Handle. */
#define WV_HANDLE_RESOLVE "wv.handle.resolve"

/* Of one call. */
enum { WV_REFERENCES_MAX = 16 };

/* The id of the Handle; NULL: the value is no reference. */
const char *wv_reference(const cJSON *value);
/* How many there are in a value, which may be one; the first of them. */
size_t wv_references(cJSON *value, cJSON *found[WV_REFERENCES_MAX]);

#endif
