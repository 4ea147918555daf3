/* SPDX-License-Identifier: Apache-2.0 */
/* Judging one text by another, for the unit tests of the schema. */
#ifndef WV_TEST_JUDGE_H
#define WV_TEST_JUDGE_H

#include "schema/schema.h"
#include "document.h"

static const struct wv_schema_options strict = WV_SCHEMA_OPTIONS_STRICT;

/* A verdict, -2 if the schema is bad, -3 if two verdicts differ; and
 * "POINTER: message (KEYWORD)" of each error, one a line. */
static inline int
judge(const struct wv_schema_options *options, const char *schema_text,
	const char *instance_text, struct wv_str *text)
{
	struct wv_schema_set *set = wv_schema_set_new(options);
	struct wv_err err = WV_ERR_INIT;
	const struct wv_schema *schema =
		wv_schema_compile(set, json(schema_text), &err);
	struct wv_schema_error *errors = NULL;
	const cJSON *instance;
	int valid, verdict;

	wv_str_cat(text, "");
	if (schema == NULL) {
		wv_str_cat(text, err.text);
		wv_schema_set_free(set);
		return -2;
	}
	instance = json(instance_text);
	valid = wv_schema_valid(schema, instance);
	verdict = wv_schema_errors(
		schema, instance, WV_BRANCH_NEAREST, &arena, 20, &errors);
	for (; errors != NULL; errors = errors->next)
		wv_str_fmt(text, "%s%s: %s (%s)", text->n ? "\n" : "",
			errors->instance, errors->message, errors->keyword);
	wv_schema_set_free(set);
	return valid == verdict ? verdict : -3;
}

/* s n times, the middle, end n times. */
static inline char *
repeat(const char *s, size_t n, const char *middle, const char *end)
{
	struct wv_str text = { 0 };
	char *copy;

	for (size_t i = 0; i < n; i++)
		wv_str_cat(&text, s);
	wv_str_cat(&text, middle);
	for (size_t i = 0; i < n; i++)
		wv_str_cat(&text, end);
	copy = wv_dupn(&arena, text.s, text.n);
	wv_str_free(&text);
	return copy;
}

#endif
