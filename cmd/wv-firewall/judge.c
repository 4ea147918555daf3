/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include "baseline.h"

#include "base/digest.h"
#include "firewall/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
judge_begin(struct judge *j, const char *source, size_t line)
{
	j->record = wv_alloc_zero(j->arena, sizeof *j->record);
	j->record->source = wv_dup(j->arena, source);
	j->record->line = line;
	j->count = 0;
}

static void
hear(void *arg, const struct wv_spot *spot)
{
	struct judge *j = arg;
	struct finding *f = wv_alloc_zero(j->arena, sizeof *f);

	f->kind = wv_dup(j->arena, spot->kind);
	f->pointer = spot->pointer ? wv_dup(j->arena, spot->pointer) : NULL;
	f->offset = spot->offset;
	f->end = spot->offset + spot->length;
	f->is_raw = spot->is_raw && spot->pointer == NULL;
	f->is_flag = strncmp(spot->kind, "injection-", 10) == 0 &&
		j->options->injection == WV_INJECTION_FLAG;
	j->found = wv_list_room(j->found, j->count, sizeof *j->found);
	j->found[j->count++] = f;
}

bool
line_allows(const char *line, size_t n, const char *kind)
{
	static const char word[] = "wv:allow";
	const char *end = line + n, *p = line;

	while ((p = memmem(p, (size_t)(end - p), word, sizeof word - 1)) !=
		NULL) {
		p += sizeof word - 1;
		while (p < end && (*p == ' ' || *p == ',')) {
			const char *start = ++p;
			while (p < end &&
				((*p >= 'a' && *p <= 'z') || *p == '-' ||
					(*p >= '0' && *p <= '9')))
				p++;
			if ((size_t)(p - start) == strlen(kind) &&
				memcmp(start, kind, (size_t)(p - start)) == 0)
				return true;
			if (p == start && p < end && *p != ' ')
				break;
		}
	}
	return false;
}

/* A line with what was found in it. */
struct line {
	const char *s;
	size_t n, first, end; /* findings that begin in it */
};

static struct line
line_of(const struct judge *j, const struct piece *piece, size_t first)
{
	const struct finding *f = j->found[first];
	struct line line = { .first = first, .end = first + 1 };
	const char *s = piece->raw + f->offset - (f->column - 1);
	const char *lf = memchr(s, '\n', piece->len - (size_t)(s - piece->raw));

	line.s = s;
	line.n = lf != NULL ? (size_t)(lf - s)
			    : piece->len - (size_t)(s - piece->raw);
	while (line.end < j->count && j->found[line.end]->line == f->line)
		line.end++;
	return line;
}

static void
digest_add(struct wv_sha256 *sha256, const char *s)
{
	wv_sha256_add(sha256, s, strlen(s) + 1);
}

/* The line with the kinds of what was found in place of it: what stands around
 * a secret says which it is, and nothing of it. */
static void
digest_line(char hex[WV_SHA256_HEX], const struct judge *j,
	const struct piece *piece, const struct line *line)
{
	size_t at = (size_t)(line->s - piece->raw), end = at + line->n;
	unsigned char digest[WV_SHA256];
	struct wv_sha256 sha256;

	wv_sha256_start(&sha256);
	for (size_t i = line->first; i < line->end; i++) {
		const struct finding *f = j->found[i];
		if (f->offset > at)
			wv_sha256_add(&sha256, piece->raw + at, f->offset - at);
		digest_add(&sha256, f->kind);
		at = f->end > at ? f->end : at;
	}
	if (at < end)
		wv_sha256_add(&sha256, piece->raw + at, end - at);
	wv_sha256_end(&sha256, digest);
	wv_hex(hex, digest, sizeof digest);
}

/* Of all but the source, and which of several that are alike it is. */
static void
fingerprint(struct finding *f, const char *line)
{
	unsigned char digest[WV_SHA256];
	struct wv_sha256 sha256;

	wv_sha256_start(&sha256);
	digest_add(&sha256, f->kind);
	digest_add(&sha256, f->pointer != NULL ? "pointer" : "line");
	digest_add(&sha256, f->pointer != NULL ? f->pointer : line);
	wv_sha256_end(&sha256, digest);
	wv_hex(f->fingerprint, digest, (FINGERPRINT - 1) / 2);
}

static bool
counts(const struct piece *piece, const struct finding *f)
{
	if (piece->counted == NULL)
		return true;
	for (size_t i = f->line; i <= f->last_line; i++)
		if (piece->counted[i - piece->first_line])
			return true;
	return false;
}

static void
keep(struct finding *f, struct finding ***last)
{
	f->next = NULL;
	**last = f;
	*last = &f->next;
}

/* What a line says of the kinds that were asked for. */
struct said {
	struct said_of {
		const char *kind;
		bool allows;
	} * of;
	size_t count;
};

/* A line may be as long as the input: it is read once for each kind. */
static bool
says(struct said *said, const struct line *line, const char *kind)
{
	for (size_t i = 0; i < said->count; i++)
		if (strcmp(said->of[i].kind, kind) == 0)
			return said->of[i].allows;
	said->of = wv_list_room(said->of, said->count, sizeof *said->of);
	struct said_of *of = &said->of[said->count++];
	*of = (struct said_of){ kind, line_allows(line->s, line->n, kind) };
	return of->allows;
}

