/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/format.h"

#include "base/clock.h"

#include <string.h>

static bool
is_date_time(const char *s, size_t n)
{
	struct wv_time time;

	return wv_time_parse(&time, s, n, NULL) == 0;
}

static const struct {
	const char *name;
	wv_format_check *check;
} formats[] = {
	{ "date-time", is_date_time },
	{ "date", wv_time_is_date },
	{ "time", wv_time_is_time },
};

wv_format_check *
wv_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (strcmp(formats[i].name, name) == 0)
			return formats[i].check;
	}
	return NULL;
}
