/* SPDX-License-Identifier: Apache-2.0 */
/* What the store knows, for how long, and what time has to do with it. */
#include "kernel.h"
#include "kernel/artifact.h"
#include "kernel/decision.h"
#include "kernel/store.h"

static const struct wv_time never;
enum { HOUR_MS = 60 * 60 * 1000, DAY_MS = 24 * HOUR_MS };

static struct wv_time
at(int64_t sec)
{
	return (struct wv_time){ sec, 0 };
}

static int
add_token(struct wv_store *store, const char *id, struct wv_time expires_at)
{
	struct wv_store_token token = { .id = id,
		.digest = "d",
		.principal = "agent-7",
		.issuer = "here",
		.scope = "[\"a.b\"]",
		.issued_at = at(7),
		.expires_at = expires_at,
		.single_use = true };

	return wv_store_add_token(store, &token, &err);
}

static int
add_decision(struct wv_store *store, const char *id, struct wv_time until)
{
	struct wv_store_decision decision = { .id = id,
		.digest = "d",
		.capability_id = "a.b",
		.principal = "agent-7",
		.token_id = "tok-1",
		.issuer = "here",
		.lineage = "[]",
		.valid_until = until };

	return wv_store_add_decision(store, &decision, &err);
}

static void
test_tokens(void)
{
	struct wv_state *state = fresh("tokens");
	struct wv_store *store = state->store;
	struct wv_store_token token;
	const char *after = "";
	int n = 0;

	begin(state);
	ok(add_token(store, "tok-2", at(99)) == 0 &&
			add_token(store, "tok-1", never) == 0,
		"two tokens");
	ok(wv_store_token(store, &arena, "tok-2", &token, &err) == 1 &&
			strcmp(token.scope, "[\"a.b\"]") == 0 &&
			strcmp(token.issuer, "here") == 0 &&
			token.lineage == NULL && token.single_use &&
			token.issued_at.sec == 7 && token.expires_at.sec == 99,
		"all that was said of one is kept");
	for (; wv_store_next_token(store, &arena, after, &token, &err) == 1;
		n++)
		after = token.id;
	ok(n == 2 && strcmp(after, "tok-2") == 0, "listed in their order");
	ok(add_token(store, "tok-1", never) < 0, "an id is taken once");
	wv_err_clear(&err);
	wv_state_rollback(state);
	ok(wv_store_token(store, &arena, "tok-1", &token, &err) == 0,
		"and none after a rollback");
	wv_state_close(state);
}

static int
revoked(struct wv_store *store, const char *issuer, const char *id,
	const char *kid)
{
	return wv_store_token_revoked(store, issuer, id, kid, &err);
}

static void
test_revoked(void)
{
	struct wv_state *state = fresh("revoked");
	struct wv_store *store = state->store;

	begin(state);
	wv_store_revoke_token(store, "x", "tok-1", never, &err);
	wv_store_revoke_token(store, NULL, "tok-2", never, &err);
	ok(revoked(store, "x", "tok-1", NULL) == 1 &&
			revoked(store, "y", "tok-1", NULL) == 0 &&
			revoked(store, "", "tok-1", NULL) == 0,
		"of one issuer");
	ok(revoked(store, NULL, "tok-1", NULL) == 1,
		"an issuer that is not known may be that one");
	ok(revoked(store, "x", "tok-2", NULL) == 1 &&
			revoked(store, "", "tok-2", NULL) == 1,
		"of whoever issued it");
	ok(wv_store_revoke_key(store, "k1", &err) == 1 &&
			wv_store_revoke_key(store, "k1", &err) == 0,
		"a key, once");
	ok(revoked(store, "x", "tok-3", "k1") == 1 &&
			revoked(store, "x", "tok-3", "k2") == 0,
		"and what it signed");
	wv_state_rollback(state);
	wv_state_close(state);
}

