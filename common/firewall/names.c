/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/scan.h"

#include <string.h>
#include <strings.h>

/* A name is judged by its last words, whatever stands before them. */
struct secret_name {
	struct wv_word before, last; /* before ANY: whatever */
	const char *kind;
};

#define ANY WV_NO_WORD

static const struct secret_name names[] = {
	{ ANY, WV_W("passphrase"), "password" },
	{ ANY, WV_W("pwd"), "password" },
	{ ANY, WV_W("secret"), "secret" },
	{ ANY, WV_W("clientsecret"), "secret" },
	{ ANY, WV_W("token"), "token" },
	{ ANY, WV_W("apitoken"), "token" },
	{ ANY, WV_W("authtoken"), "token" },
	{ ANY, WV_W("accesstoken"), "token" },
	{ ANY, WV_W("refreshtoken"), "token" },
	{ ANY, WV_W("apikey"), "api-key" },
	{ WV_W("api"), WV_W("key"), "api-key" },
	{ WV_W("auth"), WV_W("key"), "api-key" },
	{ WV_W("subscription"), WV_W("key"), "api-key" },
	{ ANY, WV_W("accesskey"), "access-key" },
	{ WV_W("access"), WV_W("key"), "access-key" },
	{ WV_W("account"), WV_W("key"), "access-key" },
	{ ANY, WV_W("secretkey"), "secret-key" },
	{ WV_W("secret"), WV_W("key"), "secret-key" },
	{ WV_W("signing"), WV_W("key"), "secret-key" },
	{ WV_W("encryption"), WV_W("key"), "secret-key" },
	{ WV_W("master"), WV_W("key"), "secret-key" },
	{ ANY, WV_W("privatekey"), "private-key" },
	{ WV_W("private"), WV_W("key"), "private-key" },
	{ ANY, WV_W("authorization"), "authorization" },
	{ ANY, WV_W("credential"), "credential" },
	{ ANY, WV_W("credentials"), "credential" },
	{ ANY, WV_W("cookie"), "cookie" },
};

/* The shell's own: working folders. */
static const struct wv_word folders[] = { WV_W("PWD"), WV_W("OLDPWD"), ANY };

/* PGPASSWORD and sshpasswd are one word; no other words end so. */
static const struct wv_word password_ends[] = { WV_W("password"),
	WV_W("passwd"), ANY };

/* Tokens that are no credentials: of pages, grammars and vocabularies. */
static const struct wv_word plain_tokens[] = { WV_W("next"), WV_W("page"),
	WV_W("previous"), WV_W("prev"), WV_W("continuation"),
	WV_W("pagination"), WV_W("cursor"), WV_W("sync"), WV_W("start"),
	WV_W("end"), WV_W("stop"), WV_W("unexpected"), WV_W("invalid"),
	WV_W("eos"), WV_W("bos"), WV_W("pad"), WV_W("unk"), WV_W("sep"),
	WV_W("cls"), WV_W("mask"), WV_W("special"), WV_W("per"), WV_W("max"),
	ANY };

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

/* A word begins at i: after what is no letter, or at a camelCase hump. */
static bool
begins(const char *name, size_t i, size_t end)
{
	char a = name[i - 1], b = name[i];

	return !wv_is_class(a, WV_ALNUM) || (is_upper(b) && !is_upper(a)) ||
		(is_upper(a) && is_upper(b) && i + 1 < end &&
			is_lower(name[i + 1]));
}

/* The last word of n bytes of name; n becomes what is before it. */
static struct wv_word
last_word(const char *name, size_t *n)
{
	while (*n > 0 && !wv_is_class(name[*n - 1], WV_ALNUM))
		--*n;
	size_t start = *n, end = *n;
	if (start > 0)
		start--;
	while (start > 0 && !begins(name, start, end))
		start--;
	*n = start;
	return (struct wv_word){ name + start, end - start };
}

/* text is in lower case, and not empty. */
static bool
begins_like(const char *s, struct wv_word text)
{
	return (*s | 0x20) == *text.s && strncasecmp(s, text.s, text.n) == 0;
}

static bool
is_word(struct wv_word w, struct wv_word text)
{
	return w.n == text.n && begins_like(w.s, text);
}

bool
wv_is_one_of(const char *s, size_t n, const struct wv_word *list)
{
	for (; list->s != NULL; list++)
		if (list->n == n && memcmp(list->s, s, n) == 0)
			return true;
	return false;
}

bool
wv_is_like_one_of(const char *s, size_t n, const struct wv_word *list)
{
	for (; list->s != NULL; list++)
		if (is_word((struct wv_word){ s, n }, *list))
			return true;
	return false;
}

static bool
ends_in(struct wv_word w, const struct wv_word *ends)
{
	for (; ends->s != NULL; ends++)
		if (w.n >= ends->n && begins_like(w.s + w.n - ends->n, *ends))
			return true;
	return false;
}

/* Every name of a secret ends in one of these, seen before any splitting. */
static bool
may_be_secret(char last)
{
	switch (last | 0x20) {
	case 'd': /* password, passwd, pwd */
	case 'e': /* passphrase, cookie */
	case 'l': /* credential */
	case 'n': /* token, authorization */
	case 's': /* credentials */
	case 't': /* secret */
	case 'y': /* key */
		return true;
	}
	return false;
}

static bool
is_plain_token(struct wv_word before, struct wv_word last)
{
	return is_word(last, (struct wv_word)WV_W("token")) &&
		wv_is_like_one_of(before.s, before.n, plain_tokens);
}

const char *
wv_secret_name(const char *name, size_t n)
{
	while (n > 0 &&
		((name[n - 1] >= '0' && name[n - 1] <= '9') ||
			name[n - 1] == '_' || name[n - 1] == '-'))
		n--;
	if (n == 0 || !may_be_secret(name[n - 1]) ||
		wv_is_one_of(name, n, folders))
		return NULL;
	struct wv_word last = last_word(name, &n);
	if (ends_in(last, password_ends))
		return "password";
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_word(last, names[i].last))
			continue;
		size_t rest = n;
		struct wv_word before = last_word(name, &rest);
		if (names[i].before.s == NULL)
			return is_plain_token(before, last) ? NULL
							    : names[i].kind;
		if (is_word(before, names[i].before))
			return names[i].kind;
	}
	return NULL;
}
