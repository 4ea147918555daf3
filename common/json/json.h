/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON records: a strict RFC 8259 reader into a cJSON tree, and its writer.
 * cJSON is the tree type and nothing else: neither its parser nor its
 * printer ever sees a record.
 *
 * Ownership: every node and every byte a tree points to lives in the arena
 * it was made in; nothing is freed, nothing may be handed to cJSON_Delete().
 * A node stands in at most one tree.  Members of several objects may share
 * the bytes of their name, which are not written to.
 *
 * In a node
 *   type         cJSON_Object … cJSON_NULL, no flags
 *   string       the member's name, NUL-terminated
 *   valuestring  a string's bytes; or the text of a number that must be kept
 *   valueint     the length of valuestring in bytes
 * U+0000 is held as C0 80, so that C strings stay whole; it leaves this
 * folder only as a real NUL with a length (wv_json_bytes) or as \u0000.
 * Numbers are read through json/num.h only: valuedouble is no use to anyone
 * else and poisoned below, like the cJSON calls that ignore case, parse,
 * print, compare or free.
 */
#ifndef WV_JSON_JSON_H
#define WV_JSON_JSON_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <cJSON.h>
#include <stdint.h>

struct wv_json_limits {
	size_t max_depth;  /* 512 */
	size_t max_values; /* 2^20 a record */
	size_t max_digits; /* 4,096 a number */
};
/* clang-format off */
#define WV_JSON_LIMITS_INIT \
	{ .max_depth = 512, .max_values = (size_t)1 << 20, .max_digits = 4096 }
/* clang-format on */
extern const struct wv_json_limits wv_json_defaults;

/* The reader may look at this many bytes past the end, whatever they hold. */
enum { WV_JSON_SLACK = 16 };

/*
 * One value and the white space around it.  text[len … len+WV_JSON_SLACK)
 * must be readable.  Duplicate names (after unescaping), lone surrogates,
 * raw control characters and invalid UTF-8 are errors.  Returns NULL and an
 * error whose line and column (from 1, in bytes) are those of the first byte
 * that cannot stand there (of a word, an escape, a character or a repeated
 * name: its first); text that merely ends too soon is reported at its end as
 * incomplete (see wv_json_incomplete).  A BOM is not skipped.  Beside the
 * limits, an exponent has at most 18 digits, leading zeros aside, and a
 * record at most INT_MAX bytes.
 */
cJSON *wv_json_read(struct wv_arena *arena, const char *text, size_t len,
	const struct wv_json_limits *limits, struct wv_err *err);
/* The same; *strings becomes where all its strings and names are, each ended by
 * a NUL; numbers may stand between them.  If it is somewhere already they go
 * behind what is there: text of len bytes needs room for len + 1 and
 * WV_ARENA_SLACK. */
struct wv_json_strings {
	char *s;
	size_t n;
};
cJSON *wv_json_read_strings(struct wv_arena *arena, const char *text,
	size_t len, const struct wv_json_limits *limits,
	struct wv_json_strings *strings, struct wv_err *err);
/* The last error of wv_json_read() was that the text ends within a value. */
bool wv_json_incomplete(const struct wv_err *err);

/*
 * Where the value that an RFC 6901 pointer names begins in text that
 * wv_json_read() accepted: byte offset, or len if there is none such.
 * A member's value, not its name.
 */
size_t wv_json_locate(const char *text, size_t len, const char *pointer);
/* The same for several at once, in one pass: the place that each leads to, or
 * that of the nearest value which holds it. */
void wv_json_locate_all(const char *text, size_t len,
	const char *const *pointers, size_t count, size_t *places);
/* Line and column of an offset, from 1. */
void wv_json_position(
	const char *text, size_t offset, size_t *line, size_t *column);

/* Compact, members in order, numbers as they were read, UTF-8 as it is. */
void wv_json_write(struct wv_str *out, const cJSON *node);
/* A JSON string literal of n raw bytes (invalid UTF-8 becomes U+FFFD). */
void wv_json_write_string(struct wv_str *out, const char *s, size_t n);

