/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/internal.h"
#include "firewall/names.h"

#include <string.h>
#include <strings.h>

/* The shell's own: working folders. */
static const struct wv_word folders[] = { WV_W("PWD"), WV_W("OLDPWD"),
	WV_NO_WORD };

/* Tokens that are no credentials: of pages, grammars and vocabularies. */
static const struct wv_word plain_tokens[] = { WV_W("next"), WV_W("page"),
	WV_W("idempotency"), WV_W("previous"), WV_W("prev"),
	WV_W("continuation"), WV_W("pagination"), WV_W("cursor"), WV_W("sync"),
	WV_W("start"), WV_W("end"), WV_W("stop"), WV_W("unexpected"),
	WV_W("invalid"), WV_W("eos"), WV_W("bos"), WV_W("pad"), WV_W("unk"),
	WV_W("sep"), WV_W("cls"), WV_W("mask"), WV_W("special"), WV_W("per"),
	WV_W("max"), WV_W("creation"), WV_NO_WORD };

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

static bool
may_tell(const char *name, size_t n)
{
	return n > 0 && wv_is_letter(name[n - 1]) &&
		wv_ends_as_name(wv_name_ends(), name, n);
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
static const struct wv_secret_name *
find_row(const struct wv_secret_name *list, struct wv_word last,
	struct wv_word before)
{
	for (; list->kind != NULL; list++)
		if (is_word(last, list->last) &&
			(list->before.s == NULL ||
				is_word(before, list->before)))
			return list;
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
	if (ends_in(last, wv_password_ends))
		return "password";
	struct wv_word before = last_word(name, &n);
	const struct wv_secret_name *row =
		find_row(wv_secret_names, last, before);
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

static const struct wv_secret_name *
member_row(const char *name, size_t n)
{
	n = bare_length(name, n);
	while (n > 0 && !wv_is_class(name[n - 1], WV_ALNUM))
		n--;
	if (!may_tell(name, n))
		return NULL;
	struct wv_word last = last_word(name, &n), before = last_word(name, &n);
	return find_row(wv_member_names, last, before);
}

bool
wv_is_member_name(const char *name, size_t n)
{
	return member_row(name, n) != NULL;
}

const char *
wv_member_kind(const struct wv_rules *rules, const char *name, size_t n,
	const char *value, size_t len)
{
	const struct wv_secret_name *row = member_row(name, n);

	if (row == NULL)
		return NULL;
	const char *kind = strcmp(row->kind, "cvv") == 0 ? "card" : row->kind;
	if (!wv_rules_has(wv_rules_or_built_in(rules), kind))
		return NULL;
	if (strcmp(kind, "basic-auth") == 0)
		return wv_is_user_password(value, len) ? kind : NULL;
	return wv_is_number_of(row->kind, value, len) ? kind : NULL;
}
