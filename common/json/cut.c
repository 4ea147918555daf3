/* SPDX-License-Identifier: Apache-2.0 */
#include "json/cut.h"

#include "json/form.h"
#include "json/internal.h"

#include <string.h>

void
wv_cut_start(struct wv_cut *cut, bool documents)
{
	*cut = (struct wv_cut){
		.documents = documents,
		.fresh = true,
		.line = 1,
		.column = 1,
	};
}

/* False while there is too little to tell. */
static bool
skip_bom(struct wv_cut *cut, struct wv_source *source)
{
	const char *begin = source->buf + source->start;
	size_t n = source->end - source->start;

	if (!cut->fresh)
		return true;
	if (n < strlen(WV_BOM) && !source->eof && memcmp(begin, WV_BOM, n) == 0)
		return false;
	source->start += wv_bom_len(begin, n);
	cut->fresh = false;
	return true;
}

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && wv_json_is_space(*p))
		p++;
	return p;
}

static bool
found(struct wv_cut *cut, size_t len, size_t whole, bool ended)
{
	cut->found = true;
	cut->len = len;
	cut->whole = whole;
	cut->ended = ended;
	return true;
}

static bool
find_line(struct wv_cut *cut, struct wv_source *source, size_t max)
{
	for (;;) {
		const char *begin = source->buf + source->start;
		const char *end = source->buf + source->end;
		const char *lf = memchr(begin + cut->scan, '\n',
			(size_t)(end - begin) - cut->scan);
		const char *stop = lf != NULL ? lf : end;
		size_t len = (size_t)(stop - begin);
		size_t whole = len + (lf != NULL);

		cut->scan = len;
		if (!cut->skipping) {
			if (lf == NULL && !source->eof && len <= max)
				return false;
			if (len > max || skip_space(begin, stop) != stop)
				return found(cut, len, whole, lf != NULL);
		}
		cut->scan = 0;
		source->start += whole;
		if (lf == NULL)
			return false;
		cut->skipping = false;
		cut->line++;
	}
}

/* From within a string to what follows it, or to end. */
static const char *
leave_string(struct wv_cut *cut, const char *p, const char *end)
{
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		const char *before = p - 1;
		/* The quote that opened it ends this at the latest. */
		while (*before == '\\')
			before--;
		if ((p++ - before) % 2 == 1) {
			cut->in_string = false;
			return p;
		}
	}
	return end;
}

/* Brings scan to the end of the document; false if that is not there yet. */
static bool
scan_document(struct wv_cut *cut, const char *begin, const char *end)
{
	enum { PLAIN, BREAK, QUOTE, OPEN, CLOSE };
	static const unsigned char kinds[256] = {
		['\t'] = BREAK,
		['\n'] = BREAK,
		['\r'] = BREAK,
		[' '] = BREAK,
		[','] = BREAK,
		[':'] = BREAK,
		['"'] = QUOTE,
		['['] = OPEN,
		['{'] = OPEN,
		[']'] = CLOSE,
		['}'] = CLOSE,
	};
	const char *p = begin + cut->scan;
	bool ended = false;

	while (p < end && !ended) {
		if (cut->in_string) {
			p = leave_string(cut, p, end);
			ended = cut->depth == 0 && !cut->in_string;
			continue;
		}
		int kind = kinds[(unsigned char)*p];
		/* A number or a word ends before what cannot be part of it. */
		if (cut->depth == 0 && kind != PLAIN && p > begin) {
			ended = true;
			break;
		}
		p++;
		if (kind == QUOTE)
			cut->in_string = true;
		else if (kind == OPEN)
			cut->depth++;
		else if (kind == CLOSE && cut->depth > 0)
			ended = --cut->depth == 0;
		else if (kind != PLAIN)
			ended = cut->depth == 0;
	}
	cut->scan = (size_t)(p - begin);
	return ended;
}

/* Goes on by n bytes, counting lines. */
static void
move(struct wv_cut *cut, struct wv_source *source, size_t n)
{
	const char *p = source->buf + source->start, *end = p + n, *lf;

	while ((lf = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		p = lf + 1;
		cut->line++;
		cut->column = 1;
	}
	cut->column += (size_t)(end - p);
	source->start += n;
}

static bool
find_document(struct wv_cut *cut, struct wv_source *source, size_t max)
{
	const char *begin = source->buf + source->start;
	const char *end = source->buf + source->end;

	if (cut->scan == 0) {
		const char *p = skip_space(begin, end);
		move(cut, source, (size_t)(p - begin));
		begin = p;
	}
	if (begin == end)
		return false;
	bool ended = scan_document(cut, begin, end);
	if (!ended && !source->eof && cut->scan <= max)
		return false;
	return found(cut, cut->scan, cut->scan, ended);
}

static bool
find_whole(struct wv_cut *cut, struct wv_source *source, size_t max)
{
	const char *begin = source->buf + source->start;
	const char *end = source->buf + source->end;
	size_t len = (size_t)(end - begin);

	if (!source->eof && len <= max)
		return false;
	return skip_space(begin, end) != end &&
		found(cut, len, len, source->eof);
}

bool
wv_cut_find(struct wv_cut *cut, struct wv_source *source, size_t max)
{
	if (cut->found)
		return true;
	if (!skip_bom(cut, source))
		return false;
	if (cut->whole_source)
		return find_whole(cut, source, max);
	return cut->documents ? find_document(cut, source, max)
			      : find_line(cut, source, max);
}

bool
wv_cut_take(struct wv_cut *cut, struct wv_source *source, struct wv_record *rec)
{
	*rec = (struct wv_record){
		.source = source->name,
		.line = cut->line,
		.column = cut->column,
		.text = source->buf + source->start,
		.len = cut->len,
		.one_line = true,
		.yaml = cut->whole_source,
	};
	if (cut->documents) {
		move(cut, source, cut->whole);
		rec->one_line = cut->line == rec->line && !rec->yaml;
		cut->in_string = false;
		cut->depth = 0;
	} else {
		cut->line += cut->ended;
		cut->skipping = !cut->ended && !source->eof;
		source->start += cut->whole;
	}
	cut->scan = 0;
	cut->found = false;
	return cut->ended;
}
