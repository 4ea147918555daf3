/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line says, and the input judged by it. */
#ifndef WV_VALIDATE_RUN_H
#define WV_VALIDATE_RUN_H

#include "corpus.h"

#include "base/walk.h"
#include "contract/contract.h"
#include "json/lines.h"

/* Values of an option that may be repeated; NULL-terminated once there is
 * one. */
struct values {
	const char **list;
	size_t count;
};

struct settings {
	const char *type, *schema; /* NULL: not given */
	struct wv_schema_options schemas;
	struct values no_formats, resolve, map;
	struct wv_contract_rules rules;
	const char *keyring;
	bool require_signed;

	bool check, fingerprint, expect_invalid;
	struct values formats;
	struct wv_walk walk;
	const char *expect, *expect_fingerprint, *rejects;
	size_t jobs;
	struct wv_lines_options lines;

	const char *lint;
	bool list_types;
	const char *print_schema, *print_example;
	struct corpus_options corpus;
};

/* Returns the exit status; what keeps it from judging at all ends the
 * process with 2. */
int run(struct settings *settings, const struct wv_opts *opts);

/* --corpus or --bundle. */
int run_conformance(const struct settings *settings);

/* Judges schema files: --lint and the operands. */
int run_lint(const struct settings *settings, const struct wv_opts *opts);

#endif
