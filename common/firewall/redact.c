/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/find.h"
#include "firewall/internal.h"

#include <string.h>

enum {
	FIRST_KINDS = 8, /* room; then doubled */
};

void
wv_findings_kind(
	struct wv_findings *f, struct wv_arena *arena, const char *kind)
{
	size_t i = 0, n;

	if (f == NULL)
		return;
	n = f->kind_count;
	f->total++;
	while (i < n && strcmp(f->kinds[i], kind) != 0)
		i++;
	if (i < n) {
		f->counts[i]++;
		return;
	}
	/* Full when empty or a power of two of FIRST_KINDS or more. */
	if (n == 0 || (n >= FIRST_KINDS && (n & (n - 1)) == 0)) {
		size_t cap = n == 0 ? FIRST_KINDS : 2 * n;
		const char **kinds = wv_alloc(arena, cap * sizeof(*kinds));
		size_t *counts = wv_alloc(arena, cap * sizeof(*counts));
		if (n > 0) {
			memcpy(kinds, f->kinds, n * sizeof(*kinds));
			memcpy(counts, f->counts, n * sizeof(*counts));
		}
		f->kinds = kinds;
		f->counts = counts;
	}
	f->kinds[n] = kind;
	f->counts[n] = 1;
	f->kind_count++;
}

size_t
wv_findings_changes(const struct wv_findings *f)
{
	return f->total + f->cleaned + f->invalid + f->forged + f->withheld +
		f->inert;
}

void
wv_findings_spot(struct wv_findings *f, const struct wv_spot *spot)
{
	if (f != NULL && f->spot != NULL)
		f->spot(f->spot_arg, spot);
}

void
wv_findings_path(
	struct wv_findings *f, struct wv_arena *arena, const char *pointer)
{
	if (f->path_count == WV_MAX_PATHS)
		return;
	if (f->paths == NULL)
		f->paths = wv_alloc(arena, WV_MAX_PATHS * sizeof(*f->paths));
	/* A string with a tree of secrets is one path. */
	if (f->path_count == 0 ||
		strcmp(f->paths[f->path_count - 1], pointer) != 0)
		f->paths[f->path_count++] = pointer;
}

void
wv_add_mark(struct wv_str *out, const char *kind)
{
	wv_str_cat(out, "[REDACTED:");
	wv_str_cat(out, kind);
	wv_str_chr(out, ']');
}

bool
wv_redact_from(struct wv_str *out, const char *s, size_t n,
	const struct wv_hit *first, const struct wv_rules *rules,
	struct wv_arena *arena, struct wv_findings *findings)
{
	struct wv_hits hits = { 0 };
	size_t from = 0;

	wv_find_from(rules, s, n, first, &hits);
	if (hits.count == 0)
		return false;
	for (size_t i = 0; i < hits.count; i++) {
		const struct wv_hit *hit = &hits.at[i];
		wv_str_add(out, s + from, hit->start - from);
		wv_add_mark(out, hit->kind);
		wv_findings_kind(findings, arena, hit->kind);
		wv_findings_spot(findings,
			&(struct wv_spot){ .kind = hit->kind,
				.offset = hit->start,
				.length = hit->end - hit->start });
		from = hit->end;
	}
	wv_str_add(out, s + from, n - from);
	wv_hits_free(&hits);
	return true;
}

bool
wv_redact_changes(struct wv_str *out, const char *s, size_t n,
	const struct wv_rules *rules, struct wv_arena *arena,
	struct wv_findings *findings)
{
	return wv_redact_from(out, s, n, NULL, rules, arena, findings);
}

void
wv_redact(struct wv_str *out, const char *s, size_t n, struct wv_arena *arena,
	struct wv_findings *findings)
{
	if (!wv_redact_changes(out, s, n, NULL, arena, findings))
		wv_str_add(out, s, n);
}
