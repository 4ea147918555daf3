/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel state: one folder that holds the store (kernel.db), the audit log
 * (audit.jsonl), artifacts, keys and the locks of running plans.  Whoever may
 * write it is the kernel.
 *
 * Order of effects.  Every change happens in a group, under one lock:
 *
 *	wv_state_begin     lock; begin; repair what a dead writer left
 *	…                  consuming checks, claims, records, events
 *	wv_state_commit    log: one write, fsync; store: commit; unlock
 *	                   only then may the tool emit what it decided
 *
 * so the log is never behind the store, two fsyncs pay for a whole group, and
 * after a crash at any point the next wv_state_begin() finds either nothing
 * or events that the store lacks, and settles them: an authorization that was
 * never committed is voided by a capability_denied (code not_committed), a
 * decision whose plan died gets its one capability_executed (outcome partial,
 * code interrupted), a torn line stays and is accounted for by the next chain
 * member's gap.
 */
#ifndef WV_KERNEL_STATE_H
#define WV_KERNEL_STATE_H

#include "base/clock.h"
#include "base/digest.h"
#include "json/json.h"

struct wv_audit;
struct wv_opts;
struct wv_store;
struct wv_summit;

struct wv_state {
	char *path;
	int dir; /* descriptor of the folder */
	struct wv_store *store;
	struct wv_audit *audit;
	bool test; /* made by `wv-token init --test` */
	bool in_group;
	int lock;             /* descriptor of `lock` */
	int64_t lock_wait_ms; /* how long begin waits for it: 30 s */
	int plan;             /* descriptor of run/PLAN; -1: none */
	uint64_t store_file;  /* inode of kernel.db */
	unsigned char digest_key[WV_SHA256];
	struct wv_arena arena; /* of the group; reset by begin */
	struct wv_time now; /* of the group: never before the store's newest */
	uint64_t ahead_s;   /* of the clock, when the state was opened */
	uint64_t quota;     /* bytes in artifacts/; 0: WV_ARTIFACT_QUOTA */
	uint64_t stored;    /* of them, as far as this process knows */
};

enum wv_state_use {
	WV_STATE_READ,    /* must exist */
	WV_STATE_VERIFY,  /* so too, but its log may be another, or none */
	WV_STATE_RECOVER, /* the same, for writing */
	WV_STATE_WRITE,   /* made if it does not exist */
	WV_STATE_INIT,    /* must not exist; made for tests if `test` */
};

/*
 * path: --state, else NULL for $WV_STATE, $XDG_STATE_HOME/wv,
 * ~/.local/state/wv.  Folders are 0700, files 0600; a wrong owner, group or
 * other bits, a link, an ancestor that others can write to (unless sticky and
 * root's), log without store, log without what the store recorded, a store
 * that is damaged or of a newer program: NULL and an error.  A store of an
 * older program is migrated when it is opened for writing, and refused when
 * for reading.  --now and WV_IDS are refused unless the state is for tests.  From then on
 * the process ignores SIGXFSZ, so that a limit on file sizes is an error of a
 * write and not a death within a group.
 */
struct wv_state *wv_state_open(
	const char *path, enum wv_state_use use, bool test, struct wv_err *err);
void wv_state_close(struct wv_state *state);
/* The same for a tool that cannot go on without: what is wrong ends it with
 * status 2; and a clock that is behind the kernel's time is told. */
struct wv_state *wv_state_need(
	const char *path, enum wv_state_use use, bool test);

/* The options of every tool with a state: rows for its wv_opt table and the
 * switch arm that takes them. */
/* clang-format off */
#define WV_STATE_OPT \
	{ WV_OPT_STATE, "state", "DIR", "the state folder (WV_STATE)" }
#define WV_NOW_OPT \
	{ WV_OPT_NOW, "now", "TIME", "what time it is, on a state for tests" }
/* clang-format on */
enum { WV_OPT_STATE = 1200, WV_OPT_NOW };
/* True if id was one of them and has been taken; *path is kept as given. */
bool wv_state_option(const char **path, int id, const struct wv_opts *opts);

/* A file named `stop` is there, or whether it is cannot be established. */
bool wv_state_stopped(const struct wv_state *state);

/* The lock by itself, 30 s at most; begin takes it, commit and rollback give
 * it back. */
int wv_state_lock(struct wv_state *state, struct wv_err *err);
void wv_state_unlock(struct wv_state *state);

/*
 * The live log as it stands between two groups: a descriptor to read it with,
 * its size, and what the store says of it (kernel/store.h).  What stands
 * before it is in the first summit->segment segments: wv_segments_read(),
 * which needs no lock, since these do not change.
 */
int wv_state_log(struct wv_state *state, struct wv_summit *summit,
	uint64_t *size, struct wv_err *err);

int wv_state_begin(struct wv_state *state, struct wv_err *err);
/*
 * -1: nothing of the group happened.  The log is cut back; only where the
 * store was the last to fail do its lines stay, and the next group voids
 * them.
 */
int wv_state_commit(struct wv_state *state, struct wv_err *err);
void wv_state_rollback(struct wv_state *state);

/*
 * Where the log lacks what the store recorded, takes note of the loss, so
 * that groups can begin again; kernel/audit.h says how.  1: it did, and
 * summit is what the store says from now on; 0: there was nothing to recover.
 */
int wv_state_recover(
	struct wv_state *state, struct wv_summit *summit, struct wv_err *err);

/*
 * An event of the group.  Strings are redacted, then cut to 1,024 bytes (of
 * metadata, also lists to 64 and depth to 8), and further until the line has
 * at most 64 KiB; metadata.x_wv_cut says that something was.  Members in the
 * order of the contract, absent ones left out; event_id and timestamp (the
 * group's now) are made here.
 */
struct wv_event {
	const char *type; /* "capability_denied", … */
	const char *capability_id, *principal, *decision_id, *frame_id,
		*handle_id, *outcome, *error_message;
	const char *code;     /* metadata.x_wv_code */
	const char *token_id; /* metadata.x_wv_token_id */
	const cJSON *cause;   /* a record whose telemetry is continued */
	cJSON *metadata;      /* further members; in the group's arena */
	cJSON *found; /* metadata.x_wv_found: wv_firewall_found(), as it is */
};
int wv_state_event(struct wv_state *state, const struct wv_event *event,
	struct wv_err *err);

/* Reads the state's own key; a state for writing has it. */
int wv_state_key(struct wv_state *state, struct wv_err *err);
/* HMAC-SHA256 with the state's own key: what stands for arguments in events,
 * so that a low-entropy value cannot be guessed from its digest. */
void wv_state_keyed_digest(const struct wv_state *state,
	char hex[WV_SHA256_HEX], const void *p, size_t n);
/* metadata.x_wv_arguments: {names: […], keyed_digest}; none are {}. */
cJSON *wv_state_arguments(const struct wv_state *state, struct wv_arena *arena,
	const cJSON *arguments);

#endif
