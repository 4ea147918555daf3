/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit log: one TraceEvent a line, chained.  The last member of a line
 * is
 *
 *	"x_wv_chain":{"v":1,"seq":N,"prev":H}
 *
 * where seq counts from 1 and H is the SHA-256, as 64 lower-case hex digits,
 * of the bytes of the line before, without its LF.  The first line's prev is
 * 64 zeros and its chain also names the log: "log":ID.  Bytes that a dying
 * writer left between two lines stay; the line after them says
 * "gap":{"bytes":N,"sha256":H,"after":P} and its prev is H, the hash of those
 * bytes without the LF that ends them; P is the hash of the line before them.
 * A line ends at LF and at nothing else.
 *
 * A log can be in several files, see kernel/segment.h: the first line of each
 * but the first says "segment":N, how many stand before it.
 *
 * The first line of a group says "base":N, the seq that the store had seen
 * committed when the group began (absent: none).  A store that has seen less
 * than a line says it had is an older one put back, or lost its latest
 * commits: what was spent or revoked by these would be good again, so no group
 * begins on it.
 *
 * A loss.  The store remembers the last line that it saw committed; a log
 * that lacks it was cut, swapped, put back from a copy, or is gone, and no
 * group begins on it.  wv_state_recover() takes note of that, in one commit
 * of the store that touches no byte of the log, but to end its last line with
 * the LF that it may have lost: the head becomes the last
 * line of the log that follows from its beginning (none: nothing), and the
 * head that was lost is kept beside it until the next line has been written.
 * That line says "lost":{"seq":N,"sha256":H} (that head), and its seq is one
 * more than N, or than that of the line before it where that is larger: so
 * the lines that are missing are those whose numbers are, no number is given
 * twice, and H is the hash of no line.  If nothing stands before it, it names
 * the log anew.
 */
#ifndef WV_KERNEL_AUDIT_H
#define WV_KERNEL_AUDIT_H

#include "json/json.h"
#include "kernel/store.h"

/* What the chain member of a line says. */
struct wv_link {
	uint64_t seq;
	char prev[WV_SHA256_HEX];
	const char *log; /* NULL but in a first line; in the tree */
	bool has_gap;
	uint64_t gap_bytes;
	char gap_sha256[WV_SHA256_HEX];
	char gap_after[WV_SHA256_HEX]; /* "": of a log of version 0.1 */
	struct wv_lost lost;           /* seq 0: it tells of none */
	uint64_t base;                 /* 0: it says nothing of the store */
	uint64_t segment;              /* 0: it is not the first of one */
	cJSON *event;                  /* the whole line */
};

/*
 * Reads a line (WV_JSON_SLACK bytes must follow it); the tree is in the
 * arena.  -1 if it is no JSON object or its last member no chain, with the
 * column of what is wrong if there is one.
 */
int wv_link_read(struct wv_link *link, struct wv_arena *arena, const char *line,
	size_t len, struct wv_err *err);

/*
 * The same without a tree, for most lines: true if this one is JSON and its
 * chain member just as we write it, with nothing but v, seq, prev and base.
 * false says nothing.  skim is scratch; NULL: that it is JSON is known.
 */
struct wv_skim;
bool wv_link_skim(struct wv_link *link, struct wv_skim *skim, const char *line,
	size_t len);

/* A walk along the lines of a log, in constant memory. */
struct wv_chain {
	uint64_t seq;             /* of the last line that follows; 0: none */
	char hash[WV_SHA256_HEX]; /* of it; 64 zeros before the first */
	uint64_t torn_lines, torn_bytes; /* since, that belong to no chain */
	struct wv_sha256 torn;
	struct wv_lost lost; /* what the next line must tell of */
	bool is_open; /* there is nothing before: a line that says that it
			 begins a segment is taken at its word */
};

/* head: where to begin; NULL is the beginning of a log. */
void wv_chain_start(struct wv_chain *chain, const struct wv_head *head);

enum wv_follows {
	WV_FOLLOWS,
	WV_FOLLOWS_GAP,     /* after torn bytes that its gap accounts for */
	WV_FOLLOWS_NOT_SEQ, /* another seq belongs there */
	WV_FOLLOWS_NOT_PREV,
	WV_FOLLOWS_NOT_GAP, /* a gap that does not match what is there */
};
enum wv_follows wv_chain_follows(
	const struct wv_chain *chain, const struct wv_link *link);
/* The seq of a line that follows and tells of this loss. */
uint64_t wv_chain_next(
	const struct wv_chain *chain, const struct wv_lost *lost);
/* The line is the last one now, whether it followed or not. */
void wv_chain_accept(
	struct wv_chain *chain, uint64_t seq, const char *line, size_t len);
/* The line belongs to no chain: torn bytes. */
void wv_chain_skip(struct wv_chain *chain, const char *line, size_t len);
void wv_chain_torn_hash(const struct wv_chain *chain, char hex[WV_SHA256_HEX]);

/*
 * The writer of a group.  Between begin and end the caller holds the state's
 * lock, so nobody else writes.
 */
struct wv_audit {
	int fd;              /* the log; -1 between groups */
	uint64_t size;       /* of the log as begin found it */
	struct wv_head head; /* as the store has it */
	struct wv_head last; /* the last line that follows it, also unwritten */
	struct wv_chain chain; /* at that line */
	uint64_t segment;      /* how many are before this file */
	bool unended;          /* the log does not end with LF */
	bool begun;            /* a line of this group is in buf */
	struct wv_str buf;     /* lines of the group */
};

/*
 * Whether the line that the store recorded last stands where it recorded it:
 * 1; 0 and an error that says what is there instead; -1: cannot be read.  fd
 * -1: there is no log.
 */
int wv_audit_holds(int fd, const struct wv_head *head, struct wv_err *err);

/* Takes the log's descriptor (closed by end), and head, lost and segment of
 * the summit.  -1 if it lacks the head. */
int wv_audit_begin(struct wv_audit *audit, int fd,
	const struct wv_summit *summit, struct wv_err *err);

/*
 * The lines after the head, which the store lacks, each once: link's tree is
 * in the arena, which is the callback's to reset.  What does not follow is
 * torn and will be accounted for by the next line.  -1 at once if the
 * callback says so.
 */
int wv_audit_tail(struct wv_audit *audit, struct wv_arena *arena,
	int (*each)(void *arg, const struct wv_link *link, struct wv_err *err),
	void *arg, struct wv_err *err);

/* A line has at most WV_EVENT_MAX bytes, of which its chain member takes at
 * most WV_CHAIN_MAX: what is more of an event is for the caller to cut or to
 * refuse. */
enum { WV_EVENT_MAX = 64 << 10, WV_CHAIN_MAX = 1 << 10 };
/* Appends an event, the text of an object that is not empty, to the group;
 * its chain member is made here. */
void wv_audit_add(struct wv_audit *audit, const char *event, size_t n);
/* There is something that the store's head does not cover. */
bool wv_audit_is_ahead(const struct wv_audit *audit);
/* One write, one fsync; audit->last is durable then.  -1: cut back. */
int wv_audit_write(struct wv_audit *audit, struct wv_err *err);
/* Takes back what wv_audit_write() wrote. */
void wv_audit_cut(struct wv_audit *audit);
void wv_audit_end(struct wv_audit *audit);
void wv_audit_free(struct wv_audit *audit);

#endif
