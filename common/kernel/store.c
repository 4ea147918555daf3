/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store.h"
#include "kernel/store-sql.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct wv_store {
	sqlite3 *db;
	sqlite3_stmt *stmt[QUERY_COUNT];
	int changes; /* as begin found them */
};

static int
fail(struct wv_store *store, struct wv_err *err)
{
	return wv_err_set(err, "kernel.db: %s", sqlite3_errmsg(store->db));
}

/* t text, i integer, T time (two columns). */
static void
bind(sqlite3_stmt *stmt, const char *types, va_list ap)
{
	struct wv_time time;
	int column = 1;

	for (; *types != '\0'; types++) {
		switch (*types) {
		case 't':
			sqlite3_bind_text(stmt, column++,
				va_arg(ap, const char *), -1, SQLITE_STATIC);
			break;
		case 'i':
			sqlite3_bind_int64(stmt, column++,
				(sqlite3_int64)va_arg(ap, uint64_t));
			break;
		case 'T':
			time = va_arg(ap, struct wv_time);
			sqlite3_bind_int64(stmt, column++, time.sec);
			sqlite3_bind_int64(stmt, column++, time.nsec);
			break;
		}
	}
}

/* 1: a row, to be read and finished; 0: done; -1. */
static int
run(struct wv_store *store, enum query query, struct wv_err *err,
	const char *types, ...)
{
	sqlite3_stmt **stmt = &store->stmt[query];
	va_list ap;

	if (*stmt == NULL &&
		sqlite3_prepare_v3(store->db, sql[query], -1,
			SQLITE_PREPARE_PERSISTENT, stmt, NULL) != SQLITE_OK)
		return fail(store, err);
	va_start(ap, types);
	bind(*stmt, types, ap);
	va_end(ap);
	int result = sqlite3_step(*stmt);
	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		fail(store, err);
	sqlite3_reset(*stmt);
	return result == SQLITE_DONE ? 0 : -1;
}

static void
finish(struct wv_store *store, enum query query)
{
	sqlite3_reset(store->stmt[query]);
}

/* 1 if the statement changed a row, 0 if it did not. */
static int
changed(struct wv_store *store, int result)
{
	return result < 0 ? -1 : sqlite3_changes(store->db) > 0;
}

static const char *
text(struct wv_arena *arena, sqlite3_stmt *stmt, int column)
{
	const void *p = sqlite3_column_text(stmt, column);

	return p == NULL ? NULL : wv_dup(arena, p);
}

static struct wv_time
get_time(sqlite3_stmt *stmt, int column)
{
	return (struct wv_time){ sqlite3_column_int64(stmt, column),
		sqlite3_column_int(stmt, column + 1) };
}

struct wv_store *
wv_store_open(const char *path, struct wv_err *err)
{
	/* Checkpoints cost two more fsyncs: one for about a megabyte. */
	enum { CHECKPOINT_PAGES = 256, BUSY_MS = 10000 };
	struct wv_store *store = wv_xcalloc(1, sizeof(*store));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW |
		SQLITE_OPEN_NOMUTEX;

	if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) {
		fail(store, err);
		wv_store_close(store);
		return NULL;
	}
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_wal_autocheckpoint(store->db, CHECKPOINT_PAGES);
	/* Writers hold our lock, but a reader that comes first after a crash
	 * repairs the index of the write-ahead log. */
	sqlite3_busy_timeout(store->db, BUSY_MS);
	if (sqlite3_exec(store->db, "PRAGMA synchronous = FULL", NULL, NULL,
		    NULL) == SQLITE_OK)
		return store;
	fail(store, err);
	wv_store_close(store);
	return NULL;
}

void
wv_store_close(struct wv_store *store)
{
	if (store == NULL)
		return;
	for (int i = 0; i < QUERY_COUNT; i++)
		sqlite3_finalize(store->stmt[i]);
	sqlite3_close(store->db);
	free(store);
}