/* What is in JSON has a pointer, which says more than its line. */
static bool
wants_digest(const struct judge *j, const struct line *line)
{
	for (size_t i = line->first; i < line->end; i++)
		if (j->found[i]->pointer == NULL)
			return true;
	return false;
}

static void
take_line(struct judge *j, const struct piece *piece, const struct line *line,
	struct finding ***last)
{
	struct said said = { 0 };
	char hex[WV_SHA256_HEX] = "";

	if (j->has_fingerprints && wants_digest(j, line))
		digest_line(hex, j, piece, line);
	for (size_t i = line->first; i < line->end; i++) {
		struct finding *f = j->found[i];
		if (j->has_fingerprints)
			fingerprint(f, hex);
		if (!counts(piece, f))
			continue;
		if (piece->allows && f->pointer == NULL &&
			says(&said, line, f->kind))
			j->allowed++;
		else
			keep(f, last);
	}
	free(said.of);
}

static struct finding **
last_of(struct record *record)
{
	struct finding **last = &record->findings;

	while (*last != NULL)
		last = &(*last)->next;
	return last;
}

static enum wv_form
judge_narrow(struct judge *j, const struct piece *piece)
{
	struct wv_findings findings = { .spot = hear, .spot_arg = j };
	struct finding **last = last_of(j->record);
	bool is_cleaned;

	j->count = 0;
	enum wv_form form = wv_firewall_judge(&j->work, piece->raw, piece->len,
		piece->as_text, j->options, &findings, &is_cleaned);
	j->binary += form == WV_FORM_BINARY;
	if (j->count > 0)
		place_findings(j->found, j->count, piece, form, is_cleaned);
	for (size_t i = 0; i < j->count;) {
		struct line line = line_of(j, piece, i);
		take_line(j, piece, &line, &last);
		i = line.end;
	}
	wv_arena_reset(&j->work);
	return form;
}

enum wv_form
judge_piece(struct judge *j, const struct piece *piece)
{
	struct wv_findings ignored = { 0 };
	struct wv_str narrow = { 0 };
	struct piece decoded = *piece;
	struct wv_wide wide;

	if (piece->len == 0 || !wv_wide_read(&wide, piece->raw, piece->len))
		return judge_narrow(j, piece);
	wv_wide_decode(&narrow, &wide, piece->raw + wide.mark,
		piece->len - wide.mark, true, &ignored);
	memset(wv_str_room(&narrow, WV_JSON_SLACK), 0, WV_JSON_SLACK);
	decoded.raw = narrow.s;
	decoded.len = narrow.n;
	enum wv_form form = judge_narrow(j, &decoded);
	wv_str_free(&narrow);
	return form;
}

struct alike {
	struct finding *finding;
	size_t order;
};

static int
by_fingerprint(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;
	int order = strcmp(x->finding->fingerprint, y->finding->fingerprint);

	return order != 0 ? order
			  : (x->order > y->order) - (x->order < y->order);
}

static void
finish(struct finding *f, const char *source, size_t ordinal)
{
	unsigned char digest[WV_SHA256];
	struct wv_sha256 sha256;
	char number[24];

	snprintf(number, sizeof number, "%zu", ordinal);
	wv_sha256_start(&sha256);
	digest_add(&sha256, f->fingerprint);
	digest_add(
		&sha256, strncmp(source, "./", 2) == 0 ? source + 2 : source);
	digest_add(&sha256, number);
	wv_sha256_end(&sha256, digest);
	wv_hex(f->fingerprint, digest, (FINGERPRINT - 1) / 2);
}

/* Tells those that are alike apart by their order. */
static void
finish_fingerprints(const struct record *record)
{
	struct alike *all;
	size_t count = 0, i = 0;

	for (struct finding *f = record->findings; f != NULL; f = f->next)
		count++;
	all = wv_xcalloc(count + 1, sizeof *all);
	for (struct finding *f = record->findings; f != NULL; f = f->next, i++)
		all[i] = (struct alike){ f, i };
	qsort(all, count, sizeof *all, by_fingerprint);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count &&
			strcmp(all[end].finding->fingerprint,
				all[first].finding->fingerprint) == 0;)
			end++;
		for (i = end; i-- > first;)
			finish(all[i].finding, record->source, i - first);
	}
	free(all);
}

struct record *
judge_end(struct judge *j)
{
	struct record *record = j->record;
	struct finding **last = &record->findings;

	if (j->has_fingerprints)
		finish_fingerprints(record);
	for (struct finding *f = record->findings, *next; f; f = next) {
		next = f->next;
		if (j->baseline != NULL &&
			baseline_knows(j->baseline, record->source, f)) {
			j->known++;
			continue;
		}
		*last = f;
		last = &f->next;
		record->count += !f->is_flag;
	}
	*last = NULL;
	return record;
}

void
judge_free(struct judge *j)
{
	wv_arena_free(&j->work);
	free(j->found);
}

void
record_sum(const struct record *record, struct wv_arena *arena,
	struct wv_findings *findings)
{
	for (const struct finding *f = record->findings; f; f = f->next)
		wv_findings_add(findings, arena, f->kind);
}
