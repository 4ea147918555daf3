/* SPDX-License-Identifier: Apache-2.0 */
/* What parses as a time prints as one that parses as the same millisecond. */
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int64_t year_1 = INT64_C(-62135596800);
	const int64_t year_10000 = INT64_C(253402300800);
	const char *s = (const char *)data;
	struct wv_time time, again;
	char text[WV_TIME_TEXT];

	(void)wv_time_is_date(s, size);
	(void)wv_time_is_time(s, size);
	if (wv_time_parse(&time, s, size, NULL) < 0)
		return 0;
	wv_time_print(text, time);
	if (wv_time_parse(&again, text, strlen(text), NULL) < 0)
		abort();
	if (time.sec < year_1 || time.sec >= year_10000)
		return 0;
	if (again.sec != time.sec ||
		again.nsec / 1000000 != time.nsec / 1000000)
		abort();
	return 0;
}
