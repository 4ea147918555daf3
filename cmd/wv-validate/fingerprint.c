/* SPDX-License-Identifier: Apache-2.0 */
#include "fingerprint.h"

#include "contract/contract.h"
#include "json/jcs.h"
#include "json/lines.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 200 }; /* bytes of an id in a message */

/* As it stands in the file; texts of equal neighbours are kept once. */
struct entry {
	const char *id, *version, *hash; /* hash: NULL if it was left open */
};

struct fingerprints {
	struct wv_arena arena;
	struct entry *entries;
	size_t count, room;
};

static const char *
schema_id(const cJSON *schema, const char *path)
{
	const char *id = wv_get_string(schema, "$id");

	if (id == NULL)
		id = wv_get_string(schema, "id");
	return id != NULL && id[0] != '\0' ? id : path;
}

struct fingerprint_schema
fingerprint_schema(
	struct wv_arena *arena, const cJSON *schema, const char *path)
{
	const char *version = wv_get_string(schema, "version");
	char hex[WV_SHA256_HEX];

	if (version == NULL || version[0] == '\0') {
		wv_json_digest(hex, schema);
		version = wv_printf(arena, "sha256:%s", hex);
	}
	return (struct fingerprint_schema){
		.id = schema_id(schema, path),
		.version = version,
	};
}

cJSON *
fingerprint_make(struct wv_arena *arena,
	const struct fingerprint_schema *schema, const cJSON *value)
{
	cJSON *fingerprint = wv_json_object(arena);
	char hex[WV_SHA256_HEX];

	wv_json_digest(hex, value);
	wv_put_string(arena, fingerprint, "schema_id", schema->id);
	wv_put_string(arena, fingerprint, "schema_version", schema->version);
	wv_put_string(arena, fingerprint, "content_hash", hex);
	wv_put_string(arena, fingerprint, "hash_algorithm", "sha256");
	return fingerprint;
}

/* Many records have the same schema: its texts are kept once. */
static const char *
keep(struct wv_arena *arena, const char *before, const char *text)
{
	return before != NULL && strcmp(before, text) == 0
		? before
		: wv_dup(arena, text);
}

static int
add(struct fingerprints *all, const cJSON *record, struct wv_err *err)
{
	const char *hash = wv_get_string(record, "content_hash");
	const char *algorithm = wv_get_string(record, "hash_algorithm");
	struct entry before = { NULL, NULL, NULL };

	if (wv_contract_require(WV_SCHEMA_FINGERPRINT, record, err) != 0)
		return -1;
	if (algorithm != NULL && strcmp(algorithm, "sha256") != 0)
		return wv_err_set(err, "hash_algorithm must be \"sha256\"");
	if (hash != NULL && !wv_is_sha256_hex(hash))
		return wv_err_set(
			err, "content_hash must be 64 lower-case hex digits");
	if (all->count == all->room) {
		all->room = all->room ? all->room * 2 : 64;
		all->entries = wv_xrealloc(
			all->entries, all->room * sizeof *all->entries);
	}
	if (all->count > 0)
		before = all->entries[all->count - 1];
	all->entries[all->count++] = (struct entry){
		.id = keep(&all->arena, before.id,
			wv_get_string(record, "schema_id")),
		.version = keep(&all->arena, before.version,
			wv_get_string(record, "schema_version")),
		.hash = hash ? wv_dup(&all->arena, hash) : NULL,
	};
	return 0;
}

static void
take_fault(void *arg, const struct wv_record *rec, const struct wv_err *fault)
{
	struct wv_err *err = arg;

	if (!wv_err_is_set(err))
		*err = *fault;
}

static int
read_all(struct fingerprints *all, const char *path, struct wv_err *err)
{
	struct wv_lines_options options = WV_LINES_OPTIONS_INIT;
	char *files[] = { (char *)path, NULL };
	struct wv_arena arena = WV_ARENA_INIT;
	struct wv_err why = WV_ERR_INIT;
	struct wv_record rec;
	struct wv_lines in;

	options.all_lines = options.fail_fast = options.allow_empty = true;
	options.bad = take_fault;
	options.bad_arg = err;
	wv_lines_open(&in, files, &options, NULL);
	while (wv_lines_next(&in, &arena, &rec) == 1) {
		if (add(all, rec.tree, &why) != 0)
			wv_lines_bad(&in, &rec, &why);
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
	return wv_lines_close(&in) == 0 ? 0 : -1;
}

struct fingerprints *
fingerprints_load(const char *path, struct wv_err *err)
{
	struct fingerprints *all = wv_xcalloc(1, sizeof *all);

	if (read_all(all, path, err) == 0)
		return all;
	err->source = path;
	fingerprints_free(all);
	return NULL;
}

void
fingerprints_free(struct fingerprints *expected)
{
	if (expected == NULL)
		return;
	wv_arena_free(&expected->arena);
	free(expected->entries);
	free(expected);
}

/* Appends what a member was and is, if that is not the same. */
static void
compare_member(struct wv_str *drift, const char *name, const char *was,
	const cJSON *actual)
{
	const char *is = wv_get_string(actual, name);

	if (was == NULL || strcmp(was, is) == 0)
		return;
	wv_str_fmt(drift, "%s%s was %.*s, is %.*s", drift->n > 0 ? "; " : "",
		name, MAX_SHOWN, was, MAX_SHOWN, is);
}

int
fingerprints_compare(const struct fingerprints *expected, size_t n,
	const cJSON *actual, struct wv_err *why)
{
	struct wv_str drift = { 0 };
	const struct entry *entry;

	if (n >= expected->count)
		return wv_err_set(why,
			"record %zu is one too many: there are %zu "
			"fingerprints",
			n + 1, expected->count);
	entry = &expected->entries[n];
	compare_member(&drift, "schema_id", entry->id, actual);
	compare_member(&drift, "schema_version", entry->version, actual);
	compare_member(&drift, "content_hash", entry->hash, actual);
	if (drift.n > 0)
		wv_err_set(
			why, "not as fingerprint %zu says: %s", n + 1, drift.s);
	wv_str_free(&drift);
	return wv_err_is_set(why) ? -1 : 0;
}

int
fingerprints_missing(
	const struct fingerprints *expected, size_t n, struct wv_err *why)
{
	if (n >= expected->count)
		return 0;
	return wv_err_set(why,
		"there are %zu fingerprints, but only %zu record%s: some are "
		"missing",
		expected->count, n, n == 1 ? "" : "s");
}
