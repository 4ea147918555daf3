/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WV_ANSWER_OPTIONS_H
#define WV_ANSWER_OPTIONS_H

#include "build.h"

struct wv_opts;

struct options {
	struct settings settings;
	enum history_format history_format;
	const char *history, *facts, *episodes; /* files, or NULL */
	const char *requests;                   /* file, or NULL */
	const char *stats_file;                 /* or NULL */
	bool tells_stats, explains;
	struct wv_lines_options lines;
	char **files;
	bool reads_records; /* from them, or from standard input */
	struct wv_catalog catalog;
	struct wv_arena arena;
};

/* All of the command line, and the files that it names but for records;
 * misuse ends the program.  opts is for wv_opt_end(). */
void options_read(
	struct options *options, struct wv_opts *opts, int argc, char **argv);
void options_free(struct options *options);

/* --select FILE, or an object of that form; -1 and an error. */
int wanted_load(struct wanted *wanted, struct wv_arena *arena, const char *path,
	struct wv_err *err);
int wanted_read(
	struct wanted *wanted, const struct wv_doc *doc, struct wv_err *err);
/* --weights FILE, and --weight NAME=VALUE: -1 and an error. */
int weights_load(struct weights *weights, struct wv_arena *arena,
	const char *path, struct wv_err *err);
int weights_set(
	struct weights *weights, const char *setting, struct wv_err *err);
/* A level that can be a floor, by name, which has been checked. */
enum level floor_of(const char *name);

#endif
