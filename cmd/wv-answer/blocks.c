/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "contract/record.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SUMMARY = 2000, MAX_MEMORY = 400, MAX_HANDLES = 20, MAX_ID = 256 };

const char *const output_names[] = { "text", "messages", "openai", "anthropic",
	"json", "request", NULL };

const struct output *
output_of(size_t index)
{
	static const struct output *const outputs[] = { &output_text,
		&output_messages, &output_openai, &output_anthropic,
		&output_json, &output_request };

	return outputs[index];
}

/* Content, of which at most `most` bytes are shown. */
static void
add_content(struct wv_str *out, const char *s, size_t n, size_t most,
	const char *prefix)
{
	size_t shown = wv_text_cut(s, n, most);

	for (size_t i = 0; i < shown;) {
		const char *lf = memchr(s + i, '\n', shown - i);
		size_t end = lf ? (size_t)(lf - s) : shown;
		wv_str_add(out, prefix, strlen(prefix) - (*prefix && end == i));
		wv_str_add(out, s + i, end - i);
		wv_str_chr(out, '\n');
		i = end + 1;
	}
	if (shown < n)
		wv_str_fmt(out, "%s…\n", prefix);
}

void
add_id(struct wv_str *out, const char *id)
{
	struct wv_str shown = { 0 };

	if (wv_id_is_kernel(id)) {
		wv_str_cat(out, id);
		return;
	}
	wv_str_foreign(&shown, id, strlen(id), MAX_ID);
	wv_json_write_string(out, shown.s, shown.n);
	wv_str_free(&shown);
}

bool
is_shown(const struct item *item)
{
	return item->form != FORM_LEFT_OUT;
}

bool
has_artifact(const struct build *b, const struct item *item)
{
	return b->settings->artifacts != NULL && item->handles == NULL &&
		item->artifact_ref != NULL;
}

static void
add_reference(struct wv_str *out, const char *before, const char *id)
{
	wv_str_cat(out, before);
	add_id(out, id);
	wv_str_chr(out, '\n');
}

static void
add_references(struct wv_str *out, const struct build *b,
	const struct item *item, const char *before)
{
	size_t told = 0;

	wv_json_each(handle, item->handles)
		if (told++ < MAX_HANDLES)
			add_reference(out, before, handle->valuestring);
	if (has_artifact(b, item))
		add_reference(out, before, item->artifact_ref);
}

void
block_references(
	struct wv_str *out, const struct build *b, const struct item *item)
{
	add_references(out, b, item, "| ");
}

void
content_of(struct wv_str *out, const struct build *b, const struct item *item,
	const char *prefix)
{
	char kept[64];
	size_t most =
		item->label.kind == KIND_TOOL_RESULT ? MAX_SUMMARY : SIZE_MAX;

	if (item->label.section != SECTION_TURNS)
		most = MAX_MEMORY;
	add_content(out, item->summary.s, item->summary.n, most, prefix);
	if (item->form == FORM_FOCUS)
		add_content(
			out, item->focus.s, item->focus.n, SIZE_MAX, prefix);
	if (item->form == FORM_FOCUS ||
		(item->form == FORM_BRIEF && item->data.n > 0))
		wv_str_fmt(out, "%s(%sdata left out)\n", prefix,
			item->form == FORM_FOCUS ? "other " : "");
	if (item->form == FORM_CUT || item->form == FORM_FULL) {
		add_content(out, item->data.s, item->data.n,
			item->form == FORM_CUT ? item->shown : item->data.n,
			prefix);
		add_content(
			out, item->note.s, item->note.n, MAX_SUMMARY, prefix);
	}
	if (item->handles == NULL && !has_artifact(b, item))
		return;
	snprintf(kept, sizeof(kept), "%sthe whole is kept as ", prefix);
	add_references(out, b, item, kept);
}

static const char *
label_of(const struct item *item)
{
	static const char *const labels[] = {
		[KIND_USER_TURN] = "USER",
		[KIND_AGENT_MSG] = "ASSISTANT",
		[KIND_TOOL_CALL] = "CALL",
		[KIND_DOC_SNIPPET] = "DOCUMENT",
		[KIND_RETRIEVED_DOC] = "RETRIEVED",
		[KIND_MEMORY_FACT] = "FACT",
		[KIND_PLAN_STATE] = "PLAN",
		[KIND_POLICY] = "POLICY",
	};
	static const char *const results[] = {
		[OUTCOME_FINE] = "RESULT",
		[OUTCOME_ERROR] = "ERROR",
		[OUTCOME_DENIED] = "DENIED",
	};

	return item->label.kind == KIND_TOOL_RESULT
		? results[item->label.outcome]
		: labels[item->label.kind];
}

