/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must hold of every policy and every request, tried on many that are
 * made up from fixed seeds: to add a deny, to ask for more or to know less
 * never allows more, and the order of rules changes nothing.
 */
#include "cmd/wv-authorize/judge.c"
#include "cmd/wv-authorize/match.c"
#include "cmd/wv-authorize/paths.c"
#include "cmd/wv-authorize/policy.c"
#include "cmd/wv-authorize/protect.c"

#include "document.h"

#include <unistd.h>

enum { POLICIES = 400, REQUESTS = 24, MOST_RULES = 6 };

static char file[] = "/tmp/wv-policy-XXXXXX";
static uint64_t state;

/* xorshift64*: the same everywhere */
static unsigned
roll(unsigned n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (unsigned)((state * 0x2545f4914f6cdd1dULL) >> 33) % n;
}

#define pick(list) ((list)[roll(sizeof(list) / sizeof *(list))])

/* A condition that often holds, often does not, and often cannot be told. */
static const char *const capabilities[] = { "[\"a.x\"]", "[\"a.*\"]",
	"[\"**\"]", "[\"b.**\",\"a.y\"]", "[\"a.*\",\"b.*\"]" };
static const char *const conditions[] = {
	"\"principal\":[\"p\"]",
	"\"principal\":[\"p*\",\"q\"]",
	"\"safety\":[\"read\"]",
	"\"safety\":[\"read\",\"write\"]",
	"\"tags\":[\"net\"]",
	"\"risk\":[\"low\",\"medium\"]",
	"\"roles\":[\"admin\"]",
	"\"roles\":[\"ad*\",\"reader\"]",
	"\"attributes\":{\"tenant\":[\"acme\"]}",
	"\"attributes\":{\"tenant\":[\"*\"],\"site\":[\"x\"]}",
	"\"arguments\":{\"required\":[\"n\"]}",
	"\"arguments\":{\"properties\":{\"n\":{\"maximum\":5}}}",
	"\"arguments\":{\"properties\":{\"s\":{\"pattern\":\"^(a+)+$\"}}}",
	"\"paths\":{\"/file\":[\"/no-srv/**\"]}",
	"\"paths\":{\"/file\":[\"/no-srv/a/*\",\"/no-etc/*\"]}",
};
static const char *const requires[] = { "\"justification\":5",
	"\"justification\":9", "\"signed\":true", "\"bound\":true" };
static const char *const bounds[] = { "\"max_rows\":5", "\"max_rows\":50",
	"\"max_bytes\":100", "\"max_depth\":2" };
static const char *const shapes[] = { "\"mode\":\"summary\"",
	"\"mode\":\"handle_only\"", "\"mode\":\"table\"" };

static const char *
wrap(const char *name, const char *body)
{
	return wv_printf(&arena, ",\"%s\":{%s}", name, body);
}

static const char *
some_conditions(unsigned most)
{
	const char *text = "";

	/* never a member twice: one of each stretch of the list */
	for (unsigned i = 0, at = roll(4); i < most && at < 15; i++) {
		text = wv_printf(&arena, "%s%s%s", text, *text ? "," : "",
			conditions[at]);
		at += 3 + roll(5);
	}
	return text;
}

/* A rule without the brace at its end, so that more can be added. */
static const char *
some_rule(const char *name, bool is_deny)
{
	const char *match =
		wv_printf(&arena, "\"capability\":%s", pick(capabilities));
	const char *more = some_conditions(roll(3));

	return wv_printf(&arena, "{\"name\":\"%s\",\"effect\":\"%s\"%s", name,
		is_deny ? "deny" : "allow",
		wrap("match",
			*more ? wv_printf(&arena, "%s,%s", match, more)
			      : match));
}

struct draft {
	const char *rules[MOST_RULES + 1];
	const char *unless[MOST_RULES + 1];
	const char *narrowing[MOST_RULES + 1];
	bool is_deny[MOST_RULES + 1];
	size_t count;
};

static const char *
some_unless(void)
{
	return wrap("unless",
		roll(2) ? some_conditions(1 + roll(2))
			: "\"principal\":[\"q\"]");
}

static const char *
some_narrowing(void)
{
	switch (roll(4)) {
	case 0:
		return wrap("require", pick(requires));
	case 1:
		return wrap("limit", "\"count\":2,\"per\":\"1s\"");
	default:
		return wrap("obligations",
			wv_printf(&arena, "%s,%s", pick(bounds), pick(shapes)));
	}
}

static void
add_rule(struct draft *d, bool is_deny)
{
	size_t i = d->count++;

	d->rules[i] = some_rule(
		wv_printf(&arena, "%c%zu", 'a' + (char)roll(26), i), is_deny);
	d->is_deny[i] = is_deny;
	d->unless[i] = roll(4) == 0 ? some_unless() : "";
	d->narrowing[i] = !is_deny && roll(2) == 0 ? some_narrowing() : "";
}

