/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of values that are given to names of secrets, from where a
 * telling word of the name stands. */
#include "firewall/assign-internal.h"

#include <string.h>
#include <strings.h>

enum {
	SHORTEST = 6,             /* value that is worth hiding */
	SHORTEST_CREDENTIALS = 3, /* after a scheme of HTTP */
	LONGEST_NAME = 64,        /* looked back at */
};

/* The name that the word at `at` ends, but for a plural and a number, or
 * false: the word goes on. */
static bool
find_name(struct wv_text *t, size_t at, size_t word, struct wv_assigned *a)
{
	enum { LONGEST_NUMBER = 8 };
	size_t end = at + word;

	if ((wv_byte(t, end) | 0x20) == 's')
		end++;
	for (size_t i = 0; i < LONGEST_NUMBER; i++, end++)
		if (!wv_is_at(t, end, WV_DIGIT) && wv_byte(t, end) != '_' &&
			wv_byte(t, end) != '-')
			break;
	int next = wv_byte(t, end);
	if (next >= 0x80 || (next >= 0 && wv_is_class(next, WV_WORD)))
		return false;
	a->name_end = end;
	a->name = at;
	while (a->name > t->from && end - a->name < LONGEST_NAME &&
		wv_is_class(t->s[a->name - 1], WV_NAME))
		a->name--;
	WV_STEPS(end - a->name);
	return true;
}

/* Bytes of a value that no mark stands for yet. */
static size_t
unmarked_length(const struct wv_text *t, const struct wv_assigned *a)
{
	size_t n = a->end - a->start;

	for (size_t i = a->start; i < a->end; i++) {
		size_t mark = t->s[i] == '['
			? wv_mark_length(t->s + i, a->end - i)
			: 0;
		if (mark != 0) {
			n -= mark;
			i += mark - 1;
		}
	}
	return n;
}

static const struct {
	const char *name, *kind;
	bool one_token; /* else parameters, to the end of the line */
} schemes[] = {
	{ "bearer", "bearer-token", true },
	{ "basic", "basic-auth", true },
	{ "token", "token", true },
	{ "negotiate", "authorization", true },
	{ "digest", "authorization", false },
	{ "aws4-hmac-sha256", "authorization", false },
};

/* After "Authorization:": a scheme of HTTP, then credentials; the kind, or
 * NULL if there is no scheme. */
static const char *
find_credentials(struct wv_text *t, struct wv_assigned *a)
{
	size_t n = wv_run(t, a->start, WV_ALNUM_DASH, 20) - a->start, i = 0;
	size_t count = sizeof(schemes) / sizeof(schemes[0]);

	while (i < count &&
		(strlen(schemes[i].name) != n ||
			strncasecmp(schemes[i].name, t->s + a->start, n) != 0))
		i++;
	if (i == count || !wv_is_blank(wv_byte(t, a->start + n)))
		return NULL;
	a->start = wv_skip_blanks(t, a->start + n);
	a->is_sent = true;
	if (schemes[i].one_token) {
		a->extent = WV_BARE;
	} else {
		/* Its parameters have quotes of their own. */
		a->quote = a->extent == WV_QUOTED ? a->quote : '\'';
		a->extent = WV_PARAMETERS;
	}
	wv_find_end(t, a, false);
	return schemes[i].kind;
}

/* NAME=VALUE, without blanks, by the grammar of cookies' names */
static bool
is_pair_within(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	const char *p = memchr(s, '=', a->end - a->start), *name = p;

	if (p == NULL || p + 1 >= t->s + a->end || p[1] == ' ' || p[1] == '=')
		return false;
	while (name > s && name[-1] > ' ' && name[-1] < 0x7F &&
		strchr("()[]{}<>@,;:\\\"/?=!&|", name[-1]) == NULL)
		name--;
	if (name == p)
		return false;
	while (name > s && name[-1] == ' ')
		name--;
	return name == s || name[-1] == ';';
}

