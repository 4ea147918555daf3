/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

enum {
	DAY_S = 24 * 60 * 60,
	NANO_DIGITS = 9,
};
/* 9999-12-31T23:59:59Z; RFC 3339 has no later one, nor one before year 1. */
#define LAST_S INT64_C(253402300799)

/* Days begin at 00:00 UTC. */
static struct wv_time
day(int back)
{
	struct wv_time t = wv_now();
	int64_t into = ((t.sec % DAY_S) + DAY_S) % DAY_S;

	return (struct wv_time){ t.sec - into - (int64_t)back * DAY_S, 0 };
}

static bool
parse_date(struct wv_time *time, const char *s)
{
	char text[WV_TIME_TEXT];

	if (!wv_time_is_date(s, strlen(s)))
		return false;
	snprintf(text, sizeof(text), "%.10sT00:00:00Z", s);
	return wv_time_parse(time, text, strlen(text), NULL) == 0;
}

/* "15m" or "15m ago" */
static bool
parse_ago(struct wv_time *time, const char *s)
{
	char text[32];
	size_t n = strcspn(s, " ");
	int64_t ms;

	if (n >= sizeof(text) || (s[n] != '\0' && strcmp(s + n, " ago") != 0))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (wv_duration_parse(&ms, text, NULL) < 0)
		return false;
	*time = wv_time_add_ms(wv_now(), -ms);
	return true;
}

/* "@1767225600", also with a fraction, finer than which is cut */
static bool
parse_epoch(struct wv_time *time, const char *s)
{
	static const char digits[] = "0123456789";
	int64_t sec = 0;
	int32_t nsec = 0;

	if (*s++ != '@' || strspn(s, digits) == 0)
		return false;
	for (; strchr(digits, *s) != NULL && *s != '\0'; s++) {
		sec = sec * 10 + (*s - '0');
		if (sec > LAST_S)
			return false;
	}
	if (*s == '.') {
		size_t n = strspn(++s, digits);
		for (size_t i = 0; i < NANO_DIGITS; i++)
			nsec = nsec * 10 + (i < n ? s[i] - '0' : 0);
		if (n == 0)
			return false;
		s += n;
	}
	*time = (struct wv_time){ sec, nsec };
	return *s == '\0';
}

struct wv_time
when_read(const struct wv_opts *opts, const char *name, const char *s)
{
	struct wv_time time;

	if (strcmp(s, "today") == 0)
		return day(0);
	if (strcmp(s, "yesterday") == 0)
		return day(1);
	if (parse_date(&time, s) || parse_ago(&time, s) ||
		parse_epoch(&time, s) ||
		wv_time_parse(&time, s, strlen(s), NULL) == 0)
		return time;
	wv_usage(opts,
		"%s: %s is not a time: give RFC 3339 (2026-01-02T03:04:05Z), "
		"a date (2026-01-02), seconds since 1970 (@1767323045), today, "
		"yesterday, or how long ago (15m, 24h, 7d)",
		name, s);
}
