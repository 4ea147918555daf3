/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/store-sql.h"

/* As they were in version 1. */
#define TABLES_1 \
	"CREATE TABLE summit(one INTEGER PRIMARY KEY CHECK(one = 1)," \
	" test INTEGER NOT NULL, seq INTEGER NOT NULL, end INTEGER NOT NULL," \
	" len INTEGER NOT NULL, hash TEXT NOT NULL," \
	" newest_sec INTEGER NOT NULL, newest_nsec INTEGER NOT NULL);" \
	"CREATE TABLE revoked_principal(principal TEXT PRIMARY KEY," \
	" sec INTEGER NOT NULL, nsec INTEGER NOT NULL) WITHOUT ROWID;" \
	"CREATE TABLE artifact(handle TEXT PRIMARY KEY, file TEXT NOT NULL," \
	" capability TEXT NOT NULL, principal TEXT, decision TEXT," \
	" media_type TEXT, digest TEXT NOT NULL, obligations TEXT," \
	" size INTEGER NOT NULL, expires_sec INTEGER NOT NULL," \
	" expires_nsec INTEGER NOT NULL) WITHOUT ROWID;" \
	"CREATE TABLE hit(name TEXT NOT NULL, sec INTEGER NOT NULL," \
	" nsec INTEGER NOT NULL, count INTEGER NOT NULL," \
	" PRIMARY KEY(name, sec, nsec)) WITHOUT ROWID;"

/*
 * Since version 2.  Times are two columns, so that they compare as instants;
 * 0 is never.  An index by end holds only what ends, for pruning.  A token
 * that is revoked whoever issued it has anyone = 1 and no issuer.  A decision
 * without an issuer is of version 1, which did not know it.
 */
#define TABLES_2 \
	"ALTER TABLE summit ADD lost_seq INTEGER NOT NULL DEFAULT 0;" \
	"ALTER TABLE summit ADD lost_hash TEXT NOT NULL DEFAULT '';" \
	"ALTER TABLE summit ADD pruned_sec INTEGER NOT NULL DEFAULT 0;" \
	"ALTER TABLE summit ADD pruned_nsec INTEGER NOT NULL DEFAULT 0;" \
	"CREATE TABLE token(id TEXT PRIMARY KEY, digest TEXT NOT NULL," \
	" principal TEXT NOT NULL, issuer TEXT NOT NULL, scope TEXT," \
	" lineage TEXT, issued_sec INTEGER NOT NULL," \
	" issued_nsec INTEGER NOT NULL, until_sec INTEGER NOT NULL," \
	" until_nsec INTEGER NOT NULL, single_use INTEGER NOT NULL)" \
	" WITHOUT ROWID;" \
	"CREATE INDEX token_end ON token(until_sec) WHERE until_sec <> 0;" \
	"CREATE TABLE claim(issuer TEXT NOT NULL, id TEXT NOT NULL," \
	" until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL," \
	" PRIMARY KEY(issuer, id)) WITHOUT ROWID;" \
	"CREATE INDEX claim_end ON claim(until_sec) WHERE until_sec <> 0;" \
	"CREATE TABLE revoked_token(id TEXT NOT NULL," \
	" anyone INTEGER NOT NULL, issuer TEXT NOT NULL," \
	" until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL," \
	" PRIMARY KEY(id, anyone, issuer)) WITHOUT ROWID;" \
	"CREATE INDEX revoked_end ON revoked_token(until_sec)" \
	" WHERE until_sec <> 0;" \
	"CREATE TABLE revoked_key(kid TEXT PRIMARY KEY) WITHOUT ROWID;" \
	"CREATE TABLE decision(id TEXT PRIMARY KEY, digest TEXT NOT NULL," \
	" capability TEXT NOT NULL, principal TEXT NOT NULL," \
	" token TEXT NOT NULL, trace TEXT, issuer TEXT, lineage TEXT," \
	" issued_sec INTEGER NOT NULL, issued_nsec INTEGER NOT NULL," \
	" until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL," \
	" stage INTEGER NOT NULL, plan TEXT) WITHOUT ROWID;" \
	"CREATE INDEX running ON decision(plan) WHERE stage = 1;"

/* Since version 3: what a principal was shown of a Handle. */
#define TABLES_3 \
	"ALTER TABLE artifact ADD arguments TEXT;" \
	"CREATE TABLE shown(handle TEXT NOT NULL, principal TEXT NOT NULL," \
	" rows INTEGER NOT NULL, bytes INTEGER NOT NULL," \
	" PRIMARY KEY(handle, principal)) WITHOUT ROWID;"

