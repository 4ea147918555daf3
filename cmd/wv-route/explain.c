/* SPDX-License-Identifier: Apache-2.0 */
#include "explain.h"

#include "base/msg.h"

#include <string.h>

static void
add_part(struct wv_str *text, const struct rank_part *part)
{
	wv_str_fmt(
		text, "%+.4f %s \"%s\"", part->points, part->kind, part->what);
	if (part->field != NULL)
		wv_str_fmt(text, " in %s", part->field);
}

static void
add_hit(struct wv_str *text, size_t place, const struct rank_hit *hit)
{
	wv_str_fmt(text, "%zu. %s: %.4f%s", place, hit->tool->id, hit->score,
		hit->exact ? ", its name or id" : "");
	for (size_t i = 0; i < hit->part_count; i++) {
		wv_str_cat(text, i == 0 ? ": " : ", ");
		add_part(text, &hit->parts[i]);
	}
	if (hit->similar_count > 0)
		wv_str_fmt(text, "; stands for %zu more", hit->similar_count);
}

static void
say(const struct wv_record *rec, const char *text)
{
	if (rec != NULL)
		wv_warn("%s:%zu: %s", rec->source, rec->line, text);
	else
		wv_warn("%s", text);
}

void
explain(const struct wv_record *rec, const struct rank_result *result)
{
	struct wv_str text = { 0 };

	if (result->count == 0)
		say(rec, "nothing matches");
	for (size_t i = 0; i < result->count; i++) {
		text.n = 0;
		add_hit(&text, i + 1, &result->hits[i]);
		say(rec, text.s);
	}
	text.n = 0;
	for (size_t i = 0; i < result->unmatched_count; i++)
		wv_str_fmt(&text, "%s\"%s\"",
			i > 0 ? ", " : "nothing has: ", result->unmatched[i]);
	if (text.n > 0)
		say(rec, text.s);
	wv_str_free(&text);
}
