/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a conformance run is made of: the entries of a corpus, the checks, the
 * result, and how messages show texts.  See corpus.h.
 */
#ifndef WV_VALIDATE_CONFORMANCE_H
#define WV_VALIDATE_CONFORMANCE_H

#include "corpus.h"

#include "contract/contract.h"

/*
 * quote.c: texts in messages, as weaver-spec's own runner shows them, which
 * is written in Python: 'text', "it's", ['a', 'b'].
 */

/* None if there is no text. */
const char *quote(struct wv_arena *arena, const char *text);
/* Of an array of strings. */
const char *quote_list(struct wv_arena *arena, const cJSON *list);
/* Of a path or an error: wv_str_foreign(), and so valid UTF-8. */
const char *clean(struct wv_arena *arena, const char *text);
void list_add(struct wv_arena *arena, cJSON *list, const char *text);
/* Of the words, sorted, each once; sorts them. */
cJSON *list_sorted(struct wv_arena *arena, const char **words, size_t count);

/*
 * entries.c: the entries of a corpus, {"positive":[…],"negative":[…]}, and
 * their payloads.
 */

struct entry {
	const char *pointer; /* of the entry in the file */
	const char *payload; /* its path as it is written there */
	enum wv_contract type;
	const cJSON *value;
	const char *by, *violates; /* of negative ones only */
};

struct entries {
	struct entry *entry;
	size_t count;
};

/* In the arena.  Ends the process with 2 if the file is no corpus, or a
 * payload cannot be read. */
void entries_read(struct entries *positive, struct entries *negative,
	struct wv_arena *arena, const char *path);

/*
 * checks.c (contracts.md, Invariants and Signatures): what is wrong comes as
 * a list of texts, empty if nothing is.
 */

/* By the schema alone, formats too; NULL if it is valid. */
const struct wv_schema_error *check_schema(
	struct wv_arena *arena, enum wv_contract type, const cJSON *value);
/* Where: "frames/0", "<root>". */
const char *fault_place(
	struct wv_arena *arena, const struct wv_schema_error *fault);
/* "frames/0: needs summary". */
const char *fault_text(
	struct wv_arena *arena, const struct wv_schema_error *fault);
cJSON *fault_texts(
	struct wv_arena *arena, const struct wv_schema_error *faults);
/* The keyword that failed, of those that a schema has itself: the anyOf, not
 * what is in its branches. */
const char *fault_keyword(
	struct wv_arena *arena, const struct wv_schema_error *fault);

/* I-01, I-02: of a TraceBundle, whatever else is wrong with it. */
struct bundle_invariant {
	const char *id, *name;
	cJSON *(*check)(struct wv_arena *arena, const cJSON *bundle);
};
enum { BUNDLE_INVARIANTS = 2 };
extern const struct bundle_invariant bundle_invariants[BUNDLE_INVARIANTS];

/* I-04: each Core schema requires what contracts.md says, and no more. */
cJSON *check_core_surface(struct wv_arena *arena);
/* I-06. */
cJSON *check_token_scoped(struct wv_arena *arena, const cJSON *token);

/* Canonical form and signature of a TraceBundle.  notes: what was verified, or
 * could not be; a keyring of NULL knows no key. */
cJSON *check_integrity(struct wv_arena *arena, const cJSON *bundle,
	const struct wv_keyring *keyring, cJSON *notes);

/*
 * result.c: how many checks there were, which failed, and the two files that
 * say so.
 */

struct result {
	struct wv_arena arena; /* of everything that the run reads */
	struct wv_out *out;
	const char *mode, *target; /* of a ConformanceResult; target or NULL */
	const char *header;        /* of the report */
	size_t checks;
	cJSON *detail, *records; /* of what failed */
};

/* Members of a failure record; NULL is left out. */
struct failure {
	const char *kind; /* "positive", "negative", … */
	const char *payload, *schema, *keyword, *path, *invariant_id;
};

void result_start(struct result *result, struct wv_out *out);
void result_fail(struct result *result, const struct failure *failure,
	const char *message);
/* A bundle that could not be read. */
void result_no_input(struct result *result, const char *reason);
/* A line on standard output. */
void result_say(struct result *result, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Reports, writes the files and frees; the exit status. */
int result_finish(struct result *result, const struct corpus_options *options);

/*
 * bundle.c: one TraceBundle from elsewhere, at most 5 MiB, read by the strict
 * reader.  Four checks: schema; canonical form and signature; I-01; I-02.
 */
void bundle_run(struct result *result, const char *path,
	const struct wv_keyring *keyring);

#endif
