/* SPDX-License-Identifier: Apache-2.0 */
#include "scan.h"

#include "contract/contract.h"

#include <string.h>

void
scan_start(struct scan *scan)
{
	wv_chain_start(&scan->torn, NULL);
}

void
scan_free(struct scan *scan)
{
	wv_arena_free(&scan->arena);
}

static bool
is_blank(const struct span *text)
{
	size_t i = 0;

	while (i < text->n && strchr(" \t\r", text->s[i]) != NULL &&
		text->s[i] != '\0')
		i++;
	return i == text->n;
}

static void
tell(struct scan *scan, const struct source *source, struct wv_err *err)
{
	err->source = source->name;
	err->line = source->in.number;
	if (err->column == 0)
		err->column = 1;
	scan->tell(scan->arg, err);
}

void
scan_bad(struct scan *scan, const struct source *source, struct wv_err *err)
{
	tell(scan, source, err);
	++*scan->malformed;
}

void
scan_settle(struct scan *scan, const cJSON *tree)
{
	const char *sha256 = wv_get_string(scan_gap(tree), "sha256");
	char torn[WV_SHA256_HEX];

	if (scan->torn.torn_lines == 0)
		return;
	wv_chain_torn_hash(&scan->torn, torn);
	if (sha256 == NULL || strcmp(sha256, torn) != 0)
		*scan->malformed += scan->torn.torn_lines;
	wv_chain_start(&scan->torn, NULL);
}

/* Whether it was malformed is for the line after it to say. */
static void
take_torn(struct scan *scan, const struct source *source,
	const struct span *text, struct wv_err *err)
{
	bool is_cut = !source->in.ended && wv_json_incomplete(err);
	struct wv_err last = WV_ERR_INIT;

	if (is_cut)
		wv_err_set(&last, "incomplete last line");
	tell(scan, source, is_cut ? &last : err);
	/* A live log ends so when its writer died or is not done. */
	if (!is_cut || !source->is_own)
		wv_chain_skip(&scan->torn, text->s, text->n);
}

cJSON *
scan_read(struct scan *scan, const struct source *source, struct span *text)
{
	const struct wv_reader *in = &source->in;
	struct wv_err err = WV_ERR_INIT;
	size_t mark = 0;

	if (in->too_long) {
		wv_err_set(&err, "line longer than %zu bytes (--max-line)",
			scan->lines->max_line);
		scan_bad(scan, source, &err);
		return NULL;
	}
	if (in->offset == 0 && in->len >= 3 &&
		memcmp(in->line, "\xef\xbb\xbf", 3) == 0)
		mark = 3;
	*text = (struct span){ in->line + mark, in->len - mark };
	if (is_blank(text))
		return NULL;
	wv_arena_reset(&scan->arena);
	cJSON *tree = wv_json_read(
		&scan->arena, text->s, text->n, &scan->lines->json, &err);
	if (tree == NULL)
		take_torn(scan, source, text, &err);
	return tree;
}

bool
scan_event(struct scan *scan, const struct source *source, const cJSON *tree)
{
	struct wv_err err = WV_ERR_INIT;

	scan_settle(scan, tree);
	if (scan_is_over(scan))
		return false;
	if (wv_contract_require(WV_TRACE_EVENT, tree, &err) == 0)
		return true;
	scan_bad(scan, source, &err);
	return false;
}
