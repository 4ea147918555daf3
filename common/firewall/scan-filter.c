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

/* The halves of bytes that a bucket passes at each offset, and how often one
 * of ordinary text does. */
struct bucket {
	uint16_t low[WV_WINDOW], high[WV_WINDOW];
	float of[WV_WINDOW];
	float passes; /* at all offsets */
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
		for (int quarter = 0; quarter < 4; quarter++) {
			float *of = counts->of[high][quarter];
			of[0] = 0;
			for (int i = 0; i < 4; i++) {
				float one =
					frequency(high << 4 | quarter << 2 | i);
				for (int set = 0; set < 1 << i; set++)
					of[1 << i | set] = of[set] + one;
			}
		}
}

/* Of the bytes with these halves. */
static float
share(const struct counts *counts, uint16_t low, uint16_t high)
{
	float sum = 0;

	if ((low & high) == 0xFFFF) /* anything */
		return 1;
	for (unsigned h = high; h != 0; h &= h - 1) {
		const float(*of)[16] = counts->of[__builtin_ctz(h)];
		for (int q = 0; q < 4; q++)
			sum += of[q][low >> 4 * q & 15];
	}
	return sum;
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

/* What a bucket becomes with a row in it. */
static struct bucket
together(const struct counts *counts, const struct bucket *a,
	const struct bucket *row)
{
	struct bucket both = { .passes = 1 };

	for (int k = 0; k < WV_WINDOW; k++) {
		both.low[k] = a->low[k] | row->low[k];
		both.high[k] = a->high[k] | row->high[k];
		both.of[k] = a->of[k];
		if (both.low[k] != a->low[k] || both.high[k] != a->high[k])
			both.of[k] = share(counts, both.low[k], both.high[k]);
		both.passes *= both.of[k];
	}
	return both;
}

/* Bit b of each half's entry: bucket b passes it. */
static void
transpose(const struct bucket *buckets, int k, uint16_t low[16],
	uint16_t high[16])
{
	for (int half = 0; half < 16; half++) {
		low[half] = high[half] = 0;
		for (int i = 0; i < BUCKETS; i++) {
			low[half] |= (uint16_t)((buckets[i].low[k] >> half & 1)
				<< i);
			high[half] |=
				(uint16_t)((buckets[i].high[k] >> half & 1)
					<< i);
		}
	}
}

static void
fill(struct wv_prefilter *f, const struct bucket *buckets)
{
	uint16_t low[16], high[16];

	for (int k = 0; k < WV_WINDOW; k++) {
		transpose(buckets, k, low, high);
		for (int c = 0; c < 256; c++)
			f->passes[k][c] = low[c & 15] & high[c >> 4];
		for (int half = 0; half < 16; half++)
			for (int set = 0; set < BUCKETS / 8; set++) {
				f->low[set][k][half] =
					(uint8_t)(low[half] >> 8 * set);
				f->high[set][k][half] =
					(uint8_t)(high[half] >> 8 * set);
			}
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

/* To look for them would be a good part of a short run; t/unit/firewall-scan.c
 * does, and tells this string when rows have changed. */
unsigned char
wv_filter_bucket(size_t row)
{
	static const char letters[] =
		"ggikdcmiibhnopnnpinoppfpohfnnnlekegfibegiilnnnnnnnnnncaalfpfpn"
		"ffkjcklajcocjjjnnnnicllddjjneepmebbeghholjjoahdddboccaccddmmmb"
		"a";

	return row < sizeof(letters) - 1
		? (unsigned char)(letters[row] - 'a' + 1)
		: 0;
}

/* Rows whose bucket is not known, one after the other. */
static void
find_buckets(struct bucket *buckets, struct wv_rule *rows, size_t n)
{
	const struct bucket nothing = { 0 };
	struct counts counts;

	count(&counts);
	for (size_t b = 0; b < BUCKETS; b++)
		buckets[b] = together(&counts, &nothing, &buckets[b]);
	for (size_t i = 0; i < n; i++) {
		struct bucket row = { 0 }, best = { 0 };
		size_t into = 0;
		if (rows[i].is_head || rows[i].bucket != 0)
			continue;
		add_row(&row, &rows[i]);
		for (size_t b = 0; b < BUCKETS; b++) {
			struct bucket both =
				together(&counts, &buckets[b], &row);
			if (b > 0 &&
				both.passes - buckets[b].passes >=
					best.passes - buckets[into].passes)
				continue;
			best = both;
			into = b;
		}
		buckets[into] = best;
		rows[i].bucket = (unsigned char)(into + 1);
	}
}

void
wv_filter_rows(struct wv_prefilter *filter, struct wv_rule *rows, size_t n)
{
	struct bucket buckets[BUCKETS] = { 0 };
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].bucket != 0)
			add_row(&buckets[rows[i].bucket - 1], &rows[i]);
		known += rows[i].is_head || rows[i].bucket != 0;
	}
	if (known < n)
		find_buckets(buckets, rows, n);
	fill(filter, buckets);
}