/* Since version 4: how many segments of the log are closed. */
#define TABLES_4 \
	"ALTER TABLE summit ADD segment INTEGER NOT NULL DEFAULT 0;" \
	"PRAGMA user_version = 4;"

const char wv_sql_make[] =
	"BEGIN IMMEDIATE;" TABLES_1 TABLES_2 TABLES_3 TABLES_4;

static const char migrate_1[] =
	"BEGIN IMMEDIATE;"
	"DROP INDEX running;"
	"ALTER TABLE token RENAME TO token_1;"
	"ALTER TABLE claim RENAME TO claim_1;"
	"ALTER TABLE revoked_token RENAME TO revoked_token_1;"
	"ALTER TABLE decision RENAME TO decision_1;" TABLES_2
	"INSERT INTO token SELECT id, digest, principal, '', NULL, NULL,"
	" 0, 0, 0, 0, 0 FROM token_1;"
	"INSERT INTO claim SELECT issuer, id, 0, 0 FROM claim_1;"
	"INSERT INTO revoked_token SELECT id, 1, '', 0, 0"
	" FROM revoked_token_1;"
	"INSERT INTO decision SELECT id, digest, capability, principal, token,"
	" trace, NULL, NULL, issued_sec, issued_nsec, until_sec, until_nsec,"
	" stage, plan FROM decision_1;"
	"DROP TABLE token_1;"
	"DROP TABLE claim_1;"
	"DROP TABLE revoked_token_1;"
	"DROP TABLE decision_1;" TABLES_3 TABLES_4 "COMMIT";
static const char migrate_2[] = "BEGIN IMMEDIATE;" TABLES_3 TABLES_4 "COMMIT";
static const char migrate_3[] = "BEGIN IMMEDIATE;" TABLES_4 "COMMIT";

const char *const wv_sql_migrate[WV_STORE_VERSION] = { NULL, migrate_1,
	migrate_2, migrate_3 };

#define TOKEN_COLUMNS \
	"id, digest, principal, issuer, scope, lineage, issued_sec, " \
	"issued_nsec, until_sec, until_nsec, single_use"
#define ARTIFACT_COLUMNS \
	"handle, file, capability, principal, decision, media_type, digest, " \
	"obligations, size, expires_sec, expires_nsec, arguments"
#define DECISION_COLUMNS \
	"id, digest, capability, principal, token, trace, issuer, lineage, " \
	"issued_sec, issued_nsec, until_sec, until_nsec, stage"

/* until as it is, unless another says that it lasts longer. */
#define IS_LONGER(sec, nsec) \
	" AND until_sec <> 0 AND (" sec " = 0 OR" \
	" (until_sec, until_nsec) < (" sec ", " nsec "))"
/* What ended before ?1, ?2: at most ?3 of it. */
#define HAS_ENDED \
	" WHERE until_sec <> 0 AND until_sec <= ?1" \
	" AND (until_sec, until_nsec) < (?1, ?2)"

