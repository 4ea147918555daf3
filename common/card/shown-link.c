/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses.  What has :// is one, whatever stands before it; a known scheme
 * makes one with less.  Without a scheme it takes www., // and a host, dots in
 * brackets, or a host under a known top-level domain that is followed by a
 * path, a port or a query: node.js, e.g. and files.read/write stay.
 */
#include "card/shown-internal.h"

#include <string.h>

enum { SCHEME_MAX = 32, TARGET_MAX = 512 };

/* Programs open these without //. */
static const char *const opening[] = { "http", "https", "hxxp", "hxxps", "htxp",
	"htxps", "h**p", "h**ps", "ftp", "ftps", "sftp", "ws", "wss", NULL };
static const char *const top_domains[] = { "com", "org", "net", "edu", "gov",
	"mil", "int", "info", "biz", "name", "app", "dev", "cloud", "online",
	"site", "web", "xyz", "top", "shop", "store", "tech", "club", "live",
	"life", "link", "click", "zip", "mov", "page", "blog", "news", "run",
	"codes", "tools", "agency", "digital", "systems", "network", "website",
	"space", "world", "pro", "icu", "vip", "cfd", "sbs", "cyou", "buzz",
	"bond", "quest", "monster", "lol", "wtf", "ninja", "guru", "rocks",
	"casino", "bank", "museum", "travel", "xxx", "webcam", "fun", "art",
	"win", "bid", "loan", "ltd", "studio", "company", "solutions",
	"technology", "social", "today", "onion", "example", "test", "invalid",
	"localhost", "local", "internal", "lan", NULL };
/* Two letters that end the names of files more often than hosts. */
static const char *const file_ends[] = { "js", "ts", "md", "py", "sh", "rs",
	"pl", "rb", "cc", "go", "cs", "hs", "kt", "ps", "vb", "so", "gz",
	NULL };

static bool
is_one_of(const char *s, size_t n, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == n && memcmp(*words, s, n) == 0)
			return true;
	return false;
}

static bool
is_letter(char c)
{
	return wv_view_is_name(c) || c == WV_VIEW_OTHER;
}

static bool
ends(char c)
{
	return c == '\0' || wv_view_is_space(c) || strchr("\"<>`", c) != NULL;
}

static size_t
skip_spaces(const char *s, size_t i)
{
	for (size_t n = 0; n < 2 && s[i] == ' '; n++)
		i++;
	return i;
}

/* Where what goes on at i ends.  Parts that spaces keep off belong to it:
 * "evil . example / x". */
static size_t
run_end(const char *s, size_t i)
{
	for (;;) {
		size_t next, end;
		while (!ends(s[i]))
			i++;
		next = skip_spaces(s, i);
		if (next == i ||
			(s[next] != '.' && s[next] != '/' &&
				s[next] != WV_VIEW_DOT))
			break;
		end = skip_spaces(s, next + 1);
		if (end == next + 1 || !is_letter(s[end]))
			break;
		i = end;
	}
	return i;
}

/* Where an address that goes on at i ends: before the punctuation that closes
 * the sentence around it. */
static size_t
address_end(const struct wv_view *view, size_t i)
{
	const char *s = view->s;
	size_t end = run_end(s, i);
	bool opens = memchr(s + i, '(', end - i) != NULL;

	while (end > i && strchr(".,;:!?)]}'*_", s[end - 1]) != NULL &&
		!(opens && s[end - 1] == ')'))
		end--;
	return end;
}

struct host {
	size_t end, labels;
	size_t top;     /* where its last label begins */
	bool is_marked; /* has dots in brackets */
	bool is_number; /* all labels are */
};

