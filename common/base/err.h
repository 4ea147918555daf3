/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors of library code.
 *
 * A function that can fail takes a struct wv_err *, fills it and returns -1
 * (or NULL).  Library code never prints and never exits; the one exception
 * is memory that cannot be had (mem.h).  The first error wins: a filled
 * error is left alone, so an inner cause is never hidden by an outer one.
 * A NULL error is allowed everywhere.
 */
#ifndef WV_BASE_ERR_H
#define WV_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

enum { WV_ERR_TEXT = 768 };

struct wv_err {
	const char *source;     /* file or stream; NULL = none; not owned */
	size_t line;            /* from 1; 0 = unknown */
	size_t column;          /* in bytes, from 1; 0 = unknown */
	char text[WV_ERR_TEXT]; /* "" = none; cut at a character if too long */
};

/* clang-format off */
#define WV_ERR_INIT { NULL, 0, 0, "" }
/* clang-format on */

/* All return -1, so that `return wv_err_set(err, …)` works. */
int wv_err_set(struct wv_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int wv_err_at(struct wv_err *err, const char *source, size_t line,
	size_t column, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Appends ": " and the text of errno. */
int wv_err_sys(struct wv_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

bool wv_err_is_set(const struct wv_err *err);
void wv_err_clear(struct wv_err *err);

#endif
