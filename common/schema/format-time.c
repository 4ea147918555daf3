/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include "base/clock.h"

bool
wv_format_date_time(const char *s, size_t n)
{
	struct wv_time time;

	return wv_time_parse(&time, s, n, NULL) == 0;
}

/* Numbers with these units one after the other: none is left out in between,
 * but any may be the first or the last. Returns what follows; s: nothing. */
static const char *
elements(const char *s, const char *end, const char *units)
{
	const char *unit = NULL;

	for (;;) {
		const char *start = s;
		while (s < end && wv_format_is_digit(*s))
			s++;
		if (s == start || s == end)
			return start;
		if (unit == NULL) {
			for (unit = units; *unit != '\0' && *unit != *s; unit++)
				;
		}
		if (*unit == '\0' || *unit != *s)
			return start;
		unit++;
		s++;
	}
}

bool
wv_format_duration(const char *s, size_t n)
{
	const char *end = s + n, *date, *time;

	if (n == 0 || *s++ != 'P')
		return false;
	date = elements(s, end, "W");
	if (date != s)
		return date == end;
	date = elements(s, end, "YMD");
	if (date == end)
		return date != s;
	if (*date++ != 'T')
		return false;
	time = elements(date, end, "HMS");
	return time == end && time != date;
}
