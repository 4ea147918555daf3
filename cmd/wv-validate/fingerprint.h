/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SchemaFingerprints: by which schema, of which version, which content was
 * judged.  The digest is that of wv_json_digest(): neither layout nor the
 * order of members counts.
 */
#ifndef WV_VALIDATE_FINGERPRINT_H
#define WV_VALIDATE_FINGERPRINT_H

#include "json/json.h"

/* What a record was judged by. */
struct fingerprint_schema {
	const char *id;      /* of a contract: wv_contract_id() */
	const char *version; /* of a contract: WV_CONTRACT_VERSION */
};

/* The same of the schema of -s: its $id (draft 4: id), else the path; its
 * member version, else "sha256:" and its digest.  In the arena. */
struct fingerprint_schema fingerprint_schema(
	struct wv_arena *arena, const cJSON *schema, const char *path);

/* The SchemaFingerprint of a record, in the arena. */
cJSON *fingerprint_make(struct wv_arena *arena,
	const struct fingerprint_schema *schema, const cJSON *value);

/*
 * What --expect-fingerprint was given: a line a record, as --fingerprint
 * wrote them.  One without content_hash leaves the content open.
 */
struct fingerprints;

/* NULL and an error with source and line if it cannot be read or holds
 * anything else. */
struct fingerprints *fingerprints_load(const char *path, struct wv_err *err);
void fingerprints_free(struct fingerprints *expected);

/*
 * Whether the n-th record of the input (from 0; invalid and malformed ones
 * count too) has the n-th fingerprint.  actual is what fingerprint_make()
 * returned.  0, or -1 and which of id, version and content changed, or that
 * the record is one too many.
 */
int fingerprints_compare(const struct fingerprints *expected, size_t n,
	const cJSON *actual, struct wv_err *why);
/* The same at the end of the input, when there were n records. */
int fingerprints_missing(
	const struct fingerprints *expected, size_t n, struct wv_err *why);

#endif
