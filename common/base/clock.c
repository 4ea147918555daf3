/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <string.h>
#include <time.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, NSEC = 1000000000 };

/* 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z */
#define FIRST_PRINTED INT64_C(-62135596800)
#define LAST_PRINTED INT64_C(253402300799)

static struct wv_time fixed_time;
static bool is_fixed;

/* What is left of the text. */
struct cursor {
	const char *s, *end;
};

struct parts {
	int year, month, day;
	int hour, minute, second;
	int32_t nsec;
	int offset; /* of local time from UTC, in minutes */
};

static bool
digits(struct cursor *c, int count, int *value)
{
	if (c->end - c->s < count)
		return false;
	for (*value = 0; count > 0; count--, c->s++) {
		if (*c->s < '0' || *c->s > '9')
			return false;
		*value = *value * 10 + (*c->s - '0');
	}
	return true;
}

static bool
literal(struct cursor *c, char ch)
{
	if (c->s == c->end || *c->s != ch)
		return false;
	c->s++;
	return true;
}

static bool
either_case(struct cursor *c, char upper)
{
	return literal(c, upper) || literal(c, (char)(upper - 'A' + 'a'));
}

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int
month_days(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
		31 };

	return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days before the first of March of a year that begins with March, from a
 * first of March: 31 30 31 30 31, 31 30 31 30 31, 31 28. */
