/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine over words.  Each element of a rule remembers the latest place to
 * which the rule matched so far; with gaps that are bounded above the latest
 * is as good as any, so a word costs as many steps as it has elements.
 *
 * What a word does to those after it ends SPAN bytes after it begins, so that
 * a scan that begins anywhere MARGIN before a place finds there what a scan of
 * the whole finds.
 */
#include "firewall/inject-filter.h"

#include <stdlib.h>
#include <string.h>

enum {
	RING = 16,   /* words back; longer than every phrase */
	NEAR = 350,  /* bytes between signs that stand for each other */
	AHEAD = 160, /* bytes looked at after a finding */
	AHEAD_WORDS = 10,
	SPAN = WV_FILTER_SPAN,
	LAST = 128, /* bytes of a last word, at most, that count where signs are
		     * near */
	MARGIN = 2 * SPAN + 384, /* words with tags, marks, braces: no longer */
	ELEMENTS = 1024,
	ENOUGH = 16384, /* bytes that tell what text it is */
};
_Static_assert((int)RING > (int)WV_PHRASE_WORDS, "phrases fit the ring");
_Static_assert(2 * SPAN + LAST + NEAR + WV_PLACE_NAME <=
		(int)WV_FILTER_NEAR * (int)WV_FILTER_CHUNK,
	"signs that are near are seen near");

/* To where an element's rule matched. */
struct reached {
	size_t word; /* number of its last word, from 1 on; 0: not yet */
	size_t start;
};

struct seen {
	struct wv_token token;
	bool order;    /* an order may begin here */
	size_t origin; /* of what allows it */
	unsigned does; /* enum wv_inject_does */
};

struct sign {
	const struct wv_inject_rule *rule; /* NULL: none */
	size_t start, end;
	size_t near; /* what is near is counted from here */
	bool told;   /* in found, or never to be */
};

struct scan {
	const struct wv_inject_table *table;
	const char *s;
	size_t n;
	struct wv_normal normal;
	struct wv_injection *found;
	size_t max, count, steps;
	size_t words; /* number of the present one */
	struct seen ring[RING];
	bool must, lead, block; /* what the word is */
	bool carry;             /* an order may follow it */
	size_t origin;          /* of the carry */
	size_t active;          /* the last that was an element */
	size_t ordered; /* number of the last word that may be an order */
	size_t ordered_origin;
	struct wv_token held; /* read, not taken: count is not 0 */
	struct sign last;
	struct reached reached[ELEMENTS];
};

static struct seen *
seen_at(struct scan *scan, size_t word)
{
	return &scan->ring[word % RING];
}

static void
tell(struct scan *scan, const char *kind, size_t start, size_t end)
{
	struct wv_injection *last =
		scan->count ? &scan->found[scan->count - 1] : NULL;

	if (kind == NULL)
		return;
	if (last != NULL && start < last->end) {
		if (last->kind == kind && end > last->end)
			last->end = end;
		return;
	}
	if (scan->count < scan->max)
		scan->found[scan->count++] =
			(struct wv_injection){ kind, start, end };
}

/* What comes after end: whether its first word begins a clause, or there is
 * none; whether it says that something else was meant. */
static void
look_ahead(struct scan *scan, size_t end, bool *ends, bool *other)
{
	struct wv_normal p = scan->normal;
	struct wv_token token;

	if (p.n > end + AHEAD)
		p.n = wv_character_start(scan->s, end + AHEAD);
	p.all = true;
	*ends = true;
	*other = false;
	for (size_t i = 0; i < AHEAD_WORDS && wv_normal_next(&p, &token); i++) {
		if (token.sentence)
			break;
		if (i == 0) {
			*ends = token.clause || token.soft ||
				wv_inject_word_is(
					scan->table, &token, WV_CLASS_AND);
			*other = !token.clause &&
				wv_inject_word_is(
					scan->table, &token, WV_CLASS_AFTER);
		}
		if (wv_inject_word_is(scan->table, &token, WV_CLASS_AI))
			*other = false;
	}
	scan->steps += p.steps - scan->normal.steps;
}

