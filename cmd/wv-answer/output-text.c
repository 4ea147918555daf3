/* SPDX-License-Identifier: Apache-2.0 */
/* Text for a prompt: blocks. */
#include "output.h"

static bool
write_text(struct wv_str *out, const struct build *b)
{
	blocks_front(out, b);
	for (size_t i = 0; i < b->item_count; i++)
		if (is_shown(&b->items[i]) &&
			b->items[i].label.section == SECTION_TURNS)
			block_item(out, b, &b->items[i]);
	blocks_back(out, b);
	blocks_begin(out);
	return true;
}

const struct output output_text = {
	.name = "text",
	.item = block_item,
	.whole = write_text,
};
