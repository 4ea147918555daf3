/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The formats of JSON Schema, all that its drafts 4 to 2020-12 name, on the
 * real bytes of a string (UTF-8; a NUL is a byte like others), in linear time
 * and, regex and idn- aside, without a stack or heap of note:
 *   date-time date time duration       RFC 3339; a leap second as base/clock.h
 *   email idn-email                    RFC 5321 and RFC 6531, with the limits
 *                                      of 64 and 254 octets
 *   hostname idn-hostname              RFC 1123, RFC 5890 to 5893; A-labels
 *                                      are decoded and checked
 *   ipv4 ipv6                          RFC 2673, RFC 4291
 *   uri uri-reference                  RFC 3986
 *   iri iri-reference                  RFC 3987
 *   uuid                               RFC 9562, any version and variant
 *   uri-template                       RFC 6570
 *   json-pointer relative-json-pointer RFC 6901 and its companion draft
 *   regex                              as ecma.h
 */
#ifndef WV_SCHEMA_FORMAT_H
#define WV_SCHEMA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

typedef bool wv_format_check(const char *s, size_t n);

/* NULL if there is no such format (then it is an annotation). */
wv_format_check *wv_format_find(const char *name);
/* NULL-terminated, for messages. */
const char *const *wv_format_names(void);

#endif
