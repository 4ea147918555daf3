/* SPDX-License-Identifier: Apache-2.0 */
#include "summary-internal.h"

#include "base/hash.h"
#include "json/num.h"

#include <stdlib.h>
#include <string.h>

enum {
	BYTES_MAX = 4 << 20, /* of all values that are told apart */
	TEXT_MAX = 512,      /* of one; what is longer is not */
	HOUR_S = 3600,
	HOUR_TEXT = 13, /* "2026-01-02T03" */
	ROOM = 64,
	EXACT_DIGITS = 15,
};

/* Milliseconds; a sum of many stays exact enough. */
#define DURATION_MAX 1e15

const char *const summary_names[TALLIES] = { "event", "outcome", "code",
	"capability", "principal", "hour" };

struct summary *
summary_new(struct places *places)
{
	static const char *const pointers[TALLIES] = {
		[BY_EVENT] = "/event_type",
		[BY_OUTCOME] = "/outcome",
		[BY_CODE] = "/metadata/x_wv_code",
		[BY_CAPABILITY] = "/capability_id",
		[BY_PRINCIPAL] = "/principal",
		[BY_HOUR] = "/timestamp",
	};
	struct summary *summary = wv_xcalloc(1, sizeof(*summary));

	for (size_t i = 0; i < TALLIES; i++) {
		struct tally *tally = &summary->tallies[i];
		tally->place = (size_t)places_add(places, pointers[i]);
		tally->room = ROOM;
		tally->slots = wv_xcalloc(ROOM, sizeof(*tally->slots));
	}
	summary->duration =
		(size_t)places_add(places, "/metadata/x_wv_trace/duration_ms");
	return summary;
}

void
summary_free(struct summary *summary)
{
	for (size_t i = 0; i < TALLIES; i++) {
		struct tally *tally = &summary->tallies[i];
		for (size_t k = 0; k < tally->room; k++)
			free(tally->slots[k]);
		free(tally->slots);
	}
	free(summary);
}

static struct entry **
slot_of(const struct tally *tally, const char *s, size_t n, uint64_t hash)
{
	size_t i = hash & (tally->room - 1);

	for (;; i = (i + 1) & (tally->room - 1)) {
		struct entry *entry = tally->slots[i];
		if (entry == NULL ||
			(entry->hash == hash && entry->n == n &&
				memcmp(entry->text, s, n) == 0))
			return &tally->slots[i];
	}
}

static void
grow(struct tally *tally)
{
	struct entry **old = tally->slots;
	size_t room = tally->room;

	tally->room *= 2;
	tally->slots = wv_xcalloc(tally->room, sizeof(*tally->slots));
	for (size_t i = 0; i < room; i++)
		if (old[i] != NULL)
			*slot_of(tally, old[i]->text, old[i]->n, old[i]->hash) =
				old[i];
	free(old);
}

/* One that has not been there lately. */
static struct entry *
find_entry(
	struct summary *summary, struct tally *tally, const char *s, size_t n)
{
	uint64_t hash = wv_hash(s, n);
	struct entry **slot = slot_of(tally, s, n, hash);
	size_t size = sizeof(**slot) + n;

	if (*slot != NULL)
		return *slot;
	if (n > TEXT_MAX || summary->bytes + size > BYTES_MAX)
		return NULL;
	summary->bytes += size;
	*slot = wv_xcalloc(1, size);
	(*slot)->hash = hash;
	(*slot)->n = n;
	memcpy((*slot)->text, s, n);
	struct entry *entry = *slot;
	if (++tally->count * 2 > tally->room)
		grow(tally);
	return entry;
}

/* What differs between values like agent-17 and agent-18 is at their end; who
 * crafts others loses only time. */
static inline uint64_t
end_of(const char *s, size_t n)
{
	uint64_t end = 0;

	if (n >= sizeof(end))
		memcpy(&end, s + n - sizeof(end), sizeof(end));
	else
		memcpy(&end, s, n);
	return end;
}

static inline struct entry *
find(struct summary *summary, struct tally *tally, const char *s, size_t n)
{
	uint64_t end = end_of(s, n);
	struct memo *memo =
		&tally->memo[(end + n) * UINT64_C(0x9e3779b97f4a7c15) >> 56];

	if (memo->entry != NULL && memo->end == end && memo->entry->n == n &&
		(n <= sizeof(end) ||
			memcmp(memo->entry->text, s, n - sizeof(end)) == 0))
		return memo->entry;
	struct entry *entry = find_entry(summary, tally, s, n);
	if (entry != NULL)
		*memo = (struct memo){ end, entry };
	return entry;
}

static inline struct entry *
count_value(
	struct summary *summary, enum tally_kind kind, const struct line *line)
{
	struct tally *tally = &summary->tallies[kind];
	struct found found = line_at(line, tally->place);
	struct entry *entry;

