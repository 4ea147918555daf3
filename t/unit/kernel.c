/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's groups, log and recovery, and what the store knows. */
#include "base/file.h"
#include "base/id.h"
#include "json/jcs.h"
#include "contract/scope.h"
#include "kernel.h"
#include "kernel/artifact.h"
#include "kernel/decision.h"

#include <sys/stat.h>

static void
event(struct wv_state *state, const char *type, const char *decision,
	const char *token)
{
	struct wv_event e = { .type = type,
		.capability_id = "org.demo.x",
		.principal = "agent-7",
		.decision_id = decision,
		.token_id = token,
		.code = "allowed" };

	wv_state_event(state, &e, &err);
}

static const char *
type_of(const struct wv_link *link)
{
	return wv_get_string(link->event, "event_type");
}

static const char *
code_of(const struct wv_link *link)
{
	return wv_get_string(wv_get(link->event, "metadata"), "x_wv_code");
}

static void
append_raw(const char *text)
{
	int fd = open(path_of("audit.jsonl"), O_WRONLY | O_APPEND);

	ok(wv_write_all(fd, text, strlen(text)) == 0, "torn bytes");
	close(fd);
}

static off_t
size_of(const char *name)
{
	struct stat st;

	return stat(path_of(name), &st) < 0 ? -1 : st.st_size;
}

static void
test_group(void)
{
	struct wv_state *state = fresh("group");
	struct wv_link *links;
	size_t n;

	begin(state);
	event(state, "capability_denied", "dec-1", "tok-1");
	ok(size_of("audit.jsonl") == 0, "nothing is written before commit");
	wv_state_rollback(state);
	ok(size_of("audit.jsonl") == 0, "nor after a rollback");
	begin(state);
	event(state, "capability_denied", "dec-2", "tok-1");
	event(state, "capability_denied", "dec-3", NULL);
	commit(state);
	off_t wal = size_of("kernel.db-wal"), log = size_of("audit.jsonl");
	begin(state);
	commit(state);
	ok(wal == size_of("kernel.db-wal") && log == size_of("audit.jsonl"),
		"a group without events and changes writes nothing");
	links = read_log(&n);
	ok(n == 2 && links[0].seq == 1 && links[1].seq == 2, "seq from 1");
	ok(links[0].log != NULL && links[1].log == NULL,
		"the first line names the log");
	is(wv_get_string(links[0].event, "decision_id"), "dec-2",
		"rolled back events are gone");
	wv_state_close(state);
}

static void
test_lock(void)
{
	struct wv_state *state = fresh("lock"), *other = open_state();

	begin(state);
	other->lock_wait_ms = 30;
	ok(wv_state_begin(other, &err) < 0 &&
			strstr(err.text, "another process has held it"),
		"a lock that is held, by the same process too, is waited for, "
		"then told (cases C15)");
	commit(state);
	wv_err_clear(&err);
	ok(wv_state_begin(other, &err) == 0, "and had when it is free");
	wv_state_rollback(other);
	wv_state_close(other);
	wv_state_close(state);
}

static void
test_torn(void)
{
	struct wv_state *state = fresh("torn");
	struct wv_link *links;
	size_t n;

	begin(state);
	event(state, "capability_denied", "dec-1", NULL);
	commit(state);
	append_raw("{\"event_id\":\"evt-");
	begin(state);
	event(state, "capability_denied", "dec-2", NULL);
	commit(state);
	append_raw("\n\n{}\n");
	begin(state);
	event(state, "capability_denied", "dec-3", NULL);
	commit(state);
	links = read_log(&n);
	ok(n == 3 && links[1].has_gap && links[1].gap_bytes == 17,
		"a torn tail is accounted for (cases E39)");
	ok(links[2].has_gap && links[2].gap_bytes == 4,
		"also one of several lines that ends with LF");
	wv_state_close(state);
}

