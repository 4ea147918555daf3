/* SPDX-License-Identifier: Apache-2.0 */
#include "json/doc.h"

#include "base/file.h"
#include "base/opt.h"
#include "json/form.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* As much as a record may have; YAML has its own, smaller limit. */
enum { MAX_BYTES = 64 << 20 };

static struct wv_yaml_limits yaml_limits; /* of the process; 0: not set */

const struct wv_yaml_limits *
wv_doc_yaml_limits(void)
{
	return yaml_limits.max_bytes ? &yaml_limits : &wv_yaml_defaults;
}

/* text is the arena's, with its slack. */
static int
parse(struct wv_doc *doc, struct wv_arena *arena, const char *source,
	const char *text, size_t len, struct wv_err *err)
{
	size_t bom = wv_bom_len(text, len);

	text += bom;
	len -= bom;
	*doc = (struct wv_doc){
		.source = wv_dup(arena, source),
		.text = text,
		.len = len,
		.yaml = wv_form_is_yaml(source, text, len),
	};
	if (doc->yaml)
		doc->root = wv_yaml_read(
			arena, text, len, wv_doc_yaml_limits(), err);
	else
		doc->root =
			wv_json_read(arena, text, len, &wv_json_defaults, err);
	if (doc->root != NULL)
		return 0;
	if (err != NULL && err->source == NULL)
		err->source = source;
	return -1;
}

int
wv_doc_load(struct wv_doc *doc, struct wv_arena *arena, const char *path,
	struct wv_err *err)
{
	size_t len;
	char *text = wv_file_read(arena, path, MAX_BYTES, &len, err);

	return text != NULL ? parse(doc, arena, path, text, len, err) : -1;
}

int
wv_doc_parse(struct wv_doc *doc, struct wv_arena *arena, const char *source,
	const char *text, size_t len, struct wv_err *err)
{
	return parse(doc, arena, source, wv_dupn(arena, text, len), len, err);
}

void
wv_doc_position(const struct wv_doc *doc, const char *pointer, size_t *line,
	size_t *column)
{
	struct wv_str found = { 0 };
	const cJSON *node;
	char *slash;

	wv_str_cat(&found, pointer);
	while ((node = wv_pointer(doc->root, found.s)) == NULL) {
		slash = strrchr(found.s, '/');
		*(slash != NULL ? slash : found.s) = '\0';
	}
	if (doc->yaml)
		wv_yaml_position(node, line, column);
	else
		wv_json_position(doc->text,
			wv_json_locate(doc->text, doc->len, found.s), line,
			column);
	wv_str_free(&found);
}

int
wv_doc_err(const struct wv_doc *doc, struct wv_err *err, const char *pointer,
	const char *fmt, ...)
{
	/* Longer than an error, which then cuts it at a character. */
	char text[WV_ERR_TEXT + 8];
	size_t line, column;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	wv_doc_position(doc, pointer, &line, &column);
	return wv_err_at(err, doc->source, line, column, "%s", text);
}

bool
wv_doc_option(int id, const struct wv_opts *opts)
{
	if (id != WV_OPT_MAX_YAML)
		return false;
	yaml_limits = wv_yaml_defaults;
	yaml_limits.max_bytes =
		(size_t)wv_opt_size(opts, "--max-yaml", opts->value);
	return true;
}