/* A rule has matched. */
static void
judge(struct scan *scan, const struct wv_inject_rule *rule, size_t start)
{
	const struct wv_token *token = &seen_at(scan, scan->words)->token;
	size_t end = token->end;
	struct sign *last = &scan->last;
	bool strong = rule->weight == WV_INJECT_STRONG, ends, other;

	if (rule->weight >= WV_INJECT_STRONG_LAST) {
		look_ahead(scan, end, &ends, &other);
		if (rule->weight == WV_INJECT_STRONG_ALONE && other)
			return;
		strong = rule->weight == WV_INJECT_STRONG_ALONE || ends;
	}
	if (wv_inject_is_mention(
		    scan->table, scan->s, scan->n, start, end, &scan->steps))
		return;
	bool near = last->rule != NULL && start >= last->end &&
		start <= last->near + NEAR && (last->rule != rule || strong);
	if (last->rule != NULL && last->rule != rule && !strong && !near &&
		start < last->end)
		return; /* the same words */
	if (near && !last->told)
		tell(scan, last->rule->kind, last->start, last->end);
	if (near || strong)
		tell(scan, rule->kind, start, end);
	size_t most = token->start + LAST;
	*last = (struct sign){ rule, start, end, end < most ? end : most,
		near || strong };
}

/* An order may follow the present word, which ends the class that began with
 * seen. */
static void
carry(struct scan *scan, size_t class, const struct seen *seen)
{
	size_t at = seen_at(scan, scan->words)->token.start;

	if (class == WV_CLASS_MUST) {
		scan->must = true;
		scan->origin = at;
	} else if (class > WV_CLASS_AND || scan->must) {
		return;
	} else if (seen->order) {
		scan->lead = true;
		scan->origin = seen->origin;
	} else if (class == WV_CLASS_AND && scan->ordered != 0 &&
		scan->ordered >= scan->normal.sentence && !scan->lead) {
		scan->lead = true;
		scan->origin = scan->ordered_origin;
	}
}

/* A class was seen, from word first to the present one. */
static void
step(struct scan *scan, size_t class, size_t first)
{
	const struct wv_inject_table *t = scan->table;
	const struct seen *seen = seen_at(scan, first);
	size_t at = seen_at(scan, scan->words)->token.start;

	carry(scan, class, seen);
	for (uint16_t l = t->class_elements[class]; l != 0;
		l = t->links[l].next) {
		uint16_t e = t->links[l].what;
		const struct wv_inject_element *element = &t->elements[e];
		struct reached *to = &scan->reached[e], *from = to - 1;
		size_t start = seen->token.start;
		scan->steps++;
		if (element->order && !seen->order)
			continue;
		/* named classes are verbs */
		if (element->order && class < wv_inject_class_count) {
			scan->ordered = first;
			scan->ordered_origin = seen->origin;
		}
		if (!element->first) {
			if (from->word < scan->normal.sentence ||
				from->word == 0 || first <= from->word ||
				first - from->word - 1 > element->gap ||
				at - from->start > SPAN)
				continue;
			start = from->start;
		}
		*to = (struct reached){ scan->words, start };
		scan->active = scan->words;
		if (element->last)
			judge(scan, &wv_inject_rules[element->rule], start);
	}
}

static bool
has_word(const struct seen *seen, size_t number, uint16_t word)
{
	const struct wv_token *token = &seen->token;

	if (token->number != number)
		return false;
	for (size_t i = 0; i < token->count; i++)
		if (token->words[i] == word)
			return true;
	return false;
}

/* The present word ends the phrase. */
static bool
is_phrase(struct scan *scan, const struct wv_inject_phrase *phrase)
{
	size_t first = scan->words + 1 - phrase->count;

	if (scan->words < phrase->count || first < scan->normal.sentence)
		return false;
	if (seen_at(scan, scan->words)->token.start -
			seen_at(scan, first)->token.start >
		SPAN)
		return false;
	for (size_t i = 0; i + 1 < phrase->count; i++)
		if (!has_word(seen_at(scan, first + i), first + i,
			    phrase->words[i]))
			return false;
	return true;
}

/* phrases: the word before may be of one. */
static void
step_word(struct scan *scan, uint16_t word, bool phrases)
{
	const struct wv_inject_table *t = scan->table;

	for (uint16_t l = t->word_classes[word]; l != 0; l = t->links[l].next)
		step(scan, t->links[l].what, scan->words);
	if (!phrases)
		return;
	for (uint16_t l = t->word_phrases[word]; l != 0; l = t->links[l].next) {
		const struct wv_inject_phrase *phrase =
			&t->phrases[t->links[l].what];
		scan->steps++;
		if (is_phrase(scan, phrase))
			step(scan, phrase->class,
				scan->words + 1 - phrase->count);
	}
}

