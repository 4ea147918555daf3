/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-filter.h"

#include <stddef.h>
#include <string.h>

enum {
	CHUNK = WV_FILTER_CHUNK,
	GROUP = WV_FILTER_GROUP,
	SETS = WV_RULES_MAX / 64,
	/* chunks between places that are one: signs in both may be near */
	BETWEEN = WV_FILTER_NEAR - WV_FILTER_BACK - WV_FILTER_AHEAD - 1,
};

_Static_assert(GROUP % 2 == 0, "masks go round");
_Static_assert(
	(int)WV_FILTER_SPAN + (int)WV_PLACE_NAME <= (int)WV_FILTER_BACK * CHUNK,
	"a match is seen where it begins");

void
wv_filter_start(struct wv_filter *f, const char *s, size_t n)
{
	memset(f, 0, offsetof(struct wv_filter, letters));
	f->keys = wv_inject_keys();
	f->normal.s = (const unsigned char *)s;
	f->normal.n = n;
	f->odd[0] = true;
}

/* No letters: what is _ but not between two. */
static void
part_words(unsigned char *letters, uint64_t no)
{
	for (; no != 0; no &= no - 1)
		letters[__builtin_ctzll(no)] = 0;
}

/* Of words, the next after each place that is marked.  *carry: there is such a
 * place behind the last. */
static inline uint64_t
next_words(uint64_t starts, uint64_t marked, bool *carry)
{
	uint64_t between = ~starts, sum;
	uint64_t add = (marked & between) | (marked & starts) << 1;
	bool over = __builtin_add_overflow(between, add, &sum);

	over |= __builtin_add_overflow(sum, (uint64_t)*carry, &sum);
	*carry = over || (marked & starts) >> 63 != 0;
	return sum & starts;
}

/* Words that are all that is between two ". */
static uint64_t
quoted(uint64_t starts, uint64_t word, uint64_t quote)
{
	uint64_t found = 0;

	for (starts &= quote << 1; starts != 0; starts &= starts - 1) {
		unsigned at = (unsigned)__builtin_ctzll(starts);
		uint64_t rest = ~word >> at;
		unsigned n = rest != 0 ? (unsigned)__builtin_ctzll(rest) : 0;
		found |= (quote >> at >> n & 1) << at;
	}
	return found;
}

