/* SPDX-License-Identifier: Apache-2.0 */
#include "firewall/normal-internal.h"

#include <string.h>

enum { BRACES = 60 }; /* {the conversation so far} in a URL */

/* What ends a URL; brackets may stand in one. */
static const bool no_url[256] = { [0 ... ' '] = true,
	[0x7f] = true,
	['"'] = true,
	['\''] = true,
	['`'] = true,
	['>'] = true,
	[')'] = true,
	[']'] = true,
	['{'] = true,
	['['] = true,
	['<'] = true };

/* Where what a bracket within a URL holds ends, or at. */
static size_t
braces_end(const struct wv_normal *p, size_t at)
{
	static const char open[] = "{[<", close[] = "}]>";
	const char *which = strchr(open, p->s[at]);

	for (size_t end = at + 1; end < p->n && end - at < BRACES; end++) {
		unsigned char c = p->s[end];
		if (c == (unsigned char)close[which - open])
			return end + 1;
		if (c == '\n' || c == '"' || strchr("{[<", c) != NULL)
			break;
	}
	return at;
}

static bool
is_trimmed(unsigned char c)
{
	return c == '.' || c == ',' || c == ';' || c == ':' || c == '!' ||
		c == '?';
}

static bool
is_open(unsigned char c)
{
	return c == '{' || c == '[' || c == '<';
}

size_t
wv_url_end(struct wv_normal *p, size_t from)
{
	size_t at = from;

	for (;;) {
		while (at < p->n && !no_url[p->s[at]])
			at++;
		if (at == p->n || !is_open(p->s[at]))
			break;
		size_t end = braces_end(p, at);
		p->steps += BRACES / 8;
		if (end == at)
			break;
		at = end;
	}
	p->steps += (at - from) / 8;
	while (at > from && is_trimmed(p->s[at - 1]))
		at--;
	return at;
}

/* An image may begin where its URL at at still belongs to it. */
static bool
is_image(const struct wv_normal *p, size_t at)
{
	size_t least = at > WV_IMAGE_SPAN + WV_PLACE_NAME
		? at - WV_IMAGE_SPAN - WV_PLACE_NAME
		: 0;

	for (int i = 0; i < 2; i++) {
		const unsigned char *end = p->s + at;
		while ((end = memrchr(p->s + least, "!<"[i],
				(size_t)(end - p->s) - least)) != NULL)
			if (i == 0 ? end[1] == '[' : (end[1] | 0x20) == 'i')
				return true;
	}
	return false;
}

enum wv_shape
wv_url_shape(struct wv_normal *p, size_t at, size_t *url)
{
	enum { LONGEST = 2048 };
	size_t first = at + 3, end = first, mark = 0;
	size_t last = p->n - end > LONGEST ? end + LONGEST : p->n;

	if (first > p->long_url && first + LONGEST < p->long_end) {
		*url = p->long_end;
		return WV_SHAPE_LINK;
	}
	/* only behind one of these is there anything of interest */
	for (; end < last && !no_url[p->s[end]]; end++)
		if (p->s[end] == '=')
			mark = first;
		else if (p->s[end] == '%' && mark == 0)
			mark = end;
	p->steps += (end - first) / 8;
	/* Others may begin within it, each of which is read; what is so long
	 * carries something. */
	if (end < p->n && end == last && !no_url[p->s[end]])
		return WV_SHAPE_LINK;
	if (end < p->n && is_open(p->s[end])) {
		mark = first;
		end = *url = wv_url_end(p, first);
		if (end - first > LONGEST) {
			p->long_url = first;
			p->long_end = end;
			return WV_SHAPE_LINK;
		}
	}
	if (mark == 0)
		return WV_SHAPE_PLACE;
	while (end > first && is_trimmed(p->s[end - 1]))
		end--;
	if (mark >= end || !wv_url_carries(p->s + mark, end - mark, true))
		return WV_SHAPE_PLACE;
	if (wv_url_carries(p->s + mark, end - mark, false))
		return WV_SHAPE_LINK;
	return is_image(p, at) ? WV_SHAPE_IMAGE : WV_SHAPE_PLACE;
}
