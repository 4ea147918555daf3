/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the scan share.  Private to this folder.
 *
 * As in json/skim.h functions take the place of something and return the
 * place behind it.  NULL without scan->skim.gave_up says that the value is
 * not valid; with it, that nothing can be said.
 */
#ifndef WV_SCHEMA_SCAN_H
#define WV_SCHEMA_SCAN_H

#include "schema/program.h"

#include "json/skim.h"

struct scan {
	struct wv_skim skim;
	size_t budget; /* bytes that may yet be read again */
};

/* Of wv_schema.scan. */
enum { SCAN_UNKNOWN, SCAN_SEEN, SCAN_YES, SCAN_NO };

enum { SCAN_NAMES = 256 }; /* of properties and required, in one schema */

/* scan.c: types by the byte that a value begins with; what the operations of
 * a node say of a value of a type that it allows. */
extern const uint16_t wv_scan_types[256];
const char *wv_scan_ops(struct scan *scan, const struct wv_schema *node,
	unsigned type, const char *p);

/* The value at p; NULL is the schema that allows anything. */
static inline const char *
wv_scan_value(struct scan *scan, const struct wv_schema *node, const char *p)
{
	unsigned type = wv_scan_types[(unsigned char)*p], types = type;

	if (node == NULL)
		return wv_skim_value(&scan->skim, p);
	if (type == cJSON_Number)
		types |= T_INTEGER;
	if (!(node->types & types))
		return NULL;
	if (node->op_count == 0 && type != cJSON_Number)
		return wv_skim_value(&scan->skim, p);
	return wv_scan_ops(scan, node, type, p);
}

/* scan-members.c: the object at p. */
const char *wv_scan_object(
	struct scan *scan, const struct wv_schema *node, const char *p);

/* scan-check.c: the operations of a node on a scalar but those that are
 * applied in place. */
bool wv_scan_check_string(struct scan *scan, const struct wv_schema *node,
	struct wv_skim_string *string);
/* The type too; plain as of wv_skim_number(). */
bool wv_scan_check_number(const struct wv_schema *node, const char *p,
	const char *end, bool plain);
bool wv_scan_check_word(const struct wv_schema *node, int type);
/* Whether a pattern is found in a string, decoded if it has escapes. */
bool wv_scan_matches(struct scan *scan, const struct wv_regex *regex,
	const struct wv_skim_string *string);

/* scan-place.c: the first operation that is applied in place, or the end of
 * all; and whether all of these hold for a value of type that has been read
 * from place to end. */
static inline const struct op *
wv_scan_places(const struct wv_schema *node)
{
	const struct op *op = node->ops + node->op_count;

	while (op > node->ops && wv_op_in_place(op[-1].code))
		op--;
	return op;
}
bool wv_scan_places_hold(struct scan *scan, const struct wv_schema *node,
	int type, const struct wv_quotes_place *place, const char *end);
/* One more schema for the value that has been read from place to end. */
bool wv_scan_holds(struct scan *scan, const struct wv_schema *node,
	const struct wv_quotes_place *place, const char *end);

#endif
