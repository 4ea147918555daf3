/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of JSON Schema, on the real bytes of a string. */
#ifndef WV_SCHEMA_FORMAT_H
#define WV_SCHEMA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

typedef bool wv_format_check(const char *s, size_t n);

/* NULL if there is no such format (then it is an annotation). */
wv_format_check *wv_format_find(const char *name);

#endif
