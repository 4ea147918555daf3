/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of values that are assigned to names of secrets. */
#include "firewall/scan.h"

#include <string.h>
#include <strings.h>

enum {
	SHORTEST = 6,             /* value that is worth hiding */
	SHORTEST_CREDENTIALS = 3, /* after a scheme of HTTP */
	LONGEST_NAME = 64,        /* looked back at */
};

struct value {
	size_t start, end;
	bool quoted;
};

static bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The kind of the name that ends before the separator at `at`: bare, in
 * quotes (escaped ones too), or as in environ["NAME"]. */
static const char *
name_before(const struct wv_text *t, size_t at)
{
	size_t end = at;

	while (end > t->from && is_blank(t->s[end - 1]))
		end--;
	if (end - t->from >= 2 && t->s[end - 1] == ']' &&
		is_quote(t->s[end - 2]))
		end--;
	if (end > t->from && is_quote(t->s[end - 1])) {
		end--;
		while (end > t->from && t->s[end - 1] == '\\')
			end--;
	}
	size_t start = end;
	while (start > t->from && end - start < LONGEST_NAME &&
		wv_is_class(t->s[start - 1], WV_NAME))
		start--;
	return wv_secret_name(t->s + start, end - start);
}

/* Where a value ends that began after a quote with `level` backslashes before
 * it: at a quote that closes it, or closes what is around it. */
static size_t
quoted_end(const struct wv_text *t, size_t start, char quote, size_t level)
{
	size_t run = 0;

	for (size_t i = start; i < t->n; i++) {
		char c = t->s[i];
		if (c == '\n')
			return i;
		if (c == quote && level == 0 && run % 2 == 0)
			return i;
		if (c == quote && level > 0 && run <= level)
			return i - run;
		run = c == '\\' ? run + 1 : 0;
	}
	return t->n;
}

/* A mark belongs to the value that it stands in. */
static size_t
bare_end(const struct wv_text *t, size_t i)
{
	while (i < t->n && !wv_is_class(t->s[i], WV_SPECIAL)) {
		size_t mark =
			t->s[i] == '[' ? wv_mark_length(t->s + i, t->n - i) : 0;
		i += mark != 0 ? mark : 1;
	}
	return i;
}

/* Bytes of a value that no mark stands for yet. */
static size_t
unmarked_length(const struct wv_text *t, const struct value *v)
{
	size_t n = v->end - v->start;

	for (size_t i = v->start; i < v->end; i++) {
		size_t mark = t->s[i] == '['
			? wv_mark_length(t->s + i, v->end - i)
			: 0;
		if (mark != 0) {
			n -= mark;
			i += mark - 1;
		}
	}
	return n;
}

static bool
find_value(const struct wv_text *t, size_t at, struct value *v)
{
	size_t i = at + 1;
	bool compares = false;

	if (t->s[at] == ':' && i < t->n && t->s[i] == ':')
		return false;
	while (i < t->n && (t->s[i] == '=' || t->s[i] == '>')) {
		compares = compares || (t->s[at] == '=' && t->s[i] == '=');
		i++;
	}
	while (i < t->n && is_blank(t->s[i]))
		i++;
	/* b"…" and the like */
	if (t->n - i >= 2 && is_quote(t->s[i + 1]) &&
		strchr("bfru", t->s[i] | 0x20) != NULL)
		i++;
	size_t level = i;
	while (i < t->n && t->s[i] == '\\')
		i++;
	level = i - level;
	v->quoted = i < t->n && is_quote(t->s[i]);
	if (v->quoted) {
		v->start = i + 1;
		v->end = quoted_end(t, i + 1, t->s[i], level);
		return true;
	}
	v->start = i;
	v->end = bare_end(t, i);
	/* A comparison with a variable gives nothing away. */
	return level == 0 && !compares;
}

/* $NAME, ${NAME}, $(command), {{name}}, %(name)s, <name> */
static bool
is_placeholder(const char *s, size_t n)
{
	if (s[0] == '$' && (s[1] == '{' || s[1] == '('))
		return true;
	if ((s[0] == '{' && s[1] == '{') || (s[0] == '%' && s[1] == '('))
		return true;
	if (s[0] == '<' && s[n - 1] == '>')
		return true;
	size_t i = s[0] == '$';
	while (i > 0 && i < n &&
		(wv_is_class(s[i], WV_UPPER_DIGIT) || s[i] == '_'))
		i++;
	return i == n;
}

/* ******** */
static bool
is_masked(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && s[i] == s[0])
		i++;
	return i == n && strchr("*.-xX?", s[0]) != NULL;
}

