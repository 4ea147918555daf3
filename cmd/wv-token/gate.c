/* SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"

#include "base/msg.h"
#include "contract/record.h"
#include "contract/scope.h"
#include "kernel/system.h"

#include <string.h>

bool
gate_option(struct gate *gate, const struct wv_opts *opts, int id)
{
	switch (id) {
	case GATE_KEYRING:
		gate->keyring_path = opts->value;
		return true;
	case GATE_REQUIRE_SIGNED:
		gate->require_signed = true;
		return true;
	case GATE_PRINCIPAL:
		gate->principal = principal_option(opts);
		return true;
	case GATE_CAPABILITY:
		if (!wv_id_is_kernel(opts->value))
			wv_usage(opts, "--capability: not a capability's id");
		gate->capability = opts->value;
		return true;
	case GATE_LEEWAY:
		gate->leeway_ms = wv_leeway_option(opts);
		return true;
	default:
		return wv_state_option(&gate->state_path, id, opts);
	}
}

void
gate_open(struct gate *gate)
{
	const struct wv_system *system = wv_system();
	const char *path = wv_system_choose(
		system->keyring, "--keyring", gate->keyring_path, "WV_KEYRING");
	struct wv_err err = WV_ERR_INIT;

	if (path != NULL &&
		(gate->keyring = wv_keyring_load(path, &err)) == NULL)
		wv_die_err(&err);
	gate->rules = (struct wv_trust_rules){
		.keyring = gate->keyring,
		.signed_only = gate->require_signed || system->require_signed,
	};
}

void
gate_close(struct gate *gate)
{
	wv_keyring_free(gate->keyring);
}

/* What a check looks at and where its answer goes. */
struct trial {
	const struct gate *gate;
	struct judgment *j;
	struct wv_arena *arena;
	struct wv_time now;
	struct check *check;
	struct wv_err *err;
};

static int
yes(struct trial *t, const char *value)
{
	t->check->value = value;
	return 0;
}

static int
no(struct trial *t, const char *code, const char *why)
{
	t->check->code = code;
	t->check->value = why;
	return 0;
}

static const char *
time_text(struct trial *t, struct wv_time time)
{
	char text[WV_TIME_TEXT];

	wv_time_print(text, time);
	return wv_dup(t->arena, text);
}

static int
check_trust(struct trial *t)
{
	struct judgment *j = t->j;
	struct wv_err why = WV_ERR_INIT;
	const char *code;
	int trusted = wv_token_trust(t->gate->state, &t->gate->rules, &j->token,
		t->now, &j->trust, &code, &why);

	if (trusted < 0)
		return wv_err_set(t->err, "%s", why.text);
	if (trusted == 0)
		return no(t, code, wv_dup(t->arena, why.text));
	if (j->trust == WV_SIGNATURE)
		return yes(t,
			wv_printf(t->arena, "signed by key %s", j->token.kid));
	return yes(t, "issued here");
}

static int
check_time(struct trial *t)
{
	const struct wv_token *token = &t->j->token;
	int64_t leeway_ms = t->gate->leeway_ms;
	struct wv_time from = token->issued_at;
	const char *end;

	if (token->has_not_before && wv_time_cmp(token->not_before, from) > 0)
		from = token->not_before;
	if (wv_time_cmp(t->now, wv_time_add_ms(from, -leeway_ms)) < 0)
		return no(t, "token_not_yet_valid",
			wv_printf(t->arena, "it is not valid before %s",
				time_text(t, from)));
	end = token->expires ? time_text(t, token->expires_at) : "its use";
	if (token->expires &&
		wv_time_cmp(t->now,
			wv_time_add_ms(token->expires_at, leeway_ms)) >= 0)
		return no(t, "token_expired",
			wv_printf(t->arena, "it expired at %s", end));
	return yes(t,
		wv_printf(
			t->arena, "from %s until %s", time_text(t, from), end));
}

static int
check_principal(struct trial *t)
{
	const char *holder = t->j->token.principal,
		   *wanted = t->gate->principal;

	if (wanted == NULL || strcmp(holder, wanted) == 0)
		return yes(t, holder);
	return no(t, "principal_mismatch",
		wv_printf(
			t->arena, "it is for %s, not for %s", holder, wanted));
}