/* The longer of what two calls say is how long it is kept. */
static void
test_until(void)
{
	struct wv_state *state = fresh("until");
	struct wv_store *store = state->store;

	begin(state);
	ok(wv_store_claim(store, "x", "tok-1", at(10), &err) == 1 &&
			wv_store_claim(store, "x", "tok-1", at(50), &err) ==
				0 &&
			wv_store_claim(store, "x", "tok-1", at(20), &err) == 0,
		"claimed once");
	wv_store_claim(store, "x", "tok-2", at(10), &err);
	wv_store_claim(store, "x", "tok-2", never, &err);
	wv_store_claim(store, "x", "tok-2", at(10), &err);
	wv_store_prune(store, at(50), 100, &err);
	ok(wv_store_claimed(store, "x", "tok-1", &err) == 1,
		"kept until the later end");
	wv_store_prune(store, at(51), 100, &err);
	ok(wv_store_claimed(store, "x", "tok-1", &err) == 0, "and no longer");
	ok(wv_store_claimed(store, "x", "tok-2", &err) == 1,
		"what may never end is kept for ever");
	wv_state_rollback(state);
	wv_state_close(state);
}

/* --- pruning loses nothing that matters */

enum { ROWS = 500, BEFORE = 100000 };

static uint32_t
next_random(void)
{
	static uint32_t x = 20260101;

	x ^= x << 13;
	x ^= x >> 17;
	return x ^= x << 5;
}

struct row {
	const char *id, *issuer;
	struct wv_time until;
	enum wv_stage stage;
	bool revoked, claimed;
};

/* Around the limit, on it, far from it, and never. */
static struct wv_time
random_end(void)
{
	switch (next_random() % 5) {
	case 0:
		return never;
	case 1:
		return (struct wv_time){ BEFORE, (int32_t)(next_random() % 2) };
	case 2:
		return (struct wv_time){ BEFORE - 1, 999999999 };
	default:
		return (struct wv_time){
			(int64_t)(next_random() % (2 * BEFORE)) - 10,
			(int32_t)(next_random() % 1000000000)
		};
	}
}

static void
add_row(struct wv_store *store, struct row *row, int i)
{
	row->id = wv_printf(&arena, "id-%d", i);
	row->issuer = next_random() % 3 ? "x" : NULL;
	row->until = random_end();
	row->stage = (enum wv_stage)(next_random() % 3);
	row->revoked = next_random() % 2;
	row->claimed = next_random() % 2;
	add_token(store, row->id, row->until);
	if (row->claimed)
		wv_store_claim(store, "x", row->id, row->until, &err);
	if (row->revoked)
		wv_store_revoke_token(
			store, row->issuer, row->id, row->until, &err);
	add_decision(store, row->id, row->until);
	wv_store_set_stage(store, row->id, row->stage, "plan", &err);
	wv_store_revoke_key(store, row->id, &err);
	wv_store_revoke_principal(store, row->id, at(i + 1), &err);
}

/* All that the store can be asked of a row, as one number. */
static int
answers(struct wv_store *store, const struct row *row, int i)
{
	struct wv_store_decision decision = { 0 };
	struct wv_store_token token;
	int bits = 0;

	bits = bits << 1 | wv_store_token(store, &arena, row->id, &token, &err);
	bits = bits << 1 | wv_store_claimed(store, "x", row->id, &err);
	bits = bits << 1 | revoked(store, "x", row->id, NULL);
	bits = bits << 1 | revoked(store, "y", row->id, NULL);
	bits = bits << 1 |
		wv_store_decision(store, &arena, row->id, &decision, &err);
	bits = bits << 2 | decision.stage;
	bits = bits << 1 | revoked(store, "x", "none", row->id);
	bits = bits << 1 |
		wv_store_principal_revoked(store, row->id, at(i), &err);
	return bits << 1 |
		wv_store_principal_revoked(store, row->id, at(i + 1), &err);
}

