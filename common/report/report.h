/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of what was judged, for people and for CI: any number of formats in
 * one run, each to standard output or to a FILE, at most one to standard
 * output.  All of them stream: nothing is kept that grows with the input.
 *
 *   text      SOURCE:LINE:COLUMN: message, and the counts
 *   verdicts  a line {"source","line","valid","errors":[…]} a record
 *   json      one object {"findings":[…],"summary":{…}}
 *   junit     a test suite a source: a test case for each record that has a
 *             name or that there is something to say about, one for all the
 *             others; of very many it makes several suites
 *   tap       TAP 13, a test a record
 *   sarif     SARIF 2.1.0
 *   github    workflow annotations, at most ten and then a notice; errors
 *             come before warnings
 *
 * Names of files in sarif and github are relative to $GITHUB_WORKSPACE if the
 * working folder is in it, else to the working folder; absolute for files
 * outside of it.  All text is foreign: each format escapes it its own way,
 * after wv_str_foreign() where people read it.
 */
#ifndef WV_REPORT_REPORT_H
#define WV_REPORT_REPORT_H

#include "base/file.h"

#include <stdbool.h>
#include <stddef.h>

struct wv_finding {
	const struct wv_finding *next;
	bool warning;         /* told, but its record passes */
	const char *rule;     /* a keyword, an invariant, "malformed", a kind */
	size_t line, column;  /* from 1, in bytes; 0: not known */
	size_t character;     /* the column in characters; 0: not known */
	const char *instance; /* RFC 6901 pointer of the value, or NULL */
	const char *keyword;  /* pointer of the keyword within its schema; of a
				 rule that is no keyword its name, "I-01"; or
				 NULL */
	const char *message;
};

/* A record, or a source that cannot be read, and what was found in it. */
struct wv_judged {
	const char *source; /* as messages name it: a path; "stdin" is none */
	size_t line;        /* of its first byte; 0: it is a source */
	enum { WV_VALID, WV_INVALID, WV_UNDECIDED } verdict;
	const struct wv_finding *findings; /* in order */
	const char *name; /* of a test case; NULL: it has none */
};

struct wv_report_counts {
	size_t records, valid, invalid, malformed, undecided, warnings;
};

struct wv_reports;

/* Both are kept. */
struct wv_reports *wv_reports_new(const char *tool, const char *version);
/* "sarif" or "sarif=FILE"; spec is kept; the file is made anew, at once.  -1
 * and an error: unknown format (with the nearest), one given twice, a second
 * one to standard output or to one file, a file that cannot be written. */
int wv_reports_add(
	struct wv_reports *reports, const char *spec, struct wv_err *err);
/* The file of "FORMAT=FILE", made anew, or standard output. */
int wv_report_open(struct wv_out *out, const char *spec, struct wv_err *err);
/* Where the one to standard output goes, to be flushed before a wait; NULL if
 * there is none. */
struct wv_out *wv_reports_stdout(const struct wv_reports *reports);
void wv_reports_record(
	struct wv_reports *reports, const struct wv_judged *judged);
/* Writes what comes last and closes, standard output too if one goes there;
 * frees.  -1 if anything was not written. */
int wv_reports_close(struct wv_reports *reports,
	const struct wv_report_counts *counts, struct wv_err *err);

/* What text says of a finding and of all, without a line feed; tell has each
 * finding of a record as a message on stderr. */
void wv_report_line(struct wv_str *out, const struct wv_judged *judged,
	const struct wv_finding *finding);
void wv_report_tell(const struct wv_judged *judged);
void wv_report_sum(struct wv_str *out, const struct wv_report_counts *counts);

#endif