static void
load(struct policy *policy, const struct draft *d, const char *extra)
{
	struct wv_str text = { 0 };
	struct wv_err err = WV_ERR_INIT;
	FILE *out = fopen(file, "w");

	wv_str_cat(&text, "{\"version\":1,\"rules\":[");
	for (size_t i = 0; i < d->count; i++)
		wv_str_fmt(&text, "%s%s%s%s}", i > 0 ? "," : "", d->rules[i],
			d->unless[i], d->narrowing[i]);
	wv_str_fmt(&text, "%s]}", extra);
	if (out == NULL || fputs(text.s, out) < 0 || fclose(out) != 0 ||
		policy_load(policy, file, &err) < 0) {
		printf("Bail out! %s: %s\n", err.text, text.s);
		exit(1);
	}
	wv_str_free(&text);
}

struct asked {
	struct policy_query query;
	struct wv_capability capability;
	struct wv_token token;
};

static void
some_request(struct asked *a)
{
	static const char *const ids[] = { "a.x", "a.y", "b.c", "b.c.d" };
	static const char *const principals[] = { "p", "p2", "q" };
	static const char *const safeties[] = { NULL, "read", "write",
		"destructive" };
	static const char *const tags[] = { "null", "[\"net\"]",
		"[\"a\",\"b\"]" };
	static const char *const nodes[] = {
		"{}",
		"{\"metadata\":{\"risk_assessment\":{\"risk_level\":\"low\"}}}",
		"{\"metadata\":{\"risk_assessment\":{\"risk_level\":\"high\"}}}"
	};
	static const char *const arguments[] = { "{}", "{\"n\":1}",
		"{\"n\":9,\"file\":\"/no-srv/a/b\"}",
		"{\"n\":2,\"file\":\"relative\"}",
		"{\"file\":\"/no-srv/%2e%2e/no-etc/x\",\"s\":\"aa\"}",
		("{\"n\":3,\"file\":[\"/no-srv/a/b\",\"/no-etc/x\"],\"s\":"
		 "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}") };
	static const char *const reasons[] = { "\"\"", "\"enough\"",
		"\"more than enough\"" };

	*a = (struct asked){ 0 };
	a->capability.id = pick(ids);
	a->capability.safety = pick(safeties);
	a->capability.tags = json(pick(tags));
	a->capability.node = json(pick(nodes));
	a->token.roles = json(roll(2) ? "[\"admin\"]" : "[\"reader\",\"x\"]");
	a->token.attributes =
		json(roll(2) ? "{\"tenant\":\"acme\"}"
			     : "{\"tenant\":\"b\",\"site\":\"x\"}");
	a->token.single_use = roll(2);
	a->token.arguments_sha256 = roll(2) ? "f00d" : NULL;
	a->query = (struct policy_query){
		.capability_id = a->capability.id,
		.capability = roll(4) ? &a->capability : NULL,
		.principal = pick(principals),
		.arguments = json(pick(arguments)),
		.justification = json(pick(reasons)),
		.token = &a->token,
		.has_roles = roll(4) > 0,
		.is_signed = roll(2),
	};
}

static bool
allows(const struct policy_answer *answer)
{
	return strcmp(answer->code, "allowed") == 0;
}

static bool
are_texts_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Not by the policy's own measure. */
static int64_t
width(const cJSON *obligation)
{
	int64_t n = -1;

	if (wv_is_number(obligation))
		wv_num_int64(obligation, &n);
	else if (strcmp(obligation->valuestring, "summary") == 0)
		n = 1;
	else if (strcmp(obligation->valuestring, "table") == 0)
		n = 2;
	return n;
}

/* Nothing of what was is loosened or lost. */
static bool
is_as_strict(const cJSON *now, const cJSON *before)
{
	wv_json_each(item, before) {
		const cJSON *same = wv_get(now, item->string);
		if (same == NULL || width(same) > width(item))
			return false;
	}
	return true;
}

/* The windows of b count in a as well. */
static bool
limits_hold(const struct policy_answer *a, const struct policy_answer *b)
{
	for (size_t i = 0; i < b->applied_count; i++) {
		bool found = b->applied[i]->limit.count == 0;
		for (size_t k = 0; k < a->applied_count && !found; k++)
			found = strcmp(a->applied[k]->name,
					b->applied[i]->name) == 0;
		if (!found)
			return false;
	}
	return true;
}

/* What was not allowed is not, and what still is binds as much. */
static bool
is_no_wider(const struct policy_answer *now, const struct policy_answer *before)
{
	return !allows(now) ||
		(allows(before) &&
			is_as_strict(now->obligations, before->obligations) &&
			limits_hold(now, before));
}

