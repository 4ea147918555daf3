/* SPDX-License-Identifier: Apache-2.0 */
/* All that the firewall says of some output, with and without a glance. */
#ifndef WV_UNIT_GLANCE_H
#define WV_UNIT_GLANCE_H

#include "firewall/firewall.h"
#include "firewall/glance.h"

#include <string.h>

static struct wv_arena arena = WV_ARENA_INIT;

static void
say_spot(void *arg, const struct wv_spot *spot)
{
	wv_str_fmt(arg, "\n%s %s %zu+%zu%s", spot->kind,
		spot->pointer ? spot->pointer : "-", spot->offset, spot->length,
		spot->is_raw ? " raw" : "");
}

static void
say_findings(struct wv_str *out, const struct wv_findings *f)
{
	wv_str_fmt(out, "\n%zu %zu %zu %zu %zu %zu %zu", f->total, f->cleaned,
		f->invalid, f->forged, f->withheld, f->inert, f->left_out);
	for (size_t i = 0; i < f->kind_count; i++)
		wv_str_fmt(out, "\n%s %zu", f->kinds[i], f->counts[i]);
	for (size_t i = 0; i < f->injection_count; i++)
		wv_str_fmt(out, "\n%s %zu", f->injections[i],
			f->injection_counts[i]);
	for (size_t i = 0; i < f->path_count; i++)
		wv_str_fmt(out, "\n%s", f->paths[i]);
	wv_str_chr(out, '\n');
}

/* raw as for wv_firewall_frame(). */
static void
say_all(struct wv_str *out, const char *raw, size_t n,
	const struct wv_firewall_options *options)
{
	static const char *const shown[] = { "summary", "structured_data",
		"redaction_notes" };
	const struct wv_firewall_input input = { .raw = raw, .len = n };
	struct wv_findings text = { .spot = say_spot, .spot_arg = out };
	struct wv_findings judged = { .spot = say_spot, .spot_arg = out };
	struct wv_findings framed = { .spot = say_spot, .spot_arg = out };
	bool is_cleaned;

	wv_firewall_text(out, &arena, raw, n, options, &text);
	say_findings(out, &text);
	wv_str_fmt(out, "%d",
		(int)wv_firewall_judge(
			&arena, raw, n, false, options, &judged, &is_cleaned));
	say_findings(out, &judged);
	const cJSON *frame =
		wv_firewall_frame(&arena, &input, options, &framed);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (wv_get(frame, shown[i]) != NULL)
			wv_json_write(out, wv_get(frame, shown[i]));
	say_findings(out, &framed);
}

/* Whether both ways say the same; out is what the long way says. */
static bool
is_same(struct wv_str *out, const char *raw, size_t n,
	const struct wv_firewall_options *options)
{
	struct wv_str glance = { 0 };

	out->n = 0;
	wv_glance_never = true;
	say_all(out, raw, n, options);
	wv_glance_never = false;
	say_all(&glance, raw, n, options);
	bool same = glance.n == out->n && memcmp(glance.s, out->s, out->n) == 0;
	wv_str_free(&glance);
	return same;
}

#endif
