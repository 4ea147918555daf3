/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a JSON Schema says of the value at a pointer, as far as properties and
 * items say it.  What else it says can only refuse more.
 */
#ifndef WV_FLOW_SHAPE_H
#define WV_FLOW_SHAPE_H

#include "json/json.h"

struct shape {
	unsigned types;     /* bits; all if they are not known */
	bool is_refused;    /* there can be no such value */
	bool is_optional;   /* its object may be without it */
	const char *name;   /* of the member that is refused or optional, or
	                        that properties do not have; NULL: none */
	const cJSON *known; /* the properties where it is none of */
};
/* The pointer is valid. */
void shape_at(struct shape *shape, struct wv_arena *arena, const cJSON *schema,
	const char *pointer);
/* One type, by its name in a schema. */
unsigned shape_type(const char *name);
/* "string or null". */
const char *shape_names(struct wv_arena *arena, unsigned types);

#endif