static void
test_refused(void)
{
	struct wv_state *state = fresh("refused");

	begin(state);
	event(state, "capability_denied", "dec-1", NULL);
	commit(state);
	off_t size = size_of("audit.jsonl");
	int fd = open(path_of("audit.jsonl"), O_WRONLY);
	ok(pwrite(fd, "X", 1, 3) == 1, "one byte is changed");
	ok(wv_state_begin(state, &err) < 0 &&
			strstr(err.text, "lacks what the store recorded"),
		"a changed last line is refused");
	wv_err_clear(&err);
	ok(pwrite(fd, "v", 1, 3) == 1, "and mended");
	begin(state);
	commit(state);
	ok(ftruncate(fd, size - 1) == 0 && wv_state_begin(state, &err) < 0 &&
			strstr(err.text, "lacks what the store recorded"),
		"a log that is shorter is refused (cases E45)");
	close(fd);
	wv_state_close(state);
}

static cJSON *
make_token(const char *id, bool single_use)
{
	cJSON *token = wv_json_object(&arena);
	cJSON *scope = wv_json_array(&arena);

	wv_push(scope, wv_json_string(&arena, "org.demo.*"));
	wv_put_string(&arena, token, "token_id", id);
	wv_put_string(&arena, token, "principal", "agent-7");
	wv_put(&arena, token, "scope", scope);
	wv_put_string(&arena, token, "issued_at", "2026-01-01T00:00:00Z");
	if (single_use)
		wv_put(&arena, token, "single_use", wv_json_bool(&arena, true));
	else
		wv_put_string(
			&arena, token, "expires_at", "2099-01-01T00:00:00Z");
	return token;
}

static int
revoke_id(struct wv_state *state, const char *issuer, const char *id)
{
	static const struct wv_time never;

	return wv_store_revoke_token(state->store, issuer, id, never, &err);
}

static const char *
trust_of(struct wv_state *state, const struct wv_token *token)
{
	static const struct wv_trust_rules rules;
	const char *code = NULL;
	struct wv_err why = WV_ERR_INIT;
	enum wv_trust trust;
	int trusted = wv_token_trust(
		state, &rules, token, wv_now(), &trust, &code, &why);

	return trusted == 1 ? wv_trust_name(trust) : code;
}

static void
test_tokens(void)
{
	struct wv_state *state = fresh("tokens");
	struct wv_token token, forged;
	cJSON *copy;

	ok(wv_token_read(&token, make_token("tok-1", true), &err) == 0 &&
			token.single_use && !token.expires,
		"a token is read");
	copy = wv_json_copy(&arena, token.node);
	wv_put_string(&arena, copy, "principal", "agent-8");
	ok(wv_token_read(&forged, copy, &err) == 0, "so is a forged one");
	is(trust_of(state, &token), "token_untrusted", "not issued yet");
	begin(state);
	ok(wv_token_record(state, &token, &err) == 0, "issued");
	commit(state);
	is(trust_of(state, &token), "issued", "known");
	is(trust_of(state, &forged), "token_untrusted",
		"an id is no credential");
	begin(state);
	ok(wv_token_spend(state, &token, &err) == 1, "spent");
	ok(wv_token_spend(state, &token, &err) == 0, "only once");
	ok(wv_token_spent(state, &token, &err) == 1, "and known to be");
	wv_state_rollback(state);
	begin(state);
	ok(wv_token_spend(state, &token, &err) == 1,
		"a rollback gives it back");
	ok(wv_token_revoked(state, &token, &err) == 0, "not revoked");
	ok(revoke_id(state, "elsewhere", "tok-1") == 1 &&
			wv_token_revoked(state, &token, &err) == 0,
		"nor is it where another issuer's is");
	ok(revoke_id(state, "", "tok-1") == 1 &&
			revoke_id(state, "", "tok-1") == 0 &&
			wv_token_revoked(state, &token, &err) == 1,
		"revoked by id");
	ok(revoke_id(state, NULL, "tok-foreign") == 1,
		"also an id that was never issued here");
	commit(state);
	wv_state_close(state);
}

static int
cut_off(struct wv_state *state, const char *principal, struct wv_time before)
{
	return wv_store_revoke_principal(state->store, principal, before, &err);
}

