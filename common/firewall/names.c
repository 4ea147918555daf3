/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/scan-internal.h"

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
	{ WV_W("app"), WV_W("key"), "api-key" },
	{ WV_W("auth"), WV_W("key"), "api-key" },
	{ WV_W("subscription"), WV_W("key"), "api-key" },
	{ ANY, WV_W("accesskey"), "access-key" },
	{ ANY, WV_W("secretaccesskey"), "aws-secret-key" },
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
	{ WV_W("db"), WV_W("pass"), "password" },
	{ WV_W("database"), WV_W("pass"), "password" },
	{ WV_W("mysql"), WV_W("pass"), "password" },
	{ WV_W("smtp"), WV_W("pass"), "password" },
	{ WV_W("mail"), WV_W("pass"), "password" },
	{ WV_W("user"), WV_W("pass"), "password" },
	{ WV_W("admin"), WV_W("pass"), "password" },
	{ WV_W("root"), WV_W("pass"), "password" },
	{ WV_W("redis"), WV_W("pass"), "password" },
	{ WV_W("ftp"), WV_W("pass"), "password" },
	{ WV_W("ldap"), WV_W("pass"), "password" },
};

/* Names of what is known by its name and value together. */
static const struct secret_name members[] = {
	{ ANY, WV_W("auth"), "basic-auth" },
	{ ANY, WV_W("card"), "card" },
	{ ANY, WV_W("cardnumber"), "card" },
	{ WV_W("card"), WV_W("number"), "card" },
	{ WV_W("card"), WV_W("no"), "card" },
	{ ANY, WV_W("creditcard"), "card" },
	{ ANY, WV_W("ccnumber"), "card" },
	{ WV_W("cc"), WV_W("number"), "card" },
	{ ANY, WV_W("pan"), "card" },
	{ ANY, WV_W("cvv"), "cvv" },
	{ ANY, WV_W("cvc"), "cvv" },
	{ WV_W("security"), WV_W("code"), "cvv" },
	{ ANY, WV_W("ssn"), "ssn" },
	{ WV_W("security"), WV_W("number"), "ssn" },
	{ ANY, WV_W("phone"), "phone" },
	{ ANY, WV_W("telephone"), "phone" },
	{ ANY, WV_W("telefon"), "phone" },
	{ ANY, WV_W("mobile"), "phone" },
	{ ANY, WV_W("cellphone"), "phone" },
	{ ANY, WV_W("tel"), "phone" },
	{ ANY, WV_W("fax"), "phone" },
	{ ANY, WV_W("phonenumber"), "phone" },
	{ WV_W("phone"), WV_W("number"), "phone" },
	{ WV_W("mobile"), WV_W("number"), "phone" },
	{ ANY, WV_W("msisdn"), "phone" },
	{ ANY, WV_W("whatsapp"), "phone" },
};

/* The shell's own: working folders. */
static const struct wv_word folders[] = { WV_W("PWD"), WV_W("OLDPWD"), ANY };

/* PGPASSWORD and sshpasswd are one word; no other words end so. */
static const struct wv_word password_ends[] = { WV_W("password"),
	WV_W("passwd"), WV_W("passwords"), ANY };

/* Tokens that are no credentials: of pages, grammars and vocabularies. */
static const struct wv_word plain_tokens[] = { WV_W("next"), WV_W("page"),
	WV_W("idempotency"), WV_W("previous"), WV_W("prev"),
	WV_W("continuation"), WV_W("pagination"), WV_W("cursor"), WV_W("sync"),
	WV_W("start"), WV_W("end"), WV_W("stop"), WV_W("unexpected"),
	WV_W("invalid"), WV_W("eos"), WV_W("bos"), WV_W("pad"), WV_W("unk"),
	WV_W("sep"), WV_W("cls"), WV_W("mask"), WV_W("special"), WV_W("per"),
	WV_W("max"), WV_W("creation"), ANY };

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

/* Bits of the last two letters of the words above. */
static uint32_t ends[32];

static void
add_end(struct wv_word w)
{
	ends[w.s[w.n - 2] & 31] |= UINT32_C(1) << (w.s[w.n - 1] & 31);
}

static void
add_ends(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_end(names[i].last);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		add_end(members[i].last);
	for (const struct wv_word *w = password_ends; w->s != NULL; w++)
		add_end(*w);
}

/* Few names end as one of the words does: seen before any splitting. */
static bool
may_tell(const char *name, size_t n)
{
	if (ends['e' & 31] == 0)
		add_ends();
	return n >= 2 && wv_is_letter(name[n - 1]) &&
		(ends[name[n - 2] & 31] >> (name[n - 1] & 31) & 1) != 0;
}

