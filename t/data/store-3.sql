-- SPDX-License-Identifier: Apache-2.0
-- The store as version 3 made it.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE summit(one INTEGER PRIMARY KEY CHECK(one = 1), test INTEGER NOT
	NULL, seq INTEGER NOT NULL, end INTEGER NOT NULL, len INTEGER NOT NULL,
	hash TEXT NOT NULL, newest_sec INTEGER NOT NULL, newest_nsec INTEGER NOT
	NULL);
CREATE TABLE revoked_principal(principal TEXT PRIMARY KEY, sec INTEGER NOT
	NULL, nsec INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE artifact(handle TEXT PRIMARY KEY, file TEXT NOT NULL,
	capability TEXT NOT NULL, principal TEXT, decision TEXT, media_type TEXT,
	digest TEXT NOT NULL, obligations TEXT, size INTEGER NOT NULL, expires_sec
	INTEGER NOT NULL, expires_nsec INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE hit(name TEXT NOT NULL, sec INTEGER NOT NULL, nsec INTEGER NOT
	NULL, count INTEGER NOT NULL, PRIMARY KEY(name, sec, nsec)) WITHOUT ROWID;
ALTER TABLE summit ADD lost_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE summit ADD lost_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE summit ADD pruned_sec INTEGER NOT NULL DEFAULT 0;
ALTER TABLE summit ADD pruned_nsec INTEGER NOT NULL DEFAULT 0;
CREATE TABLE token(id TEXT PRIMARY KEY, digest TEXT NOT NULL, principal TEXT
	NOT NULL, issuer TEXT NOT NULL, scope TEXT, lineage TEXT, issued_sec
	INTEGER NOT NULL, issued_nsec INTEGER NOT NULL, until_sec INTEGER NOT
	NULL, until_nsec INTEGER NOT NULL, single_use INTEGER NOT NULL) WITHOUT
	ROWID;
CREATE INDEX token_end ON token(until_sec) WHERE until_sec <> 0;
CREATE TABLE claim(issuer TEXT NOT NULL, id TEXT NOT NULL, until_sec INTEGER
	NOT NULL, until_nsec INTEGER NOT NULL, PRIMARY KEY(issuer, id)) WITHOUT
	ROWID;
CREATE INDEX claim_end ON claim(until_sec) WHERE until_sec <> 0;
CREATE TABLE revoked_token(id TEXT NOT NULL, anyone INTEGER NOT NULL, issuer
	TEXT NOT NULL, until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL,
	PRIMARY KEY(id, anyone, issuer)) WITHOUT ROWID;
CREATE INDEX revoked_end ON revoked_token(until_sec) WHERE until_sec <> 0;
CREATE TABLE revoked_key(kid TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE decision(id TEXT PRIMARY KEY, digest TEXT NOT NULL, capability
	TEXT NOT NULL, principal TEXT NOT NULL, token TEXT NOT NULL, trace TEXT,
	issuer TEXT, lineage TEXT, issued_sec INTEGER NOT NULL, issued_nsec
	INTEGER NOT NULL, until_sec INTEGER NOT NULL, until_nsec INTEGER NOT NULL,
	stage INTEGER NOT NULL, plan TEXT) WITHOUT ROWID;
CREATE INDEX running ON decision(plan) WHERE stage = 1;
ALTER TABLE artifact ADD arguments TEXT;
CREATE TABLE shown(handle TEXT NOT NULL, principal TEXT NOT NULL, rows INTEGER
	NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY(handle, principal)) WITHOUT
	ROWID;
PRAGMA user_version = 3;