/* What remains of the answers when all that ended is forgotten. */
static int
forgotten(const struct row *row, int bits)
{
	enum { KEY_AND_PRINCIPAL = 7, DECISION = 7 << 3 };

	if (row->stage == WV_STAGE_RUNNING)
		return bits & (KEY_AND_PRINCIPAL | DECISION);
	return bits & KEY_AND_PRINCIPAL;
}

static void
test_prune(void)
{
	struct wv_state *state = fresh("prune");
	static struct row rows[ROWS];
	static int asked[ROWS];
	int wrong = 0, gone = 0, rounds = 1;

	begin(state);
	for (int i = 0; i < ROWS; i++)
		add_row(state->store, &rows[i], i);
	for (int i = 0; i < ROWS; i++)
		asked[i] = answers(state->store, &rows[i], i);
	while (wv_store_prune(state->store, at(BEFORE), 16, &err) == 1)
		rounds++;
	for (int i = 0; i < ROWS; i++) {
		bool ended = rows[i].until.sec != 0 &&
			wv_time_cmp(rows[i].until, at(BEFORE)) < 0;
		int want = ended ? forgotten(&rows[i], asked[i]) : asked[i];
		wrong += answers(state->store, &rows[i], i) != want;
		gone += want != asked[i];
	}
	ok(wrong == 0, "every answer that matters is as before: %d are not",
		wrong);
	ok(gone > ROWS / 5 && gone < ROWS, "and what ended is gone: %d", gone);
	ok(rounds > 10, "a little at a time: %d rounds", rounds);
	ok(!wv_err_is_set(&err), "without an error");
	wv_state_rollback(state);
	wv_state_close(state);
}

/* A state whose time is ours to say. */
static struct wv_state *
fresh_test(const char *name)
{
	place(name);
	return wv_state_open(folder, WV_STATE_INIT, true, &err);
}

static void
event(struct wv_state *state, const char *type)
{
	struct wv_event e = { .type = type };

	wv_state_event(state, &e, &err);
}

static void
group_at(struct wv_state *state, struct wv_time now)
{
	wv_time_fix(now);
	begin(state);
	event(state, "flow_started");
	commit(state);
}

static bool
is_kept(struct wv_state *state, const char *id)
{
	struct wv_store_decision decision;

	return wv_store_decision(state->store, &arena, id, &decision, &err) ==
		1;
}

static void
test_prune_in_groups(void)
{
	struct wv_time start = wv_now();
	struct wv_state *state = fresh_test("hourly");

	wv_time_fix(start);
	begin(state);
	add_decision(state->store, "dec-1", start);
	commit(state);
	group_at(state, wv_time_add_ms(start, DAY_MS));
	ok(is_kept(state, "dec-1"), "a day is kept");
	group_at(state, wv_time_add_ms(start, DAY_MS + HOUR_MS / 2));
	ok(is_kept(state, "dec-1"), "and looked at once an hour");
	group_at(state, wv_time_add_ms(start, DAY_MS + HOUR_MS));
	ok(!is_kept(state, "dec-1"), "then it is forgotten");
	wv_state_close(state);
}

static struct wv_artifact
keep(struct wv_state *state, struct wv_time expires_at)
{
	struct wv_artifact artifact = { .capability_id = "a.b",
		.expires_at = expires_at };
	const struct wv_artifact_use use = { 1, 1 };

	must(wv_artifact_open(state, &artifact, &err) == 0 &&
		wv_artifact_close(state, &artifact, &err) == 0);
	begin(state);
	must(wv_artifact_record(state, &artifact, &err) == 0 &&
		wv_artifact_add_use(
			state, artifact.handle_id, "p", &use, &err) == 0);
	commit(state);
	return artifact;
}