static bool
read_host(const char *s, size_t i, struct host *host)
{
	size_t label = i;

	*host = (struct host){ .top = i, .is_number = true };
	for (; is_letter(s[i]) || s[i] == '-' || s[i] == '_' || s[i] == '.' ||
		s[i] == WV_VIEW_DOT;
		i++) {
		if (s[i] != '.' && s[i] != WV_VIEW_DOT) {
			host->is_number &= s[i] >= '0' && s[i] <= '9';
			continue;
		}
		if (i == label)
			break;
		if (!is_letter(s[i + 1]))
			break;
		host->is_marked |= s[i] == WV_VIEW_DOT;
		host->labels++;
		label = i + 1;
		host->top = label;
	}
	host->end = i;
	host->labels += i > label;
	return host->labels > 0;
}

static bool
is_known_top(const char *s, const struct host *host)
{
	size_t n = host->end - host->top;
	bool is_country = n == 2;

	if (host->labels < 2)
		return is_one_of(s + host->top, n,
			(const char *const[]){ "localhost", NULL });
	if (host->is_number)
		return host->labels == 4;
	for (size_t i = host->top; i < host->end; i++)
		is_country &= s[i] >= 'a' && s[i] <= 'z';
	if (strncmp(s + host->top, "xn--", 4) == 0 ||
		s[host->top] == WV_VIEW_OTHER)
		return true;
	return is_country || is_one_of(s + host->top, n, top_domains);
}

/* "node.js/express": a file's ending and a word. */
static bool
is_prose(const char *s, const struct host *host)
{
	size_t i = host->end + 1;

	if (!is_one_of(s + host->top, host->end - host->top, file_ends))
		return false;
	while ((s[i] >= 'a' && s[i] <= 'z') || s[i] == '.')
		i++;
	return ends(s[i]) || (strchr(",;:!?)", s[i]) != NULL && ends(s[i + 1]));
}

/* What follows a host makes it an address. */
static bool
leads_on(const char *s, const struct host *host)
{
	/* "host./path" is the same one */
	size_t end = host->end + (s[host->end] == '.');
	char next = s[end], after = next != '\0' ? s[end + 1] : '\0';
	bool is_file =
		is_one_of(s + host->top, host->end - host->top, file_ends);

	if (!is_known_top(s, host))
		return false;
	if (next == '/')
		return !ends(after) && !is_prose(s, host);
	if (next == ':')
		return after >= '0' && after <= '9' && !is_file;
	return (next == '?' || next == '#') && is_letter(after);
}

/* "git@host:path" */
static bool
is_remote(const char *s, size_t at)
{
	struct host host;

	return s[at] == '@' && read_host(s, at + 1, &host) && host.labels > 1 &&
		s[host.end] == ':' && !ends(s[host.end + 1]);
}

/* A word begins at i: the end of the address that it is, or 0. */
static size_t
bare_host(const struct wv_view *view, size_t i, size_t *past)
{
	const char *s = view->s;
	struct host host;

	if (!read_host(s, i, &host))
		return 0;
	*past = host.end;
	if ((host.is_marked && host.labels > 1) ||
		(host.labels > 1 && strncmp(s + i, "www", 3) == 0 &&
			(s[i + 3] == '.' || s[i + 3] == WV_VIEW_DOT)) ||
		leads_on(s, &host) || is_remote(s, host.end))
		return address_end(view, i);
	return 0;
}

/* data:text/html;base64,... and data:,... */
static bool
is_data(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789/+.;=-");

	return s[n] == ',' &&
		(n == 0 || memchr(s, '/', n) != NULL ||
			memchr(s, ';', n) != NULL);
}

/* The scheme's colon is just before s: with this it opens something. */
static bool
opens(const char *scheme, size_t n, const char *s)
{
	static const char *const any[] = { "javascript", "vbscript", "blob",
		"view-source", "livescript", NULL };
	static const char *const numbers[] = { "tel", "sms", "callto",
		"facetime", NULL };
	struct host host;

	if (is_one_of(scheme, n, opening))
		return s[0] == '/' ||
			(read_host(s, 0, &host) && is_known_top(s, &host));
	if (is_one_of(scheme, n, any))
		return !ends(s[0]);
	if (is_one_of(scheme, n, numbers))
		return s[0] == '+' || (s[0] >= '0' && s[0] <= '9');
	if (n == 4 && memcmp(scheme, "data", n) == 0)
		return is_data(s);
	if (n == 4 && memcmp(scheme, "file", n) == 0)
		return s[0] == '/';
	if (n == 6 && memcmp(scheme, "mailto", n) == 0)
		return is_letter(s[0]);
	return n == 6 && memcmp(scheme, "magnet", n) == 0 && s[0] == '?';
}

