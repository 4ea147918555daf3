/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 8: what stage 7 has chosen, in the order of time. */
#include "output.h"
#include "stages.h"

#include "base/msg.h"

static bool
says_anything(const struct build *b)
{
	for (size_t i = 0; i < b->item_count; i++)
		if (is_shown(&b->items[i]))
			return true;
	return b->item_count == 0 || b->header.n > 0 || b->tool != NULL;
}

void
stage_render(struct build *b)
{
	const struct settings *settings = b->settings;

	if (b->base > settings->budget || !says_anything(b)) {
		struct wv_str alone = { 0 };
		if (b->base > settings->budget)
			wv_str_fmt(&alone, ": what is always said costs %zu",
				b->base);
		wv_warn("nothing of %zu items can be said in %zu by %s%s",
			b->item_count, settings->budget, settings->counter,
			alone.n > 0 ? alone.s : "");
		wv_str_free(&alone);
		b->status = WV_NO;
		return;
	}
	if (!settings->output->whole(&b->text, b)) {
		wv_warn("no query: nothing that the user said can be shown");
		b->status = WV_NO;
		b->text.n = 0;
		return;
	}
	b->used = settings->count(b->text.s ? b->text.s : "", b->text.n);
	/* Stage 7 has counted; if it was wrong nothing is said. */
	if (b->used > settings->budget)
		wv_die("the context costs %zu, more than the budget of %zu",
			b->used, settings->budget);
}
