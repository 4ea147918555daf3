/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizer of IP addresses, which are off unless they are asked for. */
#include "firewall/scan-internal.h"

#include <arpa/inet.h>
#include <string.h>

static size_t
run_of(struct wv_text *t, size_t at, const char *set, size_t max)
{
	size_t end = at;

	while (end - at < max) {
		int c = wv_byte(t, end);
		if (c <= 0 || strchr(set, c) == NULL)
			break;
		end++;
	}
	return end;
}

static bool
is_address(int family, const char *s, size_t n)
{
	unsigned char parsed[16];
	char text[48];

	if (n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	return inet_pton(family, text, parsed) == 1;
}

bool
wv_address(struct wv_text *t, size_t at, const struct wv_rule *rule,
	struct wv_hit *hit)
{
	static const char hex[] = "0123456789abcdefABCDEF:.";
	enum { LONGEST = 45 };
	bool is_six = t->s[at] == ':';
	size_t start = at;

	(void)rule;
	/* From the first colon on: two hexadecimal groups of colons. */
	while (is_six && start > t->from && at - start <= 4 &&
		strchr(hex, t->s[start - 1]) != NULL)
		start--;
	if (start < t->low)
		t->low = start;
	if (start > t->from &&
		(wv_is_class(t->s[start - 1], WV_DOTTED) ||
			t->s[start - 1] == ':'))
		return false;
	size_t end =
		run_of(t, start, is_six ? hex : "0123456789.", LONGEST + 1);
	while (end > start &&
		(t->s[end - 1] == '.' ||
			(t->s[end - 1] == ':' && end - start > 2 &&
				t->s[end - 2] != ':')))
		end--;
	if (end - start < 7 && !is_six)
		return false;
	if (wv_is_at(t, end, WV_ALNUM) || (is_six && end - start < 4) ||
		!is_address(
			is_six ? AF_INET6 : AF_INET, t->s + start, end - start))
		return false;
	*hit = (struct wv_hit){ start, end, "ip-address" };
	return true;
}
