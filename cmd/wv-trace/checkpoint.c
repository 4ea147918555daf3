/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint.h"

#include "base/msg.h"
#include "json/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 64 << 10 };

static const char zeros[] =
	"0000000000000000000000000000000000000000000000000000000000000000";

static void
tell(struct checkpoints *c, struct wv_err *err, int status)
{
	err->source = c->name;
	err->line = c->in.number;
	wv_warn_err(err);
	c->status = wv_worse(c->status, status);
	c->faults += status == WV_NO;
}

static int
read_members(struct checkpoints *c, const cJSON *node, struct wv_err *err)
{
	const char *head = wv_get_string(node, "head");
	const char *time = wv_get_string(node, "time");
	const char *log = wv_get_string(node, "log");
	int64_t version, seq;

	if (!wv_is_number(wv_get(node, "v")) ||
		!wv_num_int64(wv_get(node, "v"), &version) || version != 1)
		return wv_err_set(err, "not a checkpoint of version 1");
	if (!wv_is_number(wv_get(node, "seq")) ||
		!wv_num_int64(wv_get(node, "seq"), &seq) || seq < 1)
		return wv_err_set(err, "a checkpoint without seq");
	if (head == NULL || !wv_is_sha256_hex(head))
		return wv_err_set(err, "a checkpoint without head");
	if (time == NULL ||
		wv_time_parse(&c->time, time, strlen(time), NULL) < 0)
		return wv_err_set(err, "a checkpoint without time");
	if ((uint64_t)seq < c->seq) {
		wv_err_set(err, "seq %jd follows seq %ju", (intmax_t)seq,
			(uintmax_t)c->seq);
		return 1;
	}
	c->seq = (uint64_t)seq;
	memcpy(c->head, head, WV_SHA256_HEX);
	snprintf(c->log, sizeof(c->log), "%s", log != NULL ? log : "");
	return 0;
}

/* The first of a file may be from the middle of one. */
static int
check_prev(const struct checkpoints *c, const cJSON *node, struct wv_err *err)
{
	const char *prev = wv_get_string(node, "prev");

	if (prev == NULL || !wv_is_sha256_hex(prev))
		return wv_err_set(err, "a checkpoint without prev");
	if (c->count == 0 || strcmp(prev, c->hash) == 0)
		return 0;
	wv_err_set(err, "its prev is not the hash of the checkpoint before");
	return 1;
}

/* 1: it is wrong; -1: it is none, or cannot be judged. */
static int
check_signature(
	const struct checkpoints *c, const cJSON *node, struct wv_err *err)
{
	const struct wv_key_claim claim = { .use = WV_KEY_CHECKPOINT,
		.now = wv_now() };
	const char *kid = wv_get_string(wv_get(node, "signature"), "kid");

	if (c->keyring == NULL)
		return 0;
	switch (wv_signature_check(node, "signature", c->keyring, err)) {
	case WV_SIGNED:
		return wv_keyring_permits(c->keyring, kid, &claim, err) < 0;
	case WV_KEY_UNKNOWN:
		return -1;
	default:
		return 1;
	}
}

static int
judge(struct checkpoints *c, struct wv_arena *arena, struct wv_err *err)
{
	const struct wv_reader *in = &c->in;
	const cJSON *node;
	int status;

	if (in->too_long)
		return wv_err_set(err, "longer than %d bytes", LINE_MAX_BYTES);
	node = wv_json_read(arena, in->line, in->len, &wv_json_defaults, err);
	if (node == NULL)
		return -1;
	if ((status = check_prev(c, node, err)) == 0 &&
		(status = read_members(c, node, err)) == 0)
		status = check_signature(c, node, err);
	return status;
}

/* The next; one that is not good is told, and passed by. */
static void
next(struct checkpoints *c)
{
	struct wv_arena arena = WV_ARENA_INIT;
	int more = 1, status = 1;

	c->is_waiting = false;
	while (!c->is_over && !c->is_waiting) {
		struct wv_err err = WV_ERR_INIT;
		more = wv_reader_next(&c->in, &err);
		c->is_over = more != 1;
		if (more == 1) {
			status = judge(c, &arena, &err);
			c->is_torn = status < 0 && !c->in.ended;
		}
		if (more < 0 ||
			(more == 1 && status != 0 &&
				!(c->is_torn && c->forgives)))
			tell(c, &err,
				more < 0 || status < 0 ? WV_TROUBLE : WV_NO);
		if (more == 1 && !c->is_torn) {
			wv_sha256_hex(c->hash, c->in.line, c->in.len);
			c->whole = c->in.next;
			c->ends_line = c->in.ended;
			c->count++;
		}
		c->is_waiting = more == 1 && status == 0;
		wv_arena_reset(&arena);
	}
	wv_arena_free(&arena);
}

/* The log is not what it was. */
static void
miss(struct checkpoints *c, const char *why)
{
	if (c->forgives && c->seq <= c->lost)
		return;
	c->unmet = c->seq;
	if (!c->forgives)
		walk_fault(c->walk,
			"%s:%" PRIu64 ": the log does not extend this "
			"checkpoint of line %" PRIu64 ": %s",
			c->name, c->in.number, c->seq, why);
}

static void
see_link(struct watch *watch, uint64_t seq, const char *hash)
{
	struct checkpoints *c = (struct checkpoints *)watch;

	for (; c->is_waiting && c->seq <= seq; next(c)) {
		if (c->seq == seq && strcmp(c->head, hash) != 0)
			miss(c, "another line stands there");
		else if (c->seq < seq && c->begun)
			miss(c, "it lacks that line");
		else if (c->seq < seq) {
			wv_warn("%s:%" PRIu64 ": the log begins after this "
				"checkpoint of line %" PRIu64 ": whether it "
				"extends it cannot be seen",
				c->name, c->in.number, c->seq);
			c->status = wv_worse(c->status, WV_TROUBLE);
		}
	}
	c->begun = true;
}

static void
see_lost(struct watch *watch, uint64_t seq)
{
	struct checkpoints *c = (struct checkpoints *)watch;

	if (seq > c->lost)
		c->lost = seq;
	if (c->forgives && c->unmet <= c->lost)
		c->unmet = 0;
}

void
checkpoints_start(struct checkpoints *c)
{
	c->watch.link = see_link;
	c->watch.lost = see_lost;
	c->in.max_line = LINE_MAX_BYTES;
	c->in.left = UINT64_MAX;
	memcpy(c->hash, zeros, WV_SHA256_HEX);
	next(c);
}

void
checkpoints_end(struct checkpoints *c, const struct wv_summit *summit)
{
	if (summit != NULL)
		see_lost(&c->watch, summit->lost.seq);
	for (; c->is_waiting; next(c))
		miss(c, "it ends before it");
}

void
checkpoints_free(struct checkpoints *c)
{
	wv_reader_free(&c->in);
}
