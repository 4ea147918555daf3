/* SPDX-License-Identifier: Apache-2.0 */
#include "contract/found.h"

/* Places are as deep as contracts hold each other. */
static void
add_place(struct wv_str *pointer, const struct wv_place *place)
{
	if (place->up == NULL)
		return;
	add_place(pointer, place->up);
	wv_pointer_add(pointer, place->member);
	if (place->index != WV_NO_INDEX)
		wv_str_fmt(pointer, "/%zu", place->index);
}

static char *
pointer_of(struct wv_arena *arena, const struct wv_place *place,
	const char *below, const char *rest)
{
	struct wv_str pointer = { 0 };
	char *copy;

	add_place(&pointer, place);
	wv_str_cat(&pointer, below);
	wv_str_cat(&pointer, rest);
	copy = wv_dup(arena, pointer.s);
	wv_str_free(&pointer);
	return copy;
}

static void
list(struct wv_found *found, struct wv_schema_error *error)
{
	if (wv_map_find(&found->told, error->instance) != NULL)
		return;
	error->next = NULL;
	*found->tail = error;
	found->tail = &error->next;
	found->room--;
}

/* Whether to go on: there is room, and it is wanted. */
static bool
is_wanted(struct wv_found *found, enum wv_certainty certainty)
{
	if (certainty == WV_FAULT || found->strict)
		found->invalid = true;
	return found->room > 0 && (certainty == WV_FAULT || found->doubts);
}

void
wv_found_begin(struct wv_found *found, struct wv_schema_error **errors)
{
	for (; *errors != NULL; errors = &(*errors)->next)
		wv_map_add(&found->told, (*errors)->instance, 0);
	found->tail = errors;
	found->room = found->max;
}

void
wv_found_end(struct wv_found *found)
{
	wv_map_free(&found->told);
}

void
wv_found_add(struct wv_found *found, enum wv_certainty certainty,
	const struct wv_place *place, const char *below, const char *rule,
	const char *fmt, ...)
{
	struct wv_schema_error *error;
	struct wv_str raw = { 0 }, clean = { 0 };
	va_list ap;

	if (!is_wanted(found, certainty))
		return;
	va_start(ap, fmt);
	wv_str_vfmt(&raw, fmt, ap);
	va_end(ap);
	wv_str_foreign(&clean, raw.s, raw.n, (size_t)4 * WV_SHOWN_NAME);
	error = wv_alloc_zero(found->arena, sizeof *error);
	error->instance = pointer_of(found->arena, place, below, "");
	error->keyword = rule;
	error->message = wv_dup(found->arena, clean.s);
	error->warning = certainty == WV_DOUBT && !found->strict;
	wv_str_free(&raw);
	wv_str_free(&clean);
	list(found, error);
}

void
wv_found_take(struct wv_found *found, enum wv_certainty certainty,
	const struct wv_place *place, const char *below,
	struct wv_schema_error *error)
{
	if (!is_wanted(found, certainty))
		return;
	error->instance =
		pointer_of(found->arena, place, below, error->instance);
	error->warning = certainty == WV_DOUBT && !found->strict;
	list(found, error);
}
