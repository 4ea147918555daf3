/* SPDX-License-Identifier: Apache-2.0 */
/* From content that was read to content that may be seen. */
#include "firewall/glance.h"
#include "firewall/internal.h"

#include <stdlib.h>
#include <string.h>

/* What was found in redacted text is told by where it stood in the clean one:
 * behind `from` bytes of the former it is `later` bytes further on. */
struct shift {
	struct wv_findings *findings;
	void (*spot)(void *arg, const struct wv_spot *spot); /* the caller's */
	void *spot_arg;
	struct moved {
		size_t from, at; /* in redacted, in clean text */
	} * moved;
	size_t count;
	/* Lines of the redacted text, for its pointers. */
	struct wv_arena *arena;
	const char *s; /* the clean text */
	size_t line;   /* where the last one stands */
};

/* Those of a key that went whole are no lines any more. */
static void
note_line(struct shift *shift, size_t from, size_t to)
{
	const char *s = shift->s + from, *end = shift->s + to;

	while (s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		shift->line++;
		s++;
	}
	if (!shift->findings->pathless &&
		shift->findings->path_count < WV_MAX_PATHS)
		wv_findings_path(shift->findings, shift->arena,
			wv_printf(shift->arena, "/lines/%zu", shift->line));
}

static void
tell_redacted(void *arg, const struct wv_spot *spot)
{
	struct shift *shift = arg;
	struct moved before = { 0, 0 };
	size_t mark = strlen("[REDACTED:]") + strlen(spot->kind);

	shift->moved =
		wv_list_room(shift->moved, shift->count, sizeof(*shift->moved));
	if (shift->count > 0)
		before = shift->moved[shift->count - 1];
	shift->moved[shift->count++] = (struct moved){
		.from = before.from + (spot->offset - before.at) + mark,
		.at = spot->offset + spot->length,
	};
	note_line(shift, before.at, spot->offset);
	if (shift->spot != NULL)
		shift->spot(shift->spot_arg, spot);
}

static void
tell_guarded(void *arg, const struct wv_spot *spot)
{
	const struct shift *shift = arg;
	struct wv_spot moved = *spot;
	size_t low = 0, high = shift->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (shift->moved[mid].from <= spot->offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low > 0)
		moved.offset = shift->moved[low - 1].at +
			(spot->offset - shift->moved[low - 1].from);
	if (shift->spot != NULL)
		shift->spot(shift->spot_arg, &moved);
}

static void
listen(struct shift *shift, void (*tell)(void *, const struct wv_spot *))
{
	shift->findings->spot = tell;
	shift->findings->spot_arg = shift;
}

static void
replace_text(struct wv_content *content, struct wv_str *text)
{
	memset(wv_str_room(text, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	wv_str_free(&content->text);
	content->text = *text;
	content->text_kind = NULL;
	*text = (struct wv_str){ 0 };
}

static void
purify_text(struct wv_content *content, struct wv_arena *arena,
	const struct wv_firewall_options *options, struct wv_findings *findings,
	bool is_disowned)
{
	struct shift shift = { .findings = findings,
		.spot = findings->spot,
		.spot_arg = findings->spot_arg,
		.arena = arena,
		.s = content->text.s };
	struct wv_str text = { 0 };
	size_t forged = 0;

	if (content->text.n == 0)
		return;
	/* The beginning of a text has been redacted as it was read. */
	if (!is_disowned && !options->is_marked && content->seen == 0)
		forged = wv_disown_marks(content->text.s, content->text.n);
	findings->forged += forged;
	if (forged > 0)
		content->text_kind = NULL;
	listen(&shift, tell_redacted);
	if (content->seen == 0 &&
		wv_redact_changes(&text, content->text.s, content->text.n,
			options->rules, arena, findings))
		replace_text(content, &text);
	listen(&shift, tell_guarded);
	text.n = 0;
	if (wv_guard_text(&text, arena, content->text.s, content->text.n,
		    options, findings))
		replace_text(content, &text);
	wv_str_free(&text);
	findings->spot = shift.spot;
	findings->spot_arg = shift.spot_arg;
	free(shift.moved);
}

/* Of text that was cleaned the raw is looked at: what hides there is gone.
 * Whether it is anew, cleaned and without marks that are not ours. */
static bool
guard_raw(struct wv_content *content, struct wv_arena *arena, const char *raw,
	size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	static const char withheld[] = "[WITHHELD:injection]";
	struct wv_str left = { 0 };
	bool changed = wv_guard_raw(&left, arena, raw, len, options, findings);

	if (changed && content->tree == NULL) {
		replace_text(content, &left);
	} else if (changed && content->kind == WV_CONTENT_JSON_LINES) {
		content->tree = wv_json_array(arena);
		wv_push(content->tree, wv_json_string(arena, withheld));
	} else if (changed) {
		content->tree = wv_json_string(arena, withheld);
	}
	wv_str_free(&left);
	return changed;
}

void
wv_content_purify(struct wv_content *content, struct wv_arena *arena,
	const char *raw, size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	bool as_read = content->text.n == len &&
		(len == 0 || memcmp(content->text.s, raw, len) == 0);
	struct wv_guarded guarded = { 0 };
	struct wv_glance *glance;
	bool is_guarded = false;

	if (content->kind == WV_CONTENT_EMPTY ||
		content->kind == WV_CONTENT_BINARY)
		return;
	if (content->seen == 0 && content->text.s != NULL && !as_read)
		is_guarded =
			guard_raw(content, arena, raw, len, options, findings);
	if (content->tree == NULL)
		purify_text(content, arena, options, findings, is_guarded);
	if (content->tree == NULL || is_guarded)
		return;
	glance = wv_glance(arena, content->tree, &content->strings, options,
		WV_SEEN_TREE |
			(options->injection != WV_INJECTION_WITHHOLD
					? WV_SEEN_ORDER
					: 0));
	if (as_read || content->text.s == NULL)
		wv_guard_raw_tree(&guarded, arena, content->tree, options,
			glance, findings);
	wv_clean_redact_tree(arena, content->tree, options, glance, findings);
	wv_guarded_withhold(&guarded, arena);
	wv_glance_changed(arena, glance);
	wv_guard_tree(arena, content->tree, options, glance, findings);
}

enum wv_form
wv_firewall_judge(struct wv_arena *arena, const char *raw, size_t len,
	bool as_text, const struct wv_firewall_options *options,
	struct wv_findings *findings, bool *is_cleaned)
{
	static const enum wv_form forms[] = {
		[WV_CONTENT_EMPTY] = WV_FORM_TEXT,
		[WV_CONTENT_BINARY] = WV_FORM_BINARY,
		[WV_CONTENT_JSON] = WV_FORM_JSON,
		[WV_CONTENT_JSON_LINES] = WV_FORM_JSON_LINES,
		[WV_CONTENT_TEXT] = WV_FORM_TEXT,
	};
	struct wv_content content = { .kind = WV_CONTENT_TEXT, .size = len };
	bool pathless = findings->pathless;

	findings->pathless = true;
	if (as_text)
		wv_clean(&content.text, raw, len, findings);
	else
		wv_content_parse(&content, arena, raw, len, findings);
	*is_cleaned = content.text.s != NULL;
	wv_content_purify(&content, arena, raw, len, options, findings);
	findings->pathless = pathless;
	wv_str_free(&content.text);
	return forms[content.kind];
}
