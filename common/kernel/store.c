/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store.h"

#include "kernel/store-sql.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* No text of ours comes near: a record is at most a few kilobytes. */
enum { MAX_ROW = 16 << 20, MAX_SQL = 16 << 10 };

struct wv_store {
	sqlite3 *db;
	sqlite3_stmt *stmt[WV_QUERY_COUNT];
	int changes; /* as begin found them */
};

const char wv_store_is_gone[] =
	"what it knew cannot be had from the log; make a new state in another "
	"folder, where tokens issued in this one are unknown, and revoke or "
	"retire the keys that signed single-use tokens, which could be spent "
	"again";

/* What a person can do about it, for what one can do something about. */
static int
fail(struct wv_store *store, struct wv_err *err)
{
	const char *text = sqlite3_errmsg(store->db);
	int cause = sqlite3_system_errno(store->db);

	switch (sqlite3_errcode(store->db) & 0xff) {
	case SQLITE_FULL:
		return wv_err_set(
			err, "kernel.db: there is no space left to write it");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return wv_err_set(err, "kernel.db is damaged (%s): %s", text,
			wv_store_is_gone);
	case SQLITE_READONLY:
		return wv_err_set(err,
			"kernel.db: it, its folder or its file system is "
			"read-only");
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return wv_err_set(err, "kernel.db: %s%s%s", text,
			cause != 0 ? ": " : "",
			cause != 0 ? strerror(cause) : "");
	default:
		return wv_err_set(err, "kernel.db: %s", text);
	}
}

/* Each result counts: what could not be bound would be NULL. */
static int
bind(sqlite3_stmt *stmt, const char *types, va_list ap)
{
	struct wv_time time;
	int column = 1, bad = 0;

	for (; *types != '\0'; types++) {
		switch (*types) {
		case 't':
			bad |= sqlite3_bind_text(stmt, column++,
				va_arg(ap, const char *), -1, SQLITE_STATIC);
			break;
		case 'i':
			bad |= sqlite3_bind_int64(stmt, column++,
				(sqlite3_int64)va_arg(ap, uint64_t));
			break;
		case 'T':
			time = va_arg(ap, struct wv_time);
			bad |= sqlite3_bind_int64(stmt, column++, time.sec);
			bad |= sqlite3_bind_int64(stmt, column++, time.nsec);
			break;
		}
	}
	return bad == SQLITE_OK ? 0 : -1;
}

static int
run(struct wv_store *store, enum wv_query query, struct wv_err *err,
	const char *types, va_list ap)
{
	sqlite3_stmt **stmt = &store->stmt[query];

	if (*stmt == NULL &&
		sqlite3_prepare_v3(store->db, wv_sql[query], -1,
			SQLITE_PREPARE_PERSISTENT, stmt, NULL) != SQLITE_OK)
		return fail(store, err);
	if (bind(*stmt, types, ap) < 0)
		return fail(store, err);
	int result = sqlite3_step(*stmt);
	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		fail(store, err);
	sqlite3_reset(*stmt);
	return result == SQLITE_DONE ? 0 : -1;
}

int
wv_query_run(struct wv_store *store, enum wv_query query, struct wv_err *err,
	const char *types, ...)
{
	va_list ap;

	va_start(ap, types);
	int result = run(store, query, err, types, ap);
	va_end(ap);
	return result;
}

int
wv_query_change(struct wv_store *store, enum wv_query query, struct wv_err *err,
	const char *types, ...)
{
	va_list ap;

	va_start(ap, types);
	int result = run(store, query, err, types, ap);
	va_end(ap);
	return result < 0 ? -1 : sqlite3_changes(store->db);
}

void
wv_query_end(struct wv_store *store, enum wv_query query)
{
	sqlite3_reset(store->stmt[query]);
}

int64_t
wv_query_int(struct wv_store *store, enum wv_query query, int column)
{
	return sqlite3_column_int64(store->stmt[query], column);
}

const char *
wv_query_text(struct wv_store *store, enum wv_query query,
	struct wv_arena *arena, int column)
{
	const void *p = sqlite3_column_text(store->stmt[query], column);

	return p == NULL ? NULL : wv_dup(arena, p);
}

struct wv_time
wv_query_time(struct wv_store *store, enum wv_query query, int column)
{
	return (struct wv_time){ wv_query_int(store, query, column),
		(int32_t)wv_query_int(store, query, column + 1) };
}

/* Writers hold our lock, but a reader that comes first after a crash repairs
 * the index of the write-ahead log. */
enum { BUSY_MS = 10000 };

/*
 * A checkpoint costs two more syncs: one for about a megabyte.  It empties the
 * file, as that a checkpoint was complete is known only to the processes that
 * share the index: the next first one would read the whole log again, and add
 * to it, for ever.  No commit waits for a reader: a later one will do.
 */
