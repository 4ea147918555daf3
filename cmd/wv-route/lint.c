/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"

#include "base/msg.h"
#include "contract/catalog.h"
#include "contract/record.h"

#include <string.h>

static void
hear(const struct wv_err *err, void *arg)
{
	int *status = arg;

	wv_warn_err(err);
	*status = wv_worse(*status, WV_NO);
}

static void
say(int *status, const struct wv_capability *c, const char *what)
{
	struct wv_err err = WV_ERR_INIT;

	wv_err_at(&err, c->source, c->line, 0, "capability \"%s\" %s", c->id,
		what);
	hear(&err, status);
}

static void
lint_capability(int *status, const struct wv_capability *c)
{
	if (!wv_id_is_kernel(c->id))
		say(status, c,
			"has an id that the kernel denies: it takes letters, "
			"digits and ._:@/+-");
	if (strcmp(c->description, c->name) == 0)
		say(status, c,
			c->is_tool && wv_get(c->node, "description") == NULL
				? "has no description"
				: "has its name as its description");
}

int
lint_catalog(char *const *paths)
{
	struct wv_arena arena = WV_ARENA_INIT;
	const char *first = *paths;
	int status = WV_YES;
	struct wv_catalog catalog = { .fault = hear, .fault_arg = &status };

	for (; *paths != NULL; paths++) {
		struct wv_err err = WV_ERR_INIT;
		if (wv_catalog_load(&catalog, &arena, *paths, &err) == 0)
			continue;
		wv_warn_err(&err);
		status = WV_TROUBLE;
	}
	for (size_t i = 0; i < catalog.count; i++)
		lint_capability(&status, &catalog.items[i]);
	if (status == WV_YES && catalog.count == 0) {
		wv_warn("%s: no capabilities", first);
		status = WV_NO;
	}
	wv_catalog_free(&catalog);
	wv_arena_free(&arena);
	return status;
}