static unsigned
bits_of(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) +
		(x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Those from from on. */
static uint64_t
from_bit(size_t from)
{
	return from < CHUNK ? ~UINT64_C(0) << from : 0;
}

static inline struct wv_filter_words
find_words(struct wv_filter *f, const struct wv_raw_masks *m, uint64_t word,
	uint64_t odds, size_t at)
{
	struct wv_filter_words w = { .starts = word &
			~(word << 1 | f->word >> 63) };
	uint64_t plain = w.starts & (m->space << 1 | f->before.space >> 63) &
		(word << 2 | f->word >> 62);
	uint64_t next = odds;

	bool any = odds != 0;
	for (size_t i = 0; i < WV_FILTER_LOOSE; i++)
		any |= f->odd[i];
	for (size_t i = 0; any && i < WV_FILTER_LOOSE; i++) {
		next = next_words(w.starts, next, &f->odd[i]);
		w.loose |= next;
	}
	w.inner = (plain | quoted(w.starts, word, m->quote)) & ~w.loose;
	w.sure = plain & ~w.loose & from_bit(f->quiet > at ? f->quiet - at : 0);
	return w;
}

/* Of rules that are close what was seen since enough words. */
static void
end_close(struct wv_filter *f)
{
	f->close_last = f->close_now;
	memset(&f->close_now, 0, sizeof(f->close_now));
	f->close_words = 0;
}

/* All that is found begins in chunk first or later, and its last word before
 * chunk end. */
static void
tell(struct wv_filter *f, size_t first, size_t end)
{
	if (f->found && first > f->end + BETWEEN) {
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
		count += bits_of(set[i]);
	return count;
}

/* Matches may end in the chunk. */
static void
judge(struct wv_filter *f, wv_rule_set whole)
{
	wv_rule_set two = { 0 };
	size_t first = f->chunk;

	for (size_t k = 0; k <= WV_FILTER_NEAR && k <= f->chunk; k++) {
		wv_rule_set other = f->whole[(f->chunk - k) % WV_FILTER_RING];
		two |= other;
		if (wv_rules_any(other))
			first = f->chunk - k;
	}
	bool near = count_of(two) >= 2;
	if (!near && !wv_rules_any(whole & f->keys->strong))
		return;
	if (!near)
		first = f->chunk;
	tell(f, first > WV_FILTER_BACK ? first - WV_FILTER_BACK : 0,
		f->chunk + 1 + WV_FILTER_AHEAD);
}

/* Of what was seen now, that of which what has to come before was seen. */
static void
reach(struct wv_filter *f, struct wv_rules_seen *now)
{
	for (size_t k = 1; k < WV_STAGES; k++) {
		wv_rule_set live = { 0 };
		for (size_t i = 1; i <= WV_FILTER_BACK; i++)
			live |= f->reached[(f->chunk - i) % WV_FILTER_REACH]
					.stage[k - 1];
		live &= ~f->keys->close | f->close_now.stage[k - 1] |
			f->close_last.stage[k - 1];
		now->stage[k] &= live | now->stage[k - 1];
	}
}

/* sure: how many words were in it. */
static void
end_chunk(struct wv_filter *f, struct wv_rules_seen *seen, unsigned sure)
{
	const struct wv_keys *keys = f->keys;
	struct wv_rules_seen *now = &f->reached[f->chunk % WV_FILTER_REACH];
	wv_rule_set whole = { 0 };

	*now = *seen;
	wv_rule_set more = now->stage[1];
	for (size_t k = 2; k < WV_STAGES; k++)
		more |= now->stage[k];
	if (wv_rules_any(more))
		reach(f, now);
	for (size_t k = 0; k < WV_STAGES; k++) {
		f->close_now.stage[k] |= now->stage[k];
		whole |= now->stage[k] & keys->last.stage[k];
	}
	f->close_words += sure;
	if (f->close_words >= WV_KEY_CLOSE)
		end_close(f);
	f->whole[f->chunk % WV_FILTER_RING] = whole;
	if (wv_rules_any(whole))
		judge(f, whole);
	memset(seen, 0, sizeof(*seen));
	f->chunk++;
}

/* Chunk i of the group; next: what is behind it. */
static void
chunk(struct wv_filter *f, struct wv_filter_group *group, size_t i,
	unsigned char *letters, const struct wv_raw_masks *m,
	const struct wv_raw_masks *next)
{
	size_t at = group->at + i * CHUNK;
	uint64_t letter = m->letter;
	uint64_t before = letter << 1 | f->before.letter >> 63;
	uint64_t behind = letter >> 1 | next->letter << 63;
	uint64_t under = m->under & before & behind;

	part_words(letters, m->under & ~under);
	part_words(letters + CHUNK,
		next->under << 1 >> 1 & /* the last: the next time */
			~((next->letter << 1 | letter >> 63) &
				next->letter >> 1));
	uint64_t high = before | m->high << 1 | f->before.high >> 63;
	uint64_t mark = m->open >> 1 | next->open << 63;
	uint64_t events = (m->after & high) | (m->before & (behind | mark)) |
		m->high | (m->colon & mark);
	uint64_t single = letter & ~before & ~behind;
	uint64_t follow = next->letter & ~(next->letter << 1 | letter >> 63) &
		~(next->letter >> 1);
	uint64_t spaced = single & (single >> 2 | follow << 62) &
		(single >> 4 | follow << 60) & (single >> 6 | follow << 58);
	uint64_t odds = events | m->close | f->spaced | spaced | spaced << 2 |
		spaced << 4 | spaced << 6;
	f->spaced = spaced >> 62 | spaced >> 60 | spaced >> 58;
	for (events |= spaced; events != 0; events &= events - 1) {
		unsigned e = (unsigned)__builtin_ctzll(events);
		if (spaced >> e & 1)
			wv_filter_spaced(f, at + e);
		else
			wv_filter_event(f, at + e);
	}
	uint64_t word = letter | under;
	group->words[i] = find_words(f, m, word, odds, at);
	wv_filter_find(
		f->keys, letters, i * CHUNK, group->words[i].starts, group);
	f->word = word;
	f->before = *m;
}

static void
end_group(struct wv_filter *f, struct wv_filter_group *group, size_t chunks)
{
	f->after = group->after;
	wv_filter_read(f, group);
	for (size_t i = 0; i < chunks; i++)
		end_chunk(f, &f->seen[i], bits_of(group->words[i].sure));
}

/* The group at f->at: n bytes of s; behind it a chunk can be read, or zeros. */
static void
group(struct wv_filter *f, const unsigned char *s, size_t n)
{
	struct wv_raw_masks *masks = f->masks;
	struct wv_filter_group g;
	size_t i;

	g.at = f->at;
	g.keyed[0] = f->last;
	g.count = 1;
	g.after = f->after;
	if (f->at == 0)
		wv_raw_masks(s, f->letters, &masks[0]);
	else
		memcpy(f->letters, f->letters + GROUP * CHUNK, CHUNK);
	for (i = 0; i < GROUP && i * CHUNK < n; i++) {
		size_t next = i + 1;
		wv_raw_masks(s + next * CHUNK, f->letters + next * CHUNK,
			&masks[next % 2]);
		f->now = &f->seen[i];
		chunk(f, &g, i, f->letters + i * CHUNK, &masks[i % 2],
			&masks[next % 2]);
	}
	end_group(f, &g, i);
	f->at += GROUP * CHUNK;
}

/* Where less than that can be read around it. */
static void
group_of_copy(struct wv_filter *f)
{
	unsigned char copy[1 + (GROUP + 1) * CHUNK] = { 0 };
	size_t n = f->normal.n - f->at, before = f->at > 0;

	if (n > (GROUP + 1) * CHUNK)
		n = (GROUP + 1) * CHUNK;
	memcpy(copy + 1 - before, f->normal.s + f->at - before, n + before);
	group(f, copy + 1, n);
}

static void
next_group(struct wv_filter *f)
{
	if (f->at > 0 && f->normal.n - f->at >= (GROUP + 1) * CHUNK)
		group(f, f->normal.s + f->at, GROUP * CHUNK);
	else
		group_of_copy(f);
}

bool
wv_filter_next(struct wv_filter *f, size_t *from, size_t *to)
{
	while (!f->told && f->at < f->normal.n)
		next_group(f);
	if (!f->told && !f->found)
		return false;
	*from = (f->told ? f->told_first : f->first) * CHUNK;
	*to = (f->told ? f->told_end : f->end) * CHUNK;
	if (f->told)
		f->told = false;
	else
		f->found = false;
	return true;
}
