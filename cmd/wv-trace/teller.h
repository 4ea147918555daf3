/* SPDX-License-Identifier: Apache-2.0 */
/* What an event says, put into lines: behind narrate.h. */
#ifndef WV_TRACE_TELLER_H
#define WV_TRACE_TELLER_H

#include "json/json.h"

struct teller {
	struct wv_arena *arena;
	const cJSON *event;
	cJSON *lines;
	struct wv_str text; /* of the line that is begun */
};

void tell_end(struct teller *t);
void tell(struct teller *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The event's text at a pointer, or NULL. */
const char *told(const struct teller *t, const char *pointer);
/* What the event lacks has to have a name all the same. */
const char *told_or(
	const struct teller *t, const char *pointer, const char *instead);
const char *tell_who(const struct teller *t);
const char *tell_what(const struct teller *t);

/* fmt has one %s, and is said if the event has the member. */
#define SAY_IF(t, fmt, pointer) \
	do { \
		const char *said_ = told((t), (pointer)); \
		if (said_ != NULL) \
			tell((t), fmt, said_); \
	} while (0)

bool told_int(const cJSON *object, const char *member, int64_t *n);
/* Said if it is there, from least on. */
void tell_number(struct teller *t, const cJSON *object, const char *member,
	int64_t least, const char *before, const char *after);
/* "decision dec-1", after what is on the line. */
void tell_also(struct teller *t, const char *noun, const char *pointer);
/* Not all of a long one. */
void tell_list(struct teller *t, const cJSON *list);

#endif
