/* SPDX-License-Identifier: Apache-2.0 */
/* Output that may be seen whole. */
#include "firewall/internal.h"

static const struct wv_firewall_options standard = WV_FIREWALL_OPTIONS_INIT;

static void
write_json(struct wv_str *out, const struct wv_content *content,
	bool ends_in_newline)
{
	if (content->kind == WV_CONTENT_JSON) {
		wv_json_write(out, content->tree);
		if (ends_in_newline)
			wv_str_chr(out, '\n');
		return;
	}
	wv_json_each(line, content->tree) {
		wv_json_write(out, line);
		wv_str_chr(out, '\n');
	}
}

cJSON *
wv_firewall_tree(struct wv_arena *arena, const char *raw, size_t len)
{
	struct wv_findings findings = { .pathless = true };
	struct wv_content content;

	wv_content_parse(&content, arena, raw, len, &findings);
	if (content.tree != NULL)
		wv_content_purify(
			&content, arena, raw, len, &standard, &findings);
	wv_str_free(&content.text);
	return content.tree;
}

void
wv_firewall_text(struct wv_str *out, struct wv_arena *arena, const char *raw,
	size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings)
{
	size_t before = wv_findings_changes(findings);
	bool pathless = findings->pathless;
	struct wv_content content;

	if (options == NULL)
		options = &standard;
	findings->pathless = true;
	wv_content_parse(&content, arena, raw, len, findings);
	wv_content_purify(&content, arena, raw, len, options, findings);
	findings->pathless = pathless;
	if (content.kind == WV_CONTENT_BINARY) {
		wv_str_cat(out, "[WITHHELD:binary]\n");
	} else if (content.tree != NULL) {
		if (wv_findings_changes(findings) == before)
			wv_str_add(out, raw, len);
		else
			write_json(out, &content, raw[len - 1] == '\n');
	} else if (content.kind == WV_CONTENT_TEXT) {
		wv_str_add(out, content.text.s, content.text.n);
	}
	wv_str_free(&content.text);
}