	if (found.kind != FOUND_STRING) {
		tally->none++;
		return NULL;
	}
	entry = find(summary, tally, found.text.s, found.text.n);
	if (entry == NULL)
		tally->others++;
	else
		entry->count++;
	return entry;
}

static void
count_hour(struct summary *summary, struct wv_time time)
{
	struct tally *tally = &summary->tallies[BY_HOUR];
	int64_t hour = (time.sec - (time.sec < 0 ? HOUR_S - 1 : 0)) / HOUR_S;
	char text[WV_TIME_TEXT];

	if (summary->hour_entry == NULL || summary->hour != hour) {
		wv_time_print(text, time);
		summary->hour = hour;
		summary->hour_entry = find(summary, tally, text, HOUR_TEXT);
	}
	if (summary->hour_entry == NULL)
		tally->others++;
	else
		summary->hour_entry->count++;
}

/* A whole number of few digits is exact as a double. */
static bool
read_duration(double *ms, const struct found *found)
{
	char text[LINE_NUMBER];
	cJSON room;
	uint64_t whole = 0;
	size_t i = 0;

	if (found->kind == FOUND_NUMBER && found->text.n <= EXACT_DIGITS) {
		for (; i < found->text.n &&
			(unsigned char)(found->text.s[i] - '0') < 10;
			i++)
			whole = whole * 10 + (uint64_t)(found->text.s[i] - '0');
		*ms = (double)whole;
		if (i == found->text.n)
			return true;
	}
	const cJSON *number = line_number(found, &room, text);
	if (number == NULL)
		return false;
	*ms = wv_num_double(number);
	return true;
}

static void
count_run(struct summary *summary, struct entry *capability,
	const struct line *line)
{
	struct found found = line_at(line, summary->duration);
	double ms;

	if (capability == NULL || !read_duration(&ms, &found) ||
		!(ms >= 0 && ms < DURATION_MAX))
		return;
	capability->runs++;
	capability->total += ms;
	if (ms > capability->longest)
		capability->longest = ms;
}

void
summary_add(struct summary *summary, const struct line *line)
{
	if (summary->count == 0 || wv_time_cmp(line->time, summary->first) < 0)
		summary->first = line->time;
	if (summary->count == 0 || wv_time_cmp(line->time, summary->last) > 0)
		summary->last = line->time;
	summary->count++;
	for (int kind = 0; kind < BY_HOUR; kind++) {
		struct entry *entry =
			count_value(summary, (enum tally_kind)kind, line);
		if (kind == BY_CAPABILITY)
			count_run(summary, entry, line);
	}
	count_hour(summary, line->time);
}

/* as bytes */

void
summary_pack(const struct summary *summary, struct wv_str *to)
{
	wv_str_add(to, summary, sizeof(*summary));
	for (size_t i = 0; i < TALLIES; i++) {
		const struct tally *tally = &summary->tallies[i];
		for (size_t k = 0; k < tally->room; k++) {
			const struct entry *entry = tally->slots[k];
			if (entry == NULL)
				continue;
			wv_str_add(to, entry, sizeof(*entry) + entry->n);
		}
	}
}

static bool
get(void *to, size_t n, const char **p, const char *end)
{
	if ((size_t)(end - *p) < n)
		return false;
	memcpy(to, *p, n);
	*p += n;
	return true;
}

static bool
add_entry(struct summary *summary, struct tally *tally, const char **p,
	const char *end)
{
	struct entry got;
	struct entry *entry;

	if (!get(&got, sizeof(got), p, end) || (size_t)(end - *p) < got.n)
		return false;
	entry = find(summary, tally, *p, got.n);
	*p += got.n;
	if (entry == NULL) {
		tally->others += got.count;
		return true;
	}
	entry->count += got.count;
	entry->runs += got.runs;
	entry->total += got.total;
	if (got.longest > entry->longest)
		entry->longest = got.longest;
	return true;
}

bool
summary_unpack(struct summary *summary, const char *p, size_t n)
{
	const char *end = p + n;
	struct summary got;

	if (!get(&got, sizeof(got), &p, end))
		return false;
	if (got.count == 0)
		return true;
	if (summary->count == 0 || wv_time_cmp(got.first, summary->first) < 0)
		summary->first = got.first;
	if (summary->count == 0 || wv_time_cmp(got.last, summary->last) > 0)
		summary->last = got.last;
	summary->count += got.count;
	for (size_t i = 0; i < TALLIES; i++) {
		summary->tallies[i].none += got.tallies[i].none;
		summary->tallies[i].others += got.tallies[i].others;
		for (size_t k = 0; k < got.tallies[i].count; k++)
			if (!add_entry(summary, &summary->tallies[i], &p, end))
				return false;
	}
	return true;
}