static bool
is_equal(const struct policy_answer *a, const struct policy_answer *b)
{
	return strcmp(a->code, b->code) == 0 &&
		are_texts_same(a->rule, b->rule) &&
		are_texts_same(a->reason, b->reason) &&
		a->applied_count == b->applied_count && limits_hold(a, b) &&
		(a->obligations == NULL ? b->obligations == NULL
					: wv_json_equal(a->obligations,
						  b->obligations));
}

/* What was seen of each promise. */
static struct promise {
	const char *says;
	unsigned tried, broken;
} promises[] = {
	{ "the order of rules changes nothing", 0, 0 },
	{ "one more deny never allows more", 0, 0 },
	{ "a deny that cannot be told denies", 0, 0 },
	{ "a requirement, limit or obligation more never allows more", 0, 0 },
	{ "an exception of an allow is as if it were not there", 0, 0 },
	{ "a catalogue that is not there never allows more", 0, 0 },
	{ "roles that do not count never allow more", 0, 0 },
	{ "an argument that cannot be told never allows more", 0, 0 },
	{ "something is allowed", 0, 0 },
	{ "something is denied", 0, 0 },
	{ "something cannot be told", 0, 0 },
};
enum {
	ORDER,
	DENY,
	DOUBT,
	NARROWING,
	EXCEPTION,
	CATALOG,
	ROLES,
	ARGUMENT,
	ALLOWED,
	DENIED,
	UNKNOWN,
	PROMISES
};

static void
promise(int which, bool holds, const struct policy_answer *now,
	const struct policy_answer *before)
{
	struct promise *p = &promises[which];

	p->tried++;
	if (!holds && p->broken++ == 0)
		printf("# broken: %s: %s (%s), before %s (%s)\n", p->says,
			now->code, now->reason, before->code, before->reason);
}

static struct policy_answer
ask(const struct policy *policy, const struct policy_query *query)
{
	struct policy_answer answer;

	policy_judge(policy, query, &arena, &answer);
	return answer;
}

static void
shuffle(struct draft *d)
{
	for (size_t i = d->count; i > 1; i--) {
		size_t k = roll((unsigned)i);
		struct draft was = *d;
		d->rules[i - 1] = was.rules[k];
		d->unless[i - 1] = was.unless[k];
		d->narrowing[i - 1] = was.narrowing[k];
		d->is_deny[i - 1] = was.is_deny[k];
		d->rules[k] = was.rules[i - 1];
		d->unless[k] = was.unless[i - 1];
		d->narrowing[k] = was.narrowing[i - 1];
		d->is_deny[k] = was.is_deny[i - 1];
	}
}

/* An allow that has none of a member yet; count if there is none such. */
static size_t
bare_allow(const struct draft *d, const char *const *members)
{
	size_t at = roll((unsigned)d->count);

	for (size_t i = 0; i < d->count; i++) {
		size_t k = (at + i) % d->count;
		if (!d->is_deny[k] && *members[k] == '\0')
			return k;
	}
	return d->count;
}

static void
try_less_knowledge(const struct policy *policy, const struct asked *a,
	const struct policy_answer *before)
{
	struct policy_query less = a->query;
	struct policy_answer now;

	less.capability = NULL;
	now = ask(policy, &less);
	promise(CATALOG, is_no_wider(&now, before), &now, before);
	less = a->query;
	less.has_roles = false;
	now = ask(policy, &less);
	promise(ROLES, is_no_wider(&now, before), &now, before);
	less = a->query;
	cJSON *file_argument = wv_get(less.arguments, "file");
	if (file_argument == NULL)
		return;
	cJSON *arguments = wv_json_copy(&arena, less.arguments);
	wv_put(&arena, arguments, "file", wv_json_string(&arena, "~"));
	less.arguments = arguments;
	now = ask(policy, &less);
	promise(ARGUMENT, is_no_wider(&now, before), &now, before);
}

/* A policy and what was made of it by one change. */
struct variants {
	struct policy plain, shuffled, denied, doubted, narrowed, excepted,
		removed;
	bool has_narrowed, has_excepted;
	const char *excepted_name;
};

static const char *
rule_name_of(const char *rule)
{
	const char *from = strchr(rule, ':') + 2;

	return wv_dupn(&arena, from, strcspn(from, "\""));
}

