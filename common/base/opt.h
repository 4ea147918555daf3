/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines, by table, over getopt_long(3).  Long options take
 * `--name=value` or `--name value`; abbreviations are refused (they would
 * change meaning when an option is added); `--` ends options; options may
 * follow operands.  -h/--help (stdout, 0), -V/--version, -q/--quiet and
 * -v/--verbose are in every tool and handled here.  An unknown option, or
 * one without its value, is told with the nearest valid one and status 2.
 */
#ifndef WV_BASE_OPT_H
#define WV_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wv_opt {
	int id; /* what wv_opt_next() returns: the letter, or from 256 */
	const char *name; /* long name; NULL = a letter only */
	const char *arg;  /* NULL: takes none; else its name in the help */
	const char *help; /* one line */
};

struct wv_cmd {
	const char *tool;
	const char *const
		*synopsis; /* NULL-terminated, without the tool's name */
	const char *about; /* one or two sentences */
	const struct wv_opt *opts; /* ends with {0} */
	const char *examples;      /* shown at the end of --help; may be NULL */
	const char *carries; /* told with the version: "contracts 0.9.0"; may
				be NULL */
};

struct wv_opts {
	const struct wv_cmd *cmd;
	int argc;
	char **argv;
	const char *name;  /* of the option just returned, its long one */
	const char *value; /* its value */
	char **operands;   /* NULL-terminated, once wv_opt_next() returned 0 */
	int operand_count;
	int before_dashes; /* how many of them stood before a "--"; all if none */
	void *private;
};

/* Calls wv_msg_tool() and wv_file_guard_std(); argv as main got it, or from
 * the name of a subcommand on, with a table of its own. */
void wv_opt_start(
	struct wv_opts *opts, const struct wv_cmd *cmd, int argc, char **argv);
/* The id of the next option, or 0 when there are no more.  Exits on misuse. */
int wv_opt_next(struct wv_opts *opts);
void wv_opt_end(struct wv_opts *opts); /* frees what start allocated */

/* Says what is wrong, points to --help, exits with 2. */
_Noreturn void wv_usage(const struct wv_opts *opts, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Short help on stderr, status 2: records would be read from a terminal. */
_Noreturn void wv_usage_terminal(const struct wv_opts *opts);

/* The option just returned, which *option becomes, says what is to be done:
 * misuse if another has said that something else is. */
void wv_opt_mode(
	const struct wv_opts *opts, const char **option, bool is_another);

/* Values of options; each exits through wv_usage() naming what is valid.
 * option is its name: "limit", "-n". */
int wv_opt_choice(const struct wv_opts *opts, const char *option,
	const char *value, const char *const *list); /* index in the list */
int64_t wv_opt_int(const struct wv_opts *opts, const char *option,
	const char *value, int64_t min, int64_t max);
/* 250ms 15s 10m 24h 7d; in milliseconds. */
int64_t wv_opt_duration(
	const struct wv_opts *opts, const char *option, const char *value);
/* --now TIME: fixes the clock. */
void wv_opt_now(const struct wv_opts *opts);
/* Bytes, at least 1, with an optional K, M or G (powers of 1,024). */
int64_t wv_opt_size(
	const struct wv_opts *opts, const char *option, const char *value);

#endif
