/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-filter.h"
#include "firewall/normal-internal.h"

#include <string.h>

enum {
	CHUNK = 64,
	CHUNKS = 16,
	STRIP = CHUNK * CHUNKS,
	SETS = WV_RULES_MAX / 64,
};

void
wv_filter_start(struct wv_filter *f, const char *s, size_t n)
{
	memset(f, 0, sizeof(*f));
	f->keys = wv_inject_keys();
	f->normal.s = (const unsigned char *)s;
	f->normal.n = n;
	f->carry = f->odd = true;
}

/* The bits from from on, up to to. */
static inline uint64_t
between(unsigned from, unsigned to)
{
	return (~UINT64_C(0) << from) & ~(~UINT64_C(0) << to);
}

/* What a word that is looked for means.  plain: one space and a letter come
 * before it; odd: so may what is read in another way. */
static void
see_known(struct wv_filter *f, size_t e, uint64_t key, size_t at, bool plain,
	bool odd)
{
	const struct wv_keys *keys = f->keys;
	unsigned flags = keys->flags[e], had = f->flags;
	bool may = f->carry || !plain, was = f->order;

	f->order = f->carry ||
		(!plain &&
			!wv_normal_is_quoted(
				(const char *)f->normal.s, f->normal.n, at));
	if (flags & WV_KEY_SEEN)
		wv_filter_see(f, &keys->sets[keys->seen[e]], f->order);
	if ((flags & WV_KEY_SECOND) != 0) {
		if (odd)
			wv_filter_second(f, e, key, at);
		else if (had & WV_KEY_FIRST)
			wv_filter_pair(f, f->key, key, was);
	}
	if (flags & WV_KEY_FIRST)
		wv_filter_first(f, key, at);
	if (flags & WV_KEY_ROLE)
		wv_filter_role(f, at);
	f->carry = (flags & WV_KEY_MUST) != 0 ||
		((flags & WV_KEY_LAST) != 0 &&
			(odd || (had & WV_KEY_PART) != 0)) ||
		((flags & WV_KEY_LEAD) != 0 && may);
	f->flags = (uint8_t)flags;
	f->key = key;
}

/*
 * Words of plain letters.  odds: what may be read in another way.
 */
static inline void
see_words(struct wv_filter *f, size_t base, const unsigned char *letters,
	uint64_t starts, uint64_t plain, uint64_t odds)
{
	const struct wv_keys *keys = f->keys;
	bool odd = f->odd, gap = f->odds;
	unsigned from = f->from, words = 0;

	for (; starts != 0; starts &= starts - 1) {
		unsigned at = (unsigned)__builtin_ctzll(starts);
		uint64_t key;
		memcpy(&key, letters + at, sizeof(key));
		/* the bytes before the first that is 0 */
		uint64_t zero = (key - UINT64_C(0x0101010101010101)) & ~key &
			UINT64_C(0x8080808080808080);
		key &= (zero ^ (zero - 1)) >> (zero ? 8 : 0);
		size_t e = wv_key_find(keys, key);
		if (odds != 0)
			gap |= (odds & between(from, at)) != 0;
		from = at;
		if (e == 0) {
			f->flags = 0;
			f->carry = false;
		} else {
			see_known(f, e, key, base + at, plain >> at & 1,
				gap || odd);
		}
		f->carry |= gap;
		words += !gap & !odd & (plain >> at & 1) &
			(base + at >= f->quiet);
		odd = gap;
		gap = false;
	}
	f->odd = odd;
	f->from = from;
	f->odds = gap;
	f->close_words += words;
}

/* No letters: what is _ but not between two. */
static inline void
part_words(unsigned char *letters, uint64_t no)
{
	for (; no != 0; no &= no - 1)
		letters[__builtin_ctzll(no)] = 0;
}

/* What is live: of rules that are close what was seen since enough words. */
static void
set_live(struct wv_filter *f)
{
	wv_rule_set close = f->keys->close;

	for (size_t k = 0; k < WV_STAGES; k++)
		f->live.stage[k] = (f->now.stage[k] | f->last.stage[k] |
					   f->older.stage[k]) &
			(~close | f->close_now.stage[k] |
				f->close_last.stage[k]);
}

static void
end_close(struct wv_filter *f)
{
	f->close_last = f->close_now;
	memset(&f->close_now, 0, sizeof(f->close_now));
	f->close_words = 0;
	set_live(f);
}