const char *const wv_sql[WV_QUERY_COUNT] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[GET_VERSION] = "PRAGMA user_version",
	[ADD_SUMMIT] = "INSERT INTO summit(one, test, seq, end, len, hash,"
		       " newest_sec, newest_nsec)"
		       " VALUES(1, ?, 0, 0, 0, '', 0, 0)",
	[GET_SUMMIT] = "SELECT test, seq, end, len, hash, newest_sec,"
		       " newest_nsec, lost_seq, lost_hash, pruned_sec,"
		       " pruned_nsec, segment FROM summit",
	[SET_SUMMIT] = "UPDATE summit SET seq = ?, end = ?, len = ?,"
		       " hash = ?, newest_sec = ?, newest_nsec = ?,"
		       " lost_seq = ?, lost_hash = ?, pruned_sec = ?,"
		       " pruned_nsec = ?, segment = ?",
	[ADD_TOKEN] = "INSERT INTO token VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
		      " ?)",
	[GET_TOKEN] = "SELECT " TOKEN_COLUMNS " FROM token WHERE id = ?",
	[NEXT_TOKEN] = "SELECT " TOKEN_COLUMNS " FROM token WHERE id > ?"
		       " ORDER BY id LIMIT 1",
	[CLAIM] = "INSERT INTO claim VALUES(?, ?, ?, ?)"
		  " ON CONFLICT DO NOTHING",
	[CLAIM_LONGER] = "UPDATE claim SET until_sec = ?3, until_nsec = ?4"
			 " WHERE issuer = ?1 AND id = ?2" IS_LONGER("?3", "?4"),
	[GET_CLAIM] = "SELECT 1 FROM claim WHERE issuer = ? AND id = ?",
	[REVOKE_TOKEN] = "INSERT INTO revoked_token"
			 " VALUES(?2, ?1 IS NULL, ifnull(?1, ''), ?3, ?4)"
			 " ON CONFLICT DO NOTHING",
	[REVOKE_TOKEN_LONGER] =
		"UPDATE revoked_token SET until_sec = ?3, until_nsec = ?4"
		" WHERE id = ?2 AND anyone = (?1 IS NULL)"
		" AND issuer = ifnull(?1, '')" IS_LONGER("?3", "?4"),
	[REVOKE_PRINCIPAL] =
		"INSERT INTO revoked_principal VALUES(?, ?, ?)"
		" ON CONFLICT DO UPDATE SET sec = excluded.sec,"
		" nsec = excluded.nsec"
		" WHERE (sec, nsec) < (excluded.sec, excluded.nsec)",
	[REVOKE_KEY] = "INSERT INTO revoked_key VALUES(?)"
		       " ON CONFLICT DO NOTHING",
	[GET_REVOKED_TOKEN] = "SELECT 1 FROM revoked_token WHERE id = ?2"
			      " AND (anyone OR ?1 IS NULL OR issuer = ?1)"
			      " UNION ALL"
			      " SELECT 1 FROM revoked_key WHERE kid = ?3",
	[GET_REVOKED_PRINCIPAL] =
		"SELECT 1 FROM revoked_principal WHERE principal = ?"
		" AND (?, ?) < (sec, nsec)",
	[ADD_DECISION] = "INSERT INTO decision VALUES(?, ?, ?, ?, ?, ?, ?, ?,"
			 " ?, ?, ?, ?, 0, NULL)",
	[GET_DECISION] =
		"SELECT " DECISION_COLUMNS " FROM decision WHERE id = ?",
	[SET_STAGE] = "UPDATE decision SET stage = ?2,"
		      " plan = coalesce(?3, plan) WHERE id = ?1",
	[NEXT_PLAN] = "SELECT min(plan) FROM decision"
		      " WHERE stage = 1 AND plan > ?",
	[GET_RUNNING] = "SELECT " DECISION_COLUMNS " FROM decision"
			" WHERE stage = 1 AND plan = ? LIMIT 1",
	[ADD_ARTIFACT] = "INSERT INTO artifact VALUES(?, ?, ?, ?, ?, ?, ?, ?,"
			 " ?, ?, ?, ?)",
	[GET_ARTIFACT] =
		"SELECT " ARTIFACT_COLUMNS " FROM artifact WHERE handle = ?",
	[NEXT_EXPIRED] = "SELECT handle, file FROM artifact WHERE handle > ?1"
			 " AND expires_sec <> 0"
			 " AND (expires_sec, expires_nsec) < (?2, ?3)"
			 " ORDER BY handle LIMIT 1",
	[DROP_ARTIFACT] = "DELETE FROM artifact WHERE handle = ?",
	[GET_SHOWN] = "SELECT rows, bytes FROM shown"
		      " WHERE handle = ? AND principal = ?",
	[ADD_SHOWN] = "INSERT INTO shown VALUES(?, ?, ?, ?)"
		      " ON CONFLICT DO UPDATE SET rows = rows + excluded.rows,"
		      " bytes = bytes + excluded.bytes",
	[DROP_SHOWN] = "DELETE FROM shown WHERE handle = ?",
	[PRUNE_TOKENS] = "DELETE FROM token WHERE id IN"
			 " (SELECT id FROM token" HAS_ENDED " LIMIT ?3)",
	[PRUNE_CLAIMS] =
		"DELETE FROM claim WHERE (issuer, id) IN"
		" (SELECT issuer, id FROM claim" HAS_ENDED " LIMIT ?3)",
	[PRUNE_REVOKED] = "DELETE FROM revoked_token"
			  " WHERE (id, anyone, issuer) IN"
			  " (SELECT id, anyone, issuer"
			  " FROM revoked_token" HAS_ENDED " LIMIT ?3)",
	/* No index: it would cost every decision a tenth more, to save a walk
	 * that is made once an hour. */
	[PRUNE_DECISIONS] = "DELETE FROM decision WHERE id IN"
			    " (SELECT id FROM decision" HAS_ENDED
			    " AND stage <> 1 LIMIT ?3)",
	[ADD_HIT] = "INSERT INTO hit VALUES(?, ?, ?, 1)"
		    " ON CONFLICT DO UPDATE SET count = count + 1",
	[GET_HITS] = "SELECT total(count) FROM hit WHERE name = ?"
		     " AND (sec, nsec) > (?, ?)",
	[DROP_HITS] = "DELETE FROM hit WHERE name = ?"
		      " AND (sec, nsec) <= (?, ?)",
};