/* rest bytes of name stand before both: ClientRequestToken makes a request one that is
 * done once, RequestToken may be one of OAuth. */
static bool
is_plain_token(struct wv_word before, struct wv_word last, const char *name,
	size_t rest)
{
	if (!is_word(last, (struct wv_word)WV_W("token")))
		return false;
	if (wv_is_like_one_of(before.s, before.n, plain_tokens))
		return true;
	return is_word(before, (struct wv_word)WV_W("request")) &&
		is_word(last_word(name, &rest), (struct wv_word)WV_W("client"));
}

/* AccountKey and SharedAccessKey, as connection strings write them. */
static bool
is_azure(const char *name, size_t n)
{
	static const char *const spelled[] = { "AccountKey",
		"SharedAccessKey" };

	for (size_t i = 0; i < 2; i++) {
		size_t k = strlen(spelled[i]);
		if (n >= k && memcmp(name + n - k, spelled[i], k) == 0 &&
			(n == k || !wv_is_class(name[n - k - 1], WV_ALNUM)))
			return true;
	}
	return false;
}

/* The row whose words the name ends in, or NULL. */
static const struct secret_name *
find_row(const struct secret_name *list, size_t count, struct wv_word last,
	struct wv_word before)
{
	for (size_t i = 0; i < count; i++)
		if (is_word(last, list[i].last) &&
			(list[i].before.s == NULL ||
				is_word(before, list[i].before)))
			return &list[i];
	return NULL;
}

/* Without the number behind it: password_2 */
static size_t
bare_length(const char *name, size_t n)
{
	while (n > 0 &&
		(wv_is_digit(name[n - 1]) || name[n - 1] == '_' ||
			name[n - 1] == '-'))
		n--;
	return n;
}

const char *
wv_secret_name(const char *name, size_t n)
{
	n = bare_length(name, n);
	if (!may_tell(name, n) || wv_is_one_of(name, n, folders))
		return NULL;
	if (is_azure(name, n))
		return "azure-account-key";
	struct wv_word last = last_word(name, &n);
	if (ends_in(last, password_ends))
		return "password";
	struct wv_word before = last_word(name, &n);
	const struct secret_name *row =
		find_row(names, sizeof(names) / sizeof(names[0]), last, before);
	if (row == NULL || is_plain_token(before, last, name, n))
		return NULL;
	if (is_word(before, (struct wv_word)WV_W("access")) &&
		is_word(last_word(name, &n), (struct wv_word)WV_W("secret")))
		return "aws-secret-key";
	return row->kind;
}

bool
wv_name_begins(const char *s, size_t from, size_t at)
{
	return at == from || begins(s, at, at + 2);
}

/* The kind by a name of the rules, or NULL. */
static const char *
own_kind(const struct wv_rules *rules, const char *name, size_t n)
{
	for (size_t i = 0; rules->names > 0 && i < rules->count; i++) {
		const struct wv_rule *row = &rules->rows[i];
		if (row->recognize == wv_assignment && row->data != NULL &&
			n >= row->length &&
			strncasecmp(name + n - row->length, row->anchor,
				row->length) == 0 &&
			wv_name_begins(name, 0, n - row->length))
			return row->data;
	}
	return NULL;
}

const char *
wv_name_kind(const struct wv_rules *rules, const char *name, size_t n)
{
	const struct wv_rules *used = wv_rules_or_built_in(rules);
	const char *kind = own_kind(used, name, bare_length(name, n));

	if (kind == NULL)
		kind = wv_secret_name(name, n);
	return kind != NULL && wv_rules_has(used, kind) ? kind : NULL;
}

const char *
wv_member_kind(const struct wv_rules *rules, const char *name, size_t n,
	const char *value, size_t len)
{
	n = bare_length(name, n);
	while (n > 0 && !wv_is_class(name[n - 1], WV_ALNUM))
		n--;
	if (!may_tell(name, n))
		return NULL;
	struct wv_word last = last_word(name, &n), before = last_word(name, &n);
	const struct secret_name *row = find_row(
		members, sizeof(members) / sizeof(members[0]), last, before);

	if (row == NULL)
		return NULL;
	const char *kind = strcmp(row->kind, "cvv") == 0 ? "card" : row->kind;
	if (!wv_rules_has(wv_rules_or_built_in(rules), kind))
		return NULL;
	if (strcmp(kind, "basic-auth") == 0)
		return wv_is_user_password(value, len) ? kind : NULL;
	return wv_is_number_of(row->kind, value, len) ? kind : NULL;
}
