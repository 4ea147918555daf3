/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/dialect.h"

#include "schema/document.h"

#include <string.h>

enum { DRAFT_COUNT = WV_DRAFT_2020_12 + 1 };

static const char *const uris[DRAFT_COUNT + 1] = {
	"http://json-schema.org/draft-04/schema",
	"http://json-schema.org/draft-06/schema",
	"http://json-schema.org/draft-07/schema",
	"https://json-schema.org/draft/2019-09/schema",
	"https://json-schema.org/draft/2020-12/schema",
	NULL,
};

static const struct dialect dialects[DRAFT_COUNT] = {
	{ WV_DRAFT_4, V_ALL },
	{ WV_DRAFT_6, V_ALL },
	{ WV_DRAFT_7, V_ALL },
	{ WV_DRAFT_2019_09, V_ALL },
	{ WV_DRAFT_2020_12, V_ALL },
};

#define VOCABULARY_2019_09 "https://json-schema.org/draft/2019-09/vocab/"
#define VOCABULARY_2020_12 "https://json-schema.org/draft/2020-12/vocab/"

static const struct vocabulary_name {
	const char *uri;
	unsigned optional, required; /* what it brings */
} vocabularies[] = {
	{ VOCABULARY_2019_09 "core", V_CORE, V_CORE },
	{ VOCABULARY_2019_09 "applicator", V_APPLICATOR | V_UNEVALUATED,
		V_APPLICATOR | V_UNEVALUATED },
	{ VOCABULARY_2019_09 "validation", V_VALIDATION, V_VALIDATION },
	{ VOCABULARY_2019_09 "meta-data", V_META_DATA, V_META_DATA },
	{ VOCABULARY_2019_09 "format", V_FORMAT,
		V_FORMAT | V_FORMAT_ASSERTION },
	{ VOCABULARY_2019_09 "content", V_CONTENT, V_CONTENT },
	{ VOCABULARY_2020_12 "core", V_CORE, V_CORE },
	{ VOCABULARY_2020_12 "applicator", V_APPLICATOR, V_APPLICATOR },
	{ VOCABULARY_2020_12 "unevaluated", V_UNEVALUATED, V_UNEVALUATED },
	{ VOCABULARY_2020_12 "validation", V_VALIDATION, V_VALIDATION },
	{ VOCABULARY_2020_12 "meta-data", V_META_DATA, V_META_DATA },
	{ VOCABULARY_2020_12 "format-annotation", V_FORMAT, V_FORMAT },
	{ VOCABULARY_2020_12 "format-assertion", V_FORMAT | V_FORMAT_ASSERTION,
		V_FORMAT | V_FORMAT_ASSERTION },
	{ VOCABULARY_2020_12 "content", V_CONTENT, V_CONTENT },
};

const char *const *
wv_draft_names(void)
{
	static const char *const names[DRAFT_COUNT + 1] = { "draft4", "draft6",
		"draft7", "draft2019-09", "draft2020-12", NULL };

	return names;
}

const char *
wv_dialect_uri(enum wv_draft draft)
{
	return uris[draft];
}

const struct dialect *
wv_dialect_of_draft(enum wv_draft draft)
{
	return &dialects[draft];
}

int
wv_dialect_draft(const char *uri)
{
	size_t n = strlen(uri);

	if (n > 0 && uri[n - 1] == '#')
		n--;
	for (int i = 0; i < DRAFT_COUNT; i++) {
		if (strncmp(uris[i], uri, n) == 0 && uris[i][n] == '\0')
			return i;
	}
	return -1;
}

static int
unknown_meta(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	return wv_err_set(err, "the meta-schema \"%s\" is not known here%s",
		uri, wv_schema_meant(set, wv_nearest(uri, uris)));
}

static const cJSON *
meta_root(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	size_t n = strcspn(uri, "#");
	char *whole = wv_dupn(&set->arena, uri, n);
	const cJSON *root = NULL;

	if (uri[n] == '\0' || uri[n + 1] == '\0')
		root = wv_resource_root(set, whole, err);
	if (root == NULL)
		unknown_meta(set, uri, err);
	return root;
}

/* A custom meta-schema belongs to the draft whose core vocabulary it names,
 * else to that of its own meta-schema. */
static int
draft_of_meta(struct wv_schema_set *set, const cJSON *root, struct wv_err *err)
{
	enum { MAX_CHAIN = 16 };

	for (int i = 0; i < MAX_CHAIN && root != NULL; i++) {
		const cJSON *named = wv_get(root, "$vocabulary");
		const char *uri = wv_get_string(root, "$schema");
		int draft;
		if (wv_get(named, VOCABULARY_2019_09 "core") != NULL)
			return WV_DRAFT_2019_09;
		if (wv_get(named, VOCABULARY_2020_12 "core") != NULL)
			return WV_DRAFT_2020_12;
		if (uri == NULL)
			return (int)set->options.draft;
		draft = wv_dialect_draft(uri);
		if (draft >= 0)
			return draft;
		root = meta_root(set, uri, err);
	}
	return wv_err_set(err, "its meta-schemas never come to a draft");
}

static int
add_vocabulary(struct dialect *dialect, const cJSON *one, struct wv_err *err)
{
	bool required = wv_is_true(one);

	for (size_t i = 0; i < sizeof vocabularies / sizeof vocabularies[0];
		i++) {
		const struct vocabulary_name *known = &vocabularies[i];
		if (strcmp(known->uri, one->string) != 0)
			continue;
		dialect->vocabularies |=
			required ? known->required : known->optional;
		return 0;
	}
	return required
		? wv_err_set(err, "the vocabulary \"%s\" is not supported",
			  one->string)
		: 0;
}

static struct dialect *
custom(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	const cJSON *root = meta_root(set, uri, err);
	int draft = root ? draft_of_meta(set, root, err) : -1;
	const cJSON *named = wv_get(root, "$vocabulary");
	struct dialect *dialect;

	if (draft < 0)
		return NULL;
	dialect = wv_alloc(&set->arena, sizeof *dialect);
	*dialect = dialects[draft];
	if (draft < WV_DRAFT_2019_09 || !wv_is_object(named))
		return dialect;
	dialect->vocabularies = V_CORE;
	wv_json_each(one, named) {
		if (add_vocabulary(dialect, one, err) != 0)
			return NULL;
	}
	return dialect;
}

const struct dialect *
wv_dialect_find(struct wv_schema_set *set, const char *uri, struct wv_err *err)
{
	int draft = wv_dialect_draft(uri);
	const size_t *known;
	struct dialect *dialect;

	if (draft >= 0)
		return &dialects[draft];
	known = wv_map_find(&set->dialect_uris, uri);
	if (known != NULL)
		return set->dialects[*known];
	dialect = custom(set, uri, err);
	if (dialect == NULL)
		return NULL;
	set->dialects = wv_list_room(set->dialects, set->dialect_count,
		sizeof(const struct dialect *));
	set->dialects[set->dialect_count] = dialect;
	wv_map_add(&set->dialect_uris, wv_dup(&set->arena, uri),
		set->dialect_count++);
	return dialect;
}