/* The chunk at at; next: the one behind it. */
static void
chunk(struct wv_filter *f, size_t at, unsigned char *letters,
	const struct wv_raw_masks *m, const struct wv_raw_masks *next)
{
	uint64_t letter = m->letter;
	uint64_t before = letter << 1 | f->before.letter >> 63;
	uint64_t behind = letter >> 1 | next->letter << 63;
	uint64_t under = m->under & before & behind;

	part_words(letters, m->under & ~under);
	part_words(letters + CHUNK,
		next->under << 1 >> 1 & /* the last: the next time */
			~((next->letter << 1 | letter >> 63) &
				next->letter >> 1));
	uint64_t word = letter | under;
	uint64_t starts = word & ~(word << 1 | f->words >> 63);
	uint64_t plain = (m->space << 1 | f->before.space >> 63) &
		(word << 2 | f->words >> 62);
	f->words = word;

	uint64_t high = before | m->high << 1 | f->before.high >> 63;
	uint64_t open = behind | m->open >> 1 | next->open << 63;
	uint64_t events = (m->after & high) | (m->before & open) | m->high |
		(m->colon & open);
	uint64_t single = letter & ~before & ~behind;
	uint64_t follow = next->letter & ~(next->letter << 1 | letter >> 63) &
		~(next->letter >> 1);
	uint64_t spaced = single & (single >> 2 | follow << 62) &
		(single >> 4 | follow << 60) & (single >> 6 | follow << 58);
	uint64_t odds = events | m->close | f->spaced | spaced | spaced << 2 |
		spaced << 4 | spaced << 6;
	f->spaced = spaced >> 62 | spaced >> 60 | spaced >> 58;
	f->from = 0;
	for (events |= spaced; events != 0; events &= events - 1) {
		unsigned e = (unsigned)__builtin_ctzll(events);
		see_words(f, at, letters, starts & ~(~UINT64_C(0) << e), plain,
			odds);
		starts &= ~UINT64_C(0) << e;
		if (spaced >> e & 1)
			wv_filter_spaced(f, at + e);
		else
			wv_filter_event(f, at + e);
	}
	see_words(f, at, letters, starts, plain, odds);
	f->odds |= (odds & ~UINT64_C(0) << f->from) != 0;
	f->before = *m;
	if (f->close_words >= WV_KEY_CLOSE)
		end_close(f);
}

/* All that is found begins in block first or later, and its last word before
 * block end. */
static void
tell(struct wv_filter *f, size_t first, size_t end)
{
	if (f->found && first > f->end + WV_FILTER_NEAR) {
		f->told_first = f->first;
		f->told_end = f->end;
		f->told = true;
		f->found = false;
	}
	f->first = f->found && f->first < first ? f->first : first;
	f->end = end;
	f->found = true;
}

static unsigned
count_of(wv_rule_set set)
{
	unsigned count = 0;

	for (size_t i = 0; i < SETS; i++)
		for (uint64_t bits = set[i]; bits != 0; bits &= bits - 1)
			count++;
	return count;
}

static void
judge(struct wv_filter *f)
{
	wv_rule_set whole = f->whole[f->block % WV_FILTER_RING], two = { 0 };
	size_t first = f->block;

	if (!wv_rules_any(whole))
		return;
	for (size_t k = 0; k <= WV_FILTER_NEAR && k <= f->block; k++) {
		wv_rule_set other = f->whole[(f->block - k) % WV_FILTER_RING];
		two |= other;
		if (wv_rules_any(other))
			first = f->block - k;
	}
	bool near = count_of(two) >= 2;
	if (!near && !wv_rules_any(whole & f->keys->strong))
		return;
	if (!near)
		first = f->block;
	tell(f, first > WV_FILTER_BACK ? first - WV_FILTER_BACK : 0,
		f->block + 1 + WV_FILTER_AHEAD);
}

static void
end_block(struct wv_filter *f)
{
	judge(f);
	f->older = f->last;
	f->last = f->now;
	memset(&f->now, 0, sizeof(f->now));
	set_live(f);
	f->block++;
	memset(&f->whole[f->block % WV_FILTER_RING], 0, sizeof(*f->whole));
}

static void
strip(struct wv_filter *f)
{
	unsigned char raw[CHUNK + STRIP + CHUNK + 1];
	unsigned char letters[STRIP + 2 * CHUNK];
	struct wv_raw_masks masks[2];
	size_t at = f->strip, n = f->normal.n - at;
	size_t lead = at > 0 ? CHUNK : 0;

	if (n > STRIP + CHUNK)
		n = STRIP + CHUNK;
	raw[CHUNK - 1] = 0;
	memcpy(raw + CHUNK - lead, f->normal.s + at - lead, n + lead);
	memset(raw + CHUNK + n, 0, sizeof(raw) - CHUNK - n);
	wv_raw_masks(raw + CHUNK, letters, &masks[0]);
	for (size_t i = 0; i < CHUNKS && i * CHUNK < n; i++) {
		wv_raw_masks(raw + CHUNK + (i + 1) * CHUNK,
			letters + (i + 1) * CHUNK, &masks[(i + 1) % 2]);
		chunk(f, at + i * CHUNK, letters + i * CHUNK, &masks[i % 2],
			&masks[(i + 1) % 2]);
		if ((i + 1) % (WV_FILTER_BLOCK / CHUNK) == 0)
			end_block(f);
	}
	f->strip += STRIP;
}

bool
wv_filter_next(struct wv_filter *f, size_t *from, size_t *to)
{
	while (!f->told && f->strip < f->normal.n)
		strip(f);
	if (!f->told && !f->finished) {
		f->finished = true;
		judge(f);
	}
	if (!f->told && !f->found)
		return false;
	*from = (f->told ? f->told_first : f->first) * WV_FILTER_BLOCK;
	*to = (f->told ? f->told_end : f->end) * WV_FILTER_BLOCK;
	if (f->told)
		f->told = false;
	else
		f->found = false;
	return true;
}