/* The value of the name by its kind: the shortest that is taken for a secret,
 * or 0: there is none. */
static size_t
find_secret(struct wv_text *t, struct wv_assigned *a)
{
	bool is_cookie = strcmp(a->kind, "cookie") == 0;

	if (strcmp(a->kind, "authorization") == 0) {
		const char *kind = find_credentials(t, a);
		if (kind != NULL) {
			a->kind = kind;
			return SHORTEST_CREDENTIALS;
		}
	}
	if (is_cookie && a->extent == WV_BARE) {
		bool sets = a->name_end - a->name >= 10 &&
			strncasecmp(t->s + a->name_end - 10, "set-", 4) == 0;
		a->extent = sets ? WV_FIRST : WV_LINE;
	}
	wv_find_end(t, a, true);
	if (a->extent == WV_ELEMENT && !wv_stands(t, a->end, "</", 2))
		return 0;
	if (is_cookie && !is_pair_within(t, a))
		return 0;
	return strcmp(a->kind, "authorization") == 0 ? 2 * SHORTEST : SHORTEST;
}

/* "auth": "…" of docker login, _auth=… of .npmrc. */
static bool
is_docker_auth(struct wv_text *t, struct wv_assigned *a, struct wv_hit *hit)
{
	wv_find_end(t, a, true);
	if (!wv_is_user_password(t->s + a->start, a->end - a->start))
		return false;
	*hit = (struct wv_hit){ a->start, a->end, "basic-auth" };
	return true;
}

static bool
found(const struct wv_assigned *a, struct wv_hit *hit)
{
	*hit = (struct wv_hit){ a->start, a->end, a->kind };
	return true;
}

/* arn:aws:secretsmanager:eu-west-1:1:secret:db */
static bool
is_in_arn(struct wv_text *t, const struct wv_assigned *a)
{
	enum { FAR = 96 };
	size_t i = a->name;

	if (a->sign != ':' || i == t->from || t->s[i - 1] != ':')
		return false;
	while (i > t->from && a->name - i < FAR &&
		(wv_is_class(t->s[i - 1], WV_DOTTED) ||
			strchr(":*/", t->s[i - 1]) != NULL))
		i--;
	WV_STEPS(a->name - i);
	return a->name - i > 4 && memcmp(t->s + i, "arn:", 4) == 0;
}

bool
wv_assignment(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	struct wv_assigned a = { 0 };

	if (!find_name(t, at, rule->length, &a) || !wv_find_value(t, &a))
		return false;
	if (strcmp(rule->anchor, "auth") == 0)
		return wv_rules_has(t->rules, "basic-auth") &&
			is_docker_auth(t, &a, hit);
	a.kind = rule->data != NULL
		? rule->data
		: wv_secret_name(t->s + a.name, a.name_end - a.name);
	if (rule->data != NULL && !wv_name_begins(t->s, t->from, at))
		return false;
	if (a.kind == NULL || wv_byte(t, a.start) < 0 || is_in_arn(t, &a))
		return false;
	if (wv_find_block(t, &a))
		return wv_rules_has(t->rules, a.kind) && found(&a, hit);
	size_t min = find_secret(t, &a);
	if (min == 0 || !wv_rules_has(t->rules, a.kind))
		return false;
	/* A mark at the beginning stands for what was there. */
	size_t mark = wv_mark_length(t->s + a.start, a.end - a.start);
	if (mark != 0) {
		a.end = a.start + mark;
		return found(&a, hit);
	}
	/* A known shape says more than a name, and a key block is longer than
	 * its first line. */
	if (wv_scan_shape(t, a.start, hit) && hit->end >= a.end)
		return true;
	if (unmarked_length(t, &a) < min || wv_is_harmless(t, &a))
		return false;
	if (a.end - a.start >= WV_PROBE)
		wv_find_end(t, &a, false);
	return found(&a, hit);
}
