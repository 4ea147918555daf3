/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of summaries share.  A summary is a head ("log, 12 lines, 900
 * bytes") and parts, as many as fit; what does not is named or counted at the
 * end.  All of it depends on the content alone: no locale, no hash order.
 */
#ifndef WV_FIREWALL_SUMMARIZE_H
#define WV_FIREWALL_SUMMARIZE_H

#include "firewall/internal.h"

#include <string.h>

/* Work that was done, in bytes and items that were looked at: tests see by it
 * that it grows with the content and no faster. */
extern size_t wv_summary_steps;
#define WV_STEP(n) (wv_summary_steps += (size_t)(n))

enum {
	WV_VALUE_MAX = 60,      /* bytes of a value in a summary */
	WV_LINE_MAX = 120,      /* bytes of a line of text in it */
	WV_DIFFERENT = 256,     /* values of a column that are told apart */
	WV_COLUMNS = 64,        /* of a table that are looked at */
	WV_SAMPLE = 64 << 10,   /* bytes that tell what a text is */
	WV_SAMPLE_LINES = 100,  /* and lines */
	WV_SAMPLE_WIDTH = 1024, /* bytes of each of them */
};

struct wv_line {
	const char *s;
	size_t n;
};
/* The line that begins at *s; false at the end. */
bool wv_next_line(const char **s, const char *end, struct wv_line *line);
struct wv_line wv_trim(const char *s, size_t n);
bool wv_begins(const struct wv_line *line, const char *with);
/* Where a text stands in a line, or NULL. */
const char *wv_find(const struct wv_line *line, const char *what);
/* How many decimal digits stand at s. */
size_t wv_digits(const char *s, const char *end);
/* The next word of a line, taken from it; n is 0 if there is none. */
struct wv_line wv_take_word(struct wv_line *rest);

static inline bool
wv_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool
wv_is_upper(char c)
{
	return (unsigned char)(c - 'A') < 26;
}

static inline bool
wv_is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool
wv_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Of a name in XML or YAML. */
static inline bool
wv_is_name_byte(char c)
{
	return wv_is_letter(c) || wv_is_digit(c) || (unsigned char)c >= 0x80 ||
		c == '_' || c == '-' || c == '.' || c == ':';
}

struct wv_summary {
	struct wv_arena arena;
	const struct wv_content *content;
	const char *s, *end; /* its text */
	struct wv_str out;
	size_t chars;          /* of out */
	size_t most;           /* for parts that leave room; 0: all */
	const char *separator; /* before the next part */
	struct wv_str part;    /* that is being made */
	const char *unit;      /* what parts are, if they have names */
	struct wv_line names[WV_COLUMNS]; /* of parts that did not fit */
	size_t name_count, left_out;
};

/* "name, 12 lines, 900 bytes" */
void wv_sum_head(struct wv_summary *sum, const char *name);
/* A part: what is appended to the string between the two calls.  It has a
 * name if it is one of several that name something; n is 0 otherwise. */
struct wv_str *wv_sum_begin(struct wv_summary *sum);
void wv_sum_end(struct wv_summary *sum, const char *name, size_t n);
/* "label: text", on one line, cut at a word. */
void wv_sum_text(struct wv_summary *sum, const char *label, const char *s,
	size_t n, size_t max);

/* Foreign text on one line, of at most max bytes and an ellipsis, cut at a
 * word and never within a mark. */
void wv_add_inline(struct wv_str *out, const char *s, size_t n, size_t max);
void wv_add_quoted(struct wv_str *out, const char *s, size_t n, size_t max);
void wv_add_count(struct wv_str *out, size_t n, const char *what);

/* summarize-tally.c: how often each of at most `max` different texts came. */
struct wv_tally {
	size_t max; /* set by who makes it; the rest is 0 */
	struct wv_tallied {
		const char *s; /* kept, not copied */
		size_t n, count;
		uint32_t hash;
	} * items;
	size_t count, room;
	uint32_t *index;
	size_t index_room;
	uint64_t key;
	bool more; /* there are others, which are not counted */
};
/* Its item; NULL if it is one too many. */
struct wv_tallied *wv_tally_add(struct wv_tally *tally, struct wv_arena *arena,
	const char *s, size_t n);
/* Sorts by count, then by first sight; nothing can be added any more. */
void wv_tally_sort(struct wv_tally *tally);
/* "open" 20, "closed" 10 (of the most frequent); sorted before. */
void wv_tally_add_top(struct wv_str *out, const struct wv_tally *tally,
	size_t most, size_t width, bool quoted);
/* "12 different" or "more than 256 different" */
void wv_tally_add_count(struct wv_str *out, const struct wv_tally *tally);

/* summarize-column.c: what stands in one column of a table. */
struct wv_measure {
	double value; /* near it */
	bool exact;   /* it is that */
	const cJSON *node;
	const char *s; /* or a cell: its text */
	size_t n;
	char unit; /* %, K … P, or 0 */
};
struct wv_column {
	struct wv_line name;
	size_t numbers, strings, trues, falses, nulls, objects, arrays;
	size_t empty, redacted, dates, links;
	struct wv_measure low, high;
	char unit;              /* of the numbers; '?' if they differ */
	size_t fewest, longest; /* items of an array */
	struct wv_line first, earliest, latest;
	struct wv_tally values;
	const cJSON *object; /* the first */
};
void wv_column_json(
	struct wv_column *column, struct wv_arena *arena, const cJSON *value);
void wv_column_cell(struct wv_column *column, struct wv_arena *arena,
	const char *s, size_t n);
/* summarize-number.c */
void wv_measure_json(struct wv_measure *measure, const cJSON *number);
/* <0, 0, >0 by value */
int wv_measure_compare(const struct wv_measure *a, const struct wv_measure *b);
/* A cell as a number; false if it is none. */
bool wv_measure_cell(struct wv_measure *measure, const char *s, size_t n);
/* What is in it, of so many rows. */
void wv_column_add(struct wv_str *out, struct wv_column *column, size_t rows);
/* What tells most first: 0; what tells nothing, or repeats addresses: last. */
enum { WV_WORTHS = 4 };
int wv_column_worth(const struct wv_column *column);
/* Parts for columns. */
void wv_columns_tell(struct wv_summary *sum, struct wv_column *columns,
	size_t count, size_t rows);

/* summarize-json.c */
void wv_sum_json(struct wv_summary *sum);

/* content-kind.c: kinds of text. */
struct wv_sample {
	const char *s, *end;                   /* of all the text */
	struct wv_line lines[WV_SAMPLE_LINES]; /* not blank, maybe cut */
	size_t count;
};
struct wv_text_kind {
	const char *media_type; /* NULL: wv_table_type() */
	bool (*is)(const struct wv_sample *sample);
	void (*tell)(struct wv_summary *sum);
};
const struct wv_text_kind *wv_text_kind(const char *s, size_t n);
/* That of content, which may be known already. */
const struct wv_text_kind *wv_content_text_kind(
	const struct wv_content *content);
/* The media type of a text that is a table. */
const char *wv_table_type(const char *s, size_t n);
void wv_sample(struct wv_sample *sample, const char *s, const char *end);

#define WV_TEXT_KIND(name) \
	bool wv_is_##name(const struct wv_sample *sample); \
	void wv_tell_##name(struct wv_summary *sum)
WV_TEXT_KIND(diff);
WV_TEXT_KIND(html);
WV_TEXT_KIND(xml);
WV_TEXT_KIND(git_log);
WV_TEXT_KIND(listing); /* ls -l */
WV_TEXT_KIND(access_log);
WV_TEXT_KIND(log);
WV_TEXT_KIND(trace);
WV_TEXT_KIND(places); /* grep -n, compilers */
WV_TEXT_KIND(table);
WV_TEXT_KIND(markdown);
WV_TEXT_KIND(yaml);
WV_TEXT_KIND(settings);
WV_TEXT_KIND(outline);
WV_TEXT_KIND(plain);
#undef WV_TEXT_KIND

/* The first sentences of a text that say something, at most max bytes of
 * them; n is 0 if none do. */
struct wv_line wv_lead(const char *s, const char *end, size_t max);
/* Parts: lines that count what was done, results of tests, errors. */
void wv_sum_trouble(struct wv_summary *sum);
/* Behind the tag that begins at s; it is bounded. */
const char *wv_tag_end(const char *s, const char *end);
/* The last error of a stack trace in a text: "python: ValueError: x". */
bool wv_trace_find(struct wv_str *out, const char *s, const char *end);

#endif
