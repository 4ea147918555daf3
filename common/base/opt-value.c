/* SPDX-License-Identifier: Apache-2.0 */
/* The values of options. */
#include "base/opt.h"

#include "base/clock.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Callers may give the name with its dashes or without. */
static const char *
dashes(const char *option)
{
	return option[0] == '-' ? "" : "--";
}

void
wv_opt_mode(const struct wv_opts *opts, const char **option, bool is_another)
{
	if (*option != NULL && is_another)
		wv_usage(opts, "--%s and --%s are two things to do", *option,
			opts->name);
	*option = opts->name;
}

int
wv_opt_choice(const struct wv_opts *opts, const char *option, const char *value,
	const char *const *list)
{
	for (int i = 0; list[i]; i++) {
		if (strcmp(value, list[i]) == 0)
			return i;
	}

	struct wv_str valid = { 0 };
	for (int i = 0; list[i]; i++)
		wv_str_fmt(&valid, "%s%s", i ? ", " : "", list[i]);
	const char *near = wv_nearest(value, list);
	wv_usage(opts, "option '%s%s': '%s' is none of %s%s%s%s",
		dashes(option), option, value, valid.s,
		near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
}

/* A sign and decimal digits, nothing else. */
static bool
whole_number(const char *s, int64_t *n)
{
	const char *first = s + (*s == '-');
	char *end;

	if (*first < '0' || *first > '9')
		return false;
	errno = 0;
	long long value = strtoll(s, &end, 10);
	if (*end || errno)
		return false;
	*n = value;
	return true;
}

int64_t
wv_opt_int(const struct wv_opts *opts, const char *option, const char *value,
	int64_t min, int64_t max)
{
	int64_t n;

	if (whole_number(value, &n) && n >= min && n <= max)
		return n;
	if (max == INT64_MAX)
		wv_usage(opts,
			"option '%s%s': '%s' is not a whole number from "
			"%" PRId64,
			dashes(option), option, value, min);
	wv_usage(opts,
		"option '%s%s': '%s' is not a whole number from %" PRId64
		" to %" PRId64,
		dashes(option), option, value, min, max);
}

int64_t
wv_opt_duration(
	const struct wv_opts *opts, const char *option, const char *value)
{
	struct wv_err err = WV_ERR_INIT;
	int64_t ms;

	if (wv_duration_parse(&ms, value, &err) < 0)
		wv_usage(opts, "option '%s%s': '%s' is %s", dashes(option),
			option, value, err.text);
	return ms;
}

int64_t
wv_opt_size(const struct wv_opts *opts, const char *option, const char *value)
{
	static const char units[] = "KMG";
	size_t n = strspn(value, "0123456789");
	const char *unit = value[n] ? strchr(units, value[n]) : NULL;
	int64_t size = 0;

	if (n == 0 || (value[n] && (!unit || value[n + 1])))
		wv_usage(opts,
			"option '%s%s': '%s' is not a size such as 65536, "
			"64K, 16M or 1G",
			dashes(option), option, value);
	errno = 0;
	size = strtoll(value, NULL, 10);
	int shift = unit ? 10 * (int)(unit - units + 1) : 0;
	if (size == 0)
		wv_usage(opts, "option '%s%s': a size is at least 1",
			dashes(option), option);
	if (errno || size > INT64_MAX >> shift)
		wv_usage(opts, "option '%s%s': '%s' is too large a size",
			dashes(option), option, value);
	return size << shift;
}

void
wv_opt_now(const struct wv_opts *opts)
{
	struct wv_err err = WV_ERR_INIT;
	struct wv_time now;

	if (wv_time_parse(&now, opts->value, strlen(opts->value), &err) < 0)
		wv_usage(opts, "option '--now': %s", err.text);
	wv_time_fix(now);
}
