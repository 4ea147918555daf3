/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/known-internal.h"
#include "firewall/scan-internal.h"

#include <stdlib.h>
#include <string.h>

const char wv_known_kind[] = "known-secret";

enum { FIRST_ROOM = 1024 };

struct wv_known *
wv_known_new(void)
{
	struct wv_known *known = wv_xcalloc(1, sizeof(*known));

	known->room = FIRST_ROOM;
	known->count = 1;
	known->states = wv_xcalloc(FIRST_ROOM, sizeof(*known->states));
	return known;
}

static void
free_states(struct wv_known *known)
{
	explicit_bzero(known->states, known->room * sizeof(*known->states));
	free(known->states);
}

void
wv_known_free(struct wv_known *known)
{
	if (known == NULL)
		return;
	free_states(known);
	explicit_bzero(known, sizeof(*known));
	free(known);
}

/* No copy of the old ones stays behind. */
static uint32_t
new_state(struct wv_known *known)
{
	if (known->count == known->room) {
		struct wv_state *more =
			wv_xcalloc(2 * known->room, sizeof(*more));
		memcpy(more, known->states, known->room * sizeof(*more));
		free_states(known);
		known->states = more;
		known->room *= 2;
	}
	return (uint32_t)known->count++;
}

static uint32_t
child_of(const struct wv_known *known, uint32_t at, unsigned char byte)
{
	uint32_t child = known->states[at].child;

	while (child != 0 && known->states[child].byte != byte)
		child = known->states[child].next;
	return child;
}

void
wv_known_put(struct wv_known *known, const char *s, size_t n, bool is_cut)
{
	uint32_t at = 0;

	if (n == 0 || n > INT32_MAX)
		return;
	for (size_t i = 0; i < n; i++) {
		unsigned char byte = (unsigned char)s[i];
		uint32_t child = child_of(known, at, byte);
		if (child == 0) {
			child = new_state(known);
			known->states[child] = (struct wv_state){
				.next = known->states[at].child,
				.depth = (uint32_t)i + 1,
				.byte = byte,
			};
			known->states[at].child = child;
		}
		at = child;
	}
	known->states[at].match = (uint32_t)n;
	known->states[at].is_cut = is_cut;
}

static uint32_t
step(const struct wv_known *known, uint32_t at, unsigned char byte)
{
	for (;;) {
		uint32_t child = child_of(known, at, byte);
		if (child != 0 || at == 0)
			return child;
		at = known->states[at].fail;
	}
}

/* A parent is done before its children, all of one depth before the next. */
static void
link_state(struct wv_known *known, uint32_t at)
{
	struct wv_state *states = known->states;

	for (uint32_t child = states[at].child; child != 0;
		child = states[child].next) {
		uint32_t fail = at == 0
			? 0
			: step(known, states[at].fail, states[child].byte);
		states[child].fail = fail;
		if (states[child].match == 0) {
			states[child].match = states[fail].match;
			states[child].is_cut = states[fail].is_cut;
		}
	}
}

void
wv_known_ready(struct wv_known *known)
{
	uint32_t *queue = wv_xcalloc(known->count, sizeof(*queue));
	size_t first = 0, end = 1;

	for (; first < end; first++) {
		link_state(known, queue[first]);
		for (uint32_t child = known->states[queue[first]].child;
			child != 0; child = known->states[child].next)
			queue[end++] = child;
	}
	for (size_t i = 1; i < known->count; i++) {
		const struct wv_state *a = &known->states[i];
		if (a->depth != 1)
			continue;
		for (uint32_t c = a->child; c != 0; c = known->states[c].next) {
			unsigned pair =
				(unsigned)a->byte << 8 | known->states[c].byte;
			known->pairs[pair / 64] |= UINT64_C(1) << pair % 64;
		}
	}
	free(queue);
	known->ready = true;
}

/* Where a value may begin next. */
static size_t
skip(const struct wv_known *known, const unsigned char *s, size_t n, size_t at)
{
	for (; at + 1 < n; at++) {
		unsigned pair = (unsigned)s[at] << 8 | s[at + 1];
		if (known->pairs[pair / 64] >> pair % 64 & 1)
			break;
	}
	return at;
}

static void
add(struct wv_hits *hits, size_t own, const char *s, size_t n, size_t from,
	const struct wv_state *state, size_t end)
{
	size_t start = end - state->match;

	if (state->is_cut && start > from &&
		wv_is_class(s[start - 1], WV_BASE64 | WV_BASE64URL))
		start--;
	if (state->is_cut && end < n &&
		wv_is_class(s[end], WV_BASE64 | WV_BASE64URL))
		end++;
	/* A mark of ours is not to be marked. */
	for (size_t i = start; i > from && start - i < WV_REACH; i--) {
		if (s[i - 1] == ']' || s[i - 1] <= ' ')
			break;
		if (s[i - 1] == '[' &&
			wv_mark_length(s + i - 1, n - i + 1) != 0)
			return;
	}
	struct wv_hit *last =
		hits->count > own ? &hits->at[hits->count - 1] : NULL;
	if (last != NULL && start <= last->end) {
		last->start = start < last->start ? start : last->start;
		last->end = end > last->end ? end : last->end;
	} else {
		wv_hits_add(hits, start, end, wv_known_kind);
	}
}

void
wv_known_find(const struct wv_known *known, const char *s, size_t n,
	size_t from, struct wv_hits *hits, size_t *live)
{
	size_t own = hits->count;
	uint32_t at = 0;

	if (known == NULL || known->count == 1)
		return;
	for (size_t i = from; i < n; i++) {
		if (at == 0)
			i = skip(known, (const unsigned char *)s, n, i);
		at = step(known, at, (unsigned char)s[i]);
		const struct wv_state *state = &known->states[at];
		if (state->match != 0)
			add(hits, own, s, n, from, state, i + 1);
	}
	size_t start = n - known->states[at].depth;
	/* The character before may have bits of it. */
	if (live != NULL && start < n && start > from)
		start--;
	if (live != NULL && start < *live)
		*live = start;
}

void
wv_rules_set_known(struct wv_rules *rules, const struct wv_known *known)
{
	rules->known = known;
}

const struct wv_known *
wv_rules_known(const struct wv_rules *rules)
{
	return rules != NULL ? rules->known : NULL;
}