/* Type tests; NULL is no type. */
static inline bool
wv_is_type(const cJSON *n, int type)
{
	return n != NULL && (n->type & 0xff) == type;
}
#define wv_is_object(n) wv_is_type((n), cJSON_Object)
#define wv_is_array(n) wv_is_type((n), cJSON_Array)
#define wv_is_string(n) wv_is_type((n), cJSON_String)
#define wv_is_number(n) wv_is_type((n), cJSON_Number)
#define wv_is_true(n) wv_is_type((n), cJSON_True)
#define wv_is_false(n) wv_is_type((n), cJSON_False)
#define wv_is_null(n) wv_is_type((n), cJSON_NULL)
#define wv_json_each(item, parent) \
	for (cJSON *item = (parent) ? (parent)->child : NULL; item != NULL; \
		item = item->next)

/* Case-sensitive, NULL for anything but an object that has it. */
cJSON *wv_get(const cJSON *object, const char *name);
/* The text of a string member, else NULL. */
const char *wv_get_string(const cJSON *object, const char *name);
/* By RFC 6901 pointer ("" is root itself); NULL if there is none. */
cJSON *wv_pointer(const cJSON *root, const char *pointer);
/* Appends "/" and name escaped as RFC 6901 says. */
void wv_pointer_add(struct wv_str *pointer, const char *name);
size_t wv_count(const cJSON *array_or_object);

/* A string as its real bytes, NULs included; returns whether it holds any. */
bool wv_json_bytes(const cJSON *string, struct wv_str *out);
/* Equality of JSON Schema: numbers by value, objects in any order. */
bool wv_json_equal(const cJSON *a, const cJSON *b);

/* Building.  Text is copied into the arena and must be valid UTF-8. */
cJSON *wv_json_object(struct wv_arena *arena);
cJSON *wv_json_array(struct wv_arena *arena);
cJSON *wv_json_string(struct wv_arena *arena, const char *s);
cJSON *wv_json_stringn(struct wv_arena *arena, const char *s, size_t n);
cJSON *wv_json_int(struct wv_arena *arena, int64_t value);
/* text must be a number that wv_json_read() takes. */
cJSON *wv_json_number(struct wv_arena *arena, const char *text);
cJSON *wv_json_bool(struct wv_arena *arena, bool value);
cJSON *wv_json_null(struct wv_arena *arena);
cJSON *wv_json_copy(struct wv_arena *arena, const cJSON *node);
/* Appends, or replaces the member of that name in its place.  Returns value.
 * Looks at every member: many that are known to be new are appended by
 * wv_push(), with value->string set to a name in the arena. */
cJSON *wv_put(
	struct wv_arena *arena, cJSON *object, const char *name, cJSON *value);
cJSON *wv_put_string(
	struct wv_arena *arena, cJSON *object, const char *name, const char *s);
/* The member's object, made if it is not there. */
cJSON *wv_put_object(struct wv_arena *arena, cJSON *object, const char *name);
/* Appends in constant time, to an object too. */
void wv_push(cJSON *array, cJSON *value);
/* Takes a member out of its object; NULL if it has none. */
cJSON *wv_take(cJSON *object, const char *name);

#pragma GCC poison cJSON_Parse cJSON_ParseWithLength cJSON_ParseWithOpts \
	cJSON_ParseWithLengthOpts cJSON_Print cJSON_PrintUnformatted cJSON_PrintBuffered \
		cJSON_PrintPreallocated cJSON_Delete cJSON_GetObjectItem cJSON_HasObjectItem \
			cJSON_DetachItemFromObject cJSON_DeleteItemFromObject \
				cJSON_DeleteItemFromObjectCaseSensitive cJSON_DeleteItemFromArray \
					cJSON_ReplaceItemInObject cJSON_ReplaceItemInArray \
						cJSON_ReplaceItemViaPointer \
							cJSON_Compare cJSON_Minify \
								cJSON_Duplicate \
									cJSON_GetNumberValue
#ifndef WV_JSON_INTERNAL
#pragma GCC poison valuedouble
#endif

#endif
