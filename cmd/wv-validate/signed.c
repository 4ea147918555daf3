/* SPDX-License-Identifier: Apache-2.0 */
#include "signed.h"

#include <string.h>

enum { MAX_MESSAGE = 400 };

static const char *
member_of(int type)
{
	switch (type) {
	case WV_CAPABILITY_TOKEN:
		return "x_weaver_signature";
	case WV_TRACE_BUNDLE:
		return "signature";
	default:
		return NULL;
	}
}

static void
add_error(struct wv_schema_error **errors, struct wv_arena *arena,
	const char *instance, const struct wv_err *why)
{
	struct wv_schema_error *error = wv_alloc_zero(arena, sizeof *error);
	struct wv_str clean = { 0 };

	wv_str_foreign(&clean, why->text, strlen(why->text), MAX_MESSAGE);
	error->instance = instance;
	error->keyword = "signature";
	error->message = wv_dup(arena, clean.s);
	wv_str_free(&clean);
	while (*errors != NULL)
		errors = &(*errors)->next;
	*errors = error;
}

int
signed_check(int type, const cJSON *value, const struct wv_keyring *keyring,
	bool required, struct wv_arena *arena, struct wv_schema_error **errors)
{
	const char *member = member_of(type);
	struct wv_err why = WV_ERR_INIT;
	enum wv_signature found;

	if (member == NULL)
		return 1;
	found = wv_signature_check(value, member, keyring, &why);
	if (found == WV_SIGNED || (found == WV_NOT_SIGNED && !required))
		return 1;
	add_error(errors, arena,
		found == WV_NOT_SIGNED ? "" : wv_printf(arena, "/%s", member),
		&why);
	return 0;
}
