/* SPDX-License-Identifier: Apache-2.0 */
#include "authorize.h"

#include "base/msg.h"
#include "contract/sign.h"
#include "kernel/system.h"

#include <stdlib.h>
#include <sys/stat.h>

/* A pipe that tokens came through is empty by now, and no path leads to it. */
static void
protect(struct authorizer *a, const char *path)
{
	struct wv_err err = WV_ERR_INIT;
	struct stat st;

	if (path == NULL ||
		(stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
			!S_ISDIR(st.st_mode)))
		return;
	if (policy_protect(&a->policy, path, &err) < 0)
		wv_die_err(&err);
}

void
load_policy(struct authorizer *a, const struct sources *from)
{
	struct wv_err err = WV_ERR_INIT;

	if (policy_load(&a->policy, from->policy, &err) < 0)
		wv_die_err(&err);
	protect(a, from->policy);
	for (size_t i = 0; i < from->catalog_count; i++) {
		if (wv_catalog_load(&a->catalog, &a->arena, from->catalogs[i],
			    &err) < 0)
			wv_die_err(&err);
		a->has_catalog = true;
	}
}

static void
load_keyring(struct authorizer *a, const char *path)
{
	struct wv_err err = WV_ERR_INIT;

	if (path == NULL)
		return;
	a->keyring = wv_keyring_load(path, &err);
	if (a->keyring == NULL)
		wv_die_err(&err);
	a->trust.keyring = a->keyring;
	protect(a, path);
}

void
load_world(struct authorizer *a, const struct sources *from)
{
	load_policy(a, from);
	load_keyring(a, from->keyring);
	tokens_load(a, from->tokens);
	protect(a, from->tokens);
	protect(a, wv_system()->path);
	a->state_name = from->state;
	a->state = wv_state_need(from->state,
		a->dry_run ? WV_STATE_READ : WV_STATE_WRITE, false);
	protect(a, a->state->path);
}

void
unload(struct authorizer *a)
{
	wv_state_close(a->state);
	wv_keyring_free(a->keyring);
	policy_free(&a->policy);
	wv_catalog_free(&a->catalog);
	free(a->tokens);
	wv_arena_free(&a->arena);
}
