/* SPDX-License-Identifier: Apache-2.0 */
/* TAP for the C unit tests: ok() lines, then done() as main's result. */
#ifndef WV_TAP_H
#define WV_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 4, 5))) static bool
tap_ok(bool good, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!good) {
		tap_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	fflush(stdout);
	return good;
}

#define ok(good, ...) tap_ok((good), __FILE__, __LINE__, __VA_ARGS__)

/* Compares two C strings and shows both when they differ. */
#define is(got, want, ...) \
	do { \
		const char *g_ = (got), *w_ = (want); \
		bool same_ = g_ && w_ ? strcmp(g_, w_) == 0 : g_ == w_; \
		if (!ok(same_, __VA_ARGS__)) \
			printf("# got:  %s\n# want: %s\n", g_ ? g_ : "NULL", \
				w_ ? w_ : "NULL"); \
	} while (0)

static inline int
done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
