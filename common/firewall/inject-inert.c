/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/inject.h"

#include <string.h>
#include <strings.h>

/* Programs that read text open these without or with a click. */
static const char *const schemes[] = { "http", "https", "ftp", "ftps", "sftp",
	"ws", "wss", "file", "mailto", "javascript", "vbscript", "smb", "ssh",
	"git", "data", "tel", "sms", "ldap", "gopher", "blob" };

/* Tags that load or link. */
static const char *const tags[] = { "a", "area", "audio", "base", "body",
	"button", "embed", "form", "frame", "iframe", "image", "img", "input",
	"link", "meta", "object", "picture", "script", "source", "style", "svg",
	"table", "td", "track", "use", "video" };

enum { NAME = 16 }; /* longer than every name */

static bool
is_name(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
		(c >= '0' && c <= '9');
}

static bool
is_one_of(const char *s, size_t n, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) == n && strncasecmp(s, list[i], n) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(s, n, list) \
	is_one_of(s, n, list, sizeof(list) / sizeof(*(list)))

/* The length of a colon at s, also as an entity, or 0. */
static size_t
colon_length(const char *s, size_t n)
{
	static const char *const colons[] = { ":", "&#58;", "&#058;", "&#x3a;",
		"&#x03a;", "&colon;", "%3a" };

	for (size_t i = 0; i < sizeof(colons) / sizeof(*colons); i++) {
		size_t len = strlen(colons[i]);
		if (n >= len && strncasecmp(s, colons[i], len) == 0)
			return len;
	}
	return 0;
}

/* The word before s[at] is a scheme. */
static bool
after_scheme(const char *s, size_t at)
{
	size_t start = at;

	while (start > 0 && at - start < NAME && is_name(s[start - 1]))
		start--;
	return IS_ONE_OF(s + start, at - start, schemes);
}

/* What may stand before the target of a link. */
static bool
target_begins(const char *s, size_t at)
{
	return at == 0 || strchr(" \t\n(<\"'=`", s[at - 1]) != NULL;
}

static bool
tag_begins(const char *s, size_t n)
{
	size_t end = 1;

	while (end < n && end < NAME && is_name(s[end]))
		end++;
	return IS_ONE_OF(s + 1, end - 1, tags);
}

/* ]: of a definition: [ is the first of its line. */
static bool
is_definition(const char *s, size_t at)
{
	for (size_t back = 1; back <= 100 && back <= at; back++) {
		char c = s[at - back];
		if (c == '[' &&
			(back == at || strchr("\n >", s[at - back - 1])))
			return true;
		if (c == '\n' || c == ']')
			break;
	}
	return false;
}

/* What goes in the place of how many bytes at s[at]; NULL: they stay. */
static const char *
instead(const char *s, size_t n, size_t at, size_t *len)
{
	size_t left = n - at;
	char next = left > 1 ? s[at + 1] : '\0';

	*len = 1;
	switch (s[at]) {
	case ':':
	case '&':
	case '%':
		*len = colon_length(s + at, left);
		if (*len == 0 || !after_scheme(s, at) || *len == left ||
			strchr(" \t\n", s[at + *len]) != NULL)
			return NULL;
		/* nor may it make another link or a definition */
		return strchr("(:", s[at + *len]) ? "[:] " : "[:]";
	case '/':
	case '\\':
		if ((next != '/' && next != '\\') || left < 3 ||
			!is_name(s[at + 2]) || !target_begins(s, at))
			return NULL;
		return s[at] == '/' ? "[/]" : "[\\]";
	case '.':
		if (at < 3 || strncasecmp(s + at - 3, "www", 3) != 0 ||
			(at > 3 && is_name(s[at - 4])) || !is_name(next))
			return NULL;
		return "[.]";
	case ']':
		if (next == '(' || (next == ':' && is_definition(s, at)))
			return "] ";
		return NULL;
	case '<':
		return tag_begins(s + at, left) ? "< " : NULL;
	}
	return NULL;
}

void
wv_inject_inert(struct wv_str *out, const char *s, size_t n)
{
	size_t kept = 0;

	for (size_t at = 0, len; at < n; at++) {
		if (strchr(":&%/\\.]<", s[at]) == NULL || s[at] == '\0')
			continue;
		const char *with = instead(s, n, at, &len);
		if (with == NULL)
			continue;
		wv_str_add(out, s + kept, at - kept);
		wv_str_cat(out, with);
		at += len - 1;
		kept = at + 1;
	}
	wv_str_add(out, s + kept, n - kept);
}
