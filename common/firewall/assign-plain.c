/* SPDX-License-Identifier: Apache-2.0 */
/* What is given to names of secrets and is no secret. */
#include "firewall/assign-internal.h"

#include <string.h>
#include <strings.h>

/* Keys that documentation uses, which open nothing. */
static const struct wv_word examples[] = {
	/* of Stripe, jwt.io, RFC 7617, and the emulators of Azure */
	WV_W("sk_test_4eC39HqLyjWDarjtT1zdp7dc"),
	WV_W("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIi"
	     "wibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF"
	     "2QT4fwpMeJf36POk6yJV_adQssw5c"),
	WV_W("QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
	WV_W("QWxhZGRpbjpPcGVuU2VzYW1l"),
	WV_W("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/"
	     "K1SZFPTOtr/KBHBeksoGMGw=="),
	WV_W("C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyP"
	     "MbIZnqyMsEcaGQy67XIw/Jw=="),
	WV_NO_WORD,
};

static bool
ends_like(const char *s, size_t n, struct wv_word w)
{
	return n > w.n && memcmp(s + n - w.n, w.s, w.n) == 0;
}

/* AWS ends its own in EXAMPLE. */
bool
wv_is_example(const char *s, size_t n)
{
	return wv_is_one_of(s, n, examples) ||
		ends_like(s, n, (struct wv_word)WV_W("EXAMPLE")) ||
		ends_like(s, n, (struct wv_word)WV_W("EXAMPLEKEY"));
}

/* ******** */
static bool
is_masked(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && (s[i] == s[0] || s[i] == '-'))
		i++;
	return i == n && strchr("*.-xX?#_", s[0]) != NULL;
}

/* Words in capitals, joined: YOUR_API_KEY */
static bool
is_upper_words(const char *s, size_t n)
{
	bool joined = false;
	size_t i = 0;

	for (; i < n; i++) {
		joined = joined || s[i] == '_' || s[i] == '-';
		if ((s[i] < 'A' || s[i] > 'Z') && s[i] != '_' && s[i] != '-')
			break;
	}
	return i == n && joined;
}

/* $NAME, $1, $_ENV['NAME'] */
static bool
is_variable(const char *s, size_t n)
{
	size_t i = 1;

	if (n < 2 || s[0] != '$' || wv_is_digit(s[1]))
		return n == 2 && s[0] == '$';
	while (i < n &&
		(wv_is_class(s[i], WV_WORD) || strchr("[]'\"->:", s[i])))
		i++;
	return i == n;
}

bool
wv_is_version(const char *s, size_t n)
{
	enum { LONGEST = 5 };
	size_t dots = 0, digits = 0, i = 0;

	while (i < n && strchr("^~>=v", s[i]) != NULL)
		i++;
	for (; i < n; i++) {
		if (wv_is_digit(s[i]) && digits < LONGEST)
			digits++;
		else if (s[i] == '.' && digits > 0 && ++dots <= 2)
			digits = 0;
		else
			return false;
	}
	return dots == 2 && digits > 0;
}

static bool
is_encrypted(const char *s, size_t n)
{
	enum { SEALED = 240 };
	static const char sops[] = "ENC[AES256_GCM,data:";
	size_t i = 0;

	if (n > sizeof(sops) && memcmp(s, sops, sizeof(sops) - 1) == 0)
		return true;
	if (n < SEALED || s[0] != 'A' || s[1] != 'g' || s[2] < 'A' ||
		s[2] > 'D')
		return false;
	while (i < n && wv_is_class(s[i], WV_BASE64))
		i++;
	return i == n;
}

static bool
is_arn(const char *s, size_t n)
{
	return n > 4 && memcmp(s, "arn:", 4) == 0;
}

/* {{resolve:secretsmanager:Name}}, which CloudFormation looks up. */
static bool
is_lookup(const char *s, size_t n)
{
	static const char start[] = "{{resolve:";

	return n > sizeof(start) && memcmp(s, start, sizeof(start) - 1) == 0 &&
		memcmp(s + n - 2, "}}", 2) == 0;
}

