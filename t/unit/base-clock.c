/* SPDX-License-Identifier: Apache-2.0 */
/* RFC 3339 and durations. */
#include "tap.h"

#include "base/clock.h"

static void
parses(const char *text, int64_t sec, int32_t nsec)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_time t = { 0, 0 };
	int status = wv_time_parse(&t, text, strlen(text), &err);

	if (!ok(status == 0 && t.sec == sec && t.nsec == nsec, "%s", text))
		printf("# got %d, %lld.%09d %s\n", status, (long long)t.sec,
			(int)t.nsec, err.text);
}

static void
refuses(const char *text)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_time t;

	ok(wv_time_parse(&t, text, strlen(text), &err) == -1 &&
			wv_err_is_set(&err),
		"not '%s'", text);
}

static void
test_parse(void)
{
	parses("1970-01-01T00:00:00Z", 0, 0);
	parses("1969-12-31T23:59:59.5Z", -1, 500000000);
	parses("2001-09-09T01:46:40Z", 1000000000, 0);
	parses("2038-01-19T03:14:08Z", INT64_C(2147483648), 0);
	parses("0000-01-01T00:00:00Z", INT64_C(-62167219200), 0);
	parses("0001-01-01T00:00:00Z", INT64_C(-62135596800), 0);
	parses("9999-12-31T23:59:59Z", INT64_C(253402300799), 0);
	parses("2000-02-29t12:00:00z", 951825600, 0);
	parses("2024-02-29T00:00:00+00:00", 1709164800, 0);
	parses("1990-12-31T15:59:50.123-08:00", 662687990, 123000000);
	parses("1970-01-01T23:59:00+23:59", 0, 0);
	parses("1969-12-31T00:01:00-23:59", 0, 0);
	parses("1970-01-01T00:00:00-00:00", 0, 0);
	parses("1970-01-01T00:00:00.1234567899999Z", 0, 123456789);
	parses("1998-12-31T23:59:60Z", 915148800, 0);
	parses("1998-12-31T15:59:60.25-08:00", 915148800, 250000000);
	parses("2015-06-30T23:59:60Z", 1435708800, 0);
	parses("1999-01-01T05:29:60+05:30", 915148800, 0);

	refuses("");
	refuses("1998-12-30T23:59:60Z"); /* not the last day of a month */
	refuses("1998-12-31T23:58:60Z");
	refuses("1998-12-31T22:59:60Z");
	refuses("1998-12-31T23:59:60-01:00");
	refuses("1998-12-31T23:59:61Z");
	refuses("1999-02-29T00:00:00Z");
	refuses("1900-02-29T00:00:00Z");
	refuses("1999-04-31T00:00:00Z");
	refuses("1999-00-01T00:00:00Z");
	refuses("1999-13-01T00:00:00Z");
	refuses("1999-01-00T00:00:00Z");
	refuses("1999-01-01T24:00:00Z");
	refuses("1999-01-01T00:60:00Z");
	refuses("1999-01-01T00:00:00");
	refuses("1999-01-01T00:00Z");
	refuses("1999-01-01T00:00:00.Z");
	refuses("1999-01-01T00:00:00,5Z");
	refuses("1999-01-01T00:00:00+24:00");
	refuses("1999-01-01T00:00:00+00:60");
	refuses("1999-01-01T00:00:00+0000");
	refuses("1999-01-01T00:00:00+00");
	refuses("1999-01-01 00:00:00Z");
	refuses("1999-1-1T00:00:00Z");
	refuses("99-01-01T00:00:00Z");
	refuses("+1999-01-01T00:00:00Z");
	refuses("1999-01-01T00:00:00Zx");
	refuses(" 1999-01-01T00:00:00Z");
	refuses("1999-01-01");
	refuses("1963-06-1\xe0\xa7\xaaT00:00:00Z"); /* a Bengali digit */

	struct wv_time t;
	ok(wv_time_parse(&t, "1999-01-01T00:00:00Z\0", 21, NULL) == -1,
		"not a NUL after it");
}

static void
test_parts(void)
{
	ok(wv_time_is_date("2020-02-29", 10), "a date");
	ok(!wv_time_is_date("2021-02-29", 10), "no date");
	ok(!wv_time_is_date("2020-02-29T", 11), "more than a date");
	ok(wv_time_is_time("08:30:06.283185Z", 16), "a time");
	ok(wv_time_is_time("01:29:60+01:30", 14), "a leap second");
	ok(!wv_time_is_time("23:59:60+01:00", 14), "no leap second in UTC");
	ok(!wv_time_is_time("12:00:00", 8), "no offset");
}

static void
prints(int64_t sec, int32_t nsec, const char *want)
{
	char text[WV_TIME_TEXT];

	wv_time_print(text, (struct wv_time){ sec, nsec });
	is(text, want, "prints %s", want);
}