static int
days_before(int march_month)
{
	return (153 * march_month + 2) / 5;
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar, year >= 0. */
static int64_t
day_number(int year, int month, int day)
{
	/* Years begin with March, so that the leap day is the last; 4800 more
	 * keep all divisions positive. */
	int64_t y = year + 4800 - (month <= 2);
	int m = (month + 9) % 12;

	return y * 365 + y / 4 - y / 100 + y / 400 + days_before(m) + day - 1 -
		2472632;
}

/* The inverse. */
static void
day_date(int64_t number, int64_t *year, int *month, int *day)
{
	int64_t n = number + 2472632;
	int64_t era = n / 146097; /* 400 years */
	int64_t left = n % 146097;
	/* The last day of a cycle of 100 or 4 years belongs to it, though the
	 * division would begin the next. */
	int64_t y = (left - left / 1460 + left / 36524 - left / 146096) / 365;

	left -= y * 365 + y / 4 - y / 100;
	int m = (int)(5 * left + 2) / 153;
	*day = (int)left - days_before(m) + 1;
	*month = m < 10 ? m + 3 : m - 9;
	*year = era * 400 + y - 4800 + (*month <= 2);
}

static bool
scan_date(struct cursor *c, struct parts *p)
{
	return digits(c, 4, &p->year) && literal(c, '-') &&
		digits(c, 2, &p->month) && literal(c, '-') &&
		digits(c, 2, &p->day) && p->month >= 1 && p->month <= 12 &&
		p->day >= 1 && p->day <= month_days(p->year, p->month);
}

static bool
scan_fraction(struct cursor *c, int32_t *nsec)
{
	int32_t unit = NSEC / 10;
	int digit;

	*nsec = 0;
	if (!digits(c, 1, &digit))
		return false;
	do {
		*nsec += digit * unit;
		unit /= 10;
	} while (c->s < c->end && digits(c, 1, &digit));
	return true;
}

static bool
scan_offset(struct cursor *c, int *offset)
{
	int hour, minute, sign = 1;

	*offset = 0;
	if (either_case(c, 'Z'))
		return true;
	if (literal(c, '-'))
		sign = -1;
	else if (!literal(c, '+'))
		return false;
	if (!digits(c, 2, &hour) || !literal(c, ':') ||
		!digits(c, 2, &minute) || hour > 23 || minute > 59)
		return false;
	*offset = sign * (hour * 60 + minute);
	return true;
}

static bool
scan_time(struct cursor *c, struct parts *p)
{
	p->nsec = 0;
	if (!digits(c, 2, &p->hour) || !literal(c, ':') ||
		!digits(c, 2, &p->minute) || !literal(c, ':') ||
		!digits(c, 2, &p->second) || p->hour > 23 || p->minute > 59 ||
		p->second > 60)
		return false;
	if (literal(c, '.') && !scan_fraction(c, &p->nsec))
		return false;
	return scan_offset(c, &p->offset);
}

/* Of a leap second only the minute of the day can be told without a date. */
static bool
is_last_minute(const struct parts *p)
{
	int minute = (p->hour * 60 + p->minute - p->offset) % (24 * 60);

	return (minute + 24 * 60) % (24 * 60) == 24 * 60 - 1;
}

static bool
is_month_end(int64_t sec)
{
	int64_t year;
	int month, day;

	day_date((sec - (sec % DAY + DAY) % DAY) / DAY, &year, &month, &day);
	return day == month_days(year, month);
}

int
wv_time_parse(struct wv_time *time, const char *s, size_t n, struct wv_err *err)
{
	struct cursor c = { s, s + n };
	struct parts p;

	if (!scan_date(&c, &p) || !either_case(&c, 'T') || !scan_time(&c, &p) ||
		c.s != c.end)
		return wv_err_set(err,
			"not an RFC 3339 time such as 2026-01-02T03:04:05Z");

	int64_t minute = day_number(p.year, p.month, p.day) * DAY +
		p.hour * HOUR + (p.minute - p.offset) * MINUTE;
	if (p.second == 60 && (!is_last_minute(&p) || !is_month_end(minute)))
		return wv_err_set(err,
			"second 60 is a leap second only at the end of the "
			"last day of a month in UTC");
	time->sec = minute + p.second;
	time->nsec = p.nsec;
	return 0;
}

bool
wv_time_is_date(const char *s, size_t n)
{
	struct cursor c = { s, s + n };
	struct parts p;

	return scan_date(&c, &p) && c.s == c.end;
}

bool
wv_time_is_time(const char *s, size_t n)
{
	struct cursor c = { s, s + n };
	struct parts p;

	return scan_time(&c, &p) && c.s == c.end &&
		(p.second < 60 || is_last_minute(&p));
}

int
wv_time_cmp(struct wv_time a, struct wv_time b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return (a.nsec > b.nsec) - (a.nsec < b.nsec);
}

struct wv_time
wv_time_add_ms(struct wv_time t, int64_t ms)
{
	int64_t sec = ms / 1000;
	int64_t nsec = t.nsec + ms % 1000 * (NSEC / 1000);

	if (nsec < 0) {
		sec--;
		nsec += NSEC;
	} else if (nsec >= NSEC) {
		sec++;
		nsec -= NSEC;
	}
	if (__builtin_add_overflow(t.sec, sec, &t.sec))
		return sec < 0 ? (struct wv_time){ INT64_MIN, 0 }
			       : (struct wv_time){ INT64_MAX, NSEC - 1 };
	t.nsec = (int32_t)nsec;
	return t;
}

/* Decimal, zero-padded; returns what comes after it. */
static char *
put(char *text, int64_t value, int width, char after)
{
	for (int i = width - 1; i >= 0; i--, value /= 10)
		text[i] = (char)('0' + value % 10);
	text[width] = after;
	return text + width + 1;
}

void
wv_time_print(char text[WV_TIME_TEXT], struct wv_time t)
{
	int64_t year;
	int month, day;

	if (t.sec < FIRST_PRINTED)
		t = (struct wv_time){ FIRST_PRINTED, 0 };
	else if (t.sec > LAST_PRINTED)
		t = (struct wv_time){ LAST_PRINTED, NSEC - 1 };
	int64_t second = (t.sec % DAY + DAY) % DAY;
	day_date((t.sec - second) / DAY, &year, &month, &day);
	text = put(text, year, 4, '-');
	text = put(text, month, 2, '-');
	text = put(text, day, 2, 'T');
	text = put(text, second / HOUR, 2, ':');
	text = put(text, second / MINUTE % 60, 2, ':');
	text = put(text, second % MINUTE, 2, '.');
	text = put(text, t.nsec / 1000000, 3, 'Z');
	*text = '\0';
}

struct wv_time
wv_now(void)
{
	struct timespec ts;

	if (is_fixed)
		return fixed_time;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (struct wv_time){ ts.tv_sec, (int32_t)ts.tv_nsec };
}

void
wv_time_fix(struct wv_time t)
{
	fixed_time = t;
	is_fixed = true;
}

bool
wv_time_is_fixed(void)
{
	return is_fixed;
}

int64_t
wv_ticks(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t
unit_ms(const char *unit)
{
	static const struct {
		const char *name;
		int64_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 },
		{ "h", 3600000 }, { "d", 86400000 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcmp(unit, units[i].name) == 0)
			return units[i].ms;
	}
	return 0;
}

int
wv_duration_parse(int64_t *ms, const char *s, struct wv_err *err)
{
	const char *unit = s + strspn(s, "0123456789");
	int64_t each = unit_ms(unit), value = 0;

	if (unit == s || each == 0)
		return wv_err_set(err,
			"not a duration such as 250ms, 15s, 10m, 24h or 7d");
	for (; s < unit; s++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, *s - '0', &value))
			return wv_err_set(err, "too long a duration");
	}
	if (__builtin_mul_overflow(value, each, ms))
		return wv_err_set(err, "too long a duration");
	return 0;
}
