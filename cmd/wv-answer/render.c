/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 8: blocks in the order of time.  A block is a line in brackets, then
 * content; every line of content has a prefix, so no content can be taken
 * for the beginning of a block.
 */
#include "build.h"

#include "contract/record.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SUMMARY = 2000, MAX_HANDLES = 20, MAX_ID = 256 };

/* Content, of which at most `most` bytes are shown. */
static void
add_content(struct wv_str *out, const char *s, size_t n, size_t most)
{
	size_t shown = wv_text_cut(s, n, most);

	for (size_t i = 0; i < shown;) {
		const char *lf = memchr(s + i, '\n', shown - i);
		size_t end = lf ? (size_t)(lf - s) : shown;
		wv_str_cat(out, end > i ? "| " : "|");
		wv_str_add(out, s + i, end - i);
		wv_str_chr(out, '\n');
		i = end + 1;
	}
	if (shown < n)
		wv_str_cat(out, "| …\n");
}

/* An id that is not one of the kernel's may hold anything: it is quoted. */
static void
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

static void
add_handles(struct wv_str *out, const cJSON *handles)
{
	size_t told = 0;

	wv_json_each(handle, handles) {
		if (told++ == MAX_HANDLES)
			break;
		wv_str_cat(out, "| the whole is kept as ");
		add_id(out, handle->valuestring);
		wv_str_chr(out, '\n');
	}
}

void
render_block(struct wv_str *out, const struct item *item, enum form form,
	size_t shown)
{
	static const char *const labels[] = {
		[ITEM_RESULT] = "RESULT",
		[ITEM_ERROR] = "ERROR",
		[ITEM_DENIED] = "DENIED",
	};

	wv_str_fmt(out, "\n[%s ", labels[item->kind]);
	add_id(out, item->capability_id);
	wv_str_cat(out, "]\n");
	add_content(out, item->summary.s, item->summary.n, MAX_SUMMARY);
	if (form == FORM_BRIEF && item->data.n > 0)
		wv_str_cat(out, "| (data left out)\n");
	if (form != FORM_BRIEF) {
		add_content(out, item->data.s, item->data.n, shown);
		add_content(out, item->note.s, item->note.n, MAX_SUMMARY);
	}
	add_handles(out, item->handles);
}

void
render_left_out(struct wv_str *out, size_t count)
{
	wv_str_fmt(out, "\n[LEFT OUT: %zu]\n", count);
}

static int
by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int time = wv_time_cmp(x->time, y->time);

	return time != 0 ? time : (x->order > y->order) - (x->order < y->order);
}

void
render(struct build *b)
{
	if (b->says_left_out)
		render_left_out(&b->text, b->left_out);
	if (b->item_count > 0)
		qsort(b->items, b->item_count, sizeof(*b->items), by_time);
	for (size_t i = 0; i < b->item_count; i++)
		if (b->items[i].form != FORM_LEFT_OUT)
			render_block(&b->text, &b->items[i], b->items[i].form,
				b->items[i].shown);
	/* The blank line stands between blocks, not before the first. */
	if (b->text.n > 0)
		memmove(b->text.s, b->text.s + 1, b->text.n--);
}