/* Code: a call, or a member of what programs call their settings. */
static bool
is_code(const struct wv_text *t, const struct value *v)
{
	static const struct wv_word roots[] = { WV_W("args."), WV_W("config."),
		WV_W("ctx."), WV_W("env."), WV_W("os."), WV_W("opts."),
		WV_W("options."), WV_W("params."), WV_W("process."),
		WV_W("req."), WV_W("request."), WV_W("self."),
		WV_W("settings."), WV_W("this."), WV_NO_WORD };
	const char *s = t->s + v->start;
	size_t n = v->end - v->start, i = 0;

	for (const struct wv_word *root = roots; root->s != NULL; root++)
		if (n > root->n && memcmp(s, root->s, root->n) == 0)
			return true;
	while (i < n && (wv_is_class(s[i], WV_WORD) || s[i] == '.'))
		i++;
	return i > 0 && i < n && (s[i] == '(' || s[i] == '[');
}

/* What prose and declarations say instead of a secret. */
static const struct wv_word plain_words[] = { WV_W("boolean"), WV_W("cannot"),
	WV_W("changed"), WV_W("disabled"), WV_W("enabled"), WV_W("expired"),
	WV_W("hidden"), WV_W("incorrect"), WV_W("integer"), WV_W("invalid"),
	WV_W("masked"), WV_W("mismatch"), WV_W("missing"), WV_W("number"),
	WV_W("object"), WV_W("optional"), WV_W("redacted"), WV_W("rejected"),
	WV_W("required"), WV_W("string"), WV_W("undefined"), WV_NO_WORD };

/* "unexpected token: identifier" */
static bool
is_prose(const char *s, size_t n)
{
	enum { LONGEST = 15 };
	size_t i = 0;

	while (i < n && (s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z')
		i++;
	return i == n && n <= LONGEST;
}

static bool
is_harmless(const struct wv_text *t, size_t at, const struct value *v,
	const char *kind)
{
	const char *s = t->s + v->start;
	size_t n = v->end - v->start;

	if (is_placeholder(s, n) || is_masked(s, n) || wv_is_example(s, n))
		return true;
	if (v->quoted)
		return false;
	if (is_code(t, v) || wv_is_like_one_of(s, n, plain_words))
		return true;
	return t->s[at] == ':' && is_prose(s, n) &&
		(strcmp(kind, "token") == 0 || strcmp(kind, "secret") == 0);
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
find_credentials(const struct wv_text *t, struct value *v)
{
	size_t n = wv_run(t, v->start, WV_ALNUM_DASH) - v->start, i = 0;
	size_t count = sizeof(schemes) / sizeof(schemes[0]);

	while (i < count &&
		(strlen(schemes[i].name) != n ||
			strncasecmp(schemes[i].name, t->s + v->start, n) != 0))
		i++;
	if (i == count)
		return NULL;
	v->start += n;
	while (v->start < t->n && is_blank(t->s[v->start]))
		v->start++;
	v->end = v->start;
	if (schemes[i].one_token)
		v->end = bare_end(t, v->start);
	else
		while (v->end < t->n && !strchr("\n\"'`\\", t->s[v->end]))
			v->end++;
	return schemes[i].kind;
}

/* The shortest value of a kind that is taken for a secret; an authorization
 * is found behind its scheme. */
static size_t
shortest(const struct wv_text *t, struct value *v, const char **kind)
{
	if (strcmp(*kind, "authorization") != 0)
		return SHORTEST;
	const char *of_scheme = find_credentials(t, v);
	if (of_scheme == NULL)
		return 2 * SHORTEST;
	*kind = of_scheme;
	return SHORTEST_CREDENTIALS;
}

bool
wv_assignment(const struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	struct value v;
	const char *kind = name_before(t, at);

	if (kind == NULL || !find_value(t, at, &v))
		return false;
	size_t min = shortest(t, &v, &kind);
	/* A mark at the beginning stands for what was there. */
	size_t mark = wv_mark_length(t->s + v.start, v.end - v.start);
	if (mark != 0) {
		*hit = (struct wv_hit){ v.start, v.start + mark, kind };
		return true;
	}
	/* A known shape says more than a name, and a key block is longer than
	 * its first line. */
	if (wv_scan_shape(t, v.start, hit) && hit->end >= v.end)
		return true;
	if (unmarked_length(t, &v) < min || is_harmless(t, at, &v, kind))
		return false;
	*hit = (struct wv_hit){ v.start, v.end, kind };
	return true;
}