int
wv_store_is_made(struct wv_store *store, struct wv_err *err)
{
	if (run(store, GET_VERSION, err, "") != 1)
		return -1;
	int version = sqlite3_column_int(store->stmt[GET_VERSION], 0);
	finish(store, GET_VERSION);
	if (version != 0 && version != atoi(STORE_VERSION))
		return wv_err_set(err,
			"kernel.db has version %d, this program knows "
			"version " STORE_VERSION,
			version);
	return version != 0;
}

int
wv_store_make(struct wv_store *store, bool test, struct wv_err *err)
{
	sqlite3_stmt *stmt;
	bool wal = false;

	if (sqlite3_prepare_v2(store->db, "PRAGMA journal_mode = WAL", -1,
		    &stmt, NULL) != SQLITE_OK)
		return fail(store, err);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		wal = strcmp((const char *)sqlite3_column_text(stmt, 0),
			      "wal") == 0;
	if (sqlite3_finalize(stmt) != SQLITE_OK)
		return fail(store, err);
	if (!wal)
		return wv_err_set(err,
			"kernel.db: this file system cannot hold a "
			"write-ahead log");
	if (sqlite3_exec(store->db, schema, NULL, NULL, NULL) != SQLITE_OK)
		fail(store, err);
	else if (run(store, ADD_SUMMIT, err, "i", (uint64_t)test) == 0)
		return wv_store_commit(store, err);
	wv_store_rollback(store);
	return -1;
}

int
wv_store_begin(struct wv_store *store, struct wv_err *err)
{
	store->changes = sqlite3_total_changes(store->db);
	return run(store, BEGIN, err, "");
}

int
wv_store_commit(struct wv_store *store, struct wv_err *err)
{
	if (run(store, COMMIT, err, "") == 0)
		return 0;
	wv_store_rollback(store);
	return -1;
}

void
wv_store_rollback(struct wv_store *store)
{
	/* Some errors have rolled back already. */
	if (!sqlite3_get_autocommit(store->db))
		run(store, ROLLBACK, NULL, "");
}

bool
wv_store_changed(const struct wv_store *store)
{
	return sqlite3_total_changes(store->db) != store->changes;
}

int
wv_store_summit(
	struct wv_store *store, struct wv_summit *summit, struct wv_err *err)
{
	int found = run(store, GET_SUMMIT, err, "");

	if (found == 0)
		return wv_err_set(err, "kernel.db lacks its summit");
	if (found < 0)
		return -1;
	sqlite3_stmt *stmt = store->stmt[GET_SUMMIT];
	struct wv_head *head = &summit->head;
	summit->test = sqlite3_column_int(stmt, 0);
	head->seq = (uint64_t)sqlite3_column_int64(stmt, 1);
	head->end = (uint64_t)sqlite3_column_int64(stmt, 2);
	head->len = (uint64_t)sqlite3_column_int64(stmt, 3);
	memset(head->hash, 0, sizeof(head->hash));
	const unsigned char *hash = sqlite3_column_text(stmt, 4);
	if (hash != NULL)
		strncpy(head->hash, (const char *)hash, sizeof(head->hash) - 1);
	summit->newest = get_time(stmt, 5);
	finish(store, GET_SUMMIT);
	return 0;
}

int
wv_store_set_summit(struct wv_store *store, const struct wv_head *head,
	struct wv_time newest, struct wv_err *err)
{
	return run(store, SET_SUMMIT, err, "iiitT", head->seq, head->end,
		head->len, head->hash, newest);
}

int
wv_store_add_token(struct wv_store *store, const char *id, const char *digest,
	const char *principal, struct wv_err *err)
{
	return run(store, ADD_TOKEN, err, "ttt", id, digest, principal);
}

int
wv_store_token(struct wv_store *store, struct wv_arena *arena, const char *id,
	struct wv_store_token *token, struct wv_err *err)
{
	int found = run(store, GET_TOKEN, err, "t", id);

	if (found != 1)
		return found;
	token->digest = text(arena, store->stmt[GET_TOKEN], 0);
	token->principal = text(arena, store->stmt[GET_TOKEN], 1);
	finish(store, GET_TOKEN);
	return 1;
}

int
wv_store_claim(struct wv_store *store, const char *issuer, const char *id,
	struct wv_err *err)
{
	return changed(store, run(store, CLAIM, err, "tt", issuer, id));
}