static int
check_scope(struct trial *t)
{
	const cJSON *scope = t->j->token.scope;
	const char *wanted = t->gate->capability;
	struct wv_str list = { 0 };
	const char *value;

	if (wanted != NULL && !wv_scope_covers(scope, wanted))
		return no(t, "scope_mismatch",
			wv_printf(t->arena, "its scope does not cover %s",
				wanted));
	wv_json_each(entry, scope)
		wv_str_fmt(&list, "%s%s", list.n > 0 ? ", " : "",
			entry->valuestring);
	value = wv_dupn(t->arena, list.s, list.n);
	wv_str_free(&list);
	return yes(t, value);
}

static int
check_revocation(struct trial *t)
{
	int revoked = wv_token_revoked(t->gate->state, &t->j->token, t->err);

	if (revoked < 0)
		return -1;
	if (revoked == 0)
		return yes(t, "not revoked");
	return no(t, "token_revoked",
		"it, a token that it was made from, its principal or a key "
		"was revoked");
}

static int
check_use(struct trial *t)
{
	int spent = 0;

	if (!t->j->token.single_use)
		return yes(t, "any number of calls");
	spent = wv_token_spent(t->gate->state, &t->j->token, t->err);
	if (spent < 0)
		return -1;
	if (spent == 0)
		return yes(t, "one call, which is still to come");
	return no(t, "token_spent", "it was for one call, which is over");
}

static const struct {
	const char *name;
	int (*run)(struct trial *t);
} checks[] = {
	{ "trust", check_trust },
	{ "time", check_time },
	{ "principal", check_principal },
	{ "scope", check_scope },
	{ "revocation", check_revocation },
	{ "use", check_use },
};

/* The kernel's time: never before what its store has seen. */
static struct wv_time
now_of(const struct wv_state *state)
{
	struct wv_time now = wv_now();

	return wv_time_cmp(now, state->now) > 0 ? now : state->now;
}

static struct check *
next_check(struct trial *t, const char *name)
{
	t->check = &t->j->checks[t->j->count++];
	t->check->name = name;
	return t->check;
}

int
gate_judge(const struct gate *gate, const cJSON *node, struct wv_arena *arena,
	struct judgment *j, struct wv_err *err)
{
	struct trial t = { gate, j, arena, now_of(gate->state), NULL, err };
	struct wv_err fault = WV_ERR_INIT;

	*j = (struct judgment){ 0 };
	next_check(&t, "shape");
	if (wv_token_read(&j->token, node, &fault) < 0) {
		j->failed = t.check;
		return no(&t, "token_malformed", wv_dup(arena, fault.text));
	}
	yes(&t, "a CapabilityToken");
	for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
		next_check(&t, checks[i].name);
		if (checks[i].run(&t) < 0)
			return -1;
		if (t.check->code != NULL && j->failed == NULL)
			j->failed = t.check;
	}
	return 0;
}

struct reading {
	const struct gate *gate;
	struct wv_arena arena;
	gate_hear *hear;
	void *arg;
	int status;
};

static void
read_token(struct reading *r, const struct wv_record *rec, const cJSON *node)
{
	struct wv_err err = WV_ERR_INIT;
	struct judgment j;

	if (gate_judge(r->gate, node, &r->arena, &j, &err) < 0)
		wv_die_err(&err);
	if (j.failed != NULL)
		r->status = wv_worse(r->status, WV_NO);
	r->hear(r->arg, rec, node, &j);
}

static void
read_record(struct reading *r, struct wv_lines *in, const struct wv_record *rec)
{
	struct wv_err err = WV_ERR_INIT;

	if (!wv_is_array(rec->tree)) {
		read_token(r, rec, rec->tree);
		return;
	}
	wv_json_each(node, rec->tree)
		read_token(r, rec, node);
	if (rec->tree->child == NULL) {
		wv_err_set(&err, "an array without a token");
		wv_lines_bad(in, rec, &err);
	}
}

int
gate_read(const struct gate *gate, char *const *files,
	const struct wv_lines_options *options, struct wv_out *out,
	gate_hear *hear, void *arg)
{
	struct reading r = { .gate = gate, .hear = hear, .arg = arg };
	struct wv_lines in;
	struct wv_record rec;

	wv_lines_open(&in, files, options, out);
	while (wv_lines_next(&in, &r.arena, &rec) == 1) {
		read_record(&r, &in, &rec);
		wv_arena_reset(&r.arena);
	}
	wv_arena_free(&r.arena);
	return wv_worse(r.status, wv_lines_close(&in));
}
