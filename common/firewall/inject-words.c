/* SPDX-License-Identifier: Apache-2.0 */
/* The words of plain letters, and pairs of them. */
#include "firewall/inject-filter.h"

#include <string.h>

enum { CHUNK = WV_FILTER_CHUNK, GROUP = WV_FILTER_GROUP };

/* Hardly anything here depends on what the words are: no processor could
 * foresee it. */
void
wv_filter_find(const struct wv_keys *keys, const unsigned char *letters,
	size_t base, uint64_t starts, struct wv_filter_group *group)
{
	const uint32_t *bits = keys->bits, *open_bits = keys->open_bits;
	struct wv_filter_word *found = &group->keyed[group->count];
	unsigned hit = group->after;

	for (; starts != 0; starts &= starts - 1) {
		unsigned at = (unsigned)__builtin_ctzll(starts);
		uint64_t key = wv_raw_key(letters + at);
		size_t bit = wv_key_bit(wv_key_hash(key));
		size_t open = wv_key_bit(wv_key_open_hash(key));
		found->key = key;
		found->at = (uint16_t)(base + at);
		found->after = hit;
		hit = (bits[bit / 32] >> bit % 32 |
			      open_bits[open / 32] >> open % 32) &
			1;
		found += hit;
	}
	group->after = hit;
	group->count = (size_t)(found - group->keyed);
}

/* order: the first may be one. */
static void
see_pair(const struct wv_keys *keys, struct wv_rules_seen *seen, uint64_t first,
	uint64_t second, bool order)
{
	uint64_t key = wv_key_of_pair(first, second);
	const struct wv_key_pair *pair =
		&keys->pairs[wv_key_find_pair(keys, key)];

	if (pair->key == 0)
		return;
	struct wv_rules_seen found = keys->sets[pair->seen];
	if (!order)
		found.stage[0] &= ~keys->ordered;
	wv_rules_see(seen, &found);
	wv_rules_see(seen, &keys->sets[pair->within]);
}

/* What is seldom: what comes before the word may be any, or a colon comes
 * behind it. */
static void
see_odd(struct wv_filter *f, const struct wv_key_entry *e,
	const struct wv_filter_word *word, size_t at)
{
	struct wv_rules_seen *seen = &f->seen[word->at / CHUNK];

	if (e->flags & WV_KEY_SECOND)
		wv_filter_second(f, word->key, at, seen);
	f->now = seen;
	if (e->flags & WV_KEY_ROLE)
		wv_event_role(&f->events, at);
}

/* Finds what the words of the group are for, and pairs of them: those whose
 * second is written to pairs. */
static inline size_t
read_words(struct wv_filter *f, struct wv_filter_group *group,
	struct wv_filter_word **pairs)
{
	const struct wv_keys *keys = f->keys;
	size_t count = 0, firsts = f->first_count;
	unsigned had = f->flags;
	bool carry = f->carry;
	struct wv_filter_word *word = &group->keyed[1];

	for (; word < &group->keyed[group->count]; word++) {
		const struct wv_key_entry *e = wv_key_find(keys, word->key);
		const struct wv_filter_words *w =
			&group->words[word->at / CHUNK];
		unsigned bit = word->at % CHUNK, after = -(unsigned)word->after;
		unsigned loose = -(unsigned)(w->loose >> bit & 1);
		unsigned order = (carry & after) | (~w->inner >> bit & 1);
		unsigned flags = e->flags, on = (had & after) << 1;

		word->seen = e->seen;
		word->order = order;
		pairs[count] = word;
		count += (flags & on & WV_KEY_SECOND) != 0;
		f->firsts[firsts % WV_FILTER_FIRSTS] =
			(struct wv_filter_first){ word->key,
				group->at + word->at };
		firsts += (flags & WV_KEY_FIRST) != 0;
		if (flags & (WV_KEY_ROLE | (loose & WV_KEY_SECOND)))
			see_odd(f, e, word, group->at + word->at);
		carry = (flags &
				(WV_KEY_MUST | ((loose | on) & WV_KEY_LAST) |
					(-order & WV_KEY_LEAD))) != 0;
		had = flags;
	}
	f->first_count = firsts;
	f->flags = had;
	f->carry = carry;
	f->last = word[-1];
	return count;
}

/* A word that may end a pair with any that is not far. */
static void
see_second(struct wv_filter *f, const struct wv_filter_second *second)
{
	enum { FAR = WV_FILTER_SPAN + CHUNK, MOST = FAR + 2 * GROUP * CHUNK };
	const struct wv_keys *keys = f->keys;
	size_t count = f->first_count;

	for (size_t i = 1; i <= WV_FILTER_FIRSTS; i++) {
		const struct wv_filter_first *first =
			&f->firsts[(count - i) % WV_FILTER_FIRSTS];
		if (i > count || first->at + MOST < second->at)
			return;
		if (first->at + FAR >= second->at)
			see_pair(keys, second->seen, first->key, second->key,
				true);
	}
	/* there may be more */
	wv_rules_see(second->seen,
		&keys->sets[wv_key_find(keys, second->key)->tail]);
}

void
wv_filter_read(struct wv_filter *f, struct wv_filter_group *group)
{
	const struct wv_keys *keys = f->keys;
	const wv_rule_set allow[] = { ~keys->ordered, ~(wv_rule_set){ 0 } };
	struct wv_filter_word *pairs[GROUP * CHUNK / 2 + 2];
	size_t count = read_words(f, group, pairs);

	for (size_t i = 1; i < group->count; i++) {
		const struct wv_filter_word *word = &group->keyed[i];
		const struct wv_rules_seen *what = &keys->sets[word->seen];
		struct wv_rules_seen *seen = &f->seen[word->at / CHUNK];
		seen->stage[0] |= what->stage[0] & allow[word->order];
		for (size_t k = 1; k < WV_STAGES; k++)
			seen->stage[k] |= what->stage[k];
	}
	for (size_t i = 0; i < count; i++)
		see_pair(keys, &f->seen[pairs[i]->at / CHUNK], pairs[i][-1].key,
			pairs[i]->key, pairs[i][-1].order);
	for (; f->second_count > 0; f->second_count--)
		see_second(f, &f->seconds[f->second_count - 1]);
}
