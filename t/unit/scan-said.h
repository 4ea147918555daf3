/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wv_schema_scan() says yes exactly when the reader and wv_schema_valid() do,
 * but for the shapes it leaves to them: never wrongly, wherever the text
 * stands and whatever follows it.
 */
#ifndef WV_T_SCAN_H
#define WV_T_SCAN_H

#include "document.h"

#include "schema/schema.h"

#include <stdlib.h>

static struct wv_arena record; /* what scan() reads */

static inline const struct wv_schema *
compile(struct wv_schema_set **set, const char *text)
{
	static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema;

	*set = wv_schema_set_new(&strict);
	schema = wv_schema_compile(*set, json(text), &err);
	if (schema == NULL)
		printf("Bail out! %s in %s\n", err.text, text);
	return schema;
}

enum said { WRONG = -1, NO, YES, LEFT };

/* What the scan says: NO and YES are right, LEFT is a valid record that it
 * leaves to the tree.  The text ends with its memory but for the slack. */
static inline enum said
scan_within(const struct wv_schema *schema, const char *text, size_t n,
	const struct wv_json_limits *limits)
{
	char *copy = malloc(n + WV_JSON_SLACK);
	struct wv_err err = WV_ERR_INIT;
	const cJSON *tree;
	bool yes, valid;

	memcpy(copy, text, n);
	memset(copy + n, '"', WV_JSON_SLACK);
	yes = wv_schema_scan(schema, copy, n, limits);
	memset(copy + n, '}', WV_JSON_SLACK);
	if (wv_schema_scan(schema, copy, n, limits) != yes)
		yes = !yes; /* which is one too many, or wrong */
	wv_arena_reset(&record);
	tree = wv_json_read(&record, copy, n, limits, &err);
	valid = tree != NULL && wv_schema_valid(schema, tree) == 1;
	free(copy);
	if (valid)
		return yes ? YES : LEFT;
	return yes ? WRONG : NO;
}

static inline enum said
scan(const struct wv_schema *schema, const char *text, size_t n)
{
	return scan_within(schema, text, n, &wv_json_defaults);
}

/* Members of all kinds, two of them required. */
#define OBJECT \
	"{\"type\":\"object\",\"properties\":{" \
	"\"id\":{\"type\":\"string\",\"minLength\":1}," \
	"\"capability_identifier\":{\"type\":[\"string\",\"null\"]}," \
	"\"when\":{\"type\":\"string\",\"format\":\"date-time\"}," \
	"\"\":{\"type\":\"integer\"}," \
	"\"other\":{\"type\":\"object\",\"required\":[\"a\"]}" \
	"},\"required\":[\"id\",\"there\"]}"

static inline int
done_scanning(void)
{
	wv_arena_free(&record);
	wv_arena_free(&arena);
	return done();
}

#endif
