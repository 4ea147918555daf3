/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-idna.h"

#include <string.h>

enum { ZWNJ = 0x200c, ZWJ = 0x200d, VIRAMA = 9 };
/* No canonical decomposition has more than four code points. */
enum { DECOMPOSED_MAX = 4 * WV_LABEL_MAX };

static bool
is_valid(uint32_t cp)
{
	size_t low = 0, high = wv_idna_valid_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct wv_idna_valid *row = &wv_idna_valid[middle];
		if (cp < row->first)
			high = middle;
		else if (cp > row->last)
			low = middle + 1;
		else
			return (cp - row->first) % row->step == 0;
	}
	return false;
}

static struct wv_idna_facts
facts(uint32_t cp)
{
	size_t low = 0, high = wv_idna_facts_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct wv_idna_facts *row = &wv_idna_facts[middle];
		if (cp < row->first)
			high = middle;
		else if (cp > row->last)
			low = middle + 1;
		else
			return *row;
	}
	return (struct wv_idna_facts){ cp, cp, WV_BIDI_L, 0 };
}

static enum wv_script
script(uint32_t cp)
{
	for (size_t i = 0; i < wv_idna_scripts_count; i++) {
		if (cp >= wv_idna_scripts[i].first &&
			cp <= wv_idna_scripts[i].last)
			return wv_idna_scripts[i].script;
	}
	return WV_SCRIPT_OTHER;
}

/* The joining type from i on in one direction, past what is transparent. */
static int
joining(const uint32_t *cp, size_t n, size_t i, int step)
{
	int join = WV_JOIN_T;

	for (i += (size_t)step; join == WV_JOIN_T && i < n; i += (size_t)step)
		join = facts(cp[i]).what & WV_JOIN;
	return join;
}

/* RFC 5892 appendix A.1 and A.2. */
static bool
may_join(const uint32_t *cp, size_t n, size_t i)
{
	int before, after;

	if (i > 0 && facts(cp[i - 1]).ccc == VIRAMA)
		return true;
	if (cp[i] == ZWJ)
		return false;
	before = joining(cp, n, i, -1);
	after = joining(cp, n, i, 1);
	return (before == WV_JOIN_L || before == WV_JOIN_D) &&
		(after == WV_JOIN_R || after == WV_JOIN_D);
}

static bool
holds(const uint32_t *cp, size_t n, uint32_t first, uint32_t last)
{
	for (size_t i = 0; i < n; i++) {
		if (cp[i] >= first && cp[i] <= last)
			return true;
	}
	return false;
}

static bool
holds_japanese(const uint32_t *cp, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (script(cp[i]) == WV_SCRIPT_JAPANESE)
			return true;
	}
	return false;
}

/* The rules of RFC 5892 appendix A; false for all else. */
static bool
is_in_context(const uint32_t *cp, size_t n, size_t i)
{
	switch (cp[i]) {
	case ZWNJ:
	case ZWJ:
		return may_join(cp, n, i);
	case 0xb7: /* middle dot */
		return i > 0 && cp[i - 1] == 'l' && i + 1 < n &&
			cp[i + 1] == 'l';
	case 0x375: /* Greek keraia */
		return i + 1 < n && script(cp[i + 1]) == WV_SCRIPT_GREEK;
	case 0x5f3: /* geresh, gershayim */
	case 0x5f4:
		return i > 0 && script(cp[i - 1]) == WV_SCRIPT_HEBREW;
	case 0x30fb: /* Katakana middle dot */
		return holds_japanese(cp, n);
	default:
		if (cp[i] >= 0x660 && cp[i] <= 0x669)
			return !holds(cp, n, 0x6f0, 0x6f9);
		return cp[i] >= 0x6f0 && cp[i] <= 0x6f9 &&
			!holds(cp, n, 0x660, 0x669);
	}
}