static void
test_cut_off(void)
{
	struct wv_state *state = fresh("cut-off");
	struct wv_token token;
	struct wv_time at;

	wv_token_read(&token, make_token("tok-1", true), &err);
	at = token.issued_at;
	begin(state);
	cut_off(state, "agent-8", wv_time_add_ms(at, 1));
	ok(wv_token_revoked(state, &token, &err) == 0, "another principal");
	cut_off(state, "agent-7", at);
	ok(wv_token_revoked(state, &token, &err) == 0,
		"issued at the cut-off is not before it");
	at.nsec++;
	ok(cut_off(state, "agent-7", at) == 1 &&
			wv_token_revoked(state, &token, &err) == 1,
		"issued a nanosecond before it is");
	at.sec -= 60;
	ok(cut_off(state, "agent-7", at) == 0 &&
			wv_token_revoked(state, &token, &err) == 1,
		"an earlier cut-off takes nothing back");
	commit(state);
	wv_state_close(state);
}

static void
test_scope(void)
{
	static const struct {
		const char *scope, *capability;
		bool covers;
	} cases[] = {
		{ "a.b.c", "a.b.c", true },
		{ "a.b.c", "a.b.cd", false },
		{ "a.b.*", "a.b.c", true },
		{ "a.b.*", "a.b.c.d", true },
		{ "a.b.*", "a.b", false },
		{ "a.b.*", "a.bc", false },
		{ "a.b.*", "a.b..c", false },
		{ "a.b.*", "a.b.", false },
		{ "*", "a", false },
		{ ".*", "a", false },
		{ "a.*.c", "a.b.c", false },
		{ "a.b*", "a.bc", false },
		{ "a.*.*", "a.b.c", false },
		{ "", "", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cJSON *node = make_token("tok-1", true);
		struct wv_token token = { .scope = wv_get(node, "scope") };
		token.scope->child->valuestring =
			wv_dup(&arena, cases[i].scope);
		ok(wv_scope_covers(token.scope, cases[i].capability) ==
				cases[i].covers,
			"scope \"%s\" %s \"%s\" (cases D5)", cases[i].scope,
			cases[i].covers ? "covers" : "does not cover",
			cases[i].capability);
	}
}

static cJSON *
make_decision(const char *id)
{
	cJSON *decision = wv_json_object(&arena);

	wv_put_string(&arena, decision, "decision_id", id);
	wv_put_string(&arena, decision, "decision", "allow");
	wv_put_string(&arena, decision, "capability_id", "org.demo.x");
	wv_put_string(&arena, decision, "principal", "agent-7");
	wv_put_string(&arena, decision, "timestamp", "2026-01-01T00:00:00Z");
	return decision;
}

static const char *
take(struct wv_state *state, const cJSON *decision, const char *plan)
{
	const char *code = NULL;
	int taken = wv_decision_take(state, decision, plan, &code, &err);

	return taken == 1 ? "taken" : taken == 0 ? code : err.text;
}

static void
test_decisions(void)
{
	struct wv_state *state = fresh("decisions");
	struct wv_time soon = wv_time_add_ms(wv_now(), 60000);
	cJSON *one = make_decision("dec-1"), *old = make_decision("dec-2");
	cJSON *revoked = make_decision("dec-3"), *altered;
	struct wv_token token, other;

	wv_token_read(&token, make_token("tok-1", false), &err);
	wv_token_read(&other, make_token("tok-2", false), &err);
	begin(state);
	ok(wv_decision_record(state, one, &token, soon, &err) == 0 &&
			wv_decision_record(
				state, old, &token, wv_now(), &err) == 0 &&
			wv_decision_record(
				state, revoked, &other, soon, &err) == 0 &&
			revoke_id(state, NULL, "tok-2") == 1,
		"three decisions are recorded");
	commit(state);
	altered = wv_json_copy(&arena, one);
	wv_put_string(&arena, altered, "reason", "because");
	begin(state);
	is(take(state, make_decision("dec-9"), "plan-1"), "decision_unknown",
		"one that was never made");
	is(take(state, altered, "plan-1"), "decision_altered",
		"one that says something else");
	is(take(state, old, "plan-1"), "decision_expired", "an old one");
	is(take(state, revoked, "plan-1"), "token_revoked",
		"one whose token is revoked");
	close(open(path_of("stop"), O_CREAT | O_WRONLY, 0600));
	is(take(state, one, "plan-1"), "stopped", "a stopped kernel");
	unlink(path_of("stop"));
	is(take(state, one, "plan-1"), "taken", "a good one");
	is(take(state, one, "plan-1"), "decision_consumed", "not twice");
	wv_state_rollback(state);
	wv_state_close(state);
}

/* Consumed by a plan that died: exactly one capability_executed. */
static void
test_interrupted(void)
{
	struct wv_state *state = fresh("interrupted"), *plan;
	struct wv_time soon = wv_time_add_ms(wv_now(), 60000);
	cJSON *one = make_decision("dec-1"), *two = make_decision("dec-2");
	struct wv_token token;
	struct wv_link *links;
	size_t n;

	wv_token_read(&token, make_token("tok-1", false), &err);
	plan = open_state();
	ok(wv_plan_start(plan, "plan-1", NULL, &err) == 0, "a plan starts");
	begin(plan);
	wv_decision_record(plan, one, &token, soon, &err);
	wv_decision_record(plan, two, &token, soon, &err);
	is(take(plan, one, "plan-1"), "taken", "it consumes one");
	is(take(plan, two, "plan-1"), "taken", "and another");
	commit(plan);
	begin(state);
	event(state, "capability_denied", "dec-9", NULL);
	commit(state);
	links = read_log(&n);
	ok(n == 1, "while the plan lives nothing is said for it");
	begin(plan);
	event(plan, "capability_executed", "dec-2", NULL);
	die_before_commit(plan);
	wv_state_close(plan);
	begin(state);
	commit(state);
	begin(state);
	commit(state);
	links = read_log(&n);
	ok(n == 3 && strcmp(type_of(&links[1]), "capability_executed") == 0,
		"what the plan said itself is adopted");
	ok(strcmp(type_of(&links[2]), "capability_executed") == 0 &&
			strcmp(wv_get_string(links[2].event, "decision_id"),
				"dec-1") == 0,
		"the other gets its capability_executed");
	is(wv_get_string(links[2].event, "outcome"), "partial", "partial");
	is(code_of(&links[2]), "interrupted", "interrupted");
	begin(state);
	is(take(state, two, "plan-2"), "decision_consumed",
		"an adopted one stays consumed");
	wv_state_rollback(state);
	ok(access(path_of("run/plan-1"), F_OK) < 0, "its lock file is gone");
	wv_state_close(state);
}

/* Consumed and executed in one group that was not committed. */
static void
test_executed_uncommitted(void)
{
	struct wv_state *state = fresh("executed");
	struct wv_time soon = wv_time_add_ms(wv_now(), 60000);
	cJSON *one = make_decision("dec-1");
	struct wv_token token;

	wv_token_read(&token, make_token("tok-1", false), &err);
	begin(state);
	wv_decision_record(state, one, &token, soon, &err);
	commit(state);
	begin(state);
	is(take(state, one, "plan-1"), "taken", "taken");
	event(state, "capability_executed", "dec-1", NULL);
	die_before_commit(state);
	begin(state);
	is(take(state, one, "plan-2"), "decision_consumed",
		"what the log says was executed is not executed again");
	commit(state);
	wv_state_close(state);
}

/* A store from yesterday: tokens that were spent since would be good again. */
static void
test_old_store(void)
{
	struct wv_state *state = fresh("old");

	begin(state);
	event(state, "capability_authorized", "dec-1", NULL);
	event(state, "capability_executed", "dec-1", NULL);
	die_before_commit(state);
	ok(wv_state_begin(state, &err) < 0 &&
			strstr(err.text, "older than the log"),
		"a log that tells of an execution the store never knew");
	wv_err_clear(&err);
	wv_state_close(state);
}

static void
test_voided(void)
{
	struct wv_state *state = fresh("voided");
	struct wv_token token;
	struct wv_link *links;
	size_t n;

	begin(state);
	event(state, "capability_authorized", "dec-1", "tok-1");
	event(state, "token_issued", NULL, "tok-2");
	event(state, "token_invalidated", NULL, "tok-3");
	die_before_commit(state);
	/* The first recovery dies too, at the same place. */
	begin(state);
	die_before_commit(state);
	begin(state);
	commit(state);
	begin(state);
	commit(state);
	links = read_log(&n);
	ok(n == 5, "each is voided once");
	is(type_of(&links[3]), "capability_denied", "the authorization");
	is(code_of(&links[3]), "not_committed", "as not committed");
	is(wv_get_string(links[3].event, "decision_id"), "dec-1",
		"by its decision_id");
	is(type_of(&links[4]), "token_invalidated", "and the token");
	is(code_of(&links[4]), "not_committed", "as not committed");
	wv_token_read(&token, make_token("tok-2", false), &err);
	is(trust_of(state, &token), "token_untrusted", "which is unknown");
	wv_state_close(state);
}

/* One line of `wv-token revoke`: what it is of, and its metadata. */
static void
revoke_event(struct wv_state *state, const char *token, const char *principal,
	const char *name, const char *value)
{
	struct wv_event e = { .type = "token_invalidated",
		.token_id = token,
		.principal = principal,
		.code = "token_revoked" };

	if (name != NULL) {
		e.metadata = wv_json_object(&arena);
		wv_put_string(&arena, e.metadata, name, value);
	}
	wv_state_event(state, &e, &err);
}

/* Whoever wanted it revoked must not have to find out that it is not. */
static void
test_revoked_uncommitted(void)
{
	struct wv_state *state = fresh("revoked");
	struct wv_store *store = state->store;
	struct wv_time cut = { 1767225600, 0 }, before = { 1767225599, 0 };

	begin(state);
	revoke_event(state, "tok-1", "agent-1", NULL, NULL);
	revoke_event(state, "tok-2", NULL, "x_wv_issuer", "there");
	revoke_event(state, NULL, NULL, "x_wv_kid", "k1");
	revoke_event(
		state, NULL, "agent-2", "x_wv_before", "2026-01-01T00:00:00Z");
	revoke_event(state, NULL, "agent-3", NULL, NULL);
	die_before_commit(state);
	begin(state);
	commit(state);
	ok(wv_store_token_revoked(store, "x", "tok-1", NULL, &err) == 1,
		"a token, whoever issued it");
	ok(wv_store_principal_revoked(store, "agent-1", before, &err) == 0,
		"but not its principal");
	ok(wv_store_token_revoked(store, "there", "tok-2", NULL, &err) == 1 &&
			wv_store_token_revoked(
				store, "x", "tok-2", NULL, &err) == 0,
		"a token of one issuer");
	ok(wv_store_token_revoked(store, "x", "tok-3", "k1", &err) == 1,
		"a key");
	ok(wv_store_principal_revoked(store, "agent-2", before, &err) == 1 &&
			wv_store_principal_revoked(
				store, "agent-2", cut, &err) == 0,
		"a principal, until then");
	ok(wv_store_principal_revoked(store, "agent-3", cut, &err) == 1,
		"or until that was said");
	wv_state_close(state);
}

/* The log was cut just before an LF: the line is whole, and counts. */
static void
test_unended(void)
{
	struct wv_state *state = fresh("unended");
	struct wv_link *links;
	size_t n;

	begin(state);
	event(state, "capability_authorized", "dec-1", NULL);
	die_before_commit(state);
	ok(truncate(path_of("audit.jsonl"), size_of("audit.jsonl") - 1) == 0,
		"without its LF");
	begin(state);
	commit(state);
	links = read_log(&n);
	ok(n == 2 && !links[1].has_gap, "no gap is needed");
	is(code_of(&links[1]), "not_committed", "it is voided");
	wv_state_close(state);
}

/* An event of another system says nothing about our decisions. */
static void
test_foreign(void)
{
	struct wv_state *state = fresh("foreign");
	struct wv_event e = { .type = "capability_authorized",
		.decision_id = "dec-1",
		.code = "allowed" };
	struct wv_link *links;
	size_t n;

	e.metadata = wv_json_object(&arena);
	wv_put_string(&arena, e.metadata, "x_wv_source", "elsewhere");
	begin(state);
	wv_state_event(state, &e, &err);
	die_before_commit(state);
	begin(state);
	commit(state);
	links = read_log(&n);
	ok(n == 1, "a foreign authorization is not voided");
	is(type_of(&links[0]), "capability_authorized", "it stays");
	wv_state_close(state);
}

static void
test_full_log(void)
{
	struct wv_state *state = fresh("full");
	struct wv_link *links;
	size_t n;

	begin(state);
	event(state, "capability_denied", "dec-1", NULL);
	commit(state);
	off_t size = size_of("audit.jsonl");
	begin(state);
	event(state, "capability_denied", "dec-2", NULL);
	int log = state->audit->fd, full = open("/dev/full", O_WRONLY);
	dup2(full, log);
	close(full);
	ok(wv_state_commit(state, &err) < 0 &&
			strstr(err.text, "No space left"),
		"a full disk is told");
	wv_err_clear(&err);
	ok(size_of("audit.jsonl") == size, "nothing of the group is there");
	begin(state);
	event(state, "capability_denied", "dec-3", NULL);
	commit(state);
	links = read_log(&n);
	ok(n == 2 &&
			strcmp(wv_get_string(links[1].event, "decision_id"),
				"dec-3") == 0,
		"and the next group goes on");
	wv_state_close(state);
}

static void
test_replaced(void)
{
	struct wv_state *state = fresh("replaced");

	ok(rename(path_of("kernel.db"), path_of("elsewhere")) == 0 &&
			wv_state_begin(state, &err) < 0,
		"a store that is gone is missed");
	close(open(path_of("kernel.db"), O_CREAT | O_WRONLY, 0600));
	wv_err_clear(&err);
	ok(wv_state_begin(state, &err) < 0 && strstr(err.text, "replaced"),
		"and so is one that was replaced");
	wv_err_clear(&err);
	wv_state_close(state);
}

/* What another user could do to a name, if he could write to the folder. */
enum attack { LINK, HARD_LINK, FIFO, MODE, FOLDER, GONE, ATTACKS };
static const char *const attacks[] = { "a symbolic link", "a hard link",
	"a fifo", "a mode", "a folder", "nothing" };

static void
attack(enum attack how, const char *path, const char *aside)
{
	if (how == MODE) {
		chmod(path, 0620);
		return;
	}
	rename(path, aside);
	switch (how) {
	case LINK:
		must(symlink(aside, path) == 0);
		break;
	case HARD_LINK:
		must(link(aside, path) == 0);
		break;
	case FIFO:
		must(mkfifo(path, 0600) == 0);
		break;
	case FOLDER:
		must(mkdir(path, 0700) == 0);
		break;
	default:
		break;
	}
}

static void
mend(enum attack how, const char *path, const char *aside)
{
	if (how == MODE) {
		chmod(path, 0600);
		return;
	}
	remove(path);
	must(rename(aside, path) == 0);
}

/* A process that lives long looks again at every group. */
static void
test_between(void)
{
	static const char *const names[] = { "audit.jsonl", "kernel.db" };
	struct wv_state *state = fresh("between");

	begin(state);
	event(state, "capability_denied", "dec-1", NULL);
	commit(state);
	const char *aside = path_of("aside");
	for (int i = 0; i < 2 * ATTACKS; i++) {
		const char *name = names[i / ATTACKS], *path = path_of(name);
		enum attack how = (enum attack)(i % ATTACKS);
		attack(how, path, aside);
		wv_err_clear(&err);
		ok(wv_state_begin(state, &err) < 0 && strstr(err.text, name),
			"%s in the place of %s", attacks[how], name);
		mend(how, path, aside);
		begin(state);
		wv_state_rollback(state);
	}
	wv_state_close(state);
}

/* Folders are looked at when something is put into them. */
static void
test_folders(void)
{
	struct wv_state *state = fresh("folders");
	const char *run = path_of("run"), *artifacts = path_of("artifacts");
	struct wv_artifact artifact = { .capability_id = "org.demo.x" };

	must(rename(run, path_of("aside")) == 0);
	must(symlink(path_of("aside"), run) == 0);
	ok(wv_plan_start(state, "plan-1", NULL, &err) < 0 &&
			strstr(err.text, "symbolic link"),
		"a link in the place of run");
	wv_err_clear(&err);
	must(chmod(artifacts, 0730) == 0);
	ok(wv_artifact_open(state, &artifact, &err) < 0 &&
			strstr(err.text, "only its owner"),
		"others may write to artifacts");
	wv_err_clear(&err);
	wv_state_close(state);
}

static int
write_artifact(struct wv_state *state, struct wv_artifact *artifact)
{
	if (wv_artifact_open(state, artifact, &err) < 0 ||
		wv_artifact_add(state, artifact, "hel", 3, &err) < 0 ||
		wv_artifact_add(state, artifact, "lo", 2, &err) < 0)
		return -1;
	return wv_artifact_close(state, artifact, &err);
}

static void
test_artifacts(void)
{
	struct wv_state *state = fresh("artifacts");
	struct wv_artifact artifact = { .capability_id = "org.demo.x",
		.principal = "agent-7",
		.media_type = "text/plain" };
	struct stat st;

	ok(write_artifact(state, &artifact) == 0, "an artifact is written");
	const char *path =
		path_of(wv_printf(&arena, "artifacts/%s", artifact.file));
	ok(stat(path, &st) == 0 && st.st_size == 5 &&
			(st.st_mode & 0777) == 0600,
		"for its owner only");
	is(artifact.digest,
		"2cf24dba5fb0a30e26e83b2ac5b9e29e"
		"1b161e5c1fa7425e73043362938b9824",
		"with its digest");
	ok(artifact.size == 5, "and its length");
	begin(state);
	ok(wv_artifact_record(state, &artifact, &err) == 0, "recorded");
	ok(wv_artifact_record(state, &artifact, &err) < 0, "once only");
	wv_err_clear(&err);
	wv_state_rollback(state);
	wv_artifact_drop(state, &artifact);
	ok(stat(path, &st) < 0, "and dropped");
	must(wv_artifact_open(state, &artifact, &err) == 0);
	path = path_of(wv_printf(&arena, "artifacts/%s", artifact.file));
	wv_artifact_drop(state, &artifact);
	ok(stat(path, &st) < 0 && artifact.fd < 0,
		"so is one that is not written to its end");
	wv_state_close(state);
}

/* What is stored may be more than a quota that was made smaller. */
static void
test_quota(void)
{
	struct wv_state *state = fresh("quota");
	struct wv_artifact artifact = { .capability_id = "org.demo.x",
		.principal = "agent-7",
		.media_type = "text/plain" };

	must(write_artifact(state, &artifact) == 0);
	state->quota = 4;
	ok(!wv_artifact_has_room(state, 0, &err), "more than the quota");
	wv_err_clear(&err);
	wv_artifact_drop(state, &artifact);
	ok(wv_artifact_has_room(state, 4, &err), "what has gone since counts");
	ok(!wv_artifact_has_room(state, 5, &err), "and the rest is all of it");
	wv_err_clear(&err);
	wv_state_close(state);
}

static void
test_find_artifact(void)
{
	struct wv_state *state = fresh("find");
	struct wv_time now = wv_now();
	struct wv_artifact found,
		artifact = { .capability_id = "org.demo.x",
			.principal = "agent-7",
			.obligations = "{\"max_rows\":5}",
			.arguments = "{\"a\":1}",
			.media_type = "text/plain",
			.expires_at = wv_time_add_ms(now, 1000) };
	char bytes[8];

	must(write_artifact(state, &artifact) == 0);
	begin(state);
	must(wv_artifact_record(state, &artifact, &err) == 0);
	commit(state);
	ok(wv_artifact_find(state, &arena, "handle-0", now, &found, &err) == 0,
		"an id that nobody gave");
	ok(wv_artifact_find(state, &arena, artifact.handle_id,
		   artifact.expires_at, &found, &err) == 0,
		"one that expired");
	ok(wv_artifact_find(
		   state, &arena, artifact.handle_id, now, &found, &err) == 1 &&
			strcmp(found.obligations, "{\"max_rows\":5}") == 0 &&
			strcmp(found.arguments, "{\"a\":1}") == 0 &&
			strcmp(found.principal, "agent-7") == 0 &&
			strcmp(found.digest, artifact.digest) == 0 &&
			found.decision_id == NULL && found.size == 5,
		"all that was said of one is kept");
	int fd = wv_artifact_read(state, &found, &err);
	ok(fd >= 0 && read(fd, bytes, 8) == 5 && memcmp(bytes, "hello", 5) == 0,
		"and read");
	close(fd);
	must(truncate(path_of(wv_printf(&arena, "artifacts/%s", found.file)),
		     4) == 0);
	ok(wv_artifact_read(state, &found, &err) < 0, "not if it was cut");
	is(err.text, "the stored output was changed", "which is told");
	wv_err_clear(&err);
	wv_state_close(state);
}

static void
test_use_of_artifact(void)
{
	struct wv_state *state = fresh("use");
	struct wv_artifact_use use, more = { 3, 40 };

	ok(wv_artifact_used(state, "h", "p", &use, &err) == 0 &&
			use.rows == 0 && use.bytes == 0,
		"nothing was shown");
	begin(state);
	wv_artifact_add_use(state, "h", "p", &more, &err);
	wv_artifact_add_use(state, "h", "p", &more, &err);
	wv_artifact_add_use(state, "h", "q", &more, &err);
	commit(state);
	ok(wv_artifact_used(state, "h", "p", &use, &err) == 0 &&
			use.rows == 6 && use.bytes == 80,
		"what was shown adds up");
	ok(wv_artifact_used(state, "h", "q", &use, &err) == 0 && use.rows == 3,
		"for each principal");
	wv_state_close(state);
}

static void
test_redacted(void)
{
	struct wv_state *state = fresh("redacted");
	struct wv_event e = { .type = "capability_executed",
		.error_message =
			"ghp_16C7e42F292c6912E7710c838347Ae178B4a was used" };
	struct wv_link *links;
	size_t n;

	e.metadata = wv_json_object(&arena);
	wv_put(&arena, e.metadata, "x_wv_arguments",
		wv_state_arguments(
			state, &arena, make_token("tok-secret", true)));
	begin(state);
	wv_state_event(state, &e, &err);
	commit(state);
	links = read_log(&n);
	is(wv_get_string(links[0].event, "error_message"),
		"[REDACTED:github-token] was used",
		"every string passes the redactor (cases C21)");
	const cJSON *arguments =
		wv_pointer(links[0].event, "/metadata/x_wv_arguments");
	ok(wv_count(wv_get(arguments, "names")) == 5 &&
			wv_is_sha256_hex(
				wv_get_string(arguments, "keyed_digest")),
		"arguments are names and a digest");
	char digest[WV_SHA256_HEX];
	wv_json_digest(digest, make_token("tok-secret", true));
	ok(strcmp(digest, wv_get_string(arguments, "keyed_digest")) != 0,
		"which cannot be computed without the state's key");
	wv_state_close(state);
}

/* The clock may go back; the kernel's time does not. */
static void
test_time(void)
{
	struct wv_state *state = fresh("time");
	struct wv_time first;

	begin(state);
	event(state, "capability_denied", "dec-1", NULL);
	commit(state);
	first = state->now;
	wv_time_fix(wv_time_add_ms(first, -3600000));
	begin(state);
	ok(wv_time_cmp(state->now, first) == 0, "time does not go back");
	wv_state_rollback(state);
	wv_state_close(state);
	ok(wv_state_open(folder, WV_STATE_WRITE, false, &err) == NULL &&
			strstr(err.text, "init --test"),
		"a fixed time is refused on a state that is not for tests");
	wv_err_clear(&err);
	snprintf(folder + strlen(folder), 8, "-test");
	state = wv_state_open(folder, WV_STATE_INIT, true, &err);
	ok(state != NULL && state->test, "but not on one that is");
	wv_state_close(state);
	ok(wv_state_open(folder, WV_STATE_INIT, true, &err) == NULL,
		"which is not made twice");
}

int
main(void)
{
	test_group();
	test_lock();
	test_torn();
	test_refused();
	test_tokens();
	test_cut_off();
	test_scope();
	test_decisions();
	test_interrupted();
	test_executed_uncommitted();
	test_old_store();
	test_voided();
	test_revoked_uncommitted();
	test_unended();
	test_foreign();
	test_full_log();
	test_replaced();
	test_between();
	test_folders();
	test_artifacts();
	test_quota();
	test_find_artifact();
	test_use_of_artifact();
	test_redacted();
	test_time();
	return end();
}