static void
make_variants(struct variants *v, struct draft *d)
{
	struct draft changed = *d;
	size_t at;

	load(&v->plain, d, "");
	shuffle(&changed);
	load(&v->shuffled, &changed, "");
	changed = *d;
	add_rule(&changed, true);
	load(&v->denied, &changed, "");
	/* a pattern of which nothing can be known here */
	load(&v->doubted, d,
		",{\"name\":\"doubt\",\"effect\":\"deny\",\"match\":{\"paths\":"
		"{\"/doubt\":[\"/x\"]}}}");
	changed = *d;
	at = bare_allow(&changed, changed.narrowing);
	v->has_narrowed = at < d->count;
	if (v->has_narrowed)
		changed.narrowing[at] = some_narrowing();
	load(&v->narrowed, &changed, "");
	changed = *d;
	at = bare_allow(&changed, changed.unless);
	v->has_excepted = at < d->count;
	if (v->has_excepted) {
		changed.unless[at] = some_unless();
		v->excepted_name = rule_name_of(changed.rules[at]);
	}
	load(&v->excepted, &changed, "");
	if (v->has_excepted) {
		changed.unless[at] = changed.narrowing[at] = "";
		changed.rules[at] = "{\"name\":\"gone\",\"effect\":\"deny\","
				    "\"match\":{\"principal\":[\"none\"]}";
	}
	load(&v->removed, &changed, "");
}

static enum policy_match
match_of(const struct policy *policy, const struct policy_answer *answer,
	const char *name)
{
	for (size_t i = 0; i < policy->count; i++) {
		if (strcmp(policy->rules[i].name, name) == 0)
			return answer->outcomes[i].match;
	}
	return POLICY_UNKNOWN;
}

/* An allow that is excepted for sure is as good as gone, with all that it asked
 * for. */
static void
try_exception(const struct variants *v, const struct asked *a,
	const struct policy_answer *before)
{
	struct policy_answer now = ask(&v->excepted, &a->query);
	struct policy_answer without = ask(&v->removed, &a->query);

	if (match_of(&v->excepted, &now, v->excepted_name) == POLICY_NO)
		promise(EXCEPTION,
			is_no_wider(&now, &without) &&
				is_no_wider(&without, &now),
			&now, &without);
	else
		promise(EXCEPTION, is_no_wider(&now, before), &now, before);
}

static void
try_request(const struct variants *v, const struct asked *a)
{
	struct policy_answer before = ask(&v->plain, &a->query), now;
	struct policy_query doubtful = a->query;

	now = ask(&v->shuffled, &a->query);
	promise(ORDER, is_equal(&now, &before), &now, &before);
	now = ask(&v->denied, &a->query);
	promise(DENY, is_no_wider(&now, &before), &now, &before);
	cJSON *arguments = wv_json_copy(&arena, a->query.arguments);
	wv_put(&arena, arguments, "doubt", wv_json_int(&arena, 1));
	doubtful.arguments = arguments;
	now = ask(&v->doubted, &doubtful);
	promise(DOUBT, !allows(&now), &now, &before);
	if (v->has_narrowed) {
		now = ask(&v->narrowed, &a->query);
		promise(NARROWING, is_no_wider(&now, &before), &now, &before);
	}
	if (v->has_excepted)
		try_exception(v, a, &before);
	try_less_knowledge(&v->plain, a, &before);
	promises[ALLOWED].tried += allows(&before);
	promises[DENIED].tried += strcmp(before.code, "policy_deny") == 0;
	promises[UNKNOWN].tried += strcmp(before.code, "indeterminate") == 0;
}

static void
free_variants(struct variants *v)
{
	policy_free(&v->plain);
	policy_free(&v->shuffled);
	policy_free(&v->denied);
	policy_free(&v->doubted);
	policy_free(&v->narrowed);
	policy_free(&v->excepted);
	policy_free(&v->removed);
}

static void
try_policy(void)
{
	struct draft d = { 0 };
	struct variants v;
	struct asked a;

	for (unsigned i = 1 + roll(MOST_RULES); i > 0; i--)
		add_rule(&d, roll(4) == 0);
	make_variants(&v, &d);
	for (int i = 0; i < REQUESTS; i++) {
		some_request(&a);
		try_request(&v, &a);
	}
	free_variants(&v);
	wv_arena_reset(&arena);
}

int
main(void)
{
	int fd = mkstemp(file);

	if (fd < 0 || close(fd) != 0) {
		puts("Bail out! cannot make a file");
		return 1;
	}
	for (uint64_t seed = 1; seed <= POLICIES; seed++) {
		state = seed * 0x9e3779b97f4a7c15ULL;
		try_policy();
	}
	for (int i = 0; i < PROMISES; i++) {
		const struct promise *p = &promises[i];
		ok(p->broken == 0 && p->tried >= POLICIES, "%s", p->says);
		printf("# %u tried, %u broken\n", p->tried, p->broken);
	}
	unlink(file);
	wv_arena_free(&arena);
	return done();
}
