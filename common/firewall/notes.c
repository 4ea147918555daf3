/* SPDX-License-Identifier: Apache-2.0 */
/* What a Frame and the log say of what was found. */
#include "firewall/internal.h"
#include "firewall/scan.h"

#include <string.h>

/* Of the built-in rules, and of those of a file. */
#define POLICY_ID "wv-default"
#define FILE_POLICY_ID "wv-rules"

enum {
	NOTED = 5,           /* pointers in a note */
	MAX_POINTERS = 2048, /* bytes of all that are told of a kind */
};

static void
add_part(struct wv_str *out, const char *part)
{
	if (out->n > 0)
		wv_str_cat(out, "; ");
	wv_str_cat(out, part);
}

/* "email 2, jwt 1" */
static void
add_kinds(struct wv_str *out, const char *what, const char *const *kinds,
	const size_t *counts, size_t count)
{
	if (count > 0)
		add_part(out, what);
	for (size_t i = 0; i < count; i++)
		wv_str_fmt(out, "%s%s %zu", i == 0 ? "" : ", ", kinds[i],
			counts[i]);
}

static void
add_places(struct wv_str *out, const struct wv_findings *f)
{
	for (size_t i = 0; i < f->path_count && i < NOTED; i++)
		wv_str_fmt(out, "%s%s", i == 0 ? " at " : ", ",
			*f->paths[i] ? f->paths[i] : "(top)");
	if (f->path_count > NOTED)
		wv_str_cat(out, ", …");
}

static void
add_number(struct wv_str *out, const char *what, size_t n, const char *one)
{
	if (n == 0)
		return;
	add_part(out, what);
	wv_str_fmt(out, "%zu %s%s", n, one, n == 1 ? "" : "s");
}

/* Kinds, counts and places, never values. */
void
wv_add_notes(struct wv_arena *arena, cJSON *frame, const struct wv_findings *f)
{
	struct wv_str notes = { 0 };

	add_kinds(&notes, "redacted: ", f->kinds, f->counts, f->kind_count);
	add_places(&notes, f);
	add_kinds(&notes, "injections: ", f->injections, f->injection_counts,
		f->injection_count);
	add_number(&notes, "withheld: ", f->withheld, "passage");
	add_number(&notes, "made inert: the links of ", f->inert, "text");
	add_number(&notes, "removed: ", f->cleaned,
		"control or invisible character");
	add_number(&notes, "replaced: ", f->invalid, "invalid UTF-8 sequence");
	add_number(&notes, "not of the firewall: ", f->forged, "mark");
	add_number(&notes, "left out: ", f->left_out, "value");
	for (size_t i = 0; i < f->cut_count; i++) {
		add_part(&notes, i == 0 ? "cut: " : "");
		wv_str_cat(&notes, f->cut[i]);
	}
	if (notes.n > 0)
		wv_put_string(arena, frame, "redaction_notes", notes.s);
	wv_str_free(&notes);
}

static void
put_list(struct wv_arena *arena, cJSON *object, const char *name, cJSON *list)
{
	if (list->child != NULL)
		wv_put(arena, object, name, list);
}

static cJSON *
redacted_fields(struct wv_arena *arena, const struct wv_findings *f)
{
	cJSON *fields = wv_json_array(arena);
	size_t bytes = 0;

	for (size_t i = 0; i < f->path_count; i++) {
		bytes += strlen(f->paths[i]);
		if (bytes > MAX_POINTERS)
			break;
		wv_push(fields, wv_json_string(arena, f->paths[i]));
	}
	return fields;
}

cJSON *
wv_redaction_policy(struct wv_arena *arena, const struct wv_findings *f,
	const struct wv_rules *rules, cJSON *cut)
{
	cJSON *policy = wv_json_object(arena), *pii = wv_json_array(arena);
	bool secrets = false;

	for (size_t i = 0; i < f->kind_count; i++) {
		if (wv_kind_is_pii(f->kinds[i]))
			wv_push(pii, wv_json_string(arena, f->kinds[i]));
		else
			secrets = true;
	}
	wv_put_string(arena, policy, "policy_id",
		rules != NULL ? FILE_POLICY_ID : POLICY_ID);
	put_list(arena, policy, "redacted_fields", redacted_fields(arena, f));
	put_list(arena, policy, "truncated_fields", cut);
	if (f->total > 0)
		wv_put_string(arena, policy, "redaction_reason",
			!pii->child       ? "secrets"
				: secrets ? "secrets and personal data"
					  : "personal data");
	wv_put(arena, policy, "pii_detected",
		wv_json_bool(arena, pii->child != NULL));
	put_list(arena, policy, "pii_types", pii);
	return policy;
}

static void
push_kinds(struct wv_arena *arena, cJSON *list, const char *const *kinds,
	const size_t *counts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cJSON *one = wv_json_object(arena);
		wv_put_string(arena, one, "kind", kinds[i]);
		wv_put(arena, one, "count",
			wv_json_int(arena, (int64_t)counts[i]));
		wv_push(list, one);
	}
}

/* Kinds as names would be names of secrets. */
cJSON *
wv_firewall_found(struct wv_arena *arena, const struct wv_findings *f)
{
	cJSON *found = wv_json_array(arena);

	push_kinds(arena, found, f->kinds, f->counts, f->kind_count);
	push_kinds(arena, found, f->injections, f->injection_counts,
		f->injection_count);
	return found->child != NULL ? found : NULL;
}
