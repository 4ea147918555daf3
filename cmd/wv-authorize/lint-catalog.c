/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/glob.h"

#include <stdlib.h>

static bool
is_known(const struct wv_catalog *catalog, const char *glob)
{
	for (size_t i = 0; i < catalog->count; i++) {
		if (wv_glob_match(glob, catalog->items[i].id, '.'))
			return true;
	}
	return false;
}

static const char *
nearest(const struct lint *lint, const char *id)
{
	const struct wv_catalog *catalog = lint->catalog;
	const char **ids = wv_xcalloc(catalog->count + 1, sizeof *ids), *found;

	for (size_t i = 0; i < catalog->count; i++)
		ids[i] = catalog->items[i].id;
	found = wv_nearest(id, ids);
	free(ids);
	return found;
}

static bool
check_ids(const struct lint_condition *c)
{
	size_t index = 0;
	bool good = true;

	wv_json_each(glob, c->condition->capability) {
		const char *id = glob->valuestring, *other;
		size_t at = index++;
		if (is_known(c->lint->catalog, id))
			continue;
		good = false;
		other = nearest(c->lint, id);
		lint_tell(c->lint, c->rule,
			lint_pointer(c, "capability", NULL, at),
			"can never match: no capability of the catalogue is "
			"\"%s\"%s%s%s",
			id, other ? ", did you mean \"" : "",
			other ? other : "", other ? "\"?" : "");
	}
	return good;
}

/* To be allowed it has to be known, to be denied it is enough that it may
 * be. */
static bool
has_any(const struct lint_condition *c)
{
	const struct wv_catalog *catalog = c->lint->catalog;

	for (size_t i = 0; i < catalog->count; i++) {
		const struct wv_capability *one = &catalog->items[i];
		struct policy_outcome outcome = { POLICY_YES, NULL };
		policy_capability_match(&outcome, c->condition, one->id, one);
		if (outcome.match == POLICY_YES ||
			(outcome.match == POLICY_UNKNOWN && !c->widens))
			return true;
	}
	return false;
}

void
lint_catalog(const struct lint_condition *c)
{
	const struct policy_condition *condition = c->condition;

	if (c->lint->catalog == NULL || condition->node == NULL ||
		!check_ids(c))
		return;
	if ((condition->safety != NULL || condition->tags != NULL ||
		    condition->risk != NULL) &&
		!has_any(c))
		lint_tell(c->lint, c->rule,
			wv_printf(&c->lint->arena, "/%s", c->member),
			"can never match: no capability of the catalogue is "
			"stated to be all of that");
}