bool
wv_is_public(const char *s, size_t n)
{
	return wv_is_example(s, n) || wv_is_version(s, n) || is_arn(s, n) ||
		is_lookup(s, n) || is_encrypted(s, n);
}

bool
wv_is_placeholder(const char *s, size_t n)
{
	if (n == 0 || wv_is_version(s, n) || is_encrypted(s, n))
		return true;
	if (n >= 2 && s[0] == '$' && (s[1] == '{' || s[1] == '('))
		return true;
	if (n >= 2 && (s[0] == '{' || s[0] == '%') &&
		(s[1] == '{' || s[1] == '('))
		return true;
	if ((s[0] == '<' && s[n - 1] == '>') ||
		(s[0] == '[' && s[n - 1] == ']'))
		return true;
	if (n > 4 && memcmp(s, "&lt;", 4) == 0)
		return true;
	if (n > 4 && strncasecmp(s, "your", 4) == 0 &&
		(strchr("-_ ", s[4]) != NULL || wv_is_letter(s[4])))
		return true;
	return is_masked(s, n) || is_upper_words(s, n) || is_variable(s, n);
}

bool
wv_is_joined(const char *s, size_t n, const char *joints, bool capitals)
{
	size_t count = 0, i = 0;

	for (; i < n; i++) {
		if (strchr(joints, s[i]) != NULL)
			count++;
		else if (!wv_is_letter(s[i]) ||
			(!capitals && (s[i] & 0x20) == 0))
			return false;
	}
	return count > 0 && strchr(joints, s[n - 1]) == NULL;
}

/* /run/secrets/db, ./pw.txt, https://… */
static bool
is_path(const char *s, size_t n)
{
	size_t slashes = 0, i = 0;

	if (memmem(s, n, "://", 3) != NULL)
		return true;
	while (i < n && s[i] == '.')
		i++;
	i += i < n && i == 0 && s[i] == '~';
	if (i == n || s[i] != '/')
		return false;
	for (; i < n; i++) {
		slashes += s[i] == '/';
		if (s[i] >= 'A' && s[i] <= 'Z')
			return false;
		if (!wv_is_class(s[i], WV_DOTTED) && s[i] != '/')
			return false;
	}
	return slashes > 1 || *s == '.';
}

/* What prose and declarations say instead of a secret. */
static const struct wv_word plain_words[] = { WV_W("boolean"), WV_W("cannot"),
	WV_W("changed"), WV_W("default"), WV_W("disabled"), WV_W("enabled"),
	WV_W("expired"), WV_W("hidden"), WV_W("include"), WV_W("incorrect"),
	WV_W("integer"), WV_W("invalid"), WV_W("masked"), WV_W("mismatch"),
	WV_W("missing"), WV_W("number"), WV_W("object"), WV_W("optional"),
	WV_W("redacted"), WV_W("rejected"), WV_W("required"), WV_W("return"),
	WV_W("same-origin"), WV_W("string"), WV_W("undefined"), WV_NO_WORD };

static bool
is_one_word(const char *s, size_t n)
{
	enum { LONGEST = 15 };
	size_t i = 0;

	while (i < n && wv_is_letter(s[i]))
		i++;
	return i == n && n <= LONGEST;
}

/* "unexpected token: identifier", "password: changed 3 days ago" */
static bool
is_prose(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	size_t n = a->end - a->start;

	while (n > 1 && strchr(".!?", s[n - 1]) != NULL)
		n--;
	if (!is_one_word(s, n))
		return false;
	if (strcmp(a->kind, "password") != 0)
		return true;
	if (a->sign == ' ')
		return true;
	int next = wv_byte(t, a->end + 1);
	return a->sign == ':' && wv_byte(t, a->end) == ' ' && next >= 'a' &&
		next <= 'z';
}

/* "login password: user=ann", where something else is assigned */
static bool
is_pair(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (wv_is_letter(s[i]) || s[i] == '_'))
		i++;
	return i > 0 && i + 1 < n && s[i] == '=' && s[i + 1] != '=';
}

