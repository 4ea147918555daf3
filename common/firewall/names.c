/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/scan.h"

#include <string.h>
#include <strings.h>

struct word {
	const char *s;
	size_t n;
};

/* A name is judged by its last words, whatever stands before them. */
struct secret_name {
	struct word before, last; /* before ANY: whatever */
	const char *kind;
};

#define W(s) \
	{ \
		s, sizeof(s) - 1 \
	}
#define ANY \
	{ \
		NULL, 0 \
	}

static const struct secret_name names[] = {
	{ ANY, W("passphrase"), "password" },
	{ ANY, W("pwd"), "password" },
	{ ANY, W("secret"), "secret" },
	{ ANY, W("clientsecret"), "secret" },
	{ ANY, W("token"), "token" },
	{ ANY, W("apitoken"), "token" },
	{ ANY, W("authtoken"), "token" },
	{ ANY, W("accesstoken"), "token" },
	{ ANY, W("refreshtoken"), "token" },
	{ ANY, W("apikey"), "api-key" },
	{ W("api"), W("key"), "api-key" },
	{ W("auth"), W("key"), "api-key" },
	{ W("subscription"), W("key"), "api-key" },
	{ ANY, W("accesskey"), "access-key" },
	{ W("access"), W("key"), "access-key" },
	{ W("account"), W("key"), "access-key" },
	{ ANY, W("secretkey"), "secret-key" },
	{ W("secret"), W("key"), "secret-key" },
	{ W("signing"), W("key"), "secret-key" },
	{ W("encryption"), W("key"), "secret-key" },
	{ W("master"), W("key"), "secret-key" },
	{ ANY, W("privatekey"), "private-key" },
	{ W("private"), W("key"), "private-key" },
	{ ANY, W("authorization"), "authorization" },
};

/* PGPASSWORD and sshpasswd are one word; no other words end so. */
static const struct word password_ends[] = { W("password"), W("passwd"), ANY };

/* Tokens that are no credentials: of pages, grammars and vocabularies. */
static const struct word plain_tokens[] = { W("next"), W("page"), W("previous"),
	W("prev"), W("continuation"), W("pagination"), W("cursor"), W("sync"),
	W("start"), W("end"), W("stop"), W("unexpected"), W("invalid"),
	W("eos"), W("bos"), W("pad"), W("unk"), W("sep"), W("cls"), W("mask"),
	W("special"), W("per"), W("max"), ANY };

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_alnum(char c)
{
	return (wv_char_classes[(unsigned char)c] & WV_ALNUM) != 0;
}

/* A word begins at i: after what is no letter, or at a camelCase hump. */
static bool
begins(const char *name, size_t i, size_t end)
{
	char a = name[i - 1], b = name[i];

	return !is_alnum(a) || (is_upper(b) && !is_upper(a)) ||
		(is_upper(a) && is_upper(b) && i + 1 < end &&
			is_lower(name[i + 1]));
}

/* The last word of n bytes of name; n becomes what is before it. */
static struct word
last_word(const char *name, size_t *n)
{
	while (*n > 0 && !is_alnum(name[*n - 1]))
		--*n;
	size_t start = *n, end = *n;
	if (start > 0)
		start--;
	while (start > 0 && !begins(name, start, end))
		start--;
	*n = start;
	return (struct word){ name + start, end - start };
}

static bool
is_word(struct word w, struct word text)
{
	return w.n == text.n && strncasecmp(w.s, text.s, w.n) == 0;
}

static bool
is_one_of(struct word w, const struct word *list)
{
	while (list->s != NULL && !is_word(w, *list))
		list++;
	return list->s != NULL;
}

static bool
ends_in(struct word w, const struct word *ends)
{
	for (; ends->s != NULL; ends++)
		if (w.n >= ends->n &&
			strncasecmp(w.s + w.n - ends->n, ends->s, ends->n) == 0)
			return true;
	return false;
}

/* Every name of a secret ends in one of these, seen before any splitting. */
static bool
may_be_secret(char last)
{
	switch (last | 0x20) {
	case 'd': /* password, passwd, pwd */
	case 'e': /* passphrase */
	case 'n': /* token, authorization */
	case 't': /* secret */
	case 'y': /* key */
		return true;
	}
	return false;
}

static bool
is_plain_token(struct word before, struct word last)
{
	return is_word(last, (struct word)W("token")) &&
		is_one_of(before, plain_tokens);
}

const char *
wv_secret_name(const char *name, size_t n)
{
	while (n > 0 &&
		((name[n - 1] >= '0' && name[n - 1] <= '9') ||
			name[n - 1] == '_' || name[n - 1] == '-'))
		n--;
	if (n == 0 || !may_be_secret(name[n - 1]))
		return NULL;
	struct word last = last_word(name, &n);
	if (ends_in(last, password_ends))
		return "password";
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_word(last, names[i].last))
			continue;
		size_t rest = n;
		struct word before = last_word(name, &rest);
		if (names[i].before.s == NULL)
			return is_plain_token(before, last) ? NULL
							    : names[i].kind;
		if (is_word(before, names[i].before))
			return names[i].kind;
	}
	return NULL;
}
