/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of the store and every statement that touches them; for store.c
 * alone.  Times are two columns, so that they compare as instants.
 */
#ifndef WV_KERNEL_STORE_SQL_H
#define WV_KERNEL_STORE_SQL_H

/* What SQLite calls user_version: of the tables below. */
#define STORE_VERSION "1"

static const char schema[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE summit(one INTEGER PRIMARY KEY CHECK(one = 1),"
	" test INTEGER NOT NULL, seq INTEGER NOT NULL, end INTEGER NOT NULL,"
	" len INTEGER NOT NULL, hash TEXT NOT NULL,"
	" newest_sec INTEGER NOT NULL, newest_nsec INTEGER NOT NULL);"
	"CREATE TABLE token(id TEXT PRIMARY KEY, digest TEXT NOT NULL,"
	" principal TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE claim(issuer TEXT NOT NULL, id TEXT NOT NULL,"
	" PRIMARY KEY(issuer, id)) WITHOUT ROWID;"
	"CREATE TABLE revoked_token(id TEXT PRIMARY KEY) WITHOUT ROWID;"
	"CREATE TABLE revoked_principal(principal TEXT PRIMARY KEY,"
	" sec INTEGER NOT NULL, nsec INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE decision(id TEXT PRIMARY KEY, digest TEXT NOT NULL,"
	" capability TEXT NOT NULL, principal TEXT NOT NULL,"
	" token TEXT NOT NULL, trace TEXT,"
	" issued_sec INTEGER NOT NULL, issued_nsec INTEGER NOT NULL,"
	" until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL,"
	" stage INTEGER NOT NULL, plan TEXT) WITHOUT ROWID;"
	"CREATE INDEX running ON decision(plan) WHERE stage = 1;"
	"CREATE TABLE artifact(handle TEXT PRIMARY KEY, file TEXT NOT NULL,"
	" capability TEXT NOT NULL, principal TEXT, decision TEXT,"
	" media_type TEXT, digest TEXT NOT NULL, obligations TEXT,"
	" size INTEGER NOT NULL, expires_sec INTEGER NOT NULL,"
	" expires_nsec INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE hit(name TEXT NOT NULL, sec INTEGER NOT NULL,"
	" nsec INTEGER NOT NULL, count INTEGER NOT NULL,"
	" PRIMARY KEY(name, sec, nsec)) WITHOUT ROWID;"
	"PRAGMA user_version = " STORE_VERSION ";";

enum query {
	BEGIN,
	COMMIT,
	ROLLBACK,
	GET_VERSION,
	ADD_SUMMIT,
	GET_SUMMIT,
	SET_SUMMIT,
	ADD_TOKEN,
	GET_TOKEN,
	CLAIM,
	REVOKE_TOKEN,
	REVOKE_PRINCIPAL,
	GET_REVOKED,
	ADD_DECISION,
	GET_DECISION,
	SET_STAGE,
	NEXT_PLAN,
	GET_RUNNING,
	ADD_ARTIFACT,
	ADD_HIT,
	GET_HITS,
	DROP_HITS,
	QUERY_COUNT,
};

#define DECISION_COLUMNS \
	"id, digest, capability, principal, token, trace, issued_sec, " \
	"issued_nsec, until_sec, until_nsec, stage"

static const char *const sql[QUERY_COUNT] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[GET_VERSION] = "PRAGMA user_version",
	[ADD_SUMMIT] = "INSERT INTO summit VALUES(1, ?, 0, 0, 0, '', 0, 0)",
	[GET_SUMMIT] = "SELECT test, seq, end, len, hash, newest_sec,"
		       " newest_nsec FROM summit",
	[SET_SUMMIT] = "UPDATE summit SET seq = ?, end = ?, len = ?,"
		       " hash = ?, newest_sec = ?, newest_nsec = ?",
	[ADD_TOKEN] = "INSERT INTO token VALUES(?, ?, ?)",
	[GET_TOKEN] = "SELECT digest, principal FROM token WHERE id = ?",
	[CLAIM] = "INSERT INTO claim VALUES(?, ?) ON CONFLICT DO NOTHING",
	[REVOKE_TOKEN] =
		"INSERT INTO revoked_token VALUES(?) ON CONFLICT DO NOTHING",
	[REVOKE_PRINCIPAL] =
		"INSERT INTO revoked_principal VALUES(?, ?, ?)"
		" ON CONFLICT DO UPDATE SET sec = excluded.sec,"
		" nsec = excluded.nsec"
		" WHERE (sec, nsec) < (excluded.sec, excluded.nsec)",
	[GET_REVOKED] = "SELECT 1 FROM revoked_token WHERE id = ?1 UNION ALL"
			" SELECT 1 FROM revoked_principal WHERE principal = ?2"
			" AND (?3, ?4) < (sec, nsec)",
	[ADD_DECISION] = "INSERT INTO decision VALUES(?, ?, ?, ?, ?, ?, ?, ?,"
			 " ?, ?, 0, NULL)",
	[GET_DECISION] =
		"SELECT " DECISION_COLUMNS " FROM decision WHERE id = ?",
	[SET_STAGE] = "UPDATE decision SET stage = ?2,"
		      " plan = coalesce(?3, plan) WHERE id = ?1",
	[NEXT_PLAN] = "SELECT min(plan) FROM decision"
		      " WHERE stage = 1 AND plan > ?",
	[GET_RUNNING] = "SELECT " DECISION_COLUMNS " FROM decision"
			" WHERE stage = 1 AND plan = ? LIMIT 1",
	[ADD_ARTIFACT] = "INSERT INTO artifact VALUES(?, ?, ?, ?, ?, ?, ?, ?,"
			 " ?, ?, ?)",
	[ADD_HIT] = "INSERT INTO hit VALUES(?, ?, ?, 1)"
		    " ON CONFLICT DO UPDATE SET count = count + 1",
	[GET_HITS] = "SELECT total(count) FROM hit WHERE name = ?"
		     " AND (sec, nsec) > (?, ?)",
	[DROP_HITS] = "DELETE FROM hit WHERE name = ?"
		      " AND (sec, nsec) <= (?, ?)",
};

#endif