static bool
is_bare_harmless(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	size_t n = a->end - a->start;

	if (wv_is_code(t, a) || wv_is_like_one_of(s, n, plain_words) ||
		is_prose(t, a))
		return true;
	if (strchr("[(", s[0]) != NULL)
		return true;
	if (a->sign == ':' && (s[0] == '!' || s[0] == ':' || is_pair(s, n)))
		return true;
	/* The beginning of another option. */
	return a->sign == ' ' && s[0] == '-';
}

/* A quote that ends what the name stands in: "Password: ", stream; also if it
 * began before the last hit.  Which of a line's quotes are a pair is told by
 * what is around the nearest one: counting them all would need the line's
 * beginning, which may be far away. */
static bool
is_closing(struct wv_text *t, const struct wv_assigned *a)
{
	enum { FAR = 128 };
	size_t low = a->name > FAR ? a->name - FAR : 0, i = a->start - 1;

	if (a->level > 0 || t->s[a->name_end] == a->quote ||
		wv_is_class(t->s[a->start], WV_WORD))
		return false;
	WV_STEPS(FAR);
	while (i > low && t->s[i - 1] != a->quote && t->s[i - 1] != '\n')
		i--;
	if (i == low || t->s[i - 1] != a->quote || wv_is_blank(t->s[i]))
		return false;
	return i == 1 || !wv_is_class(t->s[i - 2], WV_WORD);
}

/* '{0}:{1}', {user}: what a program fills in */
static bool
is_template(const char *s, size_t n)
{
	enum { FEW = 6 };
	size_t rest = 0, braces = 0;

	for (size_t i = 0; i < n; i++) {
		const char *end =
			s[i] == '{' ? memchr(s + i, '}', n - i) : NULL;
		if (end != NULL) {
			braces++;
			i = (size_t)(end - s);
		} else {
			rest += wv_is_class(s[i], WV_ALNUM);
		}
	}
	return braces > 0 && rest < FEW;
}

/* #d8dee9: highlighters have colours of tokens */
static bool
is_colour(const char *s, size_t n)
{
	size_t i = 1;

	if (s[0] != '#' || n > 9)
		return false;
	while (i < n &&
		(wv_is_digit(s[i]) ||
			((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'f')))
		i++;
	return i == n;
}

bool
wv_is_random_kind(const char *kind)
{
	return strcmp(kind, "password") != 0 && strcmp(kind, "secret") != 0 &&
		strcmp(kind, "secret-key") != 0 &&
		strcmp(kind, "cookie") != 0 &&
		strcmp(kind, "authorization") != 0;
}

static bool
is_quoted_harmless(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	size_t n = a->end - a->start;

	/* A command of the shell. */
	if (a->quote == '`' && a->sign == '=' && memchr(s, ' ', n) != NULL)
		return true;
	if (is_closing(t, a) || is_template(s, n))
		return true;
	if (a->sign == ',')
		return memchr(s, ' ', n) != NULL || !wv_is_mixed(s, n) ||
			wv_is_own_name(s, n, a->kind);
	if (strcmp(a->kind, "password") == 0 || strcmp(a->kind, "secret") == 0)
		return false;
	for (size_t i = 0; wv_is_random_kind(a->kind) && i < n; i++)
		if (strchr(" ([<", s[i]) != NULL)
			return true;
	return is_one_word(s, n) || wv_is_like_one_of(s, n, plain_words) ||
		wv_is_joined(s, n, "._-", false) || is_colour(s, n);
}

bool
wv_is_harmless(struct wv_text *t, const struct wv_assigned *a)
{
	const char *s = t->s + a->start;
	size_t n = a->end - a->start;

	if (wv_is_placeholder(s, n) || wv_is_example(s, n) || is_path(s, n))
		return true;
	if (a->is_sent)
		return false;
	if (is_arn(s, n))
		return true;
	/* A type. */
	if (strcmp(a->kind, "private-key") == 0 &&
		(ends_like(s, n, (struct wv_word)WV_W("Key")) ||
			ends_like(s, n, (struct wv_word)WV_W("Types"))))
		return true;
	return a->extent == WV_BARE
		? is_bare_harmless(t, a)
		: a->extent == WV_QUOTED && is_quoted_harmless(t, a);
}