static void
test_print(void)
{
	prints(0, 0, "1970-01-01T00:00:00.000Z");
	prints(-1, 999999999, "1969-12-31T23:59:59.999Z");
	prints(951782400, 5000000, "2000-02-29T00:00:00.005Z");
	prints(INT64_MIN, 0, "0001-01-01T00:00:00.000Z");
	prints(INT64_C(-62135596801), 5, "0001-01-01T00:00:00.000Z");
	prints(INT64_MAX, 0, "9999-12-31T23:59:59.999Z");
	prints(INT64_C(253402300799), 1000000, "9999-12-31T23:59:59.001Z");
}

/* Every day from 0001 to 9999, against a calendar that counts. */
static void
test_every_day(void)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };
	int64_t sec = INT64_C(-62135596800);
	int wrong = 0;

	for (int y = 1; y <= 9999; y++) {
		bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
		for (int m = 1; m <= 12; m++) {
			int last = days[m - 1] + (m == 2 && leap);
			for (int d = 1; d <= last; d++, sec += 86400) {
				char want[40], text[WV_TIME_TEXT];
				struct wv_time t = { sec, 0 };
				snprintf(want, sizeof want,
					"%04d-%02d-%02dT00:00:00.000Z", y, m,
					d);
				wv_time_print(text, t);
				wrong += strcmp(text, want) != 0;
				wv_time_parse(&t, want, strlen(want), NULL);
				wrong += t.sec != sec;
			}
		}
	}
	ok(wrong == 0, "every day of the calendar");
}

static void
adds(int64_t sec, int32_t nsec, int64_t ms, int64_t want, int32_t want_nsec)
{
	struct wv_time t = wv_time_add_ms((struct wv_time){ sec, nsec }, ms);

	ok(t.sec == want && t.nsec == want_nsec, "%lld.%09d + %lld ms",
		(long long)sec, (int)nsec, (long long)ms);
}

static void
test_arithmetic(void)
{
	struct wv_time a = { 1, 5 }, b = { 1, 6 }, c = { 2, 0 };

	ok(wv_time_cmp(a, a) == 0 && wv_time_cmp(a, b) < 0 &&
			wv_time_cmp(b, a) > 0 && wv_time_cmp(b, c) < 0 &&
			wv_time_cmp(c, a) > 0,
		"compared");
	adds(1, 0, 1, 1, 1000000);
	adds(1, 999000000, 1, 2, 0);
	adds(0, 0, -1, -1, 999000000);
	adds(0, 1, -2001, -3, 999000001);
	adds(0, 999999, -1, -1, 999999999);
	adds(INT64_MAX, 0, 2000, INT64_MAX, 999999999);
	adds(INT64_MAX, 999999999, 1, INT64_MAX, 999999999);
	adds(INT64_MIN, 0, -1, INT64_MIN, 0);
	adds(0, 0, INT64_MIN, INT64_MIN / 1000 - 1, 192000000);
}

static void
lasts(const char *text, int64_t want)
{
	struct wv_err err = WV_ERR_INIT;
	int64_t ms = -1;

	ok((wv_duration_parse(&ms, text, &err) == 0 ? ms : -1) == want,
		"duration '%s'", text);
	ok(wv_err_is_set(&err) == (want < 0), "and its error");
}

static void
test_durations(void)
{
	lasts("250ms", 250);
	lasts("15s", 15000);
	lasts("10m", 600000);
	lasts("24h", 86400000);
	lasts("7d", 604800000);
	lasts("0s", 0);
	lasts("9223372036854775807ms", INT64_MAX);
	lasts("", -1);
	lasts("15", -1);
	lasts("s", -1);
	lasts("1.5s", -1);
	lasts("-1s", -1);
	lasts("+1s", -1);
	lasts(" 1s", -1);
	lasts("1 s", -1);
	lasts("1S", -1);
	lasts("1w", -1);
	lasts("9223372036854775808ms", -1);
	lasts("9223372036854775807s", -1);
	lasts("99999999999999999999999d", -1);
}

static void
test_now(void)
{
	struct wv_time now = wv_now();
	int64_t ticks = wv_ticks();

	ok(!wv_time_is_fixed() && now.sec > 1700000000, "the clock");
	wv_time_fix((struct wv_time){ 5, 6 });
	now = wv_now();
	ok(wv_time_is_fixed() && now.sec == 5 && now.nsec == 6, "fixed");
	ok(wv_ticks() >= ticks && ticks > 0, "ticks go on");
}

int
main(void)
{
	test_parse();
	test_parts();
	test_print();
	test_every_day();
	test_arithmetic();
	test_durations();
	test_now();
	return done();
}