void
block_item(struct wv_str *out, const struct build *b, const struct item *item)
{
	if (item->label.section == SECTION_TURNS) {
		wv_str_cat(out, "\n[");
		wv_str_cat(out, label_of(item));
		if (item->label.capability_id != NULL) {
			wv_str_chr(out, ' ');
			add_id(out, item->label.capability_id);
		}
		wv_str_cat(out, "]\n");
	}
	content_of(out, b, item, "| ");
}

void
block_left_out(struct wv_str *out, size_t count)
{
	wv_str_fmt(out, "\n[LEFT OUT: %zu]\n", count);
}

void
block_section(struct wv_str *out, enum section section)
{
	wv_str_cat(out,
		section == SECTION_FACTS ? "\n[FACTS]\n" : "\n[EPISODES]\n");
}

void
block_handles(struct wv_str *out)
{
	wv_str_cat(out,
		"\n[HANDLES]\n"
		"| to read one, call wv.handle.resolve with {\"handle_id\": ID}"
		" and head, lines, pointer, rows or grep\n");
}

void
block_artifacts(struct wv_str *out)
{
	wv_str_cat(out,
		"\n[ARTIFACTS]\n"
		"| artifact:ID is the file named by the SHA-256 of ID in the "
		"artifacts folder; wv-firewall -f text shows it\n");
}

static void
add_section(struct wv_str *out, const struct build *b, enum section section)
{
	if (!b->has[section])
		return;
	block_section(out, section);
	for (size_t i = 0; i < b->item_count; i++)
		if (is_shown(&b->items[i]) &&
			b->items[i].label.section == section)
			block_item(out, b, &b->items[i]);
}

void
blocks_front(struct wv_str *out, const struct build *b)
{
	wv_str_add(out, b->header.s ? b->header.s : "", b->header.n);
	add_section(out, b, SECTION_FACTS);
	add_section(out, b, SECTION_EPISODES);
	if (b->says_left_out)
		block_left_out(out, b->left_out);
}

void
blocks_back(struct wv_str *out, const struct build *b)
{
	if (b->has_handles)
		block_handles(out);
	for (size_t i = 0; b->has_handles && i < b->item_count; i++)
		if (is_shown(&b->items[i]) && b->items[i].handles != NULL)
			block_references(out, b, &b->items[i]);
	if (b->has_artifacts)
		block_artifacts(out);
	for (size_t i = 0; b->has_artifacts && i < b->item_count; i++)
		if (is_shown(&b->items[i]) && has_artifact(b, &b->items[i]))
			block_references(out, b, &b->items[i]);
}

void
blocks_begin(struct wv_str *out)
{
	if (out->n > 0 && out->s[0] == '\n')
		memmove(out->s, out->s + 1, out->n--);
}

/* Whether it stands behind its call, not at its own time. */
static bool
has_call(const struct build *b, const struct item *item)
{
	return item->label.kind == KIND_TOOL_RESULT &&
		item->label.up != NOWHERE &&
		b->items[item->label.up].label.kind == KIND_TOOL_CALL &&
		is_shown(&b->items[item->label.up]);
}

ptrdiff_t
next_shown(const struct build *b, ptrdiff_t at)
{
	const struct item *item = at == NOWHERE ? NULL : &b->items[at];

	if (item != NULL &&
		(item->label.kind == KIND_TOOL_CALL || has_call(b, item))) {
		for (ptrdiff_t i = item->label.result; i != NOWHERE;
			i = b->items[i].label.result)
			if (is_shown(&b->items[i]))
				return i;
		if (item->label.kind == KIND_TOOL_RESULT)
			at = item->label.up;
	}
	while (++at < (ptrdiff_t)b->item_count)
		if (is_shown(&b->items[at]) && !has_call(b, &b->items[at]) &&
			b->items[at].label.section == SECTION_TURNS)
			return at;
	return NOWHERE;
}