/* Row, file and what was shown: 7, or nothing: 0. */
static int
remains(struct wv_state *state, const struct wv_artifact *artifact)
{
	struct wv_store_artifact row;
	struct wv_artifact_use use;
	int is_there = wv_store_artifact(
		state->store, &arena, artifact->handle_id, &row, &err);
	wv_artifact_used(state, artifact->handle_id, "p", &use, &err);
	return is_there | (use.rows == 1 ? 2 : 0) |
		(access(path_of(wv_printf(
				&arena, "artifacts/%s", artifact->file)),
			 F_OK) == 0
				? 4
				: 0);
}

static void
test_prune_artifacts(void)
{
	struct wv_time start = wv_now();
	struct wv_state *state = fresh_test("expired");

	wv_time_fix(start);
	struct wv_artifact old = keep(state, start), gone = keep(state, start);
	struct wv_artifact longer = keep(state, wv_time_add_ms(start, HOUR_MS));
	struct wv_artifact ever = keep(state, never);
	must(unlink(path_of(wv_printf(&arena, "artifacts/%s", gone.file))) ==
		0);
	group_at(state, wv_time_add_ms(start, DAY_MS));
	ok(remains(state, &old) == 7, "an artifact is kept a day longer");
	group_at(state, wv_time_add_ms(start, DAY_MS + HOUR_MS));
	ok(remains(state, &old) == 0, "then all of it goes");
	ok(remains(state, &gone) == 0, "its file may have gone before");
	ok(remains(state, &longer) == 7 && remains(state, &ever) == 7,
		"and no other one");
	wv_state_close(state);
}

/* A clock that is set back makes nothing good again. */
static void
test_clock(void)
{
	struct wv_time start = wv_now();
	struct wv_state *state = fresh_test("clock");
	cJSON *decision = wv_json_object(&arena), *node;
	struct wv_token token;
	const char *code;

	wv_put_string(&arena, decision, "decision_id", "dec-1");
	wv_put_string(&arena, decision, "capability_id", "a.b");
	wv_put_string(&arena, decision, "principal", "agent-7");
	static const char text[] =
		"{\"token_id\":\"t\",\"principal\":\"agent-7\",\"scope\":"
		"[\"a.b\"],\"issued_at\":\"2026-01-01T00:00:00Z\","
		"\"expires_at\":\"2099-01-01T00:00:00Z\"}                ";
	node = wv_json_read(
		&arena, text, sizeof(text) - 17, &wv_json_defaults, &err);
	ok(node != NULL && wv_token_read(&token, node, &err) == 0, "a token");
	wv_time_fix(start);
	begin(state);
	ok(wv_decision_record(state, decision, &token,
		   wv_time_add_ms(start, 1000), &err) == 0,
		"a decision");
	commit(state);
	group_at(state, wv_time_add_ms(start, 1000));
	wv_time_fix(start);
	begin(state);
	ok(wv_decision_take(state, decision, "plan-1", &code, &err) == 0,
		"one that expired is not taken");
	is(code, "decision_expired", "when the clock is set back");
	wv_state_rollback(state);
	wv_state_close(state);
	state = wv_state_open(folder, WV_STATE_WRITE, false, &err);
	ok(state != NULL && state->ahead_s == 1,
		"the kernel's time is known to be ahead");
	wv_state_close(state);
}

static void
test_long(void)
{
	struct wv_state *state = fresh("long");
	struct wv_store *store = state->store;
	char *huge = wv_alloc(&arena, (17 << 20) + 1);

	memset(huge, 'x', 17 << 20);
	huge[17 << 20] = '\0';
	begin(state);
	ok(wv_store_revoke_key(store, huge, &err) < 0 &&
			strstr(err.text, "too big"),
		"a text that is too long is refused");
	wv_err_clear(&err);
	wv_state_rollback(state);
	wv_state_close(state);
}

int
main(void)
{
	test_tokens();
	test_revoked();
	test_until();
	test_prune();
	test_long();
	test_prune_in_groups();
	test_prune_artifacts();
	test_clock();
	return end();
}
