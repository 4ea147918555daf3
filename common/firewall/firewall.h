/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output firewall: raw tool output in, a Frame out (I-01).  Stages, in
 * this order: clean, redact, summarize, bound.  It stores nothing: what a
 * Handle should keep is the caller's raw bytes, and only a tool stores them.
 */
#ifndef WV_FIREWALL_FIREWALL_H
#define WV_FIREWALL_FIREWALL_H

#include "base/clock.h"
#include "json/json.h"

enum wv_firewall_mode {
	WV_MODE_SUMMARY,
	WV_MODE_TABLE,
	WV_MODE_HANDLE_ONLY,
};
extern const char *const wv_firewall_modes[]; /* names, NULL-terminated */

/* What becomes of instructions aimed at the model (firewall/inject.h). */
enum wv_injection_mode {
	WV_INJECTION_FLAG,     /* they are told of */
	WV_INJECTION_WITHHOLD, /* their paragraph, or value, goes too, and
				  links become inert */
};
extern const char *const wv_injection_modes[]; /* names, NULL-terminated */

struct wv_rules;

struct wv_firewall_options {
	enum wv_firewall_mode mode;
	size_t max_rows;   /* of an array; 50 */
	size_t max_fields; /* of an object or a row; 20 */
	size_t max_depth;  /* of structured_data; 8 */
	size_t max_bytes;  /* of structured_data as JSON; 16 KiB */
	enum wv_injection_mode injection;
	const char *const *fields;    /* the members that are shown of the
					 object at the top, or of those in the
					 array there; NULL-terminated; then
					 nothing else is.  NULL: all */
	const struct wv_rules *rules; /* firewall/scan.h; NULL: built in */
	bool is_marked; /* the output has been through here: its marks are
			   ours */
};
/* clang-format off */
#define WV_FIREWALL_OPTIONS_INIT \
	{ .mode = WV_MODE_SUMMARY, .max_rows = 50, .max_fields = 20, \
		.max_depth = 8, .max_bytes = 16384 }
/* clang-format on */

/* Where something was found, never what.  Kinds of injections begin with
 * injection-. */
struct wv_spot {
	const char *kind;
	const char *pointer;   /* of JSON: the value, or the object with the
				name it was; as it is seen, redacted, and cut
				if it is very long.  NULL: it is text */
	size_t offset, length; /* of text: bytes of the clean text, */
	bool is_raw;           /* or of the raw one */
};

/* What was removed and cut: kinds and counts, never values. */
struct wv_findings {
	const char *
		*kinds; /* distinct, static strings, in order of first sight */
	size_t *counts;
	size_t kind_count, total;
	size_t cleaned;     /* control and invisible characters removed */
	size_t invalid;     /* invalid UTF-8 sequences replaced */
	const char **paths; /* distinct pointers of redacted members, in the
	                           arena; at most 100 */
	size_t path_count;
	bool pathless;    /* nobody asks for them: they are not kept */
	const char **cut; /* what a budget cut, in plain words */
	size_t cut_count;
	const char **injections; /* distinct kinds, static, in order */
	size_t *injection_counts;
	size_t injection_count; /* of distinct kinds */
	size_t withheld;        /* paragraphs and values, for injections */
	size_t inert;           /* texts whose links were made inert */
	size_t forged;          /* marks in raw that were not ours */
	size_t left_out;        /* members and values that may not be shown */
	uint64_t met; /* a bit for each of the first 64 fields that was there */
	/* Is told of each redaction and injection; may be NULL. */
	void (*spot)(void *arg, const struct wv_spot *spot);
	void *spot_arg;
};

/* Appends n bytes of s without escape sequences, controls (\n and \t stay),
 * bidi and invisible characters; NUL and other line ends than \n become \n;
 * invalid UTF-8 becomes U+FFFD. */
void wv_clean(struct wv_str *out, const char *s, size_t n,
	struct wv_findings *findings);
/* Appends clean text with secrets and e-mail addresses replaced by
 * [REDACTED:kind], in linear time.  findings may be NULL. */
void wv_redact(struct wv_str *out, const char *s, size_t n,
	struct wv_arena *arena, struct wv_findings *findings);
/* The same for every string and member name of a tree, in place; values of
 * members whose names are those of secrets go whole. */
void wv_redact_tree(
	struct wv_arena *arena, cJSON *root, struct wv_findings *findings);

/* Marks in raw text, [REDACTED: and [WITHHELD:, are not ours: they become
 * [redacted: and [withheld: where they stand.  How many there were. */
size_t wv_disown_marks(char *s, size_t n);

struct wv_firewall_input {
	const char *raw;
	size_t len;
	uint64_t size; /* of all the output, if raw is only its beginning: it
			  is then text, or what cannot be shown in part; 0: raw
			  is all of it */
	const char *media_type;    /* that its source says; NULL: unknown */
	const char *capability_id; /* NULL: wv.none */
	const char *version;       /* of the capability; NULL unknown */
	const char *handle_id; /* of the Handle that will keep raw; or NULL */
	const cJSON *cause;    /* the record it answers, for telemetry */
};

/*
 * The Frame of some raw output, complete and valid: summary of at least one
 * character, structured_data, handle_refs, redaction_notes, created_at, and
 * metadata with its redaction policy and telemetry.  raw[len] must be a NUL
 * followed by WV_JSON_SLACK readable bytes.
 *
 * structured_data is the object that the output is; or {items, item_count} of
 * an array or of JSON lines; {value} of a scalar; {lines, line_count} of a
 * text, with last_lines when some between are left out; {media_type,
 * size_bytes} of binary data, of what its source says is no text, of the
 * beginning of JSON (the names in it say what is redacted), and of anything
 * under WV_MODE_HANDLE_ONLY.  Of a text that is only a beginning the
 * last line, which may be cut, is left out, there are no last_lines, and
 * line_count counts what is shown; a note tells how long all of it is.
 * WV_MODE_TABLE makes JSON, and whole text that is a table, {rows,
 * row_count}.  Pointers to what was redacted
 * are those of this object before it was bounded or made a table.
 */
