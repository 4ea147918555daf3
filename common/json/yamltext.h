/* SPDX-License-Identifier: Apache-2.0 */
/* What text means in our subset of YAML, and which text is in it; behind
 * yaml.h. */
#ifndef WV_JSON_YAMLTEXT_H
#define WV_JSON_YAMLTEXT_H

#include "base/err.h"

/* The bytes of a whole document: UTF-8, and no character that ends a line in
 * YAML 1.1 only. */
int wv_yaml_check(const char *text, size_t len, struct wv_err *err);

enum wv_plain {
	WV_PLAIN_TEXT,
	WV_PLAIN_NULL,
	WV_PLAIN_TRUE,
	WV_PLAIN_FALSE,
	WV_PLAIN_NUMBER,    /* in JSON's grammar */
	WV_PLAIN_AMBIGUOUS, /* text to some readers of YAML, not to others */
};

/* A plain (unquoted) scalar without NUL.  advice is set to what to write
 * instead of an ambiguous one. */
enum wv_plain wv_yaml_plain(const char *s, const char **advice);

/* What to do about a problem that libyaml names in fewer words than it takes
 * to understand it; NULL: its words will do.  at is the byte it is about. */
const char *wv_yaml_advice(const char *problem, char at);

#endif
