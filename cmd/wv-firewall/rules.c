/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/msg.h"
#include "firewall/known.h"
#include "firewall/rules.h"

#include <stdlib.h>

struct rules {
	struct wv_arena arena;
	struct wv_rules *file; /* of --rules, else NULL */
	struct wv_rules *rules;
	struct wv_known *known;
};

static void
read_known(struct rules *r, const struct settings *settings)
{
	struct wv_err err = WV_ERR_INIT;

	r->known = wv_known_new();
	if (settings->known != NULL &&
		wv_known_add_file(
			r->known, settings->known, wv_warn_err, &err) < 0)
		wv_die_err(&err);
	if (settings->known_env != NULL &&
		wv_known_add_env(r->known, settings->known_env, &err) < 0)
		wv_die_err(&err);
	wv_known_ready(r->known);
	wv_rules_set_known(r->rules, r->known);
}

struct rules *
rules_open(const struct settings *settings)
{
	struct rules *r = wv_xcalloc(1, sizeof *r);
	bool has_known = settings->known != NULL || settings->known_env != NULL;
	struct wv_err err = WV_ERR_INIT;

	if (settings->rules != NULL) {
		r->file = r->rules = wv_rules_load(settings->rules, &err);
		if (r->file == NULL)
			wv_die_err(&err);
	} else if (has_known) {
		r->rules = wv_rules_new(&r->arena);
	}
	if (has_known)
		read_known(r, settings);
	if (r->rules != NULL)
		wv_rules_ready(r->rules);
	return r;
}

const struct wv_rules *
rules_of(const struct rules *r)
{
	return r->rules;
}

void
rules_close(struct rules *r)
{
	wv_rules_free(r->file);
	wv_known_free(r->known);
	wv_arena_free(&r->arena);
	free(r);
}

int
rules_lint(const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_rules *rules = wv_rules_load(path, &err);

	if (rules == NULL)
		wv_die_err(&err);
	size_t faults = wv_rules_lint(rules, wv_warn_err);
	wv_rules_free(rules);
	return faults > 0 ? WV_NO : WV_YES;
}
