/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/ecma-internal.h"

#include "json/utf8.h"

#define ANYTHING "[\\x{0}-\\x{10ffff}]"

/* As wv_ecma_character(), for all that can stand in a class. */
static int
class_atom(struct ecma *r, uint32_t *cp)
{
	if (*r->s == '\\') {
		r->s++;
		if (wv_ecma_peek(r, 0) == 'b') {
			r->s++;
			*cp = '\b';
			return 0;
		}
		return wv_ecma_character(r, true, cp);
	}
	int n = wv_utf8_get(
		(const unsigned char *)r->s, (size_t)(r->end - r->s), cp);
	if (n == 0)
		return wv_ecma_bad(r, "bad UTF-8");
	r->s += n;
	return 0;
}

/* One atom, or two and the hyphen between them; -1, or if it holds any. */
static int
class_item(struct ecma *r)
{
	uint32_t first, last;
	int is_set = class_atom(r, &first), is_set_too;

	if (is_set < 0)
		return -1;
	if (wv_ecma_peek(r, 0) != '-' || wv_ecma_peek(r, 1) == ']' ||
		wv_ecma_peek(r, 1) < 0)
		return is_set || wv_ecma_emit_range(r, first, first);
	r->s++;
	is_set_too = class_atom(r, &last);
	if (is_set_too < 0)
		return -1;
	if (!is_set && !is_set_too) {
		if (first > last)
			return wv_ecma_bad(r, "range out of order");
		return wv_ecma_emit_range(r, first, last);
	}
	wv_ecma_emit_range(r, '-', '-');
	if (!is_set)
		wv_ecma_emit_range(r, first, first);
	if (!is_set_too)
		wv_ecma_emit_range(r, last, last);
	return 1;
}

int
wv_ecma_class(struct ecma *r)
{
	bool negated = wv_ecma_peek(r, 0) == '^', holds_any = false;
	size_t start = r->out ? r->out->n : 0;

	r->s += negated;
	r->quantifiable = r->consumes = true;
	wv_ecma_emit_text(r, negated ? "[^" : "[");
	while (wv_ecma_peek(r, 0) >= 0) {
		if (*r->s == ']') {
			r->s++;
			wv_ecma_emit_text(r, "]");
			if (!holds_any && r->out != NULL) {
				r->out->n = start;
				wv_ecma_emit_text(r,
					negated ? ANYTHING : WV_ECMA_NOTHING);
			}
			return 0;
		}
		int any = class_item(r);
		if (any < 0)
			return -1;
		holds_any = holds_any || any;
	}
	return wv_ecma_bad(r, "no ] for a [");
}