static const struct wv_idna_pair *
pair_of(uint32_t whole)
{
	size_t low = 0, high = wv_idna_pairs_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (wv_idna_pairs[middle].whole == whole)
			return &wv_idna_pairs[middle];
		if (wv_idna_pairs[middle].whole < whole)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static uint32_t
composed(uint32_t base, uint32_t mark)
{
	for (size_t i = 0; i < wv_idna_pairs_count; i++) {
		if (wv_idna_pairs[i].base == base &&
			wv_idna_pairs[i].mark == mark)
			return wv_idna_pairs[i].whole;
	}
	return 0;
}

struct text {
	uint32_t cp[DECOMPOSED_MAX];
	uint8_t ccc[DECOMPOSED_MAX];
	size_t n;
};

/* In canonical order with the marks before it. */
static void
add_ordered(struct text *text, uint32_t cp)
{
	uint8_t ccc = facts(cp).ccc;
	size_t i = text->n++;

	for (; ccc != 0 && i > 0 && text->ccc[i - 1] > ccc; i--) {
		text->cp[i] = text->cp[i - 1];
		text->ccc[i] = text->ccc[i - 1];
	}
	text->cp[i] = cp;
	text->ccc[i] = ccc;
}

static void
decompose(struct text *text, uint32_t cp)
{
	const struct wv_idna_pair *pair;
	uint32_t marks[DECOMPOSED_MAX / WV_LABEL_MAX];
	size_t n = 0;

	for (; (pair = pair_of(cp)) != NULL; cp = pair->base)
		marks[n++] = pair->mark;
	add_ordered(text, cp);
	while (n > 0)
		add_ordered(text, marks[--n]);
}

static void
compose(struct text *text)
{
	size_t starter = text->n, kept = 0;
	int before = 0; /* class of the last one that stayed; -1: the starter */

	for (size_t i = 0; i < text->n; i++) {
		uint32_t whole = 0;
		if (starter < text->n && before < text->ccc[i])
			whole = composed(text->cp[starter], text->cp[i]);
		if (whole != 0) {
			text->cp[starter] = whole;
			continue;
		}
		before = text->ccc[i] == 0 ? -1 : text->ccc[i];
		if (text->ccc[i] == 0)
			starter = kept;
		text->cp[kept] = text->cp[i];
		text->ccc[kept++] = text->ccc[i];
	}
	text->n = kept;
}

/* Without conjoining Jamo, which are not valid, only marks can compose. */
static bool
is_nfc(const uint32_t *cp, size_t n)
{
	struct text text = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		decompose(&text, cp[i]);
	compose(&text);
	return text.n == n && memcmp(text.cp, cp, n * sizeof *cp) == 0;
}

bool
wv_idna_is_label(const uint32_t *cp, size_t n, bool need_nfc)
{
	bool has_mark = false;

	if (n == 0 || n > WV_LABEL_MAX || cp[0] == '-' || cp[n - 1] == '-' ||
		(n > 3 && cp[2] == '-' && cp[3] == '-') ||
		(facts(cp[0]).what & WV_MARK))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_valid(cp[i]) && !is_in_context(cp, n, i))
			return false;
		has_mark = has_mark || (facts(cp[i]).what & WV_MARK);
	}
	return !need_nfc || !has_mark || is_nfc(cp, n);
}

static bool
follows_bidi_rule(unsigned seen, unsigned first, unsigned last)
{
	const unsigned rtl = 1 << WV_BIDI_R | 1 << WV_BIDI_AL;
	const unsigned arabic = 1 << WV_BIDI_AN, european = 1 << WV_BIDI_EN;

	if (first & rtl)
		return !(seen & 1 << WV_BIDI_L) &&
			(last & (rtl | arabic | european)) &&
			(seen & (arabic | european)) != (arabic | european);
	return first == 1 << WV_BIDI_L && !(seen & (rtl | arabic)) &&
		(last & (1 << WV_BIDI_L | european));
}

void
wv_idna_note_bidi(struct wv_bidi *bidi, const uint32_t *cp, size_t n)
{
	unsigned seen = 0, first = 0, last = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned class = 1U << (facts(cp[i]).what & WV_BIDI);
		if (i == 0)
			first = class;
		if (class != 1 << WV_BIDI_NSM)
			last = class;
		seen |= class;
	}
	if (seen & (1 << WV_BIDI_R | 1 << WV_BIDI_AL | 1 << WV_BIDI_AN))
		bidi->has_rtl = true;
	if (!follows_bidi_rule(seen, first, last))
		bidi->has_breaker = true;
}