cJSON *wv_firewall_frame(struct wv_arena *arena,
	const struct wv_firewall_input *input,
	const struct wv_firewall_options *options,
	struct wv_findings *findings);

/*
 * Output as cleaned, redacted text (-f text).  JSON and JSON lines stay what
 * they are, and without findings their bytes; binary data is withheld.  raw
 * as for wv_firewall_frame(); options NULL: the defaults.
 */
void wv_firewall_text(struct wv_str *out, struct wv_arena *arena,
	const char *raw, size_t len, const struct wv_firewall_options *options,
	struct wv_findings *findings);

/* What output was read as. */
enum wv_form {
	WV_FORM_BINARY, /* nothing was looked for in it */
	WV_FORM_TEXT,
	WV_FORM_JSON,
	WV_FORM_JSON_LINES, /* pointers are those of an array of the lines that
			       are not blank */
};
/*
 * Tells findings->spot of all that wv_firewall_text() would redact, by
 * pointers into the document or offsets.  *is_cleaned: it was read from the
 * clean text.  as_text: JSON is text too.  raw as for wv_firewall_frame().
 */
enum wv_form wv_firewall_judge(struct wv_arena *arena, const char *raw,
	size_t len, bool as_text, const struct wv_firewall_options *options,
	struct wv_findings *findings, bool *is_cleaned);

/* The cleaned, redacted tree of output that is JSON, an array of its lines if
 * it is JSON lines; NULL: it is neither.  raw as for wv_firewall_frame(). */
cJSON *wv_firewall_tree(struct wv_arena *arena, const char *raw, size_t len);

/*
 * Text without end, cleaned and redacted block by block, wherever they are
 * cut: what comes out, once the last was added, is what all of it would have
 * become in one.  Lines that are JSON are redacted by the names in them too.
 *
 * What is not decided yet is held back, and told apart by what the recognizers
 * still want to see; of blocks that are not the last, a line of JSON, or
 * anything else that stays undecided, of more than WV_MOST_HELD bytes becomes
 * [WITHHELD:long], to the end of the line where that stands, or of the key it
 * is.  {0} is a new one.
 */
enum { WV_MOST_HELD = 1 << 20 };
struct wv_redactor {
	const struct wv_rules *rules;
	struct wv_findings *findings; /* what is told, in told_arena; NULL */
	struct wv_arena *told_arena;
	bool is_marked; /* what is added is ours, and so its marks */
	/* its own */
	struct wv_arena arena;
	struct wv_str units;        /* of UTF-16 or 32, not decoded yet */
	struct wv_str raw;          /* not cleaned yet */
	struct wv_str clean;        /* a line that may be JSON */
	struct wv_str text;         /* not shown yet, and some before it */
	struct wv_columns *columns; /* of a table with secrets; NULL */
	size_t raw_tried, table_tried, line_seen, tried; /* bytes that did not
							    suffice */
	size_t from, live; /* in text: nothing is looked for before; is open */
	uint32_t before;   /* the last character that was cleaned */
	unsigned width;    /* of a unit */
	bool is_big, is_begun, in_line, in_long, in_key;
	bool is_likely, is_judged; /* to be a table with secrets; known */
};
void wv_redactor_add(struct wv_redactor *redactor, struct wv_str *out,
	const char *raw, size_t n, bool is_last);
void wv_redactor_free(struct wv_redactor *redactor);

/* Tells of instructions to the model in a part of a text: of raw bytes those
 * that hide, else those that are said.  Nothing is withheld. */
void wv_firewall_flag(struct wv_arena *arena, const char *s, size_t n,
	bool is_raw, const struct wv_rules *rules,
	struct wv_findings *findings);

/* Counts one more of a kind, which stays the caller's. */
void wv_findings_add(
	struct wv_findings *findings, struct wv_arena *arena, const char *kind);
/* [{kind, count}, …] of what was found, for an event (metadata.x_wv_found); NULL:
 * nothing was. */
cJSON *wv_firewall_found(
	struct wv_arena *arena, const struct wv_findings *findings);

/* How output can be read, by its first bytes. */
enum wv_readable {
	WV_READ_LINES, /* line by line, by a redactor */
	WV_READ_WHOLE, /* it may be JSON of more than these bytes, which is
			  redacted by the names in it */
	WV_READ_NONE,  /* it is binary data */
};
enum wv_readable wv_firewall_readable(const char *raw, size_t len);

/*
 * The error Frame of a call that failed: structured_data = {status, error_class,
 * error_message, retriable}; message is cleaned and redacted here; what it has
 * of marks stays.  Of options (NULL: the defaults) the bytes and what is done
 * about injections hold; status and class are there whatever they are.
 */
cJSON *wv_firewall_error_frame(struct wv_arena *arena,
	const char *capability_id, const char *error_class, const char *message,
	bool retriable, const struct wv_firewall_options *options,
	const cJSON *cause, struct wv_findings *findings);

/* The artifact_type of a Handle, from the bytes: application/json, text/csv,
 * text/plain, application/octet-stream or a more exact type where the first
 * bytes tell.  raw as for wv_firewall_frame(). */
const char *wv_media_type(const char *raw, size_t len);

#endif
