/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/uri.h"

#include <string.h>

struct part {
	const char *s; /* NULL: there is none */
	size_t n;
};

struct uri {
	struct part scheme, authority, path, query, fragment;
};

static bool
is_alpha(char c)
{
	c |= 0x20;
	return c >= 'a' && c <= 'z';
}

/* Of the scheme at the beginning, 0 if there is none. */
static size_t
scheme_length(const char *s)
{
	static const char others[] = "0123456789+-.";
	size_t n = 0;

	if (!is_alpha(s[0]))
		return 0;
	while (is_alpha(s[n]) || (s[n] != '\0' && strchr(others, s[n])))
		n++;
	return s[n] == ':' ? n : 0;
}

static const char *
take(struct part *part, const char *s, const char *end_chars)
{
	part->s = s;
	part->n = strcspn(s, end_chars);
	return s + part->n;
}

/* As the expression of RFC 3986 appendix B does. */
static struct uri
split(const char *s)
{
	struct uri uri = { 0 };
	size_t n = scheme_length(s);

	if (n > 0) {
		uri.scheme = (struct part){ s, n };
		s += n + 1;
	}
	if (s[0] == '/' && s[1] == '/')
		s = take(&uri.authority, s + 2, "/?#");
	s = take(&uri.path, s, "?#");
	if (*s == '?')
		s = take(&uri.query, s + 1, "#");
	if (*s == '#')
		take(&uri.fragment, s + 1, "");
	return uri;
}

static bool
is_segment(const struct part *path, size_t at, const char *name)
{
	size_t n = strlen(name);

	return path->n - at >= n && memcmp(path->s + at, name, n) == 0 &&
		(path->n - at == n || path->s[at + n] == '/');
}

/* Appends path without "." and "..", which never climb above where out begins
 * now (section 5.2.4). */
static void
add_path(struct wv_str *out, const struct part *path)
{
	size_t base = out->n, at = 0;

	while (at < path->n) {
		bool slash = path->s[at] == '/';
		if (is_segment(path, at + slash, "..")) {
			while (out->n > base && out->s[--out->n] != '/')
				continue;
			at += slash + 2;
		} else if (is_segment(path, at + slash, ".")) {
			at += slash + 1;
		} else {
			const char *next = memchr(path->s + at + slash, '/',
				path->n - at - slash);
			size_t end = next ? (size_t)(next - path->s) : path->n;
			wv_str_add(out, path->s + at, end - at);
			at = end;
			continue;
		}
		/* What they stood for is a folder. */
		if (slash && at == path->n)
			wv_str_chr(out, '/');
		else if (!slash && at < path->n)
			at++;
	}
}

static void
add_merged(struct wv_str *out, const struct uri *base, const struct part *path)
{
	struct wv_str merged = { 0 };
	size_t n = base->path.n;

	while (n > 0 && base->path.s[n - 1] != '/')
		n--;
	if (n == 0 && base->authority.s != NULL && base->path.n == 0)
		wv_str_chr(&merged, '/');
	wv_str_add(&merged, base->path.s, n);
	wv_str_add(&merged, path->s, path->n);
	add_path(out, &(struct part){ merged.s, merged.n });
	wv_str_free(&merged);
}

static void
add_part(struct wv_str *out, const char *before, const struct part *part,
	const char *after)
{
	if (part->s == NULL)
		return;
	wv_str_cat(out, before);
	wv_str_add(out, part->s, part->n);
	wv_str_cat(out, after);
}

void
wv_uri_resolve(struct wv_str *out, const char *base_text, const char *ref_text)
{
	struct uri ref = split(ref_text), base = split(base_text ?: "");
	bool own_place = ref.scheme.s != NULL || ref.authority.s != NULL;
	bool own_path = own_place || ref.path.n > 0;

	wv_str_cat(out, "");
	add_part(out, "", ref.scheme.s ? &ref.scheme : &base.scheme, ":");
	add_part(out, "//", own_place ? &ref.authority : &base.authority, "");
	if (!own_path)
		wv_str_add(out, base.path.s, base.path.n);
	else if (own_place || ref.path.s[0] == '/')
		add_path(out, &ref.path);
	else
		add_merged(out, &base, &ref.path);
	add_part(out, "?",
		own_path || ref.query.s != NULL ? &ref.query : &base.query, "");
	add_part(out, "#", &ref.fragment, "");
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
wv_uri_decode(struct wv_str *out, const char *s)
{
	wv_str_cat(out, "");
	for (; *s != '\0'; s++) {
		if (*s != '%') {
			wv_str_chr(out, *s);
			continue;
		}
		int high = hex(s[1]), low = high < 0 ? -1 : hex(s[2]);
		if (low < 0 || high * 16 + low == 0)
			return false;
		wv_str_chr(out, (char)(high * 16 + low));
		s += 2;
	}
	return true;
}