int
wv_store_revoke_token(
	struct wv_store *store, const char *id, struct wv_err *err)
{
	return changed(store, run(store, REVOKE_TOKEN, err, "t", id));
}

int
wv_store_revoke_principal(struct wv_store *store, const char *principal,
	struct wv_time before, struct wv_err *err)
{
	return changed(store,
		run(store, REVOKE_PRINCIPAL, err, "tT", principal, before));
}

int
wv_store_revoked(struct wv_store *store, const char *token_id,
	const char *principal, struct wv_time issued_at, struct wv_err *err)
{
	int found = run(
		store, GET_REVOKED, err, "ttT", token_id, principal, issued_at);

	if (found == 1)
		finish(store, GET_REVOKED);
	return found;
}

int
wv_store_add_decision(struct wv_store *store,
	const struct wv_store_decision *decision, struct wv_err *err)
{
	return run(store, ADD_DECISION, err, "ttttttTT", decision->id,
		decision->digest, decision->capability_id, decision->principal,
		decision->token_id, decision->trace_id,
		decision->token_issued_at, decision->valid_until);
}

static int
get_decision(struct wv_store *store, struct wv_arena *arena, enum query query,
	const char *key, struct wv_store_decision *decision, struct wv_err *err)
{
	int found = run(store, query, err, "t", key);

	if (found != 1)
		return found;
	sqlite3_stmt *stmt = store->stmt[query];
	decision->id = text(arena, stmt, 0);
	decision->digest = text(arena, stmt, 1);
	decision->capability_id = text(arena, stmt, 2);
	decision->principal = text(arena, stmt, 3);
	decision->token_id = text(arena, stmt, 4);
	decision->trace_id = text(arena, stmt, 5);
	decision->token_issued_at = get_time(stmt, 6);
	decision->valid_until = get_time(stmt, 8);
	decision->stage = (enum wv_stage)sqlite3_column_int(stmt, 10);
	finish(store, query);
	return 1;
}

int
wv_store_decision(struct wv_store *store, struct wv_arena *arena,
	const char *id, struct wv_store_decision *decision, struct wv_err *err)
{
	return get_decision(store, arena, GET_DECISION, id, decision, err);
}

int
wv_store_set_stage(struct wv_store *store, const char *id, enum wv_stage stage,
	const char *plan, struct wv_err *err)
{
	return run(store, SET_STAGE, err, "tit", id, (uint64_t)stage, plan);
}

int
wv_store_next_plan(struct wv_store *store, struct wv_arena *arena,
	const char *after, const char **plan, struct wv_err *err)
{
	if (run(store, NEXT_PLAN, err, "t", after) != 1)
		return -1;
	*plan = text(arena, store->stmt[NEXT_PLAN], 0);
	finish(store, NEXT_PLAN);
	return *plan != NULL;
}

int
wv_store_running(struct wv_store *store, struct wv_arena *arena,
	const char *plan, struct wv_store_decision *decision,
	struct wv_err *err)
{
	return get_decision(store, arena, GET_RUNNING, plan, decision, err);
}

int
wv_store_add_artifact(struct wv_store *store,
	const struct wv_store_artifact *artifact, struct wv_err *err)
{
	return run(store, ADD_ARTIFACT, err, "ttttttttiT", artifact->handle_id,
		artifact->file, artifact->capability_id, artifact->principal,
		artifact->decision_id, artifact->media_type, artifact->digest,
		artifact->obligations, artifact->size, artifact->expires_at);
}

/* Sliding windows */

int
wv_store_hits(struct wv_store *store, const char *name, struct wv_time after,
	int64_t *count, struct wv_err *err)
{
	if (run(store, GET_HITS, err, "tT", name, after) != 1)
		return -1;
	*count = sqlite3_column_int64(store->stmt[GET_HITS], 0);
	finish(store, GET_HITS);
	return 0;
}

int
wv_store_add_hit(struct wv_store *store, const char *name, struct wv_time at,
	struct wv_time after, struct wv_err *err)
{
	if (run(store, DROP_HITS, err, "tT", name, after) < 0)
		return -1;
	return run(store, ADD_HIT, err, "tT", name, at);
}