/* The address around the colon at i: where it begins; *end, 0: it is none. */
static size_t
around_colon(const struct wv_view *view, size_t i, size_t *end)
{
	const char *s = view->s;
	size_t word_end = i, start, slash = skip_spaces(s, i + 1), second;
	bool is_opening;

	for (size_t n = 0; n < 2 && word_end > 0 && s[word_end - 1] == ' '; n++)
		word_end--;
	start = word_end;
	while (start > 0 && word_end - start < SCHEME_MAX &&
		(wv_view_is_name(s[start - 1]) ||
			strchr("+.-*", s[start - 1]) != NULL))
		start--;
	is_opening = is_one_of(s + start, word_end - start, opening);
	second = s[slash] == '/' ? skip_spaces(s, slash + 1) : slash;
	*end = 0;
	if (second > slash && s[second] == '/' &&
		(is_opening || second == i + 2))
		*end = address_end(view, skip_spaces(s, second + 1));
	else if (word_end == i && opens(s + start, i - start, s + i + 1))
		*end = address_end(view, i + 1);
	return is_opening || word_end == i ? start : i;
}

/* The end of //host/path at i, or 0. */
static size_t
after_slashes(const struct wv_view *view, size_t i)
{
	const char *s = view->s;
	struct host host;

	if (s[i + 1] != '/' || !is_letter(s[i + 2]) ||
		!read_host(s, i + 2, &host))
		return 0;
	if (host.labels > 1 || s[host.end] == '/' || s[host.end] == ':')
		return address_end(view, i);
	return 0;
}

/* The end of the target of [text](target) whose "(" is at i, or 0. */
static size_t
target_end(const char *s, size_t i)
{
	size_t depth = 0;
	bool leads = false;

	for (size_t n = 0; n < TARGET_MAX && s[i] != '\0'; n++, i++) {
		depth += s[i] == '(';
		leads |= strchr("/:.#?&", s[i]) != NULL;
		if (s[i] == ')' && --depth == 0)
			return leads ? i + 1 : 0;
	}
	return 0;
}

/* Of [text](target) the text stays. */
static void
hide_markdown(struct wv_view *view)
{
	const char *s = view->s;
	size_t open = SIZE_MAX, end;

	for (size_t i = 0; i < view->n; i++) {
		if (s[i] == '[')
			open = i;
		if (s[i] != ']' || s[i + 1] != '(')
			continue;
		end = target_end(s, i + 1);
		if (end == 0)
			continue;
		if (open != SIZE_MAX) {
			bool is_image = open > 0 && s[open - 1] == '!';
			wv_view_hide(view, open - is_image, open + 1);
		}
		wv_view_hide(view, i, end);
		open = SIZE_MAX;
		i = end - 1;
	}
}

void
wv_view_hide_links(struct wv_view *view)
{
	const char *s = view->s;
	size_t past = 0; /* no host begins before */

	hide_markdown(view);
	for (size_t i = 0; i < view->n; i++) {
		size_t start = i, end = 0;
		if (s[i] == ':')
			start = around_colon(view, i, &end);
		else if (s[i] == '/' && (i == 0 || !wv_view_is_name(s[i - 1])))
			end = after_slashes(view, i);
		else if (i >= past && is_letter(s[i]) &&
			(i == 0 ||
				(!is_letter(s[i - 1]) &&
					strchr("-_/.", s[i - 1]) == NULL)))
			end = bare_host(view, i, &past);
		if (end <= i)
			continue;
		wv_view_hide(view, start, end);
		i = end - 1;
	}
}
