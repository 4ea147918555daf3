/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exact decimal arithmetic on the numbers of a tree.  A number is its text;
 * an exponent is never expanded, so 1e400 costs what 1 costs.  All arguments
 * are number nodes.
 */
#ifndef WV_JSON_NUM_H
#define WV_JSON_NUM_H

#include "json/json.h"

/* <0, 0, >0 by value: 1.0 equals 1, -0 equals 0. */
int wv_num_cmp(const cJSON *a, const cJSON *b);
/* An integer by value: 1.0 and 1e2 are. */
bool wv_num_is_integer(const cJSON *n);
/* a is a whole multiple of b; b is not 0. */
bool wv_num_multiple_of(const cJSON *a, const cJSON *b);
/* False if the value is no integer or does not fit. */
bool wv_num_int64(const cJSON *n, int64_t *value);
/* The nearest double (±infinity past its range); for sizes and scores only. */
double wv_num_double(const cJSON *n);

/*
 * The number form of RFC 8785 (ECMAScript's), applied to the exact decimal
 * value: for a number that is exactly its double this is its JCS form, and
 * no two values share one.
 */
void wv_num_canonical(struct wv_str *out, const cJSON *n);
/* The value is exactly what its nearest double prints as in JCS. */
bool wv_num_is_double(const cJSON *n);

#endif
