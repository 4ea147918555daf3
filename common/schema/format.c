/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format-internal.h"

#include "schema/ecma.h"

#include "base/clock.h"

#include <string.h>

static bool
is_uuid(const char *s, size_t n)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (n != sizeof shape - 1)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (shape[i] == '-' ? s[i] != '-' : !wv_format_is_hex(s[i]))
			return false;
	}
	return true;
}

/* RFC 6901 section 5 */
static bool
is_json_pointer(const char *s, size_t n)
{
	const char *end = s + n;

	if (n > 0 && *s != '/')
		return false;
	while (s < end && (s = memchr(s, '~', (size_t)(end - s))) != NULL) {
		if (end - s < 2 || (s[1] != '0' && s[1] != '1'))
			return false;
		s += 2;
	}
	return true;
}

/* Its draft, version 1 */
static bool
is_relative_json_pointer(const char *s, size_t n)
{
	size_t digits = 0;

	while (digits < n && wv_format_is_digit(s[digits]))
		digits++;
	if (digits == 0 || (s[0] == '0' && digits > 1))
		return false;
	if (n - digits == 1 && s[digits] == '#')
		return true;
	return is_json_pointer(s + digits, n - digits);
}

/* RFC 3339 */
static bool
is_date_time(const char *s, size_t n)
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

/* RFC 3339 appendix A */
static bool
is_duration(const char *s, size_t n)
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

static const struct {
	const char *name;
	wv_format_check *check;
} formats[] = {
	{ "date", wv_time_is_date },
	{ "date-time", is_date_time },
	{ "duration", is_duration },
	{ "email", wv_format_email },
	{ "hostname", wv_format_hostname },
	{ "idn-email", wv_format_idn_email },
	{ "idn-hostname", wv_format_idn_hostname },
	{ "ipv4", wv_format_ipv4 },
	{ "ipv6", wv_format_ipv6 },
	{ "iri", wv_format_iri },
	{ "iri-reference", wv_format_iri_reference },
	{ "json-pointer", is_json_pointer },
	{ "regex", wv_ecma_is_pattern },
	{ "relative-json-pointer", is_relative_json_pointer },
	{ "time", wv_time_is_time },
	{ "uri", wv_format_uri },
	{ "uri-reference", wv_format_uri_reference },
	{ "uri-template", wv_format_uri_template },
	{ "uuid", is_uuid },
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

wv_format_check *
wv_format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (strcmp(formats[i].name, name) == 0)
			return formats[i].check;
	}
	return NULL;
}

const char *const *
wv_format_names(void)
{
	static const char *names[FORMAT_COUNT + 1];

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		names[i] = formats[i].name;
	return names;
}
