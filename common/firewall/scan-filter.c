/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which anchors share a bucket of the filter.  A bucket passes every byte
 * whose low half is that of one of its anchors and whose high half is that of
 * another, so anchors go together that add little: each to the bucket that
 * will then pass the fewest places of ordinary text.
 */
#include "firewall/scan-internal.h"

#include <string.h>

enum { BUCKETS = 16 };

/* The halves of bytes that a bucket passes at each offset. */
struct bucket {
	uint16_t low[WV_WINDOW], high[WV_WINDOW];
	float passes; /* of ordinary text */
};

/* How often bytes of a high half, and one of a set of four low halves, come:
 * [high][quarter][set]. */
struct counts {
	float of[16][4][16];
};

static float
frequency(int c)
{
	static const char letters[] = "etaoinsrhldcumfpgwybvkxjqz";
	const char *letter = c >= 'a' && c <= 'z' ? strchr(letters, c) : NULL;

	if (letter != NULL)
		return 0.06F - 0.0023F * (float)(letter - letters);
	if (wv_is_digit(c))
		return 0.015F;
	if (c == ' ')
		return 0.1F;
	if (c == '"' || c == ',' || c == ':')
		return 0.03F;
	return c < ' ' || c > 0x7F ? 0.001F : 0.004F;
}

static void
count(struct counts *counts)
{
	for (int high = 0; high < 16; high++)
		for (int quarter = 0; quarter < 4; quarter++)
			for (int set = 0; set < 16; set++) {
				float sum = 0;
				for (int i = 0; i < 4; i++)
					if (set >> i & 1)
						sum += frequency(high << 4 |
							quarter << 2 | i);
				counts->of[high][quarter][set] = sum;
			}
}

static float
passes(const struct counts *counts, const struct bucket *b)
{
	float all = 1;

	for (int k = 0; k < WV_WINDOW && all > 0; k++) {
		float sum = 0;
		if ((b->low[k] & b->high[k]) == 0xFFFF) /* anything */
			continue;
		for (unsigned h = b->high[k]; h != 0; h &= h - 1) {
			const float(*of)[16] = counts->of[__builtin_ctz(h)];
			for (int q = 0; q < 4; q++)
				sum += of[q][b->low[k] >> 4 * q & 15];
		}
		all *= sum;
	}
	return all;
}

static void
add_byte(struct bucket *b, size_t k, int c)
{
	b->low[k] |= (uint16_t)(1u << (c & 15));
	b->high[k] |= (uint16_t)(1u << (c >> 4));
}

/* What may stand at each offset: the anchor, then the characters of which it
 * needs some, then anything. */
static void
add_row(struct bucket *b, const struct wv_rule *row)
{
	for (size_t k = 0; k < WV_WINDOW; k++) {
		int c = k < row->length ? (unsigned char)row->anchor[k] : -1;
		if (c >= 0) {
			add_byte(b, k, c);
			if (row->any_case && wv_is_letter(c))
				add_byte(b, k, c & ~0x20);
		} else if (row->chars == 0 || k - row->length >= row->min) {
			b->low[k] = b->high[k] = 0xFFFF;
		} else {
			for (c = 0; c < 256; c++)
				if (wv_is_class(c, row->chars))
					add_byte(b, k, c);
		}
	}
}

static struct bucket
together(const struct counts *counts, struct bucket a, const struct bucket *b)
{
	bool is_more = false;

	for (int k = 0; k < WV_WINDOW; k++) {
		is_more |= (b->low[k] & ~a.low[k]) | (b->high[k] & ~a.high[k]);
		a.low[k] |= b->low[k];
		a.high[k] |= b->high[k];
	}
	if (is_more)
		a.passes = passes(counts, &a);
	return a;
}

static void
fill(struct wv_prefilter *f, const struct bucket *buckets)
{
	for (size_t i = 0; i < BUCKETS; i++)
		for (int k = 0; k < WV_WINDOW; k++)
			for (int c = 0; c < 256; c++)
				if (buckets[i].low[k] >> (c & 15) & 1 &
					buckets[i].high[k] >> (c >> 4))
					f->passes[k][c] |= (uint16_t)(1u << i);
	for (size_t i = 0; i < BUCKETS; i++)
		for (int k = 0; k < WV_WINDOW; k++)
			for (int half = 0; half < 16; half++) {
				unsigned bit = 1u << i % 8;
				if (buckets[i].low[k] >> half & 1)
					f->low[i / 8][k][half] |= (uint8_t)bit;
				if (buckets[i].high[k] >> half & 1)
					f->high[i / 8][k][half] |= (uint8_t)bit;
			}
}

static bool
is_head(const struct wv_rule *row)
{
	return row->data != NULL && !row->any_case && row->length >= 3;
}

static void
add_head(struct wv_prefilter *filter, uint64_t *heads, const char *anchor)
{
	unsigned char four[4] = { 0 };

	memcpy(four, anchor, filter->head_mask > UINT32_C(0xFFFFFF) ? 4 : 3);
	uint32_t h = wv_head_hash(filter, four);
	heads[h / 64] |= UINT64_C(1) << h % 64;
}

void
wv_filter_heads(struct wv_prefilter *filter, struct wv_rule *rows, size_t n,
	struct wv_arena *arena)
{
	enum { MANY = 128, SPARSE = 64, LEAST = 12, MOST = 20 };
	size_t count = 0, shortest = SIZE_MAX, bits = LEAST;
	uint64_t *heads;

	for (size_t i = 0; i < n; i++)
		if (is_head(&rows[i])) {
			count++;
			if (rows[i].length < shortest)
				shortest = rows[i].length;
		}
	if (count <= MANY)
		return;
	while (bits < MOST && (size_t)1 << bits < count * SPARSE)
		bits++;
	filter->head_shift = (unsigned)(32 - bits);
	filter->head_mask = shortest < 4 ? UINT32_C(0xFFFFFF) : UINT32_MAX;
	heads = wv_alloc_zero(arena, ((size_t)1 << bits) / 8);
	for (size_t i = 0; i < n; i++) {
		rows[i].is_head = is_head(&rows[i]);
		if (rows[i].is_head)
			add_head(filter, heads, rows[i].anchor);
	}
	filter->heads = heads;
}

void
wv_filter_rows(
	struct wv_prefilter *filter, const struct wv_rule *rows, size_t n)
{
	struct bucket buckets[BUCKETS] = { 0 };
	struct counts counts;

	count(&counts);
	for (size_t i = 0; i < n; i++) {
		struct bucket row = { 0 }, best = { 0 };
		size_t into = 0;
		if (rows[i].is_head)
			continue;
		add_row(&row, &rows[i]);
		for (size_t b = 0; b < BUCKETS; b++) {
			struct bucket both =
				together(&counts, buckets[b], &row);
			if (b > 0 &&
				both.passes - buckets[b].passes >=
					best.passes - buckets[into].passes)
				continue;
			best = both;
			into = b;
		}
		buckets[into] = best;
	}
	fill(filter, buckets);
}
