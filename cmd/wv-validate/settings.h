/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line says. */
#ifndef WV_VALIDATE_SETTINGS_H
#define WV_VALIDATE_SETTINGS_H

#include "corpus.h"

#include "base/opt.h"
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
	struct values formats, exclude;
	const char *expect, *expect_fingerprint, *rejects, *files0;
	size_t max_errors, jobs;
	struct wv_lines_options lines;

	const char *lint;
	bool list_types;
	const char *print_schema, *print_example;
	struct corpus_options corpus;
};

#endif
