/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject-filter.h"

#include <stddef.h>
#include <string.h>

enum {
	CHUNK = WV_FILTER_CHUNK,
	GROUP = WV_FILTER_GROUP,
	SETS = WV_RULES_MAX / 64,
	AROUND = WV_FILTER_AROUND,
	/* chunks between places that are one: signs in both may be near */
	BETWEEN = WV_FILTER_NEAR - WV_FILTER_BACK - WV_FILTER_AHEAD - 1,
};

_Static_assert(GROUP % 2 == 0, "masks go round");
_Static_assert((int)AROUND > (int)WV_FILTER_BACK,
	"a match is seen where it begins, and a word before it");
_Static_assert(
	(int)WV_FILTER_SPAN + (int)WV_PLACE_NAME <= (int)WV_FILTER_BACK * CHUNK,
	"a match is seen where it begins");

/* The word at at, whatever is in it. */
static void
see_word(struct wv_events *events, uint64_t key, size_t at)
{
	struct wv_filter *f = (struct wv_filter *)events;
	const struct wv_key_entry *e = wv_key_find(f->keys, key);

	wv_rules_see(f->now, &f->keys->sets[e->seen]);
	if (e->flags & WV_KEY_SECOND)
		wv_filter_second(f, key, at, f->now);
	if (e->flags & WV_KEY_FIRST)
		wv_filter_first(f, key, at);
}

static void
see_shape(struct wv_events *events, enum wv_shape shape)
{
	struct wv_filter *f = (struct wv_filter *)events;

	wv_rules_see(f->now, &f->keys->shapes[shape]);
}

void
wv_filter_start(struct wv_filter *f, const char *s, size_t n, size_t from)
{
	memset(f, 0, offsetof(struct wv_filter, fresh));
	/* what is before it counts where an anchor begins */
	wv_anchor_start(&f->look, s, n, from > CHUNK ? from - CHUNK : 0);
	f->events.word = see_word;
	f->events.shape = see_shape;
	f->events.normal = f->look.events.normal;
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

static inline struct wv_filter_words
find_words(struct wv_filter *f, const struct wv_raw_masks *m,
	const struct wv_raw_words *raw, uint64_t odds)
{
	uint64_t word = raw->word;
	struct wv_filter_words w = { .starts = raw->starts };
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
	return w;
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
count_of(const wv_rule_set *set)
{
	unsigned count = 0;

	for (size_t i = 0; i < SETS; i++)
		count += bits_of((*set)[i]);
	return count;
}

/* Matches may end in the chunk. */
static void
judge(struct wv_filter *f, const wv_rule_set *whole)
{
	wv_rule_set two = { 0 };
	size_t first = f->chunk;

	for (size_t k = 0; k <= WV_FILTER_NEAR && k <= f->chunk; k++) {
		wv_rule_set other = f->whole[(f->chunk - k) % WV_FILTER_RING];
		two |= other;
		if (wv_rules_any(&other))
			first = f->chunk - k;
	}
	bool near = count_of(&two) >= 2;
	wv_rule_set strong = *whole & f->keys->strong;
	if (!near && !wv_rules_any(&strong))
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
		now->stage[k] &= live | now->stage[k - 1];
	}
}

static void
end_chunk(struct wv_filter *f, struct wv_rules_seen *seen)
{
	const struct wv_keys *keys = f->keys;
	struct wv_rules_seen *now = &f->reached[f->chunk % WV_FILTER_REACH];
	wv_rule_set whole = { 0 };

	*now = *seen;
	wv_rule_set more = now->stage[1];
	for (size_t k = 2; k < WV_STAGES; k++)
		more |= now->stage[k];
	if (wv_rules_any(&more))
		reach(f, now);
	for (size_t k = 0; k < WV_STAGES; k++)
		whole |= now->stage[k] & keys->last.stage[k];
	f->whole[f->chunk % WV_FILTER_RING] = whole;
	if (wv_rules_any(&whole))
		judge(f, &whole);
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
	struct wv_raw_words w =
		wv_raw_words(&f->before, f->word, m, next, letters);
	uint64_t spaced = w.spaced, events = w.events | spaced;
	uint64_t odds = events | m->close | f->spaced | spaced << 2 |
		spaced << 4 | spaced << 6;

	f->spaced = spaced >> 62 | spaced >> 60 | spaced >> 58;
	for (; events != 0; events &= events - 1) {
		unsigned e = (unsigned)__builtin_ctzll(events);
		if (spaced >> e & 1)
			wv_event_spaced(&f->events, at + e);
		else
			wv_event(&f->events, at + e);
	}
	group->words[i] = find_words(f, m, &w, odds);
	wv_filter_find(
		f->keys, letters, i * CHUNK, group->words[i].starts, group);
	f->word = w.word;
	f->before = *m;
}

static void
end_group(struct wv_filter *f, struct wv_filter_group *group, size_t chunks)
{
	f->after = group->after;
	wv_filter_read(f, group);
	for (size_t i = 0; i < chunks; i++)
		end_chunk(f, &f->seen[i]);
}

/* The group at f->at. */
static void
group(struct wv_filter *f)
{
	const struct wv_normal *text = &f->events.normal;
	struct wv_raw_masks *masks = f->masks;
	struct wv_filter_group g;
	size_t i;

	g.at = f->at;
	g.keyed[0] = f->last;
	g.count = 1;
	g.after = f->after;
	if (f->fresh)
		wv_raw_read(text, f->at, f->letters, true, &masks[0]);
	else
		memcpy(f->letters, f->letters + GROUP * CHUNK, CHUNK);
	f->fresh = false;
	for (i = 0; i < GROUP && f->at + i * CHUNK < text->n; i++) {
		size_t next = i + 1;
		wv_raw_read(text, f->at + next * CHUNK,
			f->letters + next * CHUNK, true, &masks[next % 2]);
		f->now = &f->seen[i];
		chunk(f, &g, i, f->letters + i * CHUNK, &masks[i % 2],
			&masks[next % 2]);
	}
	end_group(f, &g, i);
	f->at += GROUP * CHUNK;
}

/* Nothing is known of what is before the chunk. */
static void
begin(struct wv_filter *f, size_t chunk)
{
	memset(&f->fresh, 0,
		offsetof(struct wv_filter, letters) -
			offsetof(struct wv_filter, fresh));
	for (size_t i = 0; i < WV_FILTER_RING && f->chunk + i < chunk; i++)
		f->whole[(f->chunk + i) % WV_FILTER_RING] = (wv_rule_set){ 0 };
	f->fresh = f->odd[0] = true;
	f->chunk = chunk;
	f->at = chunk * CHUNK;
}

/* To the next chunks that are near an anchor; false: there are none. */
static bool
go_on(struct wv_filter *f)
{
	size_t anchor;

	while (f->at >= f->until) {
		if (!wv_anchor_next(&f->look, &anchor))
			return false;
		size_t chunk = anchor / CHUNK;
		size_t from = chunk > AROUND ? chunk - AROUND : 0;
		if (from * CHUNK > f->at || f->keys == NULL)
			begin(f, from);
		f->keys = wv_inject_keys();
		f->until = (chunk + 1 + AROUND) * CHUNK;
	}
	return f->at < f->events.normal.n;
}

bool
wv_filter_next(struct wv_filter *f, size_t *from, size_t *to)
{
	while (!f->told && go_on(f))
		group(f);
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