static int
checkpoint(void *arg, sqlite3 *db, const char *name, int pages)
{
	enum { CHECKPOINT_PAGES = 256 };

	(void)arg;
	if (pages < CHECKPOINT_PAGES)
		return SQLITE_OK;
	sqlite3_busy_timeout(db, 0);
	sqlite3_wal_checkpoint_v2(
		db, name, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(db, BUSY_MS);
	return SQLITE_OK;
}

/* The file is ours alone, but nothing in it needs more than tables and
 * indices. */
static int
configure(struct wv_store *store)
{
	static const struct {
		int what, value;
	} settings[] = {
		{ SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
	};
	sqlite3 *db = store->db;

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		sqlite3_db_config(
			db, settings[i].what, settings[i].value, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MAX_ROW);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, MAX_SQL);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_wal_hook(db, checkpoint, NULL);
	sqlite3_busy_timeout(db, BUSY_MS);
	return sqlite3_exec(db,
		       "PRAGMA synchronous = FULL;"
		       "PRAGMA cell_size_check = ON;"
		       "PRAGMA mmap_size = 0",
		       NULL, NULL, NULL) == SQLITE_OK
		? 0
		: -1;
}

struct wv_store *
wv_store_open(const char *path, struct wv_err *err)
{
	struct wv_store *store = wv_xcalloc(1, sizeof(*store));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW |
		SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

	if (sqlite3_open_v2(path, &store->db, flags, NULL) == SQLITE_OK &&
		configure(store) == 0)
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
	for (int i = 0; i < WV_QUERY_COUNT; i++)
		sqlite3_finalize(store->stmt[i]);
	sqlite3_close(store->db);
	free(store);
}

static int
get_version(struct wv_store *store, int64_t *version, struct wv_err *err)
{
	if (wv_query_run(store, GET_VERSION, err, "") != 1)
		return -1;
	*version = wv_query_int(store, GET_VERSION, 0);
	wv_query_end(store, GET_VERSION);
	return 0;
}

int
wv_store_form(struct wv_store *store, struct wv_err *err)
{
	int64_t version;

	if (get_version(store, &version, err) < 0)
		return -1;
	if (version == WV_STORE_VERSION)
		return WV_STORE_MADE;
	if (version >= 0 && version < WV_STORE_VERSION)
		return version == 0 ? WV_STORE_EMPTY : WV_STORE_OLD;
	return wv_err_set(err,
		"kernel.db has version %jd, of a newer program: this one knows "
		"versions up to %d",
		(intmax_t)version, WV_STORE_VERSION);
}

static int
use_wal(struct wv_store *store, struct wv_err *err)
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
	return wal ? 0
		   : wv_err_set(err,
			     "kernel.db: this file system cannot hold a "
			     "write-ahead log");
}

int
wv_store_make(struct wv_store *store, bool test, struct wv_err *err)
{
	if (use_wal(store, err) < 0)
		return -1;
	if (sqlite3_exec(store->db, wv_sql_make, NULL, NULL, NULL) != SQLITE_OK)
		fail(store, err);
	else if (wv_query_run(store, ADD_SUMMIT, err, "i", (uint64_t)test) == 0)
		return wv_store_commit(store, err);
	wv_store_rollback(store);
	return -1;
}

int
wv_store_migrate(struct wv_store *store, struct wv_err *err)
{
	int64_t version;

	if (get_version(store, &version, err) < 0)
		return -1;
	if (sqlite3_exec(store->db, wv_sql_migrate[version], NULL, NULL,
		    NULL) == SQLITE_OK)
		return 0;
	fail(store, err);
	wv_store_rollback(store);
	return -1;
}

int
wv_store_begin(struct wv_store *store, struct wv_err *err)
{
	store->changes = sqlite3_total_changes(store->db);
	return wv_query_run(store, BEGIN, err, "");
}

int
wv_store_commit(struct wv_store *store, struct wv_err *err)
{
	if (wv_query_run(store, COMMIT, err, "") == 0)
		return 0;
	wv_store_rollback(store);
	return -1;
}

void
wv_store_rollback(struct wv_store *store)
{
	/* Some errors have rolled back already. */
	if (!sqlite3_get_autocommit(store->db))
		wv_query_run(store, ROLLBACK, NULL, "");
}

bool
wv_store_changed(const struct wv_store *store)
{
	return sqlite3_total_changes(store->db) != store->changes;
}

static void
get_hash(struct wv_store *store, int column, char hash[WV_SHA256_HEX])
{
	const unsigned char *text =
		sqlite3_column_text(store->stmt[GET_SUMMIT], column);

	memset(hash, 0, WV_SHA256_HEX);
	if (text != NULL)
		strncpy(hash, (const char *)text, WV_SHA256_HEX - 1);
}

int
wv_store_summit(
	struct wv_store *store, struct wv_summit *summit, struct wv_err *err)
{
	int found = wv_query_run(store, GET_SUMMIT, err, "");

	if (found == 0)
		return wv_err_set(err, "kernel.db lacks its summit");
	if (found < 0)
		return -1;
	struct wv_head *head = &summit->head;
	summit->test = wv_query_int(store, GET_SUMMIT, 0) != 0;
	head->seq = (uint64_t)wv_query_int(store, GET_SUMMIT, 1);
	head->end = (uint64_t)wv_query_int(store, GET_SUMMIT, 2);
	head->len = (uint64_t)wv_query_int(store, GET_SUMMIT, 3);
	get_hash(store, 4, head->hash);
	summit->newest = wv_query_time(store, GET_SUMMIT, 5);
	summit->lost.seq = (uint64_t)wv_query_int(store, GET_SUMMIT, 7);
	get_hash(store, 8, summit->lost.hash);
	summit->pruned = wv_query_time(store, GET_SUMMIT, 9);
	summit->segment = (uint64_t)wv_query_int(store, GET_SUMMIT, 11);
	wv_query_end(store, GET_SUMMIT);
	return 0;
}

int
wv_store_set_summit(struct wv_store *store, const struct wv_summit *summit,
	struct wv_err *err)
{
	const struct wv_head *head = &summit->head;

	return wv_query_run(store, SET_SUMMIT, err, "iiitTitTi", head->seq,
		head->end, head->len, head->hash, summit->newest,
		summit->lost.seq, summit->lost.hash, summit->pruned,
		summit->segment);
}
