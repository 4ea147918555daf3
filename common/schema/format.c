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

static const struct {
	const char *name;
	wv_format_check *check;
} formats[] = {
	{ "date", wv_time_is_date },
	{ "date-time", wv_format_date_time },
	{ "duration", wv_format_duration },
	{ "email", wv_format_email },
	{ "hostname", wv_format_hostname },
	{ "idn-email", wv_format_idn_email },
	{ "idn-hostname", wv_format_idn_hostname },
	{ "ipv4", wv_format_ipv4 },
	{ "ipv6", wv_format_ipv6 },
	{ "iri", wv_format_iri },
	{ "iri-reference", wv_format_iri_reference },
	{ "json-pointer", wv_format_json_pointer },
	{ "regex", wv_ecma_is_pattern },
	{ "relative-json-pointer", wv_format_relative_json_pointer },
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
