-- SPDX-License-Identifier: Apache-2.0
-- The store as version 1 made it.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE summit(one INTEGER PRIMARY KEY CHECK(one = 1), test INTEGER NOT
	NULL, seq INTEGER NOT NULL, end INTEGER NOT NULL, len INTEGER NOT NULL,
	hash TEXT NOT NULL, newest_sec INTEGER NOT NULL, newest_nsec INTEGER NOT
	NULL);
CREATE TABLE token(id TEXT PRIMARY KEY, digest TEXT NOT NULL, principal TEXT
	NOT NULL) WITHOUT ROWID;
CREATE TABLE claim(issuer TEXT NOT NULL, id TEXT NOT NULL, PRIMARY
	KEY(issuer, id)) WITHOUT ROWID;
CREATE TABLE revoked_token(id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE revoked_principal(principal TEXT PRIMARY KEY, sec INTEGER NOT
	NULL, nsec INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE decision(id TEXT PRIMARY KEY, digest TEXT NOT NULL, capability
	TEXT NOT NULL, principal TEXT NOT NULL, token TEXT NOT NULL, trace TEXT,
	issued_sec INTEGER NOT NULL, issued_nsec INTEGER NOT NULL, until_sec
	INTEGER NOT NULL, until_nsec INTEGER NOT NULL, stage INTEGER NOT NULL, plan
	TEXT) WITHOUT ROWID;
CREATE INDEX running ON decision(plan) WHERE stage = 1;
CREATE TABLE artifact(handle TEXT PRIMARY KEY, file TEXT NOT NULL,
	capability TEXT NOT NULL, principal TEXT, decision TEXT, media_type TEXT,
	digest TEXT NOT NULL, obligations TEXT, size INTEGER NOT NULL, expires_sec
	INTEGER NOT NULL, expires_nsec INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE hit(name TEXT NOT NULL, sec INTEGER NOT NULL, nsec INTEGER NOT
	NULL, count INTEGER NOT NULL, PRIMARY KEY(name, sec, nsec)) WITHOUT ROWID;
PRAGMA user_version = 1;