/* What the word may do though no rule has begun. */
static bool
begins(const struct seen *seen, bool phrases)
{
	return seen->does & WV_DOES_BEGIN ||
		(seen->does & WV_DOES_ORDER && seen->order) ||
		(seen->does & WV_DOES_END && phrases);
}

static void
take(struct scan *scan, const struct wv_token *token)
{
	struct seen *seen = seen_at(scan, token->number);
	const struct seen *before = seen_at(scan, token->number - 1);

	if (token->number != scan->words + 1 ||
		token->start - before->token.start > SPAN)
		scan->carry = scan->block = false;
	scan->carry = scan->carry && token->start - scan->origin <= SPAN;
	scan->words = token->number;
	bool own = (token->clause || (token->soft && !scan->block)) &&
		!wv_normal_is_quoted(scan->s, scan->n, token->start);
	*seen = (struct seen){ *token, own || scan->carry,
		own ? token->start : scan->origin, 0 };
	for (size_t i = 0; i < token->count; i++)
		seen->does |= scan->table->word_does[token->words[i]];
	scan->must = scan->lead = scan->carry = false;
	scan->block = seen->does & WV_DOES_BLOCK;
	bool phrases = before->token.number + 1 == token->number &&
		before->does & WV_DOES_PART;
	if (scan->words - scan->active > WV_GAP_MAX + WV_PHRASE_WORDS &&
		!begins(seen, phrases))
		return;
	for (size_t i = 0; i < token->count; i++)
		step_word(scan, token->words[i], phrases);
	scan->carry = scan->must || scan->lead;
}

static void
begin(struct scan *scan, const char *s, size_t n, struct wv_injection *found,
	size_t max)
{
	const struct wv_inject_table *table = wv_inject_table();

	if (table->element_count > ELEMENTS)
		abort();
	memset(scan, 0, offsetof(struct scan, reached));
	memset(scan->reached, 0, table->element_count * sizeof(*scan->reached));
	scan->table = table;
	scan->s = s;
	scan->n = n;
	scan->found = found;
	scan->max = max;
	wv_normal_start(&scan->normal, table->words, s, n);
}

/* Takes the words that begin before to. */
static void
run(struct scan *scan, size_t to)
{
	struct wv_token *token = &scan->held;

	while (scan->count < scan->max) {
		if (token->count == 0 && !wv_normal_next(&scan->normal, token))
			return;
		if (token->start >= to)
			return;
		take(scan, token);
		token->count = 0;
	}
}

/*
 * Begins at a line or a string MARGIN or more before from; goes on if it is
 * there already.
 */
static void
skip_to(struct scan *scan, size_t from)
{
	const char *s = scan->s;
	size_t at = from > MARGIN ? from - MARGIN : 0;

	while (at > scan->normal.at &&
		((s[at - 1] != '\n' && s[at - 1] != '"') ||
			!wv_normal_is_word(s, scan->n, at)))
		at--;
	if (at <= scan->normal.at)
		return;
	size_t count = scan->count, opened = scan->normal.opened;
	begin(scan, s, scan->n, scan->found, scan->max);
	scan->count = count;
	scan->normal.at = at;
	scan->normal.opened = opened;
}

size_t
wv_inject_scan_all(const char *s, size_t n, struct wv_injection *found,
	size_t max, size_t *steps)
{
	struct scan scan;

	begin(&scan, s, n, found, max);
	run(&scan, n);
	*steps = scan.steps + scan.normal.steps;
	return scan.count;
}

size_t
wv_inject_scan(const char *s, size_t n, struct wv_injection *found, size_t max)
{
	struct wv_filter filter;
	struct scan scan;
	size_t from, to, looked = 0;
	bool begun = false;

	wv_filter_start(&filter, s, n, 0);
	while (wv_filter_next(&filter, &from, &to)) {
		if (!begun)
			begin(&scan, s, n, found, max);
		begun = true;
		skip_to(&scan, from);
		looked += to - from + MARGIN;
		if (to > ENOUGH && looked > to / 2) {
			run(&scan, n); /* the filter does not pay */
			break;
		}
		run(&scan, to);
	}
	return begun ? scan.count : 0;
}
