/* SPDX-License-Identifier: Apache-2.0 */
/* How scores are made up. */
#include "options.h"

#include "contract/contract.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>

static double *
weight_of(struct weights *weights, const char *name)
{
	const struct {
		const char *name;
		double *at;
	} parts[] = {
		{ "recency", &weights->recency },
		{ "match", &weights->match },
		{ "kind", &weights->kind },
		{ "cost", &weights->cost },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strcmp(parts[i].name, name) == 0)
			return parts[i].at;
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (strcmp(kind_names[i], name) == 0)
			return &weights->kinds[i];
	return NULL;
}

static void
set_all(struct weights *weights, const cJSON *object)
{
	wv_json_each(member, object) {
		double *at = wv_is_number(member)
			? weight_of(weights, member->string)
			: NULL;
		if (at != NULL)
			*at = wv_num_double(member);
	}
}

int
weights_load(struct weights *weights, struct wv_arena *arena, const char *path,
	struct wv_err *err)
{
	struct wv_doc doc;

	if (wv_doc_load(&doc, arena, path, err) < 0 ||
		wv_config_check(&doc, "conversation-weights", err) < 0)
		return -1;
	set_all(weights, doc.root);
	set_all(weights, wv_get(doc.root, "kinds"));
	return 0;
}

int
weights_set(struct weights *weights, const char *setting, struct wv_err *err)
{
	const char *value = strchr(setting, '=');
	char name[32] = "", *end;
	double *at, number;

	if (value != NULL && value - setting < (ptrdiff_t)sizeof(name))
		memcpy(name, setting, (size_t)(value - setting));
	at = weight_of(weights, name);
	if (at == NULL)
		return wv_err_set(err,
			"not NAME=VALUE with recency, match, kind, cost or a "
			"kind: %s",
			setting);
	number = strtod(value + 1, &end);
	if (end == value + 1 || *end != '\0' || !(number >= 0 && number <= 1))
		return wv_err_set(
			err, "a weight is a number from 0 to 1: %s", setting);
	*at = number;
	return 0;
}
