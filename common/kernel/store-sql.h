/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the store, for store*.c alone.  store.c is the only one that
 * knows the database; the statements are in store-sql.c; the others run them
 * by name, through what is declared here.
 */
#ifndef WV_KERNEL_STORE_SQL_H
#define WV_KERNEL_STORE_SQL_H

#include "kernel/store.h"

/* Of the tables, as the database keeps it (user_version). */
enum { WV_STORE_VERSION = 4 };

extern const char wv_sql_make[];
/* From each version: in one transaction that it begins and ends. */
extern const char *const wv_sql_migrate[WV_STORE_VERSION];

enum wv_query {
	BEGIN,
	COMMIT,
	ROLLBACK,
	GET_VERSION,
	ADD_SUMMIT,
	GET_SUMMIT,
	SET_SUMMIT,
	ADD_TOKEN,
	GET_TOKEN,
	NEXT_TOKEN,
	CLAIM,
	CLAIM_LONGER,
	GET_CLAIM,
	REVOKE_TOKEN,
	REVOKE_TOKEN_LONGER,
	REVOKE_PRINCIPAL,
	REVOKE_KEY,
	GET_REVOKED_TOKEN,
	GET_REVOKED_PRINCIPAL,
	ADD_DECISION,
	GET_DECISION,
	SET_STAGE,
	NEXT_PLAN,
	GET_RUNNING,
	ADD_ARTIFACT,
	GET_ARTIFACT,
	NEXT_EXPIRED,
	DROP_ARTIFACT,
	GET_SHOWN,
	ADD_SHOWN,
	DROP_SHOWN,
	PRUNE_TOKENS,
	PRUNE_CLAIMS,
	PRUNE_REVOKED,
	PRUNE_DECISIONS,
	ADD_HIT,
	GET_HITS,
	DROP_HITS,
	WV_QUERY_COUNT,
};
extern const char *const wv_sql[WV_QUERY_COUNT];

/* types: t text (may be NULL), i integer (uint64_t), T time (two columns).
 * 1: a row, to be read and ended; 0: done; -1. */
int wv_query_run(struct wv_store *store, enum wv_query query,
	struct wv_err *err, const char *types, ...);
/* The same, of one that changes rows: how many. */
int wv_query_change(struct wv_store *store, enum wv_query query,
	struct wv_err *err, const char *types, ...);
void wv_query_end(struct wv_store *store, enum wv_query query);

/* Columns of the row, from 0. */
int64_t wv_query_int(struct wv_store *store, enum wv_query query, int column);
const char *wv_query_text(struct wv_store *store, enum wv_query query,
	struct wv_arena *arena, int column);
struct wv_time wv_query_time(
	struct wv_store *store, enum wv_query query, int column);

#endif
