/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which keywords a schema may use: the draft, and of 2019-09 and later the
 * vocabularies that its meta-schema names.  Private to this folder.
 */
#ifndef WV_SCHEMA_DIALECT_H
#define WV_SCHEMA_DIALECT_H

#include "schema/schema.h"

enum vocabulary {
	V_CORE = 1 << 0,
	V_APPLICATOR = 1 << 1,
	V_UNEVALUATED = 1 << 2,
	V_VALIDATION = 1 << 3,
	V_META_DATA = 1 << 4,
	V_FORMAT = 1 << 5,
	V_CONTENT = 1 << 6,
	V_FORMAT_ASSERTION = 1 << 7, /* format is asserted, options aside */
	V_ALL = V_FORMAT_ASSERTION - 1,
};

struct dialect {
	enum wv_draft draft;
	unsigned vocabularies;
};

static inline bool
wv_dialect_has_siblings(const struct dialect *dialect)
{
	return dialect->draft >= WV_DRAFT_2019_09;
}

/* The URI of a draft's meta-schema, as the draft spells it but for a "#". */
const char *wv_dialect_uri(enum wv_draft draft);
/* What the $schema of uri names; NULL and an error if that is no meta-schema,
 * cannot be found, or needs a vocabulary that is not known here. */
const struct dialect *wv_dialect_find(
	struct wv_schema_set *set, const char *uri, struct wv_err *err);
const struct dialect *wv_dialect_of_draft(enum wv_draft draft);
/* The draft whose meta-schema uri is; -1 if it is of none. */
int wv_dialect_draft(const char *uri);

#endif
